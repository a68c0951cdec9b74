//! The table of shapes: every Kubernetes struct that is embedded in a custom resource or in a pod.
//!
//! Source: k8s.io/api v0.29.2 `core/v1/types.go`, apimachinery v0.29.2 `meta/v1/types.go` (their `json`,
//! `patchStrategy` and `patchMergeKey` tags). Structs and fields are sorted by name; inlined structs are written out.

use super::shape::Kind::{Any, Bool, Int32, Int64, IntOrString, List, Map, Quantity, String, Struct, Time};
use super::shape::{Shape, always, nullable, omitted, pointer};

/// `core/v1.AWSElasticBlockStoreVolumeSource`.
pub static AWS_ELASTIC_BLOCK_STORE_VOLUME_SOURCE: Shape = Shape::named("AWSElasticBlockStoreVolumeSource").with(&[
    omitted("fsType", String),
    omitted("partition", Int32),
    omitted("readOnly", Bool),
    always("volumeID", String),
]);

/// `core/v1.Affinity`.
pub static AFFINITY: Shape = Shape::named("Affinity").with(&[
    pointer("nodeAffinity", Struct(&NODE_AFFINITY)),
    pointer("podAffinity", Struct(&POD_AFFINITY)),
    pointer("podAntiAffinity", Struct(&POD_ANTI_AFFINITY)),
]);

/// `core/v1.AzureDiskVolumeSource`.
pub static AZURE_DISK_VOLUME_SOURCE: Shape = Shape::named("AzureDiskVolumeSource").with(&[
    pointer("cachingMode", String),
    always("diskName", String),
    always("diskURI", String),
    pointer("fsType", String),
    pointer("kind", String),
    pointer("readOnly", Bool),
]);

/// `core/v1.AzureFileVolumeSource`.
pub static AZURE_FILE_VOLUME_SOURCE: Shape = Shape::named("AzureFileVolumeSource").with(&[
    omitted("readOnly", Bool),
    always("secretName", String),
    always("shareName", String),
]);

/// `core/v1.CSIVolumeSource`.
pub static CSI_VOLUME_SOURCE: Shape = Shape::named("CSIVolumeSource").with(&[
    always("driver", String),
    pointer("fsType", String),
    pointer("nodePublishSecretRef", Struct(&LOCAL_OBJECT_REFERENCE)),
    pointer("readOnly", Bool),
    omitted("volumeAttributes", Map(&String)),
]);

/// `core/v1.Capabilities`.
pub static CAPABILITIES: Shape =
    Shape::named("Capabilities").with(&[omitted("add", List(&String)), omitted("drop", List(&String))]);

/// `core/v1.CephFSVolumeSource`.
pub static CEPH_FS_VOLUME_SOURCE: Shape = Shape::named("CephFSVolumeSource").with(&[
    always("monitors", List(&String)),
    omitted("path", String),
    omitted("readOnly", Bool),
    omitted("secretFile", String),
    pointer("secretRef", Struct(&LOCAL_OBJECT_REFERENCE)),
    omitted("user", String),
]);

/// `core/v1.CinderVolumeSource`.
pub static CINDER_VOLUME_SOURCE: Shape = Shape::named("CinderVolumeSource").with(&[
    omitted("fsType", String),
    omitted("readOnly", Bool),
    pointer("secretRef", Struct(&LOCAL_OBJECT_REFERENCE)),
    always("volumeID", String),
]);

/// `core/v1.ClaimSource`.
pub static CLAIM_SOURCE: Shape = Shape::named("ClaimSource").with(&[
    pointer("resourceClaimName", String),
    pointer("resourceClaimTemplateName", String),
]);

/// `core/v1.ClusterTrustBundleProjection`.
pub static CLUSTER_TRUST_BUNDLE_PROJECTION: Shape = Shape::named("ClusterTrustBundleProjection").with(&[
    pointer("labelSelector", Struct(&LABEL_SELECTOR)),
    pointer("name", String),
    pointer("optional", Bool),
    always("path", String),
    pointer("signerName", String),
]);

/// `core/v1.ConfigMapEnvSource`.
pub static CONFIG_MAP_ENV_SOURCE: Shape =
    Shape::named("ConfigMapEnvSource").with(&[omitted("name", String), pointer("optional", Bool)]);

/// `core/v1.ConfigMapKeySelector`.
pub static CONFIG_MAP_KEY_SELECTOR: Shape = Shape::named("ConfigMapKeySelector").with(&[
    always("key", String),
    omitted("name", String),
    pointer("optional", Bool),
]);

/// `core/v1.ConfigMapProjection`.
pub static CONFIG_MAP_PROJECTION: Shape = Shape::named("ConfigMapProjection").with(&[
    omitted("items", List(&Struct(&KEY_TO_PATH))),
    omitted("name", String),
    pointer("optional", Bool),
]);

/// `core/v1.ConfigMapVolumeSource`.
pub static CONFIG_MAP_VOLUME_SOURCE: Shape = Shape::named("ConfigMapVolumeSource").with(&[
    pointer("defaultMode", Int32),
    omitted("items", List(&Struct(&KEY_TO_PATH))),
    omitted("name", String),
    pointer("optional", Bool),
]);

