//! Admitted resources → hierarchies: what each agent selects, and the values that it refers to.

mod hierarchy;
mod secret_store;

pub use hierarchy::{Hierarchy, LogsHierarchy, MetricsHierarchy};
pub use secret_store::{AssetKey, AssetKind, SecretStore};
