//! Fuzz target for the entire compilation. Arbitrary documents must not cause a panic, and compiling them twice must
//! produce the same result. Every manifest must be unchanged when it is read back, except for strings that Go cannot
//! read back.

#![no_main]

use agentctl::compile::{Bundle, CompileOptions, compile};
use agentctl::diagnostic::has_errors;
use agentctl::emit::{StreamFormat, write_stream};
use agentctl::source::Sources;
use agentctl_fuzz::{cross_texts, digest, equal, is_unreadable_in_go, mutate_text, show, sources};
use libfuzzer_sys::{fuzz_crossover, fuzz_mutator, fuzz_target};
use serde::Deserialize;
use serde_json::Value;

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| { mutate_text(data, size, max_size, seed) });

fuzz_crossover!(|a: &[u8], b: &[u8], out: &mut [u8], seed: u32| { cross_texts(a, b, out, seed) });

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let sources = sources(&[text]);
    let compiled = compile(&sources, &options());
    show(&compiled.diagnostics, &sources);
    if has_errors(&compiled.diagnostics) {
        return;
    }
    let yaml_stream = stream(&compiled.output, StreamFormat::Yaml);
    check_written(&compiled.output, &yaml_stream);
    if digest(&text) % 8 == 0 {
        check_repeated(&sources, &yaml_stream);
    }
});

fn options() -> CompileOptions {
    let mut options = CompileOptions::default();
    options.render.max_shards = 16;
    options
}

fn stream(bundle: &Bundle, format: StreamFormat) -> String {
    let mut output = Vec::new();
    write_stream(bundle.objects.iter(), format, &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

/// Checks that the YAML stream has the same contents as the JSON of each object.
fn check_written(bundle: &Bundle, written: &str) {
    let documents: Vec<Value> = serde_yaml::Deserializer::from_str(written)
        .map(|document| Value::deserialize(document).unwrap())
        .collect();
    let objects: Vec<_> = bundle.objects.iter().map(|object| object.to_json()).collect();
    assert!(documents.len() == objects.len() || objects.is_empty());
    for (document, object) in documents.iter().zip(&objects) {
        if contains_unreadable(object) {
            assert_eq!(document.pointer("/metadata/name"), object.pointer("/metadata/name"));
            assert_eq!(document.pointer("/data"), object.pointer("/data"));
        } else {
            assert!(equal(document, object), "{document}, not {object}");
        }
    }
}

/// Whether a value contains a string that Go cannot read back. Such a value is compared only in part.
fn contains_unreadable(value: &Value) -> bool {
    match value {
        Value::String(text) => is_unreadable_in_go(text),
        Value::Array(items) => items.iter().any(contains_unreadable),
        Value::Object(entries) => entries
            .iter()
            .any(|(key, value)| is_unreadable_in_go(key) || contains_unreadable(value)),
        _ => false,
    }
}

fn check_repeated(sources: &Sources, written: &str) {
    let compiled_again = compile(sources, &options());
    assert_eq!(stream(&compiled_again.output, StreamFormat::Yaml), written);
}
