//! What a kind of workload adds to the pods (`podTemplateOptions`).

use std::collections::BTreeSet;

use k8s_openapi::api::core::v1::{EnvVar, Volume, VolumeMount};

use super::labels::Labels;

/// Additions to the pod template.
#[derive(Clone, Default)]
pub(super) struct PodOptions {
    pub(super) selector_labels: Labels,
    pub(super) volumes: Vec<Volume>,
    pub(super) volume_mounts: Vec<VolumeMount>,
    pub(super) env: Vec<EnvVar>,
    pub(super) privileged: bool,
}

/// Puts inputs together; the first one that has a label, a variable, a volume, a mount path wins
/// (`mergePodTemplateOptions`).
///
/// A mount whose volume or path was taken drops its volume as well, even when an earlier mount of the same input uses
/// it. The result is never privileged: the reference forgets to carry that over.
pub(super) fn merge<const N: usize>(inputs: [PodOptions; N]) -> PodOptions {
    let mut merged = PodOptions::default();
    let mut taken = Taken::default();
    for input in inputs {
        for (key, value) in input.selector_labels {
            merged.selector_labels.entry(key).or_insert(value);
        }
        let (mounts, ignored) = taken.mounts(input.volume_mounts);
        merged.volume_mounts.extend(mounts);
        let volumes = input.volumes.into_iter();
        merged.volumes.extend(
            volumes.filter(|volume| !ignored.contains(&volume.name) && taken.volumes.insert(volume.name.clone())),
        );
        merged.env.extend(
            input
                .env
                .into_iter()
                .filter(|variable| taken.variables.insert(variable.name.clone())),
        );
    }
    merged
}

/// The names and paths that earlier inputs use.
#[derive(Default)]
struct Taken {
    mount_names: BTreeSet<String>,
    mount_paths: BTreeSet<String>,
    volumes: BTreeSet<String>,
    variables: BTreeSet<String>,
}

impl Taken {
    /// The mounts that are free, and the volumes of those that are not.
    fn mounts(&mut self, mounts: Vec<VolumeMount>) -> (Vec<VolumeMount>, BTreeSet<String>) {
        let mut ignored = BTreeSet::new();
        let mut free = Vec::new();
        for mount in mounts {
            if self.mount_names.contains(&mount.name) || self.mount_paths.contains(&mount.mount_path) {
                ignored.insert(mount.name);
                continue;
            }
            self.mount_names.insert(mount.name.clone());
            self.mount_paths.insert(mount.mount_path.clone());
            free.push(mount);
        }
        (free, ignored)
    }
}

#[cfg(test)]
mod tests {
    use super::super::labels::labels;
    use super::*;

    /// `mounts` are `name:path` pairs.
    fn options(volumes: &str, mounts: &str, env: &[(&str, &str)]) -> PodOptions {
        PodOptions {
            volumes: volumes
                .split_whitespace()
                .map(|name| Volume {
                    name: name.to_owned(),
                    ..Volume::default()
                })
                .collect(),
            volume_mounts: mounts
                .split_whitespace()
                .filter_map(|mount| mount.split_once(':'))
                .map(|(name, path)| VolumeMount {
                    name: name.to_owned(),
                    mount_path: path.to_owned(),
                    ..VolumeMount::default()
                })
                .collect(),
            env: env
                .iter()
                .map(|(name, value)| EnvVar {
                    name: (*name).to_owned(),
                    value: Some((*value).to_owned()),
                    ..EnvVar::default()
                })
                .collect(),
            selector_labels: labels(env.iter().copied()),
            privileged: true,
        }
    }

    fn names(options: &PodOptions) -> (String, String) {
        let volumes: Vec<_> = options.volumes.iter().map(|volume| volume.name.as_str()).collect();
        let mounts: Vec<_> = options
            .volume_mounts
            .iter()
            .map(|mount| format!("{}:{}", mount.name, mount.mount_path))
            .collect();
        (volumes.join(" "), mounts.join(" "))
    }

    #[test]
    fn volumes_and_mounts() {
        let cases = [
            // volumes and mounts of both inputs, then of the result
            (("a", "a:/a"), ("b", "b:/b"), ("a b", "a:/a b:/b")),
            (
                ("wal", "wal:/data"),
                ("data log", "log:/log data:/data"),
                ("wal log", "wal:/data log:/log"),
            ),
            (("a", "a:/a"), ("a", "a:/b"), ("a", "a:/a")),
            (("a", "a:/a a:/b"), ("", ""), ("", "a:/a")),
            (("a a b", ""), ("b", ""), ("a b", "")),
        ];
        for ((v1, m1), (v2, m2), (volumes, mounts)) in cases {
            let merged = merge([options(v1, m1, &[]), options(v2, m2, &[])]);
            assert_eq!(
                names(&merged),
                (volumes.to_owned(), mounts.to_owned()),
                "{v1} {m1} + {v2} {m2}"
            );
        }
    }

    #[test]
    fn the_first_value_wins_and_nothing_is_privileged() {
        let merged = merge([
            options("", "", &[("SHARD", "0")]),
            options("", "", &[("SHARD", "1"), ("X", "2")]),
        ]);
        assert_eq!(merged.selector_labels, labels([("SHARD", "0"), ("X", "2")]));
        let values: Vec<_> = merged.env.iter().map(|variable| variable.value.as_deref()).collect();
        assert_eq!(values, [Some("0"), Some("2")]);
        assert!(!merged.privileged);
    }
}
