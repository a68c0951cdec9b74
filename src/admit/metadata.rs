//! Validation of `metadata` beyond its types (`ValidateObjectMetaAccessor` in apimachinery).

use super::diagnostics::display_value;
use super::findings::ResourceFindings;
use super::frame::Frame;
use crate::api::Kind;
use crate::diagnostic::{Code, Diagnostic};
use crate::go::syntax::{self, Syntax};
use crate::yaml::{Entry, Node, NodeValue};

/// Maximum total size of all annotations (`TotalAnnotationSizeLimitB` in apimachinery).
const MAX_ANNOTATION_BYTES: usize = 256 * 1024;

/// Validates a resource's metadata.
pub(super) fn check(kind: Kind, resource: Node<'_>, frame: &Frame<'_>, out: &mut ResourceFindings<'_>) {
    let Some(entry) = resource.entry("metadata").filter(|entry| !entry.value.is_null()) else {
        let message = format!("`{}` has no `metadata` and therefore no name", frame.name());
        let finding = Diagnostic::new(Code::MissingField, message)
            .path("metadata.name")
            .label(frame.head(), "`metadata` is missing")
            .help("add `metadata` with a `name`");
        return out.extend([finding]);
    };
    if !entry.value.is_mapping() {
        return;
    }
    let metadata_frame = frame.field(entry);
    check_resource_name(kind, entry.value, &metadata_frame, out);
    check_namespace(kind, entry.value, &metadata_frame, out);
    for field in entry.value.entries() {
        let field_frame = metadata_frame.field(field);
        match field.key {
            "labels" => check_labels(field.value, &field_frame, out),
            "annotations" => check_annotations(field.value, &field_frame, out),
            "ownerReferences" => check_owner_references(field.value, &field_frame, out),
            "finalizers" => check_finalizers(field.value, &field_frame, out),
            "generation" if matches!(field.value.value(), NodeValue::Int(..0)) => {
                let message = "`generation` must not be negative";
                out.extend([field_frame.diagnostic(Code::InvalidMetadata, message, field.value.span(), "negative")]);
            }
            _ => {}
        }
    }
}

fn check_resource_name(kind: Kind, metadata: Node<'_>, frame: &Frame<'_>, out: &mut ResourceFindings<'_>) {
    let syntax: Syntax = match kind {
        Kind::Namespace => syntax::dns_label,
        _ => syntax::subdomain,
    };
    let prefix = text_entry(metadata, "generateName");
    if let Some((entry, text)) = prefix {
        check_name(entry, syntax(&syntax::mask_trailing_dash(text)), frame, out);
    }
    match text_entry(metadata, "name") {
        Some((entry, text)) => check_name(entry, syntax(text), frame, out),
        None if has_no_text(metadata, "name") => out.extend([missing_name(prefix.is_some(), frame)]),
        None => {}
    }
}

fn check_namespace(kind: Kind, metadata: Node<'_>, frame: &Frame<'_>, out: &mut ResourceFindings<'_>) {
    if let Some((entry, text)) = text_entry(metadata, "namespace").filter(|_| kind.is_namespaced()) {
        check_name(entry, syntax::dns_label(text), frame, out);
    }
}

/// Reports the problem with a name or namespace, if any.
fn check_name(entry: Entry<'_>, problem: Option<String>, frame: &Frame<'_>, out: &mut ResourceFindings<'_>) {
    if let Some(problem) = problem {
        let text = entry.value.as_str().unwrap_or_default();
        let message = format!("the {} `{}` {problem}", entry.key, display_value(text));
        let (frame, span) = (frame.field(entry), entry.value.span());
        out.extend([frame.diagnostic(Code::InvalidName, message, span, "not a valid name")]);
    }
}

/// Finding for metadata without a name.
fn missing_name(is_generated: bool, metadata: &Frame<'_>) -> Diagnostic {
    let help = match is_generated {
        true => "set `name`: with `generateName`, the API server generates a different name each time",
        false => "add a `name`",
    };
    Diagnostic::new(Code::MissingField, "`metadata` has no `name`, which is required")
        .path(metadata.missing_path("name"))
        .label(metadata.head(), "`name` is missing")
        .help(help)
}

/// Returns a non-empty string field. In Go, empty and missing fields are the same.
fn text_entry<'d>(node: Node<'d>, name: &str) -> Option<(Entry<'d>, &'d str)> {
    let entry = node.entry(name)?;
    let text = entry.value.as_str().filter(|text| !text.is_empty())?;
    Some((entry, text))
}

