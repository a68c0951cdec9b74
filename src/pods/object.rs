//! What the operator creates.

use std::fmt;

use k8s_openapi::Metadata;
use k8s_openapi::api::apps::v1::{DaemonSet, Deployment};
use k8s_openapi::api::core::v1::{Endpoints, Secret, Service};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::ser::{Error, Serialize, Serializer};
use serde_json::Value;

use super::external_secret::ExternalSecret;
use super::stateful_set::Shard;
use crate::api::core::shape::{Kind, Shape};
use crate::api::core::{encode, shapes};

/// A manifest. It can hold secret values, so its `Debug` says only which object it is.
#[derive(Clone)]
pub enum Object {
    /// DaemonSet of logs or of integrations.
    DaemonSet(Box<DaemonSet>),
    /// Deployment of integrations.
    Deployment(Box<Deployment>),
    /// Endpoints of the kubelets.
    Endpoints(Box<Endpoints>),
    /// What makes the Secret of referred values in the cluster.
    ExternalSecret(Box<ExternalSecret>),
    /// Secret of configurations or of referred values.
    Secret(Box<Secret>),
    /// Governing Service, or that of the kubelets.
    Service(Box<Service>),
    /// StatefulSet of metrics, one a shard.
    StatefulSet(Shard),
}

impl Object {
    /// Its kind.
    pub fn kind(&self) -> &'static str {
        match self {
            Object::DaemonSet(_) => "DaemonSet",
            Object::Deployment(_) => "Deployment",
            Object::Endpoints(_) => "Endpoints",
            Object::ExternalSecret(_) => "ExternalSecret",
            Object::Secret(_) => "Secret",
            Object::Service(_) => "Service",
            Object::StatefulSet(_) => "StatefulSet",
        }
    }

    /// Its namespace.
    pub fn namespace(&self) -> &str {
        match self {
            Object::StatefulSet(shard) => shard.namespace(),
            object => object
                .metadata()
                .and_then(|metadata| metadata.namespace.as_deref())
                .unwrap_or_default(),
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Object::StatefulSet(shard) => shard.name(),
            object => object
                .metadata()
                .and_then(|metadata| metadata.name.as_deref())
                .unwrap_or_default(),
        }
    }

    fn metadata(&self) -> Option<&ObjectMeta> {
        Some(match self {
            Object::DaemonSet(object) => object.metadata(),
            Object::Deployment(object) => object.metadata(),
            Object::Endpoints(object) => object.metadata(),
            Object::ExternalSecret(object) => &object.metadata,
            Object::Secret(object) => object.metadata(),
            Object::Service(object) => object.metadata(),
            Object::StatefulSet(_) => return None,
        })
    }

    /// The manifest as the operator's JSON has it, without what only the API server fills in.
    ///
    /// # Errors
    ///
    /// None: all keys of these types are strings.
    pub fn to_json(&self) -> Result<Value, serde_json::Error> {
        let mut json = match self {
            Object::DaemonSet(object) => serde_json::to_value(object)?,
            Object::Deployment(object) => serde_json::to_value(object)?,
            Object::Endpoints(object) => serde_json::to_value(object)?,
            Object::ExternalSecret(object) => serde_json::to_value(object)?,
            Object::Secret(object) => serde_json::to_value(object)?,
            Object::Service(object) => serde_json::to_value(object)?,
            Object::StatefulSet(shard) => return shard.to_json(),
        };
        encode_at(&mut json, "/spec/template/spec", &shapes::POD_SPEC);
        Ok(json)
    }
}

/// Writes a part as Go does; k8s-openapi leaves out what is null, and writes what is empty.
pub(super) fn encode_at(json: &mut Value, pointer: &str, shape: &'static Shape) {
    if let Some(part) = json.pointer_mut(pointer) {
        encode(&Kind::Struct(shape), part);
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().map_err(S::Error::custom)?.serialize(serializer)
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.kind(), self.namespace(), self.name())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use k8s_openapi::ByteString;

    use super::*;

    #[test]
    fn debug_shows_no_secret_value() {
        let object = Object::Secret(Box::new(Secret {
            metadata: ObjectMeta {
                name: Some("a".to_owned()),
                namespace: Some("n".to_owned()),
                ..ObjectMeta::default()
            },
            data: Some(BTreeMap::from([("k".to_owned(), ByteString(b"hidden".to_vec()))])),
            ..Secret::default()
        }));
        assert_eq!(format!("{object:?}"), "Secret/n/a");
        assert_eq!(
            object.to_json().unwrap(),
            serde_json::json!({
                "apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a", "namespace": "n"},
                "data": {"k": "aGlkZGVu"},
            })
        );
    }
}
