//! The entries of a mapping: merge keys expanded, duplicates found.

use std::borrow::Cow;
use std::collections::HashMap;

use super::diagnostics;
use super::node::{DocumentBuilder, NodeId};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// A key and a value as they stand in the text.
#[derive(Debug)]
pub(super) struct RawEntry<'s> {
    /// The key as JSON has it; `None` for a merge key.
    pub key: Option<Cow<'s, str>>,
    pub span: Span,
    pub value: NodeId,
}

/// Reports each key that stands twice in a mapping without merge keys, and takes it from its second entry.
pub(super) fn report_duplicates(entries: &mut [RawEntry<'_>], diagnostics: &mut Vec<Diagnostic>) {
    for (first, second) in duplicates(entries) {
        if let Some(second) = entries.get_mut(second)
            && let Some(key) = second.key.take()
        {
            diagnostics.push(diagnostics::duplicate_key(&key, first, second.span));
        }
    }
}

/// Where a key stands first, and the number of a later entry with it.
fn duplicates(entries: &[RawEntry<'_>]) -> Vec<(Span, usize)> {
    /// Up to so many entries comparing all of them is faster than hashing.
    const FEW: usize = 12;
    let mut found = Vec::new();
    if entries.len() <= FEW {
        for (i, second) in entries.iter().enumerate() {
            if let Some(first) = entries.iter().take(i).find(|first| first.key == second.key) {
                found.push((first.span, i));
            }
        }
        return found;
    }
    let mut firsts = HashMap::with_capacity(entries.len());
    for (i, second) in entries.iter().enumerate() {
        let first = *firsts.entry(second.key.as_deref()).or_insert(second.span);
        if first != second.span {
            found.push((first, i));
        }
    }
    found
}

/// What a mapping with merge keys holds. As in go-yaml v2 (`decoder.merge`) whatever comes later wins: the mapping's own
/// key over one merged in front of it, but also a merged key over an own one that stands in front of the merge key. Of
/// several mappings behind one merge key the first wins.
pub(super) fn merge<'s>(
    raw: impl Iterator<Item = RawEntry<'s>>,
    builder: &DocumentBuilder<'s>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<(Cow<'s, str>, Span, NodeId)> {
    let mut merged = Merged::default();
    for entry in raw {
        match entry.key {
            Some(key) => merged.own(key, entry.span, entry.value, diagnostics),
            None => match sources(builder, entry.value) {
                Some(mappings) => merged.merge(builder, &mappings, entry.span, diagnostics),
                None => {
                    let at = builder.span(entry.value).unwrap_or(entry.span);
                    diagnostics.push(diagnostics::merge_not_mapping(at));
                }
            },
        }
    }
    merged.entries
}

/// The mappings behind a merge key, the weakest first; `None` where something else stands there.
fn sources(builder: &DocumentBuilder<'_>, value: NodeId) -> Option<Vec<NodeId>> {
    let Some(items) = builder.items(value) else {
        return builder.entries(value).map(|_| vec![value]);
    };
    let mappings = items.iter().rev().copied();
    mappings.map(|item| builder.entries(item).map(|_| item)).collect()
}

/// Where a key is among the entries, and where the mapping itself sets it.
struct Place {
    index: usize,
    own: Option<Span>,
}

#[derive(Default)]
struct Merged<'s> {
    entries: Vec<(Cow<'s, str>, Span, NodeId)>,
    places: HashMap<Cow<'s, str>, Place>,
}

impl<'s> Merged<'s> {
    fn own(&mut self, key: Cow<'s, str>, span: Span, value: NodeId, diagnostics: &mut Vec<Diagnostic>) {
        let place = self.set(key.clone(), span, value);
        match place.own {
            Some(first) => diagnostics.push(diagnostics::duplicate_key(&key, first, span)),
            None => place.own = Some(span),
        }
    }

    fn merge(
        &mut self,
        builder: &DocumentBuilder<'s>,
        mappings: &[NodeId],
        at: Span,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        for (key, span, value) in mappings
            .iter()
            .filter_map(|&mapping| builder.entries(mapping))
            .flatten()
        {
            if let Some(own) = self.set(key.clone(), span, value).own {
                diagnostics.push(diagnostics::merge_override(&key, at, own));
            }
        }
    }

    /// Sets a key, whatever it was before.
    fn set(&mut self, key: Cow<'s, str>, span: Span, value: NodeId) -> &mut Place {
        let index = self.entries.len();
        let place = self.places.entry(key.clone()).or_insert(Place { index, own: None });
        match self.entries.get_mut(place.index) {
            Some(entry) => *entry = (key, span, value),
            None => self.entries.push((key, span, value)),
        }
        place
    }
}
