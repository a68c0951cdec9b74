//! Volumes (`ValidateVolumes`, `validateVolumeSource`) and their mounts in containers (`ValidateVolumeMounts`,
//! `ValidateVolumeDevices`).

use std::collections::{BTreeSet, HashMap};

use super::claim::CLAIM_SPEC;
use super::environment::{VOLUME_FIELDS, check_pod_field, check_resource_field};
use super::{resources, text};
use crate::check::walk::Expect::{
    self, As, AtMostOne, ExactlyOne, In, Is, OneOf, Range, Required, Text, TextOrEmpty, Unique, With,
};
use crate::check::walk::{Json, Rows, Walk, present_fields};
use crate::diagnostic::{Code, suggest};
use crate::go::syntax;

/// Expects a file mode (`fileModeErrorMsg`).
const MODE: Expect = With(check_mode);

/// Volume types, in the order that the API server checks them.
const KINDS: &str = "emptyDir|hostPath|gitRepo|gcePersistentDisk|awsElasticBlockStore|secret|nfs|iscsi|glusterfs\
    |flocker|persistentVolumeClaim|rbd|cinder|cephfs|quobyte|downwardAPI|fc|flexVolume|configMap|azureFile\
    |vsphereVolume|photonPersistentDisk|portworxVolume|azureDisk|storageos|projected|scaleIO|csi|ephemeral";

/// Rules for a volume. A volume without a type is an `emptyDir` (`SetDefaults_Volume`). Flocker, Photon, Quobyte and
/// ScaleIO have no rules, because agents are not known to mount them.
pub(super) const VOLUME: Rows = &[
    ("name", Text(syntax::dns_label)),
    ("", AtMostOne(KINDS)),
    ("emptyDir.sizeLimit", resources::NOT_NEGATIVE),
    ("hostPath.path", Required),
    ("hostPath.path", Text(text::backsteps_problem)),
    ("hostPath.type", OneOf("|BlockDevice|CharDevice|Directory|DirectoryOrCreate|File|FileOrCreate|Socket")),
    ("gitRepo.repository", Required),
    ("gitRepo.directory", Text(text::relative_path_problem)),
    ("gcePersistentDisk.pdName", Required),
    ("awsElasticBlockStore.volumeID", Required),
    ("gcePersistentDisk|awsElasticBlockStore.partition", Range(0, 255)),
    ("secret.secretName", Required),
    ("configMap.name", Required),
    ("secret|configMap|downwardAPI|projected.defaultMode", MODE),
    ("secret|configMap.items[]", In(KEY_TO_PATH)),
    ("nfs.server|path", Required),
    ("nfs.path", Is(|path| path.starts_with('/'), "must be an absolute path")),
    ("iscsi.targetPortal|iqn", Required),
    ("iscsi.lun", Range(0, 255)),
    ("iscsi.iqn", TextOrEmpty(text::iscsi_name_problem)),
    ("iscsi.initiatorName", Text(text::iscsi_name_problem)),
    ("iscsi", With(check_chap_secret)),
    ("glusterfs.endpoints|path", Required),
    ("persistentVolumeClaim.claimName", Required),
    ("rbd.monitors|image", Required),
    ("cinder.volumeID", Required),
    ("cinder|storageos.secretRef.name", Required),
    ("cephfs.monitors", Required),
    ("downwardAPI.items[]", In(DOWNWARD_FILE)),
    ("fc", With(check_fibre_channel)),
    ("flexVolume.driver", Required),
    ("flexVolume.options", With(check_options)),
    ("azureFile.secretName|shareName", Required),
    ("vsphereVolume.volumePath", Required),
    ("portworxVolume.volumeID", Required),
    ("azureDisk.diskName|diskURI", Required),
    ("azureDisk.cachingMode", OneOf("None|ReadOnly|ReadWrite")),
    ("azureDisk.kind", OneOf("Dedicated|Managed|Shared")),
    ("azureDisk", With(check_disk_uri)),
    ("storageos.volumeName", Required),
    ("storageos.volumeName|volumeNamespace", TextOrEmpty(syntax::dns_label)),
    ("projected.sources[]", In(PROJECTION)),
    ("projected", With(report_conflicting_paths)),
    ("csi.driver", Required),
    ("csi.driver", TextOrEmpty(text::driver_name_problem)),
    ("csi.nodePublishSecretRef.name", Required),
    ("csi.nodePublishSecretRef.name", TextOrEmpty(syntax::subdomain)),
    ("ephemeral.volumeClaimTemplate", Required),
    ("ephemeral.volumeClaimTemplate.spec", As(Code::InvalidClaim, &In(CLAIM_SPEC))),
];

