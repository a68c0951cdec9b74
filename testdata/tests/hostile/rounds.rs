//! Tests inputs with many fixes in all formats that include fixes. Instead of measuring time, the tests count rounds,
//! each of which compiles the whole input.

use crate::testing::TestInput;
use std::cell::Cell;
use std::collections::HashSet;

use agentctl::api::Kind;
use agentctl::api::schema::{Schema, ValueType, schema as schema_of};
use agentctl::compile::{CompileOptions, compile};
use agentctl::diagnostic::Diagnostic;
use agentctl::diagnostic::apply::{fix_all, try_fixes};
use agentctl::diagnostic::bound::{Fixes, MAX_LISTED};
use agentctl::source::Sources;
use serde_json::{Value, json};

use crate::hostile::shapes::{ancestors, collect_lists, merge, nest, object, repeat_objects, spec};
use crate::support;

/// Returns a value with mistakes whose fixes are certain.
fn value_with_mistakes(schema: &Schema, depth: usize) -> Value {
    match schema.value_type {
        Some(ValueType::Object) if depth > 0 => {
            let fields = schema.properties.iter();
            let is_scalar = |field: &Schema| !matches!(field.value_type, Some(ValueType::Object | ValueType::Array));
            let fields =
                fields.filter(|(name, field)| is_scalar(field) || schema.required.iter().any(|key| key == *name));
            let fields = fields.take(4);
            let mistaken_fields =
                fields.map(|(name, field)| ((*name).to_owned(), value_with_mistakes(field, depth - 1)));
            Value::Object(mistaken_fields.collect())
        }
        Some(ValueType::Object) => json!({}),
        Some(ValueType::Array) => json!([]),
        Some(ValueType::Integer) => json!("1"),
        Some(ValueType::Boolean) => json!("true"),
        Some(ValueType::String) | None => json!(1),
    }
}

fn findings(sources: &Sources, fixes: Fixes) -> Vec<Diagnostic> {
    let mut options = CompileOptions::default();
    options.admit.fixes = fixes;
    compile(sources, &options).diagnostics
}

/// Returns sources with these contents, padded so that only a limited number of rounds is possible.
fn sources(texts: impl IntoIterator<Item = String>) -> Sources {
    let padded = texts.into_iter().map(|text| format!("{text}\n#{}\n", "#".repeat(256 << 10)));
    TestInput::numbered(padded).sources
}

/// Tries the fixes for an input, and returns the first problem, if any.
fn first_problem(sources: &Sources) -> Option<String> {
    let rounds = Cell::new(0);
    let count_and_find = |fixes| {
        let rounds = &rounds;
        move |sources: &Sources| {
            rounds.set(rounds.get() + 1);
            findings(sources, fixes)
        }
    };
    let listed_findings = findings(sources, Fixes::Listed);
    let fix_result = try_fixes(sources, listed_findings, count_and_find(Fixes::Listed));
    let report_rounds = rounds.take();
    let fixed = fix_all(sources, |_| true, count_and_find(Fixes::All));
    let fix_rounds = rounds.take();
    let second_fix = fix_all(&fixed.sources, |_| true, count_and_find(Fixes::All));
    match () {
        () if report_rounds > 2 => Some(format!("{report_rounds} rounds in a report")),
        () if fix_rounds > 3 => Some(format!("{fix_rounds} rounds of fixes")),
        () if fix_result.untried > 0 => Some(format!("{} fixes of a report are not tried", fix_result.untried)),
        () if second_fix.count > 0 && fixed.untried == 0 => {
            Some(format!("a second run fixes {} more", second_fix.count))
        }
        () => None,
    }
}

