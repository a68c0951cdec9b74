//! Tests for fixes and for the findings that have a fix.

use super::*;
use crate::diagnostic::{Fix, apply_edits};

/// Applies the safe fixes to a spec, and returns the fixed spec.
fn apply_certain_fixes(spec: &str) -> String {
    let admitted = admit_service_monitor(spec);
    let text = &admitted.source.text;
    let fixes = admitted.diagnostics.iter().filter_map(|found| found.fix.as_ref());
    let certain_fixes: Vec<_> = fixes.filter(|fix| fix.is_certain()).collect();
    let fixed_text = match Fix::combine(certain_fixes.into_iter()) {
        Some(fix) => apply_edits(text, &fix.edits).unwrap(),
        None => text.clone(),
    };
    fixed_text.split_once("spec:\n").unwrap().1.to_owned()
}

#[test]
fn applies_safe_fixes() {
    for (spec, expected) in [
        (
            "  selector: {matchLabels: {a: 8, b: yes, c: \"x\"}} # c\n",
            "  selector: {matchLabels: {a: \"8\", b: \"yes\", c: \"x\"}} # c\n",
        ),
        ("  endpoints: [{interval: 30}]\n", "  endpoints: [{interval: 30s}]\n"),
        ("  endpoints: [{interval: '30'}]\n", "  endpoints: [{interval: '30s'}]\n"),
        ("  endpoints: [{scheme: HTTPS}]\n", "  endpoints: [{scheme: https}]\n"),
        ("  sampleLimit: '5'\n", "  sampleLimit: 5\n"),
        ("  jobLabel: 1.5\n", "  jobLabel: \"1.5\"\n"),
        ("  endpoints: [{honorLabels: \"true\"}]\n", "  endpoints: [{honorLabels: true}]\n"),
        (
            "  endpoints:\n  - intervall: 5s # c\n    prot: http\n",
            "  endpoints:\n  - interval: 5s # c\n    port: http\n",
        ),
        ("  selektor: {}\n", "  selector: {}\n"),
        ("  endpoints: [{params: {y: [a]}}]\n", "  endpoints: [{params: {\"y\": [a]}}]\n"),
    ] {
        assert_eq!(apply_certain_fixes(spec), expected);
    }
}

#[test]
fn does_not_fix_uncertain_mistakes() {
    for spec in [
        // If the number were quoted, it would be a port name that the Service does not have.
        "  endpoints: [{port: 8080}]\n",
        "  selector: {matchLabels: {a: -1}}\n",
        "  selector: {matchLabels: {a: 1.5.}}\n",
        "  endpoints: [{interval: -5}]\n",
        "  endpoints: [{interval: 0x10}]\n",
        "  endpoints: [{interval: 1.5}]\n",
        "  sampleLimit: '010'\n",
        "  sampleLimit: '5 '\n",
        "  endpoints: [{honorLabels: 'yes'}]\n",
        "  endpoints: [{interval: 5s, intervall: 6s}]\n",
        "  endpoints: [{intervall: 5}]\n",
        "  endpoints: [{scheme: ftp}]\n",
        "  endpoints: [{interval: &a 30, scrapeTimeout: *a}]\n",
    ] {
        assert_eq!(apply_certain_fixes(spec), spec);
    }
    let fixed_spec = apply_certain_fixes("  endpoints: [{intervall: 5s, intervals: 6s}]\n");
    assert_eq!(fixed_spec, "  endpoints: [{interval: 5s, intervals: 6s}]\n");
}

#[test]
fn quotes_names_and_labels_only_if_valid() {
    for (metadata, expected) in [
        ("{name: 5}", &["name"][..]),
        ("{name: -5}", &[]),
        ("{name: a, labels: {a: 5, b: -5}}", &["a"]),
        ("{name: a, annotations: {a: 5, b: -5}}", &["a", "b"]),
    ] {
        let kind = "apiVersion: monitoring.grafana.com/v1alpha1\nkind: PodLogs\nspec: {selector: {}}\n";
        let admitted = admit_text(&format!("{kind}metadata: {metadata}\n"));
        let fixes = admitted.diagnostics.iter().filter_map(|found| found.fix.as_ref());
        let titles: Vec<_> = fixes.map(|fix| fix.title.clone()).collect();
        let expected: Vec<_> = expected.iter().map(|name| format!("quote `{name}`")).collect();
        assert_eq!(titles, expected, "{metadata}");
    }
}

#[test]
fn never_changes_secret_values() {
    let text = "apiVersion: v1\nkind: Secret\nmetadata: {name: 5}\nstringData: {a: 12345, b: yes}\ntyp: x\n";
    let admitted = admit_text(text);
    let fixes = admitted.diagnostics.iter().filter_map(|found| found.fix.as_ref());
    let titles: Vec<_> = fixes.map(|fix| fix.title.as_str()).collect();
    assert_eq!(titles, ["quote `name`"]);
}
