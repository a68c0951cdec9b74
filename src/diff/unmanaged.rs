//! Fields of live objects that are not rendered but survive when the manifests are applied.

use serde_json::Value as Json;

use super::history::{self, History};
use super::{ObjectState, apply, normal, server};
use crate::api::core::shape::{FieldType, GoStruct, StructField};
use crate::api::core::strategic_merge::{key_value, match_items};
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
    let json = live.manifest.to_json();
    let is_unknown = matches!(history::read_history(&json), History::Managed);
    let shape = GoStruct::find_object(&live.key.kind).filter(|_| is_unknown)?;
    let manifest = manifest.manifest.to_json();
    let mut after = apply::apply(Some(shape), &json, manifest.clone());
    if history::is_server_side_applied(&json) {
        history::keep_created(&mut after);
    }
    let mut after = server::strip_server_fields(after, false);
    let mut manifest = server::strip_server_fields(manifest, false);
    normal::normalize(shape, &mut after, &mut manifest);
    let mut fields = Vec::new();
    collect(Some(shape), &after, &manifest, "", &mut fields);
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
    let Some(field) = field.filter(|field| field.merge_key.is_some()) else {
        return;
    };
    let keys = field.list_map_keys;
    for (item, index) in live.iter().zip(match_items(keys, live, manifest)) {
        let values = keys.iter().map(|key| match key_value(key, item) {
            Some(Json::String(name)) => name,
            value => value.unwrap_or_default().to_string(),
        });
        let path = format!("{path}[{}]", values.collect::<Vec<_>>().join(", "));
        match index.and_then(|index| manifest.get(index)) {
            None => out.push(path),
            Some(manifest) if !field.retain_keys => collect(field.kind.shape(), item, manifest, &path, out),
            Some(_) => {}
        }
    }
}
