//! Containers: each name once in a pod, each with an image. A user's container that is meant to change one of the
//! operator's must have its name.

use std::collections::BTreeSet;

use super::diagnostics;
use super::origin::Origins;
use super::pods::Pods;
use crate::diagnostic::Diagnostic;

pub(super) fn check(pods: &Pods<'_>, origins: &Origins<'_>) -> Vec<Diagnostic> {
    let mut names = BTreeSet::new();
    let mut found = Vec::new();
    for container in pods.all_containers() {
        let name = container.name.as_str();
        let of_name = origins.containers(name);
        if !names.insert(name) {
            found.push(diagnostics::duplicate_container(name, &of_name, origins.agent()));
        }
        if container.image.as_deref().unwrap_or_default().is_empty() {
            let origin = of_name.last().copied().unwrap_or(origins.agent());
            found.push(diagnostics::missing_image(name, origin));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{agent, found, lines, manifest};

    #[test]
    fn images_and_names() {
        for (fields, expected) in [
            (
                "containers: [{name: grafana-agent, args: [x]}, {name: c, image: i}]",
                None,
            ),
            ("containers: [{name: c}]", Some("missing-image spec.containers[0].name")),
            (
                "initContainers: [{name: c}]",
                Some("missing-image spec.initContainers[0].name"),
            ),
            (
                "containers: [{name: c, image: i}], initContainers: [{name: c, image: i}]",
                Some("duplicate-container spec.initContainers[0].name"),
            ),
            (
                "initContainers: [{name: grafana-agent, image: i}]",
                Some("duplicate-container spec.initContainers[0].name"),
            ),
        ] {
            let spec = format!("metrics: {{instanceSelector: {{}}}}, {fields}");
            let lines = lines(&[&agent("a", &spec), &manifest("MetricsInstance", "m", "{}")]);
            assert_eq!(
                lines.first().and_then(|line| line.split(':').next()),
                expected,
                "{fields} {lines:?}"
            );
            assert!(lines.len() < 2, "{lines:?}");
        }
    }

    #[test]
    fn the_name_that_was_meant() {
        let spec = "metrics: {instanceSelector: {}}, containers: [{name: grafana-agnet}]";
        let found = found(&[&agent("a", spec), &manifest("MetricsInstance", "m", "{}")]);
        assert_eq!(
            found[0].help.as_deref(),
            Some("did you mean `grafana-agent`, which the operator has?")
        );
    }
}
