//! Secrets and ConfigMaps that pods use as a whole: mounted, read into the environment, or to pull images. The operator
//! copies these fields and looks nothing up.

use serde_json::Value;

use super::model::Reference;
use crate::api::core::embedded::{Volume, name};
use crate::api::{AnyResource, GrafanaAgent, Kind, ObjectRef, Resource};
use crate::yaml::Node;

/// A Secret or ConfigMap that a field names.
pub struct Mounted<'r> {
    /// Which of the two.
    pub kind: Kind,
    /// Its name.
    pub name: &'r str,
    /// The field.
    pub field: String,
}

impl<'r> Mounted<'r> {
    /// The object in a namespace, and the field that names it.
    pub fn into_reference(self, namespace: &'r str) -> (ObjectRef<'r>, Reference<'r>) {
        let object = ObjectRef {
            kind: self.kind,
            namespace,
            name: self.name,
        };
        let reference = Reference {
            key: None,
            field: self.field,
            is_missing: false,
        };
        (object, reference)
    }
}

/// What a resource names.
pub fn of<'r>(resource: AnyResource<'r, 'r>) -> Vec<Mounted<'r>> {
    match resource {
        AnyResource::GrafanaAgent(agent) => of_agent(agent),
        AnyResource::Integration(integration) => of_volumes(&integration.spec.volumes),
        _ => Vec::new(),
    }
}

fn of_agent<'r>(agent: &'r Resource<'r, GrafanaAgent<'r>>) -> Vec<Mounted<'r>> {
    let spec = &agent.spec;
    let mut found = of_names(Kind::Secret, "spec.secrets", &spec.secrets);
    found.extend(of_names(Kind::ConfigMap, "spec.configMaps", &spec.config_maps));
    let pull_secrets = spec.image_pull_secrets.iter().enumerate();
    found.extend(pull_secrets.map(|(i, secret)| Mounted {
        kind: Kind::Secret,
        name: name(secret),
        field: format!("spec.imagePullSecrets[{i}].name"),
    }));
    found.extend(of_volumes(&spec.volumes));
    for list in ["containers", "initContainers"] {
        let containers = agent.root.get("spec").and_then(|spec| spec.get(list));
        found.extend(of_environments(list, containers));
    }
    found
}

fn of_names<'r>(kind: Kind, field: &str, names: &[&'r str]) -> Vec<Mounted<'r>> {
    let names = names.iter().enumerate();
    names
        .map(|(i, &name)| Mounted {
            kind,
            name,
            field: format!("{field}[{i}]"),
        })
        .collect()
}

fn of_volumes(volumes: &[Volume]) -> Vec<Mounted<'_>> {
    let mut found = Vec::new();
    let mut add = |kind, name, field| found.push(Mounted { kind, name, field });
    for (i, volume) in volumes.iter().enumerate() {
        let field = format!("spec.volumes[{i}]");
        if let Some(name) = volume.pointer("/secret/secretName").and_then(Value::as_str) {
            add(Kind::Secret, name, format!("{field}.secret.secretName"));
        }
        if let Some(config_map) = volume.get("configMap") {
            add(Kind::ConfigMap, name(config_map), format!("{field}.configMap.name"));
        }
        let sources = volume.pointer("/projected/sources").and_then(Value::as_array);
        for (j, source) in sources.into_iter().flatten().enumerate() {
            let field = format!("{field}.projected.sources[{j}]");
            for (key, kind) in [("secret", Kind::Secret), ("configMap", Kind::ConfigMap)] {
                if let Some(source) = source.get(key) {
                    add(kind, name(source), format!("{field}.{key}.name"));
                }
            }
        }
    }
    found
}

fn of_environments<'d>(list: &str, containers: Option<Node<'d>>) -> Vec<Mounted<'d>> {
    let mut found = Vec::new();
    for (i, container) in containers.into_iter().flat_map(Node::items).enumerate() {
        let sources = container.get("envFrom").into_iter().flat_map(Node::items);
        for (j, source) in sources.enumerate() {
            for (key, kind) in [("secretRef", Kind::Secret), ("configMapRef", Kind::ConfigMap)] {
                let name = source.get(key).and_then(|reference| reference.get("name"));
                found.extend(name.and_then(Node::as_str).map(|name| Mounted {
                    kind,
                    name,
                    field: format!("spec.{list}[{i}].envFrom[{j}].{key}.name"),
                }));
            }
        }
    }
    found
}
