//! What depends on resources: what is rendered otherwise without them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Serialize, Serializer};
use serde_json::json;

use super::difference::differing;
use crate::api::{Kind, ObjectRef};
use crate::insight::catalogue::Located;
use crate::insight::resolved::Resolved;
use crate::manifest::{AgentName, Object, Objects};
use crate::resolve::Hierarchy;

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

/// What depends on these resources as they are: what is rendered otherwise, or not at all, without them. A resource that moves (to
/// other labels, another namespace, other nodes) may reach more.
pub fn dependents<'d>(input: &Resolved<'d>, rendering: &Objects, targets: &[Located<'d>]) -> Affected<'d> {
    let asked = targets.iter().filter(|target| !target.refused);
    let asked: Vec<_> = asked.map(|target| target.object).collect();
    let hidden = asked.iter().copied().collect();
    input.without(&hidden, |rest| {
        let without = rest.rendering().output;
        let possible = |before, after| {
            let objects = differing(before, after).into_iter();
            objects
                .map(|object| AffectedObject::new(Change::Possible, object))
                .collect()
        };
        let left = rest.hierarchies.iter();
        let left: BTreeMap<_, _> = left.map(|one| (one.agent.object_ref(), one)).collect();
        let agents = input.hierarchies.iter().filter_map(|hierarchy| {
            let name = AgentName::of(&hierarchy.agent.meta);
            let objects: Vec<_> = possible(rendering.of(&name), without.of(&name));
            (!objects.is_empty()).then(|| AffectedAgent {
                because: because(hierarchy, left.get(&hierarchy.agent.object_ref()).copied(), &asked),
                is_rendered: true,
                objects,
                namespace: name.namespace,
                name: name.name,
            })
        });
        let agents: Vec<_> = agents.collect();
        let others: Vec<_> = possible(&rendering.others, &without.others);
        let because = agents.iter().flat_map(|agent| &agent.because);
        let active: BTreeSet<_> = because.map(|because| because.target).collect();
        let is_idle = |object: &ObjectRef<'d>| {
            let is_node = object.kind == Kind::Node && !others.is_empty();
            !is_node && !active.contains(object)
        };
        Affected {
            idle: targets.iter().map(|target| target.object).filter(is_idle).collect(),
            agents,
            others,
        }
    })
}

/// The resources that an agent depends on, of those that were asked about; `left` is what is left of it without them. The labels of a
/// Namespace decide over what goes and what comes.
fn because<'d>(
    hierarchy: &Hierarchy<'_, 'd>,
    left: Option<&Hierarchy<'_, '_>>,
    asked: &[ObjectRef<'d>],
) -> Vec<Because<'d>> {
    let above = above(hierarchy);
    let (before, left) = (members(hierarchy), left.map(members).unwrap_or_default());
    let by_labels = |namespace: &str| {
        let inside = |object: &&ObjectRef<'_>| object.namespace == namespace && !asked.contains(object);
        let goes = before.iter().filter(|object| !left.contains(object) && inside(object));
        let comes = left.iter().any(|object| !before.contains(object) && inside(&object));
        let through: Vec<_> = goes.copied().collect();
        (comes || !through.is_empty()).then_some(through)
    };
    let found = asked.iter().filter_map(|&target| {
        let through = match target.kind {
            Kind::Namespace => by_labels(target.name),
            _ => above.get(&target).map(|above| above.iter().copied().collect()),
        };
        through.map(|through| Because { target, through })
    });
    found.collect()
}

fn members<'d>(hierarchy: &Hierarchy<'_, 'd>) -> BTreeSet<ObjectRef<'d>> {
    hierarchy.members().map(|member| member.object_ref()).collect()
}

/// What is between an agent and each of its members, and what they refer to: instances that select it, resources that refer to it.
fn above<'d>(hierarchy: &Hierarchy<'_, 'd>) -> BTreeMap<ObjectRef<'d>, BTreeSet<ObjectRef<'d>>> {
    let mut all: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for member in hierarchy.members() {
        all.entry(member.object_ref()).or_default();
    }
    for (instance, children) in hierarchy.instances() {
        for child in children {
            all.entry(child.object_ref()).or_default().insert(instance.object_ref());
        }
    }
    for (member, reference) in hierarchy.references() {
        let object = reference.object(member.meta.namespace);
        all.entry(object).or_default().insert(member.object_ref());
    }
    all
}
