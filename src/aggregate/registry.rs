//! Reads aggregation objects from documents, and reads the aggregator's list of remote services
//! (`remote_services_file`).

use std::borrow::Cow;

use jiff::Timestamp;
use serde::Deserialize;

use super::bundle;
use super::object::{
    AggregateKind, ApiService, ApiServiceSpec, ExternalName, ExternalNameSpec, RegistrySource, Service,
    ServiceReference, head_span, read_object_name, type_mismatch,
};
use crate::api::{ObjectMeta, UnappliedReason};
use crate::diagnostic::{Code, Diagnostic, Severity, Step, Warned};
use crate::source::Span;
use crate::yaml::{DecodeError, Document, DocumentObject, Node, NodeValue, decode, for_each_object};

/// All objects that the aggregator reads, in input order.
#[derive(Clone, Default)]
pub struct Registry<'d> {
    /// APIServices, which determine the server for each group and version.
    pub api_services: Vec<ApiService<'d>>,
    /// ExternalNames, which are names for external hosts.
    pub external_names: Vec<ExternalName<'d>>,
    /// Core Services, to which APIServices may refer.
    pub services: Vec<Service<'d>>,
}

impl Registry<'_> {
    /// Whether the input contains no aggregation objects other than core Services.
    pub fn is_empty(&self) -> bool {
        self.api_services.is_empty() && self.external_names.is_empty()
    }
}

/// Decodes the objects in the documents. An object that cannot be decoded is reported and skipped.
pub(super) fn read<'d>(
    documents: impl IntoIterator<Item = &'d Document<'d>>,
    namespace: &'d str,
) -> Warned<Registry<'d>> {
    let mut registry = Registry::default();
    let mut diagnostics = Vec::new();
    // Problems with core Services matter only if the input contains other aggregation objects.
    let mut service_diagnostics = Vec::new();
    for document in documents {
        for_each_object(document.root(), &mut |object| {
            let DocumentObject::Object(root, api_version, kind) = object else {
                return;
            };
            match AggregateKind::from_group_kind(api_version, kind) {
                None => {}
                Some(_) if UnappliedReason::new(root).is_some() => {}
                Some(kind) if api_version != kind.api_version() => {
                    diagnostics.push(unserved_version(kind, api_version, root));
                }
                Some(kind @ AggregateKind::ApiService) => {
                    let service = ApiService::decode(kind, root, "").and_then(ApiService::decode_bundle);
                    keep_decoded(service, &mut registry.api_services, &mut diagnostics);
                }
                Some(kind @ AggregateKind::ExternalName) => {
                    let external_name = ExternalName::decode(kind, root, namespace);
                    keep_decoded(external_name, &mut registry.external_names, &mut diagnostics);
                }
                Some(kind @ AggregateKind::Service) => {
                    let service = Service::decode(kind, root, namespace);
                    keep_decoded(service, &mut registry.services, &mut service_diagnostics);
                }
            }
        });
    }
    if !registry.is_empty() {
        diagnostics.append(&mut service_diagnostics);
    }
    Warned { output: registry, diagnostics }
}

/// Adds a decoded object to `objects`. If decoding fails, adds a finding to `diagnostics`.
fn keep_decoded<T>(result: Result<T, Box<Diagnostic>>, objects: &mut Vec<T>, diagnostics: &mut Vec<Diagnostic>) {
    match result {
        Ok(object) => objects.push(object),
        Err(wrong) => diagnostics.push(*wrong),
    }
}

/// Finding for an object with a version that the aggregator does not serve.
fn unserved_version(kind: AggregateKind, api_version: &str, root: Node<'_>) -> Diagnostic {
    let message = format!("the aggregator does not serve {kind} in `{api_version}`, only in `{}`", kind.api_version());
    let span = root.get("apiVersion").map_or_else(|| head_span(root), Node::span);
    Diagnostic::new(Code::UnservedVersion, message)
        .help(format!("set `apiVersion: {}`", kind.api_version()))
        .label(span, "ignored")
        .resource(read_object_name(kind, root))
        .path("apiVersion")
}

