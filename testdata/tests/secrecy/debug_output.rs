//! Tests that `Debug` output contains no secret values, so that no future message or panic can show one.

use crate::testing::TestInput;
use std::fmt::Debug;

use agentctl::compile::{compile, read};
use agentctl::diff::{self, ObjectState};
use agentctl::emit::{StreamFormat, write_stream};
use agentctl::yaml;
use agentctl::{admit, resolve};

const SECRETS: [&str; 2] = ["hunter2-hunter2", "aHVudGVyMi1odW50ZXIy"];

const INPUT: &str = "\
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: agent, namespace: monitoring}
spec: {metrics: {instanceSelector: {}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: primary, namespace: monitoring}
spec:
  remoteWrite:
  - url: http://prometheus/api/v1/write
    basicAuth:
      username: {name: credentials, key: username}
      password: {name: credentials, key: password}
---
apiVersion: v1
kind: Secret
metadata: {name: credentials, namespace: monitoring}
stringData: {username: hunter2-hunter2}
data: {password: aHVudGVyMi1odW50ZXIy}
";

#[track_caller]
fn assert_hides_secrets(what: &str, value: &impl Debug) {
    for text in [format!("{value:?}"), format!("{value:#?}")] {
        for secret in SECRETS {
            assert!(!text.contains(secret), "{what}: {text}");
        }
    }
}

#[test]
fn debug_output_contains_no_secret() {
    let TestInput { sources, options } = TestInput::new(INPUT);
    assert_hides_secrets("sources", &sources);
    let (documents, _) = read(&sources, &options);
    assert_hides_secrets("documents", &documents);
    for document in &documents {
        assert_hides_secrets("document", document.document());
        assert_hides_secrets("node", &document.document().root());
        assert_hides_secrets("value", &yaml::to_value(document.document().root()));
    }
    let resources = admit::decode(&documents, "default");
    let resolved = resolve::resolve(&resources.output, &options.resolve);
    assert_hides_secrets("diagnostics", &resolved.diagnostics);
    let compiled = compile(&sources, &options);
    assert_eq!(compiled.output.objects.iter().count(), 4, "{:?}", compiled.diagnostics);
    assert_hides_secrets("bundle", &compiled.output);
    let states = || -> Vec<_> {
        let objects = compiled.output.objects.iter();
        objects.map(ObjectState::from_rendered).collect()
    };
    assert_hides_secrets("states", &states());
    let diff_options = diff::DiffOptions { show_secrets: true, ..diff::DiffOptions::default() };
    let changes: Vec<_> = diff::diff(Vec::new(), states(), diff_options).collect();
    assert_eq!(changes.len(), 4);
    assert_hides_secrets("changes", &changes);

    let mut output = Vec::new();
    write_stream(compiled.output.objects.iter(), StreamFormat::Yaml, &mut output).unwrap();
    assert!(String::from_utf8(output).unwrap().contains(SECRETS[1]), "the values are there");
}

#[test]
fn debug_output_of_values_shows_kinds_and_keys() {
    let value = yaml::Value::from(serde_json::json!({"a": [null, true, 5, 1.5, SECRETS[0]]}));
    assert_eq!(format!("{value:?}"), r#"{"a": [null, boolean, number, number, string]}"#);
    let secret = yaml::Value::secret(SECRETS[0], yaml::SecretSource::Field);
    assert_eq!(format!("{secret:?}"), "secret");
}
