//! Kubernetes' own types in custom resources, decoded and encoded as in Go.
//!
//! The operator decodes these types into Go structs and then encodes the structs again, so its output depends on which
//! values Go considers empty. In this module, they are JSON values, and the table in [`shape`] describes the Go types.

mod decode;
pub mod embedded;
mod encode;
pub mod shape;
pub mod strategic_merge;

pub use encode::encode;
pub(crate) use encode::is_zero;

/// Fields of `metadata` that the API server sets.
pub const SERVER_FIELDS: &str = "creationTimestamp deletionGracePeriodSeconds deletionTimestamp generation managedFields \
    resourceVersion selfLink uid";
