//! The stages of a log pipeline (`stages.libsonnet`).

use std::collections::BTreeMap;

use super::diagnostics;
use super::embedded::EmbeddedYaml;
use super::fields::{Fields, text_map};
use crate::api::{
    DropStage, JsonStage, LimitStage, MatchStage, MetricsStage, MultilineStage, PackStage, PipelineStage, PodLogs,
    RegexStage, ReplaceStage, Resource, TemplateStage, TenantStage, TimestampStage,
};
use crate::diagnostic::{Diagnostic, FieldPath};
use crate::yaml::{Mapping, Value, decode_folding};

/// So many levels of `match` may stand in one another; the operator has no limit but its stack.
const MAX_LEVELS: usize = 32;

/// The stages of a PodLogs.
pub(super) fn all<'d>(pod_logs: &'d Resource<'d, PodLogs<'d>>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Value<'d>> {
    let stages = pod_logs.spec.pipeline_stages.iter().enumerate();
    let lowered = stages.map(|(i, spec)| {
        let mut site = Site {
            pod_logs,
            path: FieldPath::of("spec.pipelineStages").index(i),
            level: 0,
            diagnostics,
        };
        stage(spec, &mut site).into()
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
    let metrics = spec.metrics.as_ref().map(|metrics| metrics_stages(metrics, site));
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
        .option("match", spec.r#match.as_ref().map(|s| match_stage(s, site)))
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

fn metrics_stages<'s>(specs: &'s BTreeMap<&'s str, MetricsStage<'s>>, site: &mut Site<'_, '_>) -> Mapping<'s> {
    specs
        .iter()
        .map(|(&name, spec)| (name.into(), metrics_stage(name, spec, site).into()))
        .collect()
}

fn metrics_stage<'s>(name: &str, spec: &MetricsStage<'s>, site: &mut Site<'_, '_>) -> Fields<'s> {
    let config = Fields::new()
        .flag("match_all", spec.match_all == Some(true))
        .flag("count_entry_bytes", spec.count_entry_bytes == Some(true))
        .text("value", spec.value)
        .always("action", spec.action)
        .list("buckets", buckets(name, spec, site));
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

fn buckets<'s>(name: &str, spec: &MetricsStage<'s>, site: &mut Site<'_, '_>) -> Vec<Value<'s>> {
    let mut buckets = Vec::with_capacity(spec.buckets.len());
    for (i, text) in spec.buckets.iter().enumerate() {
        match json_number(text) {
            Some(number) => buckets.push(Value::Float(number)),
            None => {
                let path = site.field(|path| {
                    path.push_key("metrics");
                    path.push_key(name.to_owned());
                    path.push_key("buckets");
                    path.push_index(i);
                });
                diagnostics::add(
                    site.diagnostics,
                    diagnostics::invalid_bucket(site.pod_logs, &path, text),
                );
            }
        }
    }
    buckets
}

/// A number as JSON has it (`std.parseJson`). serde_json checks the form, the standard library rounds correctly.
fn json_number(text: &str) -> Option<f64> {
    serde_json::from_str::<f64>(text).ok()?;
    text.trim_ascii().parse().ok()
}

fn match_stage<'s>(spec: &MatchStage<'s>, site: &mut Site<'_, '_>) -> Fields<'s> {
    Fields::new()
        .always("selector", spec.selector)
        .text("pipeline_name", spec.pipeline_name)
        .text("action", spec.action)
        .text("drop_counter_reason", spec.drop_counter_reason)
        .option(
            "stages",
            (!spec.stages.is_empty()).then(|| nested_stages(spec.stages, site)),
        )
}

/// The stages in the text of a `match` (`intoStages`): YAML, then decoded by the rules of `encoding/json` alone, since
/// the API server knows nothing of them.
fn nested_stages(text: &str, site: &mut Site<'_, '_>) -> Vec<Value<'static>> {
    let path = site.field(|path| {
        path.push_key("match");
        path.push_key("stages");
    });
    if site.level == MAX_LEVELS {
        let diagnostic = diagnostics::stages_too_deep(site.pod_logs, &path, MAX_LEVELS);
        diagnostics::add(site.diagnostics, diagnostic);
        return Vec::new();
    }
    let yaml = EmbeddedYaml::read(site.pod_logs.root.span().source, text);
    for warning in &yaml.warnings {
        let diagnostic = diagnostics::dubious_stages(site.pod_logs, &path, warning);
        diagnostics::add(site.diagnostics, diagnostic);
    }
    let stages = match decoded(&yaml) {
        Ok(stages) => stages,
        Err((line, why)) => {
            let diagnostic = diagnostics::invalid_stages(site.pod_logs, &path, line, &why);
            diagnostics::add(site.diagnostics, diagnostic);
            return Vec::new();
        }
    };
    let mut inner = Site {
        pod_logs: site.pod_logs,
        path,
        level: site.level + 1,
        diagnostics: site.diagnostics,
    };
    let lowered = stages
        .iter()
        .map(|spec| Value::from(stage(spec, &mut inner)).into_owned());
    lowered.collect()
}

/// The stages of a text, or the line of the first mistake and what it is.
fn decoded<'t>(yaml: &'t EmbeddedYaml<'_>) -> Result<Vec<PipelineStage<'t>>, (u32, String)> {
    if let Some(error) = &yaml.error {
        return Err((error.line, error.message.clone()));
    }
    let Some(document) = &yaml.document else {
        return Ok(Vec::new());
    };
    let root = document.root();
    if let Some(null) = root.items().find(|item| item.is_null()) {
        return Err((yaml.line(null.span()), "found null, expected a stage".to_owned()));
    }
    decode_folding(root).map_err(|error| {
        let line = error.span.map_or(1, |span| yaml.line(span));
        (line, error.to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_json_numbers() {
        let cases = [
            ("1", Some(1.0)),
            ("-2.5e3", Some(-2500.0)),
            (" 0.1\n", Some(0.1)),
            ("1000000", Some(1e6)),
            ("+Inf", None),
            ("01", None),
            (".5", None),
            ("1.", None),
            ("0x1", None),
            ("1 2", None),
            ("1e400", None),
            ("null", None),
            ("\"1\"", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(json_number(text), expected, "{text:?}");
        }
    }

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
