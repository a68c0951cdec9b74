//! Who refers to a Secret or ConfigMap.

use super::Plain;
use super::parents::plain;
use crate::api::{GrafanaAgent, Kind, ObjectRef, Resource, Resources};
use crate::resolve::references::{self, AgentUse, Reference, Usage};
use crate::resolve::{Hierarchy, agent_use};
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
    each(resources, used, |referrer, references| {
        search.add(&referrer, references)
    });
    search.found
}

/// Calls `visit` with every resource and its references, those of an agent as it is `used`.
pub fn each<'d>(
    resources: &Resources<'d>,
    used: impl Fn(&Resource<'d, GrafanaAgent<'d>>) -> AgentUse,
    mut visit: impl FnMut(Plain<'d>, Vec<Reference<'d>>),
) {
    for agent in &resources.agents {
        visit(plain(agent), references::of_agent(agent, used(agent)));
    }
    for instance in &resources.metrics_instances {
        visit(plain(instance), references::of_metrics_instance(&instance.spec));
    }
    for instance in &resources.logs_instances {
        visit(plain(instance), references::of_logs_instance(&instance.spec));
    }
    for integration in &resources.integrations {
        visit(plain(integration), references::of_integration(&integration.spec));
    }
    for monitor in &resources.service_monitors {
        visit(plain(monitor), references::of_service_monitor(&monitor.spec));
    }
    for monitor in &resources.pod_monitors {
        visit(plain(monitor), references::of_pod_monitor(&monitor.spec));
    }
    for probe in &resources.probes {
        visit(plain(probe), references::of_probe(&probe.spec));
    }
}

struct Search<'s, 'h, 'd> {
    target: ObjectRef<'d>,
    hierarchies: &'s [Hierarchy<'h, 'd>],
    found: Vec<Referrer<'d>>,
}

impl<'d> Search<'_, '_, 'd> {
    fn add(&mut self, referrer: &Plain<'d>, references: Vec<Reference<'d>>) {
        if referrer.meta.namespace != self.target.namespace {
            return;
        }
        let is_meant = |reference: &Reference<'d>| {
            reference.kind.kind() == self.target.kind && reference.selector.name == self.target.name
        };
        for reference in references.into_iter().filter(is_meant) {
            self.found.push(Referrer {
                object: referrer.object_ref(),
                span: referrer.locate(&reference.path),
                field: reference.path.to_string(),
                key: reference.selector.key,
                usage: reference.usage,
                agents: self.agents_of(referrer.object_ref()),
            });
        }
    }

    fn agents_of(&self, object: ObjectRef<'d>) -> Vec<ObjectRef<'d>> {
        let hierarchies = self.hierarchies.iter().filter(|hierarchy| hierarchy.contains(object));
        hierarchies.map(|hierarchy| hierarchy.agent.object_ref()).collect()
    }
}
