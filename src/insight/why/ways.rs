//! The ways from agents to a resource, in the order in which they are shown.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use super::distances::{Distance, Distances};
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
    distances: HashMap<Kind, Rc<Distances<'h, 'd>>>,
    /// By the kind of the instances.
    levels: HashMap<Kind, Level<'h, 'd>>,
}

/// The instances of a kind, which agents select and which select themselves.
struct Level<'h, 'd> {
    instances: Vec<AnyResource<'h, 'd>>,
    /// From the agents to the instances.
    distances: Rc<Distances<'h, 'd>>,
    /// Those of each instance.
    above: Vec<OnceCell<Distance<'h, 'd>>>,
    /// The distance of the nearest instance from each agent.
    nearest: OnceCell<Vec<u32>>,
}

impl<'h, 'd> Relations<'h, 'd> {
    /// The relations of a graph.
    pub(super) fn new(graph: Graph<'h, 'd>) -> Self {
        let distances = RELATIONS.iter().map(|relation| {
            let distances = Distances::new(graph, relation.child);
            (relation.child, Rc::new(distances))
        });
        let distances: HashMap<_, _> = distances.collect();
        let mut levels = HashMap::new();
        for kind in RELATIONS.iter().map(|relation| relation.parent) {
            if let Some(distances) = distances.get(&kind) {
                levels.entry(kind).or_insert_with(|| Level::new(graph, kind, distances));
            }
        }
        Self {
            graph,
            distances,
            levels,
        }
    }
}

impl<'h, 'd> Level<'h, 'd> {
    fn new(graph: Graph<'h, 'd>, kind: Kind, distances: &Rc<Distances<'h, 'd>>) -> Self {
        let instances = graph.resources.of(kind);
        Self {
            distances: Rc::clone(distances),
            above: instances.iter().map(|_| OnceCell::new()).collect(),
            nearest: OnceCell::new(),
            instances,
        }
    }

    /// The distance of an instance from an agent.
    fn above(&self, instance: usize, agent: usize) -> u32 {
        self.distance(instance).map_or(0, |distance| distance.from(agent))
    }

    fn distance(&self, instance: usize) -> Option<&Distance<'h, 'd>> {
        let (head, known) = (self.instances.get(instance)?, self.above.get(instance)?);
        Some(known.get_or_init(|| self.distances.of(head.head())))
    }

    /// The distance of the nearest instance from an agent.
    fn nearest(&self, agent: usize) -> u32 {
        let find = |agent| {
            let instances = 0..self.instances.len();
            instances.map(|instance| self.above(instance, agent)).min()
        };
        let agents = 0..self.distances.parents();
        let nearest = || agents.map(|agent| find(agent).unwrap_or_default()).collect();
        let nearest: &Vec<u32> = self.nearest.get_or_init(nearest);
        nearest.get(agent).copied().unwrap_or_default()
    }

