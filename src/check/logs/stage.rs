//! The stages of a log pipeline.
//!
//! What: a stage without what Promtail needs, or with fields that cannot be combined (`validate…Config` of its stages). Why: the
//! agent does not start. Example: `timestamp` without `format`, two stages in one item of the list.

use crate::api::{
    DropStage, LimitStage, MatchStage, MetricsStage, PipelineStage, ReplaceStage, TemplateStage, TenantStage,
    TimestampStage,
};
use crate::check::field::{go_duration, go_duration_from, label_names, regex};
use crate::check::place::Place;
use crate::diagnostic::{Code, Severity};
use crate::go::{log_selector, template, units};
use crate::plan::Stages;

/// Checks a list of stages.
pub fn check_all(stages: Stages<'_>, at: &Place<'_>) {
    for (i, item) in stages.iter().enumerate() {
        let at = at.index(i);
        one_kind(item, &at);
        check(item, &at);
        if let Some(spec) = &item.r#match {
            nested(spec, stages, &at.key("match"));
        }
    }
}

/// An item of the list is one stage (`NewPipeline`).
fn one_kind(item: &PipelineStage<'_>, at: &Place<'_>) {
    let has_metrics = item.metrics.as_ref().is_some_and(|metrics| !metrics.is_empty());
    let kinds = [
        ("cri", item.cri.is_some()),
        ("docker", item.docker.is_some()),
        ("drop", item.drop.is_some()),
        ("json", item.json.is_some()),
        ("labelAllow", !item.label_allow.is_empty()),
        ("labelDrop", !item.label_drop.is_empty()),
        ("labels", !item.labels.is_empty()),
        ("limit", item.limit.is_some()),
        ("match", item.r#match.is_some()),
        ("metrics", has_metrics),
        ("multiline", item.multiline.is_some()),
        ("output", item.output.is_some()),
        ("pack", item.pack.is_some()),
        ("regex", item.regex.is_some()),
        ("replace", item.replace.is_some()),
        ("template", item.template.is_some()),
        ("tenant", item.tenant.is_some()),
        ("timestamp", item.timestamp.is_some()),
    ];
    let mut set = kinds.iter().filter(|(_, is_set)| *is_set).map(|(name, _)| *name);
    if let (Some(first), Some(second)) = (set.next(), set.next()) {
        let message = format!("`{first}` and `{second}` are in one item, expected one stage");
        let finding = at.key(second).diagnostic(Code::InvalidStage, message);
        let finding = finding.help("give each stage an item of its own");
        at.add(finding.label(at.key(first).span(), "set here"));
    }
}

/// Checks a stage, without the stages inside `match`.
fn check(stage: &PipelineStage<'_>, at: &Place<'_>) {
    if let Some(spec) = &stage.regex {
        expression(spec.expression, &at.key("regex"));
    }
    if let Some(spec) = &stage.replace {
        replace(spec, &at.key("replace"));
    }
    if let Some(spec) = &stage.json {
        let has_any = spec.expressions.as_ref().is_some_and(|all| !all.is_empty());
        need(has_any, "expressions", &at.key("json"));
    }
    if let Some(spec) = &stage.template {
        template(spec, &at.key("template"));
    }
    if let Some(spec) = &stage.timestamp {
        timestamp(spec, &at.key("timestamp"));
    }
    if let Some(spec) = &stage.output {
        need(!spec.source.is_empty(), "source", &at.key("output"));
    }
    label_names(stage.labels.keys(), &at.key("labels"));
    if let Some(spec) = &stage.limit {
        limit(spec, &at.key("limit"));
    }
    for (name, spec) in stage.metrics.iter().flatten() {
        metric(spec, &at.key("metrics").key(name));
    }
    if let Some(spec) = &stage.multiline {
        let at = at.key("multiline");
        regex(spec.first_line, &at.key("firstLine"));
        go_duration(spec.max_wait_time, &at.key("maxWaitTime"));
    }
    if let Some(spec) = &stage.tenant {
        tenant(spec, &at.key("tenant"));
    }
    if let Some(spec) = &stage.r#match {
        match_stage(spec, &at.key("match"));
    }
    if let Some(spec) = &stage.drop {
        drop_stage(spec, &at.key("drop"));
    }
}

