//! Rules that drop everything, or that do nothing because of the values of their source labels.

use super::backslash::has_doubled_backslash;
use super::diagnostics::{self, Place};
use super::subject::Subject;
use crate::diagnostic::Diagnostic;
use crate::flow::{LabelSet, Matching, REPORTED_SAMPLES};
use crate::go::regexp::{TemplatePart, template_parts};
use crate::plan::RelabelAction;

/// Returns the finding for a rule, and whether no target or sample remains after the rule.
pub(super) fn finding(labels: &LabelSet<'_>, place: &Place<'_, '_>, matching: Matching) -> Option<(Diagnostic, bool)> {
    let rule = place.rule;
    if rule.matches_names() || rule.action.compares() {
        return None;
    }
    let missing: Vec<_> =
        rule.sources.iter().map(|name| &**name).filter(|name| labels.get(name).is_missing()).collect();
    let is_all = !rule.sources.is_empty() && missing.len() == rule.sources.len();
    let is_constant = !template_parts(&rule.replacement).any(|part| matches!(part, TemplatePart::Reference(_)));
    match (rule.action, matching) {
        (RelabelAction::Drop, Matching::Always) => Some((diagnostics::drops_everything(place, labels), true)),
        (RelabelAction::Keep, Matching::Never) if missing.is_empty() => {
            Some((diagnostics::drops_everything(place, labels), true))
        }
        (RelabelAction::Keep, Matching::Never) => {
            Some((diagnostics::never_set(place, labels, &missing, matching), true))
        }
        (RelabelAction::Keep, Matching::Always) if rule.pattern.is_empty() => {
            Some((diagnostics::keeps_everything(place), false))
        }
        (RelabelAction::Keep, _) => None,
        (RelabelAction::HashMod | RelabelAction::Lowercase | RelabelAction::Uppercase, _) if is_all => {
            Some((diagnostics::never_set(place, labels, &missing, matching), false))
        }
        (RelabelAction::Replace, Matching::Always) if is_all && !is_constant => {
            Some((diagnostics::never_set(place, labels, &missing, matching), false))
        }
        (RelabelAction::Replace | RelabelAction::Drop, Matching::Never) if !missing.is_empty() => {
            Some((diagnostics::never_set(place, labels, &missing, matching), false))
        }
        (RelabelAction::Replace | RelabelAction::Drop, Matching::Never) if has_doubled_backslash(rule) => {
            Some((diagnostics::doubled_backslash(place), false))
        }
        (RelabelAction::Drop, _) if place.subject == Subject::Sample && drops_only_report_samples(place) => {
            Some((diagnostics::drops_report(place), false))
        }
        _ => None,
    }
}

/// Whether a rule drops only samples that the agent adds after applying the rules (`scrapeLoop.report`).
fn drops_only_report_samples(place: &Place<'_, '_>) -> bool {
    let names = place.rule.expression.literals().unwrap_or_default();
    place.rule.sources == ["__name__"]
        && !names.is_empty()
        && names.iter().all(|name| REPORTED_SAMPLES.contains(&&**name))
}
