//! Directories or files that contain the same resources, such as one chart rendered with different values. All
//! duplicates between them are treated as one mistake.

use std::collections::BTreeSet;
use std::path::Path;

use crate::diagnostic::listed::format_list;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::source::{Sources, Span};

/// Minimum number of duplicates for directories or files to be considered copies.
const MIN_DUPLICATES: usize = 3;

/// Rewords findings about resources that are defined in several directories or files, so that they are treated as one
/// mistake. Identical definitions in different directories cause only notes, because the directories probably belong to
/// different clusters.
pub fn gather_copies(sources: &Sources, diagnostics: &mut [Diagnostic]) {
    let directory = |span: Span| sources.directory(span.source);
    let is_duplicate = |finding: &&mut Diagnostic| finding.code == Code::DuplicateResource;
    for finding in diagnostics.iter_mut().filter(is_duplicate) {
        if let [second, first, ..] = finding.labels.as_slice()
            && directory(first.span) == directory(second.span)
        {
            finding.severity = Severity::Error;
        }
    }
    let copied_directories = |finding: &Diagnostic| {
        let [second, first, ..] = finding.labels.as_slice() else {
            return None;
        };
        let path = |span: Span| sources.get(span.source).map(|source| Path::new(source.name.as_str()));
        let is_mistake = finding.code == Code::DuplicateResource && finding.severity > Severity::Note;
        (is_mistake && finding.cause.is_none())
            .then(|| differing_directories(path(first.span)?, path(second.span)?))
            .flatten()
    };
    let mut copies: Vec<(BTreeSet<String>, usize)> = Vec::new();
    for (first, second) in diagnostics.iter().filter_map(copied_directories) {
        let is_known = |(directories, _): &mut (BTreeSet<String>, usize)| {
            directories.contains(&first) || directories.contains(&second)
        };
        let overlapping_copies: Vec<_> = copies.extract_if(.., is_known).collect();
        let mut merged_copy = (BTreeSet::from([first, second]), 1);
        for (directories, count) in overlapping_copies {
            merged_copy.0.extend(directories);
            merged_copy.1 += count;
        }
        copies.push(merged_copy);
    }
    copies.retain(|(_, count)| *count >= MIN_DUPLICATES);
    for finding in diagnostics {
        let first = copied_directories(finding).map(|(first, _)| first);
        let copies = first.and_then(|first| copies.iter().find(|(directories, _)| directories.contains(&first)));
        if let Some((directories, count)) = copies {
            let directory_list = format_list(4, directories.iter());
            finding.message = format!("{directory_list} define the same {count} resources");
            finding.help = Some("check only one of these paths at a time, or remove the copies".to_owned());
            finding.cause = Some(format!("copies in {directory_list}"));
        }
    }
}

/// Turns errors for duplicates in files that were found in directories into warnings if the files are alternatives:
/// they are in different directories, or they share several resources.
pub fn downgrade_alternatives(sources: &Sources, diagnostics: &mut [Diagnostic]) {
    let is_alternative = |finding: &&mut Diagnostic| {
        let [second, first, ..] = finding.labels.as_slice() else {
            return false;
        };
        let is_discovered = |span: Span| sources.get(span.source).is_some_and(|source| !source.is_explicit);
        let directory = |span: Span| sources.directory(span.source);
        let are_separate = directory(first.span) != directory(second.span) || finding.cause.is_some();
        let is_duplicate = matches!(finding.code, Code::DuplicateResource | Code::DuplicateGroupVersion);
        is_duplicate && is_discovered(first.span) && is_discovered(second.span) && are_separate
    };
    for finding in diagnostics.iter_mut().filter(is_alternative) {
        finding.severity = finding.severity.min(Severity::Warning);
    }
}

/// Returns the two directories in which the files have the same relative path or, if there are none, the directories
/// that contain them. If both files are in the same directory, returns the files themselves.
fn differing_directories(first: &Path, second: &Path) -> Option<(String, String)> {
    let (mut a, mut b) = (first.parent()?, second.parent()?);
    if a == b {
        (a, b) = (first, second);
    }
    while a != b && a.file_name().is_some() && a.file_name() == b.file_name() {
        (a, b) = (a.parent()?, b.parent()?);
    }
    (a != b).then(|| (display_directory(a), display_directory(b)))
}

fn display_directory(directory: &Path) -> String {
    match directory.to_string_lossy() {
        empty if empty.is_empty() => ".".to_owned(),
        folder => folder.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merges_findings_from_three_or_more_copies() {
        let mut sources = Sources::default();
        let names = ["a/x.yaml", "b/x.yaml", "c/x.yaml", "d/y.yaml", "e/y.yaml"];
        let ids = names.map(|name| sources.add(crate::source::Source::new(name, "", true)));
        let duplicate = |first: usize, second: usize| {
            let span = |file: usize| Span::new(ids[file], 0, 0);
            Diagnostic::new(Code::DuplicateResource, "m").label(span(second), "").label(span(first), "")
        };
        let messages = |mut findings: Vec<Diagnostic>| {
            gather_copies(&sources, &mut findings);
            findings.into_iter().map(|finding| finding.message).collect::<Vec<_>>()
        };
        let expected_message = |count| format!("`a`, `b` and `c` define the same {count} resources");
        let (first_duplicate, second_duplicate) = (duplicate(0, 1), duplicate(1, 2));
        let separate_duplicate = duplicate(3, 4);
        assert_eq!(
            messages(vec![first_duplicate.clone(), second_duplicate.clone(), separate_duplicate.clone()]),
            ["m", "m", "m"]
        );
        assert_eq!(
            messages(vec![
                first_duplicate.clone(),
                separate_duplicate.clone(),
                first_duplicate.clone(),
                second_duplicate.clone()
            ]),
            [expected_message(3), "m".to_owned(), expected_message(3), expected_message(3)]
        );
        // Findings with a cause, a different code or a single location are unrelated.
        let duplicate_with_cause = first_duplicate.clone().cause("c");
        let single_label = Diagnostic::new(Code::DuplicateResource, "m").label(Span::new(ids[0], 0, 0), "");
        let other_code = Diagnostic { code: Code::DuplicateKey, ..first_duplicate.clone() };
        assert_eq!(
            messages(vec![first_duplicate.clone(), first_duplicate, duplicate_with_cause, single_label, other_code]),
            ["m"; 5]
        );
    }

    #[test]
    fn finds_directories_with_copies() {
        for (first, second, expected) in [
            ("a/x.yaml", "b/x.yaml", Some(("a", "b"))),
            ("r/a/t/x.yaml", "r/b/t/x.yaml", Some(("r/a", "r/b"))),
            ("x.yaml", "b/x.yaml", Some((".", "b"))),
            ("a/x.yaml", "a/y.yaml", Some(("a/x.yaml", "a/y.yaml"))),
            ("a/x.yaml", "a/x.yaml", None),
        ] {
            let directories = differing_directories(Path::new(first), Path::new(second));
            let expected = expected.map(|(a, b)| (a.to_owned(), b.to_owned()));
            assert_eq!(directories, expected, "{first} {second}");
        }
    }
}
