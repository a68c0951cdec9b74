//! The objects of aggregation: what is read of them, and where their fields are.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;

use crate::diagnostic::{Code, Diagnostic, FieldPath, Severity};
use crate::go::base64;
use crate::source::Span;
use crate::yaml::{DecodeError, Node, decode};

/// A kind that takes part in aggregation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AggregateKind {
    /// Who answers for a group and version.
    ApiService,
    /// Grafana's name for a host outside.
    ExternalName,
    /// Core `Service`.
    Service,
}

impl AggregateKind {
    /// Every kind.
    pub const ALL: &'static [AggregateKind] = &[
        AggregateKind::ApiService,
        AggregateKind::ExternalName,
        AggregateKind::Service,
    ];

    /// The name, as `kind:` has it.
    pub fn as_str(self) -> &'static str {
        match self {
            AggregateKind::ApiService => "APIService",
            AggregateKind::ExternalName => "ExternalName",
            AggregateKind::Service => "Service",
        }
    }

    /// Group and version, as `apiVersion:` has them.
    pub fn api_version(self) -> &'static str {
        match self {
            AggregateKind::ApiService => "apiregistration.k8s.io/v1",
            AggregateKind::ExternalName => "service.grafana.app/v0alpha1",
            AggregateKind::Service => "v1",
        }
    }

    /// The kind of an object with this group and kind, whatever its version.
    pub fn of(api_version: &str, kind: &str) -> Option<AggregateKind> {
        let group = |api_version: &str| api_version.split_once('/').map(|(group, _)| group.to_owned());
        AggregateKind::ALL
            .iter()
            .copied()
            .find(|k| k.as_str() == kind && group(k.api_version()) == group(api_version))
    }
}

/// Whether `aggregate` reads every object of this kind. It reads a Service only if an APIService refers to it.
pub fn reads_every(api_version: &str, kind: &str) -> bool {
    AggregateKind::of(api_version, kind).is_some_and(|kind| kind != AggregateKind::Service)
}

impl fmt::Display for AggregateKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Which object: written as `Kind/namespace/name`, or `Kind/name` where there is no namespace.
#[derive(Clone, Copy, Debug)]
pub(super) struct ObjectName<'o> {
    pub(super) kind: AggregateKind,
    pub(super) namespace: &'o str,
    pub(super) name: &'o str,
}

impl fmt::Display for ObjectName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.namespace.is_empty() {
            write!(f, "{}/{}", self.kind, self.name)
        } else {
            write!(f, "{}/{}/{}", self.kind, self.namespace, self.name)
        }
    }
}

/// The key of a remote service that becomes this field of a manifest.
fn in_remote_service(field: &str) -> Option<&'static str> {
    match field {
        "spec.group" => Some("group"),
        "spec.version" => Some("version"),
        "spec.service.port" => Some("port"),
        "spec.host" => Some("host"),
        _ => None,
    }
}

/// What an object was read from.
#[derive(Clone, Copy)]
pub(super) enum Origin<'d> {
    /// A manifest, at its outermost node.
    Manifest(Node<'d>),
    /// An entry of the list of remote services.
    Remote { entry: Node<'d>, index: usize },
}

impl<'d> Origin<'d> {
    /// Whether it comes from the list of remote services.
    pub(super) fn is_remote(self) -> bool {
        matches!(self, Origin::Remote { .. })
    }

    /// The node of the manifest.
    pub(super) fn manifest(self) -> Option<Node<'d>> {
        match self {
            Origin::Manifest(root) => Some(root),
            Origin::Remote { .. } => None,
        }
    }

    /// The place of a field of the manifest, or of its nearest parent if it is missing.
    pub(super) fn locate(self, field: &str) -> Span {
        match self {
            Origin::Manifest(root) => FieldPath::of(field).locate(root),
            Origin::Remote { entry, .. } => in_remote_service(field)
                .and_then(|key| entry.get(key))
                .map_or_else(|| head(entry), Node::span),
        }
    }

    /// The field as people write it: `spec.group`, or `[0].group`.
    fn path(self, field: &str) -> String {
        match self {
            Origin::Manifest(_) => field.to_owned(),
            Origin::Remote { index, .. } => match in_remote_service(field) {
                Some(key) => format!("[{index}].{key}"),
                None => format!("[{index}]"),
            },
        }
    }
}

