//! Fuzz target for the YAML reader. Any input must result in a tree or diagnostics, with and without the fast path. The
//! result must match that of libyaml and must be unchanged after it is written and read back.

#![no_main]

use agentctl::diagnostic::Warned;
use agentctl::source::Sources;
use agentctl::yaml::{self, Document, LibraryStyle, Limits, Node, NodeValue, to_json, to_value};
use agentctl_fuzz::{cross_texts, is_unreadable_in_go, mutate_text, show, sources};
use libfuzzer_sys::{fuzz_crossover, fuzz_mutator, fuzz_target};
use serde::Deserialize;
use serde_yaml::Value;

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| { mutate_text(data, size, max_size, seed) });

fuzz_crossover!(|a: &[u8], b: &[u8], out: &mut [u8], seed: u32| { cross_texts(a, b, out, seed) });

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let sources = sources(&[text]);
    let read = read(&sources);
    show(&read.diagnostics, &sources);
    check_fast_path(&sources, &read);
    for document in &read.output {
        check_spans(document.root(), text);
        check_round_trip(document);
    }
    if read.diagnostics.is_empty() {
        compare(text, &read.output);
    }
});

fn read(sources: &Sources) -> Warned<Vec<Document<'_>>> {
    let (id, source) = sources.iter().next().unwrap();
    yaml::read(id, &source.text, &Limits::default())
}

/// Checks that the fast path produces the same result as the parser, including spans and findings.
fn check_fast_path(sources: &Sources, read: &Warned<Vec<Document<'_>>>) {
    let (id, source) = sources.iter().next().unwrap();
    let parsed = yaml::read_with_parser(id, &source.text, &Limits::default());
    assert_eq!(read.diagnostics, parsed.diagnostics);
    assert_eq!(read.output.len(), parsed.output.len());
    for (ours, parsed) in read.output.iter().zip(&parsed.output) {
        check_equal(ours.root(), parsed.root());
    }
}

fn check_equal(a: Node<'_>, b: Node<'_>) {
    assert_eq!((a.span(), a.value()), (b.span(), b.value()));
    assert_eq!(
        (a.items().len(), a.entries().len()),
        (b.items().len(), b.entries().len())
    );
    a.items().zip(b.items()).for_each(|(a, b)| check_equal(a, b));
    for (a, b) in a.entries().zip(b.entries()) {
        assert_eq!((a.key, a.key_span), (b.key, b.key_span));
        check_equal(a.value, b.value);
    }
}

/// Checks that spans are within the text and on character boundaries.
fn check_spans(node: Node<'_>, text: &str) {
    let span = node.span();
    assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?}");
    for entry in node.entries() {
        let span = entry.key_span;
        assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?}");
        assert!(node.get(entry.key).is_some(), "{}", entry.key);
        check_spans(entry.value, text);
    }
    node.items().for_each(|item| check_spans(item, text));
}

fn contains_unreadable(node: Node<'_>) -> bool {
    node.as_str().is_some_and(is_unreadable_in_go)
        || node.items().any(contains_unreadable)
        || node
            .entries()
            .any(|entry| is_unreadable_in_go(entry.key) || contains_unreadable(entry.value))
}

fn number_of_nodes(node: Node<'_>) -> usize {
    let item_count = node.items().map(number_of_nodes).sum::<usize>();
    let value_count = node.entries().map(|entry| number_of_nodes(entry.value)).sum::<usize>();
    1 + item_count + value_count
}

fn check_round_trip(document: &Document<'_>) {
    if number_of_nodes(document.root()) > 5000 || contains_unreadable(document.root()) {
        return;
    }
    let yaml_text = yaml::write(&to_value(document.root()), LibraryStyle::V3);
    let second_sources = sources(&[&yaml_text]);
    let second_sources = read(&second_sources);
    assert!(second_sources.diagnostics.is_empty(), "{yaml_text:?} {:?}", second_sources.diagnostics);
    let root = second_sources.output.first().map(|document| to_json(document.root()));
    assert_eq!(root.unwrap_or_default(), to_json(document.root()), "{yaml_text:?}");
}

/// Compares the result with that of serde_yaml, which uses libyaml; Go's scanner is a port of libyaml. serde_yaml
/// resolves scalars as in YAML 1.2, so only strings are compared. A line break is appended if the last line has none,
/// as in Kubernetes' reader.
fn compare(text: &str, documents: &[Document<'_>]) {
    // go-yaml decodes binary values and treats the `!` tag as a string.
    if text.contains("!!binary") || text.split_whitespace().any(|word| word == "!") {
        return;
    }
    // agentctl rejects the line breaks of YAML 1.1, except in text that starts like JSON, so text that contains them is
    // not compared.
    if text.contains(['\u{85}', '\u{2028}', '\u{2029}']) {
        return;
    }
    let end = if text.is_empty() || text.ends_with('\n') {
        ""
    } else {
        "\n"
    };
    let text = &format!("{text}{end}");
    let theirs: Result<Vec<Value>, _> = serde_yaml::Deserializer::from_str(text)
        .map(Value::deserialize)
        .collect();
    let Ok(mut theirs) = theirs else { return };
    if theirs.iter().any(is_incomparable) {
        return;
    }
    theirs.retain(|value| !value.is_null());
    let ours: Vec<_> = documents
        .iter()
        .map(Document::root)
        .filter(|root| !root.is_null())
        .collect();
    assert_eq!(ours.len(), theirs.len(), "documents");
    for (ours, theirs) in ours.into_iter().zip(&theirs) {
        // serde_yaml rejects a document that consists only of a multi-line string without indentation. Manifests are
        // never strings.
        if !theirs.is_string() {
            compare_nodes(ours, theirs);
        }
    }
}

/// Whether a value contains tags or merge keys, which serde_yaml does not resolve.
fn is_incomparable(value: &Value) -> bool {
    match value {
        Value::Tagged(_) => true,
        Value::Sequence(items) => items.iter().any(is_incomparable),
        Value::Mapping(entries) => entries
            .iter()
            .any(|(key, value)| key.as_str() == Some("<<") || is_incomparable(key) || is_incomparable(value)),
        _ => false,
    }
}

fn compare_nodes(ours: Node<'_>, theirs: &Value) {
    match (ours.value(), theirs) {
        (NodeValue::Sequence, Value::Sequence(items)) => {
            assert_eq!(ours.items().len(), items.len());
            ours.items()
                .zip(items)
                .for_each(|(ours, theirs)| compare_nodes(ours, theirs));
        }
        (NodeValue::Mapping, Value::Mapping(entries)) => {
            assert_eq!(ours.entries().len(), entries.len());
            for (ours, (key, value)) in ours.entries().zip(entries) {
                compare_keys(ours.key, key);
                compare_nodes(ours.value, value);
            }
        }
        (NodeValue::Sequence | NodeValue::Mapping, theirs) => panic!("found a collection, not {theirs:?}"),
        (_, Value::Sequence(_) | Value::Mapping(_)) => panic!("found a scalar, not a collection"),
        (NodeValue::String(ours), Value::String(theirs)) => assert_eq!(ours, theirs),
        _ => {}
    }
}

/// Compares two keys if they are strings in both results, and neither booleans nor numbers in YAML 1.1.
fn compare_keys(ours: &str, theirs: &Value) {
    if let Value::String(theirs) = theirs {
        let plain = |text: &str| text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.len() > 5;
        assert!(!plain(theirs) || ours == theirs, "{ours:?} {theirs:?}");
    }
}
