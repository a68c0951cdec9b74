//! Kubernetes' own types inside of custom resources.
//!
//! They are decoded as the operator decodes them ([`super::decode()`]), into k8s-openapi's types.
//!
//! ```ignore
//! #[serde(default, deserialize_with = "embedded::list")]
//! containers: Vec<Container>,
//! #[serde(default, deserialize_with = "embedded::optional")]
//! affinity: Option<Affinity>,
//! #[serde(default, deserialize_with = "embedded::value")]
//! resources: ResourceRequirements,
//! ```

use k8s_openapi::api::core::v1 as core;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error};
use serde::ser::Serialize;
use serde_json::Value;

use super::invalid::Invalid;
use super::shape::{Kind, Shape};
use super::shapes;
use super::{decode, encode};

/// A type with a shape.
pub trait Embedded: DeserializeOwned + Serialize {
    /// What it looks like in Go.
    const SHAPE: &'static Shape;
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
pub fn from_json<T: Embedded>(json: Value) -> Result<T, Invalid> {
    of_kind(&Kind::Struct(T::SHAPE), json)
}

/// Encodes a value as Go encodes it.
///
/// # Errors
///
/// None for the types that are embedded: all their keys are strings.
pub fn to_json<T: Embedded>(value: &T) -> Result<Value, Invalid> {
    let mut json = serde_json::to_value(value).map_err(|error| Invalid::new(error.to_string()))?;
    encode(&Kind::Struct(T::SHAPE), &mut json);
    Ok(json)
}

fn of_kind<T: DeserializeOwned>(kind: &Kind, mut json: Value) -> Result<T, Invalid> {
    decode(kind, &mut json)?;
    serde_json::from_value(json).map_err(|error| Invalid::new(error.to_string()))
}

/// For `deserialize_with`: a struct that is written without `omitempty`, or whose absence means nothing.
///
/// # Errors
///
/// Where Go's decoder would fail; the message starts with the path below the field.
pub fn value<'de, D: Deserializer<'de>, T: Embedded>(deserializer: D) -> Result<T, D::Error> {
    from_json(Value::deserialize(deserializer)?).map_err(D::Error::custom)
}

/// For `deserialize_with`: a pointer.
///
/// # Errors
///
/// As [`value`].
pub fn optional<'de, D: Deserializer<'de>, T: Embedded>(deserializer: D) -> Result<Option<T>, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::Null => Ok(None),
        json => from_json(json).map(Some).map_err(D::Error::custom),
    }
}

/// For `deserialize_with`: a slice.
///
/// # Errors
///
/// As [`value`].
pub fn list<'de, D: Deserializer<'de>, T: Embedded>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let Value::Array(items) = Value::deserialize(deserializer)? else {
        return Ok(Vec::new());
    };
    let decoded = items.into_iter().enumerate();
    decoded
        .map(|(index, json)| from_json(json).map_err(|invalid| D::Error::custom(invalid.under_index(index))))
        .collect()
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::{Affinity, Container, PersistentVolumeClaim, ResourceRequirements};
    use serde_json::json;

    use super::*;

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
        assert_eq!(error.to_string(), "[0].stdin: found a number, expected a boolean");
    }

    #[test]
    fn absent_and_empty_access_modes_differ() {
        let absent: PersistentVolumeClaim = from_json(json!({"spec": {}})).unwrap();
        let empty: PersistentVolumeClaim = from_json(json!({"spec": {"accessModes": []}})).unwrap();
        assert_eq!(absent.spec.unwrap().access_modes, None);
        assert_eq!(empty.spec.unwrap().access_modes, Some(Vec::new()));
    }
}
