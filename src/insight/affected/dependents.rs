//! What depends on resources: what is rendered otherwise without them.

use std::collections::{BTreeMap, BTreeSet};

use super::answer::{Affected, AffectedAgent, AffectedObject, Because, Change};
use super::difference::differing;
use crate::api::{Kind, ObjectRef};
use crate::insight::catalogue::Located;
use crate::insight::resolved::Resolved;
use crate::manifest::{AgentName, Objects};
use crate::resolve::Hierarchy;

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
