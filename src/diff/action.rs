//! Effect of applying a manifest on an object, or of a change on part of the object's configuration.

use serde::Serialize;

/// Effect of applying the manifests on an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ApplyAction {
    /// Object that does not exist yet.
    Added,
    /// Object that exists but differs.
    Changed,
    /// Object that exists but is not rendered.
    Removed,
}
