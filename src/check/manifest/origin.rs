//! Where a part of a pod comes from.

use k8s_openapi::api::core::v1::{Container, VolumeMount};

use crate::api::{GrafanaAgent, Integration, ObjectRef, Resource};
use crate::diagnostic::FieldPath;
use crate::lower::manifest::{join_path, sanitize};
use crate::resolve::Hierarchy;
use crate::source::Span;
use crate::yaml::Node;

/// A field of a resource.
#[derive(Clone)]
pub(super) struct Origin<'d> {
    /// The resource.
    pub object: ObjectRef<'d>,
    /// The field.
    pub path: FieldPath<'static>,
    root: Node<'d>,
}

impl<'d> Origin<'d> {
    fn new<S>(resource: &Resource<'d, S>, path: FieldPath<'static>) -> Self {
        Self {
            object: resource.object_ref(),
            path,
            root: resource.root,
        }
    }

    /// Where the field stands.
    pub fn span(&self) -> Span {
        self.path.locate(self.root)
    }
}

/// The fields that the parts of an agent's pods come from. What has none is the operator's own.
pub(super) struct Origins<'d> {
    agent: Origin<'d>,
    resources: Origin<'d>,
    volumes: Vec<(String, Origin<'d>)>,
    /// Name of the volume, path, origin.
    mounts: Vec<(String, String, Origin<'d>)>,
    containers: Vec<(String, Origin<'d>)>,
    /// Names of containers with resources of their own.
    with_resources: Vec<(String, Origin<'d>)>,
}

impl<'d> Origins<'d> {
    /// The fields of an agent and of its Integrations.
    pub fn of(hierarchy: &Hierarchy<'_, 'd>) -> Self {
        let agent = hierarchy.agent;
        let mut origins = Self {
            agent: Origin::new(agent, FieldPath::of("metadata.name")),
            resources: Origin::new(agent, FieldPath::of("spec.resources")),
            volumes: Vec::new(),
            mounts: Vec::new(),
            containers: Vec::new(),
            with_resources: Vec::new(),
        };
        for integration in &hierarchy.integrations {
            origins.add_integration(integration);
        }
        origins.add_agent(agent);
        origins
    }

    /// The agent itself, by its name.
    pub fn agent(&self) -> &Origin<'d> {
        &self.agent
    }

    /// The fields with a volume of this name.
    pub fn volumes(&self, name: &str) -> Vec<&Origin<'d>> {
        named(&self.volumes, name)
    }

    /// The fields that mount something at this path.
    pub fn mounts_at(&self, path: &str) -> Vec<&Origin<'d>> {
        let mounts = self.mounts.iter().filter(|(_, at, _)| at == path);
        mounts.map(|(_, _, origin)| origin).collect()
    }

    /// The field that mounts this volume at this path.
    pub fn mount(&self, volume: &str, path: &str) -> Option<&Origin<'d>> {
        let mut mounts = self.mounts.iter();
        mounts
            .find(|(name, at, _)| name == volume && at == path)
            .map(|(_, _, origin)| origin)
    }

    /// The fields with a container of this name.
    pub fn containers(&self, name: &str) -> Vec<&Origin<'d>> {
        named(&self.containers, name)
    }

    /// The field with the resources of this container.
    pub fn resources(&self, container: &str) -> &Origin<'d> {
        named(&self.with_resources, container)
            .last()
            .copied()
            .unwrap_or(&self.resources)
    }

    fn add_agent(&mut self, agent: &Resource<'d, GrafanaAgent<'d>>) {
        let spec = &agent.spec;
        let origin = |path: FieldPath<'static>| Origin::new(agent, path);
        let claim = spec
            .storage
            .as_ref()
            .map_or("", |storage| storage.volume_claim_template.metadata.name);
        if !claim.is_empty() {
            let path = FieldPath::of("spec.storage.volumeClaimTemplate.metadata.name");
            self.volumes.push((claim.to_owned(), origin(path)));
        }
        for (i, volume) in spec.volumes.iter().enumerate() {
            let path = FieldPath::of("spec.volumes").index(i).key("name");
            self.volumes.push((volume.name.clone(), origin(path)));
        }
        self.add_mounts(agent, &FieldPath::of("spec.volumeMounts"), &spec.volume_mounts);
        self.add_mounted(agent, "spec.secrets", "secret", &spec.secrets);
        self.add_mounted(agent, "spec.configMaps", "configmap", &spec.config_maps);
        self.add_containers(agent, "spec.containers", &spec.containers);
        self.add_containers(agent, "spec.initContainers", &spec.init_containers);
    }

    /// Secrets or ConfigMaps, each a volume and a mount.
    fn add_mounted(
        &mut self,
        agent: &Resource<'d, GrafanaAgent<'d>>,
        field: &'static str,
        prefix: &str,
        names: &[&str],
    ) {
        for (i, name) in names.iter().enumerate() {
            let origin = Origin::new(agent, FieldPath::of(field).index(i));
            let volume = sanitize(&format!("{prefix}-{name}"));
            let path = join_path(&format!("/var/lib/grafana-agent/extra-{prefix}s"), name);
            self.volumes.push((volume.clone(), origin.clone()));
            self.mounts.push((volume, path, origin));
        }
    }

    fn add_containers(&mut self, agent: &Resource<'d, GrafanaAgent<'d>>, field: &'static str, all: &[Container]) {
        for (i, container) in all.iter().enumerate() {
            let path = FieldPath::of(field).index(i);
            let named = |key: &'static str| (container.name.clone(), Origin::new(agent, path.key(key)));
            self.containers.push(named("name"));
            if container.resources.is_some() {
                self.with_resources.push(named("resources"));
            }
            let mounts = container.volume_mounts.as_deref().unwrap_or_default();
            self.add_mounts(agent, &path.key("volumeMounts"), mounts);
        }
    }

    fn add_mounts<S>(&mut self, resource: &Resource<'d, S>, path: &FieldPath<'static>, mounts: &[VolumeMount]) {
        for (i, mount) in mounts.iter().enumerate() {
            let origin = Origin::new(resource, path.index(i));
            self.mounts.push((mount.name.clone(), mount.mount_path.clone(), origin));
        }
    }

    /// Names of volumes are prefixed, so that those of two Integrations do not meet.
    fn add_integration(&mut self, integration: &Resource<'d, Integration<'d>>) {
        let prefix = format!("{}-{}-", integration.meta.namespace, integration.meta.name);
        for (i, volume) in integration.spec.volumes.iter().enumerate() {
            let path = FieldPath::of("spec.volumes").index(i).key("name");
            let name = format!("{prefix}{}", volume.name);
            self.volumes.push((name, Origin::new(integration, path)));
        }
        for (i, mount) in integration.spec.volume_mounts.iter().enumerate() {
            let origin = Origin::new(integration, FieldPath::of("spec.volumeMounts").index(i));
            let name = format!("{prefix}{}", mount.name);
            self.mounts.push((name, mount.mount_path.clone(), origin));
        }
    }
}

fn named<'o, 'd>(origins: &'o [(String, Origin<'d>)], name: &str) -> Vec<&'o Origin<'d>> {
    let origins = origins.iter().filter(|(other, _)| other == name);
    origins.map(|(_, origin)| origin).collect()
}
