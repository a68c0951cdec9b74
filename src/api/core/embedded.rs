//! Kubernetes' own types inside of custom resources.
//!
//! They are decoded as the operator decodes them, into k8s-openapi's types.
//!
//! ```text
//! #[serde(default, deserialize_with = "embedded::list")]
//! containers: Vec<Container>,
//! #[serde(default, deserialize_with = "embedded::optional")]
//! affinity: Option<Affinity>,
//! #[serde(default, deserialize_with = "embedded::value")]
//! resources: ResourceRequirements,
//! ```

use k8s_openapi::api::core::v1 as core;
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, Error};
use serde::ser::Serialize;
use serde_json::Value;

use super::decode::{Decode, DecodeField};
use super::encode;
use super::shape::{Kind, Shape};
use super::shapes;

/// A type with a shape.
pub trait Embedded: DeserializeOwned + Serialize {
    /// What it looks like in Go.
    const SHAPE: &'static Shape;
    /// A slice of it.
    const LIST: Kind = Kind::List(&Kind::Struct(Self::SHAPE));
}

macro_rules! embedded {
    ($($name:ident = $shape:ident,)+) => {
        $(impl Embedded for core::$name {
            const SHAPE: &'static Shape = &shapes::$shape;
        })+
    };
}

embedded! {
    Affinity = AFFINITY,
    Container = CONTAINER,
    EmptyDirVolumeSource = EMPTY_DIR_VOLUME_SOURCE,
    LocalObjectReference = LOCAL_OBJECT_REFERENCE,
    PersistentVolumeClaim = PERSISTENT_VOLUME_CLAIM,
    PersistentVolumeClaimSpec = PERSISTENT_VOLUME_CLAIM_SPEC,
    PersistentVolumeClaimStatus = PERSISTENT_VOLUME_CLAIM_STATUS,
    PodSecurityContext = POD_SECURITY_CONTEXT,
    PodSpec = POD_SPEC,
    ResourceRequirements = RESOURCE_REQUIREMENTS,
    Toleration = TOLERATION,
    TopologySpreadConstraint = TOPOLOGY_SPREAD_CONSTRAINT,
    Volume = VOLUME,
    VolumeMount = VOLUME_MOUNT,
}

/// Decodes JSON as Go decodes it into this type.
///
/// # Errors
///
/// Where Go's decoder would fail.
pub fn from_json<T: Embedded>(json: Value) -> Result<T, serde_json::Error> {
    value(json)
}

/// Encodes a value as Go encodes it.
///
/// # Errors
///
/// None for the types that are embedded: all their keys are strings.
pub fn to_json<T: Embedded>(value: &T) -> Result<Value, serde_json::Error> {
    let mut json = serde_json::to_value(value)?;
    encode(&Kind::Struct(T::SHAPE), &mut json);
    Ok(json)
}

/// For `deserialize_with`: a struct.
///
/// # Errors
///
/// Where Go's decoder would fail.
pub fn value<'de, D: Deserializer<'de>, T: Embedded>(deserializer: D) -> Result<T, D::Error> {
    let json = Decode(&Kind::Struct(T::SHAPE)).deserialize(deserializer)?;
    serde_json::from_value(json).map_err(D::Error::custom)
}

/// For `deserialize_with`: a pointer to a struct.
///
/// # Errors
///
/// Where Go's decoder would fail.
pub fn optional<'de, D: Deserializer<'de>, T: Embedded>(deserializer: D) -> Result<Option<T>, D::Error> {
    let json = DecodeField(&Kind::Struct(T::SHAPE)).deserialize(deserializer)?;
    json.map(serde_json::from_value).transpose().map_err(D::Error::custom)
}

/// For `deserialize_with`: a slice of structs.
///
/// # Errors
///
/// Where Go's decoder would fail.
pub fn list<'de, D: Deserializer<'de>, T: Embedded>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let json = DecodeField(&T::LIST).deserialize(deserializer)?;
    json.map_or_else(|| Ok(Vec::new()), serde_json::from_value)
        .map_err(D::Error::custom)
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::{Affinity, Container, PersistentVolumeClaim, ResourceRequirements};
    use serde_json::json;

    use super::*;
    use crate::source::{Source, Sources};
    use crate::yaml::{self, Limits};

    #[derive(serde::Deserialize)]
    struct Spec {
        #[serde(default, deserialize_with = "list")]
        containers: Vec<Container>,
        #[serde(default, deserialize_with = "optional")]
        affinity: Option<Affinity>,
        #[serde(default, deserialize_with = "value")]
        resources: ResourceRequirements,
    }

    #[test]
    fn fields_of_a_custom_resource() {
        let spec: Spec = serde_json::from_value(json!({
            "containers": [{"name": "a", "x": 1}, null],
            "affinity": null,
            "resources": {"limits": {"cpu": "1000m"}},
        }))
        .unwrap();
        assert_eq!(spec.containers.len(), 2);
        assert!(spec.affinity.is_none());
        let limits = spec.resources.limits.unwrap();
        assert_eq!(limits["cpu"].0, "1");
        let error = serde_json::from_value::<Spec>(json!({"containers": [{"stdin": 1}]}))
            .err()
            .unwrap();
        assert_eq!(error.to_string(), "invalid type: integer `1`, expected a boolean");
    }

    #[test]
    fn errors_know_their_place() {
        let text = "containers:\n- {}\n- resources: {limits: {cpu: 1e1.5}}\n";
        let source = Sources::default().add(Source::new("x.yaml", text, true));
        let documents = yaml::read(source, text, &Limits::default()).output;
        let error = yaml::decode::<Spec>(documents[0].root()).err().unwrap();
        assert_eq!(error.path.to_string(), "containers[1].resources.limits.cpu");
        assert_eq!(
            error.message,
            "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
        );
        let span = error.span.unwrap();
        assert_eq!(&text[span.start as usize..span.end as usize], "1e1.5");
    }

    #[test]
    fn absent_and_empty_access_modes_differ() {
        let absent: PersistentVolumeClaim = from_json(json!({"spec": {}})).unwrap();
        let empty: PersistentVolumeClaim = from_json(json!({"spec": {"accessModes": []}})).unwrap();
        assert_eq!(absent.spec.unwrap().access_modes, None);
        assert_eq!(empty.spec.unwrap().access_modes, Some(Vec::new()));
    }
}
