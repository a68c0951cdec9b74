//! What a round of fixes brings.

use std::collections::{HashMap, HashSet};

use super::candidate::{Candidate, Subject};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::SourceId;

/// What is found in an input, as far as it decides about fixes.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// What each finding is about.
    all: Vec<(Code, Subject)>,
    /// Number of findings that keep parts of a source from being read.
    unread: HashMap<SourceId, usize>,
    /// The codes of which some findings are only counted.
    counted: HashSet<Code>,
}

impl Seen {
    pub(super) fn new(found: &[Diagnostic]) -> Self {
        let mut seen = Self::default();
        for found in found {
            if found.left_out > 0 {
                seen.counted.insert(found.code);
            }
            let is_reading = found.code.as_str().starts_with("yaml-") || found.code == Code::DuplicateKey;
            if let Some(label) = found.primary().filter(|_| is_reading) {
                *seen.unread.entry(label.span.source).or_default() += 1;
            }
            seen.all.push((found.code, Subject::new(found)));
        }
        seen
    }

    /// Number of findings that keep parts of a source from being read.
    pub(super) fn unread(&self, id: SourceId) -> usize {
        self.unread.get(&id).copied().unwrap_or_default()
    }
}

/// What was not found before.
pub(super) struct News {
    fields: HashSet<u64>,
    /// The codes, with the mappings whose entries they are about.
    siblings: HashSet<u64>,
    /// The fields with a code of which not all findings are listed.
    counted: HashSet<u64>,
}

impl News {
    pub(super) fn new(before: &Seen, after: &Seen) -> Self {
        let key = |(code, subject): &(Code, Subject)| (*code, subject.field);
        let known: HashSet<_> = before.all.iter().map(key).collect();
        let new = || after.all.iter().filter(|found| !known.contains(&key(found)));
        let counted = new().filter(|(code, _)| after.counted.contains(code));
        // One that was only counted before is not new.
        let siblings = new().filter(|(code, _)| !before.counted.contains(code));
        Self {
            fields: new().map(|(_, subject)| subject.field).collect(),
            siblings: siblings.filter_map(|(_, subject)| subject.sibling).collect(),
            counted: counted.map(|(_, subject)| subject.field).collect(),
        }
    }

    /// Whether something new is about a field that was mended, or is the same of it under its new name.
    pub(super) fn come_of(&self, mended: Subject) -> bool {
        let is_sibling = |sibling| self.siblings.contains(&sibling);
        self.fields.contains(&mended.field) || mended.sibling.is_some_and(is_sibling)
    }

    /// Fixes that lead to new findings. If not all of these are listed, fixes of the same field in other items are wrong, too.
    pub(super) fn wrong<'c>(&self, mended: &[&'c Candidate]) -> Vec<&'c Candidate> {
        let wrong = mended.iter().copied().filter(|mended| self.come_of(mended.subject));
        let wrong: Vec<_> = wrong.collect();
        let is_counted = |wrong: &&&Candidate| self.counted.contains(&wrong.subject.field);
        let shapes: HashSet<_> = wrong.iter().filter(is_counted).map(|wrong| wrong.shape).collect();
        if shapes.is_empty() {
            return wrong;
        }
        let is_wrong = |mended: &&Candidate| shapes.contains(&mended.shape) || self.come_of(mended.subject);
        mended.iter().copied().filter(is_wrong).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Edit, Fix};
    use crate::source::{Source, Sources, Span};

    fn finding(code: Code, path: &str) -> Diagnostic {
        Diagnostic::new(code, "m").path(path)
    }

    #[test]
    fn a_new_name_with_the_same_finding_is_undone() {
        let unknown = |path| finding(Code::UnknownField, path);
        let (before, after) = (
            Seen::new(&[unknown("a.b")]),
            Seen::new(&[unknown("a.c"), unknown("d.e")]),
        );
        let news = News::new(&before, &after);
        for (path, expected) in [
            ("a.b", true),
            ("a.c", true),
            ("d.f", true),
            ("d.e", true),
            ("e.a", false),
            ("b", false),
        ] {
            assert_eq!(news.come_of(Subject::new(&unknown(path))), expected, "{path}");
        }
        // The fix of a value leaves the name as it is.
        for code in [Code::DuplicateItem, Code::WrongType] {
            assert!(!news.come_of(Subject::new(&finding(code, "a.b"))));
        }
        let none = News::new(&before, &before);
        assert!(!none.come_of(Subject::new(&unknown("a.b"))));
        let counted = [unknown("a.b"), unknown("").for_others(5)];
        let news = News::new(&Seen::new(&counted), &after);
        assert!(!news.come_of(Subject::new(&unknown("a.b"))));
    }

    #[test]
    fn what_is_only_counted_is_taken_for_the_same() {
        let id = Sources::default().add(Source::new("x.yaml", "", true));
        let candidate = |path: &str| {
            let fix = Fix::certain("t", vec![Edit::replace(Span::new(id, 0, 1), "")]);
            Candidate::new(&finding(Code::WrongType, path).fix_if(Some(fix))).unwrap()
        };
        let all = ["a[0].b", "a[1].b", "a[1].c"].map(candidate);
        let mended: Vec<_> = all.iter().collect();
        let new = finding(Code::DuplicateItem, "a[0].b");
        let others = |count| finding(Code::DuplicateItem, "").for_others(count);
        let elsewhere = finding(Code::InvalidUrl, "").for_others(5);
        for (after, expected) in [
            (vec![new.clone()], 1),
            (vec![new.clone(), elsewhere], 1),
            (vec![new.clone(), others(5)], 2),
            (vec![others(5)], 0),
        ] {
            let news = News::new(&Seen::default(), &Seen::new(&after));
            assert_eq!(news.wrong(&mended).len(), expected, "{after:?}");
        }
    }

    #[test]
    fn what_cannot_be_read_of_a_source() {
        let mut sources = Sources::default();
        let [one, other] = ["a", "b"].map(|name| sources.add(Source::new(name, "", true)));
        let at = |code, id| Diagnostic::new(code, "m").label(Span::new(id, 0, 1), "");
        let seen = Seen::new(&[
            at(Code::YamlSyntax, one),
            at(Code::DuplicateKey, one),
            at(Code::UnknownField, one),
            at(Code::YamlSyntax, other),
            Diagnostic::new(Code::YamlSyntax, "m"),
        ]);
        assert_eq!((seen.unread(one), seen.unread(other)), (2, 1));
    }
}
