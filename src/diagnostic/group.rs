//! Findings with one cause become one finding with several places: a missing Secret with twelve references is one mistake.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::diagnostic::{Code, Diagnostic, Fix, Label, Occurrence, distinct};

/// Joins the findings that have the same cause. Of each group the most severe finding speaks for all, and among these the one
/// whose code is rarest: a selector that selects nothing before the many resources that it should select, but after a single
/// one of them, whose code is behind it in the table. A consequence speaks only for others, and lends its severity to their cause.
pub fn grouped(diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut groups: Vec<Vec<Diagnostic>> = Vec::new();
    let mut by_cause: HashMap<String, usize> = HashMap::new();
    for diagnostic in distinct(diagnostics) {
        let next = groups.len();
        let cause = diagnostic.cause.clone().or_else(|| place_of(&diagnostic));
        let group = cause.map_or(next, |cause| *by_cause.entry(cause).or_insert(next));
        match groups.get_mut(group) {
            Some(group) => group.push(diagnostic),
            None => groups.push(vec![diagnostic]),
        }
    }
    groups.into_iter().filter_map(join).collect()
}

/// What the same message at one place has in common: an alias repeats the place.
fn place_of(found: &Diagnostic) -> Option<String> {
    let span = found.primary()?.span;
    Some(format!("{} at {span:?}: {}", found.code, found.message))
}

fn join(mut group: Vec<Diagnostic>) -> Option<Diagnostic> {
    if group.len() < 2 {
        return group.pop();
    }
    let mut times: HashMap<Code, usize> = HashMap::new();
    for diagnostic in &group {
        *times.entry(diagnostic.code).or_default() += 1;
    }
    let rarity = |diagnostic: &Diagnostic| times.get(&diagnostic.code).copied();
    let place = |diagnostic: &Diagnostic| diagnostic.primary().map(|label| label.span);
    let rank = |found: &Diagnostic| {
        (
            found.is_consequence,
            Reverse(found.severity),
            rarity(found),
            Reverse(found.code),
            place(found),
        )
    };
    let (first, _) = group.iter().enumerate().min_by_key(|(_, found)| rank(found))?;
    let severity = group.iter().map(|found| found.severity).max()?;
    let fix = Fix::of_all(group.iter().filter_map(|found| found.fix.as_ref()));
    let mut speaker = group.remove(first);
    speaker.fix = fix;
    speaker.severity = severity;
    speaker.also = group
        .into_iter()
        .filter_map(|found| occurrence(found, &speaker))
        .collect();
    speaker.also.sort();
    speaker.also.dedup();
    Some(speaker)
}

/// The place of a finding, unless the one that speaks for it shows the place already.
fn occurrence(found: Diagnostic, speaker: &Diagnostic) -> Option<Occurrence> {
    let Label { span, text } = found.labels.into_iter().next()?;
    let is_shown = speaker.labels.iter().any(|label| label.span == span);
    (!is_shown).then_some(Occurrence {
        label: Label { span, text },
        resource: found.resource,
        path: found.path,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Severity;
    use crate::source::{Source, Sources, Span};

    fn found(code: Code, start: usize) -> Diagnostic {
        let mut sources = Sources::default();
        let id = sources.add(Source::new("x.yaml", "", true));
        Diagnostic::new(code, "m").label(Span::new(id, start, start + 1), "here")
    }

    /// The code, severity and first place of each finding, and the other places.
    fn places(found: Vec<Diagnostic>) -> Vec<(Code, Severity, u32, Vec<u32>)> {
        let start = |label: &Label| label.span.start;
        let of = |found: Diagnostic| {
            let also = found.also.iter().map(|also| start(&also.label)).collect();
            (found.code, found.severity, found.primary().map(start).unwrap(), also)
        };
        grouped(found).into_iter().map(of).collect()
    }

    #[test]
    fn one_cause_is_one_finding_at_its_first_place() {
        let secret = |start| found(Code::MissingSecret, start).cause("Secret/a/b");
        let all = vec![
            secret(9),
            secret(3),
            secret(9),
            found(Code::MissingSecret, 5),
            secret(7),
        ];
        let error = Severity::Error;
        let expected = [
            (Code::MissingSecret, error, 3, vec![7, 9]),
            (Code::MissingSecret, error, 5, vec![]),
        ];
        assert_eq!(places(all), expected);
    }

    #[test]
    fn the_most_severe_speaks_then_the_rarest() {
        let of = |code, start| found(code, start).cause("typo");
        let child = |start| of(Code::Unselected, start);
        let selector = of(Code::SelectsNothing, 9);
        let warning = Severity::Warning;
        let expected = (Code::SelectsNothing, warning, 9, vec![1, 2]);
        assert_eq!(places(vec![child(1), child(2), selector.clone()]), [expected]);
        let expected = (Code::Unselected, warning, 10, vec![9]);
        assert_eq!(places(vec![selector.clone(), child(10)]), [expected]);
        let expected = (Code::Unselected, Severity::Error, 2, vec![1, 9]);
        let denied = child(2).severity(Severity::Error);
        assert_eq!(places(vec![child(1), denied, selector.clone()]), [expected]);
    }

    #[test]
    fn a_cause_speaks_for_its_consequences_as_severely_as_they_are() {
        let cause = found(Code::Unselected, 9).cause("typo");
        let consequence = |start| found(Code::UnknownInstance, start).consequence_of("typo");
        let expected = (Code::Unselected, Severity::Error, 9, vec![1, 2]);
        assert_eq!(places(vec![consequence(2), cause, consequence(1)]), [expected]);
        let expected = (Code::UnknownInstance, Severity::Error, 1, vec![2]);
        assert_eq!(places(vec![consequence(2), consequence(1)]), [expected]);
    }
}
