//! Tests of pipeline stages.

use super::{AGENT, render_configuration};
use crate::diagnostic::{Code, Diagnostic};
use crate::plan::ConfigKind;

/// Returns the configuration and the findings for PodLogs with one stage.
fn stage(stage: &str) -> (String, Vec<Diagnostic>) {
    let input = format!(
        "{AGENT}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: LogsInstance
metadata: {{name: l, namespace: ns}}
spec: {{podLogsSelector: {{}}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: PodLogs
metadata: {{name: p, namespace: ns}}
spec:
  selector: {{}}
  pipelineStages:
  - {}
",
        stage.replace('\n', "\n    ")
    );
    let (text, diagnostics) = render_configuration(&input, ConfigKind::Logs);
    let (_, stages) = text.split_once("pipeline_stages:\n").unwrap();
    let (stages, _) = stages.split_once("              relabel_configs:").unwrap();
    (stages.replace("                ", "").trim_end().to_owned(), diagnostics)
}

fn compile_nested(stages: &str) -> (String, Vec<Diagnostic>) {
    stage(&format!("match:\n  selector: s\n  stages: |\n    {}", stages.replace('\n', "\n    ")))
}

#[test]
fn writes_the_fields_of_stages() {
    let cases = [
        ("docker: {}", "- docker: {}"),
        ("json: {expressions: {}}", "- json: {}"),
        ("labels: {}", "- {}"),
        ("limit: {rate: 0}", "- limit:\n    drop: false"),
        (
            "metrics: {m: {type: GAUGE, action: set, buckets: []}}",
            "- metrics:\n    m:\n        config:\n            action: set\n        type: Gauge",
        ),
        ("match: {selector: s, stages: ''}", "- match:\n    selector: s"),
    ];
    for (text, expected) in cases {
        assert_eq!(stage(text), (expected.to_owned(), Vec::new()), "{text}");
    }
}

#[test]
fn decodes_nested_stages_like_go() {
    let cases = [
        ("# nothing", "[]"),
        ("- {REGEX: {Expression: e}, unknown: 1}", "\n        - regex:\n            expression: e"),
        ("- json: {expressions: {}}", "\n        - json:\n            expressions: {}"),
        ("- labels: {a: ~}", "\n        - labels:\n            a: \"\""),
        ("- labelDrop: [~]", "\n        - labeldrop:\n            - \"\""),
        ("- docker: ~", "\n        - {}"),
    ];
    for (text, expected) in cases {
        let separator = if expected.starts_with('\n') { "" } else { " " };
        let expected = format!("- match:\n    selector: s\n    stages:{separator}{expected}");
        let (actual_text, mut actual) = compile_nested(text);
        actual.retain(|finding| !matches!(finding.code, Code::DroppedKey | Code::UnknownField));
        assert_eq!((actual_text, actual), (expected, Vec::new()), "{text}");
    }
}

#[test]
fn drops_unknown_fields_of_nested_stages_with_a_warning() {
    let inner_stages = "- match:\n    selector: s\n    stages: |\n      - match: {selector: s, actoin: drop}";
    for (text, expected) in [
        ("- static_labels: {a: b}", Some(("static_labels", "remove `static_labels`"))),
        ("- cri: {}\n- drop: {older_than: 1h}", Some(("older_than", "did you mean `olderThan`?"))),
        ("- metrics: {a: {kind: x}}", Some(("kind", "remove `kind`"))),
        (inner_stages, Some(("actoin", "did you mean `action`?"))),
        ("- labeldrop: [a]\n- Labels: {static_labels: x}", None),
        ("- json: {expressions: {static_labels: x}}\n- metrics: {static_labels: {type: Counter}}", None),
    ] {
        let (_, diagnostics) = compile_nested(text);
        let actual =
            diagnostics.first().map(|finding| (finding.code, finding.message.as_str(), finding.help.as_deref()));
        let line = text.lines().position(|line| expected.is_some_and(|(key, _)| line.contains(key)));
        let line = if text == inner_stages { 1 } else { line.unwrap_or_default() + 1 };
        let expected = expected.map(|(key, help)| {
            let message = format!("the operator drops the unknown field `{key}` (line {line} of the nested stages)");
            (message, help)
        });
        let expected = expected.as_ref();
        assert_eq!(
            actual,
            expected.map(|(message, help)| (Code::UnknownField, message.as_str(), Some(*help))),
            "{text}"
        );
        assert!(diagnostics.len() < 2, "{text}");
    }
}

#[test]
fn reports_nested_stages_by_line() {
    let deep_stages = (0..40).fold("[]".to_owned(), |inner, _| {
        format!("- match:\n    selector: s\n    stages: |\n      {}", inner.replace('\n', "\n      "))
    });
    let cases = [
        ("- docker: {}\n- ~", "found null, expected a stage (line 2 of the nested stages)"),
        ("regex: {}", "found a mapping, expected a list (line 1 of the nested stages)"),
        ("- a: 1\n- b: [", " (line 2 of the nested stages)"),
        (
            "- cri: {}\n- limit: {rate: 1.5}",
            "[1].limit.rate: found a number, expected a whole number (line 2 of the nested stages)",
        ),
        ("- docker: x", "[0].docker: found a string, expected a mapping (line 1 of the nested stages)"),
        (deep_stages.as_str(), "found more than 32 levels of nested stages"),
    ];
    for (text, message) in cases {
        let (_, diagnostics) = compile_nested(text);
        let [diagnostic] = diagnostics.as_slice() else { panic!("{text}: {diagnostics:?}") };
        assert!(diagnostic.message.contains(message), "{}", diagnostic.message);
        assert_eq!(diagnostic.path.as_deref(), Some("spec.pipelineStages[0].match.stages"));
    }
}

#[test]
fn reports_invalid_buckets_at_their_span() {
    let metric = "metrics: {m.x: {type: histogram, action: set, buckets: ['1', .5]}}";
    let (_, diagnostics) = stage(&metric.replace(".5", "'.5'"));
    let paths: Vec<_> = diagnostics.iter().map(|d| d.path.as_deref().unwrap()).collect();
    assert_eq!(paths, ["spec.pipelineStages[0].metrics.m.x.buckets[1]"]);
}
