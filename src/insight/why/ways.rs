//! The ways from agents to a resource, in the order in which they are shown.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::Arc;

use super::distances::Distances;
use crate::api::{AnyResource, GrafanaAgent, Head, Kind, RELATIONS, Relation, Resource};
use crate::insight::graph::{Graph, Link, names_files};
use crate::insight::obstacle::Obstacle;

/// How many ways are shown of an agent.
pub(super) const WAYS: usize = 5;

/// One way from an agent to a resource.
pub struct Way<'h, 'd> {
    /// The instance on the way; none to an instance or Integration, which agents select themselves.
    pub instance: Option<&'h Head<'d>>,
    /// The links, from the resource up to the agent.
    pub links: Vec<Link<'h, 'd>>,
}

impl<'d> Way<'_, 'd> {
    /// Whether nothing is in the way.
    pub fn is_open(&self) -> bool {
        self.obstacles().next().is_none()
    }

    /// What is in the way.
    pub fn obstacles(&self) -> impl Iterator<Item = &Obstacle<'d>> {
        self.links.iter().flat_map(|link| &link.obstacles)
    }
}

/// The relations of a graph, by which ways are found. Agents and instances have the numbers of their order.
pub(super) struct Relations<'h, 'd> {
    graph: Graph<'h, 'd>,
    /// By the kind of the child.
    distances: HashMap<Kind, Distances<'h, 'd>>,
    /// By the kind of the instances.
    levels: HashMap<Kind, Level<'h, 'd>>,
}

/// The instances of a kind, which agents select and which select themselves.
struct Level<'h, 'd> {
    instances: Vec<AnyResource<'h, 'd>>,
    /// The instances that agents select, each set once, and which of these sets each agent has.
    sets: Vec<&'h [usize]>,
    set_of: Vec<usize>,
    /// For each instance, its distance from each agent.
    above: Vec<OnceCell<Vec<u32>>>,
    /// The distance of the nearest instance from each agent.
    nearest: OnceCell<Vec<u32>>,
}

impl<'h, 'd> Relations<'h, 'd> {
    /// The relations of a graph.
    pub(super) fn new(graph: Graph<'h, 'd>) -> Self {
        let selections = graph.selections;
        let distances = RELATIONS.iter().map(|relation| {
            let parents = selections.of(relation.child);
            (relation.child, Distances::new(parents, &selections.namespaces))
        });
        let parents = RELATIONS.iter().map(|relation| relation.parent);
        let instances = parents.filter(|kind| Relation::to(*kind).is_some());
        let mut levels = HashMap::new();
        for kind in instances {
            levels.entry(kind).or_insert_with(|| Level::new(graph, kind));
        }
        Self {
            graph,
            distances: distances.collect(),
            levels,
        }
    }

    fn distances(&self, child: &Head<'d>) -> Vec<u32> {
        let distances = self.distances.get(&child.kind);
        distances.map_or_else(Vec::new, |distances| distances.of(child))
    }

    /// The distance of an instance from an agent.
    fn above(&self, level: &Level<'h, 'd>, instance: usize, agent: usize) -> u32 {
        let (Some(head), Some(known)) = (level.instances.get(instance), level.above.get(instance)) else {
            return 0;
        };
        at(known.get_or_init(|| self.distances(head)), agent)
    }

    /// The distance of the nearest instance from an agent.
    fn nearest(&self, level: &Level<'h, 'd>, agent: usize) -> u32 {
        let find = |agent| {
            let instances = 0..level.instances.len();
            instances.map(|instance| self.above(level, instance, agent)).min()
        };
        let agents = 0..level.set_of.len();
        let nearest = || agents.map(|agent| find(agent).unwrap_or_default()).collect();
        at(level.nearest.get_or_init(nearest), agent)
    }
}

