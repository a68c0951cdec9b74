//! How many bytes the manifests of all agents may have.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use super::ManifestError;
use super::object::Object;
use crate::byte_size::ByteSize;

/// What is left of the limit; agents that are lowered at the same time share it.
#[derive(Debug)]
pub struct Budget(AtomicU64);

impl Budget {
    /// The whole limit.
    pub fn new(limit: ByteSize) -> Self {
        Self(AtomicU64::new(limit.0))
    }

    /// Takes as much as `times` objects like this one have.
    ///
    /// # Errors
    ///
    /// When less is left. Whether any object of a run meets that depends on their sum alone, not on their order.
    pub(super) fn take(&self, object: &Object, times: u64) -> Result<(), ManifestError> {
        let size = size(object)?.saturating_mul(times);
        let left = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(size));
        left.map(|_| ()).map_err(|_| ManifestError::Size)
    }
}

/// Of a Secret the data, which are most of it; of the others their JSON.
fn size(object: &Object) -> Result<u64, serde_json::Error> {
    let mut count = Count(0);
    match object {
        Object::Secret(secret) => {
            let data = secret.data.iter().flatten();
            count.0 = data
                .map(|(key, value)| (key.len() + value.0.len().div_ceil(3) * 4) as u64)
                .sum();
        }
        Object::DaemonSet(object) => serde_json::to_writer(&mut count, object)?,
        Object::Deployment(object) => serde_json::to_writer(&mut count, object)?,
        Object::Endpoints(object) => serde_json::to_writer(&mut count, object)?,
        Object::ExternalSecret(object) => serde_json::to_writer(&mut count, object)?,
        Object::Service(object) => serde_json::to_writer(&mut count, object)?,
        Object::StatefulSet(shard) => serde_json::to_writer(&mut count, shard.first())?,
    }
    Ok(count.0)
}

/// Counts what is written.
struct Count(u64);

impl io::Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
