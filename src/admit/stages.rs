//! Pipeline stages that PodLogs do not support, most of which Promtail or Alloy supports.

use super::frame::Frame;
use crate::api::schema::Schema;
use crate::diagnostic::listed::join_words;
use crate::yaml::Node;

/// Promtail stages (`New` in `clients/pkg/logentry/stages/stage.go`) that the operator's `PipelineStageSpec` lacks.
const PROMTAIL_STAGES: &[&str] =
    &["decolorize", "eventlogmessage", "geoip", "logfmt", "sampling", "static_labels", "structured_metadata"];

/// Stages that are supported only by Alloy's `loki.process`.
const ALLOY_STAGES: &[&str] = &["luhn", "pattern", "truncate", "windowsevent"];

/// End of the message for a stage that PodLogs do not support but another program supports.
const MESSAGE_END: &str = " supports it";

/// Returns the message for an unknown stage, or `None` if the schema is not the schema of a stage.
pub(super) fn unknown_stage_message(schema: &Schema, key: &str, frame: &Frame<'_>) -> Option<String> {
    let has_stage = |stages: &[&str]| stages.iter().any(|stage| normalize(stage) == normalize(key));
    let owner = match (has_stage(PROMTAIL_STAGES), has_stage(ALLOY_STAGES)) {
        (true, _) => "Promtail",
        (false, true) => "Alloy",
        (false, false) => "",
    };
    is_stage(schema).then(|| {
        let message = format!("{} {} has no stage `{key}`", frame.kind(), frame.kind().version());
        match owner {
            "" => message,
            owner => format!("{message}; {owner}{MESSAGE_END}"),
        }
    })
}

/// Returns the clause to append to `message` if the API server drops the field.
pub(super) fn stage_effect(message: &str) -> &'static str {
    if message.ends_with(MESSAGE_END) {
        ", but the API server drops it here"
    } else if message.contains(" has no stage ") {
        ", so the stage is dropped"
    } else {
        ", so the field is dropped"
    }
}

/// Returns the help for an unknown stage, or `None` if the schema is not the schema of a stage.
pub(super) fn suggest_stages(schema: &Schema) -> Option<String> {
    is_stage(schema).then(|| {
        let stages = schema.properties.keys().map(|stage| format!("`{stage}`"));
        format!("use one of {}", join_words("or", stages))
    })
}

/// Whether an item in a list of stages has keys but no stage with a value.
pub(super) fn is_empty_stage(schema: &Schema, item: Node<'_>) -> bool {
    is_stage(schema) && item.entries().all(|entry| entry.value.is_null())
}

/// Whether a schema is the schema of a stage. No other schema defines all of these fields.
fn is_stage(schema: &Schema) -> bool {
    ["cri", "docker", "labelAllow"].iter().all(|stage| schema.properties.contains_key(stage))
}

/// Returns a name in lower case, without its prefix and punctuation.
fn normalize(name: &str) -> String {
    let name = name.strip_prefix("stage.").unwrap_or(name);
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}
