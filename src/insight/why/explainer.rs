//! Explanations of why a resource is or is not selected, and the data they are computed from.

use std::collections::{HashMap, HashSet};

use super::paths::{Relations, SelectionPath, SelectionPaths};
use crate::api::{AnyResource, GrafanaAgent, Kind, ObjectRef, Relation, Resource};
use crate::check::Rejection;
use crate::diagnostic::Diagnostic;
use crate::insight::catalog::LocatedResource;
use crate::insight::graph::Graph;
use crate::insight::obstacle::{Cause, Obstacle};
use crate::insight::referrers::{Referrer, Referrers};
use crate::insight::targets::{JobSteps, for_each_group};
use crate::plan::JobName;
use crate::resolve::explain::failing;
use crate::resolve::{Hierarchy, ResolveOptions, Selector, agent_selector, is_requested};
use crate::source::Sources;
use crate::targets::scrape::{Cluster, JobKind};

/// Maximum number of agents to show that do not select the resource.
pub(super) const MAX_AGENTS: usize = 5;

/// Answer for a single resource.
pub struct WhyAnswer<'w, 'h, 'd> {
    /// Resource that the answer is about.
    pub target: LocatedResource<'d>,
    /// Scrape jobs that any selecting agent creates from the resource.
    pub jobs: Vec<String>,
    /// Steps by which the scrape jobs find their targets, if the input contains cluster objects.
    pub steps: Vec<&'w JobSteps>,
    /// Fields that refer to the resource, if it is a Secret or ConfigMap.
    pub referrers: Vec<Referrer<'w, 'd>>,
    /// Rejected agents and instances that might have selected the resource if they were valid.
    pub refused: Vec<ObjectRef<'d>>,
    /// Selection paths, or `None` if the resource can never be selected.
    paths: Option<SelectionPaths<'w, 'h, 'd>>,
    /// Agents to include in the answer: those that select the resource, followed by the others, nearest first.
    agents: Vec<&'w ExplainedAgent<'h, 'd>>,
    /// Number of agents that select the resource.
    selecting: usize,
}

/// Answer for a single agent.
pub struct AgentAnswer<'w, 'h, 'd> {
    pub agent: &'h Resource<'d, GrafanaAgent<'d>>,
    /// Reasons why the agent is not compiled. Empty if it is compiled.
    pub idle: &'w [Obstacle<'d>],
    /// Whether the agent is compiled and selects the resource.
    pub is_selected: bool,
    paths: Option<&'w SelectionPaths<'w, 'h, 'd>>,
    /// Instances on the agent's paths.
    through: Vec<Option<usize>>,
}

/// An agent included in the answer.
struct ExplainedAgent<'h, 'd> {
    /// Index of the agent among all agents.
    number: usize,
    resource: &'h Resource<'d, GrafanaAgent<'d>>,
    /// Reasons why the agent is not compiled. Empty if it is compiled.
    idle: Vec<Obstacle<'d>>,
}

impl<'h, 'd> WhyAnswer<'_, 'h, 'd> {
    /// Whether the agent's configurations contain the resource. If the resource is the agent itself, whether it is
    /// compiled.
    pub fn is_selected(&self) -> bool {
        match self.target.object.kind {
            Kind::Secret | Kind::ConfigMap => self.referrers.iter().any(|referrer| !referrer.agents.is_empty()),
            _ => self.selecting > 0,
        }
    }

    /// Returns the answers for the agents that select the resource. Each answer is computed on demand, because there
    /// may be thousands of agents.
    pub fn selecting_agents(&self) -> impl ExactSizeIterator<Item = AgentAnswer<'_, 'h, 'd>> {
        let selecting = self.agents.iter().take(self.selecting);
        selecting.map(|agent| self.answer(agent, true))
    }

    /// Returns the answers for at most `most` other agents, nearest first.
    pub fn other_answers(&self, most: usize) -> impl ExactSizeIterator<Item = AgentAnswer<'_, 'h, 'd>> {
        let other_agents = self.agents.iter().skip(self.selecting).take(most);
        other_agents.map(|agent| self.answer(agent, false))
    }

    /// Returns the answer for the nearest agent that does not select the resource.
    pub fn nearest_agent(&self) -> Option<AgentAnswer<'_, 'h, 'd>> {
        self.other_answers(1).next()
    }

    /// Returns the number of agents that do not select the resource.
    pub(super) fn count_others(&self) -> usize {
        self.agents.len() - self.selecting
    }

    fn answer<'w>(&'w self, agent: &'w ExplainedAgent<'h, 'd>, is_selected: bool) -> AgentAnswer<'w, 'h, 'd> {
        let paths = self.paths.as_ref();
        AgentAnswer {
            agent: agent.resource,
            idle: &agent.idle,
            is_selected,
            paths,
            through: paths.map_or_else(Vec::new, |paths| paths.instances_from(agent.resource, agent.number)),
        }
    }
}

