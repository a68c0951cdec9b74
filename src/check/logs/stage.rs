//! Stages in a log pipeline.
//!
//! Reports a stage that lacks a required field, or that has fields that cannot be combined (`validate…Config` in
//! Promtail's stages). The agent does not start. Examples are `timestamp` without `format`, and two stages in one list
//! item.

use crate::check::field::{GO_DURATION, LABEL_NAMES, REGEX, SECONDS};
use crate::check::walk::Expect::{self, As, Help, In, Is, Mild, OneOf, Range, Required, TextOrEmpty, With};
use crate::check::walk::{Json, Rows, RuleContext, Step, Walk, list_alternatives, present_fields};
use crate::diagnostic::{Code, suggest};
use crate::go::syntax::is_label_name;
use crate::go::{jmespath, log_selector, template, time_zone, units};
use crate::yaml::NodeValue;

/// Checks a stage, including the stages nested in its `match`.
pub fn check<'v>(stage: Json<'v>, walk: &mut Walk<'v>) {
    static RULE: Expect = As(Code::InvalidStage, &In(STAGE));
    walk.check_rule(&RULE, stage);
}

const STAGE: Rows = &[
    ("", Help("make each stage a separate list item", &With(check_single_kind))),
    ("regex|replace.expression", Required),
    ("regex|replace.expression", REGEX),
    // Promtail parses the template only when a line matches. If the template is invalid, Promtail leaves the line
    // unchanged.
    ("replace.replace", Mild(&With(|text, walk| check_go_template(", so the stage changes nothing", text, walk)))),
    ("json", With(check_expressions)),
    ("template.source", Required),
    ("template.template", With(|text, walk| check_go_template("", text, walk))),
    ("timestamp.source|format", Required),
    ("timestamp.location", With(check_location)),
    ("timestamp.actionOnFailure", OneOf("|skip|fudge")),
    ("output.source", Required),
    ("labels", LABEL_NAMES),
    ("limit.rate|burst", Help("set `rate` and `burst` to at least 1", &Range(1, i64::MAX))),
    ("metrics.*", In(METRIC)),
    ("multiline", With(check_first_line)),
    ("multiline.firstLine", REGEX),
    ("multiline.maxWaitTime", GO_DURATION),
    ("tenant", With(check_tenant)),
    ("match.selector", Required),
    ("match.selector", Help(SELECTOR_HELP, &As(Code::InvalidLogSelector, &TextOrEmpty(selector_problem)))),
    ("match.action", OneOf("|keep|drop")),
    ("match", With(check_nested)),
    ("drop", With(check_drop_stage)),
    ("drop.expression", REGEX),
    ("drop.olderThan", GO_DURATION),
    ("drop.longerThan", Help("use a whole number with a unit, such as `8KB`", &SIZE)),
];
pub(super) const SIZE: Expect = Is(units::is_byte_size, "is not a valid byte size");
const SELECTOR_HELP: &str = "write a selector such as `{app=\"nginx\"} |= \"error\"`";

const EXAMPLE: &str = "write a time zone name such as `Europe/Berlin` or `UTC`";

/// Checks a time zone's name (`time.LoadLocation`).
pub(super) fn check_location<'v>(name: Json<'v>, walk: &mut Walk<'v>) {
    let name = name.as_str().unwrap_or_default();
    if time_zone::is_known(name) {
        return;
    }
    if walk.context.is_secret {
        walk.report_with_code(Code::InvalidStage, &[], "the value is not a known time zone", EXAMPLE);
        return;
    }
    let same_letters = time_zone::names().find(|known| known.eq_ignore_ascii_case(name));
    let help = match same_letters.or_else(|| suggest::closest(name, time_zone::names())) {
        Some(known) => format!("did you mean `{known}`?"),
        None => EXAMPLE.to_owned(),
    };
    let message = format!("{} is not a known time zone", walk.quote(name));
    walk.report_with_code(Code::InvalidStage, &[], message, help);
}

/// Checks that a list item is a single stage (`NewPipeline`).
fn check_single_kind<'v>(stage: Json<'v>, walk: &mut Walk<'v>) {
    let mut set_kinds = stage.entries().filter(|(kind, value)| match value.value() {
        NodeValue::Sequence => !value.is_empty(),
        NodeValue::Mapping => value.entries().next().is_some() || !matches!(*kind, "labels" | "metrics"),
        _ => false,
    });
    if let (Some((first, _)), Some((second, _))) = (set_kinds.next(), set_kinds.next()) {
        walk.report_conflict(first, second);
    }
}