impl<'h, 'd> Level<'h, 'd> {
    fn new(graph: Graph<'h, 'd>, kind: Kind) -> Self {
        let instances = graph.resources.of(kind);
        let (mut sets, mut numbers) = (Vec::new(), HashMap::new());
        let agents = graph.selections.of(kind).iter();
        let set_of = agents.map(|agent| {
            // Agents that select alike share the set.
            *numbers.entry(Arc::as_ptr(&agent.positions)).or_insert_with(|| {
                sets.push(&*agent.positions);
                sets.len() - 1
            })
        });
        Self {
            set_of: set_of.collect(),
            sets,
            above: instances.iter().map(|_| OnceCell::new()).collect(),
            nearest: OnceCell::new(),
            instances,
        }
    }
}

/// The ways to a resource.
pub(super) struct Ways<'w, 'h, 'd> {
    relations: &'w Relations<'h, 'd>,
    target: AnyResource<'h, 'd>,
    /// Whether agents that deny files leave it out.
    names_files: bool,
    through: Through<'w, 'h, 'd>,
}

/// What ways go through.
enum Through<'w, 'h, 'd> {
    /// Nothing: the resource is an agent.
    Nowhere,
    /// A selection by agents themselves, with the distance from each.
    Agents(Vec<u32>),
    /// Instances.
    Instances(Instances<'w, 'h, 'd>),
}

/// The instances that a way may go through.
struct Instances<'w, 'h, 'd> {
    level: &'w Level<'h, 'd>,
    /// The distance of the resource from each instance.
    below: Vec<u32>,
    /// The instances that select it.
    selecting: Vec<usize>,
    /// The least distance from an instance of each set.
    of_sets: Vec<Option<u32>>,
    /// All instances, the nearest first.
    by_distance: OnceCell<Vec<usize>>,
}

impl<'w, 'h, 'd> Ways<'w, 'h, 'd> {
    /// The ways to a resource.
    pub(super) fn new(relations: &'w Relations<'h, 'd>, target: AnyResource<'h, 'd>) -> Self {
        let parent = Relation::to(target.kind).map(|relation| relation.parent);
        let through = match parent.map(|kind| relations.levels.get(&kind)) {
            None => Through::Nowhere,
            Some(None) => Through::Agents(relations.distances(&target)),
            Some(Some(level)) => Through::Instances(Instances::new(level, relations.distances(&target))),
        };
        Self {
            relations,
            target,
            names_files: names_files(target),
            through,
        }
    }

    /// Whether the resource is an agent.
    pub(super) fn is_agent(&self) -> bool {
        matches!(self.through, Through::Nowhere)
    }

    /// The weight of what is in the nearest way from an agent; `None` where there is no way.
    pub(super) fn distance(&self, agent: &Resource<'d, GrafanaAgent<'d>>, number: usize) -> Option<u32> {
        match &self.through {
            Through::Nowhere => None,
            Through::Agents(distances) => Some(at(distances, number)),
            Through::Instances(instances) => {
                let is_denied = self.is_denied(agent);
                let related = match is_denied {
                    true => instances.least_selected(number).map(|distance| distance + 1),
                    false => self.least_related(instances, number),
                };
                related.or_else(|| {
                    let (distance, _) = self.least_of_all(instances, number)?;
                    Some(distance + u32::from(is_denied))
                })
            }
        }
    }

    /// The ways from an agent, open ones first, then the nearest, as instances. Ways that are barred at both ends are left out,
    /// but for the nearest where there is no other.
    pub(super) fn from(&self, agent: &Resource<'d, GrafanaAgent<'d>>, number: usize) -> Vec<Option<usize>> {
        match &self.through {
            Through::Nowhere => Vec::new(),
            Through::Agents(_) => vec![None],
            Through::Instances(instances) => {
                let is_denied = self.is_denied(agent);
                let mut ways = self.related(instances, number, is_denied);
                ways.sort_unstable();
                if ways.is_empty() {
                    ways.extend(self.least_of_all(instances, number));
                }
                ways.into_iter().map(|(_, instance)| Some(instance)).collect()
            }
        }
    }

    fn is_denied(&self, agent: &Resource<'d, GrafanaAgent<'d>>) -> bool {
        self.names_files && agent.spec.metrics.arbitrary_fs_access_through_sms.deny
    }

