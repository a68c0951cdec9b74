//! Kubernetes' own types inside of custom resources: decoded and encoded as Go does it.
//!
//! The operator reads them into Go structs and writes those, so its output has Go's idea of what is empty. Here they are
//! JSON; the table of [`shape`] says what Go makes of each field.

mod decode;
pub mod embedded;
mod encode;
pub mod shape;
pub mod strategic_merge;

pub use encode::encode;
pub(crate) use encode::is_zero;

/// What the API server writes into `metadata`.
pub const SERVER_FIELDS: &str = "creationTimestamp deletionGracePeriodSeconds deletionTimestamp generation managedFields \
    resourceVersion selfLink uid";
