//! Effects of a batch of fixes.

use std::collections::{HashMap, HashSet};

use super::candidate::{FixCandidate, FixSubject};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::SourceId;

/// Findings for an input, reduced to the facts that determine whether fixes are accepted.
#[derive(Debug, Default)]
pub(super) struct SeenFindings {
    /// Code and field of each finding.
    all: Vec<(Code, FixSubject)>,
    /// Number of findings that make part of a source unreadable.
    unreadable: HashMap<SourceId, usize>,
    /// Codes with findings that are counted but not listed.
    counted: HashSet<Code>,
}

impl SeenFindings {
    pub(super) fn new(findings: &[Diagnostic]) -> Self {
        let mut seen = Self::default();
        for finding in findings {
            if finding.left_out > 0 {
                seen.counted.insert(finding.code);
            }
            let is_unreadable = finding.code.as_str().starts_with("yaml-") || finding.code == Code::DuplicateKey;
            if let Some(label) = finding.primary().filter(|_| is_unreadable) {
                *seen.unreadable.entry(label.span.source).or_default() += 1;
            }
            seen.all.push((finding.code, FixSubject::new(finding)));
        }
        seen
    }

    /// Returns the number of findings that make part of a source unreadable.
    pub(super) fn unreadable_count(&self, id: SourceId) -> usize {
        self.unreadable.get(&id).copied().unwrap_or_default()
    }
}

/// Findings that appeared after a batch of fixes.
pub(super) struct NewFindings {
    fields: HashSet<u64>,
    /// Digests of the findings' codes and parent fields.
    siblings: HashSet<u64>,
    /// Digests of the fields in findings whose codes also have unlisted findings.
    counted: HashSet<u64>,
}

impl NewFindings {
    pub(super) fn new(before: &SeenFindings, after: &SeenFindings) -> Self {
        let key = |(code, subject): &(Code, FixSubject)| (*code, subject.field);
        let known_keys: HashSet<_> = before.all.iter().map(key).collect();
        let new = || after.all.iter().filter(|finding| !known_keys.contains(&key(finding)));
        let counted = new().filter(|(code, _)| after.counted.contains(code));
        // If unlisted findings with this code existed before, this finding may be one of them instead of a new finding.
        let siblings = new().filter(|(code, _)| !before.counted.contains(code));
        Self {
            fields: new().map(|(_, subject)| subject.field).collect(),
            siblings: siblings.filter_map(|(_, subject)| subject.sibling).collect(),
            counted: counted.map(|(_, subject)| subject.field).collect(),
        }
    }

    /// Whether a new finding is in the fixed field, or is the old finding under the field's new name.
    pub(super) fn caused_by(&self, fixed: FixSubject) -> bool {
        let is_sibling = |sibling| self.siblings.contains(&sibling);
        self.fields.contains(&fixed.field) || fixed.sibling.is_some_and(is_sibling)
    }

    /// Returns the fixes that cause new findings. If only some of the new findings for a field are listed, fixes for
    /// the same field in other list items are also treated as wrong, because unlisted findings may be caused by them.
    pub(super) fn faulty_fixes<'c>(&self, fixed: &[&'c FixCandidate]) -> Vec<&'c FixCandidate> {
        let faulty = fixed.iter().copied().filter(|fixed| self.caused_by(fixed.subject));
        let faulty: Vec<_> = faulty.collect();
        let is_counted = |faulty: &&&FixCandidate| self.counted.contains(&faulty.subject.field);
        let shapes: HashSet<_> = faulty.iter().filter(is_counted).map(|faulty| faulty.shape).collect();
        if shapes.is_empty() {
            return faulty;
        }
        let is_wrong = |fixed: &&FixCandidate| shapes.contains(&fixed.shape) || self.caused_by(fixed.subject);
        fixed.iter().copied().filter(is_wrong).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Edit, Fix};
    use crate::source::{Source, Sources, Span};
    use crate::testing;

    fn finding(code: Code, path: &str) -> Diagnostic {
        Diagnostic::new(code, "m").path(path)
    }

    #[test]
    fn rejects_renames_that_cause_the_same_finding() {
        let unknown = |path| finding(Code::UnknownField, path);
        let (before, after) =
            (SeenFindings::new(&[unknown("a.b")]), SeenFindings::new(&[unknown("a.c"), unknown("d.e")]));
        let new_findings = NewFindings::new(&before, &after);
        for (path, expected) in
            [("a.b", true), ("a.c", true), ("d.f", true), ("d.e", true), ("e.a", false), ("b", false)]
        {
            assert_eq!(new_findings.caused_by(FixSubject::new(&unknown(path))), expected, "{path}");
        }
        // A fix for a value does not change the field's name.
        for code in [Code::DuplicateItem, Code::WrongType] {
            assert!(!new_findings.caused_by(FixSubject::new(&finding(code, "a.b"))));
        }
        let no_new_findings = NewFindings::new(&before, &before);
        assert!(!no_new_findings.caused_by(FixSubject::new(&unknown("a.b"))));
        let counted_findings = [unknown("a.b"), unknown("").for_others(5)];
        let new_findings = NewFindings::new(&SeenFindings::new(&counted_findings), &after);
        assert!(!new_findings.caused_by(FixSubject::new(&unknown("a.b"))));
    }

    #[test]
    fn unlisted_findings_are_not_new() {
        let id = testing::source_id();
        let candidate = |path: &str| {
            let fix = Fix::certain("t", vec![Edit::replace(Span::new(id, 0, 1), "")]);
            FixCandidate::new(&finding(Code::WrongType, path).fix_if(Some(fix))).unwrap()
        };
        let candidates = ["a[0].b", "a[1].b", "a[1].c"].map(candidate);
        let fixed: Vec<_> = candidates.iter().collect();
        let new_finding = finding(Code::DuplicateItem, "a[0].b");
        let unlisted_findings = |count| finding(Code::DuplicateItem, "").for_others(count);
        let other_finding = finding(Code::InvalidUrl, "").for_others(5);
        for (after, expected) in [
            (vec![new_finding.clone()], 1),
            (vec![new_finding.clone(), other_finding], 1),
            (vec![new_finding.clone(), unlisted_findings(5)], 2),
            (vec![unlisted_findings(5)], 0),
        ] {
            let new_findings = NewFindings::new(&SeenFindings::default(), &SeenFindings::new(&after));
            assert_eq!(new_findings.faulty_fixes(&fixed).len(), expected, "{after:?}");
        }
    }

    #[test]
    fn counts_findings_that_make_a_source_unreadable() {
        let mut sources = Sources::default();
        let [one, other_id] = ["a", "b"].map(|name| sources.add(Source::new(name, "", true)));
        let at = |code, id| Diagnostic::new(code, "m").label(Span::new(id, 0, 1), "");
        let seen = SeenFindings::new(&[
            at(Code::YamlSyntax, one),
            at(Code::DuplicateKey, one),
            at(Code::UnknownField, one),
            at(Code::YamlSyntax, other_id),
            Diagnostic::new(Code::YamlSyntax, "m"),
        ]);
        assert_eq!((seen.unreadable_count(one), seen.unreadable_count(other_id)), (2, 1));
    }
}
