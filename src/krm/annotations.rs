//! What the tools that run functions note down in annotations.

use crate::manifest::LOCAL_TOOL_PREFIXES;
use crate::yaml::Node;

/// The file of an item: the present key, and that of `v1beta1`.
const PATH: [&str; 2] = ["internal.config.kubernetes.io/path", "config.kubernetes.io/path"];

/// The number of the document in its file.
const INDEX: [&str; 2] = ["internal.config.kubernetes.io/index", "config.kubernetes.io/index"];

/// What kustomize knows the inputs of a transformer by (`idAnnotation` in its `api/internal/plugins/utils`).
const KUSTOMIZE_ID: &str = "kustomize.config.k8s.io/id";

/// The annotations of an item that belong to the tool: it goes back with those it came with.
pub(super) fn of_the_tool<'d>(item: Node<'d>) -> impl Iterator<Item = (&'d str, &'d str)> {
    item.entries_at("metadata.annotations")
        .filter(|entry| {
            LOCAL_TOOL_PREFIXES
                .split(' ')
                .any(|prefix| entry.key.starts_with(prefix))
        })
        .filter_map(|entry| Some((entry.key, entry.value.as_str()?)))
}

/// The file of an item.
pub(super) fn path<'d>(item: Node<'d>) -> Option<&'d str> {
    PATH.iter().find_map(|key| annotation(item, key))
}

/// The number of an item in its file.
pub(super) fn index(item: Node<'_>) -> Option<i64> {
    INDEX.iter().find_map(|key| annotation(item, key)?.parse().ok())
}

pub(super) fn is_from_kustomize(item: Node<'_>) -> bool {
    annotation(item, KUSTOMIZE_ID).is_some()
}

fn annotation<'d>(item: Node<'d>, key: &str) -> Option<&'d str> {
    item.at("metadata.annotations")?.get(key)?.as_str()
}
