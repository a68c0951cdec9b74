//! Whose references the values in `<agent>-secrets` are copied for.

use std::collections::BTreeMap;

use crate::api::{AnyResource, ObjectRef, Resources, find};
use crate::resolve::AssetKey;
use crate::resolve::references::{self, AgentUse};

/// A resource that refers to values, and the instance that selects it, where one does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Referrer<'d> {
    /// The instance through which the resource belongs to the agent, or which it is; none for the agent and Integrations.
    pub instance: Option<ObjectRef<'d>>,
    /// The resource.
    pub object: ObjectRef<'d>,
}

/// The values of an agent, and who refers to each.
#[derive(Default)]
pub struct Copied<'d>(BTreeMap<AssetKey<'d>, Vec<Referrer<'d>>>);

impl<'d> Copied<'d> {
    /// Adds a referrer of a value.
    pub fn add(&mut self, key: AssetKey<'d>, referrer: Referrer<'d>) {
        self.0.entry(key).or_default().push(referrer);
    }

    /// Whether a value is there for such referrers only, so that it goes with them.
    pub fn go_with(&self, is_gone: impl Fn(&Referrer<'d>) -> bool) -> bool {
        self.0.values().any(|referrers| referrers.iter().all(&is_gone))
    }

    /// Whether a resource that comes would bring in a value that is not there yet.
    pub fn come_with(&self, resource: AnyResource<'_, 'd>, resources: &Resources<'d>) -> bool {
        let references = references::of(resource, AgentUse::NOTHING).into_iter();
        let mut keys = references.map(|reference| reference.key(resource.meta.namespace));
        keys.any(|key| !self.0.contains_key(&key) && has_value(resources, &key))
    }
}

/// Whether the input has the value.
fn has_value(resources: &Resources<'_>, key: &AssetKey<'_>) -> bool {
    let object = find(resources.data(key.kind.kind()), key.namespace, key.name);
    object.is_some_and(|object| object.spec.values.contains_key(key.key))
}
