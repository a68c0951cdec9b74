//! Rules for the values in each stage (`validate…Config`).

use super::common::{NOT_EMPTY, report_invalid, stage};
use super::types::has_type;
use crate::check::field::{GO_DURATION, LABEL_NAMES, REGEX};
use crate::check::logs::stage::{SIZE, check_location};
use crate::check::walk::Expect::{self, In, OneOf, Required, With};
use crate::check::walk::{Json, Rows, Step, Walk, list_alternatives, present_fields};
use crate::diagnostic::Code;
use crate::go::syntax::is_label_name;
use crate::go::{jmespath, log_selector, template};

/// Checks the values in a stage whose field types are correct.
pub fn check_values<'v>(name: &str, config: Json<'v>, walk: &mut Walk<'v>) {
    if let Some((_, rows)) = RULES.iter().find(|(kinds, _)| kinds.split('|').any(|kind| kind == name)) {
        walk.check_rule(rows, config);
    }
}

/// Rules by stage (`validate…Config`).
pub static RULES: &[(&str, Expect)] = &[
    ("drop", stage(&In(DROP))),
    ("eventlogmessage", stage(&In(&[("source", LABEL_NAME)]))),
    ("geoip", stage(&In(&[("db|db_type", Required), ("source", NOT_EMPTY)]))),
    ("json", stage(&In(JSON))),
    ("labels|non_indexed_labels|structured_metadata", stage(&In(LABELS))),
    ("static_labels", stage(&LABEL_NAMES)),
    ("labelallow|labeldrop", stage(&With(check_not_empty_list))),
    ("limit", stage(&With(check_limit))),
    ("logfmt", stage(&In(LOGFMT))),
    ("match", stage(&In(MATCH))),
    ("multiline", stage(&In(MULTILINE))),
    ("output", stage(&In(&[("source", Required)]))),
    ("regex", stage(&In(REGEX_STAGE))),
    ("replace", stage(&In(REGEX_STAGE))),
    ("sampling", stage(&In(&[("rate", With(check_rate))]))),
    ("template", stage(&In(TEMPLATE))),
    ("tenant", stage(&With(check_tenant))),
    ("timestamp", stage(&In(TIMESTAMP))),
];

const LABEL_NAME: Expect = With(|name, walk| {
    let name = name.as_str().unwrap_or_default();
    if !is_label_name(name) {
        report_invalid("`source` must be a valid label name", &[], walk);
    }
});

const DROP: Rows = &[
    (
        "",
        With(|drop, walk| {
            const CONDITIONS: &str = "source|expression|older_than|longer_than";
            let is_set = |field: &str| drop.non_null(field).is_some();
            if !CONDITIONS.split('|').any(is_set) {
                report_invalid(format!("the stage needs {}", list_alternatives(CONDITIONS)), &[], walk);
            } else if is_set("value") && !is_set("source") {
                report_invalid("`value` has no effect without `source`", &[], walk);
            }
            if is_set("value") && is_set("expression") {
                report_invalid("`value` and `expression` cannot be combined", &[], walk);
            }
            let source = drop.non_null("source");
            if source.is_some_and(|source| source.as_str().is_none() && !has_type("list", false, source)) {
                report_invalid("`source` must be a string or a list of strings", &[], walk);
            }
        }),
    ),
    ("expression", REGEX),
    ("older_than", NOT_EMPTY),
    ("older_than", GO_DURATION),
    ("longer_than", SIZE),
];

const JSON: Rows = &[
    ("expressions", Required),
    ("expressions", With(check_not_empty_map)),
    ("expressions", With(report_dropped_keys)),
    ("source", NOT_EMPTY),
    (
        "expressions.*",
        With(|expression, walk| {
            let text = Some(expression.as_str().unwrap_or_default()).filter(|text| !text.is_empty());
            // If the expression is missing, the name is used as the expression.
            if jmespath::problem(text.unwrap_or_else(|| walk.last_key())).is_some() {
                report_invalid("an expression is not valid JMESPath", &[], walk);
            }
        }),
    ),
];

const LABELS: Rows = &[("", LABEL_NAMES), ("", With(report_dropped_keys))];

