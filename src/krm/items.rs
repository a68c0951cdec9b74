//! The items that go back: those that came, with what is rendered in the place of what was rendered before.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::{ResourceList, annotations, diagnostics};
use crate::api::{RENDERED_BY_ANNOTATION, rendered_by};
use crate::compile::Bundle;
use crate::diagnostic::{Diagnostic, ObjectKey};
use crate::manifest::{AgentName, Object};
use crate::yaml::{Node, Value};

/// An item of the answer.
#[derive(Clone, Debug)]
pub enum Item<'d> {
    /// One that came, as it came.
    Kept(Node<'d>),
    /// One that was rendered, and the one that it takes the place of.
    Rendered(&'d Object, Option<Node<'d>>),
}

/// By what an object is known here, beside its key: its group.
type Key<'k> = (&'k str, ObjectKey);

fn key_of_object(object: &Object) -> Key<'_> {
    (object.group(), object.key())
}

fn key_of_item<'d>(item: Node<'d>, namespace: &str) -> Key<'d> {
    let group = item.text("apiVersion").rsplit_once('/');
    (group.map_or("", |(group, _)| group), item.object_key(namespace))
}

/// The items of the answer, in the order in which they came, with the new ones behind them. What this function rendered
/// before and does not render any more is left out, unless its agent is paused or not asked for.
///
/// `namespace` is the namespace of items without one.
pub fn merge<'d>(list: &ResourceList<'d>, bundle: &'d Bundle, namespace: &str) -> Vec<Item<'d>> {
    let owner = list.owner();
    let mut waiting: BTreeMap<_, _> = bundle
        .objects
        .iter()
        .map(|object| (key_of_object(object), Some(object)))
        .collect();
    let mut merged = Vec::new();
    for item in list.items() {
        let key = key_of_item(item, namespace);
        match waiting.get_mut(&key) {
            Some(object) => merged.extend(object.take().map(|object| Item::Rendered(object, Some(item)))),
            None if is_stale(item, &key.1, owner, bundle) => {}
            None => merged.push(Item::Kept(item)),
        }
    }
    let new = bundle
        .objects
        .iter()
        .filter(|object| waiting.get(&key_of_object(object)).is_some_and(Option::is_some));
    merged.extend(new.map(|object| Item::Rendered(object, None)));
    merged
}

/// What is said of items that are replaced although this function did not render them.
pub fn replaced(list: &ResourceList<'_>, bundle: &Bundle, namespace: &str) -> Vec<Diagnostic> {
    let keys: BTreeSet<_> = bundle.objects.iter().map(key_of_object).collect();
    let foreign = list.items().filter(|item| rendered_by(*item).is_none());
    let keyed = foreign.map(|item| (item, key_of_item(item, namespace)));
    let replaced = keyed.filter(|(_, key)| keys.contains(key));
    replaced
        .map(|(item, (_, key))| diagnostics::replaced(item, key))
        .collect()
}

fn is_stale(item: Node<'_>, key: &ObjectKey, owner: Option<&str>, bundle: &Bundle) -> bool {
    let is_own = owner.is_some() && rendered_by(item) == owner;
    is_own && !AgentName::any_has(&bundle.left_alone, &key.kind, &key.namespace, &key.name)
}

/// The manifest, with the name of its owner and with what the tool noted on the item that it replaces.
pub(super) fn manifest(object: &Object, item: Option<Node<'_>>, owner: Option<&str>) -> Value<'static> {
    let mut manifest = object.to_json();
    let mut added: Vec<_> = item.into_iter().flat_map(annotations::of_the_tool).collect();
    added.extend(owner.map(|owner| (RENDERED_BY_ANNOTATION, owner)));
    if let (false, Some(metadata)) = (
        added.is_empty(),
        manifest.get_mut("metadata").and_then(|m| m.as_object_mut()),
    ) {
        let annotations = metadata.entry("annotations").or_insert_with(|| json!({}));
        if let Some(annotations) = annotations.as_object_mut() {
            annotations.extend(added.into_iter().map(|(key, value)| (key.to_owned(), value.into())));
        }
    }
    Value::from(manifest)
}
