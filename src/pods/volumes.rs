//! Short forms of volumes, mounts and variables.

use k8s_openapi::api::core::v1::{
    ConfigMapVolumeSource, EmptyDirVolumeSource, EnvVar, EnvVarSource, HostPathVolumeSource, KeyToPath,
    ObjectFieldSelector, SecretVolumeSource, Volume, VolumeMount,
};

/// A volume with the keys of a Secret, all of them where `items` is empty.
pub(super) fn secret(name: impl Into<String>, secret_name: impl Into<String>, items: Vec<KeyToPath>) -> Volume {
    Volume {
        name: name.into(),
        secret: Some(SecretVolumeSource {
            secret_name: Some(secret_name.into()),
            items: Some(items).filter(|items| !items.is_empty()),
            ..SecretVolumeSource::default()
        }),
        ..Volume::default()
    }
}

/// A volume with the keys of a ConfigMap.
pub(super) fn config_map(name: impl Into<String>, config_map_name: impl Into<String>) -> Volume {
    Volume {
        name: name.into(),
        config_map: Some(ConfigMapVolumeSource {
            name: config_map_name.into(),
            ..ConfigMapVolumeSource::default()
        }),
        ..Volume::default()
    }
}

/// A volume that lives as long as the pod.
pub(super) fn empty_dir(name: impl Into<String>, source: EmptyDirVolumeSource) -> Volume {
    Volume {
        name: name.into(),
        empty_dir: Some(source),
        ..Volume::default()
    }
}

/// A directory of the node.
pub(super) fn host_path(name: &str, path: &str) -> Volume {
    Volume {
        name: name.to_owned(),
        host_path: Some(HostPathVolumeSource {
            path: path.to_owned(),
            ..HostPathVolumeSource::default()
        }),
        ..Volume::default()
    }
}

/// A mount that can be written to.
pub(super) fn mount(name: impl Into<String>, path: impl Into<String>) -> VolumeMount {
    VolumeMount {
        name: name.into(),
        mount_path: path.into(),
        ..VolumeMount::default()
    }
}

/// A mount that can only be read.
pub(super) fn read_only(name: impl Into<String>, path: impl Into<String>) -> VolumeMount {
    VolumeMount {
        read_only: Some(true),
        ..mount(name, path)
    }
}

/// A variable with a value.
pub(super) fn variable(name: &str, value: impl Into<String>) -> EnvVar {
    EnvVar {
        name: name.to_owned(),
        value: Some(value.into()),
        value_from: None,
    }
}

/// A variable with the value of one of the pod's fields.
pub(super) fn field_variable(name: &str, field_path: &str) -> EnvVar {
    let field_ref = ObjectFieldSelector {
        api_version: None,
        field_path: field_path.to_owned(),
    };
    EnvVar {
        name: name.to_owned(),
        value: None,
        value_from: Some(EnvVarSource {
            field_ref: Some(field_ref),
            ..EnvVarSource::default()
        }),
    }
}
