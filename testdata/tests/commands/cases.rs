//! Runs the test cases in `testdata/cases`, one per directory. New directories are picked up automatically:
//!
//! ```text
//! input/           input to compile
//! command          subcommand and its inputs
//! flags            additional flags
//! stdin            standard input
//! stdout, stderr   expected output, empty by default
//! status           exit status
//! ```
//!
//! The default command is `render input`. A case without `status` runs `check input` instead, and its findings are
//! expected in comments in its input (`annotations.rs`).
//!
//! The command runs in the case's directory. Diagnostics are in the short format unless `flags` sets a different one.
//! With `AGENTCTL_ALL_CASES=1`, every case is also compared with a second run, as JSON and as a directory; otherwise,
//! one in `SAMPLE_INTERVAL` cases is. `AGENTCTL_BLESS=1 cargo test --test all cases` updates the expected files.

use super::annotations;
use crate::support;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use crate::support::Run;
use agentctl::diagnostic::Code;
use rayon::prelude::*;
use serde::Deserialize;
use serde_json::Value;

/// A case and its command line.
struct Case {
    folder: PathBuf,
    args: Vec<String>,
    stdin: Vec<u8>,
    /// Whether the expected findings are in comments in the input, rather than in separate files.
    is_annotated: bool,
}

impl Case {
    /// Returns a case of this project, as opposed to one recorded from the operator.
    fn of_project(folder: PathBuf) -> Self {
        let is_annotated = !folder.join("status").exists();
        Self::new(folder, is_annotated)
    }

    fn new(folder: PathBuf, is_annotated: bool) -> Self {
        let mut args = support::words(&folder.join("command"));
        if args.is_empty() {
            let command = if is_annotated { "check" } else { "render" };
            args = [command, "input"].map(str::to_owned).to_vec();
        }
        args.extend(support::words(&folder.join("flags")));
        if !args.iter().any(|arg| arg == "--message-format") {
            args.extend(["--message-format", "short"].map(str::to_owned));
        }
        let stdin = fs::read(folder.join("stdin")).unwrap_or_default();
        Self { folder, args, stdin, is_annotated }
    }

    fn run(&self) -> Run {
        self.run_with(&[])
    }

    /// Runs the case with additional flags.
    fn run_with(&self, flags: &[&str]) -> Run {
        let args = self.args.iter().map(String::as_str).chain(flags.iter().copied());
        support::run(&self.folder, args, &self.stdin)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn name(&self) -> String {
        self.folder.display().to_string()
    }
}

/// Returns this project's cases, and all or a sample of those that were recorded from the operator.
fn all() -> Vec<Case> {
    let recorded_cases = support::folders(&support::root().join("testdata/conformance"));
    let recorded_cases = support::sample(recorded_cases.iter().flat_map(|folder| support::folders(folder)), 5);
    let recorded_cases = recorded_cases.into_iter().map(|folder| Case::new(folder, false));
    folders().into_iter().map(Case::of_project).chain(recorded_cases).collect()
}

fn folders() -> Vec<PathBuf> {
    support::folders(&support::root().join("testdata/cases"))
}

/// Returns every case with its run, shared by all tests.
fn runs() -> &'static [(Case, Run)] {
    static RUNS: LazyLock<Vec<(Case, Run)>> = LazyLock::new(|| {
        let cases = all().into_par_iter();
        let runs = cases.map(|case| {
            let run = case.run();
            (case, run)
        });
        runs.collect()
    });
    &RUNS
}

/// Returns the cases whose expected outcome is recorded in their directories.
fn cases() -> impl Iterator<Item = &'static (Case, Run)> {
    let own_folder = support::root().join("testdata/cases");
    runs().iter().filter(move |(case, _)| case.folder.starts_with(&own_folder))
}

/// Sampling interval: a sample contains one in this many cases.
const SAMPLE_INTERVAL: usize = 10;

/// Returns all items, or one in `SAMPLE_INTERVAL` items, starting at `turn`, so that each test samples different items.
fn sample<T>(items: impl Iterator<Item = T>, turn: usize) -> Vec<T> {
    match support::all_cases() {
        true => items.collect(),
        false => items.skip(turn).step_by(SAMPLE_INTERVAL).collect(),
    }
}

/// Returns a sample of the cases that print YAML, each with its output.
fn rendered_cases(turn: usize) -> Vec<(&'static Case, &'static str)> {
    let yaml_runs = runs().iter().filter(|(_, run)| run.status == Some(0) && run.stdout.starts_with("---\n"));
    let cases = sample(yaml_runs.map(|(case, run)| (case, run.stdout.as_str())), turn);
    assert!(cases.len() > support::many_or_few(100, 4), "found only {} cases that render", cases.len());
    cases
}

/// Checks all cases in parallel and reports all failures.
fn report<T: Sync>(cases: &[T], failure: impl Fn(&T) -> Option<String> + Sync + Send) {
    let failures: Vec<_> = cases.par_iter().filter_map(failure).collect();
    support::report(&failures);
}