/// `core/v1.Container`.
pub static CONTAINER: Shape = Shape::named("Container").with(&[
    omitted("args", List(&String)),
    omitted("command", List(&String)),
    omitted("env", List(&Struct(&ENV_VAR))).merged_by("name"),
    omitted("envFrom", List(&Struct(&ENV_FROM_SOURCE))),
    omitted("image", String),
    omitted("imagePullPolicy", String),
    pointer("lifecycle", Struct(&LIFECYCLE)),
    pointer("livenessProbe", Struct(&PROBE)),
    always("name", String),
    omitted("ports", List(&Struct(&CONTAINER_PORT))).merged_by("containerPort"),
    pointer("readinessProbe", Struct(&PROBE)),
    omitted("resizePolicy", List(&Struct(&CONTAINER_RESIZE_POLICY))),
    always("resources", Struct(&RESOURCE_REQUIREMENTS)),
    pointer("restartPolicy", String),
    pointer("securityContext", Struct(&SECURITY_CONTEXT)),
    pointer("startupProbe", Struct(&PROBE)),
    omitted("stdin", Bool),
    omitted("stdinOnce", Bool),
    omitted("terminationMessagePath", String),
    omitted("terminationMessagePolicy", String),
    omitted("tty", Bool),
    omitted("volumeDevices", List(&Struct(&VOLUME_DEVICE))).merged_by("devicePath"),
    omitted("volumeMounts", List(&Struct(&VOLUME_MOUNT))).merged_by("mountPath"),
    omitted("workingDir", String),
]);

/// `core/v1.ContainerPort`.
pub static CONTAINER_PORT: Shape = Shape::named("ContainerPort").with(&[
    always("containerPort", Int32),
    omitted("hostIP", String),
    omitted("hostPort", Int32),
    omitted("name", String),
    omitted("protocol", String),
]);

/// `core/v1.ContainerResizePolicy`.
pub static CONTAINER_RESIZE_POLICY: Shape =
    Shape::named("ContainerResizePolicy").with(&[always("resourceName", String), always("restartPolicy", String)]);

/// `core/v1.DownwardAPIProjection`.
pub static DOWNWARD_API_PROJECTION: Shape =
    Shape::named("DownwardAPIProjection").with(&[omitted("items", List(&Struct(&DOWNWARD_API_VOLUME_FILE)))]);

/// `core/v1.DownwardAPIVolumeFile`.
pub static DOWNWARD_API_VOLUME_FILE: Shape = Shape::named("DownwardAPIVolumeFile").with(&[
    pointer("fieldRef", Struct(&OBJECT_FIELD_SELECTOR)),
    pointer("mode", Int32),
    always("path", String),
    pointer("resourceFieldRef", Struct(&RESOURCE_FIELD_SELECTOR)),
]);

/// `core/v1.DownwardAPIVolumeSource`.
pub static DOWNWARD_API_VOLUME_SOURCE: Shape = Shape::named("DownwardAPIVolumeSource").with(&[
    pointer("defaultMode", Int32),
    omitted("items", List(&Struct(&DOWNWARD_API_VOLUME_FILE))),
]);

/// `core/v1.EmptyDirVolumeSource`.
pub static EMPTY_DIR_VOLUME_SOURCE: Shape =
    Shape::named("EmptyDirVolumeSource").with(&[omitted("medium", String), pointer("sizeLimit", Quantity)]);

/// `core/v1.EnvFromSource`.
pub static ENV_FROM_SOURCE: Shape = Shape::named("EnvFromSource").with(&[
    pointer("configMapRef", Struct(&CONFIG_MAP_ENV_SOURCE)),
    omitted("prefix", String),
    pointer("secretRef", Struct(&SECRET_ENV_SOURCE)),
]);

/// `core/v1.EnvVar`.
pub static ENV_VAR: Shape = Shape::named("EnvVar").with(&[
    always("name", String),
    omitted("value", String),
    pointer("valueFrom", Struct(&ENV_VAR_SOURCE)),
]);

/// `core/v1.EnvVarSource`.
pub static ENV_VAR_SOURCE: Shape = Shape::named("EnvVarSource").with(&[
    pointer("configMapKeyRef", Struct(&CONFIG_MAP_KEY_SELECTOR)),
    pointer("fieldRef", Struct(&OBJECT_FIELD_SELECTOR)),
    pointer("resourceFieldRef", Struct(&RESOURCE_FIELD_SELECTOR)),
    pointer("secretKeyRef", Struct(&SECRET_KEY_SELECTOR)),
]);

/// `core/v1.EphemeralContainer`.
pub static EPHEMERAL_CONTAINER: Shape = Shape::named("EphemeralContainer").with(&[
    omitted("args", List(&String)),
    omitted("command", List(&String)),
    omitted("env", List(&Struct(&ENV_VAR))).merged_by("name"),
    omitted("envFrom", List(&Struct(&ENV_FROM_SOURCE))),
    omitted("image", String),
    omitted("imagePullPolicy", String),
    pointer("lifecycle", Struct(&LIFECYCLE)),
    pointer("livenessProbe", Struct(&PROBE)),
    always("name", String),
    omitted("ports", List(&Struct(&CONTAINER_PORT))).merged_by("containerPort"),
    pointer("readinessProbe", Struct(&PROBE)),
    omitted("resizePolicy", List(&Struct(&CONTAINER_RESIZE_POLICY))),
    always("resources", Struct(&RESOURCE_REQUIREMENTS)),
    pointer("restartPolicy", String),
    pointer("securityContext", Struct(&SECURITY_CONTEXT)),
    pointer("startupProbe", Struct(&PROBE)),
    omitted("stdin", Bool),
    omitted("stdinOnce", Bool),
    omitted("targetContainerName", String),
    omitted("terminationMessagePath", String),
    omitted("terminationMessagePolicy", String),
    omitted("tty", Bool),
    omitted("volumeDevices", List(&Struct(&VOLUME_DEVICE))).merged_by("devicePath"),
    omitted("volumeMounts", List(&Struct(&VOLUME_MOUNT))).merged_by("mountPath"),
    omitted("workingDir", String),
]);

