//! References to one key of a Secret or ConfigMap.

use schemars::JsonSchema;
use serde::Deserialize;

/// A key of a Secret or of a ConfigMap (the field it stands in tells which) in the namespace of the resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct KeySelector<'d> {
    /// The name of the Secret or ConfigMap.
    pub name: &'d str,
    /// The key in its data.
    pub key: &'d str,
    /// Accepted, and ignored by the operator.
    pub optional: Option<bool>,
}

/// Either a key of a Secret or one of a ConfigMap.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct SecretOrConfigMap<'d> {
    /// A key of a Secret.
    pub secret: Option<KeySelector<'d>>,
    /// A key of a ConfigMap.
    pub config_map: Option<KeySelector<'d>>,
}
