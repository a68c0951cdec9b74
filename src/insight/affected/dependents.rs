//! What depends on the resources that are given as changed.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Serialize, Serializer};
use serde_json::json;

use super::dependencies::{Reach, dependencies};
use super::namespace::SelectedByLabels;
use super::roles::Roles;
use crate::api::{Kind, ObjectRef};
use crate::insight::catalogue::Located;
use crate::insight::graph::Graph;
use crate::manifest::{AgentName, Object, Objects};

/// The objects that may or do change. For programs:
///
/// ```text
/// {"agents": […], "others": […], "idle": […]}
/// agent   namespace, name, rendered, objects, because
/// object  change, kind, namespace, name
/// because kind, namespace, name, through
/// idle    kind, namespace, name
/// ```
///
/// `change` is `possible` where it is about dependencies, and `added`, `changed` or `removed` between two revisions.
#[derive(Clone, Default, Serialize)]
pub struct Affected<'d> {
    /// The agents of which any object is affected, by namespace and name.
    pub agents: Vec<AffectedAgent<'d>>,
    /// The resources that were asked about and that nothing depends on.
    #[serde(serialize_with = "in_order")]
    pub idle: Vec<ObjectRef<'d>>,
    /// The objects of no agent: Service and Endpoints of the kubelets.
    #[serde(serialize_with = "in_order")]
    pub others: Vec<AffectedObject>,
}

/// An agent and what of it is affected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AffectedAgent<'d> {
    /// The resources that it depends on, of those that were asked about.
    #[serde(serialize_with = "in_order")]
    pub because: Vec<Because<'d>>,
    pub name: String,
    pub namespace: String,
    /// In the order in which the operator creates them, what is removed last.
    #[serde(serialize_with = "in_order")]
    pub objects: Vec<AffectedObject>,
    /// Whether it is rendered, so that there is something to render again; one that is gone is not.
    #[serde(rename = "rendered")]
    pub is_rendered: bool,
}

/// A resource that an agent depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Because<'d> {
    /// The resource.
    #[serde(flatten)]
    pub target: ObjectRef<'d>,
    /// What is between it and the agent.
    pub through: Vec<ObjectRef<'d>>,
}

/// Writes items with their keys in the order of the alphabet. Each is made when it is written: thousands of namespaces may be
/// selected through the same hundreds of instances.
fn in_order<T: Serialize, S: Serializer>(items: &[T], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(items.iter().map(|item| json!(item)))
}

/// An object that may or does change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct AffectedObject {
    /// The kind of change.
    pub change: Change,
    pub kind: &'static str,
    pub namespace: String,
    pub name: String,
}

impl AffectedObject {
    pub(super) fn new(change: Change, object: &Object) -> Self {
        Self {
            change,
            kind: object.kind(),
            namespace: object.namespace().to_owned(),
            name: object.name().to_owned(),
        }
    }
}

/// The kind of change of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// It depends on what changes.
    Possible,
    /// It was not there.
    Added,
    /// It is different.
    Changed,
    /// It is not rendered any more.
    Removed,
}

impl Change {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Change::Possible => "possible",
            Change::Added => "added",
            Change::Changed => "changed",
            Change::Removed => "removed",
        }
    }
}

/// What depends on these resources as they are: what may change when what they say does, or when they vanish. A resource
/// that moves (to other labels, another namespace, other nodes) may reach more.
pub fn dependents<'d>(graph: Graph<'_, 'd>, rendering: &Objects, targets: &[Located<'d>]) -> Affected<'d> {
    let mut affected = Affected::default();
    let asked = targets.iter().enumerate().filter(|(_, target)| !target.refused);
    let asked: HashMap<_, _> = asked.map(|(place, target)| (target.object, place)).collect();
    for hierarchy in graph.hierarchies {
        let meta = &hierarchy.agent.meta;
        let name = AgentName::of(meta);
        let objects = rendering.of(&name);
        let (mut reaches, copied) = dependencies(hierarchy);
        let by_labels = SelectedByLabels::new(hierarchy, graph, &copied);
        for object in asked.keys().filter(|object| object.kind == Kind::Namespace) {
            let reach = by_labels.reach(object.name);
            if reach.roles != Roles::default() {
                reaches.insert(*object, reach);
            }
        }
        affected.agents.extend(agent(name, objects, &reaches, &asked));
    }
    if asked.keys().any(|object| object.kind == Kind::Node) {
        // Without any Node there is no Service either.
        let mut nodes = graph.resources.nodes.iter();
        let all_nodes = nodes.all(|node| asked.contains_key(&node.object_ref()));
        let depends = |object: &&Object| object.kind() == "Endpoints" || all_nodes;
        let objects = rendering.others.iter().filter(depends);
        affected.others = objects
            .map(|object| AffectedObject::new(Change::Possible, object))
            .collect();
    }
    let because = affected.agents.iter().flat_map(|agent| &agent.because);
    let active: HashSet<_> = because.map(|because| because.target).collect();
    let is_idle = |object: &ObjectRef<'d>| {
        let is_node = object.kind == Kind::Node && !affected.others.is_empty();
        !is_node && !active.contains(object)
    };
    affected.idle = targets.iter().map(|target| target.object).filter(is_idle).collect();
    affected
}

/// What of one agent depends on the targets, of which the places are given; none where nothing does.
fn agent<'d>(
    AgentName { namespace, name }: AgentName,
    objects: &[Object],
    reaches: &BTreeMap<ObjectRef<'d>, Reach<'d>>,
    targets: &HashMap<ObjectRef<'d>, usize>,
) -> Option<AffectedAgent<'d>> {
    let mut because: Vec<_> = reaches
        .iter()
        .filter_map(|(object, reach)| Some((targets.get(object)?, *object, reach)))
        .collect();
    because.sort_by_key(|(place, ..)| *place);
    let depends = |object: &&Object| because.iter().any(|(.., reach)| reach.roles.contains(object.role()));
    let objects: Vec<_> = objects
        .iter()
        .filter(depends)
        .map(|object| AffectedObject::new(Change::Possible, object))
        .collect();
    let because = because.into_iter().map(|(_, target, reach)| Because {
        target,
        through: reach.through.iter().copied().collect(),
    });
    let because = because.collect();
    (!objects.is_empty()).then_some(AffectedAgent {
        is_rendered: true,
        objects,
        because,
        namespace,
        name,
    })
}
