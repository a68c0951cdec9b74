//! What the resources and the configuration tell a person: answers, not manifests.

pub mod shards;
