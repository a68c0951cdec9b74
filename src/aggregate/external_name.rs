use std::borrow::Cow;

use serde::Deserialize;

use super::field::Origin;
use super::kind::{AggregateKind, ObjectName};
use crate::api::ObjectMeta;
use crate::yaml::{DecodeError, Node, decode};

/// A name in the cluster for a host outside (`ExternalName` of `service.grafana.app/v0alpha1`).
#[derive(Clone)]
pub struct ExternalName<'d> {
    /// Its namespace.
    pub namespace: &'d str,
    /// Its name.
    pub name: Cow<'d, str>,
    /// A DNS name or an address.
    pub host: &'d str,
    pub(super) metadata: ObjectMeta<'d>,
    pub(super) origin: Origin<'d>,
}

impl<'d> ExternalName<'d> {
    /// Decodes a manifest; `namespace` counts where it names none.
    ///
    /// # Errors
    ///
    /// Where a field has another type than in Go.
    pub(super) fn decode(root: Node<'d>, namespace: &'d str) -> Result<Self, DecodeError> {
        let Manifest { metadata, spec } = decode(root)?;
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

/// The namespace an object names, or else the run's.
pub(super) fn or_default<'d>(namespace: &'d str, default: &'d str) -> &'d str {
    if namespace.is_empty() { default } else { namespace }
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
#[serde(default)]
struct Spec<'d> {
    host: &'d str,
}
