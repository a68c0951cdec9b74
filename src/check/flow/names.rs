//! Rules that select labels by name.

use super::diagnostics::{self, Place};
use crate::diagnostic::Diagnostic;
use crate::flow::{LabelSet, literal_prefix};
use crate::plan::{Plan, RelabelAction};

/// Returns the finding for a rule that selects only names that no label has.
pub(super) fn finding(labels: &LabelSet<'_>, place: &Place<'_, '_>) -> Option<Diagnostic> {
    let rule = place.rule;
    match rule.action {
        RelabelAction::LabelMap => {
            let prefix = literal_prefix(&rule.pattern);
            (!prefix.is_empty() && !labels.may_have_prefix(prefix)).then(|| diagnostics::maps_nothing(place, prefix))
        }
        RelabelAction::LabelDrop => {
            let names = rule.expression.literals()?;
            let is_missing = |name: &String| !name.is_empty() && labels.get(name).is_missing();
            (!names.is_empty() && names.iter().all(is_missing)).then(|| diagnostics::drops_no_label(place, names))
        }
        _ => None,
    }
}

/// Returns the prefixes of reserved label names that jobs' sample rules write.
pub(super) fn sample_label_prefixes<'p>(plan: &'p Plan<'_>) -> impl Iterator<Item = &'p str> {
    let sources = plan.metrics.iter().flat_map(|instance| crate::plan::Instance::Metrics(instance).sources());
    let rules = sources.flat_map(|source| source.configured_rules()[1]);
    let prefixes = rules.filter_map(|rule| {
        let is_map = rule.action.eq_ignore_ascii_case("labelmap");
        let template = if is_map { rule.replacement } else { rule.target_label };
        if template.is_empty() && !is_map {
            return None;
        }
        template.split('$').next()
    });
    prefixes.filter(|prefix| prefix.is_empty() || prefix.starts_with('_'))
}
