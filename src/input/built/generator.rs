//! Secrets and ConfigMaps that kustomize generates, and the literals, files or variables that provide their values.

use std::cmp::Reverse;

use super::field::FieldPosition;
use super::files::BuildFiles;
use super::object::BuiltObject;
use crate::diagnostic::Step;
use crate::input::origins::{GENERATORS, key_and_path};
use crate::source::{SourceId, Span};
use crate::yaml::Node;

/// Returns the generator entry for the object. If the build adds a hash to the object's name, the names of several
/// entries may be part of that name, and the longest one is the most likely.
fn generator<'n>(root: Node<'n>, object: &BuiltObject<'_>) -> Option<Node<'n>> {
    let kind = object.root.text("kind");
    let entries = GENERATORS.iter().flat_map(|key| root.items_at(key));
    let matching_entries = entries.filter(|entry| object.is_referred_to_by(kind, entry.text("name")));
    matching_entries.min_by_key(|entry| Reverse(entry.text("name").len()))
}

/// Returns the span of the name in the generator entry for the object.
pub(super) fn name(files: BuildFiles<'_>, file: &str, object: &BuiltObject<'_>) -> Option<Span> {
    generator(files.root(file)?, object)?.get("name").map(Node::span)
}

/// Returns the files that a generator reads for an object.
pub(super) fn read_files(files: BuildFiles<'_>, file: &str, object: &BuiltObject<'_>) -> Vec<SourceId> {
    let Some(entry) = files.root(file).and_then(|root| generator(root, object)) else {
        return Vec::new();
    };
    let named_paths = entry.items_at("files").filter_map(|item| Some(key_and_path(item.as_str()?).1));
    let variables = entry.items_at("envs").chain(entry.get("env")).filter_map(|item| item.as_str());
    named_paths.chain(variables).filter_map(|path| files.referenced_id(file, path)).collect()
}

/// Returns the span of the literal, file or variable in a generator that provides a value.
pub(super) fn value(
    files: BuildFiles<'_>,
    file: &str,
    object: &BuiltObject<'_>,
    field: &FieldPosition<'_>,
) -> Option<Span> {
    let entry = generator(files.root(file)?, object)?;
    let key = match field.steps.as_slice() {
        [Step::Key("data" | "stringData" | "binaryData"), Step::Key(key), ..] => *key,
        _ => return None,
    };
    let is_literal = |literal: &Node<'_>| {
        let text = literal.as_str().unwrap_or_default();
        text.split_once('=').map_or(text, |(name, _)| name) == key
    };
    if let Some(literal) = entry.items_at("literals").find(is_literal) {
        return Some(literal.span());
    }
    let named_items = entry.items_at("files").filter_map(|item| Some((item, key_and_path(item.as_str()?))));
    if let Some((item, (_, path))) = named_items.into_iter().find(|(_, (name, _))| *name == key) {
        let id = files.referenced_id(file, path);
        return Some(id.and_then(|id| part_of_file(files, id, field)).unwrap_or(item.span()));
    }
    let variables: Vec<_> = entry.items_at("envs").chain(entry.get("env")).collect();
    let set = |item: &Node<'_>| variable(files, files.referenced_id(file, item.as_str()?)?, key);
    // The last file overrides the previous ones.
    variables.iter().rev().find_map(set).or_else(|| Some(variables.last()?.span()))
}

/// Returns the part of a file that a generated field comes from. The field's value is the file's content, either as is
/// or base64-encoded. If the position is the entire value, returns the first line.
fn part_of_file(files: BuildFiles<'_>, id: SourceId, field: &FieldPosition<'_>) -> Option<Span> {
    let text = &files.sources.get(id)?.text;
    let length = |line: &str| line.trim_end().len();
    let whole_value = || Span::new(id, 0, text.lines().next().map_or(0, length));
    let [start, end] = field.base64_offsets().unwrap_or_default();
    let is_part = start < end && text.get(start..end.min(text.len())).is_some();
    Some(if is_part { Span::new(id, start, end.min(text.len())) } else { whole_value() })
}

/// Returns the span of a variable's name in a file with one `NAME=VALUE` per line.
fn variable(files: BuildFiles<'_>, id: SourceId, name: &str) -> Option<Span> {
    let text = &files.sources.get(id)?.text;
    let mut start = 0;
    let mut span = None;
    for line in text.split_inclusive('\n') {
        let before = line.len() - line.trim_start().len();
        let written_name = line.trim().split('=').next().unwrap_or_default();
        if written_name == name {
            span = Some(Span::new(id, start + before, start + before + written_name.len()));
        }
        start += line.len();
    }
    span
}
