//! The stages of a log pipeline (`stages.libsonnet`).

mod match_stage;
mod metrics_stage;

use super::fields::{Fields, text_map};
use super::origin;
use crate::api::{
    DropStage, JsonStage, LimitStage, MultilineStage, PackStage, PipelineStage, PodLogs, RegexStage, ReplaceStage,
    Resource, TemplateStage, TenantStage, TimestampStage,
};
use crate::diagnostic::{Diagnostic, FieldPath};
use crate::yaml::Value;

/// The stages of a PodLogs; `origin` is their field.
pub(super) fn all<'d>(
    pod_logs: &'d Resource<'d, PodLogs<'d>>,
    origin: origin::Site<'_, 'd>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Value<'d>> {
    let stages = pod_logs.spec.pipeline_stages.iter().enumerate();
    let lowered = stages.map(|(i, spec)| {
        let mut site = Site {
            pod_logs,
            path: FieldPath::of("spec.pipelineStages").index(i),
            level: 0,
            diagnostics,
        };
        stage(spec, &mut site).origin(origin.item(i).mark()).into()
    });
    lowered.collect()
}

/// Where a stage stands: in the resource, or in the text of a `match` in it.
struct Site<'a, 'd> {
    pod_logs: &'a Resource<'d, PodLogs<'d>>,
    /// The stage, or the field that holds the text.
    path: FieldPath<'static>,
    /// How many texts are around it.
    level: usize,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Site<'_, '_> {
    /// The path of a field of the stage; inside a text, the path of the text.
    fn field(&self, extend: impl FnOnce(&mut FieldPath<'static>)) -> FieldPath<'static> {
        let mut path = self.path.clone();
        if self.level == 0 {
            extend(&mut path);
        }
        path
    }
}

fn stage<'s>(spec: &'s PipelineStage<'s>, site: &mut Site<'_, '_>) -> Fields<'s> {
    let metrics = spec.metrics.as_ref().map(|metrics| metrics_stage::all(metrics, site));
    Fields::new()
        .option("docker", spec.docker.map(|_| Fields::new()))
        .option("cri", spec.cri.map(|_| Fields::new()))
        .option("regex", spec.regex.as_ref().map(regex))
        .option("json", spec.json.as_ref().map(|s| json(s, site)))
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
        .object("metrics", metrics.unwrap_or_default())
        .option("multiline", spec.multiline.as_ref().map(multiline))
        .option("tenant", spec.tenant.as_ref().map(tenant))
        .option("match", spec.r#match.as_ref().map(|s| match_stage::lower(s, site)))
        .option("drop", spec.drop.as_ref().map(drop_stage))
}

fn regex<'s>(spec: &RegexStage<'s>) -> Fields<'s> {
    Fields::new()
        .always("expression", spec.expression)
        .text("source", spec.source)
}

/// In a text even an empty object of expressions is written; one in the resource is lost before (`omitempty`).
fn json<'s>(spec: &JsonStage<'s>, site: &Site<'_, '_>) -> Fields<'s> {
    let expressions = spec.expressions.as_ref();
    let expressions = expressions.filter(|expressions| site.level > 0 || !expressions.is_empty());
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
