//! References to groups that the expression does not have.

use super::diagnostics::{self, Place};
use crate::diagnostic::Diagnostic;
use crate::flow::LabelSet;
use crate::go::regexp::{TemplatePart, group_number, template_parts};
use crate::plan::RelabelAction;

/// Returns the finding for a rule whose references expand to nothing.
pub(super) fn finding(labels: &LabelSet<'_>, place: &Place<'_, '_>) -> Option<Diagnostic> {
    match place.rule.action {
        RelabelAction::LabelMap => empty_name(labels, place),
        RelabelAction::Replace => missing_group(place),
        _ => None,
    }
}

/// Finding for a `labelmap` rule that copies a label to the empty name.
fn empty_name(labels: &LabelSet<'_>, place: &Place<'_, '_>) -> Option<Diagnostic> {
    let rule = place.rule;
    let matcher = &rule.expression.matcher;
    let is_missing = |part| matches!(part, TemplatePart::Reference(name) if !matcher.has_group(name));
    if template_parts(&rule.replacement).all(is_missing) {
        return Some(diagnostics::empty_label_name(place, None));
    }
    let names = labels.certain_names();
    let name = names
        .iter()
        .find(|name| matcher.find(name).is_some_and(|groups| matcher.expand(&rule.replacement, &groups).is_empty()))?;
    Some(diagnostics::empty_label_name(place, Some(name)))
}

fn missing_group(place: &Place<'_, '_>) -> Option<Diagnostic> {
    let rule = place.rule;
    let lacks_group = |name: &str| !rule.expression.matcher.has_group(name);
    let in_target = template_parts(&rule.target).find_map(|part| match part {
        TemplatePart::Reference(name) if lacks_group(name) => Some(name),
        _ => None,
    });
    if let Some(name) = in_target {
        return Some(diagnostics::missing_group(place, name));
    }
    let parts: Vec<_> = template_parts(&rule.replacement).collect();
    let is_missing = |part: &TemplatePart<'_>| matches!(part, TemplatePart::Reference(name) if lacks_group(name));
    let is_text = |part: Option<&TemplatePart<'_>>| matches!(part, Some(TemplatePart::Text(_)));
    let name = parts.iter().enumerate().find_map(|(i, part)| {
        let TemplatePart::Reference(name) = part else { return None };
        let is_misread = name.starts_with(|c: char| c.is_ascii_digit()) && group_number(name).is_none();
        let is_beside_text = is_text(i.checked_sub(1).and_then(|i| parts.get(i))) || is_text(parts.get(i + 1));
        (lacks_group(name) && (is_misread || is_beside_text)).then_some(*name)
    });
    if let Some(name) = name {
        return Some(diagnostics::missing_group(place, name));
    }
    let first = parts.first().filter(|_| parts.iter().all(is_missing))?;
    let TemplatePart::Reference(name) = first else { return None };
    let is_deliberate = rule.sources.contains(&rule.target) || place.sets_explicitly("replacement", "");
    (!is_deliberate || rule.target == "__name__").then(|| diagnostics::missing_group(place, name))
}
