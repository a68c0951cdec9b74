//! Which documents hold Secrets, judged by the text alone: a report must not show their values even where they cannot be
//! read.

use std::collections::HashMap;
use std::ops::Range;

use crate::source::{Source, SourceId};

/// The documents with a Secret of each source that was asked about.
#[derive(Debug, Default)]
pub(super) struct Secrecy(HashMap<SourceId, Vec<Range<usize>>>);

impl Secrecy {
    /// Whether a byte belongs to a document with a Secret.
    pub(super) fn covers(&mut self, id: SourceId, source: &Source, offset: usize) -> bool {
        let documents = self.0.entry(id).or_insert_with(|| secret_documents(&source.text));
        let next = documents.partition_point(|document| document.end <= offset);
        documents.get(next).is_some_and(|document| document.contains(&offset))
    }
}

/// What may be shown of a line of such a document: the key.
pub(super) fn key_of(line: &str) -> &str {
    let end = line.char_indices().find(|&(i, c)| match c {
        '{' | '[' | ',' | '#' => true,
        ':' => line
            .get(i + 1..)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t'])),
        _ => false,
    });
    match end {
        Some((i, ':')) => line.get(..=i).unwrap_or_default(),
        _ => "",
    }
}

/// The byte ranges of the documents; the last one reaches beyond the text, where errors about its end stand.
fn secret_documents(text: &str) -> Vec<Range<usize>> {
    let mut starts: Vec<_> = std::iter::once(0)
        .chain(
            text.match_indices("\n---")
                .map(|(i, _)| i + 1)
                .filter(|&i| is_marker(text, i)),
        )
        .collect();
    starts.push(usize::MAX);
    starts
        .windows(2)
        .filter_map(|pair| match pair {
            &[start, end] => Some(start..end),
            _ => None,
        })
        .filter(|range| {
            text.get(range.start..range.end.min(text.len()))
                .is_some_and(names_a_secret)
        })
        .collect()
}

/// Whether the `---` that stands here begins a document, and not a word such as `---monitoring`.
fn is_marker(text: &str, start: usize) -> bool {
    let rest = text.get(start + 3..).unwrap_or_default();
    rest.is_empty() || rest.starts_with([' ', '\t', '\r', '\n'])
}

/// Whether `kind` is followed by `Secret`, in the notation of YAML or JSON.
fn names_a_secret(document: &str) -> bool {
    document.match_indices("kind").any(|(i, word)| {
        let rest = document.get(i + word.len()..).unwrap_or_default();
        let value = rest.trim_start_matches(['"', '\'', ':', ' ', '\t', '\r', '\n']);
        value
            .strip_prefix("SecretList")
            .or_else(|| value.strip_prefix("Secret"))
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_known_by_their_kind() {
        for (text, expected) in [
            ("kind: Secret", true),
            ("{\"kind\":\"Secret\",", true),
            ("kind: 'Secret'\n", true),
            ("kind: SecretList", true),
            ("kind: SecretStore", false),
            ("kind: ConfigMap\nname: Secret", false),
            ("kind: List\nitems:\n- kind: Secret\n", true),
        ] {
            assert_eq!(names_a_secret(text), expected, "{text}");
        }
    }

    #[test]
    fn only_their_documents_are_covered() {
        let source = Source::new("x", "kind: Probe\n---\nkind: Secret\n--- \nkind: Probe\n", true);
        let id = crate::source::Sources::default().add(Source::new("x", "", true));
        let mut secrecy = Secrecy::default();
        let covered: Vec<_> = [0, 11, 12, 20, 28, 29, 40]
            .into_iter()
            .filter(|&offset| secrecy.covers(id, &source, offset))
            .collect();
        assert_eq!(covered, [12, 20, 28]);
    }

    #[test]
    fn a_line_is_cut_behind_its_key() {
        for (line, expected) in [
            ("  password: hunter2", "  password:"),
            ("stringData:", "stringData:"),
            ("  - name: x", "  - name:"),
            ("data: {password: x}", "data:"),
            ("{\"a\": \"hunter2\"}", ""),
            ("hunter2", ""),
            ("http://hunter2", ""),
        ] {
            assert_eq!(key_of(line), expected, "{line}");
        }
    }

    #[test]
    fn a_document_ends_at_a_marker_and_not_at_a_word() {
        let source = Source::new("x", "kind: Secret\na: b\n---monitoring\nc: d\n---\nkind: Probe\n", true);
        let id = crate::source::Sources::default().add(Source::new("x", "", true));
        let mut secrecy = Secrecy::default();
        let mut covers = |word: &str| secrecy.covers(id, &source, source.text.find(word).unwrap());
        assert!(covers("a: b") && covers("---monitoring") && covers("c: d"));
        assert!(!covers("kind: Probe"));
    }
}
