//! A workload's pods (`generatePodTemplate`).

use std::borrow::Cow;

use serde_json::{Value, json};

use super::additions::{Additions, config_map, empty_dir, field_variable, mount, read_only_mount, secret, variable};
use super::agent::AgentRendering;
use super::metadata::{self, ConfigHolder, MetadataMap};
use super::program::{Program, image};
use super::role::ObjectRole;
use crate::api::core::embedded::name;
use crate::api::core::shape::{FieldType, GoStruct};
use crate::api::core::{encode, strategic_merge};
use crate::api::{GrafanaAgent, OperatorVersion};
use crate::go::text::{join_path, volume_name};
use crate::output::CONTAINER;
use crate::plan::ConfigKind;

/// Config reloader image without its version (`DefaultConfigReloaderBaseImage`).
const RELOADER_IMAGE: &str = "quay.io/prometheus-operator/prometheus-config-reloader";

/// Name of the config reloader container.
pub(super) const RELOADER: &str = "config-reloader";

/// A pod template with its labels and selector.
pub(super) struct Pods {
    pub(super) template: Value,
    pub(super) selector: Value,
    pub(super) labels: MetadataMap,
}

impl AgentRendering<'_, '_, '_> {
    /// Renders the pods that read a configuration.
    pub(super) fn pods(&self, part: ConfigKind, added: Additions) -> Pods {
        let agent = self.hierarchy.agent;
        let selector = metadata::selector(agent.meta.name, &added.selector_labels);
        let (user_metadata, options) = (agent.spec.pod_metadata.as_ref(), self.options);
        let labels = metadata::merge(metadata::pod_labels(user_metadata, &selector, options.operator), &options.labels);
        let annotations = metadata::pod_annotations(user_metadata, CONTAINER);
        Pods {
            template: metadata::object([
                ("metadata", Some(json!({"labels": labels, "annotations": annotations}))),
                ("spec", Some(self.pod_spec(&ObjectRole::Configuration(part).name(agent.meta.name), added))),
            ]),
            selector: json!({"matchLabels": metadata::merge(selector, &options.labels)}),
            labels,
        }
    }

    fn pod_spec(&self, configuration: &str, added: Additions) -> Value {
        let spec = &self.hierarchy.agent.spec;
        let (volumes, mounts) = self.volumes_and_mounts(configuration, added.volumes, added.volume_mounts);
        let mut env = vec![field_variable("POD_NAME", "metadata.name")];
        env.extend(self.program.deployment.map(|name| variable(name, "operator")));
        env.extend(added.env);
        let (mounts, env) = (Value::Array(mounts), Value::Array(env));
        let operator_containers =
            vec![self.config_reloader(&mounts, &env), self.main_container(&mounts, &env, added.privileged)];
        let patches = spec.containers.iter().map(|container| patch(container, &self.program));
        let patches: Vec<_> = patches.collect();
        let mut pod = json!({
            "imagePullSecrets": spec.image_pull_secrets,
            "initContainers": spec.init_containers,
            "securityContext": spec.security_context,
            "serviceAccountName": spec.service_account_name,
            "nodeSelector": spec.node_selector,
            "priorityClassName": spec.priority_class_name,
            "runtimeClassName": spec.runtime_class_name,
            "terminationGracePeriodSeconds": 4800,
            "tolerations": spec.tolerations,
            "affinity": spec.affinity,
            "topologySpreadConstraints": spec.topology_spread_constraints,
        });
        // `json!` would copy the volumes and containers, which may be long lists.
        if let Some(pod) = pod.as_object_mut() {
            pod.insert("volumes".to_owned(), Value::Array(volumes));
            pod.insert("containers".to_owned(), merge_containers(operator_containers, &patches).into());
        }
        encode_struct(GoStruct::lookup("PodSpec"), pod)
    }

    /// Returns volumes and mounts in this order: the operator's own, those added for the configuration, those set by
    /// the user, and those for the Secrets and ConfigMaps to mount.
    fn volumes_and_mounts(
        &self,
        configuration: &str,
        added_volumes: Vec<Value>,
        added_mounts: Vec<Value>,
    ) -> (Vec<Value>, Vec<Value>) {
        let spec = &self.hierarchy.agent.spec;
        let mut volumes = vec![
            match self.options.config_kind {
                ConfigHolder::Secret => secret("config", configuration),
                ConfigHolder::ConfigMap => config_map("config", configuration),
            },
            empty_dir("config-out", &json!({})),
            secret("secrets", &ObjectRole::Values.name(self.name())),
        ];
        volumes.extend(added_volumes);
        volumes.extend(spec.volumes.iter().map(|volume| (**volume).clone()));
        let mut mounts = vec![
            read_only_mount("config", "/var/lib/grafana-agent/config-in"),
            mount("config-out", self.program.directory),
            read_only_mount("secrets", "/var/lib/grafana-agent/secrets"),
        ];
        mounts.extend(added_mounts);
        mounts.extend(spec.volume_mounts.iter().map(|mount| (**mount).clone()));
        let secrets = spec.secrets.iter().map(|name| volume_and_mount(SECRET, name));
        let config_maps = spec.config_maps.iter().map(|name| volume_and_mount(CONFIG_MAP, name));
        for (volume, mount) in secrets.chain(config_maps) {
            volumes.push(volume);
            mounts.push(mount);
        }
        (volumes, mounts)
    }

    /// Returns the container that renders the configuration and triggers a reload.
    fn config_reloader(&self, mounts: &Value, env: &Value) -> Value {
        let (agent, operator) = (&self.hierarchy.agent.spec, self.options.operator);
        let (custom_image, version) = (agent.config_reloader_image, agent.config_reloader_version);
        let default = match operator >= OperatorVersion::WITH_NEW_RELOADER {
            true => "v0.67.1",
            false => "v0.62.0",
        };
        let security_context = match operator >= OperatorVersion::WITH_RESTRICTED_RELOADER {
            true => json!({
                "allowPrivilegeEscalation": false,
                "readOnlyRootFilesystem": true,
                "capabilities": {"drop": ["ALL"]},
            }),
            false => json!({"runAsUser": 0}),
        };
        let (file, directory) = (self.options.target.file(), self.program.directory);
        json!({
            "name": RELOADER,
            "image": image(custom_image, version, RELOADER_IMAGE, default),
            "volumeMounts": mounts,
            "env": env,
            "securityContext": security_context,
            "args": [
                format!("--config-file=/var/lib/grafana-agent/config-in/{file}"),
                format!("--config-envsubst-file={directory}/{file}"),
                "--watch-interval=1m",
                "--statefulset-ordinal-from-envvar=POD_NAME",
                "--reload-url=http://127.0.0.1:8080/-/reload",
            ],
        })
    }

    /// Returns the container of the program itself. It has 10 minutes to become ready, because the write-ahead log may
    /// have to be replayed.
    fn main_container(&self, mounts: &Value, env: &Value, is_privileged: bool) -> Value {
        let (agent, program) = (&self.hierarchy.agent.spec, &self.program);
        let port = port_name(agent);
        json!({
            "name": CONTAINER,
            "image": program.image,
            "ports": [{"name": port, "containerPort": 8080, "protocol": "TCP"}],
            "args": program.arguments,
            "volumeMounts": mounts,
            "env": env,
            "readinessProbe": {
                "httpGet": {"path": "/-/ready", "port": port},
                "timeoutSeconds": 3,
                "periodSeconds": 5,
                "failureThreshold": 120,
            },
            "resources": agent.resources,
            "securityContext": {"privileged": is_privileged},
            "terminationMessagePolicy": "FallbackToLogsOnError",
        })
    }
}

