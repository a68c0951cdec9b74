//! Stages in a log pipeline, as Promtail reads them in additional scrape jobs.
//!
//! Reports an unknown stage, such as `dockerx: {}`, a value of the wrong type (`mapstructure.Decode` and `WeakDecode`),
//! and any error that a stage in PodLogs can have (`validate…Config`), such as `limit: {rate: 1}`. The agent then
//! exits. Unknown keys in a stage are ignored.

mod common;
mod metrics;
pub mod rules;
mod types;

use crate::api::help_for_empty_stage;
use crate::check::walk::{Json, Step, Walk};
use crate::diagnostic::{Code, suggest};
use crate::yaml::NodeValue;
use common::report_invalid;
use rules::check_values;
use types::check_types;

/// Promtail's stages (`initCreators`): the name, whether the stage is weak (converts scalars), and the types of its
/// fields.
pub const STAGES: &[(&str, bool, &str)] = &[
    ("cri", true, "max_partial_line_size uint,max_partial_line_size_truncate bool,max_partial_lines int"),
    ("decolorize", false, ""),
    ("docker", false, ""),
    (
        "drop",
        true,
        "drop_counter_reason string,expression string,longer_than string,older_than string,separator string,value string",
    ),
    ("eventlogmessage", false, "drop_invalid_labels bool,overwrite_existing bool,source string"),
    ("geoip", false, "db string,db_type string,source string"),
    ("json", false, "drop_malformed bool,expressions map,source string"),
    ("labelallow", false, "list"),
    ("labeldrop", false, "list"),
    ("labels", false, "map"),
    ("limit", true, "burst int,by_label_name string,drop bool,max_distinct_labels int,rate float"),
    ("logfmt", false, "mapping map,source string"),
    ("match", false, "action string,drop_counter_reason string,pipeline_name string,selector string,stages any"),
    ("metrics", false, ""),
    ("multiline", true, "firstline string,max_lines uint,max_wait_time string"),
    ("non_indexed_labels", false, "map"),
    ("output", false, "source string"),
    ("pack", true, "ingest_timestamp bool,labels list"),
    ("regex", false, "expression string,source string"),
    ("replace", false, "expression string,replace string,source string"),
    ("sampling", true, "drop_counter_reason string,rate float"),
    ("static_labels", false, "map"),
    ("structured_metadata", false, "map"),
    ("template", false, "source string,template string"),
    ("tenant", false, "label string,source string,value string"),
    ("timestamp", false, "action_on_failure string,fallback_formats list,format string,location string,source string"),
];

/// Whether a stage converts numbers and booleans to strings (`mapstructure.WeakDecode`). All other stages reject them.
pub fn is_weak(kind: &str) -> bool {
    STAGES.iter().any(|(name, is_weak, _)| *name == kind && *is_weak)
}

/// Maximum nesting depth of `match` stages to check.
const MAX_LEVELS: usize = 32;

/// Checks an item in a list of stages (`NewPipeline`). Nulls are valid, because the operator omits them (`trimMap`).
pub fn check<'v>(stage: Json<'v>, walk: &mut Walk<'v>) {
    check_stage_at_level(0, stage, walk);
}

fn check_stage_at_level<'v>(level: usize, stage: Json<'v>, walk: &mut Walk<'v>) {
    if stage.is_null() || level == MAX_LEVELS {
        return;
    }
    if !stage.is_mapping() {
        return report_invalid("a stage must be a mapping, such as `docker: {}`", &[], walk);
    }
    let mut kinds = stage.entries().filter(|(_, config)| !config.is_null());
    let Some((kind, config)) = kinds.next() else {
        for (kind, _) in stage.entries() {
            report_empty(kind, walk);
        }
        return;
    };
    if let Some((second, _)) = kinds.next() {
        let message = match [kind, second].map(find_known_name) {
            [Some(first), Some(second)] => format!("`{first}` and `{second}` must be separate list items"),
            [Some(known_stage), None] | [None, Some(known_stage)] => {
                format!("`{known_stage}` and another stage must be separate list items")
            }
            [None, None] => "two stages must be separate list items".to_owned(),
        };
        return report_invalid(message, &[], walk);
    }
    let Some((name, is_weak, fields)) = STAGES.iter().find(|(name, ..)| *name == kind) else {
        let nearest = suggest::closest(kind, STAGES.iter().map(|(name, ..)| *name));
        let help = nearest.map_or(String::new(), |nearest| format!("did you mean `{nearest}`?"));
        walk.report_with_code(Code::InvalidStage, &[], "Promtail has no stage with this name", help);
        return;
    };
    walk.enter(Step::Key(name), |walk| {
        // Promtail ignores case in field names, but the rules do not, so the rules are skipped if a name contains
        // capital letters.
        let is_exact = !fields.contains(' ') || config.entries().all(|(key, _)| !key.contains(char::is_uppercase));
        if check_types(fields, *is_weak, config, walk) && is_exact {
            check_values(name, config, walk);
            match *name {
                "match" => check_nested(level, config, walk),
                "metrics" => metrics::check(config, walk),
                _ => {}
            }
        }
    });
}

/// Reports a stage without a value.
fn report_empty<'v>(kind: &'v str, walk: &mut Walk<'v>) {
    let name = find_known_name(kind);
    let message = match name {
        Some(name) => format!("the `{name}` stage has no value, so the operator drops it"),
        None => "a stage has no value, so the operator drops it".to_owned(),
    };
    walk.report_with_code(Code::DroppedKey, &[], message, help_for_empty_stage(name.unwrap_or_default()));
}

/// Returns a stage's name, or `None` if Promtail does not recognize it. Any other string may be secret and is not
/// shown.
fn find_known_name(kind: &str) -> Option<&'static str> {
    let known_stage = STAGES.iter().find(|(name, ..)| *name == kind);
    known_stage.map(|(name, ..)| *name)
}

/// Checks the stages in a `match` stage.
fn check_nested<'v>(level: usize, config: Json<'v>, walk: &mut Walk<'v>) {
    let stages = config.get("stages").unwrap_or(Json::NULL);
    if !matches!(stages.value(), NodeValue::Null | NodeValue::Sequence) {
        return report_invalid("`stages` must be a list of stages", &[], walk);
    }
    let has_stages = stages.items().any(|stage| !stage.is_null());
    match config.text("action") {
        "drop" if has_stages => report_invalid("the `drop` action does not accept `stages`", &[], walk),
        "" | "keep" if !has_stages => report_invalid("the `keep` action needs at least one stage", &[], walk),
        "drop" => {}
        _ => walk.for_each("stages[]", config, |walk, stage| check_stage_at_level(level + 1, stage, walk)),
    }
}
