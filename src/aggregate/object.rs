//! Aggregation objects and the spans of their fields.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;

use crate::api::{ObjectMeta, ObjectRef};
use crate::diagnostic::{Code, Diagnostic, FieldPath, Severity};
use crate::go::base64;
use crate::source::Span;
use crate::yaml::{DecodeError, Node, decode};

/// Kind of an aggregation object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AggregateKind {
    /// `APIService`: the server for a group and version.
    ApiService,
    /// Grafana's `ExternalName`: a name for an external host.
    ExternalName,
    /// Core `Service`, which plain Kubernetes uses instead.
    Service,
}

impl AggregateKind {
    pub const ALL: &'static [AggregateKind] =
        &[AggregateKind::ApiService, AggregateKind::ExternalName, AggregateKind::Service];

    /// Returns the kind's name and its group and version.
    fn row(self) -> (&'static str, &'static str) {
        match self {
            AggregateKind::ApiService => ("APIService", "apiregistration.k8s.io/v1"),
            AggregateKind::ExternalName => ("ExternalName", "service.grafana.app/v0alpha1"),
            AggregateKind::Service => ("Service", "v1"),
        }
    }

    /// Returns the kind's name, as written in `kind:`.
    pub fn as_str(self) -> &'static str {
        self.row().0
    }

    /// Returns the kind's group and version, as written in `apiVersion:`.
    pub fn api_version(self) -> &'static str {
        self.row().1
    }

    /// Returns the kind with this group and name, ignoring the version.
    pub fn from_group_kind(api_version: &str, kind: &str) -> Option<AggregateKind> {
        let group = |api_version: &str| api_version.split_once('/').map(|(group, _)| group.to_owned());
        AggregateKind::ALL.iter().copied().find(|k| k.as_str() == kind && group(k.api_version()) == group(api_version))
    }
}

/// Whether `aggregate` reads every object of this kind. It reads a Service only if an APIService refers to it.
pub fn reads_every(api_version: &str, kind: &str) -> bool {
    AggregateKind::from_group_kind(api_version, kind).is_some_and(|kind| kind != AggregateKind::Service)
}

impl fmt::Display for AggregateKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

pub(super) type ObjectName<'o> = ObjectRef<'o, AggregateKind>;

/// Returns the key in a remote service that corresponds to a manifest field, if any.
fn remote_service_key(field: &str) -> Option<&'static str> {
    match field {
        "spec.group" => Some("group"),
        "spec.version" => Some("version"),
        "spec.service.port" => Some("port"),
        "spec.host" => Some("host"),
        _ => None,
    }
}

/// Source of an aggregation object.
#[derive(Clone, Copy)]
pub(super) enum RegistrySource<'d> {
    /// Root node of a manifest.
    AggregationManifest(Node<'d>),
    /// Entry in the list of remote services.
    Remote { entry: Node<'d>, index: usize },
}

impl<'d> RegistrySource<'d> {
    /// Whether the object comes from the list of remote services.
    pub(super) fn is_remote(self) -> bool {
        matches!(self, RegistrySource::Remote { .. })
    }

    /// Whether the object was returned by a cluster.
    pub(super) fn is_observed(self) -> bool {
        let meta = self.manifest().and_then(|root| root.get("metadata"));
        meta.is_some_and(|meta| !meta.text("uid").is_empty())
    }

    pub(super) fn manifest(self) -> Option<Node<'d>> {
        match self {
            RegistrySource::AggregationManifest(root) => Some(root),
            RegistrySource::Remote { .. } => None,
        }
    }

    /// Returns the span of a manifest field or, if it does not exist, of its nearest existing parent.
    pub(super) fn locate(self, field: &str) -> Span {
        match self {
            RegistrySource::AggregationManifest(root) => {
                let path = field.split('.').fold(FieldPath::new(), |path, key| path.key(key));
                path.locate(root)
            }
            RegistrySource::Remote { entry, .. } => {
                remote_service_key(field).and_then(|key| entry.get(key)).map_or_else(|| head_span(entry), Node::span)
            }
        }
    }

    /// Returns the path of a field as users write it: `spec.group`, or `[0].group`.
    fn path(self, field: &str) -> String {
        match self {
            RegistrySource::AggregationManifest(_) => field.to_owned(),
            RegistrySource::Remote { index, .. } => match remote_service_key(field) {
                Some(key) => format!("[{index}].{key}"),
                None => format!("[{index}]"),
            },
        }
    }
}

/// Returns the span that represents an entire mapping: its first key.
pub(super) fn head_span(mapping: Node<'_>) -> Span {
    let first = mapping.entries().next();
    first.map_or_else(|| mapping.span(), |entry| entry.key_span)
}

