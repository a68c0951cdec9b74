//! Fuzz target for admission: resources of any kind are pruned, defaulted and validated. Admitting the result again
//! must change nothing, and the same resource as JSON must produce the same findings.

#![no_main]

use agentctl::admit::{self, AdmitOptions, AdmittedDocument, UnknownFields};
use agentctl::api::Kind;
use agentctl::diagnostic::{Diagnostic, Severity};
use agentctl::source::Sources;
use agentctl::yaml::{self, Edits, Limits, to_json};
use agentctl_fuzz::{cross_texts, mutate_text, show, sources};
use libfuzzer_sys::{fuzz_crossover, fuzz_mutator, fuzz_target};

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| { mutate_text(data, size, max_size, seed) });

fuzz_crossover!(|a: &[u8], b: &[u8], out: &mut [u8], seed: u32| { cross_texts(a, b, out, seed) });

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let sources = sources(&[text]);
    let mut diagnostics = Vec::new();
    let documents = admit_all(&sources, &mut diagnostics);
    show(&diagnostics, &sources);
    admit::decode(&documents, "default");
    documents.iter().for_each(check_again);
    if documents.len() == 1 && !diagnostics.iter().any(|d| d.code.as_str().starts_with("yaml-")) {
        check_json(text, &diagnostics);
    }
});

fn admit_all<'s>(sources: &'s Sources, diagnostics: &mut Vec<Diagnostic>) -> Vec<AdmittedDocument<'s>> {
    let options = AdmitOptions::default();
    let mut documents = Vec::new();
    for (id, source) in sources.iter() {
        let read = yaml::read(id, &source.text, &Limits::default());
        diagnostics.extend(read.diagnostics);
        for document in read.output {
            documents.push(admit::admit_document(
                document,
                true,
                &options,
                |_, _| false,
                diagnostics,
            ));
        }
    }
    documents
}

/// Checks that an admitted document has no unknown fields and no missing defaults.
fn check_again(document: &AdmittedDocument<'_>) {
    let root = document.document().root();
    let text = |key| root.get(key).and_then(|node| node.as_str());
    let Some(kind) = text("apiVersion")
        .zip(text("kind"))
        .and_then(|(v, k)| Kind::from_type(v, k))
    else {
        return;
    };
    let (mut edits, mut diagnostics) = (Edits::default(), Vec::new());
    let options = admit::AdmitOptions {
        unknown_fields: UnknownFields::Strict,
        ..admit::AdmitOptions::default()
    };
    admit::admit(kind, root, &options, &mut edits, &mut diagnostics);
    if !diagnostics
        .iter()
        .any(|d| d.severity == Severity::Error && d.code.as_str() != "unknown-field")
    {
        assert!(edits.is_empty(), "{edits:?}");
        assert!(diagnostics.iter().all(|d| d.code.as_str() != "unknown-field"), "{diagnostics:?}");
    }
}

/// Checks that the same resource as JSON produces the same findings.
fn check_json(text: &str, diagnostics: &[Diagnostic]) {
    let sources = sources(&[text]);
    let (id, source) = sources.iter().next().unwrap();
    let read = yaml::read(id, &source.text, &Limits::default());
    let Some(document) = read.output.first() else { return };
    let json = to_json(document.root()).to_string();
    let json = agentctl_fuzz::sources(&[&json]);
    let mut diagnostics_again = read.diagnostics;
    admit_all(&json, &mut diagnostics_again);
    let codes = |diagnostics: &[Diagnostic]| {
        let mut actual: Vec<_> = diagnostics
            .iter()
            .map(|d| (d.code.as_str(), d.message.clone()))
            .collect();
        actual.sort_unstable();
        actual
    };
    assert_eq!(codes(diagnostics), codes(&diagnostics_again));
}
