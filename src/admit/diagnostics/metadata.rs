//! What admission says of `metadata`.

use super::{child, shown};
use crate::admit::frame::Frame;
use crate::diagnostic::{Code, Diagnostic};
use crate::yaml::{Entry, Node};

/// There is no `metadata`.
pub(in crate::admit) fn no_metadata(resource: &Frame<'_>) -> Diagnostic {
    Diagnostic::new(
        Code::MissingField,
        format!("`{}` has no `metadata`, and so no name", resource.name()),
    )
    .path("metadata.name")
    .label(resource.head(), "`metadata` is missing")
    .help("add `metadata` with a `name`")
}

/// There is no name, or one to be generated.
pub(in crate::admit) fn no_name(is_generated: bool, metadata: &Frame<'_>) -> Diagnostic {
    let help = match is_generated {
        true => "give it a `name`: the API server makes up another one each time",
        false => "add a `name`",
    };
    Diagnostic::new(Code::MissingField, "`metadata` has no `name`, which is required")
        .path(child(metadata, "name"))
        .label(metadata.head(), "`name` is missing")
        .help(help)
}

/// A name or namespace is not what Kubernetes allows.
pub(in crate::admit) fn invalid_name(entry: Entry<'_>, problem: &str, at: &Frame<'_>) -> Diagnostic {
    let text = entry.value.as_str().unwrap_or_default();
    Diagnostic::new(
        Code::InvalidName,
        format!("`{}` {problem}, found `{}`", entry.key, shown(text)),
    )
    .path(at)
    .label(entry.value.span(), "not a valid name")
}

/// A value that must not be negative is.
pub(in crate::admit) fn negative(entry: Entry<'_>, at: &Frame<'_>) -> Diagnostic {
    Diagnostic::new(Code::InvalidMetadata, format!("`{}` must not be negative", entry.key))
        .path(at)
        .label(entry.value.span(), "negative")
}

/// The key of a label or annotation is not what Kubernetes allows.
pub(in crate::admit) fn label_key(entry: Entry<'_>, problem: &str, at: &Frame<'_>) -> Diagnostic {
    Diagnostic::new(
        Code::InvalidLabel,
        format!("the key `{}` in `{}` {problem}", shown(entry.key), at.name()),
    )
    .path(at)
    .label(entry.key_span, "not a valid key")
    .help("write it as `name` or `prefix/name`, such as `example.com/name`")
}

/// The value of a label is not what Kubernetes allows.
pub(in crate::admit) fn label_value(entry: Entry<'_>, problem: &str, at: &Frame<'_>) -> Diagnostic {
    Diagnostic::new(
        Code::InvalidLabel,
        format!("the value of the label `{}` {problem}", shown(entry.key)),
    )
    .path(at)
    .label(entry.value.span(), "not a valid value")
    .help("move free text to an annotation")
}

/// The annotations are too large together.
pub(in crate::admit) fn annotations_too_large(bytes: usize, at: &Frame<'_>) -> Diagnostic {
    Diagnostic::new(
        Code::InvalidMetadata,
        format!("`annotations` have {bytes} bytes together, 262144 are allowed"),
    )
    .path(at)
    .label(at.head(), "too large")
}

/// A reference to an owner lacks a part.
pub(in crate::admit) fn incomplete_owner(name: &str, item: &Frame<'_>, at: &Frame<'_>) -> Diagnostic {
    Diagnostic::new(
        Code::InvalidMetadata,
        format!("`{}` has no `{name}`, which is required", item.name()),
    )
    .path(child(at, name))
    .label(item.head(), format!("`{name}` is missing"))
}

/// Two owners say that they are the controller.
pub(in crate::admit) fn two_controllers(item: &Frame<'_>, first: Node<'_>, at: &Frame<'_>) -> Diagnostic {
    let diagnostic = Diagnostic::new(Code::InvalidMetadata, "only one owner can be the controller")
        .path(at)
        .label(item.head(), "a second controller");
    match first.entry("controller") {
        Some(entry) => diagnostic.label(entry.key_span, "the first controller"),
        None => diagnostic,
    }
}

/// The name of a finalizer is not what Kubernetes allows.
pub(in crate::admit) fn finalizer(item: Node<'_>, problem: &str, at: &Frame<'_>) -> Diagnostic {
    let text = item.as_str().unwrap_or_default();
    Diagnostic::new(
        Code::InvalidMetadata,
        format!("a finalizer {problem}, found `{}`", shown(text)),
    )
    .path(at)
    .label(item.span(), "not a valid name")
}

/// Two finalizers that exclude each other.
pub(in crate::admit) fn conflicting_finalizers(second: Node<'_>, at: &Frame<'_>) -> Diagnostic {
    Diagnostic::new(
        Code::InvalidMetadata,
        "the finalizers `orphan` and `foregroundDeletion` exclude each other",
    )
    .path(at)
    .label(second.span(), "cannot stand beside `orphan`")
}
