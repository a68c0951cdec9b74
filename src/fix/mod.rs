//! Findings → the same input with what mends them for certain.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::diagnostic::{Code, Diagnostic, Edit, Fix, ObjectKey, applied};
use crate::report::grouped;
use crate::source::{Source, SourceId, Sources};

/// What is mended can show more that can be: so many times at most.
const ROUNDS: usize = 40;

/// An input with its certain fixes.
#[derive(Debug)]
pub struct Fixed {
    /// The texts, under the numbers that they had.
    pub sources: Sources,
    /// Number of findings that were mended.
    pub count: usize,
    /// The sources with fixes that `may_change` keeps as they are.
    pub kept: BTreeSet<SourceId>,
    /// The fixes that bring another finding to the same field.
    refused: HashSet<Promise>,
}

/// A fix of a finding, wherever in the text it is.
type Promise = (Option<SourceId>, Field, String);

fn promise(found: &Diagnostic) -> Option<Promise> {
    let fix = found.fix.as_ref().filter(|fix| fix.is_certain())?;
    let source = fix.edits.first().map(|edit| edit.span.source);
    Some((source, field(found), fix.title.clone()))
}

fn edits(found: &Diagnostic) -> impl Iterator<Item = &Edit> {
    found.fix.iter().flat_map(|fix| &fix.edits)
}

/// The field of a finding.
type Field = (Option<ObjectKey>, Option<String>);

fn field(found: &Diagnostic) -> Field {
    (found.resource.clone(), found.path.clone())
}

impl Fixed {
    /// Makes fixes that turned out to bring another finding only likely.
    pub fn demote_refused(&self, found: &mut [Diagnostic]) {
        let is_refused =
            |found: &&mut Diagnostic| promise(found).is_some_and(|promise| self.refused.contains(&promise));
        for found in found.iter_mut().filter(is_refused) {
            found.fix = found.fix.take().map(Fix::likely);
        }
    }

    /// Refuses the fixes of findings, with those of the findings that are joined in them.
    fn refuse(&mut self, refused: &[&Diagnostic], found: &[Diagnostic]) {
        let all: HashSet<_> = refused.iter().copied().flat_map(edits).collect();
        let parts = found.iter().filter(|part| edits(part).all(|edit| all.contains(edit)));
        self.refused
            .extend(parts.chain(refused.iter().copied()).filter_map(promise));
    }

    /// The sources that have other texts than before, with the ones that they had.
    pub fn changes<'s>(
        &'s self,
        before: &'s Sources,
    ) -> impl Iterator<Item = (SourceId, &'s Source, &'s Source)> + Clone {
        let pairs = before.iter().zip(self.sources.iter());
        pairs.filter_map(|((id, before), (_, after))| (before.text != after.text).then_some((id, before, after)))
    }
}

/// Applies the certain fixes of what `find` finds, and of what it finds then, in the sources that it `may_change`. A fix stays undone
/// if it brings another finding to its field, or lets less of a text be read.
pub fn fix_all(
    sources: &Sources,
    may_change: impl Fn(&Source) -> bool,
    find: impl Fn(&Sources) -> Vec<Diagnostic>,
) -> Fixed {
    let mut fixed = Fixed {
        sources: sources.with_texts(HashMap::new()),
        count: 0,
        kept: BTreeSet::new(),
        refused: HashSet::new(),
    };
    let mut parts = find(sources);
    let mut found = grouped(parts.clone());
    // Fewer at a time find out which of them is wrong.
    let mut most = usize::MAX;
    for _ in 0..ROUNDS {
        let mut round = Round::default();
        for found in &found {
            let Some((promise, fix)) = promise(found).zip(found.fix.as_ref()) else {
                continue;
            };
            let ids = || fix.edits.iter().map(|edit| edit.span.source);
            let kept = |id: &SourceId| !fixed.sources.get(*id).is_some_and(&may_change);
            fixed.kept.extend(ids().filter(kept));
            let is_free = !fixed.refused.contains(&promise) && !ids().any(|id| fixed.kept.contains(&id));
            if is_free && round.mended.len() < most && round.add(fix) {
                round.mended.push(found);
            }
        }
        let texts = round.texts(&fixed.sources);
        if texts.is_empty() {
            return fixed;
        }
        let changed: Vec<_> = texts.keys().copied().collect();
        let next = fixed.sources.with_texts(texts);
        let next_parts = find(&next);
        let after = grouped(next_parts.clone());
        let is_worse = changed.iter().any(|id| unread(&after, *id) > unread(&found, *id));
        let new = News::new(&found, &after);
        let mut wrong = round.mended.clone();
        wrong.retain(|mended| new.come_of(mended));
        if is_worse && wrong.is_empty() {
            most = round.mended.len() / 2;
            if most == 0 {
                wrong.clone_from(&round.mended);
            }
        }
        if wrong.is_empty() && !is_worse {
            most = most.saturating_mul(2);
            fixed.count += round.mended.len();
            fixed.sources = next;
            (parts, found) = (next_parts, after);
            continue;
        }
        if !wrong.is_empty() {
            most = usize::MAX;
        }
        fixed.refuse(&wrong, &parts);
    }
    // What was not tried is not promised.
    fixed.refuse(&found.iter().collect::<Vec<_>>(), &parts);
    fixed
}

