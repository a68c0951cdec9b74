//! Entries of mappings: conversion of keys, expansion of merge keys, and detection of duplicates.

use std::borrow::Cow;
use std::collections::HashMap;

use super::diagnostics;
use super::document::{Document, MapEntry, NodeId};
use crate::diagnostic::{Code, Diagnostic, Edit, Fix, Severity, bound};
use crate::go::number;
use crate::go::scalar::Scalar;
use crate::source::Span;

/// Key of an entry whose value has not been read yet.
#[derive(Debug)]
pub(super) enum PendingKey<'s> {
    Text(Cow<'s, str>),
    Merge,
    /// Invalid key that has already been reported. Its value is dropped.
    Invalid,
}

impl<'s> PendingKey<'s> {
    /// Converts a key to a string, as sigs.k8s.io/yaml does for JSON (`convertToJSONableObject`).
    pub(super) fn from_scalar(scalar: Scalar<'s>, span: Span, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let invalid_key = match scalar {
            Scalar::String(text) => return PendingKey::Text(text),
            Scalar::Bool(true) => return PendingKey::Text(Cow::Borrowed("true")),
            Scalar::Bool(false) => return PendingKey::Text(Cow::Borrowed("false")),
            Scalar::Int(value) => return PendingKey::Text(Cow::Owned(value.to_string())),
            Scalar::Float(value) => return PendingKey::Text(Cow::Owned(number::key_text(value))),
            Scalar::Null => "null",
            Scalar::Uint(_) => "a number that does not fit in 64 bits",
        };
        diagnostics.push(diagnostics::key(invalid_key, "quote the key", span));
        PendingKey::Invalid
    }
}

/// A key and its value, as written.
#[derive(Debug)]
pub(super) struct RawEntry<'s> {
    /// Key as a string, or `None` for a merge key.
    pub key: Option<Cow<'s, str>>,
    pub span: Span,
    pub value: NodeId,
}

impl<'s> RawEntry<'s> {
    pub(super) fn new(key: Option<Cow<'s, str>>, span: Span, value: NodeId) -> Self {
        Self { key, span, value }
    }

    /// Returns the entry, or `None` if it is a merge key or an overridden duplicate.
    pub(super) fn effective_entry(self) -> Option<MapEntry<'s>> {
        Some(MapEntry::new(self.key?, self.span, self.value))
    }
}

