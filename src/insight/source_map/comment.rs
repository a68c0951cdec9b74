//! The map as comments in the configuration.

use std::collections::BTreeMap;

use super::SourceMap;
use super::entry::Entry;
use crate::printable::printable;

impl SourceMap<'_> {
    /// A text of the configuration with a comment in front of each part, on a line of its own and as far indented: where the
    /// part comes from. In a list, a comment holds for the items behind it too, up to the next one.
    ///
    /// The text is one of [`SourceMap::text`]; what a YAML parser reads from it stays the same.
    pub fn commented(&self, text: &str) -> String {
        let comments = self.comments();
        let mut out = String::with_capacity(text.len() * 2);
        for (number, line) in (1..).zip(text.split_inclusive('\n')) {
            for entry in comments.get(&number).into_iter().flatten() {
                out.extend(std::iter::repeat_n(' ', entry.indent));
                out.push_str("# ");
                out.push_str(&printable(&entry.source.to_string()));
                out.push('\n');
            }
            out.push_str(line);
        }
        out
    }

    /// The entries to be written, by line, those around others in front.
    fn comments(&self) -> BTreeMap<u32, Vec<&Entry<'_>>> {
        let mut comments: BTreeMap<u32, Vec<&Entry<'_>>> = BTreeMap::new();
        let mut in_lists: BTreeMap<usize, &Entry<'_>> = BTreeMap::new();
        for entry in self.entries.iter().filter(|entry| entry.is_made) {
            if let Some((list, true)) = entry.parent {
                let before = in_lists.insert(list, entry);
                if before.is_some_and(|before| before.source == entry.source) {
                    continue;
                }
            }
            comments.entry(entry.config.line).or_default().push(entry);
        }
        comments
    }
}
