//! Rendered objects against what is committed or was exported, object by object. Nothing here reads or writes.

mod change;
mod defaults;
mod diagnostics;
mod file;
mod identity;
mod plain;
mod recreate;
mod secret;
mod sensitive;
mod server;
mod state;
#[cfg(test)]
mod tests;

pub(crate) use crate::diagnostic::sensitive::tells_a_secret as shows_a_secret;
pub use change::{Action, Change, Summary};
pub use file::unified_file;
pub(crate) use sensitive::is_secret as is_secret_key;
pub use sensitive::{SAME as MASK, mask_with};
pub use state::{Key, State, read};

use std::collections::BTreeMap;

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
    let changes = pairs.into_iter().filter_map(|(key, (before, after))| {
        let mut before = before.map(|state| server::stripped(state.json, options.owner_references));
        let after = after.map(|state| server::stripped(state.json, options.owner_references));
        if let (Some(before), Some(after)) = (&mut before, &after) {
            defaults::remove(&key.kind, before, after);
        }
        Change::of(key, before, after, options)
    });
    changes.collect()
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
