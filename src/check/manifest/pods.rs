//! The pods of an agent's workloads.

use k8s_openapi::api::apps::v1::StatefulSet;
use k8s_openapi::api::core::v1::{Container, PodSpec};

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
    let is_set = |object: &&Object| matches!(object, Object::StatefulSet(..));
    let sets = objects.iter().filter(is_set);
    let last = sets.clone().next_back();
    let first = sets
        .clone()
        .next()
        .filter(|first| last.is_some_and(|last| first.name() != last.name()));
    let others = objects.iter().filter(|object| !is_set(object));
    first.into_iter().chain(last).chain(others).filter_map(pods).collect()
}

fn pods(object: &Object) -> Option<Pods<'_>> {
    let (template, claims) = match object {
        Object::StatefulSet(set, _) => (&set.spec.as_ref()?.template, claims(set)),
        Object::DaemonSet(set) => (&set.spec.as_ref()?.template, Vec::new()),
        Object::Deployment(deployment) => (&deployment.spec.as_ref()?.template, Vec::new()),
        Object::Endpoints(_) | Object::ExternalSecret(_) | Object::Secret(_) | Object::Service(_) => return None,
    };
    let spec = template.spec.as_ref()?;
    Some(Pods { spec, claims })
}

fn claims(set: &StatefulSet) -> Vec<&str> {
    let claims = set
        .spec
        .iter()
        .flat_map(|spec| spec.volume_claim_templates.iter().flatten());
    claims.filter_map(|claim| claim.metadata.name.as_deref()).collect()
}
