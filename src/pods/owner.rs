//! References to the GrafanaAgent that an object belongs to.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;

use super::options::Options;
use crate::api::{GrafanaAgent, Resource};

/// The owner of a Secret.
pub(super) fn owner(agent: &Resource<'_, GrafanaAgent<'_>>, options: &Options) -> Option<Vec<OwnerReference>> {
    if !options.owner_references || agent.meta.uid.is_empty() {
        return None;
    }
    Some(vec![OwnerReference {
        api_version: "monitoring.grafana.com/v1alpha1".to_owned(),
        kind: "GrafanaAgent".to_owned(),
        name: agent.meta.name.to_owned(),
        uid: agent.meta.uid.to_owned(),
        block_owner_deletion: Some(true),
        controller: None,
    }])
}

/// The owner of a Service or workload, which controls it.
pub(super) fn controller(agent: &Resource<'_, GrafanaAgent<'_>>, options: &Options) -> Option<Vec<OwnerReference>> {
    let mut owners = owner(agent, options)?;
    for owner in &mut owners {
        owner.controller = Some(true);
    }
    Some(owners)
}