impl<'h, 'd> AgentAnswer<'_, 'h, 'd> {
    /// Returns the paths from the agent to the resource: open paths first, followed by the others, nearest first. Paths
    /// that are blocked at both ends are omitted. If all paths are blocked at both ends, only the nearest path is
    /// returned. There are no paths if the resource is the agent itself or if no instance could select it.
    pub fn paths(&self) -> impl Iterator<Item = SelectionPath<'h, 'd>> {
        let (paths, agent) = (self.paths.into_iter(), AnyResource::GrafanaAgent(self.agent));
        paths.flat_map(move |paths| self.through.iter().map(move |&instance| paths.path(agent, instance)))
    }

    /// Returns the number of paths that [`Self::paths`] returns.
    pub fn count(&self) -> usize {
        self.through.len()
    }
}

/// Resources that answers are computed from.
pub struct Explainer<'h, 'd> {
    graph: Graph<'h, 'd>,
    /// Agents that match `--agent`.
    agents: Vec<ExplainedAgent<'h, 'd>>,
    relations: Relations<'h, 'd>,
    referrers: Referrers<'h, 'd>,
    /// Steps of each job, by job name.
    steps: HashMap<String, Vec<JobSteps>>,
}

impl<'h, 'd> Explainer<'h, 'd> {
    /// Creates an explainer for `graph`, which must have been resolved with the same options.
    ///
    /// # Errors
    ///
    /// Returns the finding for an invalid agent selector.
    pub fn new(graph: Graph<'h, 'd>, options: &'d ResolveOptions) -> Result<Self, Box<Diagnostic>> {
        let agent_selector = agent_selector(options)?;
        let agents = graph.resources.agents.iter().enumerate();
        let agents = agents.filter(|(_, agent)| is_requested(agent, options));
        let agents = agents.map(|(number, resource)| ExplainedAgent {
            number,
            resource,
            idle: obstacles_to_compiling(resource, &agent_selector),
        });
        Ok(Self {
            agents: agents.collect(),
            relations: Relations::new(graph),
            referrers: Referrers::new(graph.resources, graph.hierarchies),
            graph,
            steps: HashMap::new(),
        })
    }

