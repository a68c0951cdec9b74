//! Selection paths from agents to a resource, in output order.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use crate::api::{AnyResource, GrafanaAgent, Kind, RELATIONS, Relation, Resource, ResourceHeader};
use crate::insight::graph::{Graph, Link, file_access_obstacle, refers_to_files};
use crate::insight::obstacle::Obstacle;
use crate::resolve::ParentSelector;

/// Maximum number of paths to show for an agent.
pub(super) const MAX_PATHS: usize = 5;

/// A path from an agent to a resource.
pub struct SelectionPath<'h, 'd> {
    /// Instance on the path, or `None` if agents select the resource directly.
    pub instance: Option<&'h ResourceHeader<'d>>,
    /// Links from the resource up to the agent.
    pub links: Vec<Link<'h, 'd>>,
}

impl<'d> SelectionPath<'_, 'd> {
    /// Whether the path has no obstacles.
    pub fn is_open(&self) -> bool {
        self.obstacles().next().is_none()
    }

    /// Returns the obstacles on the path.
    pub fn obstacles(&self) -> impl Iterator<Item = &Obstacle<'d>> {
        self.links.iter().flat_map(|link| &link.obstacles)
    }
}

/// Relations in a graph, indexed for path searches. Agents and instances are numbered in the order in which they are
/// listed.
pub(super) struct Relations<'h, 'd> {
    graph: Graph<'h, 'd>,
    /// Parents, by the kind of the child.
    parents: HashMap<Kind, Parents<'h, 'd>>,
}

/// Parents that can select a kind. Many parents may share the same selectors.
struct Parents<'h, 'd> {
    /// The parents' distinct selectors.
    selectors: Vec<&'h ParentSelector<'d>>,
    /// For each parent, the index of its selectors in `selectors`.
    numbers: Vec<usize>,
    /// Resources of the kind, with their distances. Computed on first use.
    children: OnceCell<Vec<ResourceDistances<'h, 'd>>>,
}

/// A resource and its distance from each of its parents' distinct selectors, as computed by [`Explanation::distance`].
///
/// [`Explanation::distance`]: crate::resolve::explain::Explanation::distance
type ResourceDistances<'h, 'd> = (AnyResource<'h, 'd>, Vec<u32>);

impl<'h, 'd> Relations<'h, 'd> {
    /// Indexes the relations of `graph`.
    pub(super) fn new(graph: Graph<'h, 'd>) -> Self {
        let parents = RELATIONS.iter().map(|relation| {
            let (mut selectors, mut known_selectors) = (Vec::new(), HashMap::new());
            let numbers = graph.selections.child_selections(relation.child).iter().map(|parent| {
                *known_selectors.entry(parent.selector.selection_key()).or_insert_with(|| {
                    selectors.push(&parent.selector);
                    selectors.len() - 1
                })
            });
            let parents = Parents { numbers: numbers.collect(), selectors, children: OnceCell::new() };
            (relation.child, parents)
        });
        let parents = parents.collect();
        Self { graph, parents }
    }

    /// Returns the number of paths from the `asked` agents to a resource of `kind`, counting agents with the same
    /// selectors only once.
    pub(super) fn count(&self, kind: Kind, asked: usize) -> usize {
        let parent = Relation::for_child(kind).map(|relation| relation.parent);
        let count = parent.and_then(|parent| {
            let agents = self.parents.get(&parent)?.selectors.len().min(asked);
            Some(agents.saturating_mul(self.graph.resources.list(parent).len()))
        });
        count.unwrap_or(1)
    }

    fn distances(&self, parents: &Parents<'h, 'd>, child: &ResourceHeader<'d>) -> Vec<u32> {
        let namespaces = &self.graph.selections.namespaces;
        let selectors = parents.selectors.iter();
        selectors.map(|selector| selector.distance(child, namespaces)).collect()
    }
}

/// Paths by which agents can select one resource.
pub(super) struct SelectionPaths<'w, 'h, 'd> {
    relations: &'w Relations<'h, 'd>,
    target: AnyResource<'h, 'd>,
    /// Whether the resource refers to files, in which case agents that deny access to files exclude it.
    refers_to_files: bool,
    /// Selection of the resource by agents, or `None` if the resource is an agent.
    selection: Option<AgentSelection<'w, 'h, 'd>>,
}

/// Selection of a resource by agents.
struct AgentSelection<'w, 'h, 'd> {
    /// Selectors of the agents. They select either the resource itself or the instances that select the resource.
    agents: &'w Parents<'h, 'd>,
    instances: Option<&'w [ResourceDistances<'h, 'd>]>,
    /// Distance of the resource from each instance, or from each of the agents' distinct selectors.
    below: Vec<u32>,
    /// Paths computed so far. The key consists of the agent's selectors and whether the agent excludes the resource.
    known: RefCell<HashMap<(usize, bool), RankedPaths>>,
}

