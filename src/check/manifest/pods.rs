//! The pods of an agent's workloads.

use k8s_openapi::api::apps::v1::StatefulSet;
use k8s_openapi::api::core::v1::{Container, PodSpec, PodTemplateSpec};

use crate::lower::manifest::Object;

/// Pods of one workload.
pub(super) struct Pods<'o> {
    /// What they are.
    pub spec: &'o PodSpec,
    /// Names of the volumes that come from claims.
    pub claims: Vec<&'o str>,
}

impl<'o> Pods<'o> {
    /// The containers that run, and those that run first.
    pub fn all_containers(&self) -> impl Iterator<Item = &'o Container> + use<'o> {
        self.spec
            .containers
            .iter()
            .chain(self.spec.init_containers.iter().flatten())
    }
}

/// The pods of each workload. Of the StatefulSets, which differ in nothing but their number, the first and the last.
pub(super) fn of(objects: &[Object]) -> Vec<Pods<'_>> {
    let mut found = Vec::new();
    let mut has_shards = false;
    for object in objects {
        match object {
            Object::StatefulSet(shard) if !std::mem::replace(&mut has_shards, true) => {
                found.extend(of_set(shard.first()));
                found.extend(shard.last().and_then(of_set));
            }
            Object::DaemonSet(set) => found.extend(set.spec.as_ref().and_then(|spec| pods(&spec.template))),
            Object::Deployment(deployment) => {
                found.extend(deployment.spec.as_ref().and_then(|spec| pods(&spec.template)));
            }
            _ => {}
        }
    }
    found
}

fn of_set(set: &StatefulSet) -> Option<Pods<'_>> {
    let claims = claims(set);
    Some(Pods {
        claims,
        ..pods(&set.spec.as_ref()?.template)?
    })
}

fn pods(template: &PodTemplateSpec) -> Option<Pods<'_>> {
    let spec = template.spec.as_ref()?;
    Some(Pods {
        spec,
        claims: Vec::new(),
    })
}

fn claims(set: &StatefulSet) -> Vec<&str> {
    let claims = set
        .spec
        .iter()
        .flat_map(|spec| spec.volume_claim_templates.iter().flatten());
    claims.filter_map(|claim| claim.metadata.name.as_deref()).collect()
}