const LOGFMT: Rows = &[
    ("mapping", Required),
    ("mapping", With(check_not_empty_map)),
    ("mapping", With(report_dropped_keys)),
    ("source", NOT_EMPTY),
];

/// Reports keys without a value. In Promtail, such a key stands for the value with the same name, but the operator drops
/// it (`trimMap`).
fn report_dropped_keys<'v>(map: Json<'v>, walk: &mut Walk<'v>) {
    for (key, _) in map.entries().filter(|(_, value)| value.is_null()) {
        let message = "the key has no value, so the operator drops it";
        let help = "write `\"\"` to use the value with the same name";
        walk.report_with_code(Code::DroppedKey, &[Step::Key(key)], message, help);
    }
}

/// Reports an empty mapping.
fn check_not_empty_map<'v>(map: Json<'v>, walk: &mut Walk<'v>) {
    if map.is_mapping() && map.entries().all(|(_, value)| value.is_null()) {
        walk.report(&[], "must not be empty");
    }
}

fn check_not_empty_list<'v>(list: Json<'v>, walk: &mut Walk<'v>) {
    if list.items().all(Json::is_null) {
        report_invalid("the stage needs at least one label", &[], walk);
    }
}

/// Returns a number as the agent reads it. Strings are converted to numbers.
fn number(config: Json<'_>, field: &str) -> f64 {
    let text = config.get(field).and_then(Json::scalar);
    text.and_then(|text| text.parse().ok()).unwrap_or_default()
}

fn check_limit<'v>(limit: Json<'v>, walk: &mut Walk<'v>) {
    for field in ["rate", "burst"] {
        let is_variable = limit.text(field).contains('$');
        if number(limit, field) <= 0.0 && !is_variable {
            report_invalid(format!("the stage needs a `{field}` greater than zero"), &[], walk);
        }
    }
    if limit.has("by_label_name") && !limit.is_true("drop") {
        report_invalid("`by_label_name` needs `drop: true`", &[], walk);
    }
}

fn check_rate<'v>(rate: Json<'v>, walk: &mut Walk<'v>) {
    let number = rate.scalar().and_then(|text| text.parse::<f64>().ok());
    if number.is_some_and(|rate| !(0.0..=1.0).contains(&rate)) {
        report_invalid("`rate` must be between 0 and 1", &[], walk);
    }
}

const MATCH: Rows = &[
    ("pipeline_name", NOT_EMPTY),
    ("selector", Required),
    (
        "selector",
        With(|text, walk| {
            let text = text.as_str().unwrap_or_default();
            if !text.is_empty() && log_selector::problem(text).is_some() {
                let message = "the selector is not a valid log stream selector";
                walk.report_with_code(Code::InvalidLogSelector, &[], message, "");
            }
        }),
    ),
    ("action", OneOf("|keep|drop")),
];

const MULTILINE: Rows = &[
    (
        "",
        With(|multiline, walk| {
            if multiline.non_null("firstline").is_none() {
                walk.report_field("firstline", "must not be empty");
            }
        }),
    ),
    ("firstline", REGEX),
    ("max_wait_time", NOT_EMPTY),
    ("max_wait_time", GO_DURATION),
];

const REGEX_STAGE: Rows = &[("expression", Required), ("expression", REGEX), ("source", NOT_EMPTY)];

const TEMPLATE: Rows = &[
    ("source", Required),
    (
        "template",
        With(|text, walk| {
            if let Err(error) = template::check(text.as_str().unwrap_or_default()) {
                let message = "the template is not a valid Go template";
                walk.report_with_code(Code::InvalidStage, &[], message, error.help);
            }
        }),
    ),
];

fn check_tenant<'v>(tenant: Json<'v>, walk: &mut Walk<'v>) {
    let set = present_fields("label|source|value", tenant).count();
    if set != 1 {
        let set_fields = if set == 0 { "none".to_owned() } else { set.to_string() };
        let message = format!("the stage needs exactly one of `label`, `source` or `value`, but has {set_fields}");
        report_invalid(message, &[], walk);
    }
}

const TIMESTAMP: Rows = &[
    ("source|format", Required),
    ("location", With(check_location)),
    ("action_on_failure", NOT_EMPTY),
    ("action_on_failure", OneOf("skip|fudge")),
];
