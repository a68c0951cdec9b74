//! What was applied before: the third side of a comparison with a live object.

use serde_json::Value;

/// Where kubectl keeps the manifest that it applied last.
const LAST_APPLIED: &str = "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration";

/// Fields of `metadata` that only an API server writes.
const WRITTEN_BY_SERVER: [&str; 4] = ["creationTimestamp", "managedFields", "resourceVersion", "uid"];

/// Where an object comes from.
pub(super) enum History {
    /// A file of manifests: all of it is what would have been applied.
    Manifest,
    /// A cluster, and what kubectl applied there last.
    Applied(Value),
    /// A cluster, and whatever its managed fields say.
    Managed,
}

/// The history of an object of this state.
pub(super) fn of(object: &Value) -> History {
    let last_applied = object.pointer(LAST_APPLIED).and_then(Value::as_str);
    if let Some(applied) = last_applied.and_then(|text| serde_json::from_str(text).ok()) {
        return History::Applied(applied);
    }
    let metadata = object.get("metadata");
    let is_live = |field: &&str| {
        metadata
            .and_then(|metadata| metadata.get(*field))
            .is_some_and(|value| !value.is_null())
    };
    if WRITTEN_BY_SERVER.iter().any(is_live) {
        return History::Managed;
    }
    History::Manifest
}
