//! Stages in log pipelines.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::TextMap;

/// Returns the help for a stage without a value, which is dropped.
pub fn help_for_empty_stage(kind: &str) -> String {
    match kind {
        "cri" | "decolorize" | "docker" | "pack" => format!("write `{kind}: {{}}`, or remove the stage"),
        _ => "set a value, or remove the stage".to_owned(),
    }
}

/// A stage. Several fields may be set, and each one is written (`PipelineStageSpec`).
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct PipelineStage<'d> {
    /// Parse lines in the format of the Container Runtime Interface.
    pub cri: Option<EmptyStage>,
    /// Parse lines in Docker's format.
    pub docker: Option<EmptyStage>,
    /// Drop lines.
    pub drop: Option<DropStage<'d>>,
    /// Extract fields from JSON.
    pub json: Option<JsonStage<'d>>,
    /// Labels to keep; all others are dropped.
    pub label_allow: Vec<&'d str>,
    /// Labels to drop.
    pub label_drop: Vec<&'d str>,
    /// Labels to set.
    pub labels: TextMap<'d>,
    /// Limit the rate of lines.
    pub limit: Option<LimitStage>,
    /// Stages to run on matching lines.
    pub r#match: Option<MatchStage<'d>>,
    /// Metrics derived from lines.
    pub metrics: Option<BTreeMap<&'d str, MetricsStage<'d>>>,
    /// Join lines.
    pub multiline: Option<MultilineStage<'d>>,
    /// Replace the line that is sent.
    pub output: Option<OutputStage<'d>>,
    /// Pack labels into the line.
    pub pack: Option<PackStage<'d>>,
    /// Extract fields with a regular expression.
    pub regex: Option<RegexStage<'d>>,
    /// Replace parts of the line.
    pub replace: Option<ReplaceStage<'d>>,
    /// Set a field from a template.
    pub template: Option<TemplateStage<'d>>,
    /// Set the tenant.
    pub tenant: Option<TenantStage<'d>>,
    /// Set the timestamp.
    pub timestamp: Option<TimestampStage<'d>>,
}

/// A stage without settings.
#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct EmptyStage {}

/// Stage that drops lines.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct DropStage<'d> {
    /// Field to check.
    pub source: &'d str,
    /// Regular expression that the field must match.
    pub expression: &'d str,
    /// String that the field must equal.
    pub value: &'d str,
    /// Maximum age of a line.
    pub older_than: &'d str,
    /// Maximum length of a line.
    pub longer_than: &'d str,
    /// Reason under which dropped lines are counted.
    pub drop_counter_reason: &'d str,
}

/// Stage that extracts fields from JSON.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct JsonStage<'d> {
    /// Field that contains the JSON.
    pub source: &'d str,
    /// Fields to set, each with its JMESPath expression.
    ///
    /// Inside a `match` stage, `None` and an empty map are written differently.
    pub expressions: Option<TextMap<'d>>,
}

/// Stage that limits the rate of lines.
#[derive(Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct LimitStage {
    /// Maximum number of lines per second.
    pub rate: i64,
    /// Maximum burst of lines.
    pub burst: i64,
    /// Drop lines that exceed the limit instead of delaying them.
    pub drop: bool,
}

/// Stages to run on matching lines.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct MatchStage<'d> {
    /// LogQL stream selector.
    pub selector: &'d str,
    /// Pipeline name to use in metrics.
    pub pipeline_name: &'d str,
    /// Action for matching lines: `keep` or `drop`.
    pub action: &'d str,
    /// Reason under which dropped lines are counted.
    pub drop_counter_reason: &'d str,
    /// Nested stages as YAML, because a CustomResourceDefinition cannot be recursive.
    pub stages: &'d str,
}

/// A metric derived from lines.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct MetricsStage<'d> {
    /// Type of the metric: `counter`, `gauge` or `histogram`, case-insensitive.
    pub r#type: &'d str,
    /// Help text for the metric.
    pub description: &'d str,
    /// Prefix of the metric's name.
    pub prefix: &'d str,
    /// Field that the metric is derived from.
    pub source: &'d str,
    /// Time without any lines after which the metric is removed.
    pub max_idle_duration: &'d str,
    /// Count every line.
    pub match_all: Option<bool>,
    /// Count the bytes in lines instead of the lines themselves.
    pub count_entry_bytes: Option<bool>,
    /// String that the field must equal.
    pub value: &'d str,
    /// Effect of a line on the metric, such as `inc` or `set`.
    pub action: &'d str,
    /// Bucket bounds for a histogram, as strings.
    pub buckets: Vec<&'d str>,
}

/// Stage that joins lines.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct MultilineStage<'d> {
    /// Expression that matches the first line of a block.
    pub first_line: &'d str,
    /// Maximum time to wait for the next line of a block.
    pub max_wait_time: &'d str,
    /// Maximum number of lines in a block.
    pub max_lines: i64,
}

/// Stage that replaces the line that is sent.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct OutputStage<'d> {
    /// Field to send as the line.
    pub source: &'d str,
}

/// Stage that packs labels into the line.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct PackStage<'d> {
    /// Labels to pack.
    pub labels: Vec<&'d str>,
    /// Set the timestamp of the line to its arrival time.
    pub ingest_timestamp: bool,
}

/// Stage that extracts fields with a regular expression.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct RegexStage<'d> {
    /// Field to match.
    pub source: &'d str,
    /// Regular expression with named groups.
    pub expression: &'d str,
}

/// Stage that replaces parts of the line.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct ReplaceStage<'d> {
    /// Field to match.
    pub source: &'d str,
    /// Regular expression that matches the parts to replace.
    pub expression: &'d str,
    /// Replacement for the matched parts.
    pub replace: &'d str,
}

/// Stage that sets a field from a template.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct TemplateStage<'d> {
    /// Field to set.
    pub source: &'d str,
    /// Template to evaluate.
    pub template: &'d str,
}

/// Stage that sets the tenant.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct TenantStage<'d> {
    /// Label to read the tenant from.
    pub label: &'d str,
    /// Field to read the tenant from.
    pub source: &'d str,
    /// Fixed tenant.
    pub value: &'d str,
}

/// Stage that sets the timestamp.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct TimestampStage<'d> {
    /// Field to read the timestamp from.
    pub source: &'d str,
    /// Format of the timestamp.
    pub format: &'d str,
    /// Alternative formats.
    pub fallback_formats: Vec<&'d str>,
    /// Time zone for timestamps without one, such as `Europe/Berlin`.
    pub location: &'d str,
    /// Action for timestamps that cannot be parsed.
    pub action_on_failure: &'d str,
}
