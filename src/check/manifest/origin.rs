//! Input fields that the fields of a rendered object come from.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::hash::Hash;

use serde_json::{Value, json};

use crate::api::core::embedded::{Volume, VolumeMount, list_field, name, text_field};
use crate::api::{GrafanaAgent, ObjectRef, Resource};
use crate::diagnostic::{FieldPath, Step};
use crate::go::text::{join_path, volume_name};
use crate::resolve::Hierarchy;
use crate::source::Span;
use crate::yaml::{self, Node};

/// An input field that part of a rendered object comes from.
#[derive(Clone)]
pub(super) struct ManifestOrigin<'d> {
    /// Resource that contains the field.
    pub object: ObjectRef<'d>,
    pub path: FieldPath<'static>,
    root: Node<'d>,
    /// Whether the field's children correspond to the rendered field's children. This is not the case if only the
    /// rendered field's name is derived from the field, as for a Secret's volume.
    is_whole: bool,
}

impl<'d> ManifestOrigin<'d> {
    fn new<S>(resource: &Resource<'d, S>, path: FieldPath<'static>) -> Self {
        Self { object: resource.object_ref(), path, root: resource.root, is_whole: true }
    }

    pub fn span(&self) -> Span {
        self.path.locate(self.root)
    }

    /// Returns the origin of the child at `path`.
    fn descendant(&self, path: &[Step<'_>]) -> Self {
        let mut origin = self.clone();
        for step in path.iter().filter(|_| self.is_whole) {
            origin.path.push(*step);
        }
        origin
    }

    /// Returns the value of the field, or `None` if the input does not set it.
    pub fn node(&self) -> Option<Node<'d>> {
        self.path.find(self.root)
    }

    /// Returns the origin, or `None` if the input does not set the field.
    fn if_set(self) -> Option<Self> {
        self.node().is_some().then_some(self)
    }
}

/// Input fields that an agent's pods are generated from. The operator adds the parts of a pod that have no origin.
pub(super) struct Origins<'d> {
    agent: ManifestOrigin<'d>,
    spec: ManifestOrigin<'d>,
    volumes: Vec<(String, ManifestOrigin<'d>)>,
    mounts: Vec<Mount<'d>>,
    containers: Vec<(String, ManifestOrigin<'d>)>,
}

struct Mount<'d> {
    volume: String,
    path: String,
    /// Name of the container that contains the mount, or `None` if the mount applies to all of the operator's
    /// containers.
    container: Option<String>,
    origin: ManifestOrigin<'d>,
}

impl<'d> Origins<'d> {
    /// Collects the fields of an agent and its Integrations.
    pub fn new(hierarchy: &Hierarchy<'_, 'd>) -> Self {
        let agent = hierarchy.agent;
        let mut origins = Self {
            agent: ManifestOrigin::new(agent, FieldPath::parse("metadata.name")),
            spec: ManifestOrigin::new(agent, FieldPath::parse("spec")),
            volumes: Vec::new(),
            mounts: Vec::new(),
            containers: Vec::new(),
        };
        for integration in &hierarchy.integrations {
            // The prefix keeps the names of different Integrations distinct.
            let prefix = format!("{}-{}-", integration.meta.namespace, integration.meta.name);
            let spec = &integration.spec;
            origins.add_volumes(integration, &prefix, &spec.volumes, &spec.volume_mounts);
        }
        origins.add_agent(agent);
        origins
    }

