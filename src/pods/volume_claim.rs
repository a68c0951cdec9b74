//! The volume claim template of a StatefulSet.

use k8s_openapi::api::core::v1::PersistentVolumeClaim;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde_json::{Map, Value};

use super::labels::owned;
use crate::api::{GrafanaAgent, VolumeClaimTemplate};

/// `apiVersion` and `kind` as the user wrote them in the template; the operator copies both, and adds neither.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClaimType {
    api_version: String,
    kind: String,
}

impl ClaimType {
    /// What the template of this agent says; nothing where it has none.
    pub(super) fn of(agent: &GrafanaAgent<'_>) -> Self {
        template(agent).map(Self::of_template).unwrap_or_default()
    }

    fn of_template(template: &VolumeClaimTemplate<'_>) -> Self {
        Self {
            api_version: template.api_version.to_owned(),
            kind: template.kind.to_owned(),
        }
    }

    /// Puts them in place of k8s-openapi's own, and takes out what only the API server fills in.
    pub(super) fn apply(&self, claim: &mut Map<String, Value>) {
        for (name, text) in [("apiVersion", &self.api_version), ("kind", &self.kind)] {
            if text.is_empty() {
                claim.remove(name);
            } else {
                claim.insert(name.to_owned(), Value::String(text.clone()));
            }
        }
        if let Some(Value::Object(metadata)) = claim.get_mut("metadata") {
            metadata.remove("creationTimestamp");
        }
        if claim
            .get("status")
            .and_then(Value::as_object)
            .is_some_and(Map::is_empty)
        {
            claim.remove("status");
        }
    }
}

/// The template that the write-ahead log is kept in: none where it is in the pod
/// (`deploymentUseVolumeClaimTemplate`, which passes over `ephemeral`).
pub(super) fn template<'a, 'd>(agent: &'a GrafanaAgent<'d>) -> Option<&'a VolumeClaimTemplate<'d>> {
    let storage = agent.storage.as_ref().filter(|storage| storage.empty_dir.is_none())?;
    Some(&storage.volume_claim_template)
}

/// The claim, named after the StatefulSet where it has no name of its own, and for one writer where it does not say
/// (`generateMetricsStatefulSet`, `MakeVolumeClaimTemplate`). An empty list of access modes is none:
/// the field has `omitempty`.
pub(super) fn claim(set_name: &str, template: &VolumeClaimTemplate<'_>) -> PersistentVolumeClaim {
    let metadata = &template.metadata;
    let name = match metadata.name {
        "" => wal_volume_name(set_name),
        name => name.to_owned(),
    };
    let mut spec = template.spec.clone();
    if spec.access_modes.as_ref().is_none_or(Vec::is_empty) {
        spec.access_modes = Some(vec!["ReadWriteOnce".to_owned()]);
    }
    PersistentVolumeClaim {
        metadata: ObjectMeta {
            name: Some(name),
            labels: Some(owned(&metadata.labels)),
            annotations: Some(owned(&metadata.annotations)),
            ..ObjectMeta::default()
        },
        spec: Some(spec),
        status: Some(template.status.clone()),
    }
}

/// The name of the volume of the write-ahead log.
pub(super) fn wal_volume_name(set_name: &str) -> String {
    format!("{set_name}-wal")
}