/// The findings with the certainty that their fixes turn out to have when they are tried.
pub fn tried(
    sources: &Sources,
    mut found: Vec<Diagnostic>,
    find: impl Fn(&Sources) -> Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let is_promise = |found: &Diagnostic| found.fix.as_ref().is_some_and(Fix::is_certain);
    if found.iter().any(is_promise) {
        fix_all(sources, |_| true, find).demote_refused(&mut found);
    }
    found
}

/// What was not found before.
struct News {
    fields: HashSet<Field>,
    /// The codes, with the mappings whose entries they are about.
    siblings: HashSet<(Code, Field)>,
}

impl News {
    fn new(before: &[Diagnostic], after: &[Diagnostic]) -> Self {
        let key = |found: &Diagnostic| (found.code, field(found));
        let known: HashSet<_> = before.iter().map(key).collect();
        let new = || after.iter().filter(|found| !known.contains(&key(found)));
        Self {
            fields: new().map(field).collect(),
            siblings: new().filter_map(sibling).collect(),
        }
    }

    /// Whether something new is about a field that was mended, or is the same of it under its new name.
    fn come_of(&self, mended: &Diagnostic) -> bool {
        self.fields.contains(&field(mended)) || sibling(mended).is_some_and(|key| self.siblings.contains(&key))
    }
}

fn sibling(found: &Diagnostic) -> Option<(Code, Field)> {
    let (parent, _) = found.path.as_deref()?.rsplit_once('.')?;
    Some((found.code, (found.resource.clone(), Some(parent.to_owned()))))
}

/// Number of findings that keep parts of a source from being read.
fn unread(found: &[Diagnostic], id: SourceId) -> usize {
    let is_unread = |found: &&Diagnostic| {
        let is_reading = found.code.as_str().starts_with("yaml-") || found.code == Code::DuplicateKey;
        is_reading && found.primary().is_some_and(|label| label.span.source == id)
    };
    found.iter().filter(is_unread).count()
}

/// Fixes that can be applied together.
#[derive(Default)]
struct Round<'f> {
    /// By where they start. Of several at one place only one is here.
    edits: BTreeMap<(SourceId, u32), Edit>,
    mended: Vec<&'f Diagnostic>,
}

