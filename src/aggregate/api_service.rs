use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;

use super::field::Origin;
use super::kind::{AggregateKind, ObjectName};
use crate::api::ObjectMeta;
use crate::go::base64;
use crate::yaml::{DecodeError, Node, decode};

/// The port of a service that names none (`SetDefaults_ServiceReference`).
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
    pub(super) metadata: ObjectMeta<'d>,
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
    pub(super) fn decode(root: Node<'d>) -> Result<Self, Undecodable> {
        let Manifest { metadata, spec } = decode(root).map_err(Undecodable::Type)?;
        let ca_bundle = base64::decode(spec.ca_bundle).ok_or(Undecodable::Bundle)?;
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

    /// The path that tells whether the service is there (`sync` of the available controller).
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

/// Why a manifest does not decode.
#[derive(Debug)]
pub(super) enum Undecodable {
    /// A field has another type.
    Type(DecodeError),
    /// `spec.caBundle` is not base64.
    Bundle,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Manifest<'d> {
    #[serde(borrow)]
    metadata: ObjectMeta<'d>,
    #[serde(borrow)]
    spec: Spec<'d>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Spec<'d> {
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