/// Returns a user container as a patch. If a different program runs in the agent's container, fields that make sense
/// only for the agent are removed. A finding reports the removed fields.
fn patch<'c>(container: &'c Value, program: &Program) -> Cow<'c, Value> {
    let overrides_defaults = program.takes_over;
    let mut fields = container.as_object().into_iter().flatten();
    if name(container) != CONTAINER || fields.all(|(field, _)| overrides_defaults(field)) {
        return Cow::Borrowed(container);
    }
    let mut container = container.clone();
    if let Some(fields) = container.as_object_mut() {
        fields.retain(|field, _| overrides_defaults(field));
    }
    Cow::Owned(container)
}

/// Encodes a value as Go would marshal it for this struct.
pub(super) fn encode_struct(shape: &'static GoStruct, mut value: Value) -> Value {
    encode(&FieldType::Struct(shape), &mut value);
    value
}

/// Returns the volume and the mount for a Secret or ConfigMap that an agent lists.
pub(super) fn volume_and_mount((kind, volume): MountedKind, object: &str) -> (Value, Value) {
    let name = volume_name(&format!("{kind}-{object}"));
    let directory = format!("/var/lib/grafana-agent/extra-{kind}s");
    (volume(&name, object), read_only_mount(&name, &join_path(&directory, object)))
}

