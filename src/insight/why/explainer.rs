//! The answers, and what they are made of.

use crate::api::{AnyResource, GrafanaAgent, Head, Kind, ObjectRef, Relation, Resource};
use crate::diagnostic::{Diagnostic, FieldPath};
use crate::insight::graph::{Graph, Link};
use crate::insight::obstacle::{Cause, Obstacle};
use crate::insight::referrers::{Referrer, Referrers};
use crate::insight::target::Located;
use crate::plan::JobName;
use crate::resolve::explain::failing;
use crate::resolve::{Options, Selector, agent_selector, is_asked_for};

/// The answer for one resource.
pub struct Why<'h, 'd> {
    /// The resource.
    pub target: Located<'d>,
    /// The answer of each agent, those that select it first, then the nearest.
    pub agents: Vec<AgentAnswer<'h, 'd>>,
    /// The scrape jobs that an agent that selects it has of it.
    pub jobs: Vec<String>,
    /// Of a Secret or ConfigMap: the fields that refer to it.
    pub referrers: Vec<Referrer<'d>>,
    /// The agents and instances that were refused, and might have taken it in.
    pub refused: Vec<ObjectRef<'d>>,
}

/// The answer of one agent about a resource.
pub struct AgentAnswer<'h, 'd> {
    /// The agent.
    pub agent: &'h Head<'d>,
    /// Why it is not compiled at all; nothing where it is.
    pub idle: Vec<Obstacle<'d>>,
    /// The ways from the agent to the resource, open ones first, then the nearest. Ways that are barred at both ends are
    /// left out, but for the nearest where there is no other. None where the resource is the agent itself, or where there is no
    /// instance that could select it.
    pub ways: Vec<Way<'h, 'd>>,
    /// Whether the resource is this agent.
    pub is_target: bool,
}

/// One way from an agent to a resource.
pub struct Way<'h, 'd> {
    /// The instance on the way; none to an instance or Integration, which agents select themselves.
    pub instance: Option<&'h Head<'d>>,
    /// The links, from the resource up to the agent.
    pub links: Vec<Link<'h, 'd>>,
}

impl Why<'_, '_> {
    /// Whether a configuration has the resource in it, or for an agent, is made of it.
    pub fn is_selected(&self) -> bool {
        match self.target.object.kind {
            Kind::Secret | Kind::ConfigMap => self.referrers.iter().any(|referrer| !referrer.agents.is_empty()),
            _ => self.agents.iter().any(AgentAnswer::is_selected),
        }
    }
}

impl<'h, 'd> AgentAnswer<'h, 'd> {
    /// Whether the agent is compiled and selects the resource.
    pub fn is_selected(&self) -> bool {
        self.idle.is_empty() && (self.is_target || self.ways.iter().any(Way::is_open))
    }

    /// The way with the least in it, and what is in it.
    pub fn nearest(&self) -> Option<&Way<'h, 'd>> {
        self.ways.first()
    }

    fn distance(&self) -> u32 {
        let idle: u32 = self.idle.iter().map(Obstacle::distance).sum();
        idle + self.nearest().map_or(0, Way::distance)
    }
}

impl<'d> Way<'_, 'd> {
    /// Whether nothing is in the way.
    pub fn is_open(&self) -> bool {
        self.links.iter().all(|link| link.obstacles.is_empty())
    }

    /// The weight of the obstacles.
    pub fn distance(&self) -> u32 {
        let obstacles = self.links.iter().flat_map(|link| &link.obstacles);
        obstacles.map(Obstacle::distance).sum()
    }
}

/// The resources that answers are made of.
pub struct Explainer<'h, 'd> {
    graph: Graph<'h, 'd>,
    /// The agents that `--agent` names, and why those of them are not compiled that are not.
    agents: Vec<(&'h Resource<'d, GrafanaAgent<'d>>, Vec<Obstacle<'d>>)>,
    referrers: Referrers<'h, 'd>,
}

impl<'h, 'd> Explainer<'h, 'd> {
    /// Looks at all agents. The graph is of the same options.
    ///
    /// # Errors
    ///
    /// An agent selector that cannot be read.
    pub fn new(graph: Graph<'h, 'd>, options: &'d Options) -> Result<Self, Box<Diagnostic>> {
        let compiled = agent_selector(options)?;
        let agents = graph.resources.agents.iter();
        let agents = agents.filter(|agent| is_asked_for(agent, options));
        Ok(Self {
            agents: agents.map(|agent| (agent, idle(agent, &compiled))).collect(),
            referrers: Referrers::new(graph.resources, graph.hierarchies),
            graph,
        })
    }

