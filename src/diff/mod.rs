//! Rendered objects against what is committed or was exported, object by object. Nothing here reads or writes.

mod apply;
mod change;
mod defaults;
mod diagnostics;
mod file;
mod history;
mod identity;
mod kept;
mod managed_fields;
mod normal;
mod plain;
mod pull_policy;
mod recreate;
mod secret;
mod sensitive;
mod server;
mod state;
#[cfg(test)]
mod tests;

pub use change::{Action, Change, Summary};
pub use file::show_file;
pub use kept::{Kept, kept};
pub(crate) use sensitive::is_secret as is_secret_key;
pub use sensitive::{SAME as MASK, mask_with};
pub use state::{Key, State, read};

use std::collections::BTreeMap;

use serde_json::Value as Json;

use crate::api::core::objects;

/// What counts, and what is shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Whether `ownerReferences` are compared.
    pub owner_references: bool,
    /// Whether secret values are shown.
    pub show_secrets: bool,
}

/// What differs, by kind, namespace and name: objects on one side only, and those that the API server would change. What
/// the server itself fills in does not count.
pub fn diff(before: Vec<State>, after: Vec<State>, options: Options) -> Vec<Change> {
    let mut pairs: BTreeMap<Key, (Option<State>, Option<State>)> = BTreeMap::new();
    for state in before {
        let key = state.key.clone();
        pairs.entry(key).or_default().0 = Some(state);
    }
    for state in after {
        let key = state.key.clone();
        pairs.entry(key).or_default().1 = Some(state);
    }
    let changes = pairs.into_iter().filter_map(|(key, pair)| match pair {
        (Some(before), Some(after)) => compare(key, before.json, after.json, options),
        (before, after) => {
            let stripped = |state: State| server::stripped(state.json, options.owner_references);
            Change::of(key, before.map(stripped), after.map(stripped), options)
        }
    });
    changes.collect()
}

/// What applying `manifest` would change.
fn compare(key: Key, before: Json, manifest: Json, options: Options) -> Option<Change> {
    let shape = objects::shape(&key.kind);
    let owners = manifest.pointer("/metadata/ownerReferences").cloned();
    let mut after = apply::applied(shape, &before, manifest);
    if options.owner_references {
        set_owners(&mut after, owners);
    }
    let mut before = server::stripped(before, options.owner_references);
    let mut after = server::stripped(after, options.owner_references);
    if let Some(shape) = shape {
        normal::normalize(shape, &mut before, &mut after);
    }
    Change::of(key, Some(before), Some(after), options)
}

/// Owners are compared exactly where they are compared at all, whatever applying would keep.
fn set_owners(object: &mut Json, owners: Option<Json>) {
    if let Some(metadata) = object.get_mut("metadata").and_then(Json::as_object_mut) {
        metadata.insert("ownerReferences".to_owned(), owners.unwrap_or_default());
    }
}

/// What differs between two states of a file with one object, every field counted.
fn diff_exact(before: Option<State>, after: Option<State>, options: Options) -> Option<Change> {
    let key = after.as_ref().or(before.as_ref()).map(|state| state.key.clone())?;
    Change::of(
        key,
        before.map(|state| state.json),
        after.map(|state| state.json),
        options,
    )
}
