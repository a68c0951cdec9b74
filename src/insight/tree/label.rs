//! What the formats say of an entry beside its name.

use super::model::{Counts, Edge, Entry, EntryId, State, Tree};

/// Something to know about an entry at its place in the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// It is missing, or nothing is rendered for it.
    Problem(String),
    /// It has no effect at present.
    Idle(String),
    /// Where it comes from, or how many use it.
    Fact(String),
    /// Numbers of resources under it.
    Under(Counts),
}

/// What is to be said of an entry, the most urgent first; `edge` leads to it, below `agent`.
pub fn notes(tree: &Tree<'_>, entry: &Entry<'_>, edge: Option<&Edge<'_>>, agent: Option<EntryId>) -> Vec<Note> {
    let mut notes = Vec::new();
    let is_denied = agent.is_some_and(|agent| edge.is_some_and(|edge| edge.denied_by.contains(&agent)));
    if is_denied {
        notes.push(Note::Problem("left out, it names files".to_owned()));
    }
    match &entry.state {
        State::Present | State::Unselected => {}
        State::Paused => notes.push(Note::Idle("paused".to_owned())),
        State::Missing => notes.push(Note::Problem("missing".to_owned())),
        State::Refused => notes.push(Note::Problem("refused".to_owned())),
        State::Promised(by) => notes.push(Note::Fact(format!("made by {by}"))),
    }
    if entry.is_shared() {
        notes.push(Note::Fact(format!("shared by {}", entry.parents)));
    }
    let under = tree.counts_under(entry).selected();
    if !under.is_empty() {
        notes.push(Note::Under(under));
    }
    notes
}

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