    /// The instances that the agent selects, and those that select the resource unless it is denied, with their distances.
    fn related(&self, instances: &Instances<'w, 'h, 'd>, agent: usize, is_denied: bool) -> Vec<(u32, usize)> {
        let selected = instances.selected(agent);
        let mut related: Vec<_> = selected.iter().map(|&one| (at(&instances.below, one), one)).collect();
        if !is_denied {
            let selecting = instances.selecting.iter();
            let others = selecting.filter(|instance| selected.binary_search(instance).is_err());
            related.extend(others.map(|&one| (self.relations.above(instances.level, one, agent), one)));
        }
        related
    }

    fn least_related(&self, instances: &Instances<'w, 'h, 'd>, agent: usize) -> Option<u32> {
        let mut least = instances.least_selected(agent);
        for &instance in &instances.selecting {
            if least == Some(0) {
                break;
            }
            let distance = self.relations.above(instances.level, instance, agent);
            least = Some(least.map_or(distance, |least| least.min(distance)));
        }
        least
    }

    /// The nearest of all instances, the first of equals. The search ends where no instance behind can be nearer.
    fn least_of_all(&self, instances: &Instances<'w, 'h, 'd>, agent: usize) -> Option<(u32, usize)> {
        let nearest = self.relations.nearest(instances.level, agent);
        let mut least: Option<(u32, usize)> = None;
        for &instance in instances.by_distance() {
            let below = at(&instances.below, instance);
            if least.is_some_and(|(least, _)| below + nearest > least) {
                break;
            }
            let above = self.relations.above(instances.level, instance, agent);
            let found = (below + above, instance);
            least = Some(least.map_or(found, |least| least.min(found)));
            if above == nearest {
                break;
            }
        }
        least
    }

    /// A way with what is in it.
    pub(super) fn way(&self, agent: AnyResource<'h, 'd>, instance: Option<usize>) -> Way<'h, 'd> {
        let graph = self.relations.graph;
        let instance = match (&self.through, instance) {
            (Through::Instances(instances), Some(instance)) => instances.level.instances.get(instance),
            _ => None,
        };
        let parent = instance.map_or(agent.head(), |instance| instance.head());
        let mut lower = graph.link(parent, self.target.head());
        if let (Some(link), true) = (&mut lower, instance.is_some() && self.names_files) {
            link.obstacles.extend(graph.denied(agent, self.target));
        }
        let upper = instance.and_then(|instance| graph.link(agent.head(), instance.head()));
        Way {
            instance: instance.map(|instance| instance.head()),
            links: lower.into_iter().chain(upper).collect(),
        }
    }
}

impl<'w, 'h, 'd> Instances<'w, 'h, 'd> {
    fn new(level: &'w Level<'h, 'd>, below: Vec<u32>) -> Self {
        let least = |set: &&[usize]| set.iter().map(|&instance| at(&below, instance)).min();
        Self {
            of_sets: level.sets.iter().map(least).collect(),
            selecting: (0..below.len()).filter(|&instance| at(&below, instance) == 0).collect(),
            by_distance: OnceCell::new(),
            level,
            below,
        }
    }

    /// The instances that an agent selects.
    fn selected(&self, agent: usize) -> &'h [usize] {
        let set = self.level.set_of.get(agent).and_then(|&set| self.level.sets.get(set));
        set.copied().unwrap_or_default()
    }

    fn least_selected(&self, agent: usize) -> Option<u32> {
        let set = self.level.set_of.get(agent)?;
        self.of_sets.get(*set).copied().flatten()
    }

    fn by_distance(&self) -> &[usize] {
        self.by_distance.get_or_init(|| {
            let mut all: Vec<_> = (0..self.below.len()).collect();
            all.sort_by_key(|&instance| at(&self.below, instance));
            all
        })
    }
}

fn at(distances: &[u32], number: usize) -> u32 {
    distances.get(number).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests;