fn invalid(message: impl Into<String>, help: impl Into<String>, at: &Place<'_>) {
    at.report(Code::InvalidStage, message, help);
}

/// Reports that a stage lacks a field.
fn need(is_there: bool, field: &str, at: &Place<'_>) {
    if !is_there {
        let message = format!("the stage needs `{field}`");
        invalid(message, format!("set `{field}`"), &at.key(field));
    }
}

/// Reports a text that is neither empty nor one of two.
fn either(one: &str, other: &str, text: &str, at: &Place<'_>) {
    if ![one, other, ""].contains(&text) {
        let expected = format!("`{one}` or `{other}`");
        invalid(
            format!("found `{text}`, expected {expected}"),
            format!("use {expected}"),
            at,
        );
    }
}

fn expression(expression: &str, at: &Place<'_>) {
    need(!expression.is_empty(), "expression", at);
    regex(expression, &at.key("expression"));
}

fn replace(spec: &ReplaceStage<'_>, at: &Place<'_>) {
    expression(spec.expression, at);
    // Promtail parses it when a line matches, and leaves the line as it is.
    let at = at.key("replace");
    if let Err(error) = template::check(spec.replace) {
        let message = format!("the template {}, so the stage changes nothing", error.predicate);
        let finding = at.diagnostic(Code::InvalidStage, message).help(error.help);
        at.add(finding.severity(Severity::Warning));
    }
}

fn template(spec: &TemplateStage<'_>, at: &Place<'_>) {
    need(!spec.source.is_empty(), "source", at);
    if let Err(error) = template::check(spec.template) {
        invalid(
            format!("the template {}", error.predicate),
            error.help,
            &at.key("template"),
        );
    }
}

fn timestamp(spec: &TimestampStage<'_>, at: &Place<'_>) {
    need(!spec.source.is_empty(), "source", at);
    need(!spec.format.is_empty(), "format", at);
    either("skip", "fudge", spec.action_on_failure, &at.key("actionOnFailure"));
}

fn limit(spec: &LimitStage, at: &Place<'_>) {
    for (field, value) in [("rate", spec.rate), ("burst", spec.burst)] {
        if value <= 0 {
            let message = format!("`{field}` must be above zero, found `{value}`");
            invalid(message, "set `rate` and `burst`", &at.key(field));
        }
    }
}

fn tenant(spec: &TenantStage<'_>, at: &Place<'_>) {
    let texts = [spec.label, spec.source, spec.value];
    let set = texts.iter().filter(|text| !text.is_empty()).count();
    if set != 1 {
        let message = format!("the stage needs one of `label`, `source` and `value`, found {set} of them");
        invalid(message, "set one of them", at);
    }
}

fn match_stage(spec: &MatchStage<'_>, at: &Place<'_>) {
    need(!spec.selector.is_empty(), "selector", at);
    if let Some(problem) = log_selector::problem(spec.selector).filter(|_| !spec.selector.is_empty()) {
        let at = at.key("selector");
        let message = format!(
            "{} is not a valid log stream selector: {problem}",
            at.quoted(spec.selector)
        );
        let help = "write a selector such as `{app=\"nginx\"} |= \"error\"`";
        at.report(Code::InvalidLogSelector, message, help);
    }
    either("keep", "drop", spec.action, &at.key("action"));
}

/// The stages in the text of a `match`. A text that is not a YAML list of stages is reported when the plan is made.
fn nested(spec: &MatchStage<'_>, around: Stages<'_>, at: &Place<'_>) {
    let at = at.key("stages");
    around.nested(spec.stages, |stages| {
        let is_empty = stages.iter().len() == 0;
        if spec.action == "drop" && !is_empty {
            let help = "remove `stages`, or use the action `keep`";
            invalid("the action `drop` must not have `stages`", help, &at);
        }
        if matches!(spec.action, "" | "keep") && is_empty {
            let help = "add stages, or use the action `drop`";
            invalid("the action `keep` needs at least one stage", help, &at);
        }
        check_all(stages, &at.text());
    });
}

