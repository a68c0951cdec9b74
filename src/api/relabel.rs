use schemars::JsonSchema;
use serde::Deserialize;

/// A relabelling rule.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct RelabelConfig<'d> {
    /// Labels whose values are joined.
    pub source_labels: Vec<&'d str>,
    /// What joins them, `;` by default.
    pub separator: &'d str,
    /// The label that is written.
    pub target_label: &'d str,
    /// What the joined value must match.
    pub regex: &'d str,
    /// The modulus of `hashmod`.
    pub modulus: u64,
    /// What is written, `$1` by default.
    pub replacement: &'d str,
    /// What is done, `replace` by default.
    pub action: &'d str,
}
