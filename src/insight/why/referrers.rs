//! Who refers to a Secret or ConfigMap.

use crate::api::{Head, Kind, ObjectRef, Resources};
use crate::resolve::Hierarchy;
use crate::resolve::references::{self, AgentUse, Usage};
use crate::source::Span;

/// A field that refers to a Secret or ConfigMap.
pub struct Referrer<'d> {
    /// The resource it is in.
    pub object: ObjectRef<'d>,
    /// The field.
    pub field: String,
    /// Where it stands.
    pub span: Span,
    /// The key it names.
    pub key: &'d str,
    /// What the value is used for.
    pub usage: Usage,
    /// The agents that the resource belongs to; none where nothing selects it.
    pub agents: Vec<ObjectRef<'d>>,
}

/// The fields that refer to an object, by resource; none where it is no Secret or ConfigMap.
pub fn of<'d>(
    resources: &Resources<'d>,
    hierarchies: &[Hierarchy<'_, 'd>],
    target: ObjectRef<'d>,
) -> Vec<Referrer<'d>> {
    if !matches!(target.kind, Kind::Secret | Kind::ConfigMap) {
        return Vec::new();
    }
    let used = |agent: &Head<'d>| {
        let compiled = hierarchies
            .iter()
            .find(|hierarchy| hierarchy.agent.object_ref() == agent.object_ref());
        compiled.map_or(AgentUse::NOTHING, Hierarchy::agent_use)
    };
    let all = references::all(resources, used);
    let found = all.filter(|(referrer, reference)| reference.object(referrer.meta.namespace) == target);
    let referrers = found.map(|(referrer, reference)| {
        let object = referrer.object_ref();
        let agents = hierarchies.iter().filter(|hierarchy| hierarchy.contains(object));
        Referrer {
            object,
            span: referrer.locate(&reference.path),
            field: reference.path.to_string(),
            key: reference.selector.key,
            usage: reference.usage,
            agents: agents.map(|hierarchy| hierarchy.agent.object_ref()).collect(),
        }
    });
    referrers.collect()
}
