//! The answers, and what they are made of.

use std::collections::{HashMap, HashSet};

use super::ways::{Relations, SelectionPath, Ways};
use crate::api::{AnyResource, GrafanaAgent, Kind, ObjectRef, Relation, Resource};
use crate::diagnostic::Diagnostic;
use crate::insight::catalogue::Located;
use crate::insight::graph::Graph;
use crate::insight::obstacle::{Cause, Obstacle};
use crate::insight::referrers::{Referrer, Referrers};
use crate::insight::targets::{JobSteps, each_group};
use crate::plan::JobName;
use crate::resolve::explain::failing;
use crate::resolve::{Hierarchy, Options, Selector, agent_selector, is_asked_for};
use crate::source::Sources;
use crate::targets::scrape::{Cluster, JobKind};

/// How many agents are shown that do not select the resource.
pub(super) const AGENTS: usize = 5;

/// The answer for one resource.
pub struct Why<'w, 'h, 'd> {
    /// The resource.
    pub target: Located<'d>,
    /// The scrape jobs that an agent that selects it has of it.
    pub jobs: Vec<String>,
    /// How these jobs come to their targets, where the input has objects of the cluster.
    pub steps: Vec<&'w JobSteps>,
    /// Of a Secret or ConfigMap: the fields that refer to it.
    pub referrers: Vec<Referrer<'w, 'd>>,
    /// The agents and instances that were refused, and might have taken it in.
    pub refused: Vec<ObjectRef<'d>>,
    /// None to what takes no part in anything.
    ways: Option<Ways<'w, 'h, 'd>>,
    /// The agents that are asked: those that select the resource, and behind them the others, the nearest first.
    agents: Vec<&'w Agent<'h, 'd>>,
    /// Number of those that select it.
    selecting: usize,
}

/// The answer of one agent about a resource.
pub struct AgentAnswer<'w, 'h, 'd> {
    pub agent: &'h Resource<'d, GrafanaAgent<'d>>,
    /// Why it is not compiled at all; nothing where it is.
    pub idle: &'w [Obstacle<'d>],
    /// Whether the agent is compiled and selects the resource.
    pub is_selected: bool,
    ways: Option<&'w Ways<'w, 'h, 'd>>,
    /// The instances of the ways.
    through: Vec<Option<usize>>,
}

/// An agent that is asked.
struct Agent<'h, 'd> {
    /// Its place among all agents.
    number: usize,
    resource: &'h Resource<'d, GrafanaAgent<'d>>,
    /// Why it is not compiled; nothing where it is.
    idle: Vec<Obstacle<'d>>,
}

impl<'h, 'd> Why<'_, 'h, 'd> {
    /// Whether a configuration has the resource in it, or for an agent, is made of it.
    pub fn is_selected(&self) -> bool {
        match self.target.object.kind {
            Kind::Secret | Kind::ConfigMap => self.referrers.iter().any(|referrer| !referrer.agents.is_empty()),
            _ => self.selecting > 0,
        }
    }

    /// The answers of the agents that select the resource. An answer is made when it is asked for: there may be thousands.
    pub fn selecting(&self) -> impl ExactSizeIterator<Item = AgentAnswer<'_, 'h, 'd>> {
        let selecting = self.agents.iter().take(self.selecting);
        selecting.map(|agent| self.answer(agent, true))
    }

    /// The answers of the other agents, the nearest first, at most so many.
    pub fn others(&self, most: usize) -> impl ExactSizeIterator<Item = AgentAnswer<'_, 'h, 'd>> {
        let others = self.agents.iter().skip(self.selecting).take(most);
        others.map(|agent| self.answer(agent, false))
    }

    /// The answer of the nearest agent that does not select the resource.
    pub fn nearest(&self) -> Option<AgentAnswer<'_, 'h, 'd>> {
        self.others(1).next()
    }

    /// Number of agents that do not select the resource.
    pub(super) fn other_count(&self) -> usize {
        self.agents.len() - self.selecting
    }

    fn answer<'w>(&'w self, agent: &'w Agent<'h, 'd>, is_selected: bool) -> AgentAnswer<'w, 'h, 'd> {
        let ways = self.ways.as_ref();
        AgentAnswer {
            agent: agent.resource,
            idle: &agent.idle,
            is_selected,
            ways,
            through: ways.map_or_else(Vec::new, |ways| ways.from(agent.resource, agent.number)),
        }
    }
}

impl<'h, 'd> AgentAnswer<'_, 'h, 'd> {
    /// The ways from the agent to the resource, open ones first, then the nearest. Ways that are barred at both ends are
    /// left out, but for the nearest where there is no other. None where the resource is the agent itself, or where there is no
    /// instance that could select it.
    pub fn ways(&self) -> impl Iterator<Item = SelectionPath<'h, 'd>> {
        let (ways, agent) = (self.ways.into_iter(), AnyResource::GrafanaAgent(self.agent));
        ways.flat_map(move |ways| self.through.iter().map(move |&instance| ways.way(agent, instance)))
    }

    /// Number of these ways.
    pub fn count(&self) -> usize {
        self.through.len()
    }
}

/// The resources that answers are made of.
pub struct Explainer<'h, 'd> {
    graph: Graph<'h, 'd>,
    /// The agents that `--agent` names.
    agents: Vec<Agent<'h, 'd>>,
    relations: Relations<'h, 'd>,
    referrers: Referrers<'h, 'd>,
    /// By the name of the job.
    steps: HashMap<String, Vec<JobSteps>>,
}

