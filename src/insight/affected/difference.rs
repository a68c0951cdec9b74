//! What differs between two renderings, exactly.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::{Affected, AffectedAgent, AffectedObject, Change, Rendering};
use crate::pods::{AgentName, Object};

/// What was rendered before and is not any more, or is different, or is new, by agent.
///
/// # Errors
///
/// An object that cannot be serialized.
pub fn difference(before: &Rendering, after: &Rendering) -> Result<Affected<'static>, serde_json::Error> {
    let keys: BTreeSet<_> = before.agents.keys().chain(after.agents.keys()).collect();
    let mut affected = Affected::default();
    for key in keys {
        let (old, new) = (before.agents.get(key), after.agents.get(key));
        let objects = changes(objects(old), objects(new))?;
        if objects.is_empty() {
            continue;
        }
        let AgentName { namespace, name } = key.clone();
        affected.agents.push(AffectedAgent {
            namespace,
            name,
            is_rendered: new.is_some(),
            objects,
            because: Vec::new(),
        });
    }
    affected.others = changes(&before.others, &after.others)?;
    Ok(affected)
}

fn objects(objects: Option<&Vec<Object>>) -> &[Object] {
    objects.map(Vec::as_slice).unwrap_or_default()
}

fn changes(before: &[Object], after: &[Object]) -> Result<Vec<AffectedObject>, serde_json::Error> {
    let mut old: BTreeMap<_, &Object> = before.iter().map(|object| (key(object), object)).collect();
    let mut changes = Vec::new();
    for object in after {
        let change = match old.remove(&key(object)) {
            None => Some(Change::Added),
            Some(was) if json(was)? != json(object)? => Some(Change::Changed),
            Some(_) => None,
        };
        changes.extend(change.map(|change| AffectedObject::new(change, object)));
    }
    changes.extend(
        old.into_values()
            .map(|object| AffectedObject::new(Change::Removed, object)),
    );
    Ok(changes)
}

fn key(object: &Object) -> (&'static str, &str, &str) {
    (object.kind(), object.namespace(), object.name())
}

fn json(object: &Object) -> Result<Json, serde_json::Error> {
    object.to_json()
}
