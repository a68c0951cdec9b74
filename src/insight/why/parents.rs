//! All that selects, with its selectors checked once.

use super::Plain;
use super::obstacle::{Cause, Obstacle};
use crate::api::{GrafanaAgent, Kind, Resource, Resources};
use crate::diagnostic::{Diagnostic, FieldPath};
use crate::resolve::explain::failing;
use crate::resolve::{ChildSelector, Options, ParentSelector, Selector, agent_selector, is_asked_for};

/// The agents and instances of an input.
pub struct Parents<'d> {
    pub agents: Vec<AgentParent<'d>>,
    metrics_instances: Vec<InstanceParent<'d>>,
    logs_instances: Vec<InstanceParent<'d>>,
}

/// An agent.
pub struct AgentParent<'d> {
    pub plain: Plain<'d>,
    /// Why nothing is compiled of it.
    pub idle: Vec<Obstacle<'d>>,
    /// Whether its ServiceMonitors may not name files.
    pub denies_files: bool,
    selectors: Vec<(Kind, ParentSelector<'d>)>,
}

/// A MetricsInstance or LogsInstance.
pub struct InstanceParent<'d> {
    pub plain: Plain<'d>,
    selectors: Vec<(Kind, ParentSelector<'d>)>,
}

impl<'d> Parents<'d> {
    /// The parents among these resources. Agents that `--agent` does not name are none.
    ///
    /// # Errors
    ///
    /// An agent selector that cannot be read.
    pub fn new(resources: &Resources<'d>, options: &'d Options) -> Result<Self, Box<Diagnostic>> {
        let compiled = agent_selector(options)?;
        let metrics = resources.metrics_instances.iter().map(|instance| {
            let spec = &instance.spec;
            let selectors = [
                (Kind::ServiceMonitor, spec.service_monitors()),
                (Kind::PodMonitor, spec.pod_monitors()),
                (Kind::Probe, spec.probes()),
            ];
            InstanceParent::new(instance, &selectors)
        });
        let logs = resources.logs_instances.iter();
        let logs = logs.map(|instance| InstanceParent::new(instance, &[(Kind::PodLogs, instance.spec.pod_logs())]));
        let agents = resources.agents.iter().filter(|agent| is_asked_for(agent, options));
        Ok(Self {
            agents: agents.map(|agent| AgentParent::new(agent, &compiled)).collect(),
            metrics_instances: metrics.collect(),
            logs_instances: logs.collect(),
        })
    }

    /// The instances that may select resources of this kind.
    pub fn instances_for(&self, kind: Kind) -> &[InstanceParent<'d>] {
        match kind {
            Kind::ServiceMonitor | Kind::PodMonitor | Kind::Probe => &self.metrics_instances,
            Kind::PodLogs => &self.logs_instances,
            _ => &[],
        }
    }
}

impl<'d> AgentParent<'d> {
    fn new(agent: &Resource<'d, GrafanaAgent<'d>>, compiled: &Selector<'d>) -> Self {
        let spec = &agent.spec;
        let selectors = [
            (Kind::MetricsInstance, spec.metrics_instances()),
            (Kind::LogsInstance, spec.logs_instances()),
            (Kind::Integration, spec.integrations()),
        ];
        Self {
            selectors: checked(agent.meta.namespace, &selectors),
            idle: idle(agent, compiled),
            denies_files: spec.metrics.arbitrary_fs_access_through_sms.deny,
            plain: plain(agent),
        }
    }

    /// What selects the agent's own children of this kind.
    pub fn selector(&self, kind: Kind) -> Option<&ParentSelector<'d>> {
        selector_for(&self.selectors, kind)
    }
}

impl<'d> InstanceParent<'d> {
    fn new<S>(instance: &Resource<'d, S>, selectors: &[(Kind, ChildSelector<'_, 'd>)]) -> Self {
        Self {
            selectors: checked(instance.meta.namespace, selectors),
            plain: plain(instance),
        }
    }

    /// What selects the instance's children of this kind.
    pub fn selector(&self, kind: Kind) -> Option<&ParentSelector<'d>> {
        selector_for(&self.selectors, kind)
    }
}

fn selector_for<'p, 'd>(selectors: &'p [(Kind, ParentSelector<'d>)], kind: Kind) -> Option<&'p ParentSelector<'d>> {
    let (_, selector) = selectors.iter().find(|(of, _)| *of == kind)?;
    Some(selector)
}

fn checked<'d>(namespace: &'d str, selectors: &[(Kind, ChildSelector<'_, 'd>)]) -> Vec<(Kind, ParentSelector<'d>)> {
    let checked = |selector| ParentSelector::new(namespace, selector, |_, _| {});
    selectors
        .iter()
        .map(|(kind, selector)| (*kind, checked(selector)))
        .collect()
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

/// The resource without its specification.
pub fn plain<'d, S>(resource: &Resource<'d, S>) -> Plain<'d> {
    Resource {
        head: resource.head.clone(),
        spec: (),
    }
}
