//! Tests that missing fields are set to their defaults if their parent exists.

use serde_json::json;

use super::*;

#[test]
fn sets_defaults_only_below_existing_parents() {
    let admitted = admit_service_monitor(
        "  selector: {}\n  endpoints:\n  - relabelings:\n    - {targetLabel: a}\n    - {action: drop}\n    - {action: ~}\n",
    );
    assert_eq!(admitted.lines(), [""; 0]);
    assert_eq!(
        admitted.documents[0]["spec"]["endpoints"],
        json!([{"relabelings": [
            {"targetLabel": "a", "action": "replace"}, {"action": "drop"}, {"action": "replace"},
        ]}])
    );
}

#[test]
fn probes_without_a_prober_have_no_default_path() {
    let probe = "apiVersion: monitoring.coreos.com/v1\nkind: Probe\nmetadata: {name: a}\nspec: ";
    let without_prober = admit_text(&format!("{probe}{{}}"));
    assert_eq!(without_prober.documents[0]["spec"], json!({}));
    let with_prober = admit_text(&format!("{probe}{{prober: {{url: a}}}}"));
    assert_eq!(with_prober.documents[0]["spec"], json!({"prober": {"url": "a", "path": "/probe"}}));
}

#[test]
fn default_ports_collide_like_explicit_ones() {
    let agent = "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {name: a}\nspec:\n  \
                 containers:\n  - name: a\n    ports:\n";
    let same_ports = admit_text(&format!(
        "{agent}    - {{containerPort: 80}}\n    - {{containerPort: 80, protocol: UDP}}\n    - containerPort: 80\n      \
         protocol: TCP\n    - {{containerPort: 80}}\n"
    ));
    assert_eq!(
        same_ports.lines(),
        ["10 spec.containers[0].ports[2]: `ports[2]` has the same `containerPort` and `protocol` as `ports[0]`; \
          make them differ, or remove one"]
    );
    assert_eq!(same_ports.diagnostics[0].labels.len(), 2);
}

#[test]
fn converts_scalars_of_the_wrong_type() {
    for (spec, path, expected) in [
        ("endpoints: [{port: 8080}]", "/endpoints/0/port", json!("8080")),
        ("endpoints: [{port: 1.50}]", "/endpoints/0/port", json!("1.50")),
        ("endpoints: [{port: yes}]", "/endpoints/0/port", json!("yes")),
        ("endpoints: [{port: [a]}]", "/endpoints/0/port", json!(null)),
        ("sampleLimit: '7'", "/sampleLimit", json!(7)),
        ("sampleLimit: x", "/sampleLimit", json!(null)),
        ("sampleLimit: true", "/sampleLimit", json!(null)),
        ("endpoints: [{honorLabels: 'true'}]", "/endpoints/0/honorLabels", json!(true)),
        ("endpoints: [{honorLabels: 'yes'}]", "/endpoints/0/honorLabels", json!(null)),
        ("endpoints: [{honorLabels: 1}]", "/endpoints/0/honorLabels", json!(null)),
        ("endpoints: [{targetPort: 99999999999}]", "/endpoints/0/targetPort", json!(null)),
    ] {
        let admitted = admit_service_monitor(&format!("  selector: {{}}\n  {spec}\n"));
        assert_eq!(admitted.documents[0]["spec"].pointer(path), Some(&expected), "{spec}");
    }
}
