mod mutation;

use crate::testing::source_id;
use std::fs;
use std::path::{Path, PathBuf};

use super::scalar::KEY_BYTES;
use super::{DEPTH, read_simple};
use crate::diagnostic::Warned;
use crate::printable::ByteSize;
use crate::source::SourceId;
use crate::yaml::{AliasBudget, Document, Limits, read_with_parser};
use mutation::Mutator;

/// Returns whether the text is in the simple style. If so, asserts that reading it yields the same result as the
/// library, including spans and findings.
fn is_simple_style(text: &str) -> bool {
    let (source, limits) = (source_id(), Limits::default());
    let Some(simple_documents) = simple(source, text, &limits) else {
        return false;
    };
    let expected = read_with_parser(source, text, &limits);
    assert_eq!(simple_documents.output, expected.output, "{text:?}");
    assert_eq!(simple_documents.diagnostics, expected.diagnostics, "{text:?}");
    true
}

/// Returns all YAML files below testdata/.
fn files() -> Vec<String> {
    let mut texts = Vec::new();
    let mut directories = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata")];
    while let Some(directory) = directories.pop() {
        let mut paths: Vec<PathBuf> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        directories.extend(paths.iter().filter(|path| path.is_dir()).cloned());
        let is_yaml = |path: &&PathBuf| path.extension().is_some_and(|name| name == "yaml" || name == "yml");
        texts.extend(paths.iter().filter(is_yaml).filter_map(|path| fs::read_to_string(path).ok()));
    }
    texts
}

fn simple<'s>(source: SourceId, text: &'s str, limits: &Limits) -> Option<Warned<Vec<Document<'s>>>> {
    read_simple(source, text, limits, &AliasBudget::new(limits, 0), None)
}

#[test]
fn reads_every_file_like_the_library() {
    let files = files();
    let simple_count = files.iter().filter(|text| is_simple_style(text)).count();
    assert!(simple_count * 10 > files.len() * 9, "{simple_count} of {} files are simple", files.len());
}

#[test]
fn reads_every_mutant_like_the_library() {
    const MUTANTS: usize = 30_000;
    let mut mutator = Mutator::new(&files(), 0x5eed);
    let simple_count = (0..MUTANTS).filter(|_| is_simple_style(&mutator.mutant())).count();
    assert!(simple_count * 5 > MUTANTS, "{simple_count} of {MUTANTS} mutants are simple");
}

#[test]
fn reads_the_simple_style() {
    for text in [
        "",
        "# c\n\n",
        "---\n",
        "a: b",
        "a: b\n---\n# c\nb: c\n---",
        "  a: b\n  # c\n  c:\n  d: # e\n",
        "a:\n- b\n-   c\n- d: e\n  f:\n-\n- # g\n\n- h\ni: j\n",
        "a:\n  - b: c\n    d:\n    - e\n  -\n    f: g\n  -\n    - h\n",
        "- a\n- {b: [c, \"d e\", 'f'], g: {}, 'h': [ ]}\n",
        "a: http://x:80/y?z={b}#c, d # e\n'f': \"# g: h\"\n\"i\": ''\n",
        "a: |\n  b\n   c \n\n  d: e\n\n# f\ng: |-\n h\ni:\n- |+ # j\n k\n\n",
        "a: |\n  b\n \n  \n  c\n",
        "a: |\n  b  \n  \n  c \n",
        "a: |\n    b\n      c\n",
        "a:\n  ",
        "a:\nb:\n---\na:\n",
        "-\n  ",
        "a:\n- ---\n- b\n",
        "a: 'b' #c\n",
        "a: 'b\\c'\n\"d\": \"'\"\n'e': '\"'\n",
        "a: b# c\nd: b :c\ne: -f\n",
        "a: [b:c, d:80/x ]\n",
        "a: { }\nb: {c: d }\ne: [{f: [g]}, [], {}]\n",
        "y: yes\n1: 0x1f\n1.5: 1_000\nd: .5\n",
        "a: b\na: c\nd: {e: 1, e: 2}\nf: .inf\n",
        "a: \u{e9}\u{2014}\u{a0}\n# \u{1f600}\n",
    ] {
        assert!(is_simple_style(text), "{text:?}");
    }
    assert!(is_simple_style(&format!("a:\n{}", "- b: [c]\n".repeat(DEPTH + 1))));
    assert!(is_simple_style(&format!("# {}\na: b\n", "c".repeat(KEY_BYTES))));
    assert!(is_simple_style(&format!("{}: b", "a".repeat(KEY_BYTES))));
}