/// Whether Go considers a string field missing. A field with a different type is not considered missing. Instead, its
/// type is reported.
fn has_no_text(node: Node<'_>, name: &str) -> bool {
    node.get(name).is_none_or(|value| matches!(value.value(), NodeValue::Null | NodeValue::String("")))
}

/// Port of `ValidateLabels`. Like the API server, it reports the field rather than the key.
fn check_labels(labels: Node<'_>, frame: &Frame<'_>, out: &mut ResourceFindings<'_>) {
    for label in labels.entries() {
        check_key(label, syntax::qualified_name(label.key), frame, out);
        if let Some(problem) = label.value.as_str().and_then(syntax::label_value) {
            out.add(Code::InvalidLabel, || {
                let message = format!("the value of the label `{}` {problem}", display_value(label.key));
                let finding = frame.diagnostic(Code::InvalidLabel, message, label.value.span(), "not a valid value");
                finding.help("move free text to an annotation")
            });
        }
    }
}

/// Reports the problem with the key of a label or annotation, if any.
fn check_key(entry: Entry<'_>, problem: Option<String>, frame: &Frame<'_>, out: &mut ResourceFindings<'_>) {
    if let Some(problem) = problem {
        out.add(Code::InvalidLabel, || {
            let message = format!("the key `{}` in `{}` {problem}", display_value(entry.key), frame.name());
            let finding = frame.diagnostic(Code::InvalidLabel, message, entry.key_span, "not a valid key");
            finding.help("write it as `name` or `prefix/name`, such as `example.com/name`")
        });
    }
}

/// Port of `ValidateAnnotations`. The prefix of a key may contain uppercase letters.
fn check_annotations(annotations: Node<'_>, frame: &Frame<'_>, out: &mut ResourceFindings<'_>) {
    let mut bytes = 0;
    for annotation in annotations.entries() {
        bytes += annotation.key.len() + annotation.value.as_str().map_or(0, str::len);
        let problem = syntax::qualified_name(&annotation.key.to_lowercase());
        check_key(annotation, problem, frame, out);
    }
    if bytes > MAX_ANNOTATION_BYTES {
        let message = format!("the annotations take up {bytes} bytes in total, but at most 262144 are allowed");
        out.extend([frame.diagnostic(Code::InvalidMetadata, message, frame.head(), "too large")]);
    }
}

/// Port of `ValidateOwnerReferences`. Like the API server, it omits the reference's index from the path.
fn check_owner_references(references: Node<'_>, frame: &Frame<'_>, out: &mut ResourceFindings<'_>) {
    let mut controller = None;
    let mappings = references.items().enumerate().filter(|(_, item)| item.is_mapping());
    for (index, reference) in mappings {
        let item = frame.item(index, reference);
        for name in ["apiVersion", "kind", "name", "uid"] {
            if has_no_text(reference, name) {
                out.add(Code::InvalidMetadata, || {
                    let message = format!("`{}` has no `{name}`, which is required", item.name());
                    let finding = Diagnostic::new(Code::InvalidMetadata, message).path(frame.missing_path(name));
                    finding.label(item.head(), format!("`{name}` is missing"))
                });
            }
        }
        let entry = reference.entry("controller");
        let Some(entry) = entry.filter(|entry| entry.value.value() == NodeValue::Bool(true)) else {
            continue;
        };
        match controller {
            None => controller = Some(entry),
            Some(first) => {
                out.add(Code::InvalidMetadata, || {
                    let message = "only one owner can be the controller";
                    let finding = frame.diagnostic(Code::InvalidMetadata, message, item.head(), "a second controller");
                    finding.label(first.key_span, "the first controller is defined here")
                });
            }
        }
    }
}

/// Port of `ValidateFinalizers`.
fn check_finalizers(finalizers: Node<'_>, frame: &Frame<'_>, out: &mut ResourceFindings<'_>) {
    for item in finalizers.items() {
        let text = item.as_str().unwrap_or_default();
        if let Some(problem) = item.as_str().and_then(syntax::qualified_name) {
            out.add(Code::InvalidMetadata, || {
                let message = format!("the finalizer `{}` {problem}", display_value(text));
                frame.diagnostic(Code::InvalidMetadata, message, item.span(), "not a valid name")
            });
        }
    }
    let find_item = |name| finalizers.items().find(|item| item.as_str() == Some(name));
    if let (Some(_), Some(second)) = (find_item("orphan"), find_item("foregroundDeletion")) {
        let message = "the finalizers `orphan` and `foregroundDeletion` cannot be combined";
        let label = "cannot be combined with `orphan`";
        out.extend([frame.diagnostic(Code::InvalidMetadata, message, second.span(), label)]);
    }
}
