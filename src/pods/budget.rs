//! How many bytes the manifests of all agents may have.

use std::sync::atomic::{AtomicU64, Ordering};

use super::object::Object;
use crate::byte_size::ByteSize;

/// What is left of the limit; agents that are lowered at the same time share it.
#[derive(Debug)]
pub struct Budget(AtomicU64);

/// The manifests have more bytes than the limit allows.
#[derive(Debug)]
pub struct Exhausted;

impl Budget {
    /// The whole limit.
    pub fn new(limit: ByteSize) -> Self {
        Self(AtomicU64::new(limit.0))
    }

    /// Takes as much as an object has.
    ///
    /// # Errors
    ///
    /// When less is left. Whether any object of a run meets that depends on their sum alone, not on their order.
    pub fn take(&self, object: &Object) -> Result<(), Exhausted> {
        let size = object.size();
        let left = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(size));
        left.map(|_| ()).map_err(|_| Exhausted)
    }
}