fn drop_stage(spec: &DropStage<'_>, at: &Place<'_>) {
    let conditions = [spec.source, spec.expression, spec.older_than, spec.longer_than];
    let has_value = !spec.value.is_empty();
    if conditions.iter().all(|text| text.is_empty()) {
        let message = "the stage needs `source`, `expression`, `olderThan` or `longerThan`";
        invalid(message, "set one of them", at);
    } else if has_value && spec.source.is_empty() {
        let message = "`value` is compared with nothing without `source`";
        invalid(message, "set `source`", &at.key("value"));
    }
    if has_value && !spec.expression.is_empty() {
        let message = "`value` and `expression` cannot be combined";
        invalid(message, "keep one of them", &at.key("value"));
    }
    regex(spec.expression, &at.key("expression"));
    go_duration(spec.older_than, &at.key("olderThan"));
    if !units::is_byte_size(spec.longer_than) {
        let message = format!("`{}` is not a valid size in bytes", spec.longer_than);
        let help = "write a whole number with a unit such as `8KB`";
        invalid(message, help, &at.key("longerThan"));
    }
}

/// Checks a metric that is made from log lines (`validateMetricsConfig`, `validateCounterConfig`, `validateGaugeConfig` of Promtail).
fn metric(spec: &MetricsStage<'_>, at: &Place<'_>) {
    const SECOND: i64 = 1_000_000_000;
    let idle = spec.max_idle_duration;
    go_duration_from(SECOND, "a second or more", idle, &at.key("maxIdleDuration"));
    match spec.r#type.to_ascii_lowercase().as_str() {
        "counter" => counter(spec, at),
        "gauge" => action(spec, &["set", "inc", "dec", "add", "sub"], at),
        "histogram" => buckets(spec, &at.key("buckets")),
        _ => {
            let message = format!("found `{}`, expected `counter`, `gauge` or `histogram`", spec.r#type);
            invalid(message, "use one of these types", &at.key("type"));
        }
    }
}

fn action(spec: &MetricsStage<'_>, known: &[&str], at: &Place<'_>) {
    let (action, kind) = (spec.action, spec.r#type);
    if !known.iter().any(|name| name.eq_ignore_ascii_case(action)) {
        let list = known.join("`, `");
        let message = format!("found `{action}` as the action of a {kind}, expected one of `{list}`");
        invalid(message, "use one of these actions", &at.key("action"));
    }
}

fn counter(spec: &MetricsStage<'_>, at: &Place<'_>) {
    action(spec, &["inc", "add"], at);
    let matches_all = spec.match_all == Some(true);
    if matches_all && !spec.value.is_empty() {
        let message = "`matchAll` and `value` cannot be combined";
        invalid(message, "keep one of them", &at.key("matchAll"));
    }
    if spec.count_entry_bytes == Some(true) && (!matches_all || !spec.action.eq_ignore_ascii_case("add")) {
        let message = "`countEntryBytes` needs `matchAll: true` and the action `add`";
        let help = "set both, or remove `countEntryBytes`";
        invalid(message, help, &at.key("countEntryBytes"));
    }
}

/// Checks that buckets are sorted: the histogram library panics otherwise. Invalid numbers are reported elsewhere.
fn buckets(spec: &MetricsStage<'_>, at: &Place<'_>) {
    let numbers = spec.buckets.iter().map(|bucket| bucket.trim().parse::<f64>());
    let Ok(numbers) = numbers.collect::<Result<Vec<_>, _>>() else {
        return;
    };
    if !numbers.is_sorted_by(|one, next| one < next) {
        let message = "the buckets are not in ascending order, so the agent stops at the first value";
        at.report(
            Code::UnsortedBuckets,
            message,
            "sort the buckets, and remove duplicates",
        );
    }
}