/// `core/v1.EphemeralVolumeSource`.
pub static EPHEMERAL_VOLUME_SOURCE: Shape = Shape::named("EphemeralVolumeSource").with(&[pointer(
    "volumeClaimTemplate",
    Struct(&PERSISTENT_VOLUME_CLAIM_TEMPLATE),
)]);

/// `core/v1.ExecAction`.
pub static EXEC_ACTION: Shape = Shape::named("ExecAction").with(&[omitted("command", List(&String))]);

/// `core/v1.FCVolumeSource`.
pub static FC_VOLUME_SOURCE: Shape = Shape::named("FCVolumeSource").with(&[
    omitted("fsType", String),
    pointer("lun", Int32),
    omitted("readOnly", Bool),
    omitted("targetWWNs", List(&String)),
    omitted("wwids", List(&String)),
]);

/// `core/v1.FlexVolumeSource`.
pub static FLEX_VOLUME_SOURCE: Shape = Shape::named("FlexVolumeSource").with(&[
    always("driver", String),
    omitted("fsType", String),
    omitted("options", Map(&String)),
    omitted("readOnly", Bool),
    pointer("secretRef", Struct(&LOCAL_OBJECT_REFERENCE)),
]);

/// `core/v1.FlockerVolumeSource`.
pub static FLOCKER_VOLUME_SOURCE: Shape =
    Shape::named("FlockerVolumeSource").with(&[omitted("datasetName", String), omitted("datasetUUID", String)]);

/// `core/v1.GCEPersistentDiskVolumeSource`.
pub static GCE_PERSISTENT_DISK_VOLUME_SOURCE: Shape = Shape::named("GCEPersistentDiskVolumeSource").with(&[
    omitted("fsType", String),
    omitted("partition", Int32),
    always("pdName", String),
    omitted("readOnly", Bool),
]);

/// `core/v1.GRPCAction`.
pub static GRPC_ACTION: Shape = Shape::named("GRPCAction").with(&[always("port", Int32), nullable("service", String)]);

/// `core/v1.GitRepoVolumeSource`.
pub static GIT_REPO_VOLUME_SOURCE: Shape = Shape::named("GitRepoVolumeSource").with(&[
    omitted("directory", String),
    always("repository", String),
    omitted("revision", String),
]);

/// `core/v1.GlusterfsVolumeSource`.
pub static GLUSTERFS_VOLUME_SOURCE: Shape = Shape::named("GlusterfsVolumeSource").with(&[
    always("endpoints", String),
    always("path", String),
    omitted("readOnly", Bool),
]);

/// `core/v1.HTTPGetAction`.
pub static HTTP_GET_ACTION: Shape = Shape::named("HTTPGetAction").with(&[
    omitted("host", String),
    omitted("httpHeaders", List(&Struct(&HTTP_HEADER))),
    omitted("path", String),
    always("port", IntOrString),
    omitted("scheme", String),
]);

/// `core/v1.HTTPHeader`.
pub static HTTP_HEADER: Shape = Shape::named("HTTPHeader").with(&[always("name", String), always("value", String)]);

/// `core/v1.HostAlias`.
pub static HOST_ALIAS: Shape =
    Shape::named("HostAlias").with(&[omitted("hostnames", List(&String)), omitted("ip", String)]);

/// `core/v1.HostPathVolumeSource`.
pub static HOST_PATH_VOLUME_SOURCE: Shape =
    Shape::named("HostPathVolumeSource").with(&[always("path", String), pointer("type", String)]);

/// `core/v1.ISCSIVolumeSource`.
pub static ISCSI_VOLUME_SOURCE: Shape = Shape::named("ISCSIVolumeSource").with(&[
    omitted("chapAuthDiscovery", Bool),
    omitted("chapAuthSession", Bool),
    omitted("fsType", String),
    pointer("initiatorName", String),
    always("iqn", String),
    omitted("iscsiInterface", String),
    always("lun", Int32),
    omitted("portals", List(&String)),
    omitted("readOnly", Bool),
    pointer("secretRef", Struct(&LOCAL_OBJECT_REFERENCE)),
    always("targetPortal", String),
]);

/// `core/v1.KeyToPath`.
pub static KEY_TO_PATH: Shape =
    Shape::named("KeyToPath").with(&[always("key", String), pointer("mode", Int32), always("path", String)]);

/// `meta/v1.LabelSelector`.
pub static LABEL_SELECTOR: Shape = Shape::named("LabelSelector").with(&[
    omitted("matchExpressions", List(&Struct(&LABEL_SELECTOR_REQUIREMENT))),
    omitted("matchLabels", Map(&String)),
]);

/// `meta/v1.LabelSelectorRequirement`.
pub static LABEL_SELECTOR_REQUIREMENT: Shape = Shape::named("LabelSelectorRequirement").with(&[
    always("key", String),
    always("operator", String),
    omitted("values", List(&String)),
]);

/// `core/v1.Lifecycle`.
pub static LIFECYCLE: Shape = Shape::named("Lifecycle").with(&[
    pointer("postStart", Struct(&LIFECYCLE_HANDLER)),
    pointer("preStop", Struct(&LIFECYCLE_HANDLER)),
]);