    /// Returns the origin for the agent's name.
    pub fn agent(&self) -> &ManifestOrigin<'d> {
        &self.agent
    }

    /// Returns the origins for the parts of `object`.
    pub fn object_origins<'o>(&'o self, object: &'o Value) -> ObjectOrigins<'o, 'd> {
        ObjectOrigins {
            origins: self,
            object,
            volumes: OnceCell::new(),
            containers: OnceCell::new(),
            mounts: RefCell::default(),
            merged: RefCell::default(),
        }
    }

    /// Returns the agent's field that a field in the operator's container `name` comes from.
    fn operator_container_origin(&self, name: &str, rest: &[Step<'_>]) -> Option<ManifestOrigin<'d>> {
        let images = match name {
            "grafana-agent" => ["image", "version"],
            _ => ["configReloaderImage", "configReloaderVersion"],
        };
        match rest {
            [Step::Key("image"), ..] => images.into_iter().find_map(|field| self.spec_field_origin(field).if_set()),
            [Step::Key("ports" | "readinessProbe"), ..] => self.spec_field_origin("portName").if_set(),
            [Step::Key("resources"), ..] => Some(self.spec.descendant(rest)),
            _ => None,
        }
    }

    fn spec_field_origin(&self, field: &str) -> ManifestOrigin<'d> {
        let steps: Vec<_> = field.split('.').map(Step::Key).collect();
        self.spec.descendant(&steps)
    }

    fn add_agent(&mut self, agent: &Resource<'d, GrafanaAgent<'d>>) {
        let spec = &agent.spec;
        let claim = spec.storage.as_ref().map_or("", |storage| storage.volume_claim_template.metadata.name);
        if !claim.is_empty() {
            let mut origin = self.spec_field_origin("storage.volumeClaimTemplate.metadata.name");
            origin.is_whole = false;
            self.volumes.push((claim.to_owned(), origin));
        }
        self.add_volumes(agent, "", &spec.volumes, &spec.volume_mounts);
        self.add_mounted(agent, "spec.secrets", "secret", &spec.secrets);
        self.add_mounted(agent, "spec.configMaps", "configmap", &spec.config_maps);
        for (i, container) in spec.containers.iter().enumerate() {
            let path = FieldPath::parse("spec.containers").index(i);
            let mounts = list_field(container, "volumeMounts").iter();
            self.add_mounts(agent, &path.key("volumeMounts"), "", Some(name(container)), mounts);
            self.containers.push((name(container).to_owned(), ManifestOrigin::new(agent, path)));
        }
    }

    /// Adds Secrets or ConfigMaps that are each mounted as a separate volume.
    fn add_mounted(
        &mut self,
        agent: &Resource<'d, GrafanaAgent<'d>>,
        field: &'static str,
        prefix: &str,
        names: &[&str],
    ) {
        for (i, name) in names.iter().enumerate() {
            let mut origin = ManifestOrigin::new(agent, FieldPath::parse(field).index(i));
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
                path: text_field(mount, "mountPath").to_owned(),
                container: container.map(str::to_owned),
                origin: ManifestOrigin::new(resource, path.index(i)),
            });
        }
    }

    /// Adds a resource's volumes and their mounts in the operator's containers. The volume names start with `prefix`.
    fn add_volumes<S>(&mut self, resource: &Resource<'d, S>, prefix: &str, volumes: &[Volume], mounts: &[VolumeMount]) {
        for (i, volume) in volumes.iter().enumerate() {
            let path = FieldPath::parse("spec.volumes").index(i);
            let name = format!("{prefix}{}", name(volume));
            self.volumes.push((name, ManifestOrigin::new(resource, path)));
        }
        let mounts = mounts.iter().map(|mount| &**mount);
        self.add_mounts(resource, &FieldPath::parse("spec.volumeMounts"), prefix, None, mounts);
    }
}

/// Origin of each list item, or `None` for an item that the operator adds.
type ItemOrigins<'o, 'd> = Vec<Option<&'o ManifestOrigin<'d>>>;

/// Origins for the parts of one object. The origins of list items are computed once per list.
pub(super) struct ObjectOrigins<'o, 'd> {
    origins: &'o Origins<'d>,
    object: &'o Value,
    volumes: OnceCell<ItemOrigins<'o, 'd>>,
    containers: OnceCell<ItemOrigins<'o, 'd>>,
    /// Origins of volume mounts, by container index.
    mounts: RefCell<HashMap<usize, ItemOrigins<'o, 'd>>>,
    /// Indices of the user's items by merge key, for each container index and list field.
    merged: RefCell<HashMap<(usize, String), HashMap<String, usize>>>,
}

impl<'o, 'd> ObjectOrigins<'o, 'd> {
    /// Returns the input field that the field at `path` comes from, or `None` for a name that the operator derives from
    /// the agent's name.
    pub fn field(&self, path: &[Step<'_>]) -> Option<ManifestOrigin<'d>> {
        let origins = self.origins;
        match path {
            [Step::Key("spec"), Step::Key("volumeClaimTemplates"), _, rest @ ..] => {
                Some(origins.spec_field_origin("storage.volumeClaimTemplate").descendant(rest))
            }
            [Step::Key("spec"), Step::Key("ports"), ..] => origins.spec_field_origin("portName").if_set(),
            [Step::Key("spec"), Step::Key("template"), Step::Key("metadata"), rest @ ..] => {
                origins.spec_field_origin("podMetadata").descendant(rest).if_set()
            }
            [Step::Key("spec"), Step::Key("template"), Step::Key("spec"), rest @ ..] => {
                self.pod_field_origin(self.object.pointer("/spec/template/spec")?, rest)
            }
            _ => None,
        }
    }

    fn pod_field_origin(&self, pod: &'o Value, path: &[Step<'_>]) -> Option<ManifestOrigin<'d>> {
        match path {
            [Step::Key("volumes"), Step::Index(index), rest @ ..] => {
                self.volume(list_field(pod, "volumes"), *index, rest)
            }
            [Step::Key("containers"), Step::Index(index), rest @ ..] => {
                self.container(list_field(pod, "containers"), *index, rest)
            }
            [Step::Key(key), ..] => {
                self.origins.spec_field_origin(key).node()?;
                Some(self.origins.spec.descendant(path))
            }
            _ => None,
        }
    }

