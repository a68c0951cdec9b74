//! What is said of the manifests that rendered ones are compared with.

use super::state::Key;
use crate::diagnostic::{Code, Diagnostic};
use crate::yaml::Node;

/// A document that is no object.
pub(super) fn not_an_object(node: Node<'_>) -> Diagnostic {
    Diagnostic::new(
        Code::NotAnObject,
        "expected a Kubernetes object with `apiVersion` and `kind`",
    )
    .label(node.span(), "")
    .help("compare with manifests, as `kubectl get -o yaml` or `agentctl render` writes them")
}

/// An object that cannot be matched.
pub(super) fn without_name(node: Node<'_>, kind: &str) -> Diagnostic {
    Diagnostic::new(Code::MissingField, format!("{kind} has no `metadata.name`"))
        .label(node.span(), "")
        .path("metadata.name")
        .help("add the name by which the object is compared")
}

/// An object that stands on one side twice.
pub(super) fn twice(key: &Key, first: Node<'_>, second: Node<'_>) -> Diagnostic {
    Diagnostic::new(Code::DuplicateResource, format!("`{key}` is there twice"))
        .label(second.span(), "the second one")
        .label(first.span(), "the first one")
        .resource(key)
        .help("compare with one state of each object")
}