/// Fields that are decoded for all kinds.
#[derive(Deserialize, Default)]
#[serde(default, bound(deserialize = "'de: 'd, S: Deserialize<'de> + Default"))]
struct AggregationManifest<'d, S> {
    metadata: ObjectMeta<'d>,
    spec: S,
}

/// An aggregation object, from a manifest or from the list of remote services.
#[derive(Clone)]
pub struct AggregationObject<'d, S> {
    pub kind: AggregateKind,
    /// Namespace, or empty for an APIService, which is cluster-scoped.
    pub namespace: &'d str,
    pub name: Cow<'d, str>,
    pub spec: S,
    pub(super) metadata: ObjectMeta<'d>,
    pub(super) origin: RegistrySource<'d>,
}

impl<'d, S> AggregationObject<'d, S> {
    /// Decodes a manifest. Its namespace defaults to `namespace`.
    ///
    /// # Errors
    ///
    /// Fails if the value of a field does not match the field's Go type.
    pub(super) fn decode(kind: AggregateKind, root: Node<'d>, namespace: &'d str) -> Result<Self, Box<Diagnostic>>
    where
        S: Deserialize<'d> + Default,
    {
        let AggregationManifest { metadata, spec } = decode(root).map_err(|error| wrong_type(kind, root, &error))?;
        let namespace = match (kind, metadata.namespace) {
            (AggregateKind::ApiService, _) => "",
            (_, "") => namespace,
            (_, named) => named,
        };
        Ok(Self {
            kind,
            namespace,
            name: Cow::Borrowed(metadata.name),
            spec,
            metadata,
            origin: RegistrySource::AggregationManifest(root),
        })
    }

    pub(super) fn object(&self) -> ObjectName<'_> {
        ObjectName { kind: self.kind, namespace: self.namespace, name: &self.name }
    }

    /// Creates a finding for a field. `field` is the path in a manifest, regardless of the object's source.
    pub(super) fn finding(&self, code: Code, field: &str, message: impl Into<String>) -> Diagnostic {
        finding_at(Diagnostic::new(code, message), self.object(), self.origin, field)
    }
}

/// An `APIService` (`apiregistration.k8s.io/v1`): the server for a group and version. Its name must be `version.group`.
pub type ApiService<'d> = AggregationObject<'d, ApiServiceSpec<'d>>;

/// `spec` of an APIService, with defaults.
#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct ApiServiceSpec<'d> {
    /// API group, or empty for the core group.
    pub group: &'d str,
    pub version: &'d str,
    /// Minimum priority of the entire group. Higher values come first.
    pub group_priority_minimum: i32,
    /// Priority of the version within its group. Higher values come first.
    pub version_priority: i32,
    /// Target of the requests, or `None` if the API server answers them itself.
    pub service: Option<ServiceReference<'d>>,
    /// Whether any certificate from the service is accepted.
    #[serde(rename = "insecureSkipTLSVerify")]
    pub insecure_skip_tls_verify: bool,
    /// Certificates used to verify the service's certificate, as base64-encoded PEM.
    #[serde(rename = "caBundle")]
    pub(super) encoded_bundle: &'d str,
    /// Certificates used to verify the service's certificate, as PEM.
    #[serde(skip)]
    pub ca_bundle: Cow<'d, [u8]>,
}

/// A reference to an ExternalName or Service.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'd"))]
pub struct ServiceReference<'d> {
    #[serde(borrow)]
    pub namespace: Cow<'d, str>,
    #[serde(borrow)]
    pub name: Cow<'d, str>,
    pub port: i32,
}

impl Default for ServiceReference<'_> {
    /// Port of `SetDefaults_ServiceReference`.
    fn default() -> Self {
        Self { namespace: Cow::default(), name: Cow::default(), port: 443 }
    }
}

impl fmt::Display for ServiceReference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}:{}", self.namespace, self.name, self.port)
    }
}

impl<'d> ApiService<'d> {
    /// Decodes `caBundle` from base64.
    ///
    /// # Errors
    ///
    /// Fails if `caBundle` is not valid base64.
    pub(super) fn decode_bundle(mut self) -> Result<Self, Box<Diagnostic>> {
        match base64::decode(self.spec.encoded_bundle) {
            Some(bundle) => self.spec.ca_bundle = Cow::Owned(bundle),
            None => {
                let message = "the CA bundle is not valid base64";
                let finding = self.finding(Code::InvalidCaBundle, "spec.caBundle", message);
                let finding = finding.severity(Severity::Error);
                return Err(Box::new(finding.help("use the output of `base64 < ca.pem`")));
            }
        }
        Ok(self)
    }