fn report_invalid<'v>(message: impl Into<String>, help: &str, path: &[Step<'v>], walk: &mut Walk<'v>) {
    walk.report_with_code(Code::InvalidStage, path, message, help);
}

fn check_go_template<'v>(effect: &str, text: Json<'v>, walk: &mut Walk<'v>) {
    if let Err(error) = template::check(text.as_str().unwrap_or_default()) {
        let message = format!("the template {}{effect}", error.predicate);
        report_invalid(message, error.help, &[], walk);
    }
}

fn check_expressions<'v>(json: Json<'v>, walk: &mut Walk<'v>) {
    if json.get("expressions").is_none_or(|all| all.entries().next().is_none()) {
        walk.report_field("expressions", "must not be empty").help = "set `expressions`".to_owned();
    }
    walk.for_each("expressions.*", json, |walk, expression| {
        let text = Some(expression.as_str().unwrap_or_default()).filter(|text| !text.is_empty());
        // If the expression is missing, the name is used as the expression.
        let text = text.unwrap_or_else(|| walk.last_key());
        if let Some(problem) = jmespath::problem(text) {
            let message = format!("{} is not a valid JMESPath expression: {problem}", walk.quote(text));
            report_invalid(message, QUOTED, &[], walk);
        }
    });
}

const QUOTED: &str =
    "put names that contain characters other than letters, digits and `_` in double quotes, such as `'\"log-level\"'`";

/// Reports `firstLine` if it consists of a variable that nothing sets. Promtail accepts an empty expression, but not a
/// missing one.
fn check_first_line<'v>(multiline: Json<'v>, walk: &mut Walk<'v>) {
    if multiline.get("firstLine").is_some_and(Json::is_null) {
        let violation = walk.report_field("firstLine", "must be set, but nothing in the pod sets its variable");
        violation.help = "write a regular expression".to_owned();
    }
}

fn check_tenant<'v>(tenant: Json<'v>, walk: &mut Walk<'v>) {
    let set = present_fields("label|source|value", tenant).count();
    if set != 1 {
        let set_count = if set == 0 { "none".to_owned() } else { set.to_string() };
        let message = format!("the stage needs exactly one of `label`, `source` or `value`, but has {set_count}");
        report_invalid(message, if set == 0 { "" } else { "keep only one of them" }, &[], walk);
    }
}

fn selector_problem(text: &str) -> Option<String> {
    log_selector::problem(text).map(|problem| format!("is not a valid log stream selector: {problem}"))
}

/// Checks the stages in a `match` stage's YAML. Planning already reports YAML that is not a list of stages.
fn check_nested<'v>(stage: Json<'v>, walk: &mut Walk<'v>) {
    let Some(enclosing_stages) = walk.context.stages else { return };
    let action = stage.text("action");
    enclosing_stages.with_nested_stages(stage.text("stages"), |stages| {
        let stages_json = stages.to_json();
        let is_empty = stages_json.as_array().is_none_or(Vec::is_empty);
        let at = [Step::Key("stages")];
        if action == "drop" && !is_empty {
            let help = "remove `stages`, or use the `keep` action";
            report_invalid("the `drop` action does not accept `stages`", help, &at, walk);
        }
        if matches!(action, "" | "keep") && is_empty {
            let help = "add stages, or use the `drop` action";
            report_invalid("the `keep` action needs at least one stage", help, &at, walk);
        }
        let context = RuleContext { stages: Some(stages), ..walk.context };
        walk.enter(Step::Key("stages"), |walk| {
            walk.check_embedded_yaml(Json::Built(&stages_json), context, &|_| None, |walk| {
                walk.for_each("[]", Json::Built(&stages_json), |walk, stage| check(stage, walk))
            });
        });
    });
}

