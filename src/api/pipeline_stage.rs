//! The stages of a log pipeline.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::TextMap;

/// One stage; several fields may be set, and each is written (`PipelineStageSpec`).
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct PipelineStage<'d> {
    /// Lines as the Container Runtime Interface writes them.
    pub cri: Option<Present>,
    /// Lines as Docker writes them.
    pub docker: Option<Present>,
    /// Drops lines.
    pub drop: Option<DropStage<'d>>,
    /// Reads fields from JSON.
    pub json: Option<JsonStage<'d>>,
    /// The only labels that are kept.
    pub label_allow: Vec<&'d str>,
    /// Labels that are dropped.
    pub label_drop: Vec<&'d str>,
    /// Labels that are set.
    pub labels: TextMap<'d>,
    /// Limits the rate.
    pub limit: Option<LimitStage>,
    /// Stages for lines that match.
    pub r#match: Option<MatchStage<'d>>,
    /// Metrics made from lines.
    pub metrics: Option<BTreeMap<&'d str, MetricsStage<'d>>>,
    /// Joins lines.
    pub multiline: Option<MultilineStage<'d>>,
    /// The line that is sent.
    pub output: Option<OutputStage<'d>>,
    /// Packs labels into the line.
    pub pack: Option<PackStage<'d>>,
    /// Reads fields by a regular expression.
    pub regex: Option<RegexStage<'d>>,
    /// Replaces parts of the line.
    pub replace: Option<ReplaceStage<'d>>,
    /// Sets a field from a template.
    pub template: Option<TemplateStage<'d>>,
    /// Sets the tenant.
    pub tenant: Option<TenantStage<'d>>,
    /// Sets the time.
    pub timestamp: Option<TimestampStage<'d>>,
}

/// A stage without settings.
#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Present {}

/// Drops lines.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct DropStage<'d> {
    /// The field that is looked at.
    pub source: &'d str,
    /// What it must match.
    pub expression: &'d str,
    /// What it must equal.
    pub value: &'d str,
    /// How old a line may be.
    pub older_than: &'d str,
    /// How long a line may be.
    pub longer_than: &'d str,
    /// The reason that is counted.
    pub drop_counter_reason: &'d str,
}

/// Reads fields from JSON.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct JsonStage<'d> {
    /// The field that holds the JSON.
    pub source: &'d str,
    /// Fields to set, with the JMESPath expression of each.
    ///
    /// In the text of a `match`, `None` and empty are written differently.
    pub expressions: Option<TextMap<'d>>,
}

/// Limits the rate.
#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct LimitStage {
    /// How many lines may pass a second.
    pub rate: i64,
    /// How many lines may pass at once.
    pub burst: i64,
    /// Drop lines above the limit, rather than hold them back.
    pub drop: bool,
}

/// Stages for lines that match.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct MatchStage<'d> {
    /// A LogQL stream selector.
    pub selector: &'d str,
    /// A name for metrics.
    pub pipeline_name: &'d str,
    /// `keep` or `drop`.
    pub action: &'d str,
    /// The reason that is counted.
    pub drop_counter_reason: &'d str,
    /// Stages as YAML text, since a CustomResourceDefinition cannot be recursive.
    pub stages: &'d str,
}

/// A metric made from lines.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct MetricsStage<'d> {
    /// `counter`, `gauge` or `histogram`, in any case.
    pub r#type: &'d str,
    /// The metric's help text.
    pub description: &'d str,
    /// A prefix of its name.
    pub prefix: &'d str,
    /// The field it is made from.
    pub source: &'d str,
    /// How long it stays without lines.
    pub max_idle_duration: &'d str,
    /// Count every line.
    pub match_all: Option<bool>,
    /// Count the bytes of lines, rather than lines.
    pub count_entry_bytes: Option<bool>,
    /// What the field must equal.
    pub value: &'d str,
    /// How the metric changes with a line, such as `inc` or `set`.
    pub action: &'d str,
    /// Bounds of a histogram, as text.
    pub buckets: Vec<&'d str>,
}

/// Joins lines.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct MultilineStage<'d> {
    /// What the first line of a block matches.
    pub first_line: &'d str,
    /// How long to wait for the next line of a block.
    pub max_wait_time: &'d str,
    /// The most lines in a block.
    pub max_lines: i64,
}

/// The line that is sent.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct OutputStage<'d> {
    /// The field it is taken from.
    pub source: &'d str,
}

/// Packs labels into the line.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct PackStage<'d> {
    /// The labels to pack.
    pub labels: Vec<&'d str>,
    /// Give the line the time of its arrival.
    pub ingest_timestamp: bool,
}

/// Reads fields by a regular expression.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct RegexStage<'d> {
    /// The field that is looked at.
    pub source: &'d str,
    /// The expression, with named groups.
    pub expression: &'d str,
}

/// Replaces parts of the line.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct ReplaceStage<'d> {
    /// The field that is looked at.
    pub source: &'d str,
    /// What is replaced.
    pub expression: &'d str,
    /// What replaces it.
    pub replace: &'d str,
}

/// Sets a field from a template.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct TemplateStage<'d> {
    /// The field to set.
    pub source: &'d str,
    /// The template.
    pub template: &'d str,
}

/// Sets the tenant.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct TenantStage<'d> {
    /// The label to take it from.
    pub label: &'d str,
    /// The field to take it from.
    pub source: &'d str,
    /// The tenant itself.
    pub value: &'d str,
}

/// Sets the time.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct TimestampStage<'d> {
    /// The field it is read from.
    pub source: &'d str,
    /// How it is written.
    pub format: &'d str,
    /// How else it may be written.
    pub fallback_formats: Vec<&'d str>,
    /// The time zone of a time without one, such as `Europe/Berlin`.
    pub location: &'d str,
    /// What is done with a time that cannot be read.
    pub action_on_failure: &'d str,
}
