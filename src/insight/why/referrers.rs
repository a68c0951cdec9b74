//! Who refers to a Secret or ConfigMap.

use crate::api::{GrafanaAgent, Kind, ObjectRef, Resource, Resources};
use crate::resolve::references::{self, AgentUse, Reference, Usage};
use crate::resolve::{Hierarchy, agent_use};
use crate::source::Span;
use crate::yaml::Node;

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
    let mut search = Search {
        target,
        hierarchies,
        found: Vec::new(),
    };
    let used = |agent: &Resource<'d, GrafanaAgent<'d>>| {
        let mut compiled = hierarchies.iter();
        let hierarchy = compiled.find(|hierarchy| hierarchy.agent.object_ref() == agent.object_ref());
        hierarchy.map_or(AgentUse::NOTHING, |hierarchy| agent_use(agent, hierarchy))
    };
    references::each(resources, used, |referrer, root, references| {
        search.add(referrer, root, references);
    });
    search.found
}

struct Search<'s, 'h, 'd> {
    target: ObjectRef<'d>,
    hierarchies: &'s [Hierarchy<'h, 'd>],
    found: Vec<Referrer<'d>>,
}

impl<'d> Search<'_, '_, 'd> {
    fn add(&mut self, referrer: ObjectRef<'d>, root: Node<'d>, references: Vec<Reference<'d>>) {
        if referrer.namespace != self.target.namespace {
            return;
        }
        let is_meant = |reference: &Reference<'d>| {
            reference.kind.kind() == self.target.kind && reference.selector.name == self.target.name
        };
        for reference in references.into_iter().filter(is_meant) {
            self.found.push(Referrer {
                object: referrer,
                span: reference.path.locate(root),
                field: reference.path.to_string(),
                key: reference.selector.key,
                usage: reference.usage,
                agents: self.agents_of(referrer),
            });
        }
    }

    fn agents_of(&self, object: ObjectRef<'d>) -> Vec<ObjectRef<'d>> {
        let hierarchies = self.hierarchies.iter().filter(|hierarchy| hierarchy.contains(object));
        hierarchies.map(|hierarchy| hierarchy.agent.object_ref()).collect()
    }
}