#[test]
fn leaves_other_styles_to_the_parser() {
    for text in [
        "a:\tb",
        "a: b\r\n",
        "\u{feff}a: b",
        "a: \u{85}b",
        "a: \u{2028}b",
        "%YAML 1.1\n---\na: b",
        "...",
        "--- a",
        "---a: b",
        "a",
        "a: b: c",
        "a: b:",
        "a: b\n c",
        "a: b\n  # c\n d: e",
        "a:\n  b",
        "  a: b\nc: d",
        "a:\n  - b\n - c",
        "- - a",
        "- a\nb: c",
        "? a",
        "a b: c",
        "a : b",
        "<<: {a: b}",
        "a: &b c",
        "a: *b",
        "a: !b c",
        "a: @b",
        "a: >\n  b\n",
        "a: |2\n  b\n",
        "a: |\n\n  b\n",
        "a: |\n  b",
        "a: |\n  b\n ",
        "a: |+\n  b\n  ",
        "a:\n  b: |\n c: d\n",
        "a: |\n  b\n    \n",
        "a: |\n  b\n   \n  c\n",
        "a: |\nb: c",
        "a: \"b\\n\"",
        "a: 'b''c'",
        "a: 'b\n  c'",
        "a: 'b'c",
        "a: 'b'# c",
        "a: \u{2029}b",
        "a: \u{ffff}b",
        "a: \u{7f}b",
        "a: [b,\n c]",
        "a: [b, ]",
        "a: [b, , c]",
        "a: [b c]",
        "a: [b: c]",
        "a: {b}",
        "a: {b: }",
        "a: {b:c}",
        "a: {\"b\":c}",
        "a: [b:]",
        "a: [b?]",
        "a: [b]c",
        "a: {b: c",
        "a: b]\n- c",
    ] {
        assert!(!is_simple_style(text), "{text:?}");
    }
    let deep_mappings = (0..60).map(|depth| format!("{}a:\n", " ".repeat(depth)));
    assert!(!is_simple_style(&deep_mappings.collect::<String>()));
    assert!(!is_simple_style(&format!("a: {}{}", "[".repeat(60), "]".repeat(60))));
    assert!(!is_simple_style(&format!("{}: b", "a".repeat(KEY_BYTES + 1))));
}

#[test]
fn defers_exceeded_limits_to_the_parser() {
    let is_read = |limits| simple(source_id(), "a: {b: c}", &limits).is_some();
    let limits = Limits::default();
    assert!(is_read(limits.clone()));
    for (size, expected) in [(8, false), (9, true)] {
        let max_document_size = ByteSize(size);
        let limits = Limits { max_document_size, ..limits.clone() };
        assert_eq!(is_read(limits), expected);
    }
    for (max_depth, expected) in [(2, false), (3, false), (4, true)] {
        let limits = limits.clone();
        assert_eq!(is_read(Limits { max_depth, ..limits }), expected);
    }
    for (max_nodes, expected) in [(2, false), (3, true)] {
        let limits = limits.clone();
        assert_eq!(is_read(Limits { max_nodes, ..limits }), expected);
    }
}

#[test]
fn limits_apply_to_each_document() {
    for (max_document_size, max_documents, expected) in [(9, 3, true), (8, 3, false), (9, 2, false)] {
        let limits = Limits { max_document_size: ByteSize(max_document_size), max_documents, ..Limits::default() };
        let simple_documents = simple(source_id(), "a: 1\n---\nb: 2\n---\nc: 3\n", &limits);
        assert_eq!(simple_documents.is_some(), expected, "{limits:?}");
    }
}