    /// The instances that an agent selects.
    fn selected(&self, agent: usize) -> &'h [usize] {
        let set = self.distances.set_of(agent);
        set.map_or(&[], |set| self.distances.set(set))
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
    /// A selection by agents themselves.
    Agents(&'w Distances<'h, 'd>, Distance<'h, 'd>),
    Instances(Instances<'w, 'h, 'd>),
}

/// The instances that a way may go through.
struct Instances<'w, 'h, 'd> {
    level: &'w Level<'h, 'd>,
    /// The distance of the resource from each instance.
    below: Distance<'h, 'd>,
    /// The instances that select it.
    selecting: Vec<usize>,
    /// The least distance from an instance of each set that several agents select, once somebody asked.
    of_sets: RefCell<HashMap<usize, Option<u32>>>,
    /// All instances, the nearest first.
    by_distance: OnceCell<Vec<usize>>,
}

impl<'w, 'h, 'd> Ways<'w, 'h, 'd> {
    /// The ways to a resource.
    pub(super) fn new(relations: &'w Relations<'h, 'd>, target: AnyResource<'h, 'd>) -> Self {
        let relation = Relation::to(target.kind).zip(relations.distances.get(&target.kind));
        let through = match relation {
            None => Through::Nowhere,
            Some((relation, distances)) => match relations.levels.get(&relation.parent) {
                None => Through::Agents(distances, distances.of(target.head())),
                Some(level) => Through::Instances(Instances::new(level, distances, target.head())),
            },
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

    /// The agents that select the resource unless they are denied it, in order.
    pub(super) fn selecting(&self) -> Vec<usize> {
        match &self.through {
            Through::Nowhere => Vec::new(),
            Through::Agents(distances, _) => distances.selecting(distances.sets_with(&self.target)),
            Through::Instances(Instances { level, selecting, .. }) => {
                let instances = selecting.iter().filter_map(|&instance| level.instances.get(instance));
                let sets = instances.flat_map(|instance| level.distances.sets_with(instance));
                level.distances.selecting(sets)
            }
        }
    }

    /// The weight of what is in the nearest way from an agent; `None` where there is no way.
    pub(super) fn distance(&self, agent: &Resource<'d, GrafanaAgent<'d>>, number: usize) -> Option<u32> {
        match &self.through {
            Through::Nowhere => None,
            Through::Agents(_, distance) => Some(distance.from(number)),
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
            Through::Agents(..) => vec![None],
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

    /// Whether an agent leaves the resource out although it selects it.
    pub(super) fn is_denied(&self, agent: &Resource<'d, GrafanaAgent<'d>>) -> bool {
        self.names_files && agent.spec.metrics.arbitrary_fs_access_through_sms.deny
    }

    /// The instances that the agent selects, and those that select the resource unless it is denied, with their distances.
    fn related(&self, instances: &Instances<'w, 'h, 'd>, agent: usize, is_denied: bool) -> Vec<(u32, usize)> {
        let selected = instances.level.selected(agent);
        let mut related: Vec<_> = selected.iter().map(|&one| (instances.below.from(one), one)).collect();
        if !is_denied {
            let selecting = instances.selecting.iter();
            let others = selecting.filter(|instance| selected.binary_search(instance).is_err());
            related.extend(others.map(|&one| (instances.level.above(one, agent), one)));
        }
        related
    }

    fn least_related(&self, instances: &Instances<'w, 'h, 'd>, agent: usize) -> Option<u32> {
        let mut least = instances.least_selected(agent);
        for &instance in &instances.selecting {
            if least == Some(0) {
                break;
            }
            let distance = instances.level.above(instance, agent);
            least = Some(least.map_or(distance, |least| least.min(distance)));
        }
        least
    }

    /// The nearest of all instances, the first of equals. The search ends where no instance behind can be nearer.
    fn least_of_all(&self, instances: &Instances<'w, 'h, 'd>, agent: usize) -> Option<(u32, usize)> {
        let nearest = instances.level.nearest(agent);
        let mut least: Option<(u32, usize)> = None;
        for &instance in instances.by_distance() {
            let below = instances.below.from(instance);
            if least.is_some_and(|(least, _)| below + nearest > least) {
                break;
            }
            let above = instances.level.above(instance, agent);
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
    fn new(level: &'w Level<'h, 'd>, distances: &Rc<Distances<'h, 'd>>, resource: &'h Head<'d>) -> Self {
        Self {
            level,
            below: distances.of(resource),
            selecting: distances.selecting(distances.sets_with(resource)),
            of_sets: RefCell::default(),
            by_distance: OnceCell::new(),
        }
    }

    fn least_selected(&self, agent: usize) -> Option<u32> {
        let set = self.level.distances.set_of(agent)?;
        let least = || {
            let instances = self.level.distances.set(set).iter();
            instances.map(|&instance| self.below.from(instance)).min()
        };
        match self.level.distances.is_shared(set) {
            true => *self.of_sets.borrow_mut().entry(set).or_insert_with(least),
            false => least(),
        }
    }

    fn by_distance(&self) -> &[usize] {
        self.by_distance.get_or_init(|| {
            let mut all: Vec<_> = (0..self.level.instances.len()).collect();
            all.sort_by_key(|&instance| self.below.from(instance));
            all
        })
    }
}

#[cfg(test)]
mod tests;