/// Group priority of every remote service (`addRemoteAPIServicesToRegister`).
const GROUP_PRIORITY: i32 = 16000;

/// List of remote services and related settings.
#[derive(Clone, Copy)]
pub struct RemoteServices<'d> {
    /// Documents that contain the list. There should be exactly one.
    pub documents: &'d [Document<'d>],
    /// Namespace for the ExternalNames.
    pub namespace: &'d str,
    /// CA bundle for all remote services and the span that specifies it, or `None` if certificates are not verified.
    pub ca_bundle: Option<(&'d [u8], Span)>,
}

/// An entry in the list (`RemoteService`).
#[derive(Deserialize, Default)]
#[serde(default)]
struct RemoteServiceEntry<'d> {
    group: &'d str,
    version: &'d str,
    host: &'d str,
    port: i32,
}

/// Adds the objects generated from the list of remote services (`addRemoteAPIServicesToRegister`,
/// `getRemoteExternalNamesToRegister`).
pub(super) fn add_remote_services<'d>(
    remote: &RemoteServices<'d>,
    certificate_time: Option<Timestamp>,
    registry: &mut Registry<'d>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if let Some((bundle, span)) = remote.ca_bundle {
        let finding = bundle::check_bundle(bundle, certificate_time);
        diagnostics.extend(finding.map(|finding| finding.severity(Severity::Error).label(span, "")));
    }
    let roots = remote.documents.iter().map(Document::root);
    for root in roots {
        if !matches!(root.value(), NodeValue::Sequence | NodeValue::Null) {
            diagnostics.push(not_a_list(root));
        }
        for (index, entry) in root.items().enumerate() {
            match decode(entry) {
                Ok(service) => add_entry(&service, remote, RegistrySource::Remote { entry, index }, index, registry),
                Err(error) => diagnostics.push(wrong_type_in_entry(index, entry, &error)),
            }
        }
    }
}

fn add_entry<'d>(
    service: &RemoteServiceEntry<'d>,
    remote: &RemoteServices<'d>,
    origin: RegistrySource<'d>,
    index: usize,
    registry: &mut Registry<'d>,
) {
    let name = format!("{}.{}", service.version, service.group);
    let ca_bundle = remote.ca_bundle.map(|(bundle, _)| bundle).unwrap_or_default();
    registry.external_names.push(ExternalName {
        kind: AggregateKind::ExternalName,
        namespace: remote.namespace,
        name: Cow::Owned(name.clone()),
        spec: ExternalNameSpec { host: service.host },
        metadata: ObjectMeta::default(),
        origin,
    });
    registry.api_services.push(ApiService {
        kind: AggregateKind::ApiService,
        namespace: "",
        name: Cow::Owned(name.clone()),
        spec: ApiServiceSpec {
            group: service.group,
            version: service.version,
            group_priority_minimum: GROUP_PRIORITY,
            version_priority: i32::try_from(index).unwrap_or(i32::MAX).saturating_add(1),
            service: Some(ServiceReference {
                namespace: Cow::Borrowed(remote.namespace),
                name: Cow::Owned(name),
                port: service.port,
            }),
            insecure_skip_tls_verify: ca_bundle.is_empty(),
            ca_bundle: Cow::Borrowed(ca_bundle),
            ..ApiServiceSpec::default()
        },
        metadata: ObjectMeta::default(),
        origin,
    });
}

/// Finding for an entry with a field whose value does not match the field's Go type.
fn wrong_type_in_entry(index: usize, entry: Node<'_>, error: &DecodeError) -> Diagnostic {
    let mut path = error.path.clone();
    path.push_front(Step::Index(index));
    type_mismatch(error).label(error.span.unwrap_or_else(|| head_span(entry)), "").path(path)
}

/// Finding for a remote services file that does not contain a list.
fn not_a_list(root: Node<'_>) -> Diagnostic {
    Diagnostic::new(Code::InvalidRemoteServices, "expected a list of remote services")
        .help("write a `- group: …` item with `version`, `host` and `port` for each service")
        .label(head_span(root), "")
}