fn check_drop_stage<'v>(stage: Json<'v>, walk: &mut Walk<'v>) {
    const CONDITIONS: &str = "source|expression|olderThan|longerThan";
    let is_set = |field| !stage.text(field).is_empty();
    let at = [Step::Key("value")];
    if present_fields(CONDITIONS, stage).next().is_none() {
        let message = format!("the stage needs {}", list_alternatives(CONDITIONS));
        report_invalid(message, "", &[], walk);
    } else if is_set("value") && !is_set("source") {
        let message = "`value` has no effect without `source`";
        report_invalid(message, "set `source`", &at, walk);
    }
    if is_set("value") && is_set("expression") {
        let message = "`value` and `expression` cannot be combined";
        report_invalid(message, "keep one of them", &at, walk);
    }
}

/// Rules for a metric that is extracted from log lines (`validateMetricsConfig` in Promtail).
const METRIC: Rows = &[("maxIdleDuration", SECONDS), ("", With(check_metric))];

/// Checks a metric (`validateCounterConfig`, `validateGaugeConfig`, and `NewDesc` in the Prometheus library).
fn check_metric<'v>(metric: Json<'v>, walk: &mut Walk<'v>) {
    let prefix = Some(metric.text("prefix")).filter(|prefix| !prefix.is_empty());
    let name = format!("{}{}", prefix.unwrap_or("promtail_custom_"), walk.last_key());
    if !is_label_name(&name.replace(':', "_")) {
        let message =
            format!("{} is not a valid metric name, so the agent's own metrics cannot be scraped", walk.quote(&name));
        walk.report_with_code(Code::InvalidStage, &[], message, "use only letters, digits and `_`").is_warning = true;
    }
    match metric.text("type").to_ascii_lowercase().as_str() {
        "counter" => check_counter(metric, walk),
        "gauge" => check_action(metric, "set|inc|dec|add|sub", walk),
        "histogram" => check_buckets(metric, walk),
        _ => {
            let metric_type = metric.text("type");
            let message = format!("`type` must be `counter`, `gauge` or `histogram`{}", describe_actual(metric_type));
            report_invalid(message, "", &[Step::Key("type")], walk);
        }
    }
}

fn check_action<'v>(metric: Json<'v>, known_actions: &str, walk: &mut Walk<'v>) {
    let (action, kind) = (metric.text("action"), metric.text("type"));
    if !known_actions.split('|').any(|name| name.eq_ignore_ascii_case(action)) {
        let message = format!(
            "the `action` of a `{kind}` metric must be {}{}",
            list_alternatives(known_actions),
            describe_actual(action)
        );
        report_invalid(message, "", &[Step::Key("action")], walk);
    }
}

/// Returns `, but is …` with the quoted value, or an empty string if the value is empty.
fn describe_actual(found: &str) -> String {
    match found {
        "" => String::new(),
        found => format!(", but is `{found}`"),
    }
}

fn check_counter<'v>(metric: Json<'v>, walk: &mut Walk<'v>) {
    check_action(metric, "inc|add", walk);
    if metric.is_true("matchAll") && !metric.text("value").is_empty() {
        let message = "`matchAll` and `value` cannot be combined";
        report_invalid(message, "keep one of them", &[Step::Key("matchAll")], walk);
    }
    let is_added = metric.text("action").eq_ignore_ascii_case("add");
    if metric.is_true("countEntryBytes") && !(metric.is_true("matchAll") && is_added) {
        let message = "`countEntryBytes` needs `matchAll: true` and the `add` action";
        let help = "set both, or remove `countEntryBytes`";
        report_invalid(message, help, &[Step::Key("countEntryBytes")], walk);
    }
}

/// Checks that the buckets are sorted, because the histogram library otherwise panics. Invalid numbers are reported
/// elsewhere.
fn check_buckets<'v>(metric: Json<'v>, walk: &mut Walk<'v>) {
    let buckets = metric.list("buckets").filter_map(Json::as_str);
    let numbers = buckets.map(|bucket| bucket.trim().parse::<f64>());
    let Ok(numbers) = numbers.collect::<Result<Vec<_>, _>>() else {
        return;
    };
    if !numbers.is_sorted_by(|number, next| number < next) {
        let message = "the buckets are not in ascending order, so the agent crashes when it observes the first value";
        let help = "sort the buckets, and remove duplicates";
        walk.report_with_code(Code::UnsortedBuckets, &[Step::Key("buckets")], message, help);
    }
}
