//! Stages in log pipelines, including those nested in a `match` stage.

use super::diagnostics;
use super::embedded::EmbeddedYaml;
use crate::api::schema::{self, Schema};
use crate::api::{Kind, PipelineStage, PodLogs, Resource};
use crate::diagnostic::suggest::{clear_suggestion, closest};
use crate::diagnostic::{Diagnostic, FieldPath};
use crate::source::SourceId;
use crate::yaml::{Document, Entry, Node, decode_case_insensitive};

/// Maximum nesting depth of `match` stages. The operator is limited only by the size of its stack.
const MAX_LEVELS: usize = 32;

/// Stages in PodLogs, either at the top level or nested in a `match` stage. Nested stages are a YAML string, because a
/// CustomResourceDefinition cannot be recursive.
#[derive(Clone, Copy)]
pub struct Stages<'s> {
    list: &'s [PipelineStage<'s>],
    source: SourceId,
    /// Nesting depth of the stages.
    level: usize,
}

impl<'s> Stages<'s> {
    /// Returns a resource's stages.
    pub fn new(pod_logs: &'s Resource<'s, PodLogs<'s>>) -> Self {
        Self { list: &pod_logs.spec.pipeline_stages, source: pod_logs.root.span().source, level: 0 }
    }

    /// Returns an iterator over the stages.
    pub fn iter(self) -> std::slice::Iter<'s, PipelineStage<'s>> {
        self.list.iter()
    }

    /// Returns the stages as JSON with all fields, including those that are not set.
    pub fn to_json(self) -> serde_json::Value {
        serde_json::to_value(self.list).unwrap_or_default()
    }

    /// Whether the stages are nested in a `match` stage, where empty and missing fields have different meanings.
    pub fn is_nested(self) -> bool {
        self.level > 0
    }

    /// Calls `then` with the stages nested in a `match` stage, or returns `None` if their YAML is invalid or nested too
    /// deeply. Such stages are reported during planning.
    pub fn with_nested_stages<R>(self, text: &str, then: impl FnOnce(Stages<'_>) -> R) -> Option<R> {
        if self.level == MAX_LEVELS {
            return None;
        }
        let list = EmbeddedYaml::read(self.source, text);
        let list = decode_stages(&list).ok()?;
        Some(then(self.nested_stages(&list)))
    }

    /// Creates the stages for `list`, which is nested in these stages.
    fn nested_stages<'t>(self, list: &'t [PipelineStage<'t>]) -> Stages<'t> {
        Stages { list, source: self.source, level: self.level + 1 }
    }
}

/// Decodes nested stages (`intoStages`), or returns the line and message of the first error. The YAML is decoded only
/// by the rules of `encoding/json`, because the API server does not validate it.
fn decode_stages<'t>(yaml: &'t EmbeddedYaml<'_>) -> Result<Vec<PipelineStage<'t>>, (u32, String)> {
    if let Some(error) = &yaml.error {
        return Err((error.line, error.message.clone()));
    }
    let Some(document) = &yaml.document else {
        return Ok(Vec::new());
    };
    let root = document.root();
    if let Some(null_item) = root.items().find(|item| item.is_null()) {
        return Err((yaml.line(null_item.span()), "found null, expected a stage".to_owned()));
    }
    decode_case_insensitive(root).map_err(|error| {
        let line = error.span.map_or(1, |span| yaml.line(span));
        (line, error.to_string())
    })
}

/// Reports problems in a resource's stages.
pub(super) fn check(pod_logs: &Resource<'_, PodLogs<'_>>, diagnostics: &mut Vec<Diagnostic>) {
    let path = FieldPath::parse("spec.pipelineStages");
    for (i, stage) in pod_logs.spec.pipeline_stages.iter().enumerate() {
        check_stage(pod_logs, Stages::new(pod_logs), stage, &path.index(i), diagnostics);
    }
}

/// Checks a stage. `path` is the path of the stage, or of the string that contains it.
fn check_stage(
    pod_logs: &Resource<'_, PodLogs<'_>>,
    around: Stages<'_>,
    stage: &PipelineStage<'_>,
    path: &FieldPath<'static>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let path_to = |keys: &[&str]| match around.is_nested() {
        true => path.clone(),
        false => keys.iter().fold(path.clone(), |path, key| path.key((*key).to_owned())),
    };
    for (name, metric) in stage.metrics.iter().flatten() {
        for (i, text) in metric.buckets.iter().enumerate().filter(|(_, text)| bucket(text).is_none()) {
            let mut path = path_to(&["metrics", name, "buckets"]);
            if !around.is_nested() {
                path.push_index(i);
            }
            diagnostics.push(diagnostics::invalid_bucket(pod_logs, &path, text));
        }
    }
    let Some(stages) = stage.r#match.as_ref().map(|stage| stage.stages).filter(|text| !text.is_empty()) else {
        return;
    };
    let path = path_to(&["match", "stages"]);
    if around.level == MAX_LEVELS {
        diagnostics.push(diagnostics::stages_too_deep(pod_logs, &path, MAX_LEVELS));
        return;
    }
    let yaml = EmbeddedYaml::read(around.source, stages);
    let warnings = yaml.warnings.iter();
    diagnostics.extend(warnings.map(|finding| diagnostics::suspicious_stages(pod_logs, &path, finding)));
    match decode_stages(&yaml) {
        Ok(list) => {
            let root = yaml.document.as_ref().map(Document::root);
            let mut report = |entry: &Entry<'_>, help| {
                let line = yaml.line(entry.key_span);
                diagnostics.push(diagnostics::unknown_in_stages(pod_logs, &path, line, entry.key, help));
            };
            if let Some((stages, schema)) = root.zip(schema()) {
                unknown_fields(stages, schema, &mut report);
                for entry in stages.items().flat_map(|stage| empty_stages(stage, schema)) {
                    let line = yaml.line(entry.key_span);
                    diagnostics.push(diagnostics::empty_stage(pod_logs, &path, line, entry.key));
                }
            }
            for stage in &list {
                check_stage(pod_logs, around.nested_stages(&list), stage, &path, diagnostics);
            }
        }
        Err((line, why)) => diagnostics.push(diagnostics::invalid_stages(pod_logs, &path, line, &why)),
    }
}