/// The place that stands for a mapping as a whole: its first key.
pub(super) fn head(mapping: Node<'_>) -> Span {
    let first = mapping.entries().next();
    first.map_or_else(|| mapping.span(), |entry| entry.key_span)
}

/// What is read of every object.
#[derive(Deserialize, Default)]
#[serde(default, bound(deserialize = "'de: 'd, S: Deserialize<'de> + Default"))]
struct Manifest<'d, S> {
    metadata: Metadata<'d>,
    spec: S,
}

/// The metadata that the rules look at.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'd"))]
pub(super) struct Metadata<'d> {
    pub(super) name: &'d str,
    pub(super) namespace: &'d str,
    pub(super) labels: BTreeMap<&'d str, &'d str>,
    pub(super) annotations: BTreeMap<&'d str, &'d str>,
    /// No rule looks at it; read so that one of another type is refused, as the API server does.
    #[serde(rename = "uid")]
    _uid: &'d str,
}

/// The namespace an object names, or else the run's.
fn or_default<'d>(text: &'d str, default: &'d str) -> &'d str {
    if text.is_empty() { default } else { text }
}

/// The port of a service without one (`SetDefaults_ServiceReference`).
const DEFAULT_PORT: i32 = 443;

/// Which server answers for a group and version (`APIService` of `apiregistration.k8s.io/v1`), with its defaults.
#[derive(Clone)]
pub struct ApiService<'d> {
    /// The name; it has to be `version.group`.
    pub name: Cow<'d, str>,
    /// The group; empty for the core of Kubernetes.
    pub group: &'d str,
    /// The version.
    pub version: &'d str,
    /// The least priority of the whole group; higher comes first.
    pub group_priority_minimum: i32,
    /// The priority of the version in its group; higher comes first.
    pub version_priority: i32,
    /// Where requests go; without one this server answers itself.
    pub service: Option<ServiceReference<'d>>,
    /// Whether the certificate of the service is taken as it is.
    pub insecure_skip_tls_verify: bool,
    /// The certificates that the service's is verified against, as PEM.
    pub ca_bundle: Cow<'d, [u8]>,
    pub(super) metadata: Metadata<'d>,
    pub(super) origin: Origin<'d>,
}

/// The ExternalName or Service that requests go to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServiceReference<'d> {
    /// Its namespace.
    pub namespace: Cow<'d, str>,
    /// Its name.
    pub name: Cow<'d, str>,
    /// The port.
    pub port: i32,
}

impl fmt::Display for ServiceReference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}:{}", self.namespace, self.name, self.port)
    }
}

impl<'d> ApiService<'d> {
    /// Decodes a manifest and sets its defaults.
    ///
    /// # Errors
    ///
    /// Where a field has another type than in Go, or `caBundle` is not base64.
    pub(super) fn decode(root: Node<'d>) -> Result<Self, Box<Diagnostic>> {
        let Manifest::<ApiServiceSpec> { metadata, spec } =
            decode(root).map_err(|error| wrong_type(AggregateKind::ApiService, root, &error))?;
        let ca_bundle = base64::decode(spec.ca_bundle).ok_or_else(|| bundle_not_base64(root))?;
        Ok(Self {
            name: Cow::Borrowed(metadata.name),
            group: spec.group,
            version: spec.version,
            group_priority_minimum: spec.group_priority_minimum,
            version_priority: spec.version_priority,
            service: spec.service.map(|service| ServiceReference {
                namespace: Cow::Borrowed(service.namespace),
                name: Cow::Borrowed(service.name),
                port: service.port.unwrap_or(DEFAULT_PORT),
            }),
            insecure_skip_tls_verify: spec.insecure_skip_tls_verify,
            ca_bundle: Cow::Owned(ca_bundle),
            metadata,
            origin: Origin::Manifest(root),
        })
    }

