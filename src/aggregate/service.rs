use serde::Deserialize;

use super::external_name::or_default;
use super::field::Origin;
use super::kind::{AggregateKind, ObjectName};
use crate::api::ObjectMeta;
use crate::yaml::{DecodeError, Node, decode};

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
    /// Decodes a manifest; `namespace` counts where it names none.
    ///
    /// # Errors
    ///
    /// Where a field has another type than in Go.
    pub(super) fn decode(root: Node<'d>, namespace: &'d str) -> Result<Self, DecodeError> {
        let Manifest { metadata, spec } = decode(root)?;
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
