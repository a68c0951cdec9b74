//! Findings → the same input with what mends them for certain.

mod candidate;
mod round;
mod verdict;
mod work;

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::diagnostic::bound::bound;
use crate::diagnostic::group::grouped;
use crate::diagnostic::{Diagnostic, Fix};
use crate::source::{Source, SourceId, Sources};
use candidate::{Candidate, Part};
use round::Round;
use verdict::{News, Seen};
use work::Work;

/// An input with its certain fixes.
#[derive(Debug)]
pub struct Fixed<F = Vec<Diagnostic>> {
    /// The texts, under the numbers that they had.
    pub sources: Sources,
    /// What is found in these texts, bounded.
    pub found: F,
    /// Number of findings that were mended.
    pub count: usize,
    /// Maximum number of fixes that were not tried, because that would take too much work.
    pub untried: usize,
    /// The sources with fixes that `may_change` keeps as they are.
    pub kept: BTreeSet<SourceId>,
    /// The fixes that bring another finding to the same field, or were not tried.
    refused: HashSet<u64>,
}

/// Findings with the certainty of their fixes.
#[derive(Debug)]
pub struct Tried {
    pub found: Vec<Diagnostic>,
    /// Number of fixes that were not tried, because that would take too much work.
    pub untried: usize,
}

impl<F: AsMut<Vec<Diagnostic>>> Fixed<F> {
    /// Makes fixes that turned out to bring another finding only likely.
    pub fn demote_refused(&self, found: &mut [Diagnostic]) {
        let is_refused =
            |found: &&mut Diagnostic| candidate::promise(found).is_some_and(|promise| self.refused.contains(&promise));
        for found in found.iter_mut().filter(is_refused) {
            found.fix = found.fix.take().map(Fix::likely);
        }
    }

    /// Refuses fixes, with those of the findings that are joined in them.
    fn refuse<'c>(&mut self, refused: impl IntoIterator<Item = &'c Candidate>, parts: &[Part]) {
        let mut edits = HashSet::new();
        for candidate in refused {
            self.refused.insert(candidate.promise);
            edits.extend(candidate.edits.iter().map(candidate::digest));
        }
        let joined = parts
            .iter()
            .filter(|part| part.edits.iter().all(|edit| edits.contains(edit)));
        self.refused.extend(joined.map(|part| part.promise));
    }

    /// The sources that have other texts than before, with the ones that they had.
    pub fn changes<'s>(
        &'s self,
        before: &'s Sources,
    ) -> impl Iterator<Item = (SourceId, &'s Source, &'s Source)> + Clone {
        let pairs = before.iter().zip(self.sources.iter());
        pairs.filter_map(|((id, before), (_, after))| (before.text != after.text).then_some((id, before, after)))
    }

    /// An input before any fix.
    fn new(sources: &Sources, found: F) -> Self {
        Self {
            sources: sources.with_texts(HashMap::new()),
            found,
            count: 0,
            untried: 0,
            kept: BTreeSet::new(),
            refused: HashSet::new(),
        }
    }

    /// Applies the fixes of what was found and of what `find` finds then, as long as there is work left. Fixes of which `may_try` says
    /// no are left alone. Returns the number of fixes that were too many to be held.
    fn run(
        &mut self,
        may_change: impl Fn(&Source) -> bool,
        may_try: impl Fn(&Candidate) -> bool,
        mut work: Work,
        find: impl Fn(&Sources) -> F,
    ) -> usize {
        let mut state = State::new(self.found.as_mut());
        // Fewer at a time find out which of them is wrong.
        let mut most = usize::MAX;
        loop {
            let mut round = Round::default();
            let mut waiting = 0;
            for candidate in state.candidates.iter().filter(|candidate| may_try(candidate)) {
                let kept = |id: &SourceId| !self.sources.get(*id).is_some_and(&may_change);
                self.kept.extend(candidate.sources().filter(kept));
                let is_kept = candidate.sources().any(|id| self.kept.contains(&id));
                if is_kept || self.refused.contains(&candidate.promise) {
                    continue;
                }
                waiting += 1;
                if round.mended.len() < most {
                    round.add(candidate);
                }
            }
            let texts = round.texts(&self.sources);
            if texts.is_empty() {
                break;
            }
            if !work.take() {
                self.untried += waiting;
                self.refuse(&state.candidates, &state.parts);
                break;
            }
            let changed: Vec<_> = texts.keys().copied().collect();
            let next = self.sources.with_texts(texts);
            let mut found = find(&next);
            let after = State::new(found.as_mut());
            let worse = changed
                .into_iter()
                .filter(|id| after.seen.unread(*id) > state.seen.unread(*id));
            let worse: BTreeSet<_> = worse.collect();
            let mut wrong = News::new(&state.seen, &after.seen).wrong(&round.mended);
            if wrong.is_empty() && worse.is_empty() {
                most = most.saturating_mul(2);
                self.count += round.mended.len();
                (self.sources, self.found, state) = (next, found, after);
                continue;
            }
            if wrong.is_empty() {
                most = round.mended.len() / 2;
                wrong.clone_from(&round.mended);
                if work.left() <= 1 {
                    // There is no time to find out which of them it is. The other sources are tried once more.
                    wrong.retain(|mended| mended.sources().any(|id| worse.contains(&id)));
                    self.untried += wrong.len();
                } else if most > 0 {
                    wrong.clear();
                }
            }
            if !wrong.is_empty() {
                most = usize::MAX;
            }
            self.refuse(wrong, &state.parts);
        }
        state.left_out
    }
}