#[test]
fn every_case_matches_its_expected_output() {
    let mut failures = Vec::new();
    for (case, run) in cases() {
        if case.is_annotated {
            failures.extend(annotations::problem(&case.folder, run, || case.run()));
            continue;
        }
        let status = run.status.map_or("signal\n".to_owned(), |status| format!("{status}\n"));
        for (file, actual) in [("status", &status), ("stderr", &run.stderr), ("stdout", &run.stdout)] {
            failures.extend(support::compare_or_update(&case.file(file), actual).err());
        }
    }
    support::report(&failures);
}

#[test]
fn errors_leave_standard_output_empty() {
    let mut failures = Vec::new();
    for (case, run) in cases() {
        if run.status != Some(0) && case.args.iter().any(|arg| arg == "render") && !run.stdout.is_empty() {
            failures.push(case.name());
        }
    }
    support::report(&failures);
}

#[test]
fn second_run_writes_identical_output() {
    let cases = sample(runs().iter(), 0);
    assert!(cases.len() > support::many_or_few(300, 25), "found only {} cases", cases.len());
    report(&cases, |(case, run)| (case.run() != *run).then(|| case.name()));
}

#[test]
fn yaml_and_json_output_are_equivalent() {
    report(&rendered_cases(1), |(case, stream)| {
        let yaml: Vec<Value> =
            serde_yaml::Deserializer::from_str(stream).map(|document| Value::deserialize(document).unwrap()).collect();
        let list: Value = serde_json::from_str(&case.run_with(&["-o", "json"]).stdout).unwrap();
        let expected = serde_json::json!({ "apiVersion": "v1", "kind": "List", "items": yaml });
        (!are_equal(&expected, &list)).then(|| case.name())
    });
}

/// Whether YAML and JSON output are equal, except for U+0085. Go's library writes YAML by reading the JSON as YAML, in
/// which this character is a line break.
fn are_equal(yaml: &Value, json: &Value) -> bool {
    match (yaml, json) {
        (Value::String(yaml), Value::String(json)) => yaml == json || json.contains('\u{85}'),
        (Value::Array(yaml), Value::Array(json)) => {
            yaml.len() == json.len() && yaml.iter().zip(json).all(|(yaml, json)| are_equal(yaml, json))
        }
        (Value::Object(yaml), Value::Object(json)) => {
            yaml.len() == json.len()
                && yaml.iter().all(|(key, value)| json.get(key).is_some_and(|json| are_equal(value, json)))
        }
        (yaml, json) => yaml == json,
    }
}

#[test]
fn output_directory_contains_the_same_documents_as_stdout() {
    report(&rendered_cases(2), |(case, stream)| {
        let folder = case.folder.strip_prefix(support::root()).unwrap();
        let directory = support::scratch(&format!("directory-{}", folder.display()).replace('/', "-"));
        let run = case.run_with(&["--output-dir", &directory.display().to_string()]);
        let mut expected: Vec<_> = format!("\n{stream}").split("\n---\n").skip(1).map(with_line_break).collect();
        expected.sort();
        let mut actual: Vec<_> = texts(&directory).iter().map(|text| with_line_break(text)).collect();
        actual.sort();
        let is_same = (run.status, run.stdout.as_str()) == (Some(0), "") && actual == expected;
        (!is_same).then(|| case.name())
    });
}

/// Returns `text` with exactly one trailing line break.
fn with_line_break(text: &str) -> String {
    format!("{}\n", text.trim_end_matches('\n'))
}

/// Returns the contents of all files in a directory, except for the list that agentctl writes, which has no extension.
fn texts(directory: &Path) -> Vec<String> {
    let files = walkdir::WalkDir::new(directory).into_iter().map(Result::unwrap);
    files
        .filter(|entry| entry.file_type().is_file() && entry.path().extension().is_some())
        .map(|entry| fs::read_to_string(entry.path()).unwrap())
        .collect()
}

/// Codes without a case. Two of them need large inputs, which are generated in `command_line.rs` and `targets.rs`; one
/// would require a bug in agentctl.
const CODES_WITHOUT_CASE: &[&str] = &["manifest-failed", "object-too-large", "target-limit"];

#[test]
fn every_code_has_a_test_case() {
    let mut all_output = String::new();
    let alloy_cases = support::folders(&support::root().join("testdata/alloy"));
    for case in folders().into_iter().chain(alloy_cases) {
        for stream in ["stdout", "stderr"] {
            all_output.push_str(&fs::read_to_string(case.join(stream)).unwrap_or_default());
        }
        all_output.push_str(&annotations::comments(&case).concat());
    }
    // In the files of these two directories, a comment next to each mistake contains the mistake's code.
    for folder in ["mistakes", "remote-mistakes"] {
        all_output.extend(texts(&support::root().join("testdata/aggregate").join(folder)));
    }
    let is_shown = |code: &str| all_output.contains(&format!("[{code}]")) || all_output.contains(&format!(" {code}\n"));
    let untested_codes: Vec<_> = Code::ALL.iter().map(|code| code.as_str()).filter(|code| !is_shown(code)).collect();
    assert_eq!(untested_codes, CODES_WITHOUT_CASE, "each code needs a folder in testdata/cases");
}
