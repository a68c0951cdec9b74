//! The numbers of lines in configurations of which something is left out.

use std::fmt::Write;

use super::chunks::Language;

/// What is left out of two configurations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::diff) struct LeftOut {
    language: Language,
    /// Number of lines that each stand-in replaces.
    pub(super) before: Vec<usize>,
    pub(super) after: Vec<usize>,
}

impl LeftOut {
    pub(super) fn new(language: Language) -> Self {
        Self {
            language,
            ..Self::default()
        }
    }

    /// Whether that is nothing.
    pub(in crate::diff) fn is_empty(&self) -> bool {
        self.before.is_empty() && self.after.is_empty()
    }

    /// Whether each line in the place of others is still in the texts: one that was masked is not.
    pub(in crate::diff) fn has_all_lines(&self, before: &str, after: &str) -> bool {
        let has_all = |left_out: &[usize], text: &str| left_out.is_empty() || self.places(text).len() == left_out.len();
        has_all(&self.before, before) && has_all(&self.after, after)
    }

    /// The numbers of the lines in a text that replace others.
    fn places(&self, text: &str) -> Vec<usize> {
        let lines = text.lines().enumerate();
        let placeholders = lines.filter(|(_, line)| self.language.is_placeholder(line));
        placeholders.map(|(number, _)| number + 1).collect()
    }

    /// A unified diff with the numbers that lines have in the whole texts.
    pub(in crate::diff) fn renumbered(&self, diff: String, before: &str, after: &str) -> String {
        if self.is_empty() {
            return diff;
        }
        let (before, after) = (self.places(before), self.places(after));
        let mut out = String::with_capacity(diff.len() + 64);
        for line in diff.split_inclusive('\n') {
            let ranges = line
                .strip_prefix("@@ -")
                .and_then(|rest| rest.split_once(" @@")?.0.split_once(" +"));
            match ranges {
                Some((old, new)) => {
                    let (old, new) = (moved(old, &before, &self.before), moved(new, &after, &self.after));
                    // Writing to a string cannot fail.
                    let _ = writeln!(out, "@@ -{old} +{new} @@");
                }
                None => out.push_str(line),
            }
        }
        out
    }
}

/// A range of a header, with the lines that are left out in front of it.
fn moved(range: &str, places: &[usize], left_out: &[usize]) -> String {
    let (start, length) = range
        .split_once(',')
        .map_or((range, None), |(start, length)| (start, Some(length)));
    let start: usize = start.parse().unwrap_or_default();
    // An empty range is behind its line.
    let end = if length == Some("0") { start + 1 } else { start };
    let in_front = places.iter().zip(left_out).take_while(|(place, _)| **place < end);
    let start = start + in_front.map(|(_, lines)| lines.saturating_sub(1)).sum::<usize>();
    length.map_or_else(|| start.to_string(), |length| format!("{start},{length}"))
}