/// Reports each duplicate key in a mapping without merge keys, and removes the key from all entries except the last,
/// which wins in Go if the document is accepted. Consecutive duplicates are treated as a single mistake: a list item
/// without its `-`.
pub(super) fn report_duplicates(entries: &mut [RawEntry<'_>], diagnostics: &mut Vec<Diagnostic>) {
    let mut count = 0_usize;
    let mut current_run: Option<(usize, Span)> = None;
    for Duplicate { first, previous, at } in duplicates(entries) {
        let Some(span) = entries.get(at).map(|entry| entry.span) else {
            continue;
        };
        if let Some(key) = entries.get_mut(previous).and_then(|entry| entry.key.take()) {
            count += 1;
            let start = current_run.filter(|(last, _)| last + 1 == at).map_or(span, |(_, start)| start);
            current_run = Some((at, start));
            if count <= bound::MAX_LISTED {
                diagnostics
                    .push(diagnostics::duplicate_key(&key, first, span).cause(format!("keys again at {start:?}")));
            }
        }
    }
    if let Some(unlisted_count @ 1..) = count.checked_sub(bound::MAX_LISTED) {
        diagnostics.push(Diagnostic::unlisted(Code::DuplicateKey, Severity::Error, unlisted_count));
    }
}

/// Reports a second resource that starts in a mapping because the preceding `---` is missing. Returns the index of the
/// resource's first entry. If both `apiVersion` and `kind` are duplicates, this is the first duplicate key.
pub(super) fn second_resource(
    text: &str,
    entries: &[RawEntry<'_>],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<usize> {
    let is_key = |entry: &RawEntry<'_>, name| entry.key.as_deref() == Some(name);
    let is_duplicate = |name| entries.iter().filter(|entry| is_key(entry, name)).count() > 1;
    if !is_duplicate("apiVersion") || !is_duplicate("kind") {
        return None;
    }
    let Duplicate { first, at, .. } = duplicates(entries).into_iter().min_by_key(|duplicate| duplicate.at)?;
    let mut first_entries = entries.iter().take(at);
    if !first_entries.any(|entry| is_key(entry, "metadata")) {
        return None;
    }
    let second_entry = entries.get(at)?;
    let key = second_entry.key.as_deref().unwrap_or_default();
    diagnostics
        .push(diagnostics::missing_separator(key, first, second_entry.span).fix_if(separator(text, second_entry.span)));
    Some(at)
}

/// Returns the fix that inserts a separator before the first key of a second resource.
fn separator(text: &str, key: Span) -> Option<Fix> {
    let text_before = text.get(..key.start as usize)?;
    let is_first_key = matches!(text.get(key.bytes())?, "apiVersion" | "kind");
    let line = if text_before.ends_with("\r\n") { "---\r\n" } else { "---\n" };
    let edits = vec![Edit::insert_before(key, line)];
    (is_first_key && text_before.ends_with('\n'))
        .then(|| Fix::certain("add a `---` line before the second resource", edits))
}

/// Duplicate key in a mapping.
struct Duplicate {
    /// Span of the first occurrence.
    first: Span,
    /// Index of the previous occurrence.
    previous: usize,
    /// Index of the duplicate.
    at: usize,
}

fn duplicates(entries: &[RawEntry<'_>]) -> Vec<Duplicate> {
    /// Maximum number of entries for which comparing every pair is faster than hashing.
    const MAX_PAIRWISE: usize = 12;
    let is_known = |(at, new): (usize, &RawEntry<'_>)| entries.iter().take(at).any(|entry| entry.key == new.key);
    if entries.len() <= MAX_PAIRWISE && !entries.iter().enumerate().any(is_known) {
        return Vec::new();
    }
    let mut duplicates = Vec::new();
    let mut first_places = HashMap::with_capacity(entries.len());
    for (i, RawEntry { key, span, .. }) in entries.iter().enumerate() {
        let (first, previous) = first_places.entry(key.as_deref()).or_insert((*span, i));
        if *previous != i {
            duplicates.push(Duplicate { first: *first, previous: *previous, at: i });
            *previous = i;
        }
    }
    duplicates
}

/// Returns the entries of a mapping with merge keys. As in go-yaml v2 (`decoder.merge`), later entries win: each of the
/// mapping's own keys overrides preceding merged keys, but is overridden by subsequent merge keys. If a merge key has
/// several mappings, the first one wins.
pub(super) fn merge<'s>(
    raw: impl Iterator<Item = RawEntry<'s>>,
    document: &Document<'s>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<MapEntry<'s>> {
    let mut merged_keys = MergedKeys::default();
    for RawEntry { key, span, value } in raw {
        if let Some(key) = key {
            match merged_keys.set(MapEntry::new(key.clone(), span, value)) {
                Some(first) => diagnostics.push(diagnostics::duplicate_key(&key, *first, span)),
                own_key_span => *own_key_span = Some(span),
            }
        } else if let Some(mappings) = sources(document, value) {
            for entry in mappings.iter().filter_map(|at| document.mapping_entries(*at)).flatten() {
                if let Some(own_key_span) = *merged_keys.set(entry.clone()) {
                    diagnostics.push(diagnostics::merge_override(&entry.key, span, own_key_span));
                }
            }
        } else {
            let value_span = document.span(value);
            let is_known = |finding: &Diagnostic| finding.primary().is_some_and(|label| label.span == value_span);
            if !diagnostics.last().is_some_and(is_known) {
                diagnostics.push(diagnostics::merge_not_mapping(value_span));
            }
        }
    }
    merged_keys.entries
}

/// Returns the mappings that a merge key refers to, lowest precedence first, or `None` if its value has any other form.
fn sources(document: &Document<'_>, value: NodeId) -> Option<Vec<NodeId>> {
    let is_mapping = |node: &NodeId| document.mapping_entries(*node).is_some();
    let nodes: Vec<_> = match document.sequence_items(value) {
        Some(items) => items.iter().rev().copied().collect(),
        None => vec![value],
    };
    nodes.iter().all(is_mapping).then_some(nodes)
}

#[derive(Default)]
struct MergedKeys<'s> {
    entries: Vec<MapEntry<'s>>,
    /// Index of each key in the entries, and the span of the mapping's own key, if any.
    places: HashMap<Cow<'s, str>, (usize, Option<Span>)>,
}

impl<'s> MergedKeys<'s> {
    /// Sets a key, replacing any previous value, and returns the span of the mapping's own key, if any.
    fn set(&mut self, entry: MapEntry<'s>) -> &mut Option<Span> {
        let position = self.places.entry(entry.key.clone());
        let (index, own_key_span) = position.or_insert((self.entries.len(), None));
        match self.entries.get_mut(*index) {
            Some(known) => *known = entry,
            None => self.entries.push(entry),
        }
        own_key_span
    }
}