/// `core/v1.LifecycleHandler`.
pub static LIFECYCLE_HANDLER: Shape = Shape::named("LifecycleHandler").with(&[
    pointer("exec", Struct(&EXEC_ACTION)),
    pointer("httpGet", Struct(&HTTP_GET_ACTION)),
    pointer("sleep", Struct(&SLEEP_ACTION)),
    pointer("tcpSocket", Struct(&TCP_SOCKET_ACTION)),
]);

/// `core/v1.LocalObjectReference`.
pub static LOCAL_OBJECT_REFERENCE: Shape = Shape::named("LocalObjectReference").with(&[omitted("name", String)]);

/// `meta/v1.ManagedFieldsEntry`.
pub static MANAGED_FIELDS_ENTRY: Shape = Shape::named("ManagedFieldsEntry").with(&[
    omitted("apiVersion", String),
    omitted("fieldsType", String),
    pointer("fieldsV1", Any),
    omitted("manager", String),
    omitted("operation", String),
    omitted("subresource", String),
    pointer("time", Time),
]);

/// `core/v1.ModifyVolumeStatus`.
pub static MODIFY_VOLUME_STATUS: Shape = Shape::named("ModifyVolumeStatus").with(&[
    always("status", String),
    omitted("targetVolumeAttributesClassName", String),
]);

/// `core/v1.NFSVolumeSource`.
pub static NFS_VOLUME_SOURCE: Shape = Shape::named("NFSVolumeSource").with(&[
    always("path", String),
    omitted("readOnly", Bool),
    always("server", String),
]);

/// `core/v1.NodeAffinity`.
pub static NODE_AFFINITY: Shape = Shape::named("NodeAffinity").with(&[
    omitted(
        "preferredDuringSchedulingIgnoredDuringExecution",
        List(&Struct(&PREFERRED_SCHEDULING_TERM)),
    ),
    pointer("requiredDuringSchedulingIgnoredDuringExecution", Struct(&NODE_SELECTOR)),
]);

/// `core/v1.NodeSelector`.
pub static NODE_SELECTOR: Shape =
    Shape::named("NodeSelector").with(&[always("nodeSelectorTerms", List(&Struct(&NODE_SELECTOR_TERM)))]);

/// `core/v1.NodeSelectorRequirement`.
pub static NODE_SELECTOR_REQUIREMENT: Shape = Shape::named("NodeSelectorRequirement").with(&[
    always("key", String),
    always("operator", String),
    omitted("values", List(&String)),
]);

/// `core/v1.NodeSelectorTerm`.
pub static NODE_SELECTOR_TERM: Shape = Shape::named("NodeSelectorTerm").with(&[
    omitted("matchExpressions", List(&Struct(&NODE_SELECTOR_REQUIREMENT))),
    omitted("matchFields", List(&Struct(&NODE_SELECTOR_REQUIREMENT))),
]);

/// `core/v1.ObjectFieldSelector`.
pub static OBJECT_FIELD_SELECTOR: Shape =
    Shape::named("ObjectFieldSelector").with(&[omitted("apiVersion", String), always("fieldPath", String)]);

/// `meta/v1.ObjectMeta`.
pub static OBJECT_META: Shape = Shape::named("ObjectMeta").with(&[
    omitted("annotations", Map(&String)),
    always("creationTimestamp", Time),
    pointer("deletionGracePeriodSeconds", Int64),
    pointer("deletionTimestamp", Time),
    omitted("finalizers", List(&String)),
    omitted("generateName", String),
    omitted("generation", Int64),
    omitted("labels", Map(&String)),
    omitted("managedFields", List(&Struct(&MANAGED_FIELDS_ENTRY))),
    omitted("name", String),
    omitted("namespace", String),
    omitted("ownerReferences", List(&Struct(&OWNER_REFERENCE))).merged_by("uid"),
    omitted("resourceVersion", String),
    omitted("selfLink", String),
    omitted("uid", String),
]);

/// `meta/v1.OwnerReference`.
pub static OWNER_REFERENCE: Shape = Shape::named("OwnerReference").with(&[
    always("apiVersion", String),
    pointer("blockOwnerDeletion", Bool),
    pointer("controller", Bool),
    always("kind", String),
    always("name", String),
    always("uid", String),
]);

/// `core/v1.PersistentVolumeClaim`.
pub static PERSISTENT_VOLUME_CLAIM: Shape = Shape::named("PersistentVolumeClaim").with(&[
    omitted("apiVersion", String),
    omitted("kind", String),
    always("metadata", Struct(&OBJECT_META)),
    always("spec", Struct(&PERSISTENT_VOLUME_CLAIM_SPEC)),
    always("status", Struct(&PERSISTENT_VOLUME_CLAIM_STATUS)),
]);

/// `core/v1.PersistentVolumeClaimCondition`.
pub static PERSISTENT_VOLUME_CLAIM_CONDITION: Shape = Shape::named("PersistentVolumeClaimCondition").with(&[
    always("lastProbeTime", Time),
    always("lastTransitionTime", Time),
    omitted("message", String),
    omitted("reason", String),
    always("status", String),
    always("type", String),
]);

/// `core/v1.PersistentVolumeClaimSpec`.
pub static PERSISTENT_VOLUME_CLAIM_SPEC: Shape = Shape::named("PersistentVolumeClaimSpec").with(&[
    omitted("accessModes", List(&String)),
    pointer("dataSource", Struct(&TYPED_LOCAL_OBJECT_REFERENCE)),
    pointer("dataSourceRef", Struct(&TYPED_OBJECT_REFERENCE)),
    always("resources", Struct(&VOLUME_RESOURCE_REQUIREMENTS)),
    pointer("selector", Struct(&LABEL_SELECTOR)),
    pointer("storageClassName", String),
    pointer("volumeAttributesClassName", String),
    pointer("volumeMode", String),
    omitted("volumeName", String),
]);

