//! The keys that the formats show of an entry.

use super::model::{Edge, Tree};

/// The keys of a Secret or ConfigMap that an edge is about: `[password, user (missing)]`; empty where it is about none.
pub fn keys(edge: &Edge<'_>) -> String {
    let keys: Vec<_> = (edge.keys().into_iter())
        .map(|(key, is_missing)| format!("{key}{}", if is_missing { " (missing)" } else { "" }))
        .collect();
    match keys.is_empty() {
        true => String::new(),
        false => format!("[{}]", keys.join(", ")),
    }
}

/// All keys of an entry that anything in the tree refers to, for formats that show an entry once; by entry.
pub fn all_keys<'d>(tree: &Tree<'d>) -> Vec<Vec<(&'d str, bool)>> {
    let mut keys = vec![Vec::new(); tree.iter().len()];
    for edge in tree.iter().flat_map(|(_, entry)| &entry.edges) {
        if let Some(keys) = keys.get_mut(edge.to.0) {
            keys.extend(edge.keys());
        }
    }
    for keys in &mut keys {
        keys.sort_unstable();
        keys.dedup();
    }
    keys
}
