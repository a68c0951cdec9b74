//! Decoding of embedded core types.

use k8s_openapi::api::core::v1::{
    Affinity, Container, EmptyDirVolumeSource, LocalObjectReference, PersistentVolumeClaimSpec, PodSecurityContext,
    ResourceRequirements, Toleration, TopologySpreadConstraint, Volume, VolumeMount,
};
use serde::{Deserialize, Deserializer};

macro_rules! embedded {
    ($($(#[doc = $doc:literal])+ $name:ident: $ty:ty;)+) => {
        $($(#[doc = $doc])+
        pub fn $name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<$ty, D::Error> {
            <$ty>::deserialize(deserializer)
        })+
    };
}

embedded! {
    /// `affinity`.
    affinity: Option<Affinity>;
    /// `containers` and `initContainers`.
    containers: Vec<Container>;
    /// `emptyDir`.
    empty_dir: Option<EmptyDirVolumeSource>;
    /// `imagePullSecrets`.
    local_object_references: Vec<LocalObjectReference>;
    /// `spec` of a volume claim template.
    persistent_volume_claim_spec: PersistentVolumeClaimSpec;
    /// `securityContext` of pods.
    pod_security_context: Option<PodSecurityContext>;
    /// `resources`.
    resources: ResourceRequirements;
    /// `tolerations`.
    tolerations: Vec<Toleration>;
    /// `topologySpreadConstraints`.
    topology_spread_constraints: Vec<TopologySpreadConstraint>;
    /// `volumeMounts`.
    volume_mounts: Vec<VolumeMount>;
    /// `volumes`.
    volumes: Vec<Volume>;
}