    /// The answer for one resource. A refused one takes no part in anything.
    pub fn explain(&self, target: Located<'d>) -> Why<'h, 'd> {
        let object = target.object;
        let found = self.graph.get(object);
        let resource = found.filter(|_| !target.refused && object.kind.is_custom());
        let agents = self.agents.iter();
        let agents = agents.filter(|(agent, _)| object.kind != Kind::GrafanaAgent || agent.object_ref() == object);
        let agents = agents.filter_map(|(agent, idle)| Some(self.by_agent(agent, idle, resource?)));
        let mut agents: Vec<_> = agents.collect();
        agents.sort_by_cached_key(|answer| (!answer.is_selected(), answer.distance()));
        Why {
            jobs: found.map(jobs).unwrap_or_default(),
            referrers: self.referrers.of(&object),
            refused: self.refused(object.kind),
            target,
            agents,
        }
    }

    /// The refused agents and instances that might select what is of this kind.
    fn refused(&self, kind: Kind) -> Vec<ObjectRef<'d>> {
        let parent = Relation::to(kind).map(|relation| relation.parent);
        let above = parent.and_then(Relation::to).map(|relation| relation.parent);
        let refused = self.graph.resources.refused.iter().copied();
        refused
            .filter(|object| [parent, above].contains(&Some(object.kind)))
            .collect()
    }

    fn by_agent(
        &self,
        agent: &'h Resource<'d, GrafanaAgent<'d>>,
        idle: &[Obstacle<'d>],
        target: AnyResource<'h, 'd>,
    ) -> AgentAnswer<'h, 'd> {
        AgentAnswer {
            agent,
            idle: idle.to_vec(),
            is_target: agent.object_ref() == target.object_ref(),
            ways: match Relation::to(target.kind).map(|relation| relation.parent) {
                None => Vec::new(),
                Some(Kind::GrafanaAgent) => self.direct_way(agent, target).into_iter().collect(),
                Some(parent) => self.ways(agent, &self.graph.resources.of(parent), target),
            },
        }
    }

    /// The way to what agents select themselves.
    fn direct_way(&self, agent: &'h Head<'d>, target: AnyResource<'h, 'd>) -> Option<Way<'h, 'd>> {
        Some(Way {
            instance: None,
            links: vec![self.graph.link(agent, target.head())?],
        })
    }

    /// The ways through instances. Most are barred at both ends, and are explained only where there is no other.
    fn ways(
        &self,
        agent: &'h Resource<'d, GrafanaAgent<'d>>,
        instances: &[AnyResource<'h, 'd>],
        target: AnyResource<'h, 'd>,
    ) -> Vec<Way<'h, 'd>> {
        let selects = |parent: &Head<'d>, child: &Head<'d>| self.graph.selects(parent, child);
        let is_denied = self.graph.denied(AnyResource::GrafanaAgent(agent), target).is_some();
        let is_related =
            |instance: &&AnyResource<'h, 'd>| selects(agent, instance) || (!is_denied && selects(instance, &target));
        let way = |instance: &AnyResource<'h, 'd>| self.way(agent, instance.head(), target);
        let mut ways: Vec<_> = instances.iter().filter(is_related).map(way).collect();
        ways.sort_by_cached_key(Way::distance);
        if ways.is_empty() {
            ways.extend(instances.iter().map(way).min_by_key(Way::distance));
        }
        ways
    }

    fn way(
        &self,
        agent: &'h Resource<'d, GrafanaAgent<'d>>,
        instance: &'h Head<'d>,
        target: AnyResource<'h, 'd>,
    ) -> Way<'h, 'd> {
        let mut lower = self.graph.link(instance, target.head());
        if let Some(link) = &mut lower {
            link.obstacles
                .extend(self.graph.denied(AnyResource::GrafanaAgent(agent), target));
        }
        let upper = self.graph.link(agent, instance);
        Way {
            instance: Some(instance),
            links: lower.into_iter().chain(upper).collect(),
        }
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

/// The scrape jobs of a resource in an agent that selects it, as the configuration names them (`job_name`). An instance
/// or Integration is not a job.
fn jobs(resource: AnyResource<'_, '_>) -> Vec<String> {
    let object = resource.object_ref();
    let job = |index| JobName { object, index }.to_string();
    let numbered = |count| (0..count).map(|i| job(Some(i))).collect();
    match resource {
        AnyResource::ServiceMonitor(monitor) => numbered(monitor.spec.endpoints.len()),
        AnyResource::PodMonitor(monitor) => numbered(monitor.spec.pod_metrics_endpoints.len()),
        AnyResource::Probe(_) | AnyResource::PodLogs(_) => vec![job(None)],
        _ => Vec::new(),
    }
}
