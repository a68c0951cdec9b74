//! Fields of live objects that are not rendered but survive when the manifests are applied.

use serde_json::Value as Json;

use super::history::{self, History};
use super::{ObjectState, normal, server};
use crate::api::core::shape::{FieldType, GoStruct, StructField};
use crate::api::core::strategic_merge::KeyIndex;
use crate::diagnostic::ObjectKey;

/// Fields of a live object that survive when the manifests are applied, because there is no record that they were ever
/// applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnmanagedFields {
    pub key: ObjectKey,
    /// Fields that are set neither by the rendered manifest nor by a default.
    pub fields: Vec<String>,
}

/// Returns the fields of a live object that would not be removed by applying `manifest`. Returns `None` if there are no
/// such fields, or if the last applied manifest is known.
pub fn unmanaged_fields(live: &ObjectState<'_>, manifest: &ObjectState<'_>) -> Option<UnmanagedFields> {
    let mut json = live.manifest.to_json();
    let is_unknown = matches!(history::read_history(&json), History::Managed);
    let shape = GoStruct::find_object(&live.key.kind).filter(|_| is_unknown)?;
    if history::is_server_side_applied(&json) {
        history::keep_created(&mut json);
    }
    let mut before = server::strip_server_fields(json, false);
    let mut after = server::strip_server_fields(manifest.manifest.to_json(), false);
    normal::normalize(shape, &mut before, &mut after);
    let mut fields = Vec::new();
    collect(Some(shape), &before, &after, "", &mut fields);
    (!fields.is_empty()).then(|| UnmanagedFields { key: live.key.clone(), fields })
}

fn collect(shape: Option<&GoStruct>, live: &Json, manifest: &Json, path: &str, out: &mut Vec<String>) {
    let (Json::Object(live), Json::Object(manifest)) = (live, manifest) else {
        return;
    };
    for (name, live) in live {
        let field = shape.and_then(|shape| shape.field(name));
        let path = match (path, shape) {
            ("", _) => name.clone(),
            (path, Some(_)) => format!("{path}.{name}"),
            (path, None) => format!("{path}[{name}]"),
        };
        match (live, manifest.get(name)) {
            (Json::Object(live), None) if field.is_some_and(|field| matches!(field.kind, FieldType::Map(_))) => {
                out.extend(live.keys().map(|name| format!("{path}[{name}]")));
            }
            (_, None) => out.push(path),
            (Json::Array(live), Some(Json::Array(manifest))) => collect_items(field, live, manifest, &path, out),
            (live, Some(manifest)) if !field.is_some_and(|field| field.retain_keys) => {
                collect(field.and_then(|field| field.kind.shape()), live, manifest, &path, out);
            }
            _ => {}
        }
    }
}

/// Collects the items that would be kept. A list without a merge key is replaced entirely, so none of its items is
/// kept.
fn collect_items(field: Option<&StructField>, live: &[Json], manifest: &[Json], path: &str, out: &mut Vec<String>) {
    let Some((field, key)) = field.and_then(|field| Some((field, field.merge_key?))) else {
        return;
    };
    let places = KeyIndex::new(key, manifest);
    for item in live {
        let path = match item.get(key) {
            Some(Json::String(name)) => format!("{path}[{name}]"),
            name => format!("{path}[{}]", name.unwrap_or(&Json::Null)),
        };
        match places.get(item).and_then(|place| manifest.get(place)) {
            None => out.push(path),
            Some(manifest) if !field.retain_keys => collect(field.kind.shape(), item, manifest, &path, out),
            Some(_) => {}
        }
    }
}
