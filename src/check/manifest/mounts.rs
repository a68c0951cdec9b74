//! Mounts: each path once in a container, each of a volume that the pod has (`ValidateVolumeMounts`).

use std::collections::BTreeSet;

use super::diagnostics;
use super::origin::Origins;
use super::pods::Pods;
use crate::diagnostic::Diagnostic;

pub(super) fn check(pods: &Pods<'_>, origins: &Origins<'_>) -> Vec<Diagnostic> {
    let volumes = pods.spec.volumes.iter().flatten().map(|volume| volume.name.as_str());
    let volumes: BTreeSet<_> = volumes.chain(pods.claims.iter().copied()).collect();
    let mut found = Vec::new();
    for container in pods.all_containers() {
        let mut paths = BTreeSet::new();
        for mount in container.volume_mounts.iter().flatten() {
            let (name, path) = (mount.name.as_str(), mount.mount_path.as_str());
            if !paths.insert(path) {
                found.push(diagnostics::duplicate_mount_path(
                    path,
                    &origins.mounts_at(path),
                    origins.agent(),
                ));
            }
            if !volumes.contains(name) {
                let origin = origins.mount(name, path).unwrap_or(origins.agent());
                found.push(diagnostics::missing_volume(name, volumes.iter().copied(), origin));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{agent, lines, manifest};

    #[test]
    fn paths_and_volumes() {
        let volume = "volumes: [{name: v}, {name: w}]";
        for (fields, expected) in [
            (
                "volumeMounts: [{name: v, mountPath: /a}, {name: w, mountPath: /b}]",
                None,
            ),
            (
                "volumeMounts: [{name: v, mountPath: /a}, {name: w, mountPath: /a}]",
                Some("duplicate-mount-path spec.volumeMounts[1]"),
            ),
            (
                "volumeMounts: [{name: v, mountPath: /var/lib/grafana-agent/data}]",
                Some("duplicate-mount-path spec.volumeMounts[0]"),
            ),
            (
                "volumeMounts: [{name: vv, mountPath: /a}]",
                Some("missing-volume spec.volumeMounts[0]"),
            ),
            (
                "containers: [{name: c, image: i, volumeMounts: [{name: u, mountPath: /a}]}]",
                Some("missing-volume spec.containers[0].volumeMounts[0]"),
            ),
            (
                "storage: {volumeClaimTemplate: {spec: {resources: {requests: {storage: 1Gi}}}}}",
                None,
            ),
        ] {
            let spec = format!("metrics: {{instanceSelector: {{}}, shards: 3}}, {volume}, {fields}");
            let lines = lines(&[&agent("a", &spec), &manifest("MetricsInstance", "m", "{}")]);
            assert_eq!(
                lines.first().and_then(|line| line.split(':').next()),
                expected,
                "{fields} {lines:?}"
            );
            assert!(lines.len() < 2, "{lines:?}");
        }
    }
}
