//! Suppression of consequences: a finding is omitted if its cause is also reported.

use std::collections::HashMap;

use crate::diagnostic::{Code, Diagnostic, ObjectKey};

/// Prefix of causes that mark consequences of an unselected instance. [`link`] replaces these causes.
const UNSELECTED: &str = "nothing selects ";

/// Returns the cause shared by all findings that result from an unselected instance.
pub fn unselected_cause(instance: &ObjectKey) -> String {
    format!("{UNSELECTED}{instance}")
}

/// Gives findings that result from an unselected instance the same cause as the finding about the instance. Such
/// findings are reported separately if the instance has no finding, because a different agent selects it or its labels
/// are unknown.
pub fn link(findings: &mut [Diagnostic]) {
    let mut causes = HashMap::new();
    for finding in findings.iter_mut() {
        let is_unselected = matches!(finding.code, Code::Unselected | Code::UndescribedNamespace);
        if let Some(instance) = finding.resource.as_ref().filter(|_| is_unselected) {
            let consequence_cause = unselected_cause(instance);
            let cause = finding.cause.get_or_insert_with(|| consequence_cause.clone());
            causes.entry(consequence_cause).or_insert_with(|| cause.clone());
        }
    }
    let is_consequence = |finding: &&mut Diagnostic| {
        let cause = finding.cause.as_deref();
        finding.is_consequence && cause.is_some_and(|cause| cause.starts_with(UNSELECTED))
    };
    for finding in findings.iter_mut().filter(is_consequence) {
        finding.cause = finding.cause.take().and_then(|cause| causes.get(&cause).cloned());
        finding.is_consequence = finding.cause.is_some();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::tests::{agent, findings, integration, manifest};

    #[test]
    fn consequences_share_the_cause_of_their_unselected_instance() {
        let instance = |name| ObjectKey::new("MetricsInstance", "ns", name);
        let unselected_finding = |name, cause: Option<&str>| {
            let finding = Diagnostic::new(Code::Unselected, "m").resource(instance(name));
            Diagnostic { cause: cause.map(str::to_owned), ..finding }
        };
        let consequence =
            |name| Diagnostic::new(Code::UnknownInstance, "m").consequence_of(unselected_cause(&instance(name)));
        for (instance_finding, expected) in [
            (Some(unselected_finding("a", Some("typo"))), Some("typo")),
            (Some(unselected_finding("a", None)), Some("nothing selects MetricsInstance/ns/a")),
            (Some(unselected_finding("b", Some("typo"))), None),
            (None, None),
        ] {
            let mut findings = vec![consequence("a")];
            findings.extend(instance_finding);
            link(&mut findings);
            assert_eq!(findings[0].cause.as_deref(), expected);
            assert_eq!(findings[0].is_consequence, expected.is_some());
        }
    }

    #[test]
    fn unselected_instances_explain_integration_findings() {
        let mysql = |instance: &str| {
            let config =
                format!("{{data_source_name: 'u@(h)/', autoscrape: {{enable: true, metrics_instance: {instance}}}}}");
            integration("i", "mysql", &[], &config)
        };
        let event_handler =
            |instance: &str| integration("i", "eventhandler", &[], &format!("{{logs_instance: {instance}}}"));
        let (metrics, logs) = (manifest("MetricsInstance", "m", "{}"), manifest("LogsInstance", "m", "{}"));
        let other_metrics = metrics.replace("name: m", "name: m, namespace: other");
        for (selectors, instance, integration, is_consequence) in [
            ("metrics: {}", &metrics, mysql("default/m"), Some(true)),
            ("metrics: {instanceSelector: {matchLabels: {a: b}}}", &metrics, mysql("default/m"), Some(true)),
            ("metrics: {instanceSelector: {}}", &other_metrics, mysql("other/m"), Some(true)),
            ("logs: {}", &logs, event_handler("default/m"), Some(true)),
            ("logs: {instanceSelector: {matchLabels: {a: b}}}", &logs, event_handler("default/m"), Some(true)),
            // The instance is not defined, so the finding is not a consequence.
            ("metrics: {}", &metrics, mysql("default/n"), Some(false)),
            ("logs: {}", &metrics, event_handler("default/m"), Some(false)),
            ("metrics: {instanceSelector: {}}", &metrics, mysql("default/m"), None),
        ] {
            let agent = agent("a", &format!("integrations: {{selector: {{}}}}, {selectors}"));
            let mut diagnostics = findings(&[&agent, instance, &integration]).into_iter();
            let unknown = diagnostics.find(|finding| finding.code == Code::UnknownInstance);
            assert_eq!(unknown.map(|finding| finding.is_consequence), is_consequence, "{selectors} {integration}");
        }
    }
}
