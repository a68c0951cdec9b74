//! Locations in the repository or in its objects that cause GitOps builds to fail.

use super::tree::RepositoryTree;
use crate::source::{BYTE_ORDER_MARK, Source, Sources, Span};
use crate::yaml::{Document, Limits, Node, read_value};

/// Location that causes a mistake.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cause {
    /// Part of a file in the repository.
    File { file: String, start: usize, end: usize },
    /// Field of an object, identified by its path of keys, or a part of the field's value. The object is identified as
    /// `KIND/NAMESPACE/NAME`.
    Field { object: String, keys: Vec<String>, part: Option<String> },
}

impl Cause {
    /// Creates a cause from a span in a file.
    pub fn from_span(file: &str, span: Span) -> Self {
        Self::File { file: file.to_owned(), start: span.start as usize, end: span.end as usize }
    }

    /// Creates a cause from an object's field.
    pub fn from_field(object: impl ToString, keys: &[&str]) -> Self {
        let keys = keys.iter().map(|key| (*key).to_owned()).collect();
        Self::Field { object: object.to_string(), keys, part: None }
    }

    /// Returns the first occurrence of a string in a file. Occurrences in comments or within longer paths are used only
    /// if there are no other occurrences.
    pub fn first_occurrence(tree: &RepositoryTree, file: &str, text: &str) -> Option<Self> {
        let contents = tree.text(file)?;
        let contents = contents.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&contents);
        let before = |at: usize| contents.get(..at).unwrap_or_default();
        let is_comment = |at: usize| before(at).rsplit('\n').next().is_some_and(|line| line.contains('#'));
        let is_whole_path = |at: usize| {
            let is_path_char = |c: char| c.is_alphanumeric() || "./_-".contains(c);
            let after = contents.get(at + text.len()..).unwrap_or_default();
            before(at).ends_with(is_path_char) || after.starts_with(is_path_char)
        };
        let occurrences = contents.match_indices(text).map(|(at, _)| at).take(MAX_OCCURRENCES);
        let start = occurrences.min_by_key(|at| (is_comment(*at), is_whole_path(*at)))?;
        Some(Self::File { file: file.to_owned(), start, end: start + text.len() })
    }
}

/// Maximum number of occurrences of a string to compare.
const MAX_OCCURRENCES: usize = 1_000;

/// Returns the location of the first document in a file that lacks a kind or a name: the document's `kind` or
/// `metadata` key, or else its start.
pub fn incomplete_object(file: &str, text: &str) -> Option<Cause> {
    let mut sources = Sources::default();
    let id = sources.add(Source::new(file, text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text), false));
    let documents = read_value(id, &sources.get(id)?.text, &Limits::default()).output;
    let mut roots = documents.iter().map(Document::root).filter(|root| !root.is_null());
    let is_list = |root: &Node<'_>| string(*root, &["kind"]).is_some_and(|kind| kind.ends_with("List"));
    let is_complete = |root: &Node<'_>| is_list(root) || ["kind", "name"].iter().all(|key| has_field(*root, key));
    let root = roots.find(|root| !is_complete(root))?;
    let entry = root.entry("kind").filter(|_| !has_field(root, "kind")).or_else(|| root.entry("metadata"));
    let first = || root.entries().next().map(|entry| entry.key_span);
    let span = entry.map(|entry| entry.key_span).or_else(first).unwrap_or_else(|| root.span());
    Some(Cause::from_span(file, span))
}

/// Whether an object has a kind (if `key` is `kind`) or a name (if `key` is `name`).
fn has_field(root: Node<'_>, key: &str) -> bool {
    let path: &[&str] = if key == "name" { &["metadata", "name"] } else { &["kind"] };
    let node = path.iter().try_fold(root, |node, key| node.get(key));
    node.is_some_and(|node| !node.is_null() && node.as_str() != Some(""))
}

/// Returns the string at a path of keys, or `None` if the path does not lead to a string.
pub fn string<'d>(root: Node<'d>, path: &[&str]) -> Option<&'d str> {
    path.iter().try_fold(root, |node, key| node.get(key))?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_first_incomplete_object() {
        for (text, expected) in [
            ("kind: A\nmetadata: {name: a}\n", None),
            ("kind: AList\nitems: []\n", None),
            ("# nothing\n", None),
            ("kind: A\nmetadata: {}\n", Some((8, "metadata"))),
            ("kind:\nmetadata: {name: a}\n", Some((0, "kind"))),
            ("metadata: {name: a}\n", Some((0, "metadata"))),
            ("a: 1\n", Some((0, "a"))),
            ("kind: A\nmetadata: {name: a}\n---\nkind: B\n", Some((32, "kind"))),
        ] {
            let actual = incomplete_object("a.yaml", text).map(|cause| match cause {
                Cause::File { start, end, .. } => (start, text.get(start..end).unwrap_or_default()),
                other => panic!("{other:?}"),
            });
            assert_eq!(actual, expected, "{text:?}");
        }
    }

    #[test]
    fn prefers_whole_paths_outside_comments() {
        let directory = tempfile::tempdir().unwrap();
        for (text, expected) in [
            ("- x/base\n- base\n", 11),
            ("- base/x\n- base\n", 11),
            ("# base\n- base\n", 9),
            ("# base\n- base/x\n", 9),
            ("# base\n", 2),
        ] {
            std::fs::write(directory.path().join("a.yaml"), text).unwrap();
            let tree = RepositoryTree::read(directory.path(), &crate::gitops::tree::TreeLimits::default()).unwrap();
            let actual = Cause::first_occurrence(&tree, "a.yaml", "base");
            assert!(matches!(actual, Some(Cause::File { start, .. }) if start == expected), "{text:?}: {actual:?}");
        }
    }
}
