//! Where a part of an object comes from.

use serde_json::Value;

use crate::api::core::embedded::{Volume, VolumeMount, list, name, text_of};
use crate::api::{GrafanaAgent, ObjectRef, Resource};
use crate::diagnostic::{FieldPath, Step};
use crate::go::text::{join_path, volume_name};
use crate::resolve::Hierarchy;
use crate::source::Span;
use crate::yaml::{self, Node};

/// A field of a resource.
#[derive(Clone)]
pub(super) struct Origin<'d> {
    /// The resource.
    pub object: ObjectRef<'d>,
    /// The field.
    pub path: FieldPath<'static>,
    root: Node<'d>,
    /// Whether the fields of the object are those of this one; not so for a name that a volume is made of.
    is_whole: bool,
}

impl<'d> Origin<'d> {
    fn new<S>(resource: &Resource<'d, S>, path: FieldPath<'static>) -> Self {
        Self {
            object: resource.object_ref(),
            path,
            root: resource.root,
            is_whole: true,
        }
    }

    /// The place of the field.
    pub fn span(&self) -> Span {
        self.path.locate(self.root)
    }

    /// The same fields further down.
    fn below(&self, path: &[Step<'_>]) -> Self {
        let mut origin = self.clone();
        for step in path.iter().filter(|_| self.is_whole) {
            origin.path.push(*step);
        }
        origin
    }

    fn node(&self) -> Option<Node<'d>> {
        self.path.find(self.root)
    }

    /// It, where the input has the field.
    fn if_set(self) -> Option<Self> {
        self.node().is_some().then_some(self)
    }
}

/// The fields that the parts of an agent's pods come from. What has none is the operator's own.
pub(super) struct Origins<'d> {
    agent: Origin<'d>,
    spec: Origin<'d>,
    volumes: Vec<(String, Origin<'d>)>,
    mounts: Vec<Mount<'d>>,
    containers: Vec<(String, Origin<'d>)>,
}

struct Mount<'d> {
    volume: String,
    path: String,
    /// The container, where it is not for all of the operator's.
    container: Option<String>,
    origin: Origin<'d>,
}

impl<'d> Origins<'d> {
    /// The fields of an agent and of its Integrations.
    pub fn of(hierarchy: &Hierarchy<'_, 'd>) -> Self {
        let agent = hierarchy.agent;
        let mut origins = Self {
            agent: Origin::new(agent, FieldPath::of("metadata.name")),
            spec: Origin::new(agent, FieldPath::of("spec")),
            volumes: Vec::new(),
            mounts: Vec::new(),
            containers: Vec::new(),
        };
        for integration in &hierarchy.integrations {
            // So that names of two Integrations do not meet.
            let prefix = format!("{}-{}-", integration.meta.namespace, integration.meta.name);
            let spec = &integration.spec;
            origins.add_volumes(integration, &prefix, &spec.volumes, &spec.volume_mounts);
        }
        origins.add_agent(agent);
        origins
    }

