//! Names of volumes: DNS labels, each once in a pod (`ValidateVolumes`).

use std::collections::BTreeSet;

use super::diagnostics;
use super::origin::Origins;
use super::pods::Pods;
use crate::api::syntax;
use crate::diagnostic::Diagnostic;

pub(super) fn check(pods: &Pods<'_>, origins: &Origins<'_>) -> Vec<Diagnostic> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for volume in pods.spec.volumes.iter().flatten() {
        let name = volume.name.as_str();
        let of_name = origins.volumes(name);
        if !seen.insert(name) {
            found.push(diagnostics::duplicate_volume(name, &of_name, origins.agent()));
        } else if let Some(problem) = syntax::dns_label(name) {
            found.push(diagnostics::invalid_volume_name(
                name,
                &problem,
                &of_name,
                origins.agent(),
            ));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{agent, found, lines, manifest};

    fn of_agent(fields: &str) -> [String; 2] {
        let spec = format!("metrics: {{instanceSelector: {{}}}}, {fields}");
        [agent("a", &spec), manifest("MetricsInstance", "m", "{}")]
    }

    #[test]
    fn names_are_labels_and_there_once() {
        for (fields, expected) in [
            ("volumes: [{name: v}, {name: w}], secrets: [s], configMaps: [s]", None),
            (
                "volumes: [{name: v}, {name: v}]",
                Some("duplicate-volume spec.volumes[1].name"),
            ),
            (
                "volumes: [{name: config}]",
                Some("duplicate-volume spec.volumes[0].name"),
            ),
            (
                "volumes: [{name: a-wal}]",
                Some("duplicate-volume spec.volumes[0].name"),
            ),
            ("secrets: [a.b, a_b]", Some("duplicate-volume spec.secrets[1]")),
            (
                "volumes: [{name: a.b}]",
                Some("invalid-volume-name spec.volumes[0].name"),
            ),
        ] {
            let [agent, instance] = of_agent(fields);
            let lines = lines(&[&agent, &instance]);
            assert_eq!(
                lines.first().and_then(|line| line.split(':').next()),
                expected,
                "{fields} {lines:?}"
            );
            assert!(lines.len() < 2, "{lines:?}");
        }
    }

    #[test]
    fn both_places_are_shown() {
        let [agent, instance] = of_agent("volumes: [{name: secret-s}], secrets: [S]");
        let found = found(&[&agent, &instance]);
        assert_eq!(found[0].message, "the pods have two volumes named `secret-s`");
        assert_eq!(found[0].labels.len(), 2);
        let [agent, instance] = of_agent("volumes: [{name: secrets}]");
        let found = crate::check::tests::found(&[&agent, &instance]);
        assert_eq!(
            found[0].message,
            "the pods have two volumes named `secrets`: the operator has one of its own"
        );
    }
}
