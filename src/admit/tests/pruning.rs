//! Tests that unknown fields are dropped with a warning, and that nulls are dropped without a warning.

use crate::testing;
use serde_json::json;

use super::*;

#[test]
fn drops_unknown_fields_with_a_warning() {
    let admitted =
        admit_service_monitor("  selector: {}\n  endpoints:\n  - prot: web\n    nested: {a: 1}\n  scrapeClass: b\n");
    assert_eq!(
        admitted.lines(),
        [
            "7 spec.endpoints[0].prot: `endpoints[0]` has no field `prot`, so the field is dropped; did you mean `port`?",
            "8 spec.endpoints[0].nested: `endpoints[0]` has no field `nested`, so the field is dropped",
            "9 spec.scrapeClass: `spec` has no field `scrapeClass`, so the field is dropped; remove it: prometheus-operator added it in \
             v0.72.0, but the Grafana Agent Operator supports only the fields of v0.66.0",
        ]
    );
    assert!(admitted.diagnostics.iter().all(|d| d.severity == Severity::Warning));
    assert_eq!(admitted.documents[0]["spec"], json!({"selector": {}, "endpoints": [{}]}));
}

#[test]
fn suggests_moving_misplaced_fields() {
    let admitted = admit_service_monitor("  selector: {}\n  endpoints: []\n  honorLabels: true\n");
    assert_eq!(
        admitted.lines(),
        [
            "7 spec.honorLabels: `spec` has no field `honorLabels`, so the field is dropped; move it to `spec.endpoints[]`"
        ]
    );
}

#[test]
fn mode_determines_the_severity_of_unknown_fields() {
    let text = "apiVersion: monitoring.grafana.com/v1alpha1\nkind: LogsInstance\nmetadata: {name: a}\nstatus: {}\n";
    let strict_admission = admit_with(text, UnknownFields::Strict);
    assert_eq!(
        strict_admission.lines(),
        [
            "4 status: `LogsInstance` has no field `status`; remove it: exported resources contain `status`, but only the cluster can set it"
        ]
    );
    assert_eq!(strict_admission.diagnostics[0].severity, Severity::Error);
    let silent_admission = admit_with(text, UnknownFields::Ignore);
    assert_eq!(silent_admission.lines(), [""; 0]);
    assert_eq!(silent_admission.documents[0].get("status"), None);
}

#[test]
fn keeps_fields_without_a_schema() {
    let admitted = admit_text(
        "apiVersion: monitoring.grafana.com/v1alpha1\nkind: Integration\nmetadata: {name: a}\nspec:\n  name: x\n  \
         type: {unique: true}\n  config: {any: [1, null, {thing: ~}]}\n",
    );
    assert_eq!(admitted.lines(), [""; 0]);
    assert_eq!(admitted.documents[0]["spec"]["config"], json!({"any": [1, null, {"thing": null}]}));
}

#[test]
fn nulls_count_as_missing() {
    let admitted = admit_service_monitor("  selector: {matchLabels: {a: ~, b: c}}\n  jobLabel: ~\n  endpoints:\n");
    assert_eq!(
        admitted.lines(),
        [
            "5 spec.selector.matchLabels.a: `a` in `matchLabels` has no value, so the key is dropped; set a value, write `\"\"` for an empty string, or remove the key",
            "7 spec.endpoints: `spec` has no `endpoints`, which is required; set a value for `endpoints`"
        ]
    );
    assert_eq!(admitted.documents[0]["spec"], json!({"selector": {"matchLabels": {"b": "c"}}}));
}

#[test]
fn rejects_nulls_in_lists() {
    let admitted = admit_service_monitor("  selector: {}\n  endpoints:\n  - port: web\n  -\n");
    assert_eq!(
        admitted.lines(),
        ["8 spec.endpoints[1]: `endpoints[1]` must be a mapping, but is null; remove the empty item"]
    );
}

#[test]
fn drops_many_unknown_fields() {
    let fields: String = (0..5_000).map(|i| format!("  unknown{i}: 1\n")).collect();
    let admitted = admit_service_monitor(&format!("  selector: {{}}\n  endpoints: []\n{fields}"));
    let counts: Vec<_> = admitted.diagnostics.iter().map(|found| found.count()).collect();
    assert_eq!((counts.len(), counts.iter().sum::<usize>()), (1_001, 5_000));
    assert_eq!(admitted.documents[0]["spec"], json!({"selector": {}, "endpoints": []}));
}

#[test]
fn admission_is_idempotent() {
    let text = "apiVersion: monitoring.coreos.com/v1\nkind: PodMonitor\nmetadata: {name: a, x: 1}\nspec:\n  selector: {}\n  \
                jobLabel: ~\n  podMetricsEndpoints:\n  - {relabelings: [{action: ~}, {}], y: 2}\n";
    let mut document = testing::document(text);
    for is_new in [true, false] {
        let (mut edits, mut out) = (Edits::default(), Vec::new());
        admit(Kind::PodMonitor, document.root(), &AdmitOptions::default(), &mut edits, &mut out);
        assert_eq!((!edits.is_empty(), !out.is_empty()), (is_new, is_new));
        document.apply(edits);
    }
}

#[test]
fn explains_unknown_fields() {
    let build_help = "check what kustomize builds from this patch: `agentctl check -k DIR`";
    let selects_everything = "; as written, the selector is `{}`, which selects everything";
    let labels = "write labels under `matchLabels`: `matchLabels: {app: …}`";
    for (spec, path, expected) in [
        ("namespace: x", "spec.namespace", "move it to `metadata.namespace`".to_owned()),
        ("labels: {}", "spec.labels", "move it to `metadata.labels`".to_owned()),
        ("selector: {app: web}", "spec.selector.app", format!("{labels}{selects_everything}")),
        ("selector: {matchLabels: {a: b}, app: web}", "spec.selector.app", labels.to_owned()),
        (
            "selector: {matchExpressions: [], matchLabel: {a: b}}",
            "spec.selector.matchLabel",
            "rename it to `matchLabels`".to_owned(),
        ),
        (
            "selector: {matchLabel: {a: b}}",
            "spec.selector.matchLabel",
            format!("rename it to `matchLabels`{selects_everything}"),
        ),
        (
            "namespaceSelector: {matchLabels: {a: b}}",
            "spec.namespaceSelector.matchLabels",
            "set `matchNames` to a list of namespaces, or set `any: true`: a monitor cannot select namespaces by label"
                .to_owned(),
        ),
        ("$patch: delete", "spec.$patch", build_help.to_owned()),
        (
            "endpoints: [{relabelConfigs: []}]",
            "spec.endpoints[0].relabelConfigs",
            "did you mean `relabelings`?".to_owned(),
        ),
        ("endpoints: [{relabelConfigs: [], relabelings: []}]", "spec.endpoints[0].relabelConfigs", String::new()),
        ("selector:{}: x", "spec.selector:{}", "put a colon and a space after `selector`".to_owned()),
    ] {
        let admitted = admit_service_monitor(&format!("  {spec}\n"));
        let findings: Vec<_> = admitted
            .diagnostics
            .iter()
            .filter(|finding| finding.code == crate::diagnostic::Code::UnknownField)
            .map(|finding| (finding.path.as_deref().unwrap(), finding.help.clone().unwrap_or_default()))
            .collect();
        assert_eq!(findings, [(path, expected)], "{spec}");
    }
}