/// Port of Kubernetes' `validateKeyToPath`.
const KEY_TO_PATH: Rows = &[("key|path", Required), ("path", Text(text::reserved_path_problem)), ("mode", MODE)];

/// Port of Kubernetes' `validateDownwardAPIVolumeFile`.
const DOWNWARD_FILE: Rows = &[
    ("path", Required),
    ("path", Text(text::reserved_path_problem)),
    ("mode", MODE),
    ("", ExactlyOne("fieldRef|resourceFieldRef")),
    ("fieldRef", With(|field, walk| check_pod_field(VOLUME_FIELDS, field, walk))),
    ("resourceFieldRef.containerName", Required),
    ("resourceFieldRef", With(check_resource_field)),
];

/// Port of Kubernetes' `validateProjectionSources`.
const PROJECTION: Rows = &[
    ("", AtMostOne("secret|configMap|downwardAPI|serviceAccountToken")),
    ("secret|configMap.name", Required),
    ("secret|configMap.items[]", In(KEY_TO_PATH)),
    ("downwardAPI.items[]", In(DOWNWARD_FILE)),
    ("serviceAccountToken.expirationSeconds", Range(600, 1 << 32)),
    ("serviceAccountToken.path", Required),
];

fn check_mode<'v>(mode: Json<'v>, walk: &mut Walk<'v>) {
    if let Some(mode) = mode.as_i64().filter(|mode| !(0..=0o777).contains(mode)) {
        walk.report(&[], "must be between 0 and 511, which is 0777 in octal").set_value(mode);
    }
}

/// Port of Kubernetes' `validateFCVolumeSource`.
fn check_fibre_channel<'v>(source: Json<'v>, walk: &mut Walk<'v>) {
    let has = |field| source.list(field).next().is_some();
    let (field, problem) = match (has("targetWWNs"), has("wwids"), source.get("lun")) {
        (false, false, _) => ("targetWWNs", "or `wwids` is required"),
        (true, true, _) => ("wwids", "cannot be combined with `targetWWNs`"),
        (true, false, None) => ("lun", "is required if `targetWWNs` is set"),
        (true, false, Some(lun)) if !matches!(lun.as_i64(), Some(0..=255)) => ("lun", "must be between 0 and 255"),
        _ => return,
    };
    walk.report_field(field, problem);
}

/// Requires a Secret for CHAP authentication (`validateISCSIVolumeSource`).
fn check_chap_secret<'v>(source: Json<'v>, walk: &mut Walk<'v>) {
    let mut methods = ["chapAuthDiscovery", "chapAuthSession"].into_iter().filter(|method| source.is_true(method));
    if let (Some(method), None) = (methods.next(), source.non_null("secretRef")) {
        walk.report_field("secretRef", format!("is required if `{method}` is set"));
    }
}

/// Port of Kubernetes' `validateFlexVolumeSource`.
fn check_options<'v>(options: Json<'v>, walk: &mut Walk<'v>) {
    for (key, _) in options.entries() {
        let namespace = key.split_once('/').map_or(key, |(namespace, _)| namespace);
        let namespace = format!(".{}", namespace.to_lowercase());
        if namespace.ends_with(".kubernetes.io") || namespace.ends_with(".k8s.io") {
            walk.report_field(key, "must not use a Kubernetes domain");
        }
    }
}

/// Port of Kubernetes' `validateAzureDisk`. The default kind is `Shared` (`SetDefaults_AzureDisk`).
fn check_disk_uri<'v>(disk: Json<'v>, walk: &mut Walk<'v>) {
    let (start, condition) = match disk.text("kind") {
        "Managed" => ("/subscriptions/", "if"),
        _ => ("https://", "unless"),
    };
    if !disk.text("diskURI").starts_with(start) {
        walk.report_field("diskURI", format!("must start with `{start}` {condition} `kind` is `Managed`"));
    }
}

