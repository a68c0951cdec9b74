//! Compares agentctl with a real API server (v1.20.2, with its controllers) for GrafanaAgents that each have one
//! unusual field. Each line of `testdata/pods.jsonl` is a case:
//!
//! ```text
//! metadata, spec   fields that replace or complement those of AGENT; null removes a field
//! verdict          accepted; refused: objects, pods or claims are rejected; resource-refused: the GrafanaAgent is rejected
//! fields           fields in which the mistake may be reported
//! ```
//!
//! The verdicts were recorded once and are never updated. Newer versions accept nothing that was rejected. Image names
//! are not tested, because it is the kubelet that rejects them, not the API server.

use crate::testing::TestInput;
use agentctl::diagnostic::{Code, Diagnostic, Severity};
use serde_json::{Map, Value, json};

use crate::support;

const OTHER_RESOURCES: &str = r#"
{"apiVersion": "monitoring.grafana.com/v1alpha1", "kind": "MetricsInstance",
 "metadata": {"name": "m", "namespace": "probes"}, "spec": {"remoteWrite": [{"url": "https://x/"}]}}
---
{"apiVersion": "monitoring.grafana.com/v1alpha1", "kind": "LogsInstance",
 "metadata": {"name": "l", "namespace": "probes"}, "spec": {"clients": [{"url": "https://x/"}]}}
---
{"apiVersion": "monitoring.grafana.com/v1alpha1", "kind": "Integration",
 "metadata": {"name": "i", "namespace": "probes"},
 "spec": {"name": "node_exporter", "type": {"allNodes": true, "unique": true}, "config": {}}}
---
{"apiVersion": "monitoring.grafana.com/v1alpha1", "kind": "Integration",
 "metadata": {"name": "d", "namespace": "probes"},
 "spec": {"name": "redis", "type": {"allNodes": false, "unique": false}, "config": {"redis_addr": "redis:6379"}}}
"#;

/// Secrets that the agents refer to.
const SECRETS: [&str; 4] = ["s", "a.b", "a-b", "sssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssss"];

#[test]
fn agrees_with_the_api_server() {
    let cases = include_str!("../../pods.jsonl").lines().map(|line| serde_json::from_str(line).unwrap());
    let cases: Vec<Map<String, Value>> = cases.collect();
    assert!(cases.len() > 500);
    let failures: Vec<_> = support::sample(&cases, 4).into_iter().filter_map(disagreement).collect();
    assert!(failures.is_empty(), "{} disagree:\n{}", failures.len(), failures.join("\n"));
}

/// Returns the difference between agentctl's result and the recorded verdict, if any.
fn disagreement(case: &Map<String, Value>) -> Option<String> {
    let errors: Vec<_> = errors(case);
    let fields = case.get("fields").and_then(Value::as_array);
    let is_at_field = |error: &&Diagnostic| {
        let path = error.path.as_deref().unwrap_or_default();
        fields.into_iter().flatten().any(|field| path.starts_with(field.as_str().unwrap()))
    };
    let at_field = errors.iter().find(is_at_field);
    let is_agreed = match case["verdict"].as_str().unwrap() {
        "accepted" => errors.is_empty(),
        "refused" => at_field.is_some() && errors.iter().all(|error| error.code.fails_at_runtime()),
        _ => at_field.is_some_and(|error| !error.code.fails_at_runtime()),
    };
    let describe_errors =
        || errors.iter().map(|d| format!("{} {:?}: {}", d.code, d.path, d.message)).collect::<Vec<_>>();
    (!is_agreed).then(|| format!("{} is {}, not {:?}", case["name"], case["verdict"], describe_errors()))
}

fn errors(case: &Map<String, Value>) -> Vec<Diagnostic> {
    let mut agent = json!({
        "apiVersion": "monitoring.grafana.com/v1alpha1",
        "kind": "GrafanaAgent",
        "metadata": {"name": "agent", "namespace": "probes"},
        "spec": {
            "image": "grafana/agent:v0.44.8",
            "serviceAccountName": "agent",
            "metrics": {"instanceSelector": {}},
            "logs": {"instanceSelector": {}},
            "integrations": {"selector": {}},
        },
    });
    for part in ["metadata", "spec"] {
        for (field, value) in case.get(part).and_then(Value::as_object).into_iter().flatten() {
            match value {
                Value::Null => agent[part].as_object_mut().unwrap().remove(field),
                value => agent[part].as_object_mut().unwrap().insert(field.clone(), value.clone()),
            };
        }
    }
    let secret = |name: &str| {
        json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name, "namespace": "probes"},
               "stringData": {"a": "b", "k": "v"}})
    };
    let secrets = SECRETS.map(|name| secret(name).to_string());
    let pod_findings =
        TestInput::numbered([agent.to_string(), OTHER_RESOURCES.to_owned(), secrets.join("\n---\n")]).findings();
    pod_findings
        .into_iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error && diagnostic.code != Code::InvalidImage)
        .collect()
}
