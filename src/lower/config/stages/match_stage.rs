//! `match`: stages for lines that match, as YAML text, since a CustomResourceDefinition cannot be recursive.

use super::{Site, stage};
use crate::api::{MatchStage, PipelineStage};
use crate::lower::config::diagnostics;
use crate::lower::config::embedded::EmbeddedYaml;
use crate::lower::config::fields::Fields;
use crate::yaml::{Value, decode_folding};

/// So many levels of `match` may stand in one another; the operator has no limit but its stack.
const MAX_LEVELS: usize = 32;

/// The selector, and the stages for what it selects.
pub(super) fn lower<'s>(spec: &MatchStage<'s>, site: &mut Site<'_, '_>) -> Fields<'s> {
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
        site.diagnostics.push(diagnostic);
        return Vec::new();
    }
    let yaml = EmbeddedYaml::read(site.pod_logs.root.span().source, text);
    for warning in &yaml.warnings {
        let diagnostic = diagnostics::dubious_stages(site.pod_logs, &path, warning);
        site.diagnostics.push(diagnostic);
    }
    let stages = match decoded(&yaml) {
        Ok(stages) => stages,
        Err((line, why)) => {
            let diagnostic = diagnostics::invalid_stages(site.pod_logs, &path, line, &why);
            site.diagnostics.push(diagnostic);
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
