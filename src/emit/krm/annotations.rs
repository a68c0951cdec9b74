//! Annotations set by tools that run functions.

use crate::manifest::LOCAL_TOOL_PREFIXES;
use crate::yaml::Node;

/// Keys of the annotation that specifies an item's file: the current key and the `v1beta1` key.
const PATH_KEYS: [&str; 2] = ["internal.config.kubernetes.io/path", "config.kubernetes.io/path"];

/// Keys of the annotation that specifies a document's index in its file: the current key and the `v1beta1` key.
const INDEX_KEYS: [&str; 2] = ["internal.config.kubernetes.io/index", "config.kubernetes.io/index"];

/// Annotation that kustomize uses to identify the inputs of a transformer (`idAnnotation` in its
/// `api/internal/plugins/utils`).
const KUSTOMIZE_ID: &str = "kustomize.config.k8s.io/id";

/// Returns the tool's annotations on an item, which must be preserved unchanged.
pub(super) fn tool_annotations<'d>(item: Node<'d>) -> impl Iterator<Item = (&'d str, &'d str)> {
    item.entries_at("metadata.annotations")
        .filter(|entry| LOCAL_TOOL_PREFIXES.split(' ').any(|prefix| entry.key.starts_with(prefix)))
        .filter_map(|entry| Some((entry.key, entry.value.as_str()?)))
}

/// Returns the path of an item's file.
pub(super) fn path<'d>(item: Node<'d>) -> Option<&'d str> {
    PATH_KEYS.iter().find_map(|key| annotation(item, key))
}

/// Returns an item's index in its file.
pub(super) fn index(item: Node<'_>) -> Option<i64> {
    INDEX_KEYS.iter().find_map(|key| annotation(item, key)?.parse().ok())
}

pub(super) fn is_from_kustomize(item: Node<'_>) -> bool {
    annotation(item, KUSTOMIZE_ID).is_some()
}

fn annotation<'d>(item: Node<'d>, key: &str) -> Option<&'d str> {
    item.at("metadata.annotations")?.get(key)?.as_str()
}
