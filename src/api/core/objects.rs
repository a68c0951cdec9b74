//! The shapes of the objects that agentctl renders, down to what the table of [`super::shapes`] has.
//!
//! Source: k8s.io/api v0.29.2 `apps/v1/types.go` and `core/v1/types.go`, and the CustomResourceDefinition of
//! external-secrets.io. `status` is left out: no manifest has one.

use super::shape::Kind::{Any, Bool, Int32, IntOrString, List, Map, String, Struct};
use super::shape::{Field, Shape, always, nullable, omitted, pointer};
use super::shapes::{LABEL_SELECTOR, OBJECT_META, PERSISTENT_VOLUME_CLAIM, POD_SPEC};

/// The shape of an object of this kind, among those that agentctl renders.
pub fn shape(kind: &str) -> Option<&'static Shape> {
    Some(match kind {
        "DaemonSet" => &DAEMON_SET,
        "Deployment" => &DEPLOYMENT,
        "Endpoints" => &ENDPOINTS,
        "ExternalSecret" => &EXTERNAL_SECRET,
        "Secret" => &SECRET,
        "Service" => &SERVICE,
        "StatefulSet" => &STATEFUL_SET,
        _ => return None,
    })
}

const API_VERSION: Field = omitted("apiVersion", String);
const KIND: Field = omitted("kind", String);
const METADATA: Field = always("metadata", Struct(&OBJECT_META));
const SELECTOR: Field = nullable("selector", Struct(&LABEL_SELECTOR));
const TEMPLATE: Field = always("template", Struct(&POD_TEMPLATE_SPEC));

/// `apps/v1.DaemonSet`.
static DAEMON_SET: Shape =
    Shape::named("DaemonSet").with(&[API_VERSION, KIND, METADATA, always("spec", Struct(&DAEMON_SET_SPEC))]);

/// `apps/v1.DaemonSetSpec`.
static DAEMON_SET_SPEC: Shape = Shape::named("DaemonSetSpec").with(&[
    omitted("minReadySeconds", Int32),
    pointer("revisionHistoryLimit", Int32),
    SELECTOR,
    TEMPLATE,
    always("updateStrategy", Struct(&DAEMON_SET_UPDATE_STRATEGY)),
]);

/// `apps/v1.DaemonSetUpdateStrategy`.
static DAEMON_SET_UPDATE_STRATEGY: Shape = Shape::named("DaemonSetUpdateStrategy").with(&[
    pointer("rollingUpdate", Struct(&ROLLING_UPDATE_DAEMON_SET)),
    omitted("type", String),
]);

/// `apps/v1.Deployment`.
static DEPLOYMENT: Shape =
    Shape::named("Deployment").with(&[API_VERSION, KIND, METADATA, always("spec", Struct(&DEPLOYMENT_SPEC))]);

/// `apps/v1.DeploymentSpec`.
static DEPLOYMENT_SPEC: Shape = Shape::named("DeploymentSpec").with(&[
    omitted("minReadySeconds", Int32),
    omitted("paused", Bool),
    pointer("progressDeadlineSeconds", Int32),
    pointer("replicas", Int32),
    pointer("revisionHistoryLimit", Int32),
    SELECTOR,
    always("strategy", Struct(&DEPLOYMENT_STRATEGY)).retaining_keys(),
    TEMPLATE,
]);

/// `apps/v1.DeploymentStrategy`.
static DEPLOYMENT_STRATEGY: Shape = Shape::named("DeploymentStrategy").with(&[
    pointer("rollingUpdate", Struct(&ROLLING_UPDATE_DEPLOYMENT)),
    omitted("type", String),
]);

/// `core/v1.EndpointAddress`.
static ENDPOINT_ADDRESS: Shape = Shape::named("EndpointAddress").with(&[
    omitted("hostname", String),
    always("ip", String),
    pointer("nodeName", String),
    pointer("targetRef", Any),
]);

/// `core/v1.EndpointPort`.
static ENDPOINT_PORT: Shape = Shape::named("EndpointPort").with(&[
    pointer("appProtocol", String),
    omitted("name", String),
    always("port", Int32),
    omitted("protocol", String),
]);

/// `core/v1.EndpointSubset`.
static ENDPOINT_SUBSET: Shape = Shape::named("EndpointSubset").with(&[
    omitted("addresses", List(&Struct(&ENDPOINT_ADDRESS))),
    omitted("notReadyAddresses", List(&Struct(&ENDPOINT_ADDRESS))),
    omitted("ports", List(&Struct(&ENDPOINT_PORT))),
]);

/// `core/v1.Endpoints`.
static ENDPOINTS: Shape = Shape::named("Endpoints").with(&[
    API_VERSION,
    KIND,
    METADATA,
    omitted("subsets", List(&Struct(&ENDPOINT_SUBSET))),
]);

/// `ExternalSecret` of external-secrets.io.
static EXTERNAL_SECRET: Shape = Shape::named("ExternalSecret").with(&[
    API_VERSION,
    KIND,
    METADATA,
    pointer("spec", Struct(&EXTERNAL_SECRET_SPEC)),
]);

/// An item of `spec.data` of an ExternalSecret.
static EXTERNAL_SECRET_DATA: Shape = Shape::named("ExternalSecretData").with(&[
    pointer("remoteRef", Struct(&EXTERNAL_SECRET_REMOTE_REF)),
    pointer("secretKey", String),
]);

/// `remoteRef` of an ExternalSecret.
static EXTERNAL_SECRET_REMOTE_REF: Shape = Shape::named("ExternalSecretDataRemoteRef").with(&[
    pointer("conversionStrategy", String),
    pointer("decodingStrategy", String),
    pointer("key", String),
    pointer("metadataPolicy", String),
    pointer("property", String),
    pointer("version", String),
]);