    /// Adds the steps by which the jobs of `targets` find their targets in a cluster.
    #[must_use]
    pub fn with_targets(
        mut self,
        targets: &[LocatedResource<'d>],
        hierarchies: &'d [Hierarchy<'d, 'd>],
        cluster: &Cluster<'_, 'd>,
        refusals: &[Rejection<'d>],
        sources: &Sources,
    ) -> Self {
        let resources = targets.iter().filter_map(|target| self.graph.resources.get(target.object));
        let names: HashSet<_> = resources.flat_map(JobName::for_resource).map(|name| name.to_string()).collect();
        let is_wanted = |_: JobKind, name: &str| names.contains(name);
        // Mistakes in nested YAML are ignored here, because `check` reports them.
        let _ = for_each_group(cluster, hierarchies.iter(), &is_wanted, &mut |agent, group| {
            let refusal = refusals.iter().find(|refusal| refusal.is_for(agent, group.first.kind));
            let steps = match refusal {
                Some(refusal) => Some(JobSteps::for_rejected_job(agent, group, &refusal.finding, sources)),
                None => JobSteps::trace(agent, group, cluster, self.graph.resources, sources),
            };
            if let Some(steps) = steps {
                self.steps.entry(steps.job.clone()).or_default().push(steps);
            }
        });
        self
    }

    /// Returns the number of paths that the answers for `targets` examine, counting agents with the same selectors only
    /// once.
    pub fn count_paths(&self, targets: &[LocatedResource<'d>]) -> usize {
        let paths = targets.iter();
        let paths = paths.map(|target| self.relations.count(target.object.kind, self.agents.len()));
        paths.fold(0, usize::saturating_add)
    }

    /// Returns the answers for `targets`, each computed on demand.
    pub fn explain(&self, targets: Vec<LocatedResource<'d>>) -> impl ExactSizeIterator<Item = WhyAnswer<'_, 'h, 'd>> {
        targets.into_iter().map(|target| self.answer(target))
    }

    /// Returns the answer for one resource. A rejected resource is never selected.
    fn answer(&self, target: LocatedResource<'d>) -> WhyAnswer<'_, 'h, 'd> {
        let object = target.object;
        let graph_resource = self.graph.resources.get(object);
        let resource = graph_resource.filter(|_| !target.refused && object.kind.is_custom());
        let paths = resource.map(|resource| SelectionPaths::new(&self.relations, resource));
        let (agents, selecting_count) = match &paths {
            Some(paths) => self.relevant_agents(object, paths),
            None => <_>::default(),
        };
        let jobs = graph_resource.into_iter().flat_map(JobName::for_resource).map(|name| name.to_string());
        let jobs: Vec<_> = jobs.collect();
        WhyAnswer {
            steps: jobs.iter().filter_map(|job| self.steps.get(job)).flatten().collect(),
            jobs,
            referrers: self.referrers.find(&object),
            refused: self.rejected_parents(object.kind),
            target,
            paths,
            agents,
            selecting: selecting_count,
        }
    }

    /// Returns the agents to include in the answer, and the number of agents that select the object. The agents that
    /// select the object come first, followed by the others, nearest first.
    fn relevant_agents(
        &self,
        object: ObjectRef<'_>,
        paths: &SelectionPaths<'_, 'h, 'd>,
    ) -> (Vec<&ExplainedAgent<'h, 'd>>, usize) {
        let mut explained_agents = self.agents.as_slice();
        if paths.is_agent() {
            let name = |agent: &ExplainedAgent<'h, 'd>| (agent.resource.meta.namespace, agent.resource.meta.name);
            let own_index = self.agents.binary_search_by_key(&(object.namespace, object.name), name);
            explained_agents = own_index.ok().and_then(|at| self.agents.get(at..=at)).unwrap_or_default();
        }
        let weighed_agents = explained_agents.iter().map(|agent| {
            let distance = paths.distance(agent.resource, agent.number);
            let is_open = agent.idle.is_empty() && (paths.is_agent() || distance == Some(0));
            let idle: u32 = agent.idle.iter().map(Obstacle::distance).sum();
            (!is_open, idle + distance.unwrap_or_default(), agent)
        });
        let mut weighed_agents: Vec<_> = weighed_agents.collect();
        weighed_agents.sort_unstable_by_key(|&(is_barred, distance, agent)| (is_barred, distance, agent.number));
        let selecting_count = weighed_agents.partition_point(|(is_barred, ..)| !is_barred);
        (weighed_agents.into_iter().map(|(.., agent)| agent).collect(), selecting_count)
    }

    /// Returns the rejected agents and instances that might select resources of `kind`.
    fn rejected_parents(&self, kind: Kind) -> Vec<ObjectRef<'d>> {
        let parent = Relation::for_child(kind).map(|relation| relation.parent);
        let parent_relation = parent.and_then(Relation::for_child).map(|relation| relation.parent);
        let rejected_objects = self.graph.resources.rejected_objects.iter().copied();
        rejected_objects.filter(|object| [parent, parent_relation].contains(&Some(object.kind))).collect()
    }
}

/// Returns the reasons why an agent is not compiled.
fn obstacles_to_compiling<'d>(agent: &Resource<'d, GrafanaAgent<'d>>, compiled: &Selector<'d>) -> Vec<Obstacle<'d>> {
    let paused = agent.spec.paused;
    let paused_obstacle = paused.then(|| Obstacle::new(agent, "spec.paused", Cause::Paused));
    let excluded_obstacle = failing(compiled, &agent.meta.labels).map(|mismatch| Obstacle {
        field: None,
        ..Obstacle::new(agent, "metadata.labels", Cause::AgentSelector(mismatch))
    });
    paused_obstacle.into_iter().chain(excluded_obstacle).collect()
}
