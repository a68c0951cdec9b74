//! Fields that refer to Secrets and ConfigMaps, and the agents that use these fields.

use std::collections::BTreeMap;

use crate::api::{AnyResource, ObjectRef, Resources};
use crate::resolve::Hierarchy;
use crate::resolve::references::{self, AgentUse, KeyReference, Usage};
use crate::source::Span;

/// A field that refers to a Secret or ConfigMap.
pub struct Referrer<'r, 'd> {
    /// Resource that contains the field.
    pub object: ObjectRef<'d>,
    pub field: String,
    /// Span of the reference.
    pub span: Span,
    /// Key that the field refers to.
    pub key: &'d str,
    pub usage: Usage,
    /// Agents that the resource belongs to. Empty if no agent selects the resource.
    pub agents: &'r [ObjectRef<'d>],
}

/// Index of all references to Secrets and ConfigMaps.
pub struct Referrers<'h, 'd> {
    /// Fields that refer to each object.
    fields: BTreeMap<ObjectRef<'d>, Vec<(AnyResource<'h, 'd>, KeyReference<'d>)>>,
    /// Agents that each resource belongs to.
    agents: BTreeMap<ObjectRef<'d>, Vec<ObjectRef<'d>>>,
}

impl<'h, 'd> Referrers<'h, 'd> {
    /// Indexes the references in all resources. An agent's field is included only if the agent's hierarchy uses it.
    pub fn new(resources: &'h Resources<'d>, hierarchies: &[Hierarchy<'h, 'd>]) -> Self {
        let mut used_by_agent = BTreeMap::new();
        let mut agents: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for hierarchy in hierarchies {
            let agent = hierarchy.agent.object_ref();
            used_by_agent.insert(agent, hierarchy.agent_use());
            for member in hierarchy.members() {
                let member_agents = agents.entry(member.object_ref()).or_default();
                // Several instances of an agent may select the member.
                if member_agents.last() != Some(&agent) {
                    member_agents.push(agent);
                }
            }
        }
        let usage_of = |agent: ObjectRef<'d>| used_by_agent.get(&agent).copied().unwrap_or(AgentUse::NOTHING);
        let mut fields: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (referrer, reference) in references::all(resources, |agent| usage_of(agent.object_ref())) {
            let object = reference.object(referrer.meta.namespace);
            fields.entry(object).or_default().push((referrer, reference));
        }
        Self { fields, agents }
    }

    /// Returns the fields that refer to `object`, grouped by resource. Empty if the object is neither a Secret nor a
    /// ConfigMap.
    pub fn find(&self, object: &ObjectRef<'d>) -> Vec<Referrer<'_, 'd>> {
        if !object.kind.is_data() {
            return Vec::new();
        }
        let fields = self.fields.get(object).into_iter().flatten();
        let referrers = fields.map(|(referrer, reference)| {
            let object = referrer.object_ref();
            Referrer {
                object,
                span: referrer.locate(&reference.path),
                field: reference.path.to_string(),
                key: reference.selector.key,
                usage: reference.usage,
                agents: self.agents.get(&object).map(Vec::as_slice).unwrap_or_default(),
            }
        });
        referrers.collect()
    }
}
