//! Annotations of the tools that run functions.

use crate::manifest::LOCAL_TOOL_PREFIXES;
use crate::yaml::Node;

/// Annotation with the file of an item: the current key, and that of `v1beta1`.
const PATH: [&str; 2] = ["internal.config.kubernetes.io/path", "config.kubernetes.io/path"];

/// Annotation with the index of a document in its file.
const INDEX: [&str; 2] = ["internal.config.kubernetes.io/index", "config.kubernetes.io/index"];

/// Annotation that kustomize uses to identify the inputs of a transformer (`idAnnotation` in its `api/internal/plugins/utils`).
const KUSTOMIZE_ID: &str = "kustomize.config.k8s.io/id";

/// Returns the annotations of an item that belong to the tool and must be returned unchanged.
pub(super) fn tool_annotations<'d>(item: Node<'d>) -> impl Iterator<Item = (&'d str, &'d str)> {
    item.entries_at("metadata.annotations")
        .filter(|entry| {
            LOCAL_TOOL_PREFIXES
                .split(' ')
                .any(|prefix| entry.key.starts_with(prefix))
        })
        .filter_map(|entry| Some((entry.key, entry.value.as_str()?)))
}

/// Returns the file of an item.
pub(super) fn path<'d>(item: Node<'d>) -> Option<&'d str> {
    PATH.iter().find_map(|key| annotation(item, key))
}

/// Returns the index of an item in its file.
pub(super) fn index(item: Node<'_>) -> Option<i64> {
    INDEX.iter().find_map(|key| annotation(item, key)?.parse().ok())
}

pub(super) fn is_from_kustomize(item: Node<'_>) -> bool {
    annotation(item, KUSTOMIZE_ID).is_some()
}

fn annotation<'d>(item: Node<'d>, key: &str) -> Option<&'d str> {
    item.at("metadata.annotations")?.get(key)?.as_str()
}
