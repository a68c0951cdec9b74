//! Test files: objects that a test compares with the cluster, and data that only tests read.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use super::document::AdmittedDocument;
use crate::diagnostic::listed::format_list;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::go::path::clean;
use crate::source::{SourceId, Sources};
use crate::yaml::Node;

/// Maximum number of skipped files to name in the finding.
const MAX_NAMES: usize = 3;

/// Directories whose files are not deployed.
const TEST_DIRECTORIES: [&str; 3] = ["testdata", "tests", "e2e"];

/// Skips and reports the objects that Chainsaw and kuttl tests compare with the cluster, because these objects are
/// incomplete, and the objects that Kyverno CLI tests read. Explicitly named files and files outside the test's
/// directory are not skipped.
pub fn skip_comparisons(sources: &Sources, documents: &mut [AdmittedDocument<'_>], diagnostics: &mut Vec<Diagnostic>) {
    let expectation_sources = expectation_files(sources, documents);
    if !expectation_sources.is_empty() {
        let is_compared =
            |document: &&mut AdmittedDocument<'_>| expectation_sources.contains(&document.document().source());
        documents.iter_mut().filter(is_compared).for_each(AdmittedDocument::skip);
        diagnostics
            .retain(|finding| finding.primary().is_none_or(|label| !expectation_sources.contains(&label.span.source)));
        let names: Vec<_> = expectation_sources.iter().filter_map(|id| Some(sources.get(*id)?.name.as_str())).collect();
        let message =
            format!("skipped {}: tests only compare objects with these files", format_list(MAX_NAMES, names.iter()));
        diagnostics.push(Diagnostic::new(Code::SkippedFile, message).help("to check a file, pass its name"));
    }
}

/// Turns findings in test directories into notes, unless all files are in such directories.
pub fn downgrade_test_data(sources: &Sources, diagnostics: &mut [Diagnostic]) {
    let is_test = |part: Component<'_>| TEST_DIRECTORIES.iter().any(|name| part.as_os_str() == *name);
    let is_test_data = |name: &str| Path::new(name).components().any(is_test);
    if sources.iter().all(|(_, source)| source.is_explicit || is_test_data(&source.name)) {
        return;
    }
    for finding in diagnostics {
        let source = finding.primary().and_then(|label| sources.get(label.span.source));
        if source.is_some_and(|source| !source.is_explicit && is_test_data(&source.name)) {
            finding.severity = Severity::Note;
        }
    }
}

/// Returns the files that only tests use, either for comparison with the cluster or as input. Explicitly named files
/// are excluded.
fn expectation_files(sources: &Sources, documents: &[AdmittedDocument<'_>]) -> BTreeSet<SourceId> {
    let mut paths = BTreeSet::new();
    for document in documents {
        let root = document.document().root();
        let version = root.text("apiVersion");
        let (group, _) = version.split_once('/').unwrap_or_default();
        let for_each_file = match (root.text("kind"), group) {
            ("Test", "chainsaw.kyverno.io") => for_each_comparison,
            ("Test", "cli.kyverno.io" | "kyverno.io") => for_each_file_name,
            _ => continue,
        };
        let source = sources.get(document.document().source());
        if let Some(directory) = source.and_then(|source| Path::new(&source.name).parent()) {
            let cleaned_directory = clean(&directory.to_string_lossy());
            for_each_file(root, &mut |file| {
                let path = clean(&directory.join(file).to_string_lossy());
                if Path::new(&path).starts_with(&cleaned_directory)
                    || cleaned_directory == "." && !path.starts_with("..")
                {
                    paths.insert(path);
                }
            });
        }
    }
    let discovered_sources = sources.iter().filter(|(_, source)| !source.is_explicit);
    let unnamed_sources = discovered_sources.filter(|(_, source)| {
        is_kuttl_comparison(Path::new(&source.name)) || (!paths.is_empty() && paths.contains(&clean(&source.name)))
    });
    unnamed_sources.map(|(id, _)| id).collect()
}

/// Calls `visit` for each file that an `assert` or `error` operation in a Chainsaw test refers to.
fn for_each_comparison<'d>(node: Node<'d>, visit: &mut dyn FnMut(&'d str)) {
    for entry in node.entries() {
        if matches!(entry.key, "assert" | "error")
            && let Some(file) = entry.value.get("file").and_then(Node::as_str)
        {
            visit(file);
        }
        for_each_comparison(entry.value, visit);
    }
    node.items().for_each(|item| for_each_comparison(item, visit));
}

/// Calls `visit` for each YAML file name in a node.
fn for_each_file_name<'d>(node: Node<'d>, visit: &mut dyn FnMut(&'d str)) {
    if let Some(name) = node.as_str().filter(|name| name.ends_with(".yaml") || name.ends_with(".yml")) {
        visit(name);
    }
    node.entries().for_each(|entry| for_each_file_name(entry.value, visit));
    node.items().for_each(|item| for_each_file_name(item, visit));
}

/// Whether a file contains the assertions for a step in a kuttl test: `00-assert.yaml` or `00-errors.yaml`.
fn is_kuttl_comparison(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    stem.split_once('-').is_some_and(|(step, name)| {
        let is_step = !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit());
        is_step && matches!(name, "assert" | "errors")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TestInput;

    const PART: &str = "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {name: a}\n";

    fn severities(files: &[(&str, &str)], is_explicit: bool) -> Vec<Severity> {
        test_data_findings(files, is_explicit)
            .iter()
            .filter(|finding| !finding.labels.is_empty())
            .map(|finding| finding.severity)
            .collect()
    }

    fn test_data_findings(files: &[(&str, &str)], is_explicit: bool) -> Vec<Diagnostic> {
        let add = |input: TestInput, (name, text): &(&str, &str)| match is_explicit {
            true => input.file(*name, *text),
            false => input.found_file(*name, *text),
        };
        files.iter().fold(TestInput::default().repository(), add).findings()
    }

    #[test]
    fn skips_test_assertion_files() {
        let test = "apiVersion: chainsaw.kyverno.io/v1alpha1\nkind: Test\nmetadata: {name: t}\n\
                    spec: {steps: [{try: [{assert: {file: b/b.yaml}}, {assert: {file: ../other.yaml}}, {apply: {file: c.yaml}}]}]}\n";
        for (name, is_skipped) in [
            ("t/a/00-assert.yaml", true),
            ("t/a/01-errors.yml", true),
            ("t/a/b/b.yaml", true),
            // A test does not hide files outside its directory.
            ("t/other.yaml", false),
            ("t/a/c.yaml", false),
            ("t/a/assert.yaml", false),
            ("t/a/x-assert.yaml", false),
        ] {
            let files = [("t/a/chainsaw-test.yaml", test), (name, PART)];
            let findings = test_data_findings(&files, false);
            let is_reported =
                findings.iter().any(|finding| finding.message.contains(name) && finding.severity == Severity::Warning);
            let has_error = findings.iter().any(|finding| finding.severity == Severity::Error);
            assert_eq!((is_reported, has_error), (is_skipped, !is_skipped), "{name}");
        }
        assert_eq!(severities(&[("00-assert.yaml", PART)], true), [Severity::Error]);
    }

    #[test]
    fn skips_kyverno_test_files() {
        let test = "apiVersion: cli.kyverno.io/v1alpha1\nkind: Test\nmetadata: {name: t}\n\
                    resources: [a.yaml, ../b.yaml]\nresults: [{generatedResource: g/a.yaml}]\n";
        let (older_test, other_test) = (test.replace("cli.", ""), test.replace("cli.", "other."));
        for (test, name, expected) in [
            (test, "t/a/a.yaml", 0),
            (test, "t/a/g/a.yaml", 0),
            (test, "t/b.yaml", 1),
            (test, "t/a/c.yaml", 1),
            (&older_test, "t/a/a.yaml", 0),
            (&other_test, "t/a/a.yaml", 1),
        ] {
            let actual = severities(&[("t/a/kyverno-test.yaml", test), (name, PART)], false);
            assert_eq!(actual, vec![Severity::Error; expected], "{name}");
        }
    }

    #[test]
    fn reports_findings_in_test_data_as_notes() {
        let text = "a: b";
        assert_eq!(severities(&[("x/testdata/a.yaml", PART), ("b.yaml", text)], false), [Severity::Note]);
        assert_eq!(severities(&[("tests/e2e/a.yaml", PART), ("b.yaml", text)], false), [Severity::Note]);
        assert_eq!(severities(&[("x/data/a.yaml", PART), ("b.yaml", text)], false), [Severity::Error]);
        assert_eq!(severities(&[("testdata/a.yaml", PART)], false), [Severity::Error]);
        assert_eq!(severities(&[("testdata/a.yaml", PART), ("b.yaml", text)], true)[0], Severity::Error);
    }
}
