//! Folders or files with the same resources, such as the renders of one chart with several values: one mistake, not one a resource.

use std::collections::BTreeSet;
use std::path::Path;

use crate::diagnostic::listed::first_of;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Sources, Span};

/// The fewest resources that count as copies.
const SEVERAL: usize = 3;

/// Gives resources that are defined in several folders or files one finding, which names these.
pub fn gather_copies(sources: &Sources, diagnostics: &mut [Diagnostic]) {
    let folders = |found: &Diagnostic| {
        let [second, first, ..] = found.labels.as_slice() else {
            return None;
        };
        let path = |span: Span| sources.get(span.source).map(|source| Path::new(source.name.as_str()));
        let is_duplicate = found.code == Code::DuplicateResource && found.cause.is_none();
        is_duplicate
            .then(|| roots(path(first.span)?, path(second.span)?))
            .flatten()
    };
    let mut copies: Vec<(BTreeSet<String>, usize)> = Vec::new();
    for (first, second) in diagnostics.iter().filter_map(folders) {
        let is_known = |(named, _): &mut (BTreeSet<String>, usize)| named.contains(&first) || named.contains(&second);
        let known: Vec<_> = copies.extract_if(.., is_known).collect();
        let mut joined = (BTreeSet::from([first, second]), 1);
        for (named, count) in known {
            joined.0.extend(named);
            joined.1 += count;
        }
        copies.push(joined);
    }
    copies.retain(|(_, count)| *count >= SEVERAL);
    for found in diagnostics {
        let first = folders(found).map(|(first, _)| first);
        let copies = first.and_then(|first| copies.iter().find(|(named, _)| named.contains(&first)));
        if let Some((named, count)) = copies {
            let named = first_of(4, named.iter());
            found.message = format!("the same resources are defined in {named}: {count} of them");
            found.help = Some("check one of these at a time, or leave the copies out".to_owned());
            found.cause = Some(format!("copies in {named}"));
        }
    }
}

/// The folders below which two files have the same path, or that they are in; of one folder, the files themselves.
fn roots(first: &Path, second: &Path) -> Option<(String, String)> {
    let (mut a, mut b) = (first.parent()?, second.parent()?);
    if a == b {
        (a, b) = (first, second);
    }
    while a != b && a.file_name().is_some() && a.file_name() == b.file_name() {
        (a, b) = (a.parent()?, b.parent()?);
    }
    (a != b).then(|| (shown(a), shown(b)))
}

fn shown(folder: &Path) -> String {
    match folder.to_string_lossy() {
        empty if empty.is_empty() => ".".to_owned(),
        folder => folder.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_of_copies() {
        for (first, second, expected) in [
            ("a/x.yaml", "b/x.yaml", Some(("a", "b"))),
            ("r/a/t/x.yaml", "r/b/t/x.yaml", Some(("r/a", "r/b"))),
            ("x.yaml", "b/x.yaml", Some((".", "b"))),
            ("a/x.yaml", "a/y.yaml", Some(("a/x.yaml", "a/y.yaml"))),
            ("a/x.yaml", "a/x.yaml", None),
        ] {
            let found = roots(Path::new(first), Path::new(second));
            let expected = expected.map(|(a, b)| (a.to_owned(), b.to_owned()));
            assert_eq!(found, expected, "{first} {second}");
        }
    }
}
