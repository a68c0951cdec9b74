//! Each kind of stage by itself.

use super::metric;
use crate::api::{
    DropStage, LimitStage, MatchStage, PipelineStage, RegexStage, ReplaceStage, TemplateStage, TenantStage,
    TimestampStage,
};
use crate::check::diagnostics;
use crate::check::place::Place;
use crate::check::prometheus::{duration, label, regex};
use crate::diagnostic::Diagnostic;
use crate::go::{byte_size, log_selector};

/// Checks what is set of a stage; the stages within `match` are checked elsewhere.
pub fn check(stage: &PipelineStage<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    if let Some(spec) = &stage.regex {
        regex_stage(spec, &at.key("regex"), found);
    }
    if let Some(spec) = &stage.replace {
        replace(spec, &at.key("replace"), found);
    }
    if let Some(spec) = &stage.json {
        let is_empty = spec
            .expressions
            .as_ref()
            .is_none_or(|expressions| expressions.is_empty());
        need(!is_empty, &at.key("json"), "expressions", found);
    }
    if let Some(spec) = &stage.template {
        template(spec, &at.key("template"), found);
    }
    if let Some(spec) = &stage.timestamp {
        timestamp(spec, &at.key("timestamp"), found);
    }
    if let Some(spec) = &stage.output {
        need(!spec.source.is_empty(), &at.key("output"), "source", found);
    }
    for name in stage.labels.keys() {
        label::check_name(name, &at.key("labels").key(name), found);
    }
    if let Some(spec) = &stage.limit {
        limit(spec, &at.key("limit"), found);
    }
    for (name, spec) in stage.metrics.iter().flatten() {
        metric::check(spec, &at.key("metrics").key(name), found);
    }
    if let Some(spec) = &stage.multiline {
        let at = at.key("multiline");
        regex::check(spec.first_line, &at.key("firstLine"), found);
        duration::check_go(spec.max_wait_time, &at.key("maxWaitTime"), found);
    }
    if let Some(spec) = &stage.tenant {
        tenant(spec, &at.key("tenant"), found);
    }
    if let Some(spec) = &stage.r#match {
        match_stage(spec, &at.key("match"), found);
    }
    if let Some(spec) = &stage.drop {
        drop_stage(spec, &at.key("drop"), found);
    }
}

/// Reports that a stage lacks a field.
fn need(is_there: bool, at: &Place<'_>, field: &str, found: &mut Vec<Diagnostic>) {
    if !is_there {
        let message = format!("the stage needs `{field}`");
        found.push(diagnostics::invalid_stage(
            &at.key(field),
            message,
            &format!("set `{field}`"),
        ));
    }
}

fn regex_stage(spec: &RegexStage<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    need(!spec.expression.is_empty(), at, "expression", found);
    regex::check(spec.expression, &at.key("expression"), found);
}

fn replace(spec: &ReplaceStage<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    need(!spec.expression.is_empty(), at, "expression", found);
    regex::check(spec.expression, &at.key("expression"), found);
}

/// Go's template language is not parsed, except that an action must end.
fn template(spec: &TemplateStage<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    need(!spec.source.is_empty(), at, "source", found);
    let is_open = |text: &str| text.rsplit_once("{{").is_some_and(|(_, action)| !action.contains("}}"));
    if is_open(spec.template) {
        let help = "close the action with `}}`";
        found.push(diagnostics::invalid_stage(
            &at.key("template"),
            "the template has a `{{` without `}}`",
            help,
        ));
    }
}

fn timestamp(spec: &TimestampStage<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    need(!spec.source.is_empty(), at, "source", found);
    need(!spec.format.is_empty(), at, "format", found);
    if !matches!(spec.action_on_failure, "" | "skip" | "fudge") {
        let message = format!("found `{}`, expected `skip` or `fudge`", spec.action_on_failure);
        let help = "use `skip` or `fudge`";
        found.push(diagnostics::invalid_stage(&at.key("actionOnFailure"), message, help));
    }
}

fn limit(spec: &LimitStage, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    for (field, value) in [("rate", spec.rate), ("burst", spec.burst)] {
        if value <= 0 {
            let message = format!("`{field}` must be above zero, found `{value}`");
            found.push(diagnostics::invalid_stage(
                &at.key(field),
                message,
                "set `rate` and `burst`",
            ));
        }
    }
}

fn tenant(spec: &TenantStage<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    let set = [spec.label, spec.source, spec.value]
        .iter()
        .filter(|text| !text.is_empty())
        .count();
    if set != 1 {
        let message = format!("the stage needs one of `label`, `source` and `value`, found {set} of them");
        found.push(diagnostics::invalid_stage(at, message, "set one of them"));
    }
}

fn match_stage(spec: &MatchStage<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    need(!spec.selector.is_empty(), at, "selector", found);
    if let Some(problem) = log_selector::problem(spec.selector).filter(|_| !spec.selector.is_empty()) {
        found.push(diagnostics::invalid_log_selector(
            &at.key("selector"),
            spec.selector,
            &problem,
        ));
    }
    if !matches!(spec.action, "" | "keep" | "drop") {
        let message = format!("found `{}`, expected `keep` or `drop`", spec.action);
        found.push(diagnostics::invalid_stage(
            &at.key("action"),
            message,
            "use `keep` or `drop`",
        ));
    }
}

fn drop_stage(spec: &DropStage<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    let conditions = [spec.source, spec.expression, spec.older_than, spec.longer_than];
    if conditions.iter().all(|text| text.is_empty()) {
        let message = "the stage needs `source`, `expression`, `olderThan` or `longerThan`";
        found.push(diagnostics::invalid_stage(at, message, "set one of them"));
    } else if !spec.value.is_empty() && spec.source.is_empty() {
        let message = "`value` is compared with nothing without `source`";
        found.push(diagnostics::invalid_stage(&at.key("value"), message, "set `source`"));
    }
    if !spec.value.is_empty() && !spec.expression.is_empty() {
        let message = "`value` and `expression` exclude each other";
        found.push(diagnostics::invalid_stage(
            &at.key("value"),
            message,
            "keep one of them",
        ));
    }
    regex::check(spec.expression, &at.key("expression"), found);
    duration::check_go(spec.older_than, &at.key("olderThan"), found);
    if !byte_size::is_byte_size(spec.longer_than) {
        let message = format!("`{}` is no size in bytes", spec.longer_than);
        let help = "write a whole number with a unit such as `8KB`";
        found.push(diagnostics::invalid_stage(&at.key("longerThan"), message, help));
    }
}