/// Tests long lists of items with fixable mistakes in every list field.
#[test]
fn tries_fixes_of_long_lists_together() {
    const ITEMS: usize = MAX_LISTED + 200;
    let (mut names, mut failures) = (HashSet::new(), Vec::new());
    for kind in Kind::ALL.iter().copied().filter(|kind| kind.is_custom()) {
        let mut lists_of_kind = Vec::new();
        collect_lists(schema_of(kind), &mut Vec::new(), &mut lists_of_kind);
        for (keys, _) in support::sample(lists_of_kind, 30) {
            // Fields with the same name follow the same rules, so only one of them is tested.
            if !names.insert(keys.last().cloned()) {
                continue;
            }
            let items = keys.iter().try_fold(schema_of(kind), |schema, key| match key.as_str() {
                "0" => schema.items.as_deref(),
                key => schema.properties.get(key),
            });
            let Some(items) = items.and_then(|list| list.items.as_deref()) else {
                continue;
            };
            let mut resource = object(kind, "a", &spec(kind));
            merge(&mut resource, nest(&keys, json!(vec![value_with_mistakes(items, 2); ITEMS])));
            let parents = ancestors(kind).map(|kind| repeat_objects(kind, 1));
            let problem = first_problem(&sources(parents.chain([resource.to_string()])));
            failures.extend(problem.map(|problem| format!("{kind} {}: {problem}", keys.join("."))));
        }
    }
    assert!(names.len() > support::many_or_few(50, 3), "tried only {} fields", names.len());
    support::report(&failures);
}

/// Returns an input that repeats a misspelled field `count` times.
fn input_with_misspellings(count: usize) -> String {
    let header = object(Kind::ServiceMonitor, "a", &Value::Null);
    let header = format!(
        "apiVersion: {}\nkind: ServiceMonitor\nmetadata: {{name: a}}\n",
        header["apiVersion"].as_str().unwrap()
    );
    let endpoints = "  - port: a\n    intervall: 30s\n".repeat(count);
    format!("{header}spec:\n  selector: {{}}\n  endpoints:\n{endpoints}")
}

#[test]
fn tries_fixes_of_misspelled_fields_in_one_round() {
    for count in support::take_turn(&[MAX_LISTED - 1, MAX_LISTED, MAX_LISTED + 1, 2 * MAX_LISTED], 2) {
        let sources = sources([input_with_misspellings(count)]);
        assert_eq!(first_problem(&sources), None, "{count}");
        let fixed = fix_all(&sources, |_| true, |sources| findings(sources, Fixes::All));
        assert_eq!((fixed.count, fixed.untried), (count, 0));
    }
}

/// Tests that quoting a name is rejected if it would create a duplicate, even if there are more findings than can be
/// listed.
#[test]
fn does_not_apply_fixes_that_duplicate_names() {
    let mut agent = spec(Kind::GrafanaAgent);
    agent["containers"] = json!(vec![json!({"name": 1, "image": 1}); 2 * MAX_LISTED]);
    let agent = object(Kind::GrafanaAgent, "a", &agent).to_string();
    let sources = sources([agent, repeat_objects(Kind::MetricsInstance, 1)]);
    assert_eq!(first_problem(&sources), None);
    let fixed = fix_all(&sources, |_| true, |sources| findings(sources, Fixes::All));
    assert_eq!((fixed.count, fixed.untried), (2 * MAX_LISTED, 0));
}

#[test]
fn every_format_includes_fixes_for_large_inputs() {
    let folder = support::scratch("hostile-rounds");
    let text = input_with_misspellings(MAX_LISTED + 100);
    std::fs::write(folder.join("in.yaml"), &text).unwrap();
    let run = |args: &[&str]| support::run(&folder, [&["check", "in.yaml"], args].concat(), b"");
    let json = run(&["--message-format", "json"]);
    let fixes = json.stdout.lines().filter(|line| line.contains("rename `intervall` to `interval`"));
    assert_eq!((fixes.count(), json.stderr.as_str()), (MAX_LISTED, ""));
    let sarif = run(&["--message-format", "sarif"]);
    assert!(sarif.stdout.contains("100 more findings") && sarif.stderr.is_empty());
    let diff = run(&["--diff"]);
    assert_eq!(diff.stderr, "note: --fix would fix 1100 findings in 1 file\n");
    assert_eq!(diff.stdout.matches("\n+    interval: 30s").count(), MAX_LISTED + 100);
    let fixed = run(&["--fix", "--message-format", "short"]);
    assert!(fixed.stdout.contains("fixed 1100 findings in 1 file"), "{}", fixed.stdout);
    let second_diff = run(&["--diff"]);
    assert_eq!(second_diff.stderr, "note: --fix would fix 0 findings in 0 files\n");
}
