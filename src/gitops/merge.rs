//! Merged list of a cluster's objects, which contains each object once.

use std::collections::BTreeMap;

use serde_json::Value;

use super::cluster::{Cluster, MergedObject, Mistake};
use super::flux::GROUP;
use super::object::{Object, ObjectId, identity, text};
use super::skipped::{Reason, SkipKind, Skipped};
use crate::api::Kind;
use crate::diagnostic::Code;

/// Collects the objects of all builds, sorted by kind, namespace and name. An object that several builds produce
/// identically is kept once.
pub fn merge(cluster: &mut Cluster) {
    let mut first_objects: BTreeMap<(ObjectId, String), MergedObject> = BTreeMap::new();
    let (mut notes, mut mistakes) = (Vec::new(), Vec::new());
    let repeated_reason = |reason| Reason::new(SkipKind::Repeated, reason);
    for (root, built) in cluster.roots.iter().enumerate() {
        for (index, built_object) in built.build.objects.iter().enumerate() {
            let object = &built_object.object;
            let group = text(object, "apiVersion").rsplit_once('/').map_or("", |(group, _)| group).to_owned();
            let id = identity(object);
            let Some(known_object) = first_objects.get(&(id.clone(), group.clone())) else {
                first_objects.insert((id, group), MergedObject { object: object.clone(), root, index });
                continue;
            };
            if known_object.root == root {
                notes
                    .push(Skipped::new(&id, repeated_reason(format!("twice in {}: the last is applied", built.owner))));
                first_objects.insert((id, group), MergedObject { object: object.clone(), root, index });
                continue;
            }
            let owners = cluster.roots.get(known_object.root).map(|root| root.owner.as_str()).unwrap_or_default();
            let owners = format!("{owners} and {}", built.owner);
            if remove_owner_labels(&known_object.object) == remove_owner_labels(object) {
                notes.push(Skipped::new(&id, repeated_reason(format!("the same in {owners}"))));
            } else if is_read(object) {
                let reason = format!("{owners} apply different versions of {id}");
                let (object, field) = (id.to_string(), String::new());
                mistakes.push(Mistake { code: Code::GitopsOwner, object, field, reason, cause: None });
            } else {
                notes.push(Skipped::new(&id, repeated_reason(format!("different in {owners}"))));
            }
        }
    }
    cluster.objects = first_objects.into_values().collect();
    cluster.skipped.extend(notes);
    cluster.mistakes.extend(mistakes);
}

/// Whether later stages read objects of this kind.
pub(super) fn is_read(object: &Object) -> bool {
    Kind::from_type(text(object, "apiVersion"), text(object, "kind")).is_some()
}

/// Returns an object without Flux's owner labels.
fn remove_owner_labels(object: &Object) -> Object {
    let mut object = object.clone();
    let metadata = object.get_mut("metadata").and_then(Value::as_object_mut);
    if let Some(metadata) = metadata {
        if let Some(labels) = metadata.get_mut("labels").and_then(Value::as_object_mut) {
            labels.retain(|key, _| !key.strip_prefix(GROUP).is_some_and(|key| key.starts_with('/')));
        }
        metadata.retain(|key, value| key != "labels" || value.as_object().is_some_and(|labels| !labels.is_empty()));
    }
    object
}
