//! The effect that applying a manifest has on an object, or that a change has on part of its configuration.

use serde::Serialize;

/// The effect that applying the manifests has on an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ApplyAction {
    /// The object does not exist yet.
    Added,
    /// The object exists and differs.
    Changed,
    /// The object exists but is not rendered.
    Removed,
}
