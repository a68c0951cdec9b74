//! Values of Secrets that a build copied to other objects.

use std::collections::BTreeMap;
use std::fmt;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

/// Values of Secrets that a build can have copied to other objects.
#[derive(Clone)]
pub struct CopiedValues {
    /// The key of each value.
    keys: Vec<String>,
    search: AhoCorasick,
}

impl fmt::Debug for CopiedValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CopiedValues").field("keys", &self.keys).finish_non_exhaustive()
    }
}

impl CopiedValues {
    /// `keys` contains the key of each value. Returns `None` if there are no values.
    pub fn new(keys: BTreeMap<String, String>) -> Option<Self> {
        // This kind needs the least memory.
        let kind = Some(AhoCorasickKind::NoncontiguousNFA);
        let search = AhoCorasick::builder().kind(kind).match_kind(MatchKind::LeftmostLongest).build(keys.keys());
        let search = search.ok().filter(|_| !keys.is_empty())?;
        Some(Self { keys: keys.into_values().collect(), search })
    }

    /// Replaces the values in text. `by` gets the key of a value. Returns `None` if the text contains no value.
    pub fn replaced(&self, text: &str, by: impl Fn(&str) -> String) -> Option<String> {
        let is_found = self.search.is_match(text);
        is_found.then(|| {
            let mut replaced = String::with_capacity(text.len());
            self.search.replace_all_with(text, &mut replaced, |found, _, replaced| {
                let key = self.keys.get(found.pattern().as_usize());
                replaced.push_str(&by(key.map_or("", String::as_str)));
                true
            });
            replaced
        })
    }
}

/// Replaces copied values in text with `mask`. Returns `None` if the text contains none.
pub fn hide_copied<'v>(copied: impl Iterator<Item = &'v CopiedValues>, text: &str, mask: &str) -> Option<String> {
    copied.fold(None, |hidden: Option<String>, values| {
        values.replaced(hidden.as_deref().unwrap_or(text), |_| mask.to_owned()).or(hidden)
    })
}
