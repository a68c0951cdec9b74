//! Object-by-object comparison of rendered objects with committed or exported objects. It performs no I/O.

mod action;
mod apply;
mod change;
mod configuration;
mod defaults;
mod file;
mod history;
mod masked;
mod normal;
mod operator;
mod options;
mod plan;
mod secret;
mod server;
mod state;
#[cfg(test)]
mod tests;
mod unified;
mod unmanaged;

pub use action::ApplyAction;
pub use change::{ObjectChange, Summary};
pub use configuration::{ChangedPart, ConfigurationChange};
pub use file::{show_file, show_source};
pub use operator::operator_version;
pub use options::{DiffOptions, MAX_JOBS};
pub use plan::{ObjectPlan, code};
pub use state::{ObjectState, read};
pub use unmanaged::{UnmanagedFields, unmanaged_fields};

use std::collections::BTreeMap;

use serde_json::Value as Json;

use self::state::ObjectContents;
use crate::api::OperatorVersion;
use crate::api::core::shape::GoStruct;
use crate::diagnostic::ObjectKey;
use crate::output::Language;

/// Returns the objects that differ, sorted by kind, namespace and name: those that exist on only one side, and those
/// that the API server would change. Values that the server sets itself are ignored. Each object is compared only when
/// the iterator reaches it.
pub fn diff<'s>(
    before: Vec<ObjectState<'s>>,
    after: Vec<ObjectState<'s>>,
    options: DiffOptions,
) -> impl Iterator<Item = ObjectChange> {
    let mut pairs: BTreeMap<ObjectKey, (Option<ObjectContents<'s>>, Option<ObjectContents<'s>>)> = BTreeMap::new();
    for state in before {
        pairs.entry(state.key).or_default().0 = Some(state.manifest);
    }
    for state in after {
        pairs.entry(state.key).or_default().1 = Some(state.manifest);
    }
    let json = |manifest: Option<ObjectContents<'s>>| manifest.map(ObjectContents::to_json);
    pairs.into_iter().filter_map(move |(key, (before, after))| {
        let masked = after.and_then(ObjectContents::masked_configuration);
        match (json(before), json(after)) {
            (Some(before), Some(after)) => compare(key, before, after, masked, options),
            (before, after) => {
                let stripped = |json| server::strip_server_fields(json, options.owner_references);
                ObjectChange::compare(key, before.map(stripped), after.map(stripped), masked, options)
            }
        }
    })
}

/// Returns the change that would be caused by applying `manifest`, or `None` if nothing would change.
fn compare(
    key: ObjectKey,
    mut before: Json,
    mut manifest: Json,
    masked: Option<(Language, &[u8])>,
    options: DiffOptions,
) -> Option<ObjectChange> {
    if key.kind == "Endpoints" && options.operator < OperatorVersion::WITH_SORTED_ENDPOINTS {
        operator::sort_addresses(&mut before);
        operator::sort_addresses(&mut manifest);
    }
    let shape = GoStruct::find_object(&key.kind);
    let owners = manifest.pointer("/metadata/ownerReferences").cloned();
    let mut after = apply::apply(shape, &before, manifest);
    // Unlike `kubectl apply`, the comparison does not merge owners.
    if let (true, Some(Json::Object(metadata))) = (options.owner_references, after.get_mut("metadata")) {
        metadata.insert("ownerReferences".to_owned(), owners.unwrap_or_default());
    }
    let mut before = server::strip_server_fields(before, options.owner_references);
    let mut after = server::strip_server_fields(after, options.owner_references);
    if let Some(shape) = shape {
        normal::normalize(shape, &mut before, &mut after);
    }
    ObjectChange::compare(key, Some(before), Some(after), masked, options)
}
