//! Rules that select labels by name.

use super::diagnostics::{self, Place};
use crate::diagnostic::Diagnostic;
use crate::flow::{LabelSet, RuleAction};
use crate::plan::Plan;

/// Returns the finding for a rule that selects only names that no label has.
pub(super) fn finding(labels: &LabelSet<'_>, place: &Place<'_, '_>) -> Option<Diagnostic> {
    let rule = place.rule;
    match rule.action {
        RuleAction::LabelMap => {
            let prefix = literal_prefix(&rule.pattern);
            (!prefix.is_empty() && !labels.may_have_prefix(prefix)).then(|| diagnostics::maps_nothing(place, prefix))
        }
        RuleAction::LabelDrop => {
            let names = rule.expression.literals()?;
            let is_missing = |name: &String| !name.is_empty() && labels.get(name).is_missing();
            (!names.is_empty() && names.iter().all(is_missing)).then(|| diagnostics::drops_no_label(place, names))
        }
        _ => None,
    }
}

/// Returns the literal string that every match of an expression starts with.
fn literal_prefix(pattern: &str) -> &str {
    let mut depth = 0_u32;
    let mut has_alternatives = false;
    for byte in pattern.bytes() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b'|' if depth == 0 => has_alternatives = true,
            _ => {}
        }
    }
    if has_alternatives {
        return "";
    }
    let end = pattern.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(pattern.len());
    let (prefix, rest) = pattern.split_at_checked(end).unwrap_or_default();
    // A repetition applies to the last character.
    match rest.starts_with(['*', '?', '{', '+']) {
        true => prefix.get(..prefix.len().saturating_sub(1)).unwrap_or_default(),
        false => prefix,
    }
}

/// Returns the prefixes of the reserved names that rules for the samples of jobs write.
pub(super) fn written_to_samples<'p>(plan: &'p Plan<'_>) -> impl Iterator<Item = &'p str> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literal_prefixes_of_expressions() {
        for (pattern, expected) in [
            ("__meta_a_(.+)", "__meta_a_"),
            ("__meta_(a|b)", "__meta_"),
            ("a|b", ""),
            ("(a)|b", ""),
            ("ab*", "a"),
            ("ab", "ab"),
            (".*", ""),
            ("a{2}", ""),
        ] {
            assert_eq!(literal_prefix(pattern), expected, "{pattern}");
        }
    }
}
