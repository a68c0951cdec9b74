//! Output items: the input items, with newly rendered objects replacing previously rendered ones.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::{ResourceList, annotations, diagnostics};
use crate::api::{RENDERED_BY_ANNOTATION, rendering_function};
use crate::diagnostic::{Diagnostic, ObjectKey};
use crate::manifest::{AgentName, Object, Objects};
use crate::yaml::{Node, Value};

#[derive(Clone, Debug)]
pub enum OutputItem<'d> {
    /// An input item, unchanged.
    Kept(Node<'d>),
    /// A rendered object, and the input item that it replaces.
    Rendered(&'d Object, Option<Node<'d>>),
}

/// API group and key of an object.
pub(super) type ItemKey<'k> = (&'k str, ObjectKey);

pub(super) fn key_of_object(object: &Object) -> ItemKey<'_> {
    (object.group(), object.key())
}

pub(super) fn key_of_item<'d>(item: Node<'d>, namespace: &str) -> ItemKey<'d> {
    let group = item.text("apiVersion").rsplit_once('/');
    (group.map_or("", |(group, _)| group), item.object_key(namespace))
}

/// Returns the output items: the input items in order, followed by new objects. Objects that this function rendered
/// before and no longer renders are omitted, unless their agent is paused or excluded.
///
/// `namespace` is used for items that do not set one, and `excluded` lists the agents that are paused or excluded.
pub fn merge<'d>(
    list: &ResourceList<'d>,
    objects: &'d Objects,
    excluded: &[AgentName],
    namespace: &str,
) -> Vec<OutputItem<'d>> {
    let owner = list.owner();
    let mut unplaced_objects: BTreeMap<_, _> =
        objects.iter().map(|object| (key_of_object(object), Some(object))).collect();
    let mut items = Vec::new();
    for item in list.items() {
        let key = key_of_item(item, namespace);
        match unplaced_objects.get_mut(&key) {
            Some(object) => items.extend(object.take().map(|object| OutputItem::Rendered(object, Some(item)))),
            None if is_stale(item, &key.1, owner, excluded) => {}
            None => items.push(OutputItem::Kept(item)),
        }
    }
    let new_items =
        objects.iter().filter(|object| unplaced_objects.get(&key_of_object(object)).is_some_and(Option::is_some));
    items.extend(new_items.map(|object| OutputItem::Rendered(object, None)));
    items
}

/// Returns the findings for items that are replaced even though this function did not render them.
pub fn replaced_items(list: &ResourceList<'_>, objects: &Objects, namespace: &str) -> Vec<Diagnostic> {
    let keys: BTreeSet<_> = objects.iter().map(key_of_object).collect();
    let foreign_items = list.items().filter(|item| rendering_function(*item).is_none());
    let keyed_items = foreign_items.map(|item| (item, key_of_item(item, namespace)));
    let replaced_items = keyed_items.filter(|(_, key)| keys.contains(key));
    replaced_items.map(|(item, (_, key))| diagnostics::replaced_object(item, key)).collect()
}

fn is_stale(item: Node<'_>, key: &ObjectKey, owner: Option<&str>, excluded: &[AgentName]) -> bool {
    let is_own = owner.is_some() && rendering_function(item) == owner;
    is_own && !AgentName::any_may_own(excluded, &key.kind, &key.namespace, &key.name)
}

/// Returns an object's manifest, with the name of its owner and the tool's annotations from the item that it replaces.
pub(super) fn item_manifest(object: &Object, item: Option<Node<'_>>, owner: Option<&str>) -> Value<'static> {
    let mut manifest = object.to_json();
    let mut added_annotations: Vec<_> = item.into_iter().flat_map(annotations::tool_annotations).collect();
    added_annotations.extend(owner.map(|owner| (RENDERED_BY_ANNOTATION, owner)));
    if let (false, Some(metadata)) =
        (added_annotations.is_empty(), manifest.get_mut("metadata").and_then(|m| m.as_object_mut()))
    {
        let annotations = metadata.entry("annotations").or_insert_with(|| json!({}));
        if let Some(annotations) = annotations.as_object_mut() {
            annotations.extend(added_annotations.into_iter().map(|(key, value)| (key.to_owned(), value.into())));
        }
    }
    Value::from(manifest)
}