/// `core/v1.PersistentVolumeClaimStatus`.
pub static PERSISTENT_VOLUME_CLAIM_STATUS: Shape = Shape::named("PersistentVolumeClaimStatus").with(&[
    omitted("accessModes", List(&String)),
    omitted("allocatedResourceStatuses", Map(&String)),
    omitted("allocatedResources", Map(&Quantity)),
    omitted("capacity", Map(&Quantity)),
    omitted("conditions", List(&Struct(&PERSISTENT_VOLUME_CLAIM_CONDITION))).merged_by("type"),
    pointer("currentVolumeAttributesClassName", String),
    pointer("modifyVolumeStatus", Struct(&MODIFY_VOLUME_STATUS)),
    omitted("phase", String),
]);

/// `core/v1.PersistentVolumeClaimTemplate`.
pub static PERSISTENT_VOLUME_CLAIM_TEMPLATE: Shape = Shape::named("PersistentVolumeClaimTemplate").with(&[
    always("metadata", Struct(&OBJECT_META)),
    always("spec", Struct(&PERSISTENT_VOLUME_CLAIM_SPEC)),
]);

/// `core/v1.PersistentVolumeClaimVolumeSource`.
pub static PERSISTENT_VOLUME_CLAIM_VOLUME_SOURCE: Shape =
    Shape::named("PersistentVolumeClaimVolumeSource").with(&[always("claimName", String), omitted("readOnly", Bool)]);

/// `core/v1.PhotonPersistentDiskVolumeSource`.
pub static PHOTON_PERSISTENT_DISK_VOLUME_SOURCE: Shape =
    Shape::named("PhotonPersistentDiskVolumeSource").with(&[omitted("fsType", String), always("pdID", String)]);

/// `core/v1.PodAffinity`.
pub static POD_AFFINITY: Shape = Shape::named("PodAffinity").with(&[
    omitted(
        "preferredDuringSchedulingIgnoredDuringExecution",
        List(&Struct(&WEIGHTED_POD_AFFINITY_TERM)),
    ),
    omitted(
        "requiredDuringSchedulingIgnoredDuringExecution",
        List(&Struct(&POD_AFFINITY_TERM)),
    ),
]);

/// `core/v1.PodAffinityTerm`.
pub static POD_AFFINITY_TERM: Shape = Shape::named("PodAffinityTerm").with(&[
    pointer("labelSelector", Struct(&LABEL_SELECTOR)),
    omitted("matchLabelKeys", List(&String)),
    omitted("mismatchLabelKeys", List(&String)),
    pointer("namespaceSelector", Struct(&LABEL_SELECTOR)),
    omitted("namespaces", List(&String)),
    always("topologyKey", String),
]);

/// `core/v1.PodAntiAffinity`.
pub static POD_ANTI_AFFINITY: Shape = Shape::named("PodAntiAffinity").with(&[
    omitted(
        "preferredDuringSchedulingIgnoredDuringExecution",
        List(&Struct(&WEIGHTED_POD_AFFINITY_TERM)),
    ),
    omitted(
        "requiredDuringSchedulingIgnoredDuringExecution",
        List(&Struct(&POD_AFFINITY_TERM)),
    ),
]);

/// `core/v1.PodDNSConfig`.
pub static POD_DNS_CONFIG: Shape = Shape::named("PodDNSConfig").with(&[
    omitted("nameservers", List(&String)),
    omitted("options", List(&Struct(&POD_DNS_CONFIG_OPTION))),
    omitted("searches", List(&String)),
]);

/// `core/v1.PodDNSConfigOption`.
pub static POD_DNS_CONFIG_OPTION: Shape =
    Shape::named("PodDNSConfigOption").with(&[omitted("name", String), pointer("value", String)]);

/// `core/v1.PodOS`.
pub static POD_OS: Shape = Shape::named("PodOS").with(&[always("name", String)]);

/// `core/v1.PodReadinessGate`.
pub static POD_READINESS_GATE: Shape = Shape::named("PodReadinessGate").with(&[always("conditionType", String)]);

/// `core/v1.PodResourceClaim`.
pub static POD_RESOURCE_CLAIM: Shape =
    Shape::named("PodResourceClaim").with(&[always("name", String), always("source", Struct(&CLAIM_SOURCE))]);

/// `core/v1.PodSchedulingGate`.
pub static POD_SCHEDULING_GATE: Shape = Shape::named("PodSchedulingGate").with(&[always("name", String)]);

/// `core/v1.PodSecurityContext`.
pub static POD_SECURITY_CONTEXT: Shape = Shape::named("PodSecurityContext").with(&[
    pointer("fsGroup", Int64),
    pointer("fsGroupChangePolicy", String),
    pointer("runAsGroup", Int64),
    pointer("runAsNonRoot", Bool),
    pointer("runAsUser", Int64),
    pointer("seLinuxOptions", Struct(&SE_LINUX_OPTIONS)),
    pointer("seccompProfile", Struct(&SECCOMP_PROFILE)),
    omitted("supplementalGroups", List(&Int64)),
    omitted("sysctls", List(&Struct(&SYSCTL))),
    pointer("windowsOptions", Struct(&WINDOWS_SECURITY_CONTEXT_OPTIONS)),
]);

