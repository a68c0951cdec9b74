//! Labels without which a scrape fails.

use super::diagnostics::{Place, Problem};
use super::subject::Subject;
use crate::flow::{LabelSet, Matching, Values};
use crate::go::regexp::{TemplatePart, template_parts};
use crate::plan::RelabelAction;

/// Returns the labels that a target or sample requires and that still exist.
pub(super) fn present_labels(subject: Subject, labels: &LabelSet<'_>) -> Vec<&'static str> {
    required_labels(subject).iter().copied().filter(|name| !labels.get(name).is_missing()).collect()
}

fn required_labels(subject: Subject) -> &'static [&'static str] {
    match subject {
        Subject::Target => &["__address__", "__scrape_interval__", "__scrape_timeout__"],
        Subject::AlloyTarget => &["__address__"],
        Subject::LogTarget => &["__path__"],
        Subject::Sample | Subject::SentSample => &["__name__"],
    }
}

/// Returns the problem that a rule causes. `before` contains the labels that were present before the rule.
pub(super) fn find_lost_requirement(
    place: &Place<'_, '_>,
    before: &[&'static str],
    after: &LabelSet<'_>,
    matching: Matching,
) -> Option<Problem> {
    let rule = place.rule;
    if let Some(name) = before.iter().find(|name| after.get(name).is_missing()) {
        return Some(Problem::Removed(name));
    }
    let target =
        rule.fixed_target().filter(|_| rule.action == RelabelAction::Replace && matching != Matching::Never)?;
    if matches!(place.subject, Subject::Target | Subject::AlloyTarget) && target == "__scheme__" {
        let Values::Known(schemes) = after.get(target) else { return None };
        let is_supported = |scheme: &String| matches!(scheme.as_str(), "http" | "https" | "");
        let wrong_scheme = schemes.first().filter(|_| !schemes.iter().any(is_supported))?;
        return Some(Problem::Scheme(wrong_scheme.clone()));
    }
    let literals = template_parts(&rule.replacement).filter_map(|part| match part {
        TemplatePart::Text(text) => Some(text),
        TemplatePart::Reference(_) => None,
    });
    let mut written_chars = literals.flat_map(str::chars);
    if matches!(place.subject, Subject::Target | Subject::AlloyTarget) && target == "__address__" {
        return written_chars.any(|c| c == '/').then_some(Problem::Address);
    }
    if !place.subject.is_target() && target == "__name__" {
        let invalid_char = written_chars.find(|c| !c.is_ascii_alphanumeric() && !matches!(c, '_' | ':'));
        return invalid_char.map(Problem::MetricName);
    }
    None
}