/// What a round starts from.
struct State {
    candidates: Vec<Candidate>,
    parts: Vec<Part>,
    seen: Seen,
    /// Number of certain fixes that were not kept.
    left_out: usize,
}

impl State {
    /// Takes from the findings what a round needs, and bounds them.
    fn new(found: &mut Vec<Diagnostic>) -> Self {
        let parts = found.iter().filter_map(Part::new).collect();
        let left_out = found.iter().map(|found| found.left_out_fixes).sum();
        let grouped = grouped(found.clone());
        bound(found);
        Self {
            candidates: grouped.iter().filter_map(Candidate::new).collect(),
            parts,
            seen: Seen::new(&grouped),
            left_out,
        }
    }
}

/// Applies the certain fixes of what `find` finds, and of what it finds then, in the sources that it `may_change`. A fix stays undone
/// if it brings another finding to its field, or lets less of a text be read.
pub fn fix_all<F: AsMut<Vec<Diagnostic>>>(
    sources: &Sources,
    may_change: impl Fn(&Source) -> bool,
    find: impl Fn(&Sources) -> F,
) -> Fixed<F> {
    let mut fixed = Fixed::new(sources, find(sources));
    fixed.untried += fixed.run(may_change, |_| true, Work::to_fix(sources), find);
    fixed
}

/// The findings with the certainty that their fixes turn out to have when they are tried. Only these fixes are tried, not those of
/// findings that are counted.
pub fn tried(sources: &Sources, mut found: Vec<Diagnostic>, find: impl Fn(&Sources) -> Vec<Diagnostic>) -> Tried {
    if !found.iter().any(Diagnostic::has_certain_fix) {
        return Tried { found, untried: 0 };
    }
    let asked: HashSet<_> = grouped(found.clone()).iter().filter_map(candidate::promise).collect();
    let may_try = |candidate: &Candidate| asked.contains(&candidate.promise);
    let mut fixed = Fixed::new(sources, found.clone());
    fixed.run(|_| true, may_try, Work::to_try(sources), find);
    fixed.demote_refused(&mut found);
    let untried = fixed.untried;
    Tried { found, untried }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Code, Edit};
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
        assert_eq!((tried.found, tried.untried), (found, 0));
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

    /// A large input: four fixes, of which two follow from others.
    #[test]
    fn fixes_that_are_not_tried_are_counted() {
        let find = |sources: &Sources| {
            let text = &sources.iter().next().unwrap().1.text;
            let depth = text.matches('y').count();
            let mut found = each_x(sources);
            // Each one that is mended shows the next, in another mapping.
            found.truncate(1);
            found
                .iter_mut()
                .for_each(|found| found.path = Some(format!("a.{depth}.b")));
            assert!(depth + found.len() <= 4);
            found
        };
        let (before, _) = sources(&[&format!("axbxcxdx{}", "#".repeat(1 << 20))]);
        let fixed = fix_all(&before, |_| true, find);
        assert_eq!((fixed.count, fixed.untried), (2, 1));
        assert_eq!(&texts(&fixed)[0][..8], "aybycxdx");
        let small = fix_all(&sources(&["axbxcxdx"]).0, |_| true, find);
        assert_eq!((small.count, small.untried), (4, 0));
        // What a report lists is tried in one round.
        let rounds = std::cell::Cell::new(0);
        let tried = tried(&before, each_x(&before), |sources| {
            rounds.set(rounds.get() + 1);
            each_x(sources)
        });
        assert_eq!((tried.untried, rounds.get()), (0, 1));
        assert!(tried.found.iter().all(Diagnostic::has_certain_fix));
    }

    /// A wrong fix of one source does not keep those of another one from being applied, however large they are.
    #[test]
    fn a_source_that_becomes_unreadable_is_left_alone() {
        let find = |sources: &Sources| {
            let mut found = each_x(sources);
            for (id, source) in sources.iter() {
                let start = source.text.find("yy");
                let unreadable = |at| Diagnostic::new(Code::YamlSyntax, "yy").label(Span::new(id, at, at + 1), "");
                found.extend(start.map(unreadable));
            }
            found
        };
        let large = format!("xxbx{}", "#".repeat(1 << 20));
        let (before, _) = sources(&[&large, "axb"]);
        let fixed = fix_all(&before, |_| true, find);
        assert_eq!((fixed.count, fixed.untried), (1, 3));
        assert_eq!((&texts(&fixed)[0][..4], texts(&fixed)[1]), ("xxbx", "ayb"));
    }
}