/// `core/v1.PodSpec`.
pub static POD_SPEC: Shape = Shape::named("PodSpec").with(&[
    pointer("activeDeadlineSeconds", Int64),
    pointer("affinity", Struct(&AFFINITY)),
    pointer("automountServiceAccountToken", Bool),
    always("containers", List(&Struct(&CONTAINER))).merged_by("name"),
    pointer("dnsConfig", Struct(&POD_DNS_CONFIG)),
    omitted("dnsPolicy", String),
    pointer("enableServiceLinks", Bool),
    omitted("ephemeralContainers", List(&Struct(&EPHEMERAL_CONTAINER))).merged_by("name"),
    omitted("hostAliases", List(&Struct(&HOST_ALIAS))).merged_by("ip"),
    omitted("hostIPC", Bool),
    omitted("hostNetwork", Bool),
    omitted("hostPID", Bool),
    pointer("hostUsers", Bool),
    omitted("hostname", String),
    omitted("imagePullSecrets", List(&Struct(&LOCAL_OBJECT_REFERENCE))).merged_by("name"),
    omitted("initContainers", List(&Struct(&CONTAINER))).merged_by("name"),
    omitted("nodeName", String),
    omitted("nodeSelector", Map(&String)),
    pointer("os", Struct(&POD_OS)),
    omitted("overhead", Map(&Quantity)),
    pointer("preemptionPolicy", String),
    pointer("priority", Int32),
    omitted("priorityClassName", String),
    omitted("readinessGates", List(&Struct(&POD_READINESS_GATE))),
    omitted("resourceClaims", List(&Struct(&POD_RESOURCE_CLAIM))).merged_by("name"),
    omitted("restartPolicy", String),
    pointer("runtimeClassName", String),
    omitted("schedulerName", String),
    omitted("schedulingGates", List(&Struct(&POD_SCHEDULING_GATE))).merged_by("name"),
    pointer("securityContext", Struct(&POD_SECURITY_CONTEXT)),
    omitted("serviceAccount", String),
    omitted("serviceAccountName", String),
    pointer("setHostnameAsFQDN", Bool),
    pointer("shareProcessNamespace", Bool),
    omitted("subdomain", String),
    pointer("terminationGracePeriodSeconds", Int64),
    omitted("tolerations", List(&Struct(&TOLERATION))),
    omitted("topologySpreadConstraints", List(&Struct(&TOPOLOGY_SPREAD_CONSTRAINT))).merged_by("topologyKey"),
    omitted("volumes", List(&Struct(&VOLUME)))
        .merged_by("name")
        .retaining_keys(),
]);

/// `core/v1.PortworxVolumeSource`.
pub static PORTWORX_VOLUME_SOURCE: Shape = Shape::named("PortworxVolumeSource").with(&[
    omitted("fsType", String),
    omitted("readOnly", Bool),
    always("volumeID", String),
]);

/// `core/v1.PreferredSchedulingTerm`.
pub static PREFERRED_SCHEDULING_TERM: Shape = Shape::named("PreferredSchedulingTerm").with(&[
    always("preference", Struct(&NODE_SELECTOR_TERM)),
    always("weight", Int32),
]);

/// `core/v1.Probe`.
pub static PROBE: Shape = Shape::named("Probe").with(&[
    pointer("exec", Struct(&EXEC_ACTION)),
    omitted("failureThreshold", Int32),
    pointer("grpc", Struct(&GRPC_ACTION)),
    pointer("httpGet", Struct(&HTTP_GET_ACTION)),
    omitted("initialDelaySeconds", Int32),
    omitted("periodSeconds", Int32),
    omitted("successThreshold", Int32),
    pointer("tcpSocket", Struct(&TCP_SOCKET_ACTION)),
    pointer("terminationGracePeriodSeconds", Int64),
    omitted("timeoutSeconds", Int32),
]);

/// `core/v1.ProjectedVolumeSource`.
pub static PROJECTED_VOLUME_SOURCE: Shape = Shape::named("ProjectedVolumeSource").with(&[
    pointer("defaultMode", Int32),
    always("sources", List(&Struct(&VOLUME_PROJECTION))),
]);

/// `core/v1.QuobyteVolumeSource`.
pub static QUOBYTE_VOLUME_SOURCE: Shape = Shape::named("QuobyteVolumeSource").with(&[
    omitted("group", String),
    omitted("readOnly", Bool),
    always("registry", String),
    omitted("tenant", String),
    omitted("user", String),
    always("volume", String),
]);

/// `core/v1.RBDVolumeSource`.
pub static RBD_VOLUME_SOURCE: Shape = Shape::named("RBDVolumeSource").with(&[
    omitted("fsType", String),
    always("image", String),
    omitted("keyring", String),
    always("monitors", List(&String)),
    omitted("pool", String),
    omitted("readOnly", Bool),
    pointer("secretRef", Struct(&LOCAL_OBJECT_REFERENCE)),
    omitted("user", String),
]);

/// `core/v1.ResourceClaim`.
pub static RESOURCE_CLAIM: Shape = Shape::named("ResourceClaim").with(&[always("name", String)]);

/// `core/v1.ResourceFieldSelector`.
pub static RESOURCE_FIELD_SELECTOR: Shape = Shape::named("ResourceFieldSelector").with(&[
    omitted("containerName", String),
    always("divisor", Quantity),
    always("resource", String),
]);

/// `core/v1.ResourceRequirements`.
pub static RESOURCE_REQUIREMENTS: Shape = Shape::named("ResourceRequirements").with(&[
    omitted("claims", List(&Struct(&RESOURCE_CLAIM))),
    omitted("limits", Map(&Quantity)),
    omitted("requests", Map(&Quantity)),
]);

