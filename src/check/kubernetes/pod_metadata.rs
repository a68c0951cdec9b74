//! Labels, annotations and node labels of the pods. The API server does not look at them in a custom resource.

use super::diagnostics;
use crate::api::{GrafanaAgent, Resource, TextMap, syntax};
use crate::diagnostic::Diagnostic;

/// Builds a finding of an agent from the field, the key, the text and what is wrong with it.
type Invalid = fn(&Resource<'_, GrafanaAgent<'_>>, &'static str, &str, &str, &str) -> Diagnostic;

pub(super) fn check<'d>(agent: &Resource<'d, GrafanaAgent<'d>>) -> Vec<Diagnostic> {
    let mut found = labels(
        agent,
        "spec.nodeSelector",
        &agent.spec.node_selector,
        diagnostics::node_label,
    );
    if let Some(metadata) = &agent.spec.pod_metadata {
        found.extend(labels(
            agent,
            "spec.podMetadata.labels",
            &metadata.labels,
            diagnostics::pod_label,
        ));
        for &key in metadata.annotations.keys() {
            // The prefix of an annotation may have capitals.
            if let Some(problem) = syntax::qualified_name(&key.to_lowercase()) {
                found.push(diagnostics::pod_annotation(agent, key, &problem));
            }
        }
    }
    found
}

fn labels<'d>(
    agent: &Resource<'d, GrafanaAgent<'d>>,
    field: &'static str,
    labels: &TextMap<'d>,
    invalid: Invalid,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (&key, &value) in labels {
        for (text, problem) in [(key, syntax::qualified_name(key)), (value, syntax::label_value(value))] {
            if let Some(problem) = problem {
                found.push(invalid(agent, field, key, text, &problem));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{agent, lines, manifest};

    #[test]
    fn labels_and_annotations() {
        for (spec, expected) in [
            (
                "podMetadata: {labels: {team: a, x.io/b: ''}, annotations: {X.io/a: 'any text!'}}",
                None,
            ),
            (
                "podMetadata: {labels: {team: 'a b'}}",
                Some("spec.podMetadata.labels.team"),
            ),
            ("podMetadata: {labels: {'a b': a}}", Some("spec.podMetadata.labels.a b")),
            (
                "podMetadata: {annotations: {'a b': a}}",
                Some("spec.podMetadata.annotations.a b"),
            ),
            ("nodeSelector: {team: 'a b'}", Some("spec.nodeSelector.team")),
        ] {
            let spec = format!("metrics: {{instanceSelector: {{}}}}, {spec}");
            let lines = lines(&[&agent("a", &spec), &manifest("MetricsInstance", "i", "{}")]);
            let path = lines
                .first()
                .and_then(|line| line.strip_prefix("invalid-pod-metadata ")?.split(':').next());
            assert_eq!(path, expected, "{lines:?}");
        }
    }
}