    fn volume(&self, volumes: &'o [Value], index: usize, rest: &[Step<'_>]) -> Option<ManifestOrigin<'d>> {
        let volume_origins = self.volumes.get_or_init(|| items_by_name(&self.origins.volumes, volumes));
        match (*volume_origins.get(index)?, rest) {
            (Some(origin), rest) => Some(origin.descendant(rest)),
            (None, [Step::Key("emptyDir"), rest @ ..]) => {
                self.origins.spec_field_origin("storage.emptyDir").descendant(rest).if_set()
            }
            (None, _) => None,
        }
    }

    fn container(&self, containers: &'o [Value], index: usize, rest: &[Step<'_>]) -> Option<ManifestOrigin<'d>> {
        let container = containers.get(index)?;
        let container_origins = self.containers.get_or_init(|| items_by_name(&self.origins.containers, containers));
        let user_origin = container_origins.get(index).copied().flatten();
        if let [Step::Key("volumeMounts"), Step::Index(mount), rest @ ..] = rest
            && let Some(origin) = self.mount(container, index, *mount)
        {
            return Some(origin.descendant(rest));
        }
        match name(container) {
            name @ ("grafana-agent" | "config-reloader") => user_origin
                .and_then(|user_origin| self.user_field(user_origin, container, index, rest))
                .or_else(|| self.origins.operator_container_origin(name, rest)),
            _ => user_origin.map(|user_origin| user_origin.descendant(rest)),
        }
    }

    fn mount(&self, container: &'o Value, number: usize, index: usize) -> Option<&'o ManifestOrigin<'d>> {
        let mut known_mounts = self.mounts.borrow_mut();
        let mount_origins = known_mounts.entry(number).or_insert_with(|| {
            let is_in_container =
                |mount: &&Mount<'_>| mount.container.as_deref().is_none_or(|other| other == name(container));
            let container_mounts = self.origins.mounts.iter().filter(is_in_container);
            let container_mounts = container_mounts
                .map(|own_mount| ((own_mount.volume.as_str(), own_mount.path.as_str()), &own_mount.origin));
            let mounts = list_field(container, "volumeMounts").iter();
            match_last_first(container_mounts, mounts.map(|mount| (name(mount), text_field(mount, "mountPath"))))
        });
        mount_origins.get(index).copied().flatten()
    }

    /// Returns the field in the user's container that a field in the merged container comes from, if the user set it. A
    /// list item has the same merge key in both containers, but a different index.
    fn user_field(
        &self,
        user_container: &ManifestOrigin<'d>,
        container: &Value,
        number: usize,
        path: &[Step<'_>],
    ) -> Option<ManifestOrigin<'d>> {
        let [Step::Key(field), rest @ ..] = path else {
            return None;
        };
        let at_field = user_container.descendant(&[Step::Key(field)]);
        let node = at_field.node()?;
        match rest {
            [Step::Index(index), rest @ ..] => {
                let item = list_field(container, field).get(*index)?;
                let mut known_items = self.merged.borrow_mut();
                let items = known_items.entry((number, (*field).to_owned())).or_insert_with(|| {
                    let mut items = HashMap::new();
                    for (i, item) in node.items().enumerate() {
                        items.entry(merge_keys(&yaml::to_json(item))).or_insert(i);
                    }
                    items
                });
                let index = *items.get(&merge_keys(item))?;
                Some(at_field.descendant(&[Step::Index(index)]).descendant(rest))
            }
            // A resource requirement has an origin only if the user's container sets it.
            rest if *field == "resources" => at_field.descendant(rest).if_set(),
            rest => Some(at_field.descendant(rest)),
        }
    }
}

/// Returns the merge key that identifies an item in a container's lists.
fn merge_keys(item: &Value) -> String {
    let keys = ["name", "containerPort", "mountPath", "devicePath"];
    json!(keys.map(|key| item.get(key))).to_string()
}

/// Returns the origins of items, matched by name.
fn items_by_name<'o, 'd>(fields: &'o [(String, ManifestOrigin<'d>)], items: &'o [Value]) -> ItemOrigins<'o, 'd> {
    match_last_first(fields.iter().map(|(name, origin)| (name.as_str(), origin)), items.iter().map(name))
}

/// Returns the origins of items, matched by key. Items and origins with the same key are paired from last to first.
fn match_last_first<'o, 'd, K: Hash + Eq>(
    fields: impl Iterator<Item = (K, &'o ManifestOrigin<'d>)>,
    items: impl DoubleEndedIterator<Item = K>,
) -> ItemOrigins<'o, 'd>
where
    'd: 'o,
{
    let mut origins_by_key: HashMap<K, Vec<_>> = HashMap::new();
    for (key, origin) in fields {
        origins_by_key.entry(key).or_default().push(origin);
    }
    let mut matched: Vec<_> = items.rev().map(|key| origins_by_key.get_mut(&key)?.pop()).collect();
    matched.reverse();
    matched
}