    /// Whether the APIService is for the Kubernetes core group, which has different paths (`legacyAPIServiceName`).
    pub fn is_legacy(&self) -> bool {
        self.name == "v1."
    }

    /// Returns the path that is forwarded, along with all paths below it (`AddAPIService`).
    pub fn path(&self) -> String {
        if self.is_legacy() { "/api".to_owned() } else { format!("/apis/{}/{}", self.spec.group, self.spec.version) }
    }

    /// Returns the path that the aggregator queries to determine whether the service is available (`sync` in the
    /// available controller).
    pub fn discovery_path(&self) -> String {
        if self.is_legacy() { format!("/api/{}", self.spec.version) } else { self.path() }
    }

    /// Returns `group/version`, or just the version for the core group.
    pub fn group_version(&self) -> String {
        match self.spec.group {
            "" => self.spec.version.to_owned(),
            group => format!("{group}/{}", self.spec.version),
        }
    }
}

/// An `ExternalName` (`service.grafana.app/v0alpha1`): a name in the cluster for an external host.
pub type ExternalName<'d> = AggregationObject<'d, ExternalNameSpec<'d>>;

/// `spec` of an ExternalName.
#[derive(Clone, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'd"))]
pub struct ExternalNameSpec<'d> {
    /// DNS name or IP address.
    pub host: &'d str,
}

/// Core `Service` with its metadata.
pub type Service<'d> = AggregationObject<'d, ServiceSpec<'d>>;

/// The fields in a core Service's `spec` that the aggregator uses.
#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct ServiceSpec<'d> {
    /// `ClusterIP`, `NodePort`, `LoadBalancer` or `ExternalName`. An empty string means `ClusterIP`.
    #[serde(rename = "type")]
    pub service_type: &'d str,
    /// IP address within the cluster, which is rarely known outside the cluster.
    #[serde(rename = "clusterIP")]
    pub cluster_ip: &'d str,
    /// Host of a Service whose type is `ExternalName`.
    pub external_name: &'d str,
    /// Ports that the Service listens on.
    pub ports: Vec<ServicePort>,
}

/// A port on a core Service.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(default)]
pub struct ServicePort {
    pub port: i32,
}

/// Adds an object and the location of a field to a finding. `field` is the path in a manifest, regardless of the
/// object's source.
pub(super) fn finding_at(
    finding: Diagnostic,
    object: ObjectName<'_>,
    origin: RegistrySource<'_>,
    field: &str,
) -> Diagnostic {
    finding.label(origin.locate(field), "").resource(object).path(origin.path(field))
}

/// Finding for a field whose value does not match the field's Go type.
fn wrong_type(kind: AggregateKind, root: Node<'_>, error: &DecodeError) -> Box<Diagnostic> {
    let span = error.span.unwrap_or_else(|| error.path.locate(root));
    let finding = type_mismatch(error).label(span, "");
    Box::new(finding.resource(read_object_name(kind, root)).path(&error.path))
}

/// Finding for a value of the wrong type, without a location.
pub(super) fn type_mismatch(error: &DecodeError) -> Diagnostic {
    let quote = error.message.ends_with("expected a string");
    let path = error.path.to_string();
    let name = path.rsplit('.').next().filter(|name| !name.is_empty());
    let parts = error.message.strip_prefix("found ");
    let parts = parts.and_then(|message| message.split_once(", expected "));
    let message = match (name, parts) {
        (Some(name), Some((found, expected))) => format!("`{name}` must be {expected}, but is {found}"),
        _ => error.message.clone(),
    };
    let diagnostic = Diagnostic::new(Code::WrongType, message);
    if quote { diagnostic.help("quote it") } else { diagnostic }
}

/// Returns an object's name as written.
pub(super) fn read_object_name<'d>(kind: AggregateKind, root: Node<'d>) -> ObjectName<'d> {
    ObjectName { kind, namespace: root.text("metadata.namespace"), name: root.text("metadata.name") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_kinds_only_in_their_group() {
        for &kind in AggregateKind::ALL {
            assert_eq!(AggregateKind::from_group_kind(kind.api_version(), kind.as_str()), Some(kind));
        }
        assert_eq!(
            AggregateKind::from_group_kind("apiregistration.k8s.io/v1beta1", "APIService"),
            Some(AggregateKind::ApiService)
        );
        assert_eq!(AggregateKind::from_group_kind("serving.knative.dev/v1", "Service"), None);
        assert_eq!(AggregateKind::from_group_kind("v1", "ExternalName"), None);
    }
}