/// Reports paths that more than one source of a projected volume uses (`validateProjectionSources`).
fn report_conflicting_paths<'v>(projected: Json<'v>, walk: &mut Walk<'v>) {
    let mut seen_paths = HashMap::new();
    let paths = "sources[].secret|configMap|downwardAPI.items[].path";
    walk.for_each(paths, projected, |walk, path| {
        if let Some(path) = path.as_str().filter(|path| !path.is_empty()) {
            walk.report_repeated(&mut seen_paths, path, &[], path);
        }
    });
}

/// Checks a disk in the pods of a DaemonSet, or of a Deployment with several replicas
/// (`ValidateReadOnlyPersistentDisks`).
pub(super) fn check_persistent_disk<'v>(disk: Json<'v>, walk: &mut Walk<'v>) {
    if !disk.is_true("readOnly") {
        walk.report_field("readOnly", "must be true if pods run on several nodes");
    }
}

/// Rules for a container's mounts and devices.
pub(super) const MOUNTS: Rows = &[
    ("volumeMounts[]", In(MOUNT)),
    ("volumeMounts", Unique(&["mountPath"])),
    ("volumeDevices[].devicePath", Required),
    ("volumeDevices[].devicePath", Text(text::backsteps_problem)),
    ("volumeDevices", Unique(&["devicePath"])),
    ("volumeDevices", Unique(&["name"])),
];
const MOUNT: Rows = &[
    ("mountPath", Required),
    ("subPath|subPathExpr", Text(text::relative_path_problem)),
    ("", AtMostOne("subPath|subPathExpr")),
    ("mountPropagation", OneOf(PROPAGATIONS)),
];
const PROPAGATIONS: &str = "Bidirectional|HostToContainer|None";

/// Checks that every mount and device in every container refers to a volume.
pub(super) fn check_pod_mounts<'v>(pod: Json<'v>, walk: &mut Walk<'v>) {
    let volumes = pod.list("volumes").map(|volume| (volume.text("name"), volume));
    let volumes = volumes.collect();
    walk.for_each("containers|initContainers[]", pod, |walk, container| {
        check_mounts(container, &volumes, walk);
    });
}

fn check_mounts<'v>(container: Json<'v>, volumes: &HashMap<&'v str, Json<'v>>, walk: &mut Walk<'v>) {
    let devices = container.list("volumeDevices");
    let is_privileged = container.is_true("securityContext.privileged");
    let all_values = |field| BTreeSet::from_iter(devices.clone().map(|device| device.text(field)));
    let (device_names, device_paths) = (all_values("name"), all_values("devicePath"));
    walk.for_each("volumeMounts[]", container, |walk, mount| {
        let name = mount.text("name");
        if !volumes.contains_key(name) {
            report_missing_volume(name, volumes.keys().copied(), walk);
        }
        if device_names.contains(name) {
            walk.report_field("name", "is already used in `volumeDevices`");
        }
        if device_paths.contains(mount.text("mountPath")) {
            walk.report_field("mountPath", "is already used as a path in `volumeDevices`");
        }
        if mount.text("mountPropagation") == "Bidirectional" && !is_privileged {
            walk.report_field("mountPropagation", "can be `Bidirectional` only in privileged containers");
        }
    });
    walk.for_each("volumeDevices[]", container, |walk, device| {
        let name = device.text("name");
        let is_claimed = |volume: Json<'_>| present_fields("persistentVolumeClaim|ephemeral", volume).next().is_some();
        match volumes.get(name) {
            None => report_missing_volume(name, volumes.keys().copied(), walk),
            Some(volume) if !is_claimed(*volume) => {
                walk.report_field("name", "must be the name of a volume with a claim");
            }
            Some(_) => {}
        }
    });
}

/// Predicate for the name of a volume that the pods do not have.
pub(in crate::check) const MISSING_VOLUME: &str = "must be the name of one of the pods' volumes";

fn report_missing_volume<'v>(name: &str, volumes: impl Iterator<Item = &'v str>, walk: &mut Walk<'v>) {
    let volumes: BTreeSet<_> = volumes.filter(|_| walk.is_below_limit()).collect();
    walk.report_field("name", MISSING_VOLUME).set_value(name).help =
        suggest::did_you_mean(name, volumes).unwrap_or_else(|| "add the volume to `spec.volumes`".to_owned());
}
