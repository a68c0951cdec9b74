//! Which lines of two configurations are shown: those that differ, and those around them.

use std::collections::HashMap;

use similar::ChangeTag::{Delete, Equal, Insert};
use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::chunk::{Chunk, Row};
use super::pairs::Pair;
use crate::diff::masked::{AFTER, BEFORE};
use crate::diff::unified::{Part, add};
use crate::output::Language;
use crate::output::agent::JOB_INDENT;
use crate::secrecy::MASK;

#[derive(Clone, Copy)]
pub(super) struct Selection {
    /// Number of lines around a difference; `None` for all.
    pub(super) context: Option<usize>,
    /// Number of jobs that differ; `None` for all.
    pub(super) jobs: Option<usize>,
    pub(super) language: Language,
}

/// What parts are made of.
enum Item<'p, 't> {
    Pair(&'p Pair<'t>),
    /// Jobs that are not shown.
    Beyond(&'p [Pair<'t>]),
}

impl Item<'_, '_> {
    /// Number of lines, where both sides are the same.
    fn same(&self) -> Option<usize> {
        match self {
            Item::Pair(pair) if pair.is_same => pair.sides[1].as_ref().map(Chunk::height),
            _ => None,
        }
    }
}

impl Selection {
    /// The parts of two configurations. Their first and last lines are among them, since what is beside these may differ.
    pub(super) fn parts(self, pairs: &[Pair<'_>]) -> Option<Vec<Part>> {
        let items = self.items(pairs);
        let mut parts = Vec::new();
        for (item, is_shown) in items.iter().zip(self.shown(&items)) {
            match item {
                Item::Beyond(pairs) => self.add_beyond(pairs, &mut parts),
                Item::Pair(pair) if is_shown => add_pair(pair, &mut parts)?,
                Item::Pair(_) => parts.push(Part::Skipped([item.same().unwrap_or_default(); 2])),
            }
        }
        Some(parts)
    }

    /// The pairs, with those together that are beyond the number of jobs: in a list of jobs, all up to its end.
    fn items<'p, 't>(self, pairs: &'p [Pair<'t>]) -> Vec<Item<'p, 't>> {
        let mut jobs = self.jobs.unwrap_or(usize::MAX);
        let mut items = Vec::with_capacity(pairs.len());
        for list in pairs.chunk_by(|a, b| a.kind == b.kind) {
            let changed = list.iter().enumerate().filter(|(_, pair)| pair.is_changed_job());
            let mut changed = changed.map(|(place, _)| place);
            let shown = match jobs.checked_sub(1) {
                Some(more) => changed.nth(more).map(|last| last + 1),
                None => Some(0),
            };
            // Of a list that fits, all is shown.
            let shown = shown.filter(|_| changed.next().is_some()).unwrap_or(list.len());
            let (shown, rest) = list.split_at(shown);
            jobs -= shown.iter().filter(|pair| pair.is_changed_job()).count();
            items.extend(shown.iter().map(Item::Pair));
            items.extend((!rest.is_empty()).then_some(Item::Beyond(rest)));
        }
        items
    }

    /// Which items are shown: those that differ, and those with a line that is near enough to one of them.
    fn shown(self, items: &[Item<'_, '_>]) -> Vec<bool> {
        let context = self.context.unwrap_or(usize::MAX);
        let near = |items: &mut dyn Iterator<Item = &Item<'_, '_>>| -> Vec<bool> {
            let mut distance = 0_usize;
            let is_near = |item: &Item<'_, '_>| {
                let (before, lines) = (distance, item.same());
                distance = lines.map_or(0, |lines| before + lines);
                before < context || lines.is_none()
            };
            items.map(is_near).collect()
        };
        let (behind, ahead) = (near(&mut items.iter()), near(&mut items.iter().rev()));
        behind
            .into_iter()
            .zip(ahead.into_iter().rev())
            .map(|(behind, ahead)| behind || ahead)
            .collect()
    }

    /// Adds a line of each side in the place of jobs that are not shown.
    fn add_beyond(self, pairs: &[Pair<'_>], parts: &mut Vec<Part>) {
        let (start, jobs) = match self.language {
            Language::Agent => (format!("{:JOB_INDENT$}#", ""), "scrape jobs"),
            Language::Alloy => ("//".to_owned(), "components"),
        };
        let mut left = |tag, when, side: fn(&Pair<'_>) -> Option<usize>| {
            let own = pairs.iter().filter_map(|pair| Some((pair, side(pair)?)));
            let lines: usize = own.clone().map(|(_, lines)| lines).sum();
            let more = own.filter(|(pair, _)| pair.is_changed_job()).count();
            if more > 0 {
                let line = format!("{start} … {more} more {jobs} differ ({when}), shown by diff --full\n");
                add(parts, tag, &line);
            }
            // The line is in the place of one of them.
            lines.saturating_sub(usize::from(more > 0))
        };
        let left = [
            left(Delete, "before", |pair| pair.sides[0].as_ref().map(Chunk::height)),
            left(Insert, "after", |pair| pair.sides[1].as_ref().map(Chunk::height)),
        ];
        parts.push(Part::Skipped(left));
    }
}

/// Adds the parts of a pair.
fn add_pair(pair: &Pair<'_>, parts: &mut Vec<Part>) -> Option<()> {
    match &pair.sides {
        [_, Some(new)] if pair.is_same => add(parts, Equal, &text(&new.rows()?)),
        [Some(old), Some(new)] => return compare(old, new, parts),
        sides => {
            for (side, tag) in sides.iter().zip([Delete, Insert]) {
                add(
                    parts,
                    tag,
                    &side
                        .as_ref()
                        .map_or(Some(String::new()), |side| Some(text(&side.rows()?)))?,
                );
            }
        }
    }
    Some(())
}

/// Adds the parts of two chunks that differ.
fn compare(old: &Chunk<'_>, new: &Chunk<'_>, parts: &mut Vec<Part>) -> Option<()> {
    let (mut before, after) = (old.rows()?, new.rows()?);
    show_alike(&mut before, &after);
    let [old, new] = [&before, &after].map(|rows| rows.iter().map(|row| row.shown.as_str()).collect::<Vec<_>>());
    for op in capture_diff_slices(Algorithm::Myers, &old, &new) {
        let (tag, old, new) = op.as_tag_tuple();
        let (old, new) = (before.get(old)?, after.get(new)?);
        if tag != DiffTag::Equal {
            add(parts, Delete, &text(old));
            add(parts, Insert, &text(new));
            continue;
        }
        for (old, new) in old.iter().zip(new) {
            if old.plain == new.plain {
                add(parts, Equal, &new.shown);
            } else {
                add(parts, Delete, &old.shown.replace(MASK, BEFORE));
                add(parts, Insert, &new.shown.replace(MASK, AFTER));
            }
        }
    }
    Some(())
}

/// Shows lines as the other side shows the same ones.
fn show_alike(rows: &mut [Row], others: &[Row]) {
    let mut known: HashMap<&str, &str> = HashMap::new();
    for row in others {
        let shown = known.entry(&row.plain).or_insert(&row.shown);
        if row.shown.contains(MASK) {
            *shown = &row.shown;
        }
    }
    for row in rows {
        if let Some(shown) = known.get(row.plain.as_str()) {
            (*shown).clone_into(&mut row.shown);
        }
    }
}

fn text(rows: &[Row]) -> String {
    rows.iter().map(|row| row.shown.as_str()).collect()
}