/// `core/v1.SELinuxOptions`.
pub static SE_LINUX_OPTIONS: Shape = Shape::named("SELinuxOptions").with(&[
    omitted("level", String),
    omitted("role", String),
    omitted("type", String),
    omitted("user", String),
]);

/// `core/v1.ScaleIOVolumeSource`.
pub static SCALE_IO_VOLUME_SOURCE: Shape = Shape::named("ScaleIOVolumeSource").with(&[
    omitted("fsType", String),
    always("gateway", String),
    omitted("protectionDomain", String),
    omitted("readOnly", Bool),
    nullable("secretRef", Struct(&LOCAL_OBJECT_REFERENCE)),
    omitted("sslEnabled", Bool),
    omitted("storageMode", String),
    omitted("storagePool", String),
    always("system", String),
    omitted("volumeName", String),
]);

/// `core/v1.SeccompProfile`.
pub static SECCOMP_PROFILE: Shape =
    Shape::named("SeccompProfile").with(&[pointer("localhostProfile", String), always("type", String)]);

/// `core/v1.SecretEnvSource`.
pub static SECRET_ENV_SOURCE: Shape =
    Shape::named("SecretEnvSource").with(&[omitted("name", String), pointer("optional", Bool)]);

/// `core/v1.SecretKeySelector`.
pub static SECRET_KEY_SELECTOR: Shape = Shape::named("SecretKeySelector").with(&[
    always("key", String),
    omitted("name", String),
    pointer("optional", Bool),
]);

/// `core/v1.SecretProjection`.
pub static SECRET_PROJECTION: Shape = Shape::named("SecretProjection").with(&[
    omitted("items", List(&Struct(&KEY_TO_PATH))),
    omitted("name", String),
    pointer("optional", Bool),
]);

/// `core/v1.SecretVolumeSource`.
pub static SECRET_VOLUME_SOURCE: Shape = Shape::named("SecretVolumeSource").with(&[
    pointer("defaultMode", Int32),
    omitted("items", List(&Struct(&KEY_TO_PATH))),
    pointer("optional", Bool),
    omitted("secretName", String),
]);

/// `core/v1.SecurityContext`.
pub static SECURITY_CONTEXT: Shape = Shape::named("SecurityContext").with(&[
    pointer("allowPrivilegeEscalation", Bool),
    pointer("capabilities", Struct(&CAPABILITIES)),
    pointer("privileged", Bool),
    pointer("procMount", String),
    pointer("readOnlyRootFilesystem", Bool),
    pointer("runAsGroup", Int64),
    pointer("runAsNonRoot", Bool),
    pointer("runAsUser", Int64),
    pointer("seLinuxOptions", Struct(&SE_LINUX_OPTIONS)),
    pointer("seccompProfile", Struct(&SECCOMP_PROFILE)),
    pointer("windowsOptions", Struct(&WINDOWS_SECURITY_CONTEXT_OPTIONS)),
]);

/// `core/v1.ServiceAccountTokenProjection`.
pub static SERVICE_ACCOUNT_TOKEN_PROJECTION: Shape = Shape::named("ServiceAccountTokenProjection").with(&[
    omitted("audience", String),
    pointer("expirationSeconds", Int64),
    always("path", String),
]);

/// `core/v1.SleepAction`.
pub static SLEEP_ACTION: Shape = Shape::named("SleepAction").with(&[always("seconds", Int64)]);

/// `core/v1.StorageOSVolumeSource`.
pub static STORAGE_OS_VOLUME_SOURCE: Shape = Shape::named("StorageOSVolumeSource").with(&[
    omitted("fsType", String),
    omitted("readOnly", Bool),
    pointer("secretRef", Struct(&LOCAL_OBJECT_REFERENCE)),
    omitted("volumeName", String),
    omitted("volumeNamespace", String),
]);

/// `core/v1.Sysctl`.
pub static SYSCTL: Shape = Shape::named("Sysctl").with(&[always("name", String), always("value", String)]);

/// `core/v1.TCPSocketAction`.
pub static TCP_SOCKET_ACTION: Shape =
    Shape::named("TCPSocketAction").with(&[omitted("host", String), always("port", IntOrString)]);

/// `core/v1.Toleration`.
pub static TOLERATION: Shape = Shape::named("Toleration").with(&[
    omitted("effect", String),
    omitted("key", String),
    omitted("operator", String),
    pointer("tolerationSeconds", Int64),
    omitted("value", String),
]);

/// `core/v1.TopologySpreadConstraint`.
pub static TOPOLOGY_SPREAD_CONSTRAINT: Shape = Shape::named("TopologySpreadConstraint").with(&[
    pointer("labelSelector", Struct(&LABEL_SELECTOR)),
    omitted("matchLabelKeys", List(&String)),
    always("maxSkew", Int32),
    pointer("minDomains", Int32),
    pointer("nodeAffinityPolicy", String),
    pointer("nodeTaintsPolicy", String),
    always("topologyKey", String),
    always("whenUnsatisfiable", String),
]);

/// `core/v1.TypedLocalObjectReference`.
pub static TYPED_LOCAL_OBJECT_REFERENCE: Shape = Shape::named("TypedLocalObjectReference").with(&[
    nullable("apiGroup", String),
    always("kind", String),
    always("name", String),
]);

/// `core/v1.TypedObjectReference`.
pub static TYPED_OBJECT_REFERENCE: Shape = Shape::named("TypedObjectReference").with(&[
    nullable("apiGroup", String),
    always("kind", String),
    always("name", String),
    pointer("namespace", String),
]);

