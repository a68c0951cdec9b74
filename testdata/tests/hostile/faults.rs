//! Tests the findings for faults from public bug reports. `testdata/faults/table.yaml` contains the inputs for each
//! type of fault.

use std::fs;

use rayon::prelude::*;
use serde::Deserialize;
use serde_json::Value;

use crate::support::{root, run};

#[derive(Deserialize)]
struct Table {
    base: String,
    rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    kind: String,
    was: String,
    now: String,
    /// Severity and code of each finding on the changed line.
    findings: Vec<String>,
    /// Severity and code of each finding on any other line.
    #[serde(default)]
    elsewhere: Vec<String>,
    /// Start of the first finding's help text.
    help: Option<String>,
}

/// Returns the findings of `check` as JSON.
fn check(input: &str) -> Vec<Value> {
    let output = run(root(), ["check", "-", "--message-format", "json"], input.as_bytes());
    let findings = output.stdout.lines().map(|line| serde_json::from_str(line).unwrap());
    findings.filter(|finding: &Value| finding["code"].is_string()).collect()
}

#[test]
fn reports_faults_at_their_line() {
    let table = fs::read_to_string(root().join("testdata/faults/table.yaml")).unwrap();
    let table: Table = serde_yaml::from_str(&table).unwrap();
    assert_eq!(check(&table.base), Vec::<Value>::new());
    table.rows.par_iter().for_each(|row| {
        let case = format!("{}: {}", row.kind, row.now);
        let at = table.base.find(&row.was).unwrap_or_else(|| panic!("{case}"));
        let line = 1 + table.base[..at].matches('\n').count();
        let actual = check(&table.base.replacen(&row.was, &row.now, 1));
        let format_findings = |is_here: bool| {
            let matching = actual.iter().filter(|finding| (finding["line"] == line) == is_here);
            let format_findings = matching.map(|finding| {
                let text = |key: &str| finding[key].as_str().unwrap();
                format!("{} {}", text("severity"), text("code"))
            });
            format_findings.collect::<Vec<_>>()
        };
        assert_eq!(format_findings(true), row.findings, "{case}: {actual:?}");
        assert_eq!(format_findings(false), row.elsewhere, "{case}: {actual:?}");
        if let Some(help) = &row.help {
            let actual = actual[0]["help"].as_str().unwrap();
            assert!(actual.starts_with(help), "{case}: {actual}");
        }
    });
}
