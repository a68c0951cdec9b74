//! Findings about a ResourceList.

use crate::diagnostic::{Code, Diagnostic, ObjectKey};
use crate::yaml::Node;

pub(super) fn missing_list() -> Diagnostic {
    Diagnostic::new(Code::InvalidResourceList, "expected a `ResourceList`, found nothing")
        .help("run `agentctl krm` as a KRM function for kustomize or kpt, or pass a ResourceList on standard input")
}

/// Finding for a node in a ResourceList that has an unexpected form.
pub(super) fn malformed_list(node: Node<'_>, message: impl Into<String>) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(Code::InvalidResourceList, message).label(node.span(), ""))
}

pub(super) fn wrong_kind(root: Node<'_>) -> Box<Diagnostic> {
    let kind = root.get("kind");
    let actual_kind = match kind.and_then(Node::as_str) {
        Some(kind) => format!("a `{kind}`"),
        None => "an object without `kind`".to_owned(),
    };
    let actual_kind = malformed_list(kind.unwrap_or(root), format!("expected a `ResourceList`, found {actual_kind}"));
    Box::new(actual_kind.help("pipe plain resources to `agentctl render -`"))
}

/// Finding for a rendered object that replaces an object that agentctl did not render.
pub(super) fn replaced_object(item: Node<'_>, object: ObjectKey) -> Diagnostic {
    let name_node = item.at("metadata.name").unwrap_or(item);
    Diagnostic::new(
        Code::ReplacedObject,
        format!("{} `{}` is replaced by the rendered object", object.kind, object.name),
    )
    .label(name_node.span(), "not previously rendered by this function")
    .resource(object)
    .help("remove it from the input, or rename one of the two")
}
