//! Files of tests: objects that a test compares with the cluster, and data that only tests read.

use std::collections::BTreeSet;
use std::path::Path;

use super::document::AdmittedDocument;
use crate::diagnostic::{Diagnostic, Severity};
use crate::go::path::clean;
use crate::source::{SourceId, Sources};
use crate::yaml::Node;

/// Skips the objects that tests of Chainsaw and kuttl compare with the cluster, because these are only parts of objects.
/// Explicitly named files are read as they are.
pub fn skip_comparisons(sources: &Sources, documents: &mut [AdmittedDocument<'_>], diagnostics: &mut Vec<Diagnostic>) {
    let compared = compared(sources, documents);
    if !compared.is_empty() {
        let is_compared = |document: &&mut AdmittedDocument<'_>| compared.contains(&document.document().source());
        documents.iter_mut().filter(is_compared).for_each(AdmittedDocument::skip);
        diagnostics.retain(|found| found.primary().is_none_or(|label| !compared.contains(&label.span.source)));
    }
}

/// Turns findings in `testdata` directories, which Go ignores as well, into notes, unless all files are in one.
pub fn downgrade_test_data(sources: &Sources, diagnostics: &mut [Diagnostic]) {
    let is_test_data = |name: &str| Path::new(name).components().any(|part| part.as_os_str() == "testdata");
    if sources.iter().all(|(_, source)| source.named || is_test_data(&source.name)) {
        return;
    }
    for found in diagnostics {
        let source = found.primary().and_then(|label| sources.get(label.span.source));
        if source.is_some_and(|source| !source.named && is_test_data(&source.name)) {
            found.severity = Severity::Note;
        }
    }
}

/// Returns the files in directories that tests compare with the cluster.
fn compared(sources: &Sources, documents: &[AdmittedDocument<'_>]) -> BTreeSet<SourceId> {
    let mut paths = BTreeSet::new();
    for document in documents {
        let root = document.document().root();
        let is_chainsaw = root.text("kind") == "Test" && root.text("apiVersion").starts_with("chainsaw.kyverno.io/");
        let source = sources.get(document.document().source()).filter(|_| is_chainsaw);
        if let Some(directory) = source.and_then(|source| Path::new(&source.name).parent()) {
            let mut add = |file: &str| {
                paths.insert(clean(&directory.join(file).to_string_lossy()));
            };
            for_each_comparison(root, &mut add);
        }
    }
    let found = sources.iter().filter(|(_, source)| !source.named);
    let found = found.filter(|(_, source)| {
        is_kuttl_comparison(Path::new(&source.name)) || (!paths.is_empty() && paths.contains(&clean(&source.name)))
    });
    found.map(|(id, _)| id).collect()
}

/// Calls `visit` for each file of an `assert` or `error` operation of a Chainsaw test.
fn for_each_comparison<'d>(node: Node<'d>, visit: &mut impl FnMut(&'d str)) {
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

/// Whether a file is an assertion of a step of a kuttl test: `00-assert.yaml` or `00-errors.yaml`.
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
    use crate::compile::{CompileOptions, compile};
    use crate::source::Source;

    const PART: &str = "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {name: a}\n";

    fn severities(files: &[(&str, &str)], named: bool) -> Vec<Severity> {
        let mut sources = Sources::default();
        for (name, text) in files {
            sources.add(Source::new(*name, *text, named));
        }
        let options = CompileOptions { is_repository: true, ..CompileOptions::default() };
        let found = compile(&sources, &options).diagnostics;
        found.iter().filter(|found| !found.labels.is_empty()).map(|found| found.severity).collect()
    }

    #[test]
    fn comparisons_of_tests_are_skipped() {
        let test = "apiVersion: chainsaw.kyverno.io/v1alpha1\nkind: Test\nmetadata: {name: t}\n\
                    spec: {steps: [{try: [{assert: {file: ../b.yaml}}, {apply: {file: c.yaml}}]}]}\n";
        for (name, is_skipped) in [
            ("t/a/00-assert.yaml", true),
            ("t/a/01-errors.yml", true),
            ("t/b.yaml", true),
            ("t/a/c.yaml", false),
            ("t/a/assert.yaml", false),
            ("t/a/x-assert.yaml", false),
        ] {
            let files = [("t/a/chainsaw-test.yaml", test), (name, PART)];
            assert_eq!(severities(&files, false).is_empty(), is_skipped, "{name}");
        }
        assert_eq!(severities(&[("00-assert.yaml", PART)], true), [Severity::Error]);
    }

    #[test]
    fn findings_in_test_data_are_notes() {
        let text = "a: b";
        assert_eq!(severities(&[("x/testdata/a.yaml", PART), ("b.yaml", text)], false), [Severity::Note]);
        assert_eq!(severities(&[("x/data/a.yaml", PART), ("b.yaml", text)], false), [Severity::Error]);
        assert_eq!(severities(&[("testdata/a.yaml", PART)], false), [Severity::Error]);
        assert_eq!(severities(&[("testdata/a.yaml", PART), ("b.yaml", text)], true)[0], Severity::Error);
    }
}
