//! Tests with resources that the API server rejects, and the messages it returns: `testdata/invalid/NAME.yaml` and
//! `NAME.json`.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Deserialize;

use super::*;
use crate::diagnostic::Code;

#[derive(Deserialize)]
struct Expected {
    path: String,
    reason: String,
    first_line: u32,
    last_line: u32,
}

/// Returns the API server's reason for an error with this code.
fn reason(code: Code) -> &'static str {
    match code {
        Code::MissingField => "Required value",
        Code::UnsupportedValue => "Unsupported value",
        _ => "Invalid value",
    }
}

#[test]
fn rejects_the_same_objects_as_the_api_server() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/invalid");
    let mut cases = 0;
    let mut failures = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "yaml") {
            cases += 1;
            failures.extend(check_case(&path).map(|failure| format!("{}: {failure}", path.display())));
        }
    }
    failures.sort();
    assert!(cases > 600, "{cases}");
    assert!(failures.is_empty(), "{} of {cases}:\n{}", failures.len(), failures.join("\n"));
}

fn check_case(path: &Path) -> Option<String> {
    let expected = std::fs::read_to_string(path.with_extension("json")).unwrap();
    let expected: Vec<Expected> = serde_json::from_str(&expected).unwrap();
    let admitted = admit_text(&std::fs::read_to_string(path).unwrap());
    let found_errors: BTreeSet<_> =
        admitted.diagnostics.iter().map(|d| (d.path.clone().unwrap(), reason(d.code))).collect();
    let expected_errors: BTreeSet<_> = expected
        .iter()
        .filter(|e| !is_reported_with_type(e, &expected))
        .map(|e| (e.path.clone(), e.reason.as_str()))
        .collect();
    if found_errors != expected_errors {
        return Some(format!("found {found_errors:?}, expected {expected_errors:?}"));
    }
    let misplaced = admitted.diagnostics.iter().find(|d| {
        let start = d.primary().unwrap().span.start as usize;
        let line = admitted.source.position(start).line;
        !expected.iter().any(|e| d.path.as_ref() == Some(&e.path) && (e.first_line..=e.last_line).contains(&line))
    });
    misplaced.map(|d| format!("wrong line: {}", admitted.line(d)))
}

/// Whether another error reports that the same value has the wrong type. agentctl reports a wrong type and an
/// unsupported value as a single finding.
fn is_reported_with_type(expected: &Expected, all: &[Expected]) -> bool {
    expected.reason == "Unsupported value"
        && all.iter().any(|other| other.path == expected.path && other.reason == "Invalid value")
}
