//! Selection of the lines to show: differing lines and the context around them.

use std::collections::HashMap;

use similar::ChangeTag::{Delete, Equal, Insert};
use similar::{Algorithm, DiffTag, capture_diff_slices};

use super::chunk::{Chunk, ChunkRow};
use super::pairs::Pair;
use crate::diff::masked::{AFTER, BEFORE};
use crate::diff::unified::{DiffPart, add};
use crate::output::Language;
use crate::output::agent::JOB_INDENT;
use crate::printable::format_count;
use crate::secrecy::MASK;

#[derive(Clone, Copy)]
pub(super) struct LineSelection {
    /// Number of context lines around a difference, or `None` for no limit.
    pub(super) context: Option<usize>,
    /// Number of differing jobs to show, or `None` for no limit.
    pub(super) jobs: Option<usize>,
    pub(super) language: Language,
}

enum OutputUnit<'p, 't> {
    Pair(&'p Pair<'t>),
    /// Jobs beyond the limit, which are not shown.
    Hidden(&'p [Pair<'t>]),
}

impl OutputUnit<'_, '_> {
    /// Returns the number of lines if both sides are equal, or `None` if they differ.
    fn unchanged_lines(&self) -> Option<usize> {
        match self {
            OutputUnit::Pair(pair) if pair.is_same => pair.sides[1].as_ref().map(Chunk::height),
            _ => None,
        }
    }
}

impl LineSelection {
    /// Returns the diff of two configurations. The first and last lines are always included, because the text around
    /// the configuration may differ.
    pub(super) fn parts(self, pairs: &[Pair<'_>]) -> Option<Vec<DiffPart>> {
        let items = self.items(pairs);
        let mut parts = Vec::new();
        for (item, is_shown) in items.iter().zip(self.visible_items(&items)) {
            match item {
                OutputUnit::Hidden(pairs) => self.add_hidden(pairs, &mut parts),
                OutputUnit::Pair(pair) if is_shown => add_pair(pair, &mut parts)?,
                OutputUnit::Pair(_) => parts.push(DiffPart::Skipped([item.unchanged_lines().unwrap_or_default(); 2])),
            }
        }
        Some(parts)
    }

    /// Groups the pairs into units. When a list of jobs reaches the limit on differing jobs, its remaining pairs form a
    /// single hidden unit.
    fn items<'p, 't>(self, pairs: &'p [Pair<'t>]) -> Vec<OutputUnit<'p, 't>> {
        let mut jobs = self.jobs.unwrap_or(usize::MAX);
        let mut items = Vec::with_capacity(pairs.len());
        for list in pairs.chunk_by(|a, b| a.kind == b.kind) {
            let changed_pairs = list.iter().enumerate().filter(|(_, pair)| pair.is_changed_job());
            let mut changed_indices = changed_pairs.map(|(place, _)| place);
            let shown_count = match jobs.checked_sub(1) {
                Some(more) => changed_indices.nth(more).map(|last| last + 1),
                None => Some(0),
            };
            // A list within the job limit is shown in full.
            let shown_count = shown_count.filter(|_| changed_indices.next().is_some()).unwrap_or(list.len());
            let (shown_pairs, hidden_pairs) = list.split_at(shown_count);
            jobs -= shown_pairs.iter().filter(|pair| pair.is_changed_job()).count();
            items.extend(shown_pairs.iter().map(OutputUnit::Pair));
            items.extend((!hidden_pairs.is_empty()).then_some(OutputUnit::Hidden(hidden_pairs)));
        }
        items
    }

    /// Returns whether each item is shown. An item is shown if it differs, or if any of its lines is close enough to a
    /// difference.
    fn visible_items(self, items: &[OutputUnit<'_, '_>]) -> Vec<bool> {
        let context = self.context.unwrap_or(usize::MAX);
        let items_near_changes = |items: &mut dyn Iterator<Item = &OutputUnit<'_, '_>>| -> Vec<bool> {
            let mut distance = 0_usize;
            let is_near = |item: &OutputUnit<'_, '_>| {
                let (distance_before, lines) = (distance, item.unchanged_lines());
                distance = lines.map_or(0, |lines| distance_before + lines);
                distance_before < context || lines.is_none()
            };
            items.map(is_near).collect()
        };
        let (follows_change, precedes_change) =
            (items_near_changes(&mut items.iter()), items_near_changes(&mut items.iter().rev()));
        follows_change
            .into_iter()
            .zip(precedes_change.into_iter().rev())
            .map(|(follows_change, precedes_change)| follows_change || precedes_change)
            .collect()
    }

    /// Adds a line to each side in place of the jobs beyond the limit.
    fn add_hidden(self, pairs: &[Pair<'_>], parts: &mut Vec<DiffPart>) {
        let (start, job) = match self.language {
            Language::Agent => (format!("{:JOB_INDENT$}#", ""), "scrape job"),
            Language::Alloy => ("//".to_owned(), "component"),
        };
        let mut hidden_parts = |tag, when, side: fn(&Pair<'_>) -> Option<usize>| {
            let own_pairs = pairs.iter().filter_map(|pair| Some((pair, side(pair)?)));
            let lines: usize = own_pairs.clone().map(|(_, lines)| lines).sum();
            let more_jobs = own_pairs.filter(|(pair, _)| pair.is_changed_job()).count();
            if more_jobs > 0 {
                let differ_verb = if more_jobs == 1 { "differs" } else { "differ" };
                let jobs = format_count(more_jobs, &format!("more {job}"));
                let line = format!("{start} … {jobs} {differ_verb} ({when}); diff --full shows all\n");
                add(parts, tag, &line);
            }
            // The added line replaces one of the hidden lines.
            lines.saturating_sub(usize::from(more_jobs > 0))
        };
        let hidden_lines = [
            hidden_parts(Delete, "before", |pair| pair.sides[0].as_ref().map(Chunk::height)),
            hidden_parts(Insert, "after", |pair| pair.sides[1].as_ref().map(Chunk::height)),
        ];
        parts.push(DiffPart::Skipped(hidden_lines));
    }
}

fn add_pair(pair: &Pair<'_>, parts: &mut Vec<DiffPart>) -> Option<()> {
    match &pair.sides {
        [_, Some(new)] if pair.is_same => add(parts, Equal, &text(&new.rows()?)),
        [Some(old), Some(new)] => return compare(old, new, parts),
        sides => {
            for (side, tag) in sides.iter().zip([Delete, Insert]) {
                add(parts, tag, &side.as_ref().map_or(Some(String::new()), |side| Some(text(&side.rows()?)))?);
            }
        }
    }
    Some(())
}

/// Adds the parts of two chunks that differ.
fn compare(old: &Chunk<'_>, new: &Chunk<'_>, parts: &mut Vec<DiffPart>) -> Option<()> {
    let (mut before, after) = (old.rows()?, new.rows()?);
    mask_alike(&mut before, &after);
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

/// Masks each line in the same way as an equal line on the other side.
fn mask_alike(rows: &mut [ChunkRow], others: &[ChunkRow]) {
    let mut shown_by_plain: HashMap<&str, &str> = HashMap::new();
    for row in others {
        let shown = shown_by_plain.entry(&row.plain).or_insert(&row.shown);
        if row.shown.contains(MASK) {
            *shown = &row.shown;
        }
    }
    for row in rows {
        if let Some(shown) = shown_by_plain.get(row.plain.as_str()) {
            (*shown).clone_into(&mut row.shown);
        }
    }
}

fn text(rows: &[ChunkRow]) -> String {
    rows.iter().map(|row| row.shown.as_str()).collect()
}
