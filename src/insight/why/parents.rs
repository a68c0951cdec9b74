//! All that selects, with its selectors checked once.

use super::Plain;
use super::obstacle::{Cause, Obstacle};
use crate::api::{AnyResource, GrafanaAgent, Kind, RELATIONS, Relation, Resource, Resources};
use crate::diagnostic::{Diagnostic, FieldPath};
use crate::resolve::explain::failing;
use crate::resolve::{Options, ParentSelector, Selector, agent_selector, is_asked_for};

/// The agents and instances of an input.
pub struct Parents<'d> {
    pub agents: Vec<AgentParent<'d>>,
    instances: Vec<Parent<'d>>,
}

/// An agent.
pub struct AgentParent<'d> {
    pub parent: Parent<'d>,
    /// Why nothing is compiled of it.
    pub idle: Vec<Obstacle<'d>>,
    /// Whether its ServiceMonitors may not name files.
    pub denies_files: bool,
}

/// A resource that selects others.
pub struct Parent<'d> {
    pub plain: Plain<'d>,
    selectors: Vec<ParentSelector<'d>>,
}

impl<'d> Parents<'d> {
    /// The parents among these resources. Agents that `--agent` does not name are none.
    ///
    /// # Errors
    ///
    /// An agent selector that cannot be read.
    pub fn new(resources: &Resources<'d>, options: &'d Options) -> Result<Self, Box<Diagnostic>> {
        let compiled = agent_selector(options)?;
        let agents = resources.agents.iter().filter(|agent| is_asked_for(agent, options));
        let instances = [Kind::MetricsInstance, Kind::LogsInstance].into_iter();
        Ok(Self {
            agents: agents.map(|agent| AgentParent::new(agent, &compiled)).collect(),
            instances: instances.flat_map(|kind| resources.of(kind)).map(Parent::new).collect(),
        })
    }

    /// The instances that may select resources of this kind.
    pub fn instances_for(&self, kind: Kind) -> impl Iterator<Item = &Parent<'d>> {
        let parent = Relation::to(kind).map(|relation| relation.parent);
        self.instances
            .iter()
            .filter(move |instance| Some(instance.plain.kind) == parent)
    }
}

impl<'d> AgentParent<'d> {
    fn new(agent: &Resource<'d, GrafanaAgent<'d>>, compiled: &Selector<'d>) -> Self {
        Self {
            parent: Parent::new(AnyResource::GrafanaAgent(agent)),
            idle: idle(agent, compiled),
            denies_files: agent.spec.metrics.arbitrary_fs_access_through_sms.deny,
        }
    }
}

impl<'d> Parent<'d> {
    fn new(parent: AnyResource<'_, 'd>) -> Self {
        let relations = RELATIONS.iter().filter(|relation| relation.parent == parent.kind);
        let selectors = relations
            .map(|relation| ParentSelector::new(relation, parent.object_ref(), relation.selectors(parent), |_, _| {}));
        Self {
            selectors: selectors.collect(),
            plain: parent.head().clone(),
        }
    }

    /// What selects its children of this kind.
    pub fn selector(&self, kind: Kind) -> Option<&ParentSelector<'d>> {
        self.selectors.iter().find(|selector| selector.relation.child == kind)
    }
}

/// Why an agent is not compiled.
fn idle<'d>(agent: &Resource<'d, GrafanaAgent<'d>>, compiled: &Selector<'d>) -> Vec<Obstacle<'d>> {
    let obstacle = |field: &str, cause| Obstacle {
        by: agent.object_ref(),
        span: agent.locate(&FieldPath::of(field)),
        cause,
        is_described: true,
    };
    let paused = agent.spec.paused.then(|| obstacle("spec.paused", Cause::Paused));
    let left_out = failing(compiled, &agent.meta.labels)
        .map(|(requirement, found)| obstacle("metadata.labels", Cause::AgentSelector { requirement, found }));
    paused.into_iter().chain(left_out).collect()
}