    /// Whether it is the core of Kubernetes, which has paths of its own (`legacyAPIServiceName`).
    pub fn is_legacy(&self) -> bool {
        self.name == "v1."
    }

    /// The path whose requests it takes, with everything below (`AddAPIService`).
    pub fn path(&self) -> String {
        if self.is_legacy() {
            "/api".to_owned()
        } else {
            format!("/apis/{}/{}", self.group, self.version)
        }
    }

    /// The path that shows whether the service exists (`sync` of the available controller).
    pub fn discovery_path(&self) -> String {
        if self.is_legacy() {
            format!("/api/{}", self.version)
        } else {
            self.path()
        }
    }

    /// `group/version`, or the version alone.
    pub fn group_version(&self) -> String {
        if self.group.is_empty() {
            self.version.to_owned()
        } else {
            format!("{}/{}", self.group, self.version)
        }
    }

    pub(super) fn object(&self) -> ObjectName<'_> {
        ObjectName {
            kind: AggregateKind::ApiService,
            namespace: "",
            name: &self.name,
        }
    }
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct ApiServiceSpec<'d> {
    #[serde(borrow)]
    service: Option<Reference<'d>>,
    group: &'d str,
    version: &'d str,
    #[serde(rename = "insecureSkipTLSVerify")]
    insecure_skip_tls_verify: bool,
    ca_bundle: &'d str,
    group_priority_minimum: i32,
    version_priority: i32,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Reference<'d> {
    namespace: &'d str,
    name: &'d str,
    port: Option<i32>,
}

/// A name in the cluster for a host outside (`ExternalName` of `service.grafana.app/v0alpha1`).
#[derive(Clone)]
pub struct ExternalName<'d> {
    /// Its namespace.
    pub namespace: &'d str,
    /// Its name.
    pub name: Cow<'d, str>,
    /// A DNS name or an address.
    pub host: &'d str,
    pub(super) metadata: Metadata<'d>,
    pub(super) origin: Origin<'d>,
}

impl<'d> ExternalName<'d> {
    /// Decodes a manifest; `namespace` is the default.
    ///
    /// # Errors
    ///
    /// Where a field has another type than in Go.
    pub(super) fn decode(root: Node<'d>, namespace: &'d str) -> Result<Self, Box<Diagnostic>> {
        let Manifest::<ExternalNameSpec> { metadata, spec } =
            decode(root).map_err(|error| wrong_type(AggregateKind::ExternalName, root, &error))?;
        Ok(Self {
            namespace: or_default(metadata.namespace, namespace),
            name: Cow::Borrowed(metadata.name),
            host: spec.host,
            metadata,
            origin: Origin::Manifest(root),
        })
    }

    pub(super) fn object(&self) -> ObjectName<'_> {
        ObjectName {
            kind: AggregateKind::ExternalName,
            namespace: self.namespace,
            name: &self.name,
        }
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ExternalNameSpec<'d> {
    host: &'d str,
}

/// What the aggregator uses of a core `Service`.
#[derive(Clone)]
pub struct Service<'d> {
    /// Its namespace.
    pub namespace: &'d str,
    /// Its name.
    pub name: &'d str,
    /// `ClusterIP`, `NodePort`, `LoadBalancer` or `ExternalName`.
    pub service_type: &'d str,
    /// Its address in the cluster; seldom known outside of it.
    pub cluster_ip: &'d str,
    /// The host of one of type `ExternalName`.
    pub external_name: &'d str,
    /// The ports it listens on.
    pub ports: Vec<i32>,
    pub(super) origin: Origin<'d>,
}

