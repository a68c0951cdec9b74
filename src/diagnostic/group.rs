//! Grouping of findings with the same cause. For example, a missing Secret with twelve references is a single error.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::diagnostic::{Code, Diagnostic, Fix, Label, Occurrence, distinct};

/// Groups the findings that share a cause.
///
/// The most severe finding represents its group. If several are equally severe, the one with the rarest code is chosen,
/// and then the one whose code is last in the table. For example, a selector that selects nothing represents the many
/// resources that it should select, but if there is only one such resource, the resource represents the selector. A
/// consequence represents the group only if there is no other finding, but it still raises the severity of the group.
pub fn group_by_cause(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut groups: Vec<Vec<Diagnostic>> = Vec::new();
    let mut by_cause: HashMap<String, usize> = HashMap::new();
    for diagnostic in distinct(diagnostics) {
        let next = groups.len();
        let cause = diagnostic.cause.clone().or_else(|| location_cause(&diagnostic));
        let group = cause.map_or(next, |cause| *by_cause.entry(cause).or_insert(next));
        match groups.get_mut(group) {
            Some(group) => group.push(diagnostic),
            None => groups.push(vec![diagnostic]),
        }
    }
    groups.into_iter().filter_map(join).collect()
}

/// Returns a cause that identical findings at one location share, such as those that an alias repeats.
fn location_cause(finding: &Diagnostic) -> Option<String> {
    let span = finding.primary()?.span;
    Some(format!("{} at {span:?}: {}", finding.code, finding.message))
}

fn join(mut group: Vec<Diagnostic>) -> Option<Diagnostic> {
    if group.len() < 2 {
        return group.pop();
    }
    let mut code_counts: HashMap<Code, usize> = HashMap::new();
    for diagnostic in &group {
        *code_counts.entry(diagnostic.code).or_default() += 1;
    }
    let rarity = |diagnostic: &Diagnostic| code_counts.get(&diagnostic.code).copied();
    let place = |diagnostic: &Diagnostic| diagnostic.primary().map(|label| label.span);
    let rank = |finding: &Diagnostic| {
        (
            finding.left_out > 0,
            finding.is_consequence,
            Reverse(finding.severity),
            rarity(finding),
            Reverse(finding.code),
            place(finding),
        )
    };
    let (first, _) = group.iter().enumerate().min_by_key(|(_, found)| rank(found))?;
    let severity = group.iter().map(|finding| finding.severity).max()?;
    let fix = Fix::combine(group.iter().filter_map(|finding| finding.fix.as_ref()));
    let mut representative = group.remove(first);
    if representative.left_out == 0 {
        representative.other_occurrences_left_out = group.iter().map(|found| found.left_out).sum();
    }
    representative.fix = fix;
    representative.severity = severity;
    for member in &group {
        let missing_inputs = member.found_in.iter().filter(|name| !representative.found_in.contains(name));
        let missing_inputs: Vec<_> = missing_inputs.cloned().collect();
        representative.found_in.extend(missing_inputs);
    }
    representative.other_occurrences =
        group.into_iter().filter_map(|finding| occurrence(finding, &representative)).collect();
    representative.other_occurrences.sort();
    representative.other_occurrences.dedup();
    Some(representative)
}

/// Returns a finding's location, or `None` if the group's representative already has this location.
fn occurrence(finding: Diagnostic, representative: &Diagnostic) -> Option<Occurrence> {
    let Label { span, text } = finding.labels.into_iter().next()?;
    let is_shown = representative.labels.iter().any(|label| label.span == span);
    (!is_shown).then_some(Occurrence { label: Label { span, text }, resource: finding.resource, path: finding.path })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Severity;
    use crate::source::{Source, Sources, Span};

    fn finding(code: Code, start: usize) -> Diagnostic {
        let mut sources = Sources::default();
        let id = sources.add(Source::new("x.yaml", "", true));
        Diagnostic::new(code, "m").label(Span::new(id, start, start + 1), "here")
    }

    /// Returns the code, severity, first position and other positions of each finding.
    fn places(findings: Vec<Diagnostic>) -> Vec<(Code, Severity, u32, Vec<u32>)> {
        let start = |label: &Label| label.span.start;
        let starts = |finding: Diagnostic| {
            let other_starts = finding.other_occurrences.iter().map(|occurrence| start(&occurrence.label)).collect();
            (finding.code, finding.severity, finding.primary().map(start).unwrap(), other_starts)
        };
        group_by_cause(findings).into_iter().map(starts).collect()
    }

    #[test]
    fn groups_list_the_inputs_of_all_findings() {
        let input_finding = |start, name: &str| {
            let mut finding_in_input = finding(Code::MissingSecret, start).cause("Secret/a/b");
            finding_in_input.found_in.push(name.to_owned());
            finding_in_input
        };
        let grouped = group_by_cause(vec![input_finding(3, "x"), input_finding(5, "y"), input_finding(7, "x")]);
        assert_eq!(grouped[0].found_in, ["x", "y"]);
    }

    #[test]
    fn groups_findings_with_the_same_cause() {
        let secret = |start| finding(Code::MissingSecret, start).cause("Secret/a/b");
        let all_findings = vec![secret(9), secret(3), secret(9), finding(Code::MissingSecret, 5), secret(7)];
        let error = Severity::Error;
        let expected = [(Code::MissingSecret, error, 3, vec![7, 9]), (Code::MissingSecret, error, 5, vec![])];
        assert_eq!(places(all_findings), expected);
    }

    #[test]
    fn most_severe_then_rarest_finding_represents_the_group() {
        let typo_finding = |code, start| finding(code, start).cause("typo");
        let child = |start| typo_finding(Code::Unselected, start);
        let selector = typo_finding(Code::SelectsNothing, 9);
        let warning = Severity::Warning;
        let expected = (Code::SelectsNothing, warning, 9, vec![1, 2]);
        assert_eq!(places(vec![child(1), child(2), selector.clone()]), [expected]);
        let expected = (Code::Unselected, warning, 10, vec![9]);
        assert_eq!(places(vec![selector.clone(), child(10)]), [expected]);
        let expected = (Code::Unselected, Severity::Error, 2, vec![1, 9]);
        let denied_finding = child(2).severity(Severity::Error);
        assert_eq!(places(vec![child(1), denied_finding, selector.clone()]), [expected]);
    }

    #[test]
    fn causes_have_the_severity_of_their_consequences() {
        let cause = finding(Code::Unselected, 9).cause("typo");
        let consequence = |start| finding(Code::UnknownInstance, start).consequence_of("typo");
        let expected = (Code::Unselected, Severity::Error, 9, vec![1, 2]);
        assert_eq!(places(vec![consequence(2), cause, consequence(1)]), [expected]);
        let expected = (Code::UnknownInstance, Severity::Error, 1, vec![2]);
        assert_eq!(places(vec![consequence(2), consequence(1)]), [expected]);
    }
}
