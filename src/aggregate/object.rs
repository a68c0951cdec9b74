//! The objects of aggregation: what is read of them, and where their fields are.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;

use crate::api::{ObjectMeta, ObjectRef};
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
    pub const ALL: &'static [AggregateKind] = &[
        AggregateKind::ApiService,
        AggregateKind::ExternalName,
        AggregateKind::Service,
    ];

    /// Name, group and version of each kind, one row each.
    fn row(self) -> (&'static str, &'static str) {
        match self {
            AggregateKind::ApiService => ("APIService", "apiregistration.k8s.io/v1"),
            AggregateKind::ExternalName => ("ExternalName", "service.grafana.app/v0alpha1"),
            AggregateKind::Service => ("Service", "v1"),
        }
    }

    /// The name, as `kind:` has it.
    pub fn as_str(self) -> &'static str {
        self.row().0
    }

    /// Group and version, as `apiVersion:` has them.
    pub fn api_version(self) -> &'static str {
        self.row().1
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

pub(super) type ObjectName<'o> = ObjectRef<'o, AggregateKind>;

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

    /// Whether a cluster returned it.
    pub(super) fn is_observed(self) -> bool {
        let meta = self.manifest().and_then(|root| root.get("metadata"));
        meta.is_some_and(|meta| !meta.text("uid").is_empty())
    }

    pub(super) fn manifest(self) -> Option<Node<'d>> {
        match self {
            Origin::Manifest(root) => Some(root),
            Origin::Remote { .. } => None,
        }
    }

    /// The place of a field of the manifest, or of its nearest parent if it is missing.
    pub(super) fn locate(self, field: &str) -> Span {
        match self {
            Origin::Manifest(root) => {
                let path = field.split('.').fold(FieldPath::new(), |path, key| path.key(key));
                path.locate(root)
            }
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

/// What is read of every manifest.
#[derive(Deserialize, Default)]
#[serde(default, bound(deserialize = "'de: 'd, S: Deserialize<'de> + Default"))]
struct Manifest<'d, S> {
    metadata: ObjectMeta<'d>,
    spec: S,
}

/// An object of aggregation: a manifest, or what the list of remote services stands for.
#[derive(Clone)]
pub struct Object<'d, S> {
    pub kind: AggregateKind,
    /// Its namespace; empty for an APIService, which has none.
    pub namespace: &'d str,
    pub name: Cow<'d, str>,
    pub spec: S,
    pub(super) metadata: ObjectMeta<'d>,
    pub(super) origin: Origin<'d>,
}

impl<'d, S> Object<'d, S> {
    /// Decodes a manifest, which is in `namespace` if it sets none.
    ///
    /// # Errors
    ///
    /// Where a field has another type than in Go.
    pub(super) fn decode(kind: AggregateKind, root: Node<'d>, namespace: &'d str) -> Result<Self, Box<Diagnostic>>
    where
        S: Deserialize<'d> + Default,
    {
        let Manifest { metadata, spec } = decode(root).map_err(|error| wrong_type(kind, root, &error))?;
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
            origin: Origin::Manifest(root),
        })
    }

    pub(super) fn object(&self) -> ObjectName<'_> {
        ObjectName {
            kind: self.kind,
            namespace: self.namespace,
            name: &self.name,
        }
    }

    /// A finding at a field; the field is that of a manifest, wherever the object was read from.
    pub(super) fn finding(&self, code: Code, field: &str, message: impl Into<String>) -> Diagnostic {
        at(Diagnostic::new(code, message), self.object(), self.origin, field)
    }
}

/// Which server answers for a group and version (`APIService` of `apiregistration.k8s.io/v1`). Its name has to be
/// `version.group`.
pub type ApiService<'d> = Object<'d, ApiServiceSpec<'d>>;

/// `spec` of an APIService, with its defaults.
#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct ApiServiceSpec<'d> {
    /// The group; empty for the core of Kubernetes.
    pub group: &'d str,
    pub version: &'d str,
    /// The least priority of the whole group; higher comes first.
    pub group_priority_minimum: i32,
    /// The priority of the version in its group; higher comes first.
    pub version_priority: i32,
    /// Where requests go; without one this server answers itself.
    pub service: Option<ServiceReference<'d>>,
    /// Whether the certificate of the service is taken as it is.
    #[serde(rename = "insecureSkipTLSVerify")]
    pub insecure_skip_tls_verify: bool,
    /// The certificates that the service's is verified against, as base64 of PEM.
    #[serde(rename = "caBundle")]
    pub(super) encoded_bundle: &'d str,
    /// The same as PEM.
    #[serde(skip)]
    pub ca_bundle: Cow<'d, [u8]>,
}

/// The ExternalName or Service that requests go to.
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
    /// `SetDefaults_ServiceReference`.
    fn default() -> Self {
        Self {
            namespace: Cow::default(),
            name: Cow::default(),
            port: 443,
        }
    }
}

impl fmt::Display for ServiceReference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}:{}", self.namespace, self.name, self.port)
    }
}

impl<'d> ApiService<'d> {
    /// Takes the bundle out of its base64.
    ///
    /// # Errors
    ///
    /// Where `caBundle` is not base64.
    pub(super) fn with_bundle(mut self) -> Result<Self, Box<Diagnostic>> {
        match base64::decode(self.spec.encoded_bundle) {
            Some(bundle) => self.spec.ca_bundle = Cow::Owned(bundle),
            None => {
                let message = "the CA bundle is not base64";
                let finding = self.finding(Code::InvalidCaBundle, "spec.caBundle", message);
                let finding = finding.severity(Severity::Error);
                return Err(Box::new(finding.help("write what `base64 < ca.pem` says")));
            }
        }
        Ok(self)
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
            format!("/apis/{}/{}", self.spec.group, self.spec.version)
        }
    }

    /// The path that shows whether the service exists (`sync` of the available controller).
    pub fn discovery_path(&self) -> String {
        if self.is_legacy() {
            format!("/api/{}", self.spec.version)
        } else {
            self.path()
        }
    }

    /// `group/version`, or the version alone.
    pub fn group_version(&self) -> String {
        match self.spec.group {
            "" => self.spec.version.to_owned(),
            group => format!("{group}/{}", self.spec.version),
        }
    }
}

/// A name in the cluster for a host outside (`ExternalName` of `service.grafana.app/v0alpha1`).
pub type ExternalName<'d> = Object<'d, ExternalNameSpec<'d>>;

/// `spec` of an ExternalName.
#[derive(Clone, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'd"))]
pub struct ExternalNameSpec<'d> {
    /// A DNS name or an address.
    pub host: &'d str,
}

/// A core `Service`.
pub type Service<'d> = Object<'d, ServiceSpec<'d>>;

/// What the aggregator uses of `spec` of a core `Service`.
#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct ServiceSpec<'d> {
    /// `ClusterIP`, which an empty one means too, `NodePort`, `LoadBalancer` or `ExternalName`.
    #[serde(rename = "type")]
    pub service_type: &'d str,
    /// Its address in the cluster; seldom known outside of it.
    #[serde(rename = "clusterIP")]
    pub cluster_ip: &'d str,
    /// The host of one of type `ExternalName`.
    pub external_name: &'d str,
    /// The ports it listens on.
    pub ports: Vec<ServicePort>,
}

/// A port of a core `Service`.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(default)]
pub struct ServicePort {
    pub port: i32,
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
