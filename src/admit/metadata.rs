//! The rules for `metadata` beyond its types (`ValidateObjectMetaAccessor` of apimachinery).

use super::diagnostics::metadata as diagnostics;
use super::frame::Frame;
use crate::api::Kind;
use crate::diagnostic::Diagnostic;
use crate::go::syntax::{self, Syntax};
use crate::yaml::{Entry, Node, NodeValue};

/// `TotalAnnotationSizeLimitB`.
const ANNOTATIONS_MAX_BYTES: usize = 256 * 1024;

/// Holds the metadata of a resource against the rules.
pub(super) fn check(kind: Kind, resource: Node<'_>, frame: &Frame<'_>, out: &mut Vec<Diagnostic>) {
    let Some(entry) = resource.entry("metadata").filter(|entry| !entry.value.is_null()) else {
        return out.push(diagnostics::no_metadata(frame));
    };
    if !entry.value.is_mapping() {
        return;
    }
    let at = frame.field(entry);
    name(kind, entry.value, &at, out);
    namespace(kind, entry.value, &at, out);
    for field in entry.value.entries() {
        let at = at.field(field);
        match field.key {
            "labels" => labels(field.value, &at, out),
            "annotations" => annotations(field.value, &at, out),
            "ownerReferences" => owner_references(field.value, &at, out),
            "finalizers" => finalizers(field.value, &at, out),
            "generation" if matches!(field.value.value(), NodeValue::Int(..0)) => {
                out.push(diagnostics::negative(field, &at));
            }
            _ => {}
        }
    }
}

fn name(kind: Kind, metadata: Node<'_>, at: &Frame<'_>, out: &mut Vec<Diagnostic>) {
    let syntax: Syntax = match kind {
        Kind::Namespace => syntax::dns_label,
        _ => syntax::subdomain,
    };
    let prefix = text_entry(metadata, "generateName");
    if let Some((entry, problem)) = prefix.and_then(|(entry, text)| {
        let problem = syntax(&syntax::mask_trailing_dash(text))?;
        Some((entry, problem))
    }) {
        out.push(diagnostics::invalid_name(entry, &problem, &at.field(entry)));
    }
    match text_entry(metadata, "name") {
        Some((entry, text)) => {
            out.extend(syntax(text).map(|problem| diagnostics::invalid_name(entry, &problem, &at.field(entry))));
        }
        None if has_no_text(metadata, "name") => out.push(diagnostics::no_name(prefix.is_some(), at)),
        None => {}
    }
}

fn namespace(kind: Kind, metadata: Node<'_>, at: &Frame<'_>, out: &mut Vec<Diagnostic>) {
    if !kind.is_namespaced() {
        return;
    }
    if let Some((entry, text)) = text_entry(metadata, "namespace") {
        out.extend(syntax::dns_label(text).map(|problem| diagnostics::invalid_name(entry, &problem, &at.field(entry))));
    }
}

/// A field of text that is not empty; Go does not tell an empty one from a missing one.
fn text_entry<'d>(node: Node<'d>, name: &str) -> Option<(Entry<'d>, &'d str)> {
    let entry = node.entry(name)?;
    let text = entry.value.as_str().filter(|text| !text.is_empty())?;
    Some((entry, text))
}

/// Whether a field is missing in Go's eyes. One of another type is not: that is reported as such.
fn has_no_text(node: Node<'_>, name: &str) -> bool {
    node.get(name)
        .is_none_or(|value| matches!(value.value(), NodeValue::Null | NodeValue::String("")))
}

/// `ValidateLabels`; the API server names the field, not the key.
fn labels(labels: Node<'_>, at: &Frame<'_>, out: &mut Vec<Diagnostic>) {
    for label in labels.entries() {
        out.extend(syntax::qualified_name(label.key).map(|problem| diagnostics::label_key(label, &problem, at)));
        let problem = label.value.as_str().and_then(syntax::label_value);
        out.extend(problem.map(|problem| diagnostics::label_value(label, &problem, at)));
    }
}

/// `ValidateAnnotations`: keys may have capitals in their prefix.
fn annotations(annotations: Node<'_>, at: &Frame<'_>, out: &mut Vec<Diagnostic>) {
    let mut bytes = 0;
    for annotation in annotations.entries() {
        bytes += annotation.key.len() + annotation.value.as_str().map_or(0, str::len);
        let problem = syntax::qualified_name(&annotation.key.to_lowercase());
        out.extend(problem.map(|problem| diagnostics::label_key(annotation, &problem, at)));
    }
    if bytes > ANNOTATIONS_MAX_BYTES {
        out.push(diagnostics::annotations_too_large(bytes, at));
    }
}

/// `ValidateOwnerReferences`; the API server leaves the number of the reference out of the path.
fn owner_references(references: Node<'_>, at: &Frame<'_>, out: &mut Vec<Diagnostic>) {
    let mut controller = None;
    for (index, reference) in references.items().enumerate() {
        if !reference.is_mapping() {
            continue;
        }
        let item = at.item(index, reference);
        for name in ["apiVersion", "kind", "name", "uid"] {
            if has_no_text(reference, name) {
                out.push(diagnostics::incomplete_owner(name, &item, at));
            }
        }
        if reference
            .get("controller")
            .is_some_and(|c| c.value() == NodeValue::Bool(true))
        {
            match controller {
                None => controller = Some(reference),
                Some(first) => out.push(diagnostics::two_controllers(&item, first, at)),
            }
        }
    }
}

/// `ValidateFinalizers`.
fn finalizers(finalizers: Node<'_>, at: &Frame<'_>, out: &mut Vec<Diagnostic>) {
    for item in finalizers.items() {
        let problem = item.as_str().and_then(syntax::qualified_name);
        out.extend(problem.map(|problem| diagnostics::finalizer(item, &problem, at)));
    }
    let find = |name| finalizers.items().find(|item| item.as_str() == Some(name));
    if let (Some(_), Some(second)) = (find("orphan"), find("foregroundDeletion")) {
        out.push(diagnostics::conflicting_finalizers(second, at));
    }
}
