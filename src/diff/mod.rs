//! Rendered objects against what is committed or was exported, object by object. Nothing here reads or writes.

mod apply;
mod change;
mod configuration;
mod defaults;
mod file;
mod history;
mod kept;
mod masked;
mod normal;
mod operator;
mod options;
mod secret;
mod server;
mod state;
#[cfg(test)]
mod tests;
mod unified;

pub use change::{Action, Change, Summary};
pub use file::{show_file, show_source};
pub use kept::{Kept, kept};
pub use operator::operator;
pub use options::{MAX_JOBS, Options};
pub use state::{State, read};

use std::collections::BTreeMap;

use serde_json::Value as Json;

use self::state::Manifest;
use crate::api::core::shape::GoStruct;
use crate::diagnostic::ObjectKey;
use crate::operator::OperatorVersion;
use crate::output::Language;

/// What differs, by kind, namespace and name: objects on one side only, and those that the API server would change. What
/// the server itself fills in does not count. Each is compared when the iterator comes to it.
pub fn diff<'s>(before: Vec<State<'s>>, after: Vec<State<'s>>, options: Options) -> impl Iterator<Item = Change> {
    let mut pairs: BTreeMap<ObjectKey, (Option<Manifest<'s>>, Option<Manifest<'s>>)> = BTreeMap::new();
    for state in before {
        pairs.entry(state.key).or_default().0 = Some(state.manifest);
    }
    for state in after {
        pairs.entry(state.key).or_default().1 = Some(state.manifest);
    }
    let json = |manifest: Option<Manifest<'s>>| manifest.map(Manifest::to_json);
    pairs.into_iter().filter_map(move |(key, (before, after))| {
        let masked = after.and_then(Manifest::masked);
        match (json(before), json(after)) {
            (Some(before), Some(after)) => compare(key, before, after, masked, options),
            (before, after) => {
                let stripped = |json| server::stripped(json, options.owner_references);
                Change::of(key, before.map(stripped), after.map(stripped), masked, options)
            }
        }
    })
}

/// What applying `manifest` would change.
fn compare(
    key: ObjectKey,
    mut before: Json,
    mut manifest: Json,
    masked: Option<(Language, &[u8])>,
    options: Options,
) -> Option<Change> {
    if key.kind == "Endpoints" && options.operator < OperatorVersion::SORTED_ENDPOINTS {
        operator::sort_addresses(&mut before);
        operator::sort_addresses(&mut manifest);
    }
    let shape = GoStruct::of_object(&key.kind);
    let owners = manifest.pointer("/metadata/ownerReferences").cloned();
    let mut after = apply::applied(shape, &before, manifest);
    // Owners are compared exactly where they are compared at all, whatever applying would keep.
    if let (true, Some(Json::Object(metadata))) = (options.owner_references, after.get_mut("metadata")) {
        metadata.insert("ownerReferences".to_owned(), owners.unwrap_or_default());
    }
    let mut before = server::stripped(before, options.owner_references);
    let mut after = server::stripped(after, options.owner_references);
    if let Some(shape) = shape {
        normal::normalize(shape, &mut before, &mut after);
    }
    Change::of(key, Some(before), Some(after), masked, options)
}
