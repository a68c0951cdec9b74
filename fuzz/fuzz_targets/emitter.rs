//! Fuzz target for the YAML writer: any value must be unchanged after it is written in either style and read back by
//! serde_yaml or agentctl's own reader.

#![no_main]

use agentctl::yaml::{self, LibraryStyle, Limits, Mapping, Value, to_json};
use agentctl_fuzz::{equal, is_unreadable_in_go, sources};
use arbitrary::{Arbitrary, Result, Unstructured};
use libfuzzer_sys::fuzz_target;

#[derive(Debug)]
struct Any(Value<'static>);

impl<'a> Arbitrary<'a> for Any {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        value(u, 0).map(Any)
    }
}

fn value(u: &mut Unstructured<'_>, depth: usize) -> Result<Value<'static>> {
    let kinds = if depth < 12 { 9 } else { 7 };
    Ok(match u.int_in_range(0..=kinds)? {
        0 => Value::Null,
        1 => Value::Bool(u.arbitrary()?),
        2 => Value::Int(u.arbitrary()?),
        3 => Value::Float(Some(u.arbitrary()?).filter(|f: &f64| f.is_finite()).unwrap_or_default()),
        4..=7 => Value::from(text(u)?),
        8 => {
            let count = u.int_in_range(0..=5)?;
            Value::Sequence((0..count).map(|_| value(u, depth + 1)).collect::<Result<_>>()?)
        }
        _ => {
            let mut entries = Mapping::new();
            for _ in 0..u.int_in_range(0..=5)? {
                entries.set(text(u)?, value(u, depth + 1)?);
            }
            Value::Mapping(entries)
        }
    })
}

/// Strings that may need quoting or escaping, and some plain text.
const PIECES: &[&str] = &[
    "a",
    " ",
    "\n",
    "\t",
    ":",
    "#",
    "-",
    "?",
    "'",
    "\"",
    "\\",
    ": ",
    " #",
    "- ",
    "| ",
    "> ",
    "{",
    "}",
    "[",
    "]",
    ",",
    "&",
    "*",
    "!",
    "%",
    "@",
    "`",
    "~",
    "null",
    "true",
    "yes",
    "no",
    "on",
    "y",
    "1",
    "0",
    ".",
    "e",
    "+",
    "_",
    "0x",
    "0o",
    "0b",
    ".inf",
    ".nan",
    "<<",
    "=",
    "---",
    "...",
    "2001-01-01",
    "12:30:45",
    "é",
    "𝄞",
    "\u{85}",
    "\u{a0}",
    "\u{2028}",
    "\u{feff}",
    "\u{1}",
    "\u{7f}",
    "\r",
    "a word and another one, ",
    "=",
];

fn text(u: &mut Unstructured<'_>) -> Result<String> {
    let mut text = String::new();
    for _ in 0..u.int_in_range(0..=12)? {
        let choice: u8 = u.arbitrary()?;
        match PIECES.get(usize::from(choice)) {
            Some(piece) => text.push_str(piece),
            None => text.push(u.arbitrary()?),
        }
    }
    Ok(text)
}

fuzz_target!(|any: Any| {
    let expected = serde_json::to_value(&any.0).unwrap();
    let is_lossy = contains_unreadable(&any.0);
    for style in [LibraryStyle::V3, LibraryStyle::Kubernetes] {
        let yaml_text = yaml::write(&any.0, style);
        if is_lossy {
            continue;
        }
        check_own(&yaml_text, &expected);
        check_serde_yaml(&yaml_text, &expected);
    }
});

/// Whether a value contains a string that Go cannot read back. Such a value is written but not compared.
fn contains_unreadable(value: &Value<'_>) -> bool {
    match value {
        Value::String(text) => is_unreadable_in_go(text),
        Value::Sequence(items) => items.iter().any(contains_unreadable),
        Value::Mapping(entries) => entries
            .iter()
            .any(|(key, value)| is_unreadable_in_go(key) || contains_unreadable(value)),
        _ => false,
    }
}

fn check_own(written: &str, expected: &serde_json::Value) {
    let sources = sources(&[written]);
    let (id, source) = sources.iter().next().unwrap();
    let read = yaml::read(id, &source.text, &Limits::default());
    assert!(read.diagnostics.is_empty(), "{written:?}: {:?}", read.diagnostics);
    let parsed = read
        .output
        .first()
        .map(|document| to_json(document.root()))
        .unwrap_or_default();
    assert!(equal(&parsed, expected), "{written:?}: {parsed}, not {expected}");
}

fn check_serde_yaml(written: &str, expected: &serde_json::Value) {
    let parsed: serde_json::Value = serde_yaml::from_str(written).unwrap_or_else(|error| panic!("{written:?}: {error}"));
    assert!(equal(&parsed, expected), "{written:?}: {parsed}, not {expected}");
}
