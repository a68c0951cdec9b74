//! Helpers for tests of rules, and tests of the list of rules.

use super::violation::{field_path, statement};
use super::walk::{Json, Rows, violations};
use crate::compile::CompileOptions;
use crate::diagnostic::Diagnostic;
use crate::testing::TestInput;

/// Agent that selects every instance and Integration in its namespace.
pub const AGENT: &str = "
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: a}
spec:
  metrics: {instanceSelector: {}}
  logs: {instanceSelector: {}}
  integrations: {selector: {}}
";

/// Returns an agent. `fields` contains the fields of its `spec`, without braces.
pub fn agent(name: &str, fields: &str) -> String {
    manifest("GrafanaAgent", &format!("'{name}'"), &format!("{{{fields}}}"))
}

/// Returns a manifest of one of the operator's kinds.
pub fn manifest(kind: &str, name: &str, spec: &str) -> String {
    format!("apiVersion: monitoring.grafana.com/v1alpha1\nkind: {kind}\nmetadata: {{name: {name}}}\nspec: {spec}\n")
}

/// Returns an Integration. `types` lists which of the `allNodes` and `unique` fields are true.
pub fn integration(resource: &str, name: &str, types: &[&str], config: &str) -> String {
    let is = |flag| types.contains(&flag);
    let (all_nodes, unique) = (is("allNodes"), is("unique"));
    let types = format!("{{allNodes: {all_nodes}, unique: {unique}}}");
    manifest("Integration", resource, &format!("{{name: {name}, type: {types}, config: {config}}}"))
}

/// Returns the findings from compiling these documents, except those about settings that have no effect.
pub fn findings(documents: &[&str]) -> Vec<Diagnostic> {
    findings_with(documents, &CompileOptions { skips_label_flow: true, ..CompileOptions::default() })
}

/// Returns all findings from compiling these documents.
pub fn flow_findings(documents: &[&str]) -> Vec<Diagnostic> {
    findings_with(documents, &CompileOptions::default())
}

fn findings_with(documents: &[&str], options: &CompileOptions) -> Vec<Diagnostic> {
    TestInput::new(documents.join("\n---\n")).options(options).findings()
}

/// Returns the findings from compiling these documents, as `code path: message`.
pub fn lines(documents: &[&str]) -> Vec<String> {
    let line = |d: Diagnostic| format!("{} {}: {}", d.code, d.path.unwrap_or_default(), d.message);
    findings(documents).into_iter().map(line).collect()
}

/// Formats a finding with its labels and help.
pub fn describe(finding: &Diagnostic) -> String {
    let labels = finding.labels.iter().filter(|label| !label.text.is_empty());
    let labels: String = labels.map(|label| format!(" [{}]", label.text)).collect();
    format!(
        "{}[{}] {}: {}{}{labels}",
        finding.severity.as_str(),
        finding.code,
        finding.path.as_deref().unwrap_or_default(),
        finding.message,
        finding.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default()
    )
}

/// Compares lines with `expected`, ignoring blank lines and indentation.
#[track_caller]
pub fn assert_lines(found: &[String], expected: &str) {
    let expected: Vec<_> = expected.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert!(found == expected, "{}", found.join("\n"));
}

/// Applies a table to a JSON object. Returns each finding as `path: message`, followed by `; help` if there is any.
pub fn broken_rules(rows: Rows, object: &serde_json::Value) -> Vec<String> {
    let (violations, _) = violations(rows, Json::Built(object));
    let line = |violation: &super::walk::Violation<'_>| {
        let help = Some(&violation.help).filter(|help| !help.is_empty());
        let help = help.map(|help| format!("; {help}")).unwrap_or_default();
        format!("{}: {}{help}", field_path(&violation.path, &[]), statement(violation, false))
    };
    violations.iter().map(line).collect()
}

#[test]
fn rules_have_sources_and_unique_codes() {
    let mut codes: Vec<_> = super::rules().flat_map(|rule| rule.codes).collect();
    codes.sort_unstable();
    assert!(codes.is_sorted_by(|one, next| one < next), "{codes:?}");
    assert!(super::rules().all(|rule| !rule.source.is_empty()));
}

#[test]
fn codes_table_lists_rule_sources() {
    let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/codes.md");
    let page = std::fs::read_to_string(page).unwrap();
    for rule in super::rules() {
        let functions: Vec<_> = rule.source.split('`').skip(1).step_by(2).collect();
        for code in rule.codes {
            let row = page.lines().find(|line| line.starts_with(&format!("| [`{code}`]")));
            let row = row.unwrap_or_else(|| panic!("docs/codes.md has no row for `{code}`"));
            let is_named = functions.iter().any(|function| row.contains(function));
            assert!(is_named, "docs/codes.md: the row of `{code}` names nothing of {}", rule.source);
        }
    }
}
