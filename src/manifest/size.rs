//! Minimum size of an agent's pods, computed before they are rendered. Mounts count twice, because they are in two
//! containers. The size of `{}` includes the fields that Go always writes.

use std::ops::Deref;

use serde_json::Value;

use super::pod::{CONFIG_MAP, MountedKind, RELOADER, SECRET, encode_struct, volume_and_mount};
use super::role::ObjectRole;
use crate::api::core::embedded::name;
use crate::api::core::shape::GoStruct;
use crate::api::{GrafanaAgent, Resource, ResourceHeader};
use crate::output::CONTAINER;
use crate::plan::ConfigKind;
use crate::resolve::Hierarchy;

/// Maximum request size that the API server accepts (`MaxRequestBodyBytes`, apiserver `pkg/server/config.go`).
pub const MAX_REQUEST: u64 = 3 << 20;

/// Workload whose pods exceed the maximum request size.
pub struct TooLarge<'h, 'd> {
    /// Name of the workload that runs the pods.
    pub workload: String,
    /// Minimum size of the pods in bytes.
    pub bytes: u64,
    /// List that contributes the most bytes, with its resource.
    pub largest: (&'h ResourceHeader<'d>, &'static str),
}

/// A list that contributes to the pods: its resource, its field and the number of bytes.
type SizedList<'h, 'd> = (&'h ResourceHeader<'d>, &'static str, u64);

/// Returns an agent's first workload whose pods are too large, if any.
pub fn too_large<'h, 'd>(hierarchy: &Hierarchy<'h, 'd>) -> Option<TooLarge<'h, 'd>> {
    let agent_fields = agent_lists(hierarchy.agent);
    ConfigKind::non_empty_kinds(hierarchy).into_iter().find_map(|part| {
        let lists = agent_fields.iter().copied().chain(integration_lists(hierarchy, part));
        let (mut bytes, mut largest) = (0, None::<SizedList<'h, 'd>>);
        for list in lists {
            bytes += list.2;
            largest = largest.filter(|(.., most)| *most >= list.2).or(Some(list));
        }
        let (header, field, _) = largest.filter(|_| bytes > MAX_REQUEST)?;
        let largest = (header, field);
        Some(TooLarge { workload: ObjectRole::Pods(part).name(hierarchy.agent.meta.name), bytes, largest })
    })
}

fn agent_lists<'h, 'd>(agent: &'h Resource<'d, GrafanaAgent<'d>>) -> [SizedList<'h, 'd>; 8] {
    let spec = &agent.spec;
    // A container that is merged with one of the operator's containers is not counted, because it may replace some
    // fields of the operator's container.
    let merged_names = [RELOADER, CONTAINER];
    let added_containers = spec.containers.iter().filter(|container| !merged_names.contains(&name(container)));
    let all_mounted = |kind, names: &[&str]| names.iter().map(|name| mounted_size(kind, name)).sum();
    [
        ("spec.volumes", structs("Volume", &spec.volumes)),
        ("spec.volumeMounts", mounts(&spec.volume_mounts)),
        ("spec.containers", structs("Container", added_containers)),
        ("spec.initContainers", structs("Container", &spec.init_containers)),
        ("spec.tolerations", structs("Toleration", &spec.tolerations)),
        ("spec.imagePullSecrets", structs("LocalObjectReference", &spec.image_pull_secrets)),
        ("spec.secrets", all_mounted(SECRET, &spec.secrets)),
        ("spec.configMaps", all_mounted(CONFIG_MAP, &spec.config_maps)),
    ]
    .map(|(field, bytes)| (&agent.header, field, bytes))
}

/// Returns the lists that the Integrations in `part` add to its pods.
fn integration_lists<'h, 'd>(hierarchy: &Hierarchy<'h, 'd>, part: ConfigKind) -> Vec<SizedList<'h, 'd>> {
    let integrations = hierarchy.integrations.iter().copied();
    let part_integrations = integrations.filter(|integration| part.runs(&integration.spec));
    let lists = part_integrations.flat_map(|integration| {
        [
            (&integration.header, "spec.volumes", structs("Volume", &integration.spec.volumes)),
            (&integration.header, "spec.volumeMounts", mounts(&integration.spec.volume_mounts)),
        ]
    });
    lists.collect()
}

fn structs<'v, T: Deref<Target = Value> + 'v>(name: &str, items: impl IntoIterator<Item = &'v T>) -> u64 {
    let shape = GoStruct::lookup(name);
    let texts = items.into_iter().map(|item| encode_struct(shape, item.deref().clone()).to_string());
    texts.map(|text| text.len() as u64 + 1).sum()
}

/// Returns the size of mounts, which are in both of the operator's containers.
fn mounts<'v, T: Deref<Target = Value> + 'v>(items: impl IntoIterator<Item = &'v T>) -> u64 {
    2 * structs("VolumeMount", items)
}

/// Returns the size of a mounted Secret or ConfigMap.
fn mounted_size(kind: MountedKind, name: &str) -> u64 {
    let (volume, mount) = volume_and_mount(kind, name);
    structs("Volume", [&&volume]) + mounts([&&mount])
}
