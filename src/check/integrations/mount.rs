//! Mounts that the operator drops in silence, since an earlier one of the same pods has their path or their volume
//! (`mergePodTemplateOptions`).

use std::collections::BTreeMap;

use super::diagnostics::{self, Taken};
use crate::diagnostic::Diagnostic;
use crate::resolve::Hierarchy;

pub(super) fn check(hierarchy: &Hierarchy<'_, '_>) -> Vec<Diagnostic> {
    [false, true]
        .into_iter()
        .flat_map(|all_nodes| check_pods(hierarchy, all_nodes))
        .collect()
}

/// The Integrations that share pods.
fn check_pods(hierarchy: &Hierarchy<'_, '_>, all_nodes: bool) -> Vec<Diagnostic> {
    let (mut volumes, mut paths) = (BTreeMap::new(), BTreeMap::new());
    let mut found = Vec::new();
    let integrations = hierarchy.integrations.iter().copied();
    for integration in integrations.filter(|integration| integration.spec.r#type.all_nodes == all_nodes) {
        let (namespace, name) = (integration.meta.namespace, integration.meta.name);
        for (i, mount) in integration.spec.volume_mounts.iter().enumerate() {
            let volume = format!("{namespace}-{name}-{}", mount.name);
            let taken = match (volumes.get(&volume), paths.get(&mount.mount_path)) {
                (_, Some(&first)) => Some((Taken::Path, first)),
                (Some(&first), None) => Some((Taken::Volume, first)),
                (None, None) => None,
            };
            match taken {
                Some((taken, first)) => found.push(diagnostics::dropped_mount(integration, i, taken, first)),
                None => {
                    volumes.insert(volume, integration);
                    paths.insert(&mount.mount_path, integration);
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{AGENT, lines, manifest};

    fn integration(resource: &str, all_nodes: bool, mounts: &str) -> String {
        let types = format!("{{allNodes: {all_nodes}, unique: false}}");
        let spec = format!(
            "{{name: mysql, config: {{}}, type: {types}, volumes: [{{name: v}}, {{name: w}}], volumeMounts: {mounts}}}"
        );
        manifest("Integration", resource, &spec)
    }

    #[test]
    fn the_first_mount_of_a_path_or_volume_stays() {
        let path = "dropped-mount spec.volumeMounts[0].mountPath";
        let volume = "dropped-mount spec.volumeMounts[1].name";
        for (first, second, all_nodes, expected) in [
            ("[{name: v, mountPath: /a}]", "[{name: v, mountPath: /b}]", false, None),
            (
                "[{name: v, mountPath: /a}]",
                "[{name: v, mountPath: /a}]",
                false,
                Some(path),
            ),
            ("[{name: v, mountPath: /a}]", "[{name: v, mountPath: /a}]", true, None),
            (
                "[]",
                "[{name: v, mountPath: /a}, {name: v, mountPath: /b}]",
                false,
                Some(volume),
            ),
        ] {
            let lines = lines(&[
                AGENT,
                &integration("i", false, first),
                &integration("j", all_nodes, second),
            ]);
            let found = lines.iter().find(|line| line.starts_with("dropped-mount"));
            assert_eq!(
                found.and_then(|line| line.split(':').next()),
                expected,
                "{first} {second}"
            );
        }
    }
}
