//! Fields of kustomizations: patches, generators and transformers.

use super::field::{FieldPosition, first_key};
use super::files::BuildFiles;
use super::object::BuiltObject;
use super::patch::{inline_patch_field_span, patch_field_span};
use crate::diagnostic::Step;
use crate::source::{SourceId, Span};
use crate::yaml::{Entry, Node, NodeValue};

/// Fields that contain patches, in the order in which they are applied.
const PATCHES: [&str; 3] = ["patchesStrategicMerge", "patches", "patchesJson6902"];

/// Fields that change values in resources.
const TRANSFORMERS: [&str; 9] = [
    "commonMetadata",
    "targetNamespace",
    "namespace",
    "images",
    "labels",
    "commonLabels",
    "commonAnnotations",
    "namePrefix",
    "nameSuffix",
];

/// Returns the span that sets the field in one of the kustomization's patches. `file` is the kustomization's file, or
/// `None` if all its patches are inline.
pub(super) fn patch_span(
    files: &BuildFiles<'_>,
    file: Option<&String>,
    root: Node<'_>,
    object: &BuiltObject<'_>,
    field: &FieldPosition<'_>,
) -> Option<Span> {
    let patches: Vec<_> = PATCHES.iter().flat_map(|key| root.items_at(key)).collect();
    patches.into_iter().rev().find_map(|patch| {
        let target = patch.get("target");
        let is_targeted = target.is_some_and(|target| is_target(target, object));
        let text = patch.get("patch").or(Some(patch)).filter(|patch| patch.as_str().is_some());
        let path = patch.get("path").or(text).and_then(Node::as_str)?;
        if target.is_some() && !is_targeted {
            return None;
        }
        let in_file = || {
            let mut documents = files.referenced_file(file?, path)?.1.iter();
            documents.find_map(|document| patch_field_span(document.root(), is_targeted, object, field))
        };
        in_file().or_else(|| inline_patch_field_span(text?, is_targeted, object, field))
    })
}

/// Whether one of `sources` contains a patch that belongs to the kustomization and changes the object.
pub(super) fn is_patched_in(
    files: &BuildFiles<'_>,
    file: &str,
    object: &BuiltObject<'_>,
    sources: &[SourceId],
) -> bool {
    let Some(root) = files.root(file) else {
        return false;
    };
    PATCHES.iter().flat_map(|key| root.items_at(key)).any(|patch| {
        let path = patch.get("path").or(Some(patch)).and_then(Node::as_str);
        let Some((id, documents)) = path.and_then(|path| files.referenced_file(file, path)) else {
            return false;
        };
        let mut roots = documents.iter().map(|document| document.root());
        let is_targeted = match patch.get("target") {
            Some(target) => is_target(target, object),
            None => roots.any(|root| object.is_referred_to_by(root.text("kind"), root.text("metadata.name"))),
        };
        is_targeted && sources.contains(&id)
    })
}

/// Whether a patch target may match an object. Regular expressions and selectors are not evaluated, so the target may
/// not actually match. `patch_span` also compares the patched value.
fn is_target(target: Node<'_>, object: &BuiltObject<'_>) -> bool {
    let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let kind = target.text("kind");
    let name = target.text("name");
    let has_kind = kind.is_empty() || !is_plain(kind) || kind == object.root.text("kind");
    has_kind && (!is_plain(name) || name.is_empty() || object.is_referred_to_by(object.root.text("kind"), name))
}

/// Returns the span of the value that a kustomization assigns to a field.
pub(super) fn assigned_span(root: Node<'_>, object: &BuiltObject<'_>, field: &FieldPosition<'_>) -> Option<Span> {
    let text = field.node.as_str().filter(|text| !text.is_empty())?;
    if let Some(replaced_span) = replacement_span(root, object, field) {
        return Some(replaced_span);
    }
    let mut entries = TRANSFORMERS.iter().filter_map(|key| root.entry(key));
    entries.find_map(|entry| {
        let is_part = |value: &str| match entry.key {
            "images" if value.contains(['=', ':']) => value.ends_with(text),
            "images" => text.ends_with(&format!(":{value}")) || text.contains(&format!("@{value}")) || text == value,
            // An invalid name is a mistake in the resource unless the prefix or suffix is invalid.
            "namePrefix" => !is_name_part(value) && text.starts_with(value),
            "nameSuffix" => !is_name_part(value) && text.ends_with(value),
            "targetNamespace" | "namespace" => field.name() == "namespace" && text == value,
            "commonMetadata" => field.is_below(&["labels", "annotations"]) && text == value,
            "commonAnnotations" => field.is_below(&["annotations"]) && text == value,
            _ => field.is_below(&["labels", "matchLabels", "selector"]) && text == value,
        };
        scalar(entry, &is_part)
    })
}

/// Returns the span in the replacement that sets a field: the matching `fieldPaths` item if the position is a key, and
/// the source's `fieldPath` otherwise.
fn replacement_span(root: Node<'_>, object: &BuiltObject<'_>, field: &FieldPosition<'_>) -> Option<Span> {
    root.items_at("replacements").find_map(|replacement| {
        let mut targets = replacement.items_at("targets");
        let targets = targets.find_map(|target| {
            let is_selected = target.get("select").is_some_and(|select| is_target(select, object));
            let mut paths = target.items_at("fieldPaths").filter(|_| is_selected);
            paths.find(|path| path.as_str().is_some_and(|path| is_path_of(path, field)))
        });
        let source = replacement.get("source").and_then(|source| source.get("fieldPath"));
        targets.map(|path| source.filter(|_| !field.is_key).unwrap_or(path).span())
    })
}

/// Whether a replacement's path, such as `spec.containers.[name=a].image`, leads to a field.
fn is_path_of(path: &str, field: &FieldPosition<'_>) -> bool {
    const DOT: &str = "\0";
    let path = path.replace("\\.", DOT);
    let mut steps = field.steps.iter();
    let is_same = path.split('.').all(|part| match steps.next() {
        Some(Step::Key(key)) => part.replace(DOT, ".") == *key,
        Some(Step::Index(index)) => part == "*" || part.starts_with('[') || part.parse() == Ok(*index),
        None => false,
    });
    is_same && steps.next().is_none()
}

fn is_name_part(text: &str) -> bool {
    let is_name_byte = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-.".contains(&byte);
    text.bytes().all(is_name_byte)
}

/// Returns the span of the scalar in an entry for which `is_meant` returns true.
fn scalar(entry: Entry<'_>, is_meant: &dyn Fn(&str) -> bool) -> Option<Span> {
    let mut pending = vec![entry.value];
    while let Some(node) = pending.pop() {
        match node.value() {
            NodeValue::String(text) if is_meant(text) => return Some(node.span()),
            _ => pending.extend(node.entries().map(|entry| entry.value).chain(node.items())),
        }
    }
    None
}

/// Returns the kustomization's entry for external resources: a chart or the first address.
pub(super) fn entry(root: Node<'_>) -> Option<Span> {
    let is_address = |node: &Node<'_>| node.as_str().is_some_and(|text| text.contains("://") || text.contains(".com/"));
    let charts = root.entry("helmCharts").map(|entry| entry.key_span);
    let mut resources = ["resources", "bases"].into_iter().flat_map(|key| root.items_at(key));
    let address = resources.find(is_address).map(Node::span);
    Some(charts.or(address).unwrap_or_else(|| first_key(root)))
}
