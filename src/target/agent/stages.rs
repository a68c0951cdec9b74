//! The stages of a log pipeline (`stages.libsonnet`).

use super::fields::{Fields, text_map};
use crate::api::{
    DropStage, JsonStage, LimitStage, MatchStage, MetricsStage, MultilineStage, PackStage, PipelineStage, RegexStage,
    ReplaceStage, TemplateStage, TenantStage, TimestampStage,
};
use crate::plan::{Stages, bucket};
use crate::yaml::{Mapping, Value};

/// The stages in their order.
pub(in crate::target) fn all(stages: Stages<'_>) -> Vec<Value<'_>> {
    stages.iter().map(|spec| stage(spec, stages).into()).collect()
}

/// A stage, and the stages that it is one of.
fn stage<'s>(spec: &'s PipelineStage<'s>, around: Stages<'s>) -> Fields<'s> {
    let metrics = spec.metrics.iter().flatten();
    let metrics = metrics.map(|(&name, spec)| (name.into(), metric(spec).into()));
    Fields::new()
        .option("docker", spec.docker.map(|_| Fields::new()))
        .option("cri", spec.cri.map(|_| Fields::new()))
        .option("regex", spec.regex.as_ref().map(regex))
        .option("json", spec.json.as_ref().map(|s| json(s, around)))
        .option("replace", spec.replace.as_ref().map(replace))
        .option("template", spec.template.as_ref().map(template))
        .option("pack", spec.pack.as_ref().map(pack))
        .option("timestamp", spec.timestamp.as_ref().map(timestamp))
        .option(
            "output",
            spec.output.as_ref().map(|s| Fields::new().always("source", s.source)),
        )
        .texts("labeldrop", &spec.label_drop)
        .texts("labelallow", &spec.label_allow)
        .text_map("labels", &spec.labels)
        .option("limit", spec.limit.as_ref().map(limit))
        .object("metrics", metrics.collect::<Mapping<'_>>())
        .option("multiline", spec.multiline.as_ref().map(multiline))
        .option("tenant", spec.tenant.as_ref().map(tenant))
        .option("match", spec.r#match.as_ref().map(|s| match_stage(s, around)))
        .option("drop", spec.drop.as_ref().map(drop_stage))
}

/// The selector, and the stages for what it selects.
fn match_stage<'s>(spec: &MatchStage<'s>, around: Stages<'s>) -> Fields<'s> {
    let nested = || {
        let stages = around.nested(spec.stages, |nested| {
            all(nested).into_iter().map(Value::into_owned).collect()
        });
        Value::Sequence(stages.unwrap_or_default())
    };
    Fields::new()
        .always("selector", spec.selector)
        .text("pipeline_name", spec.pipeline_name)
        .text("action", spec.action)
        .text("drop_counter_reason", spec.drop_counter_reason)
        .option("stages", (!spec.stages.is_empty()).then(nested))
}

/// A metric made from lines. Buckets that are not numbers were reported when the plan was made.
fn metric<'s>(spec: &MetricsStage<'s>) -> Fields<'s> {
    let buckets = spec.buckets.iter().filter_map(|text| bucket(text));
    let config = Fields::new()
        .flag("match_all", spec.match_all == Some(true))
        .flag("count_entry_bytes", spec.count_entry_bytes == Some(true))
        .text("value", spec.value)
        .always("action", spec.action)
        .list("buckets", buckets.map(Value::Float).collect());
    Fields::new()
        .always("type", metric_type(spec.r#type))
        .text("description", spec.description)
        .text("prefix", spec.prefix)
        .text("source", spec.source)
        .text("max_idle_duration", spec.max_idle_duration)
        .always("config", config)
}

/// The type as the agent writes it; one that it does not know is passed on.
fn metric_type(name: &str) -> &str {
    ["Counter", "Gauge", "Histogram"]
        .into_iter()
        .find(|known| known.eq_ignore_ascii_case(name))
        .unwrap_or(name)
}

fn regex<'s>(spec: &RegexStage<'s>) -> Fields<'s> {
    Fields::new()
        .always("expression", spec.expression)
        .text("source", spec.source)
}

/// In a text even an empty object of expressions is written; one in the resource is lost before (`omitempty`).
fn json<'s>(spec: &JsonStage<'s>, around: Stages<'_>) -> Fields<'s> {
    let expressions = spec.expressions.as_ref();
    let expressions = expressions.filter(|expressions| around.is_nested() || !expressions.is_empty());
    Fields::new()
        .option("expressions", expressions.map(text_map))
        .text("source", spec.source)
}

fn replace<'s>(spec: &ReplaceStage<'s>) -> Fields<'s> {
    Fields::new()
        .always("expression", spec.expression)
        .text("source", spec.source)
        .text("replace", spec.replace)
}

fn template<'s>(spec: &TemplateStage<'s>) -> Fields<'s> {
    Fields::new()
        .always("source", spec.source)
        .always("template", spec.template)
}

fn pack<'s>(spec: &PackStage<'s>) -> Fields<'s> {
    Fields::new()
        .texts("labels", &spec.labels)
        .flag("ingest_timestamp", spec.ingest_timestamp)
}

fn timestamp<'s>(spec: &TimestampStage<'s>) -> Fields<'s> {
    Fields::new()
        .always("source", spec.source)
        .always("format", spec.format)
        .texts("fallback_formats", &spec.fallback_formats)
        .text("location", spec.location)
        .text("action_on_failure", spec.action_on_failure)
}

fn limit<'s>(spec: &LimitStage) -> Fields<'s> {
    Fields::new()
        .number("rate", spec.rate as f64)
        .number("burst", spec.burst as f64)
        .always("drop", spec.drop)
}

fn multiline<'s>(spec: &MultilineStage<'s>) -> Fields<'s> {
    Fields::new()
        .always("firstline", spec.first_line)
        .text("max_wait_time", spec.max_wait_time)
        .number("max_lines", spec.max_lines as f64)
}

fn tenant<'s>(spec: &TenantStage<'s>) -> Fields<'s> {
    Fields::new()
        .text("label", spec.label)
        .text("source", spec.source)
        .text("value", spec.value)
}

fn drop_stage<'s>(spec: &DropStage<'s>) -> Fields<'s> {
    Fields::new()
        .text("source", spec.source)
        .text("expression", spec.expression)
        .text("value", spec.value)
        .text("older_than", spec.older_than)
        .text("longer_than", spec.longer_than)
        .text("drop_counter_reason", spec.drop_counter_reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metric_types_are_found_in_any_case() {
        for (name, expected) in [
            ("COUNTER", "Counter"),
            ("hiSTogram", "Histogram"),
            ("gau", "gau"),
            ("", ""),
        ] {
            assert_eq!(metric_type(name), expected);
        }
    }
}
