//! How large the pods of an agent are at least, counted before they are made: what is mounted is in two containers, and `{}`
//! becomes all that Go writes of it.

use std::ops::Deref;

use serde_json::Value;

use super::pod::{CONFIG_MAP, Mounted, RELOADER, SECRET, encoded, mounted};
use super::role::Role;
use crate::api::core::embedded::name;
use crate::api::core::shape::GoStruct;
use crate::api::{GrafanaAgent, Resource, ResourceHeader};
use crate::output::CONTAINER;
use crate::plan::ConfigKind;
use crate::resolve::Hierarchy;

/// The API server refuses larger requests (`MaxRequestBodyBytes`, apiserver `pkg/server/config.go`).
pub const MAX_REQUEST: u64 = 3 << 20;

/// Pods that no request can hold.
pub struct TooLarge<'h, 'd> {
    /// The name of the workload that runs them.
    pub workload: String,
    /// How many bytes they have at least.
    pub bytes: u64,
    /// The resource and its list that most of them come from.
    pub largest: (&'h ResourceHeader<'d>, &'static str),
}

/// A list that pods are made of: its resource, its field, and how many bytes of them it makes.
type List<'h, 'd> = (&'h ResourceHeader<'d>, &'static str, u64);

/// The first pods of an agent that are too large.
pub fn too_large<'h, 'd>(hierarchy: &Hierarchy<'h, 'd>) -> Option<TooLarge<'h, 'd>> {
    let own = of_agent(hierarchy.agent);
    ConfigKind::of(hierarchy).into_iter().find_map(|part| {
        let lists = own.iter().copied().chain(of_integrations(hierarchy, part));
        let (mut bytes, mut largest) = (0, None::<List<'h, 'd>>);
        for list in lists {
            bytes += list.2;
            largest = largest.filter(|(.., most)| *most >= list.2).or(Some(list));
        }
        let (head, field, _) = largest.filter(|_| bytes > MAX_REQUEST)?;
        let largest = (head, field);
        Some(TooLarge {
            workload: Role::Pods(part).name(hierarchy.agent.meta.name),
            bytes,
            largest,
        })
    })
}

fn of_agent<'h, 'd>(agent: &'h Resource<'d, GrafanaAgent<'d>>) -> [List<'h, 'd>; 8] {
    let spec = &agent.spec;
    // What is merged with the operator's containers may take their place.
    let merged = [RELOADER, CONTAINER];
    let added = spec.containers.iter().filter(|one| !merged.contains(&name(one)));
    let all_mounted = |kind, names: &[&str]| names.iter().map(|of| of_mounted(kind, of)).sum();
    [
        ("spec.volumes", structs("Volume", &spec.volumes)),
        ("spec.volumeMounts", mounts(&spec.volume_mounts)),
        ("spec.containers", structs("Container", added)),
        ("spec.initContainers", structs("Container", &spec.init_containers)),
        ("spec.tolerations", structs("Toleration", &spec.tolerations)),
        (
            "spec.imagePullSecrets",
            structs("LocalObjectReference", &spec.image_pull_secrets),
        ),
        ("spec.secrets", all_mounted(SECRET, &spec.secrets)),
        ("spec.configMaps", all_mounted(CONFIG_MAP, &spec.config_maps)),
    ]
    .map(|(field, bytes)| (&agent.head, field, bytes))
}

/// What the Integrations of a part add to its pods.
fn of_integrations<'h, 'd>(hierarchy: &Hierarchy<'h, 'd>, part: ConfigKind) -> Vec<List<'h, 'd>> {
    let all = hierarchy.integrations.iter().copied();
    let here = all.filter(|one| part.runs(&one.spec));
    let lists = here.flat_map(|one| {
        [
            (&one.head, "spec.volumes", structs("Volume", &one.spec.volumes)),
            (&one.head, "spec.volumeMounts", mounts(&one.spec.volume_mounts)),
        ]
    });
    lists.collect()
}

fn structs<'v, T: Deref<Target = Value> + 'v>(name: &str, items: impl IntoIterator<Item = &'v T>) -> u64 {
    let shape = GoStruct::named(name);
    let texts = items
        .into_iter()
        .map(|item| encoded(shape, item.deref().clone()).to_string());
    texts.map(|text| text.len() as u64 + 1).sum()
}

/// Mounts of both containers of the operator.
fn mounts<'v, T: Deref<Target = Value> + 'v>(items: impl IntoIterator<Item = &'v T>) -> u64 {
    2 * structs("VolumeMount", items)
}

/// A Secret or ConfigMap that is mounted.
fn of_mounted(kind: Mounted, of: &str) -> u64 {
    let (volume, mount) = mounted(kind, of);
    structs("Volume", [&&volume]) + mounts([&&mount])
}
