//! The ways from agents to a resource, in the order in which they are shown.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use super::distances::Parents;
use crate::api::{AnyResource, GrafanaAgent, Kind, RELATIONS, Relation, Resource, ResourceHeader};
use crate::insight::graph::{Graph, Link, names_files};
use crate::insight::obstacle::Obstacle;

/// How many ways are shown of an agent.
pub(super) const WAYS: usize = 5;

/// One way from an agent to a resource.
pub struct SelectionPath<'h, 'd> {
    /// The instance on the way; none to an instance or Integration, which agents select themselves.
    pub instance: Option<&'h ResourceHeader<'d>>,
    /// The links, from the resource up to the agent.
    pub links: Vec<Link<'h, 'd>>,
}

impl<'d> SelectionPath<'_, 'd> {
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
    parents: HashMap<Kind, Parents<'h, 'd>>,
    /// By their kind, once somebody asked.
    instances: HashMap<Kind, OnceCell<Vec<Instance<'h, 'd>>>>,
}

/// An instance, and its distances from the selectors of agents.
struct Instance<'h, 'd> {
    resource: AnyResource<'h, 'd>,
    above: Vec<u32>,
}

impl<'h, 'd> Relations<'h, 'd> {
    /// The relations of a graph.
    pub(super) fn new(graph: Graph<'h, 'd>) -> Self {
        let parents = RELATIONS.iter().map(|relation| relation.child);
        let instances = RELATIONS.iter().map(|relation| relation.parent);
        Self {
            graph,
            parents: parents.map(|child| (child, Parents::of(graph, child))).collect(),
            instances: instances.map(|kind| (kind, OnceCell::new())).collect(),
        }
    }

    /// Number of ways to a resource of a kind from so many agents, those with the same selectors taken as one.
    pub(super) fn count(&self, kind: Kind, asked: usize) -> usize {
        let parent = Relation::to(kind).map(|relation| relation.parent);
        let Some((parent, agents)) = parent.and_then(|parent| Some((parent, self.parents.get(&parent)?))) else {
            return 1;
        };
        agents
            .count()
            .min(asked)
            .saturating_mul(self.graph.resources.of(parent).len())
    }

    /// The instances of a kind; none where they are agents.
    fn instances(&self, kind: Kind) -> Option<&[Instance<'h, 'd>]> {
        let (agents, instances) = (self.parents.get(&kind)?, self.instances.get(&kind)?);
        let find = || {
            let all = self.graph.resources.of(kind).into_iter();
            all.map(|resource| Instance {
                above: agents.distances(resource.head()),
                resource,
            })
            .collect()
        };
        Some(instances.get_or_init(find))
    }
}

/// The ways to a resource.
pub(super) struct Ways<'w, 'h, 'd> {
    relations: &'w Relations<'h, 'd>,
    target: AnyResource<'h, 'd>,
    /// Whether agents that deny files leave it out.
    names_files: bool,
    /// Nothing where the resource is an agent.
    selection: Option<Selection<'w, 'h, 'd>>,
}

/// How agents select a resource.
struct Selection<'w, 'h, 'd> {
    /// What agents select by: instances, or the resource itself.
    agents: &'w Parents<'h, 'd>,
    through: Through<'w, 'h, 'd>,
    /// The ways that were asked for, by the selectors of the agent, and whether it leaves the resource out.
    known: RefCell<HashMap<(usize, bool), Weighed>>,
}

enum Through<'w, 'h, 'd> {
    /// Nothing: the distances of the resource from agents.
    Nothing(Vec<u32>),
    /// Instances, and the distance of the resource from each.
    Instances(&'w [Instance<'h, 'd>], Vec<u32>),
}

/// Ways with the weight of what is in each: those that are open at one end, or else the nearest, each by its instance.
type Weighed = Rc<[(u32, Option<usize>)]>;