/// Word that denotes a kind in names and paths, and a constructor for a volume of this kind.
pub(super) type MountedKind = (&'static str, fn(&str, &str) -> Value);

pub(super) const SECRET: MountedKind = ("secret", secret);
pub(super) const CONFIG_MAP: MountedKind = ("configmap", config_map);

pub(super) fn port_name<'d>(agent: &GrafanaAgent<'d>) -> &'d str {
    match agent.port_name {
        "" => "http-metrics",
        name => name,
    }
}

/// Patches each container in `base` with the last patch that has the same name, and appends patches that match no
/// container (`clientutil.MergePatchContainers`).
fn merge_containers(base: Vec<Value>, patches: &[Cow<'_, Value>]) -> Vec<Value> {
    let is_new = |patch: &&Cow<'_, Value>| base.iter().all(|container| name(container) != name(patch));
    let added_containers: Vec<_> = patches.iter().filter(is_new).cloned().map(Cow::into_owned).collect();
    let patched_containers = base.into_iter().map(|container| {
        let patch = patches.iter().rfind(|patch| name(patch) == name(&container));
        match patch {
            Some(patch) => patch_container(container, patch.clone().into_owned()),
            None => container,
        }
    });
    patched_containers.chain(added_containers).collect()
}

fn patch_container(container: Value, patch: Value) -> Value {
    let mut merged_container = encode_struct(GoStruct::lookup("Container"), container);
    if let (Value::Object(original), Value::Object(patch)) =
        (&mut merged_container, encode_struct(GoStruct::lookup("Container"), patch))
    {
        strategic_merge::merge(GoStruct::lookup("Container"), original, patch);
    }
    merged_container
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(base: &[Value], patches: &[Value]) -> Vec<Value> {
        merge_containers(base.to_vec(), &patches.iter().map(Cow::Borrowed).collect::<Vec<_>>())
    }

    #[test]
    fn last_patch_wins_and_new_containers_are_appended() {
        let base = [json!({"name": "a", "image": "a:1", "args": ["x"]}), json!({"name": "b"})];
        let patches = [
            json!({"name": "c", "image": "c:1"}),
            json!({"name": "a", "image": "a:2"}),
            json!({"name": "c", "image": "c:2"}),
            json!({"name": "a", "image": "a:3"}),
        ];
        let merged_containers = merged(&base, &patches);
        let images: Vec<_> = merged_containers.iter().map(|c| (name(c), c["image"].as_str())).collect();
        assert_eq!(images, [("a", Some("a:3")), ("b", None), ("c", Some("c:1")), ("c", Some("c:2"))]);
        assert_eq!(merged_containers[0]["args"], json!(["x"]));
    }

    #[test]
    fn patches_cannot_unset_values() {
        let base = json!({"name": "a", "volumeMounts": [{"mountPath": "/m", "name": "m", "readOnly": true}]});
        let mount = json!({"mountPath": "/m", "name": "n", "readOnly": false});
        let patch = json!({"name": "a", "image": "", "volumeMounts": [mount]});
        let merged_containers = merged(&[base], &[patch]);
        let mount = &merged_containers[0]["volumeMounts"][0];
        assert_eq!((name(mount), mount["readOnly"].as_bool()), ("n", Some(true)));
    }
}