impl<'h, 'd> Explainer<'h, 'd> {
    /// Looks at all agents. The graph is of the same options.
    ///
    /// # Errors
    ///
    /// An agent selector that cannot be read.
    pub fn new(graph: Graph<'h, 'd>, options: &'d Options) -> Result<Self, Box<Diagnostic>> {
        let compiled = agent_selector(options)?;
        let agents = graph.resources.agents.iter().enumerate();
        let agents = agents.filter(|(_, agent)| is_asked_for(agent, options));
        let agents = agents.map(|(number, resource)| Agent {
            number,
            resource,
            idle: idle(resource, &compiled),
        });
        Ok(Self {
            agents: agents.collect(),
            relations: Relations::new(graph),
            referrers: Referrers::new(graph.resources, graph.hierarchies),
            graph,
            steps: HashMap::new(),
        })
    }

    /// With how the jobs of these resources come to their targets in a cluster.
    #[must_use]
    pub fn with_targets(
        mut self,
        targets: &[Located<'d>],
        hierarchies: &'d [Hierarchy<'d, 'd>],
        cluster: &Cluster<'_, 'd>,
        sources: &Sources,
    ) -> Self {
        let resources = targets
            .iter()
            .filter_map(|target| self.graph.resources.get(target.object));
        let names: HashSet<_> = resources.flat_map(JobName::of).map(|name| name.to_string()).collect();
        let wanted = |_: JobKind, name: &str| names.contains(name);
        // Mistakes in nested YAML are for `check`.
        let _ = each_group(cluster, hierarchies.iter(), &wanted, &mut |agent, group| {
            if let Some(steps) = JobSteps::of(agent, group, cluster, self.graph.resources, sources) {
                self.steps.entry(steps.job.clone()).or_default().push(steps);
            }
        });
        self
    }

    /// Number of ways that the answers for resources are looked for in, agents with the same selectors taken as one.
    pub fn ways_to(&self, targets: &[Located<'d>]) -> usize {
        let ways = targets.iter();
        let ways = ways.map(|target| self.relations.count(target.object.kind, self.agents.len()));
        ways.fold(0, usize::saturating_add)
    }

    /// The answers for some resources.
    pub fn explain(&self, targets: Vec<Located<'d>>) -> impl ExactSizeIterator<Item = Why<'_, 'h, 'd>> {
        targets.into_iter().map(|target| self.answer(target))
    }

    /// The answer for one resource. A refused one takes no part in anything.
    fn answer(&self, target: Located<'d>) -> Why<'_, 'h, 'd> {
        let object = target.object;
        let found = self.graph.resources.get(object);
        let resource = found.filter(|_| !target.refused && object.kind.is_custom());
        let ways = resource.map(|resource| Ways::new(&self.relations, resource));
        let (agents, selecting) = match &ways {
            Some(ways) => self.asked(object, ways),
            None => <_>::default(),
        };
        let jobs = found.into_iter().flat_map(JobName::of).map(|name| name.to_string());
        let jobs: Vec<_> = jobs.collect();
        Why {
            steps: jobs.iter().filter_map(|job| self.steps.get(job)).flatten().collect(),
            jobs,
            referrers: self.referrers.of(&object),
            refused: self.refused(object.kind),
            target,
            ways,
            agents,
            selecting,
        }
    }

    /// The agents that are asked about an object, those that select it first, then the nearest; and how many select it.
    fn asked(&self, object: ObjectRef<'_>, ways: &Ways<'_, 'h, 'd>) -> (Vec<&Agent<'h, 'd>>, usize) {
        let mut asked = self.agents.as_slice();
        if ways.is_agent() {
            let name = |agent: &Agent<'h, 'd>| (agent.resource.meta.namespace, agent.resource.meta.name);
            let itself = self.agents.binary_search_by_key(&(object.namespace, object.name), name);
            asked = itself.ok().and_then(|at| self.agents.get(at..=at)).unwrap_or_default();
        }
        let weighed = asked.iter().map(|agent| {
            let distance = ways.distance(agent.resource, agent.number);
            let is_open = agent.idle.is_empty() && (ways.is_agent() || distance == Some(0));
            let idle: u32 = agent.idle.iter().map(Obstacle::distance).sum();
            (!is_open, idle + distance.unwrap_or_default(), agent)
        });
        let mut weighed: Vec<_> = weighed.collect();
        weighed.sort_unstable_by_key(|&(is_barred, distance, agent)| (is_barred, distance, agent.number));
        let selecting = weighed.partition_point(|(is_barred, ..)| !is_barred);
        (weighed.into_iter().map(|(.., agent)| agent).collect(), selecting)
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
}

/// Why an agent is not compiled.
fn idle<'d>(agent: &Resource<'d, GrafanaAgent<'d>>, compiled: &Selector<'d>) -> Vec<Obstacle<'d>> {
    let paused = agent.spec.paused;
    let paused = paused.then(|| Obstacle::new(agent, "spec.paused", Cause::Paused));
    let left_out = failing(compiled, &agent.meta.labels).map(|mismatch| Obstacle {
        field: None,
        ..Obstacle::new(agent, "metadata.labels", Cause::AgentSelector(mismatch))
    });
    paused.into_iter().chain(left_out).collect()
}