impl<'w, 'h, 'd> Ways<'w, 'h, 'd> {
    /// The ways to a resource.
    pub(super) fn new(relations: &'w Relations<'h, 'd>, target: AnyResource<'h, 'd>) -> Self {
        let selection = || {
            let relation = Relation::to(target.kind)?;
            let parents = relations.parents.get(&target.kind)?;
            let distances = parents.distances(target.head());
            let (agents, through) = match relations.instances(relation.parent) {
                None => (parents, Through::Nothing(distances)),
                Some(instances) => {
                    let numbers = (0..instances.len()).map(|instance| parents.selectors_of(instance));
                    let below = numbers.map(|number| distances.get(number?).copied());
                    let below = below.map(Option::unwrap_or_default).collect();
                    (
                        relations.parents.get(&relation.parent)?,
                        Through::Instances(instances, below),
                    )
                }
            };
            Some(Selection {
                agents,
                through,
                known: RefCell::default(),
            })
        };
        Self {
            relations,
            target,
            names_files: names_files(target),
            selection: selection(),
        }
    }

    /// Whether the resource is an agent.
    pub(super) fn is_agent(&self) -> bool {
        self.selection.is_none()
    }

    /// The weight of what is in the nearest way from an agent; `None` where there is no way.
    pub(super) fn distance(&self, agent: &Resource<'d, GrafanaAgent<'d>>, number: usize) -> Option<u32> {
        self.weighed(agent, number)?.first().map(|(weight, _)| *weight)
    }

    /// The ways from an agent, open ones first, then the nearest, as instances. Ways that are barred at both ends are left out,
    /// but for the nearest where there is no other.
    pub(super) fn from(&self, agent: &Resource<'d, GrafanaAgent<'d>>, number: usize) -> Vec<Option<usize>> {
        let weighed = self.weighed(agent, number);
        let weighed = weighed.iter().flat_map(|weighed| weighed.iter());
        weighed.map(|(_, instance)| *instance).collect()
    }

    fn weighed(&self, agent: &Resource<'d, GrafanaAgent<'d>>, number: usize) -> Option<Weighed> {
        let Selection { agents, through, known } = self.selection.as_ref()?;
        let selectors = agents.selectors_of(number)?;
        let is_denied = self.names_files && agent.spec.metrics.arbitrary_fs_access_through_sms.deny;
        let mut known = known.borrow_mut();
        let weighed = known
            .entry((selectors, is_denied))
            .or_insert_with(|| through.weighed(selectors, is_denied));
        Some(Rc::clone(weighed))
    }

    /// A way with what is in it.
    pub(super) fn way(&self, agent: AnyResource<'h, 'd>, instance: Option<usize>) -> SelectionPath<'h, 'd> {
        let graph = self.relations.graph;
        let instance = match (&self.selection, instance) {
            (
                Some(Selection {
                    through: Through::Instances(instances, _),
                    ..
                }),
                Some(instance),
            ) => instances.get(instance),
            _ => None,
        };
        let instance = instance.map(|instance| &instance.resource);
        let parent = instance.map_or(agent.head(), |instance| instance.head());
        let mut lower = graph.link(parent, self.target.head());
        if let (Some(link), true) = (&mut lower, instance.is_some() && self.names_files) {
            link.obstacles.extend(graph.denied(agent, self.target));
        }
        let upper = instance.and_then(|instance| graph.link(agent.head(), instance.head()));
        SelectionPath {
            instance: instance.map(|instance| instance.head()),
            links: lower.into_iter().chain(upper).collect(),
        }
    }
}

impl Through<'_, '_, '_> {
    /// The ways from the agents with these selectors, the nearest first.
    fn weighed(&self, agent: usize, is_denied: bool) -> Weighed {
        let (instances, below) = match self {
            Through::Nothing(distances) => {
                return distances.get(agent).map(|&weight| (weight, None)).into_iter().collect();
            }
            Through::Instances(instances, below) => (instances, below),
        };
        let denial = u32::from(is_denied);
        let all = instances
            .iter()
            .zip(below)
            .enumerate()
            .map(|(number, (instance, &below))| {
                let above = instance.above.get(agent).copied().unwrap_or_default();
                (above, below + denial, Some(number))
            });
        let weigh = |(above, below, number)| (above + below, number);
        let related = all.clone().filter(|(above, below, _)| *above == 0 || *below == 0);
        let mut weighed: Vec<_> = related.map(weigh).collect();
        weighed.sort_unstable();
        if weighed.is_empty() {
            weighed.extend(all.map(weigh).min());
        }
        weighed.into()
    }
}

#[cfg(test)]
mod tests;
