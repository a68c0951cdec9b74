//! Findings → the same input with what mends them for certain.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::diagnostic::{Code, Diagnostic, Edit, Fix, ObjectKey, Severity, applied};
use crate::report::grouped;
use crate::source::{Source, SourceId, Sources};

/// What is mended can show more that can be: so many times at most.
const ROUNDS: usize = 20;

/// An input with its certain fixes.
#[derive(Debug)]
pub struct Fixed {
    /// The texts, under the numbers that they had.
    pub sources: Sources,
    /// Number of findings that were mended.
    pub count: usize,
    /// The sources with fixes that `may_change` keeps as they are.
    pub kept: BTreeSet<SourceId>,
    /// The findings whose fix would only bring another error to the same field.
    refused: HashSet<Field>,
}

/// The field of a finding.
type Field = (Option<ObjectKey>, Option<String>);

fn field(found: &Diagnostic) -> Field {
    (found.resource.clone(), found.path.clone())
}

impl Fixed {
    /// Makes fixes that turned out to bring another error only likely.
    pub fn demote_refused(&self, found: &mut [Diagnostic]) {
        for found in found.iter_mut().filter(|found| self.refused.contains(&field(found))) {
            found.fix = found.fix.take().map(Fix::likely);
        }
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

/// Applies the certain fixes of what `find` finds, and of what it finds then, in the sources that it `may_change`. A text that could
/// be read less than before stays as it was.
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
    let mut broken = HashSet::new();
    let mut found = grouped(find(sources));
    for _ in 0..ROUNDS {
        let mut round = Round::default();
        let mut mended = HashSet::new();
        let fixes = found
            .iter()
            .filter_map(|found| Some((field(found), found.fix.as_ref()?)));
        for (field, fix) in fixes.filter(|(_, fix)| fix.is_certain()) {
            let ids = || fix.edits.iter().map(|edit| edit.span.source);
            let refused = |id: &SourceId| !fixed.sources.get(*id).is_some_and(&may_change);
            fixed.kept.extend(ids().filter(refused));
            let is_free = !ids().any(|id| broken.contains(&id) || fixed.kept.contains(&id));
            if is_free && !fixed.refused.contains(&field) && round.add(fix) {
                mended.insert(field);
            }
        }
        let texts = round.texts(&fixed.sources);
        if texts.is_empty() {
            break;
        }
        let changed: Vec<_> = texts.keys().copied().collect();
        let next = fixed.sources.with_texts(texts);
        let after = grouped(find(&next));
        let worse = changed.iter().filter(|id| unread(&after, **id) > unread(&found, **id));
        let worse: Vec<_> = worse.copied().collect();
        let wrong: Vec<_> = new_errors(&found, &after)
            .filter(|field| mended.contains(field))
            .collect();
        if worse.is_empty() && wrong.is_empty() {
            fixed.count += round.fixes;
            fixed.sources = next;
            found = after;
        }
        broken.extend(worse);
        fixed.refused.extend(wrong);
    }
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

/// The fields with errors that were not there before.
fn new_errors(before: &[Diagnostic], after: &[Diagnostic]) -> impl Iterator<Item = Field> {
    let key = |found: &Diagnostic| (field(found), found.code);
    let known: HashSet<_> = before.iter().map(key).collect();
    let errors = after.iter().filter(|found| found.severity == Severity::Error);
    let new: Vec<_> = errors.filter(|found| !known.contains(&key(found))).map(field).collect();
    new.into_iter()
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
struct Round {
    /// By where they start. Of several at one place only one is here.
    edits: BTreeMap<(SourceId, u32), Edit>,
    fixes: usize,
}

impl Round {
    /// Adds a fix and returns true, unless it changes what another one changes.
    fn add(&mut self, fix: &Fix) -> bool {
        let is_free = fix.edits.iter().all(|edit| self.is_free(edit));
        if is_free {
            let edits = fix.edits.iter().cloned();
            self.edits
                .extend(edits.map(|edit| ((edit.span.source, edit.span.start), edit)));
            self.fixes += 1;
        }
        is_free
    }

    fn is_free(&self, edit: &Edit) -> bool {
        let (source, start, end) = (edit.span.source, edit.span.start, edit.span.end);
        let mut before = self.edits.range(..=(source, start)).rev();
        let is_clear = before
            .next()
            .is_none_or(|(&(other, at), before)| other != source || (at < start && before.span.end <= start));
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