impl Round<'_> {
    /// Adds a fix and returns true, unless it changes what another one changes.
    fn add(&mut self, fix: &Fix) -> bool {
        let is_free = fix.edits.iter().all(|edit| self.is_free(edit));
        if is_free {
            let edits = fix.edits.iter().cloned();
            self.edits
                .extend(edits.map(|edit| ((edit.span.source, edit.span.start), edit)));
        }
        is_free
    }

    fn is_free(&self, edit: &Edit) -> bool {
        let (source, start, end) = (edit.span.source, edit.span.start, edit.span.end);
        let mut before = self.edits.range(..(source, start)).rev();
        let is_clear = before
            .next()
            .is_none_or(|(&(other, _), before)| other != source || before.span.end <= start);
        is_clear
            && self
                .edits
                .range((source, start)..(source, end.max(start + 1)))
                .next()
                .is_none()
    }

    /// The new texts.
    fn texts(&self, sources: &Sources) -> HashMap<SourceId, String> {
        let mut by_source: BTreeMap<SourceId, Vec<&Edit>> = BTreeMap::new();
        for edit in self.edits.values() {
            by_source.entry(edit.span.source).or_default().push(edit);
        }
        let texts = by_source.into_iter().filter_map(|(id, edits)| {
            let text = &sources.get(id)?.text;
            let new = applied(text, edits)?;
            (new != *text).then_some((id, new))
        });
        texts.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;

    fn sources(texts: &[&str]) -> (Sources, Vec<SourceId>) {
        let mut sources = Sources::default();
        let ids = texts.iter().map(|text| sources.add(Source::new("x.yaml", *text, true)));
        let ids = ids.collect();
        (sources, ids)
    }

    /// A finding at each `x`, whose fix makes `y` of it; its field has the numbers of its source and byte.
    fn each_x(sources: &Sources) -> Vec<Diagnostic> {
        let mut all = Vec::new();
        for (number, (id, source)) in sources.iter().enumerate() {
            for (at, _) in source.text.match_indices('x') {
                let span = Span::new(id, at, at + 1);
                let fix = Fix::certain("make it `y`", vec![Edit::replace(span, "y")]);
                let found = Diagnostic::new(Code::UnknownField, "x").label(span, "");
                all.push(found.path(format!("a.{number}.{at}")).fix_if(Some(fix)));
            }
        }
        all
    }

    fn texts(fixed: &Fixed) -> Vec<&str> {
        fixed.sources.iter().map(|(_, source)| source.text.as_str()).collect()
    }

    #[test]
    fn all_that_is_certain_is_mended() {
        let (before, ids) = sources(&["axbx", "c", "x"]);
        let fixed = fix_all(&before, |_| true, each_x);
        assert_eq!((texts(&fixed), fixed.count), (vec!["ayby", "c", "y"], 3));
        let changed: Vec<_> = fixed.changes(&before).map(|(id, ..)| id).collect();
        assert_eq!(changed, [ids[0], ids[2]]);
        assert!(fixed.kept.is_empty());
        let fixed = fix_all(&before, |source| source.text.len() > 1, each_x);
        assert_eq!((texts(&fixed), fixed.count), (vec!["ayby", "c", "x"], 2));
        assert_eq!(fixed.kept, BTreeSet::from([ids[2]]));
    }

    #[test]
    fn a_fix_with_another_finding_in_its_field_is_undone() {
        // Of two fields, the second is wrong once it is mended.
        let find = |sources: &Sources| {
            let mut found = each_x(sources);
            let text = &sources.iter().next().unwrap().1.text;
            if text.get(3..4) == Some("y") {
                found.push(Diagnostic::new(Code::DuplicateItem, "y").path("a.0.3"));
            }
            found
        };
        let (before, _) = sources(&["axbx"]);
        let fixed = fix_all(&before, |_| true, find);
        assert_eq!((texts(&fixed), fixed.count), (vec!["aybx"], 1));
        let mut found = each_x(&before);
        fixed.demote_refused(&mut found);
        let certain: Vec<_> = found
            .iter()
            .map(|found| found.fix.as_ref().unwrap().is_certain())
            .collect();
        assert_eq!(certain, [true, false]);
        let tried = tried(&before, each_x(&before), find);
        assert_eq!(tried, found);
    }

    #[test]
    fn a_new_name_with_the_same_finding_is_undone() {
        let finding = |path: &str| Diagnostic::new(Code::UnknownField, "m").path(path);
        let (before, after) = ([finding("a.b")], [finding("a.c"), finding("d.e")]);
        let news = News::new(&before, &after);
        for (path, expected) in [
            ("a.b", true),
            ("a.c", true),
            ("d.f", true),
            ("d.e", true),
            ("e.a", false),
            ("b", false),
        ] {
            assert_eq!(news.come_of(&finding(path)), expected, "{path}");
        }
        let other = Diagnostic::new(Code::DuplicateItem, "m").path("a.b");
        assert!(!news.come_of(&other));
        let none = News::new(&before, &before);
        assert!(!none.come_of(&before[0]));
    }

    #[test]
    fn a_fix_that_keeps_a_text_from_being_read_is_undone() {
        // Two `y` in a row cannot be read.
        let find = |sources: &Sources| {
            let mut found = each_x(sources);
            for (id, source) in sources.iter() {
                let start = source.text.find("yy");
                found.extend(
                    start.map(|at| Diagnostic::new(Code::YamlSyntax, "yy").label(Span::new(id, at, at + 1), "")),
                );
            }
            found
        };
        let (before, _) = sources(&["xxbx"]);
        let fixed = fix_all(&before, |_| true, find);
        assert_eq!((texts(&fixed), fixed.count), (vec!["yxby"], 2));
    }

    #[test]
    fn fixes_are_applied_together_where_their_places_differ() {
        let (_, ids) = sources(&["", ""]);
        let (id, other) = (ids[0], ids[1]);
        let edit = |source, start, end| Edit::replace(Span::new(source, start, end), "");
        let fix = |edit| Fix::certain("t", vec![edit]);
        for (span, expected) in [
            ((id, 0, 9), true),
            ((id, 0, 10), true),
            ((id, 0, 11), false),
            ((id, 10, 10), false),
            ((id, 10, 20), false),
            ((id, 12, 13), false),
            ((id, 19, 25), false),
            ((id, 20, 20), true),
            ((id, 20, 30), true),
            ((id, 20, 31), false),
            ((id, 30, 30), false),
            ((id, 31, 32), true),
            ((other, 12, 13), true),
        ] {
            let mut round = Round::default();
            assert!(round.add(&fix(edit(id, 10, 20))) && round.add(&fix(edit(id, 30, 30))));
            let (source, start, end) = span;
            assert_eq!(round.add(&fix(edit(source, start, end))), expected, "{start} {end}");
            assert_eq!(round.edits.len(), 2 + usize::from(expected));
        }
    }

    #[test]
    fn what_cannot_be_read_of_a_source() {
        let (_, ids) = sources(&["", ""]);
        let at = |code, id| Diagnostic::new(code, "m").label(Span::new(id, 0, 1), "");
        let found = [
            at(Code::YamlSyntax, ids[0]),
            at(Code::DuplicateKey, ids[0]),
            at(Code::UnknownField, ids[0]),
            at(Code::YamlSyntax, ids[1]),
            Diagnostic::new(Code::YamlSyntax, "m"),
        ];
        assert_eq!((unread(&found, ids[0]), unread(&found, ids[1])), (2, 1));
    }
}
