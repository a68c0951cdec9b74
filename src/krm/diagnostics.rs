//! What reading and writing a ResourceList finds.

use crate::diagnostic::{Code, Diagnostic, ObjectKey};
use crate::yaml::Node;

pub(super) fn nothing() -> Diagnostic {
    Diagnostic::new(Code::InvalidResourceList, "expected a `ResourceList`, found nothing")
        .help("run `agentctl krm` as a function of kustomize or kpt, or give it a ResourceList on standard input")
}

pub(super) fn another_kind(root: Node<'_>) -> Diagnostic {
    let message = match root.get("kind").and_then(Node::as_str) {
        Some(kind) => format!("expected a `ResourceList`, found a `{kind}`"),
        None => "expected a `ResourceList`, found an object without `kind`".to_owned(),
    };
    Diagnostic::new(Code::InvalidResourceList, message)
        .label(root.get("kind").unwrap_or(root).span(), "")
        .help("pipe plain resources to `agentctl render -`")
}

pub(super) fn another_version(root: Node<'_>, version: &str, known: &[&str]) -> Diagnostic {
    let message = format!(
        "expected a `ResourceList` of `{}`, found one of `{version}`",
        known.join("` or `")
    );
    Diagnostic::new(Code::InvalidResourceList, message).label(root.get("apiVersion").unwrap_or(root).span(), "")
}

pub(super) fn more_than_one(second: Node<'_>) -> Diagnostic {
    Diagnostic::new(
        Code::InvalidResourceList,
        "expected one `ResourceList`, found another document behind it",
    )
    .label(second.span(), "")
}

pub(super) fn without_items(root: Node<'_>) -> Diagnostic {
    Diagnostic::new(Code::InvalidResourceList, "the `ResourceList` has no `items`")
        .label(root.get("kind").unwrap_or(root).span(), "")
}

pub(super) fn items_of_another_type(items: Node<'_>) -> Diagnostic {
    Diagnostic::new(Code::InvalidResourceList, "`items` must be a list").label(items.span(), "")
}

/// A rendered object takes the place of one that agentctl did not render.
pub(super) fn replaced(item: Node<'_>, object: ObjectKey) -> Diagnostic {
    let place = item.at("metadata.name").unwrap_or(item);
    Diagnostic::new(
        Code::ReplacedObject,
        format!(
            "{} `{}` is replaced by the one that is rendered",
            object.kind, object.name
        ),
    )
    .label(place.span(), "not rendered by this function before")
    .resource(object)
    .help("take it out of the input, or rename one of them")
}
