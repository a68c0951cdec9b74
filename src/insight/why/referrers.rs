//! Who refers to a Secret or ConfigMap.

use crate::api::{Kind, ObjectRef, Resource, Resources};
use crate::resolve::references::{self, Reference, Usage};
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
    for agent in &resources.agents {
        let hierarchy = hierarchies
            .iter()
            .find(|hierarchy| hierarchy.agent.object_ref() == agent.object_ref());
        let used = hierarchy.map_or(references::AgentUse::NOTHING, |hierarchy| agent_use(agent, hierarchy));
        search.add(agent, references::of_agent(agent, used));
    }
    for instance in &resources.metrics_instances {
        search.add(instance, references::of_metrics_instance(&instance.spec));
    }
    for instance in &resources.logs_instances {
        search.add(instance, references::of_logs_instance(&instance.spec));
    }
    for integration in &resources.integrations {
        search.add(integration, references::of_integration(&integration.spec));
    }
    for monitor in &resources.service_monitors {
        search.add(monitor, references::of_service_monitor(&monitor.spec));
    }
    for monitor in &resources.pod_monitors {
        search.add(monitor, references::of_pod_monitor(&monitor.spec));
    }
    for probe in &resources.probes {
        search.add(probe, references::of_probe(&probe.spec));
    }
    search.found
}

struct Search<'s, 'h, 'd> {
    target: ObjectRef<'d>,
    hierarchies: &'s [Hierarchy<'h, 'd>],
    found: Vec<Referrer<'d>>,
}

impl<'d> Search<'_, '_, 'd> {
    fn add<S>(&mut self, referrer: &Resource<'d, S>, references: Vec<Reference<'d>>) {
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