    /// The agent itself, by its name.
    pub fn agent(&self) -> &Origin<'d> {
        &self.agent
    }

    /// The field that a field of an object comes from; `None` for what the operator makes of the agent's name.
    pub fn field(&self, object: &Value, path: &[Step<'_>]) -> Option<Origin<'d>> {
        match path {
            [Step::Key("spec"), Step::Key("volumeClaimTemplates"), _, rest @ ..] => {
                Some(self.in_spec("storage.volumeClaimTemplate").below(rest))
            }
            [Step::Key("spec"), Step::Key("ports"), ..] => self.in_spec("portName").if_set(),
            [
                Step::Key("spec"),
                Step::Key("template"),
                Step::Key("metadata"),
                rest @ ..,
            ] => self.in_spec("podMetadata").below(rest).if_set(),
            [Step::Key("spec"), Step::Key("template"), Step::Key("spec"), rest @ ..] => {
                self.in_pod(object.pointer("/spec/template/spec")?, rest)
            }
            _ => None,
        }
    }

    fn in_pod(&self, pod: &Value, path: &[Step<'_>]) -> Option<Origin<'d>> {
        match path {
            [Step::Key("volumes"), Step::Index(index), rest @ ..] => self.volume(list(pod, "volumes"), *index, rest),
            [Step::Key("containers"), Step::Index(index), rest @ ..] => {
                self.container(list(pod, "containers"), *index, rest)
            }
            [Step::Key(key), ..] => {
                self.in_spec(key).node()?;
                Some(self.spec.below(path))
            }
            _ => None,
        }
    }

    fn volume(&self, volumes: &[Value], index: usize, rest: &[Step<'_>]) -> Option<Origin<'d>> {
        match (named(&self.volumes, volumes, index), rest) {
            (Some(origin), rest) if origin.is_whole => Some(origin.below(rest)),
            (_, [Step::Key("emptyDir"), rest @ ..]) => self.in_spec("storage.emptyDir").below(rest).if_set(),
            (origin, _) => origin.cloned(),
        }
    }

    fn container(&self, containers: &[Value], index: usize, rest: &[Step<'_>]) -> Option<Origin<'d>> {
        let container = containers.get(index)?;
        let own = named(&self.containers, containers, index);
        if let [Step::Key("volumeMounts"), Step::Index(mount), rest @ ..] = rest
            && let Some(origin) = self.mount(container, *mount)
        {
            return Some(origin.below(rest));
        }
        match name(container) {
            name @ ("grafana-agent" | "config-reloader") => own
                .and_then(|own| merged(own, container, rest))
                .or_else(|| self.of_operators_container(name, rest)),
            _ => own.map(|own| own.below(rest)),
        }
    }

    /// The fields of the agent that the operator's containers are made of.
    fn of_operators_container(&self, name: &str, rest: &[Step<'_>]) -> Option<Origin<'d>> {
        let images = match name {
            "grafana-agent" => ["image", "version"],
            _ => ["configReloaderImage", "configReloaderVersion"],
        };
        match rest {
            [Step::Key("image"), ..] => images.into_iter().find_map(|field| self.in_spec(field).if_set()),
            [Step::Key("ports" | "readinessProbe"), ..] => self.in_spec("portName").if_set(),
            [Step::Key("resources"), ..] => Some(self.spec.below(rest)),
            _ => None,
        }
    }

    fn mount(&self, container: &Value, index: usize) -> Option<&Origin<'d>> {
        let mounts = list(container, "volumeMounts");
        let [mount, behind @ ..] = mounts.get(index..)? else {
            return None;
        };
        let is_here = |own: &&Mount<'_>| own.container.as_deref().is_none_or(|other| other == name(container));
        let same = self.mounts.iter().filter(is_here);
        let same = same.filter(|own| own.volume == name(mount) && own.path == text_of(mount, "mountPath"));
        let later = count_like(mount, behind, &["name", "mountPath"]);
        same.rev().nth(later).map(|mount| &mount.origin)
    }

    fn in_spec(&self, field: &str) -> Origin<'d> {
        let steps: Vec<_> = field.split('.').map(Step::Key).collect();
        self.spec.below(&steps)
    }

    fn add_agent(&mut self, agent: &Resource<'d, GrafanaAgent<'d>>) {
        let spec = &agent.spec;
        let claim = spec
            .storage
            .as_ref()
            .map_or("", |storage| storage.volume_claim_template.metadata.name);
        if !claim.is_empty() {
            let mut origin = self.in_spec("storage.volumeClaimTemplate.metadata.name");
            origin.is_whole = false;
            self.volumes.push((claim.to_owned(), origin));
        }
        self.add_volumes(agent, "", &spec.volumes, &spec.volume_mounts);
        self.add_mounted(agent, "spec.secrets", "secret", &spec.secrets);
        self.add_mounted(agent, "spec.configMaps", "configmap", &spec.config_maps);
        for (i, container) in spec.containers.iter().enumerate() {
            let path = FieldPath::of("spec.containers").index(i);
            let mounts = list(container, "volumeMounts").iter();
            self.add_mounts(agent, &path.key("volumeMounts"), "", Some(name(container)), mounts);
            self.containers
                .push((name(container).to_owned(), Origin::new(agent, path)));
        }
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
            let mut origin = Origin::new(agent, FieldPath::of(field).index(i));
            origin.is_whole = false;
            let volume = volume_name(&format!("{prefix}-{name}"));
            self.volumes.push((volume.clone(), origin.clone()));
            self.mounts.push(Mount {
                volume,
                path: join_path(&format!("/var/lib/grafana-agent/extra-{prefix}s"), name),
                container: None,
                origin,
            });
        }
    }

    fn add_mounts<'m, S>(
        &mut self,
        resource: &Resource<'d, S>,
        path: &FieldPath<'static>,
        prefix: &str,
        container: Option<&str>,
        mounts: impl Iterator<Item = &'m Value>,
    ) {
        for (i, mount) in mounts.enumerate() {
            self.mounts.push(Mount {
                volume: format!("{prefix}{}", name(mount)),
                path: text_of(mount, "mountPath").to_owned(),
                container: container.map(str::to_owned),
                origin: Origin::new(resource, path.index(i)),
            });
        }
    }

    /// The volumes of a resource, whose names get a prefix, and what the operator's containers mount of them.
    fn add_volumes<S>(&mut self, resource: &Resource<'d, S>, prefix: &str, volumes: &[Volume], mounts: &[VolumeMount]) {
        for (i, volume) in volumes.iter().enumerate() {
            let path = FieldPath::of("spec.volumes").index(i);
            let name = format!("{prefix}{}", name(volume));
            self.volumes.push((name, Origin::new(resource, path)));
        }
        let mounts = mounts.iter().map(|mount| &**mount);
        self.add_mounts(resource, &FieldPath::of("spec.volumeMounts"), prefix, None, mounts);
    }
}

/// The field of the user's container that a field of the merged one comes from, where it has one. Items of lists have other
/// numbers there, and the same keys.
fn merged<'d>(own: &Origin<'d>, container: &Value, path: &[Step<'_>]) -> Option<Origin<'d>> {
    let [Step::Key(field), rest @ ..] = path else {
        return None;
    };
    let at_field = own.below(&[Step::Key(field)]);
    let node = at_field.node()?;
    match rest {
        [Step::Index(index), rest @ ..] => {
            let item = list(container, field).get(*index)?;
            let same = |node: Node<'_>| {
                let node = yaml::to_json(node);
                ["name", "containerPort", "mountPath", "devicePath"]
                    .iter()
                    .all(|key| node.get(key) == item.get(key))
            };
            let index = node.items().position(same)?;
            Some(at_field.below(&[Step::Index(index)]).below(rest))
        }
        // Of resources, only what the container itself has.
        rest if *field == "resources" => at_field.below(rest).if_set(),
        rest => Some(at_field.below(rest)),
    }
}

/// The field that an item of an object comes from: of those with its name, as many follow as of the items.
fn named<'o, 'd>(fields: &'o [(String, Origin<'d>)], items: &[Value], index: usize) -> Option<&'o Origin<'d>> {
    let [item, behind @ ..] = items.get(index..)? else {
        return None;
    };
    let same = fields.iter().filter(|(other, _)| other == name(item));
    let later = count_like(item, behind, &["name"]);
    same.rev().nth(later).map(|(_, origin)| origin)
}

/// How many of these have the same texts at these keys.
fn count_like(item: &Value, others: &[Value], keys: &[&str]) -> usize {
    let is_same = |other: &&Value| keys.iter().all(|key| text_of(item, key) == text_of(other, key));
    others.iter().filter(is_same).count()
}
