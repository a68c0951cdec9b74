//! The stages of a log pipeline.
//!
//! What: a stage without what Promtail needs, or with what excludes each other (`validate…Config` of its stages). Why: the
//! agent does not start. Example: `timestamp` without `format`, two stages in one item of the list.

use super::stage;
use crate::api::PipelineStage;
use crate::check::diagnostics;
use crate::check::place::Place;
use crate::diagnostic::Diagnostic;
use crate::source::SourceId;
use crate::yaml::{Limits, decode_folding, read};

/// So many levels of `match` may stand in one another, as where the configuration is made.
const MAX_LEVELS: usize = 32;

/// Checks a list of stages, of a resource that stands in `source`.
pub fn check(stages: &[PipelineStage<'_>], source: SourceId, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    check_level(stages, source, at, 0, found);
}

fn check_level(
    stages: &[PipelineStage<'_>],
    source: SourceId,
    at: &Place<'_>,
    level: usize,
    found: &mut Vec<Diagnostic>,
) {
    for (i, item) in stages.iter().enumerate() {
        let at = at.index(i);
        one_kind(item, &at, found);
        stage::check(item, &at, found);
        if let Some(spec) = &item.r#match {
            nested(spec.stages, spec.action, source, &at.key("match"), level, found);
        }
    }
}

/// An item of the list is one stage (`NewPipeline`).
fn one_kind(item: &PipelineStage<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
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
        (
            "metrics",
            item.metrics.as_ref().is_some_and(|metrics| !metrics.is_empty()),
        ),
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
        let message = format!("`{first}` and `{second}` stand in one item, expected one stage");
        let help = "give each stage an item of its own";
        found.push(diagnostics::invalid_stage(&at.key(second), message, help).label(at.key(first).span(), "set here"));
    }
}

/// The stages in the text of a `match`. What is no YAML, or no list of stages, is reported where the configuration is made.
fn nested(text: &str, action: &str, source: SourceId, at: &Place<'_>, level: usize, found: &mut Vec<Diagnostic>) {
    if level == MAX_LEVELS {
        return;
    }
    let document = read(source, text, &Limits::default()).output.into_iter().next();
    let root = document.as_ref().map(|document| document.root());
    let stages: Vec<PipelineStage<'_>> = match root.map(decode_folding) {
        None => Vec::new(),
        Some(Ok(stages)) => stages,
        Some(Err(_)) => return,
    };
    let at = at.key("stages");
    if action == "drop" && !stages.is_empty() {
        let help = "remove `stages`, or use the action `keep`";
        found.push(diagnostics::invalid_stage(
            &at,
            "the action `drop` must not have `stages`",
            help,
        ));
    }
    if matches!(action, "" | "keep") && stages.is_empty() {
        let help = "add stages, or use the action `drop`";
        found.push(diagnostics::invalid_stage(
            &at,
            "the action `keep` needs at least one stage",
            help,
        ));
    }
    check_level(&stages, source, &at.text(), level + 1, found);
}