/// Paths, each represented by its instance and the weight of its obstacles. Contains all paths that are not blocked at
/// both ends or, if there are none, the nearest path.
type RankedPaths = Rc<[(u32, Option<usize>)]>;

impl<'w, 'h, 'd> SelectionPaths<'w, 'h, 'd> {
    /// Prepares the paths to `target`.
    pub(super) fn new(relations: &'w Relations<'h, 'd>, target: AnyResource<'h, 'd>) -> Self {
        let selection = || {
            let kind = Relation::for_child(target.kind)?.parent;
            let parents = relations.parents.get(&target.kind)?;
            let mut child_distances = relations.distances(parents, target.header());
            let parent_relations = relations.parents.get(&kind);
            let instance_distances = parent_relations.map(|above| {
                let distance = |number: &usize| child_distances.get(*number).copied().unwrap_or_default();
                child_distances = parents.numbers.iter().map(distance).collect();
                let find = || {
                    let all_resources = relations.graph.resources.list(kind).into_iter();
                    all_resources.map(|one| (one, relations.distances(above, one.header()))).collect()
                };
                above.children.get_or_init(find).as_slice()
            });
            Some(AgentSelection {
                agents: parent_relations.unwrap_or(parents),
                instances: instance_distances,
                below: child_distances,
                known: RefCell::default(),
            })
        };
        Self { relations, target, refers_to_files: refers_to_files(target), selection: selection() }
    }

    /// Whether the requested resource is an agent.
    pub(super) fn is_agent(&self) -> bool {
        self.selection.is_none()
    }

    /// Returns the weight of the obstacles on an agent's nearest path, or `None` if there is no path.
    pub(super) fn distance(&self, agent: &Resource<'d, GrafanaAgent<'d>>, number: usize) -> Option<u32> {
        self.rank(agent, number)?.first().map(|(weight, _)| *weight)
    }

    /// Returns the instances on the paths from an agent: those on open paths first, followed by the others, nearest
    /// first. Paths that are blocked at both ends are omitted. If all paths are blocked at both ends, only the nearest
    /// path is returned.
    pub(super) fn instances_from(&self, agent: &Resource<'d, GrafanaAgent<'d>>, number: usize) -> Vec<Option<usize>> {
        let ranked_paths = self.rank(agent, number);
        let ranked_instances = ranked_paths.iter().flat_map(|weighed| weighed.iter());
        ranked_instances.map(|(_, instance)| *instance).collect()
    }

    fn rank(&self, agent: &Resource<'d, GrafanaAgent<'d>>, number: usize) -> Option<RankedPaths> {
        let selection = self.selection.as_ref()?;
        let selectors = *selection.agents.numbers.get(number)?;
        let is_denied = self.refers_to_files && agent.spec.metrics.arbitrary_fs_access_through_sms.deny;
        let mut known_paths = selection.known.borrow_mut();
        let ranked_entry = known_paths.entry((selectors, is_denied));
        Some(Rc::clone(ranked_entry.or_insert_with(|| selection.rank(selectors, is_denied))))
    }

    /// Returns the path through `instance`, with its obstacles.
    pub(super) fn path(&self, agent: AnyResource<'h, 'd>, instance: Option<usize>) -> SelectionPath<'h, 'd> {
        let graph = self.relations.graph;
        let instances = self.selection.as_ref().and_then(|selection| selection.instances);
        let instance = instances.zip(instance).and_then(|(all, number)| all.get(number));
        let instance = instance.map(|(instance, _)| instance.header());
        let mut lower_link = graph.link(instance.unwrap_or(agent.header()), self.target.header());
        if let Some(link) = &mut lower_link {
            link.obstacles.extend(file_access_obstacle(agent, self.target));
        }
        let upper_link = instance.and_then(|instance| graph.link(agent.header(), instance));
        SelectionPath { instance, links: lower_link.into_iter().chain(upper_link).collect() }
    }
}

impl AgentSelection<'_, '_, '_> {
    /// Returns the paths from agents with these selectors, nearest first.
    fn rank(&self, agent: usize, is_denied: bool) -> RankedPaths {
        let Some(instances) = self.instances else {
            let weight = self.below.get(agent);
            return weight.map(|&weight| (weight, None)).into_iter().collect();
        };
        let denial = u32::from(is_denied);
        let numbered_instances = instances.iter().zip(&self.below).enumerate();
        let all_distances = numbered_instances.map(|(number, ((_, above), &below))| {
            let parent_distance = above.get(agent).copied().unwrap_or_default();
            (parent_distance, below + denial, Some(number))
        });
        let total_distance = |(above, below, number)| (above + below, number);
        let related_instances = all_distances.clone().filter(|(above, below, _)| *above == 0 || *below == 0);
        let mut weighed_instances: Vec<_> = related_instances.map(total_distance).collect();
        weighed_instances.sort_unstable();
        if weighed_instances.is_empty() {
            weighed_instances.extend(all_distances.map(total_distance).min());
        }
        weighed_instances.into()
    }
}

#[cfg(test)]
mod tests;
