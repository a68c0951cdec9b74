//! What differs between two renderings, exactly.

use std::collections::{BTreeMap, BTreeSet};

use super::answer::{Affected, AffectedAgent, AffectedObject, Change};
use crate::manifest::{AgentName, Object, Objects};

/// What was rendered before and is not any more, or is different, or is new, by agent.
pub fn difference(before: &Objects, after: &Objects) -> Affected<'static> {
    let agents = |objects: &Objects| {
        objects
            .agents
            .iter()
            .map(|agent| agent.agent.clone())
            .collect::<BTreeSet<_>>()
    };
    let rendered = agents(after);
    let mut affected = Affected::default();
    for agent in agents(before).union(&rendered) {
        let objects = changes(before.of(agent), after.of(agent));
        if objects.is_empty() {
            continue;
        }
        let AgentName { namespace, name } = agent.clone();
        affected.agents.push(AffectedAgent {
            namespace,
            name,
            is_rendered: rendered.contains(agent),
            objects,
            because: Vec::new(),
        });
    }
    affected.others = changes(&before.others, &after.others);
    affected
}

fn changes(before: &[Object], after: &[Object]) -> Vec<AffectedObject> {
    let mut old: BTreeMap<_, &Object> = before.iter().map(|object| (key(object), object)).collect();
    let mut changes = Vec::new();
    for object in after {
        let change = match old.remove(&key(object)) {
            None => Some(Change::Added),
            Some(was) if was.to_json() != object.to_json() => Some(Change::Changed),
            Some(_) => None,
        };
        changes.extend(change.map(|change| AffectedObject::new(change, object)));
    }
    changes.extend(
        old.into_values()
            .map(|object| AffectedObject::new(Change::Removed, object)),
    );
    changes
}

/// The objects that come out differently, or not at all.
pub(super) fn differing<'o>(before: &'o [Object], after: &[Object]) -> Vec<&'o Object> {
    let after: BTreeMap<_, &Object> = after.iter().map(|object| (key(object), object)).collect();
    let stays = |object: &&Object| {
        let other = after.get(&key(object));
        other.is_some_and(|other| other.to_json() == object.to_json())
    };
    before.iter().filter(|object| !stays(object)).collect()
}

fn key(object: &Object) -> (&'static str, &str, &str) {
    (object.kind(), object.namespace(), object.name())
}
