//! Selectors in resources: for labels, for namespaces, and for keys of Secrets or ConfigMaps.

use schemars::JsonSchema;
use serde::Deserialize;

use super::TextMap;

/// Labels that an object must have. A missing selector selects nothing, and an empty selector selects everything.
///
/// [`crate::resolve`] evaluates selectors.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct LabelSelector<'d> {
    /// Labels that must have these values.
    pub match_labels: TextMap<'d>,
    /// Additional conditions, all of which must hold.
    pub match_expressions: Vec<LabelSelectorRequirement<'d>>,
}

/// A condition on a label.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct LabelSelectorRequirement<'d> {
    /// Key of the label.
    pub key: &'d str,
    /// Operator: `In`, `NotIn`, `Exists` or `DoesNotExist`; the API server accepts other operators, but the operator
    /// rejects them.
    pub operator: &'d str,
    /// Values for `In` and `NotIn`.
    pub values: Vec<&'d str>,
}

/// Namespaces in which to search for a monitor's targets (`NamespaceSelector` in prometheus-operator).
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct NamespaceSelector<'d> {
    /// Search all namespaces.
    pub any: bool,
    /// Search these namespaces; if empty, only the monitor's own.
    pub match_names: Vec<&'d str>,
}

/// A key of a Secret or ConfigMap (depending on the field) in the resource's namespace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct KeySelector<'d> {
    /// Name of the Secret or ConfigMap.
    pub name: &'d str,
    /// Key in the object's data.
    pub key: &'d str,
    /// Accepted but ignored by the operator.
    pub optional: Option<bool>,
}

/// A key of either a Secret or a ConfigMap.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct SecretOrConfigMap<'d> {
    /// Key of a Secret.
    pub secret: Option<KeySelector<'d>>,
    /// Key of a ConfigMap.
    pub config_map: Option<KeySelector<'d>>,
}