/// `spec` of an ExternalSecret.
static EXTERNAL_SECRET_SPEC: Shape = Shape::named("ExternalSecretSpec").with(&[
    pointer("data", List(&Struct(&EXTERNAL_SECRET_DATA))),
    pointer("refreshInterval", String),
    pointer("target", Struct(&EXTERNAL_SECRET_TARGET)),
]);

/// `spec.target` of an ExternalSecret.
static EXTERNAL_SECRET_TARGET: Shape = Shape::named("ExternalSecretTarget").with(&[
    pointer("creationPolicy", String),
    pointer("deletionPolicy", String),
    pointer("name", String),
    pointer("template", Struct(&EXTERNAL_SECRET_TEMPLATE)),
]);

/// `spec.target.template` of an ExternalSecret.
static EXTERNAL_SECRET_TEMPLATE: Shape =
    Shape::named("ExternalSecretTemplate").with(&[pointer("engineVersion", String), pointer("mergePolicy", String)]);

/// `core/v1.PodTemplateSpec`.
static POD_TEMPLATE_SPEC: Shape = Shape::named("PodTemplateSpec").with(&[METADATA, always("spec", Struct(&POD_SPEC))]);

/// `apps/v1.RollingUpdateDaemonSet`.
static ROLLING_UPDATE_DAEMON_SET: Shape = Shape::named("RollingUpdateDaemonSet")
    .with(&[pointer("maxSurge", IntOrString), pointer("maxUnavailable", IntOrString)]);

/// `apps/v1.RollingUpdateDeployment`.
static ROLLING_UPDATE_DEPLOYMENT: Shape = Shape::named("RollingUpdateDeployment")
    .with(&[pointer("maxSurge", IntOrString), pointer("maxUnavailable", IntOrString)]);

/// `apps/v1.RollingUpdateStatefulSetStrategy`.
static ROLLING_UPDATE_STATEFUL_SET_STRATEGY: Shape = Shape::named("RollingUpdateStatefulSetStrategy")
    .with(&[pointer("maxUnavailable", IntOrString), pointer("partition", Int32)]);

/// `core/v1.Secret`.
static SECRET: Shape = Shape::named("Secret").with(&[
    API_VERSION,
    omitted("data", Map(&String)),
    pointer("immutable", Bool),
    KIND,
    METADATA,
    omitted("stringData", Map(&String)),
    omitted("type", String),
]);

/// `core/v1.Service`.
static SERVICE: Shape =
    Shape::named("Service").with(&[API_VERSION, KIND, METADATA, always("spec", Struct(&SERVICE_SPEC))]);

/// `core/v1.ServicePort`.
static SERVICE_PORT: Shape = Shape::named("ServicePort").with(&[
    pointer("appProtocol", String),
    omitted("name", String),
    omitted("nodePort", Int32),
    always("port", Int32),
    omitted("protocol", String),
    always("targetPort", IntOrString),
]);

/// `core/v1.ServiceSpec`.
static SERVICE_SPEC: Shape = Shape::named("ServiceSpec").with(&[
    pointer("allocateLoadBalancerNodePorts", Bool),
    omitted("clusterIP", String),
    omitted("clusterIPs", List(&String)),
    omitted("externalIPs", List(&String)),
    omitted("externalName", String),
    omitted("externalTrafficPolicy", String),
    omitted("healthCheckNodePort", Int32),
    pointer("internalTrafficPolicy", String),
    omitted("ipFamilies", List(&String)),
    pointer("ipFamilyPolicy", String),
    pointer("loadBalancerClass", String),
    omitted("loadBalancerIP", String),
    omitted("loadBalancerSourceRanges", List(&String)),
    omitted("ports", List(&Struct(&SERVICE_PORT))).merged_by("port"),
    omitted("publishNotReadyAddresses", Bool),
    omitted("selector", Map(&String)),
    omitted("sessionAffinity", String),
    pointer("sessionAffinityConfig", Any),
    omitted("type", String),
]);

/// `apps/v1.StatefulSet`.
static STATEFUL_SET: Shape =
    Shape::named("StatefulSet").with(&[API_VERSION, KIND, METADATA, always("spec", Struct(&STATEFUL_SET_SPEC))]);

/// `apps/v1.StatefulSetPersistentVolumeClaimRetentionPolicy`.
static STATEFUL_SET_CLAIM_RETENTION_POLICY: Shape = Shape::named("StatefulSetPersistentVolumeClaimRetentionPolicy")
    .with(&[omitted("whenDeleted", String), omitted("whenScaled", String)]);

/// `apps/v1.StatefulSetSpec`.
static STATEFUL_SET_SPEC: Shape = Shape::named("StatefulSetSpec").with(&[
    omitted("minReadySeconds", Int32),
    pointer("ordinals", Any),
    pointer(
        "persistentVolumeClaimRetentionPolicy",
        Struct(&STATEFUL_SET_CLAIM_RETENTION_POLICY),
    ),
    omitted("podManagementPolicy", String),
    pointer("replicas", Int32),
    pointer("revisionHistoryLimit", Int32),
    SELECTOR,
    always("serviceName", String),
    TEMPLATE,
    always("updateStrategy", Struct(&STATEFUL_SET_UPDATE_STRATEGY)),
    omitted("volumeClaimTemplates", List(&Struct(&PERSISTENT_VOLUME_CLAIM))),
]);

/// `apps/v1.StatefulSetUpdateStrategy`.
static STATEFUL_SET_UPDATE_STRATEGY: Shape = Shape::named("StatefulSetUpdateStrategy").with(&[
    pointer("rollingUpdate", Struct(&ROLLING_UPDATE_STATEFUL_SET_STRATEGY)),
    omitted("type", String),
]);