/// Returns the schema of `pipelineStages`.
fn schema() -> Option<&'static Schema> {
    schema::schema(Kind::PodLogs).field("spec")?.field("pipelineStages")
}

/// Reports keys that match no field, with suggestions. The operator silently drops such keys, because it decodes the
/// stages with `json.Unmarshal`, which matches fields case-insensitively.
fn unknown_fields<'d>(node: Node<'d>, schema: &Schema, report: &mut impl FnMut(&Entry<'d>, Option<String>)) {
    for entry in node.entries() {
        let mut fields = schema.properties.iter();
        match fields.find(|(field, _)| field.eq_ignore_ascii_case(entry.key)) {
            Some((_, schema)) => unknown_fields(entry.value, schema, report),
            None if schema.properties.is_empty() => {
                if let Some(schema) = &schema.additional {
                    unknown_fields(entry.value, schema, report);
                }
            }
            None => {
                let fields = || schema.properties.keys().copied();
                let nearest = clear_suggestion(entry.key, fields()).or_else(|| closest(entry.key, fields()));
                report(&entry, nearest.map(|nearest| format!("did you mean `{nearest}`?")));
            }
        }
    }
    if let Some(schema) = &schema.items {
        node.items().for_each(|item| unknown_fields(item, schema, report));
    }
}

/// Returns the stages without a value in an item of the list, or nothing if the item has a stage with a value. Unknown
/// stages, which are reported elsewhere, are excluded.
fn empty_stages<'d>(item: Node<'d>, schema: &Schema) -> impl Iterator<Item = Entry<'d>> {
    let is_empty = item.entries().all(|entry| entry.value.is_null());
    let is_known = |key: &str| {
        let stages = schema.items.as_ref().map(|item| &item.properties);
        stages.is_some_and(|stages| stages.keys().any(|stage| stage.eq_ignore_ascii_case(key)))
    };
    item.entries().filter(move |entry| is_empty && is_known(entry.key))
}

/// Parses the bound of a histogram bucket, which must be a JSON number (`std.parseJson`). serde_json checks the syntax,
/// and Rust's standard library rounds correctly.
pub fn bucket(text: &str) -> Option<f64> {
    serde_json::from_str::<f64>(text).ok()?;
    text.trim_ascii().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_buckets_as_json_numbers() {
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
            assert_eq!(bucket(text), expected, "{text:?}");
        }
    }
}
