//! Selectors as they are written in resources: of labels, of namespaces, and of one key of a Secret or ConfigMap.

use schemars::JsonSchema;
use serde::Deserialize;

use super::TextMap;

/// Which labels an object must have. Missing altogether it selects nothing, empty it selects everything.
///
/// [`crate::resolve`] evaluates it.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct LabelSelector<'d> {
    /// Labels that must be there with this value.
    pub match_labels: TextMap<'d>,
    /// Further conditions, all of which must hold.
    pub match_expressions: Vec<LabelSelectorRequirement<'d>>,
}

/// One condition on a label.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct LabelSelectorRequirement<'d> {
    /// The key of the label.
    pub key: &'d str,
    /// `In`, `NotIn`, `Exists` or `DoesNotExist`; anything else is refused after the API server took it.
    pub operator: &'d str,
    /// The values that `In` and `NotIn` compare with.
    pub values: Vec<&'d str>,
}

/// The namespaces a monitor finds its targets in (`NamespaceSelector` of prometheus-operator).
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct NamespaceSelector<'d> {
    /// Look in all namespaces.
    pub any: bool,
    /// Look in these namespaces; the monitor's own if there are none.
    pub match_names: Vec<&'d str>,
}

/// A key of a Secret or of a ConfigMap (the field decides which) in the namespace of the resource.
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