impl<'d> Service<'d> {
    /// Decodes a manifest; `namespace` is the default.
    ///
    /// # Errors
    ///
    /// Where a field has another type than in Go.
    pub(super) fn decode(root: Node<'d>, namespace: &'d str) -> Result<Self, Box<Diagnostic>> {
        let Manifest::<ServiceSpec> { metadata, spec } =
            decode(root).map_err(|error| wrong_type(AggregateKind::Service, root, &error))?;
        Ok(Self {
            namespace: or_default(metadata.namespace, namespace),
            name: metadata.name,
            service_type: or_default(spec.service_type, "ClusterIP"),
            cluster_ip: spec.cluster_ip,
            external_name: spec.external_name,
            ports: spec.ports.iter().map(|port| port.port).collect(),
            origin: Origin::Manifest(root),
        })
    }

    pub(super) fn object(&self) -> ObjectName<'_> {
        ObjectName {
            kind: AggregateKind::Service,
            namespace: self.namespace,
            name: self.name,
        }
    }
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct ServiceSpec<'d> {
    #[serde(rename = "type")]
    service_type: &'d str,
    #[serde(rename = "clusterIP")]
    cluster_ip: &'d str,
    external_name: &'d str,
    ports: Vec<Port>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Port {
    port: i32,
}

/// Puts a finding at a field of an object; the field is that of a manifest, wherever the object was read from.
pub(super) fn at(finding: Diagnostic, object: ObjectName<'_>, origin: Origin<'_>, field: &str) -> Diagnostic {
    finding
        .label(origin.locate(field), "")
        .resource(object)
        .path(origin.path(field))
}

/// A field has another type than in Go.
fn wrong_type(kind: AggregateKind, root: Node<'_>, error: &DecodeError) -> Box<Diagnostic> {
    let span = error.span.unwrap_or_else(|| error.path.locate(root));
    let finding = type_mismatch(error).label(span, "");
    Box::new(finding.resource(object_of(kind, root)).path(&error.path))
}

/// What is wrong with a value of another type, without its place.
pub(super) fn type_mismatch(error: &DecodeError) -> Diagnostic {
    let quote = error.message.ends_with("expected a string");
    let path = error.path.to_string();
    let name = path.rsplit('.').next().filter(|name| !name.is_empty());
    let parts = error.message.strip_prefix("found ");
    let parts = parts.and_then(|message| message.split_once(", expected "));
    let message = match (name, parts) {
        (Some(name), Some((found, expected))) => format!("`{name}` must be {expected}, found {found}"),
        _ => error.message.clone(),
    };
    let diagnostic = Diagnostic::new(Code::WrongType, message);
    if quote { diagnostic.help("quote it") } else { diagnostic }
}

/// A bundle is base64 in the first place.
fn bundle_not_base64(root: Node<'_>) -> Box<Diagnostic> {
    let finding = Diagnostic::new(Code::InvalidCaBundle, "the CA bundle is not base64")
        .severity(Severity::Error)
        .help("write what `base64 < ca.pem` says");
    let object = object_of(AggregateKind::ApiService, root);
    Box::new(at(finding, object, Origin::Manifest(root), "spec.caBundle"))
}

/// The object as its text names it.
pub(super) fn object_of<'d>(kind: AggregateKind, root: Node<'d>) -> ObjectName<'d> {
    ObjectName {
        kind,
        namespace: root.text("metadata.namespace"),
        name: root.text("metadata.name"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_found_in_its_own_group_only() {
        for &kind in AggregateKind::ALL {
            assert_eq!(AggregateKind::of(kind.api_version(), kind.as_str()), Some(kind));
        }
        assert_eq!(
            AggregateKind::of("apiregistration.k8s.io/v1beta1", "APIService"),
            Some(AggregateKind::ApiService)
        );
        assert_eq!(AggregateKind::of("serving.knative.dev/v1", "Service"), None);
        assert_eq!(AggregateKind::of("v1", "ExternalName"), None);
    }
}