/// `core/v1.Volume`.
pub static VOLUME: Shape = Shape::named("Volume").with(&[
    pointer("awsElasticBlockStore", Struct(&AWS_ELASTIC_BLOCK_STORE_VOLUME_SOURCE)),
    pointer("azureDisk", Struct(&AZURE_DISK_VOLUME_SOURCE)),
    pointer("azureFile", Struct(&AZURE_FILE_VOLUME_SOURCE)),
    pointer("cephfs", Struct(&CEPH_FS_VOLUME_SOURCE)),
    pointer("cinder", Struct(&CINDER_VOLUME_SOURCE)),
    pointer("configMap", Struct(&CONFIG_MAP_VOLUME_SOURCE)),
    pointer("csi", Struct(&CSI_VOLUME_SOURCE)),
    pointer("downwardAPI", Struct(&DOWNWARD_API_VOLUME_SOURCE)),
    pointer("emptyDir", Struct(&EMPTY_DIR_VOLUME_SOURCE)),
    pointer("ephemeral", Struct(&EPHEMERAL_VOLUME_SOURCE)),
    pointer("fc", Struct(&FC_VOLUME_SOURCE)),
    pointer("flexVolume", Struct(&FLEX_VOLUME_SOURCE)),
    pointer("flocker", Struct(&FLOCKER_VOLUME_SOURCE)),
    pointer("gcePersistentDisk", Struct(&GCE_PERSISTENT_DISK_VOLUME_SOURCE)),
    pointer("gitRepo", Struct(&GIT_REPO_VOLUME_SOURCE)),
    pointer("glusterfs", Struct(&GLUSTERFS_VOLUME_SOURCE)),
    pointer("hostPath", Struct(&HOST_PATH_VOLUME_SOURCE)),
    pointer("iscsi", Struct(&ISCSI_VOLUME_SOURCE)),
    always("name", String),
    pointer("nfs", Struct(&NFS_VOLUME_SOURCE)),
    pointer("persistentVolumeClaim", Struct(&PERSISTENT_VOLUME_CLAIM_VOLUME_SOURCE)),
    pointer("photonPersistentDisk", Struct(&PHOTON_PERSISTENT_DISK_VOLUME_SOURCE)),
    pointer("portworxVolume", Struct(&PORTWORX_VOLUME_SOURCE)),
    pointer("projected", Struct(&PROJECTED_VOLUME_SOURCE)),
    pointer("quobyte", Struct(&QUOBYTE_VOLUME_SOURCE)),
    pointer("rbd", Struct(&RBD_VOLUME_SOURCE)),
    pointer("scaleIO", Struct(&SCALE_IO_VOLUME_SOURCE)),
    pointer("secret", Struct(&SECRET_VOLUME_SOURCE)),
    pointer("storageos", Struct(&STORAGE_OS_VOLUME_SOURCE)),
    pointer("vsphereVolume", Struct(&VSPHERE_VIRTUAL_DISK_VOLUME_SOURCE)),
]);

/// `core/v1.VolumeDevice`.
pub static VOLUME_DEVICE: Shape =
    Shape::named("VolumeDevice").with(&[always("devicePath", String), always("name", String)]);

/// `core/v1.VolumeMount`.
pub static VOLUME_MOUNT: Shape = Shape::named("VolumeMount").with(&[
    always("mountPath", String),
    pointer("mountPropagation", String),
    always("name", String),
    omitted("readOnly", Bool),
    omitted("subPath", String),
    omitted("subPathExpr", String),
]);

/// `core/v1.VolumeProjection`.
pub static VOLUME_PROJECTION: Shape = Shape::named("VolumeProjection").with(&[
    pointer("clusterTrustBundle", Struct(&CLUSTER_TRUST_BUNDLE_PROJECTION)),
    pointer("configMap", Struct(&CONFIG_MAP_PROJECTION)),
    pointer("downwardAPI", Struct(&DOWNWARD_API_PROJECTION)),
    pointer("secret", Struct(&SECRET_PROJECTION)),
    pointer("serviceAccountToken", Struct(&SERVICE_ACCOUNT_TOKEN_PROJECTION)),
]);

/// `core/v1.VolumeResourceRequirements`.
pub static VOLUME_RESOURCE_REQUIREMENTS: Shape = Shape::named("VolumeResourceRequirements")
    .with(&[omitted("limits", Map(&Quantity)), omitted("requests", Map(&Quantity))]);

/// `core/v1.VsphereVirtualDiskVolumeSource`.
pub static VSPHERE_VIRTUAL_DISK_VOLUME_SOURCE: Shape = Shape::named("VsphereVirtualDiskVolumeSource").with(&[
    omitted("fsType", String),
    omitted("storagePolicyID", String),
    omitted("storagePolicyName", String),
    always("volumePath", String),
]);

/// `core/v1.WeightedPodAffinityTerm`.
pub static WEIGHTED_POD_AFFINITY_TERM: Shape = Shape::named("WeightedPodAffinityTerm").with(&[
    always("podAffinityTerm", Struct(&POD_AFFINITY_TERM)),
    always("weight", Int32),
]);

/// `core/v1.WindowsSecurityContextOptions`.
pub static WINDOWS_SECURITY_CONTEXT_OPTIONS: Shape = Shape::named("WindowsSecurityContextOptions").with(&[
    pointer("gmsaCredentialSpec", String),
    pointer("gmsaCredentialSpecName", String),
    pointer("hostProcess", Bool),
    pointer("runAsUserName", String),
]);
