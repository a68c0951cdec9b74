//! Kubernetes' own types in custom resources, decoded as the operator decodes them and kept as JSON.
//!
//! ```text
//! containers: Vec<Container>,
//! affinity: Option<Affinity>,
//! resources: ResourceRequirements,
//! ```

use std::borrow::Cow;
use std::ops::Deref;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::{Deserialize, DeserializeSeed, Deserializer};
use serde_json::Value;

use super::decode::{Decode, or_zero};
use super::shape::{FieldType, GoStruct};

macro_rules! embedded {
    ($($name:ident,)+) => {
        $(
            #[doc = concat!("Decoded `core/v1.", stringify!($name), "`, as JSON.")]
            #[derive(Clone, Debug, Default, Serialize)]
            pub struct $name(Value);

            impl Deref for $name {
                type Target = Value;

                fn deref(&self) -> &Value {
                    &self.0
                }
            }

            impl<'de> Deserialize<'de> for $name {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    let kind = FieldType::Struct(GoStruct::lookup(stringify!($name)));
                    Decode(&kind).deserialize(deserializer).map(|value| Self(or_zero(&kind, value)))
                }
            }

            impl JsonSchema for $name {
                fn inline_schema() -> bool {
                    true
                }

                fn schema_name() -> Cow<'static, str> {
                    Value::schema_name()
                }

                fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                    Value::json_schema(generator)
                }
            }
        )+
    };
}

embedded! {
    Affinity,
    Container,
    EmptyDirVolumeSource,
    LocalObjectReference,
    PersistentVolumeClaimSpec,
    PersistentVolumeClaimStatus,
    PodSecurityContext,
    ResourceRequirements,
    Toleration,
    TopologySpreadConstraint,
    Volume,
    VolumeMount,
}

/// Returns the name of a container, volume, mount or environment variable.
pub fn name(value: &Value) -> &str {
    text_field(value, "name")
}

/// Returns the items of a list field, or an empty slice if there is none.
pub fn list_field<'v>(value: &'v Value, field: &str) -> &'v [Value] {
    value.get(field).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Returns a string field, or an empty string if there is none.
pub fn text_field<'v>(value: &'v Value, field: &str) -> &'v str {
    value.get(field).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::testing;
    use serde_json::json;

    use super::*;

    use crate::yaml::{self};

    #[derive(serde::Deserialize)]
    struct Spec {
        #[serde(default)]
        containers: Vec<Container>,
        #[serde(default)]
        affinity: Option<Affinity>,
        #[serde(default)]
        resources: ResourceRequirements,
    }

    #[test]
    fn decodes_custom_resource_fields() {
        let spec: Spec = serde_json::from_value(json!({
            "containers": [{"name": "a", "x": 1}, null],
            "affinity": null,
            "resources": {"limits": {"cpu": "1000m"}},
        }))
        .unwrap();
        assert_eq!(*spec.containers[0], json!({"name": "a"}));
        assert_eq!(*spec.containers[1], json!({}));
        assert!(spec.affinity.is_none());
        assert_eq!(spec.resources["limits"]["cpu"], "1");
        let error = serde_json::from_value::<Spec>(json!({"containers": [{"stdin": 1}]})).err().unwrap();
        assert_eq!(error.to_string(), "invalid type: integer `1`, expected a boolean");
    }

    #[test]
    fn errors_have_a_location() {
        let text = "containers:\n- {}\n- resources: {limits: {cpu: 1e1.5}}\n";
        let documents = testing::documents(text);
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
    fn resource_quantities_may_be_numbers() {
        let text = "\
name: c
env: ~
ports: [{containerPort: 80}]
resources: {limits: {cpu: 1, memory: 1.5, x: 1e30}, requests: {cpu: 500m}}
livenessProbe: {httpGet: {port: http}, timeoutSeconds: 5}
readinessProbe: {httpGet: {port: 8080}}
";
        let documents = testing::documents(text);
        let container: Container = yaml::decode(documents[0].root()).unwrap();
        assert_eq!(container["resources"]["limits"], json!({"cpu": "1", "memory": "1500m", "x": "1e+30"}));
        assert_eq!(container.get("env"), None);
    }

    #[test]
    fn absent_and_empty_access_modes_differ() {
        let absent_modes: PersistentVolumeClaimSpec = serde_json::from_value(json!({})).unwrap();
        let empty_modes: PersistentVolumeClaimSpec = serde_json::from_value(json!({"accessModes": []})).unwrap();
        assert_eq!(absent_modes.get("accessModes"), None);
        assert_eq!(empty_modes["accessModes"], json!([]));
    }

    #[test]
    fn missing_fields_read_as_empty() {
        let value = json!({"name": "a", "list": [1, 2], "number": 5});
        assert_eq!((name(&value), name(&json!({})), name(&json!(null))), ("a", "", ""));
        assert_eq!((text_field(&value, "number"), text_field(&value, "gone")), ("", ""));
        assert_eq!(
            (list_field(&value, "list").len(), list_field(&value, "name").len(), list_field(&value, "gone").len()),
            (2, 0, 0)
        );
    }
}
