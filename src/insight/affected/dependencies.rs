//! What of an agent depends on which resource, by the rules of the templates and manifests:
//!
//! ```text
//! monitors, PodLogs   the configuration of metrics or logs
//! instances           that and those of Integrations; the pods where there is no other instance
//! Integrations        their configuration; the pods where they mount something or there is no other Integration
//! Secrets, ConfigMaps <agent>-secrets, and the configurations that their values are written into
//! Namespaces          what their labels may let in or keep out
//! ```
//!
//! What refers to values has them copied into `<agent>-secrets`.

use std::collections::{BTreeMap, BTreeSet};

use super::roles::Roles;
use crate::api::{AnyResource, Integration, Kind, ObjectRef, Resource, Resources};
use crate::manifest::Role;
use crate::plan::Part;
use crate::resolve::references::{self, AgentUse};
use crate::resolve::{AssetKey, Hierarchy, MetricsHierarchy};

/// The objects that depend on a resource, and through which others.
#[derive(Clone, Debug, Default)]
pub struct Reach<'d> {
    /// The objects that depend on it.
    pub roles: Roles,
    /// The resources between it and the agent.
    pub through: BTreeSet<ObjectRef<'d>>,
}

/// Every resource that something of an agent depends on, but for Namespaces; and whose values are copied for whom.
pub fn dependencies<'d>(hierarchy: &Hierarchy<'_, 'd>) -> (BTreeMap<ObjectRef<'d>, Reach<'d>>, Copied<'d>) {
    let mut all = Dependencies {
        hierarchy,
        found: BTreeMap::new(),
        copied: Copied::default(),
    };
    all.agent();
    for (instance, children) in hierarchy.instances() {
        all.instance(instance, &children);
    }
    all.integrations();
    all.instances();
    (all.found, all.copied)
}

/// The configurations that hold what instances send with.
pub const WITH_INSTANCES: Roles = Roles::of(&[
    Role::Configuration(Part::Integrations { all_nodes: false }),
    Role::Configuration(Part::Integrations { all_nodes: true }),
]);

/// The part of an agent that an instance is of.
pub fn part_of(kind: Kind) -> Part {
    match kind {
        Kind::MetricsInstance => Part::Metrics,
        _ => Part::Logs,
    }
}

struct Dependencies<'r, 'h, 'd> {
    hierarchy: &'r Hierarchy<'h, 'd>,
    found: BTreeMap<ObjectRef<'d>, Reach<'d>>,
    copied: Copied<'d>,
}

impl<'d> Dependencies<'_, '_, 'd> {
    fn add(&mut self, object: ObjectRef<'d>, roles: Roles, through: Option<ObjectRef<'d>>) {
        let reach = self.found.entry(object).or_default();
        reach.roles = reach.roles.and(roles);
        reach.through.extend(through);
    }

    /// A resource with what it refers to: `written` are the configurations that its values go into, `roles` what depends on
    /// the resource itself.
    fn referring(
        &mut self,
        resource: AnyResource<'_, 'd>,
        used: AgentUse,
        instance: Option<ObjectRef<'d>>,
        written: Roles,
        roles: Roles,
    ) {
        let (namespace, object) = (resource.meta.namespace, resource.object_ref());
        let mut copies = false;
        for reference in references::of(resource, used) {
            let written = match reference.usage.is_needed() {
                true => written,
                false => Roles::default(),
            };
            self.add(reference.object(namespace), written.with(Role::Values), Some(object));
            let key = reference.key(namespace);
            if self.hierarchy.secrets.bytes(&key).is_some() {
                self.copied.add(key, Referrer { instance, object });
                copies = true;
            }
        }
        let through = instance.filter(|instance| *instance != object);
        self.add(object, roles.with_if(copies, Role::Values), through);
    }

    /// The agent itself, and what it refers to: each configuration makes use of other fields.
    fn agent(&mut self) {
        let hierarchy = self.hierarchy;
        let used = hierarchy.agent_use();
        let metrics = AgentUse {
            clients: false,
            api_server: hierarchy.metrics.iter().any(MetricsHierarchy::discovers_targets),
            ..used
        };
        let logs = AgentUse {
            remote_write: false,
            api_server: hierarchy.logs.iter().any(|logs| !logs.pod_logs.is_empty()),
            ..used
        };
        let with_instances = AgentUse {
            api_server: false,
            ..used
        };
        for (used, written) in [
            (metrics, Roles::of(&[Role::Configuration(Part::Metrics)])),
            (logs, Roles::of(&[Role::Configuration(Part::Logs)])),
            (with_instances, WITH_INSTANCES),
        ] {
            let agent = AnyResource::GrafanaAgent(hierarchy.agent);
            self.referring(agent, used, None, written, Roles::ALL);
        }
    }

    fn instance(&mut self, instance: AnyResource<'_, 'd>, children: &[AnyResource<'_, 'd>]) {
        let by = Some(instance.object_ref());
        let config = Roles::of(&[Role::Configuration(part_of(instance.kind))]);
        let written = config.and(WITH_INSTANCES);
        self.referring(instance, AgentUse::NOTHING, by, written, written);
        for child in children {
            self.referring(*child, AgentUse::NOTHING, by, config, config);
        }
    }

    fn integrations(&mut self) {
        let all = &self.hierarchy.integrations;
        let on_nodes = all.iter().filter(|one| one.spec.r#type.all_nodes).count();
        let alike = |one: &Resource<'_, Integration<'_>>| match one.spec.r#type.all_nodes {
            true => on_nodes,
            false => all.len() - on_nodes,
        };
        for &integration in all {
            let alone = alike(integration) == 1;
            let roles = integration_roles(integration, alone);
            let integration = AnyResource::Integration(integration);
            self.referring(integration, AgentUse::NOTHING, None, Roles::default(), roles);
        }
    }

    /// What goes with an instance: the values that only it and its children refer to, and the pods with the last one.
    fn instances(&mut self) {
        let hierarchy = self.hierarchy;
        for instance in hierarchy.instance_heads() {
            let (object, pods) = (instance.object_ref(), Role::Pods(part_of(instance.kind)));
            let alike = match instance.kind {
                Kind::MetricsInstance => hierarchy.metrics.len(),
                _ => hierarchy.logs.len(),
            };
            let gone = Gone {
                instances: BTreeSet::from([object]),
                ..Gone::default()
            };
            let roles = Roles::default().with_if(self.copied.go_with(&gone), Role::Values);
            self.add(object, roles.with_if(alike == 1, pods), None);
        }
    }
}

/// Returns the objects that depend on an Integration; `alone`, where no other runs where it does.
pub fn integration_roles(integration: &Resource<'_, Integration<'_>>, alone: bool) -> Roles {
    let spec = &integration.spec;
    let all_nodes = spec.r#type.all_nodes;
    let part = Part::Integrations { all_nodes };
    let mounts = !spec.volumes.is_empty()
        || !spec.volume_mounts.is_empty()
        || !spec.secrets.is_empty()
        || !spec.config_maps.is_empty();
    Roles::of(&[Role::Configuration(part)]).with_if(alone || mounts, Role::Pods(part))
}

/// A resource that refers to values, and the instance that selects it, where one does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Referrer<'d> {
    /// The instance through which the resource belongs to the agent, or which it is; none for the agent and Integrations.
    pub instance: Option<ObjectRef<'d>>,
    /// The resource.
    pub object: ObjectRef<'d>,
}

/// Referrers that go.
#[derive(Default)]
pub struct Gone<'d> {
    /// Those of an instance, all at once.
    pub instances: BTreeSet<ObjectRef<'d>>,
    /// Single ones.
    pub referrers: BTreeSet<Referrer<'d>>,
}

impl<'d> Gone<'d> {
    fn contains(&self, referrer: &Referrer<'d>) -> bool {
        let with_instance = referrer
            .instance
            .is_some_and(|instance| self.instances.contains(&instance));
        with_instance || self.referrers.contains(referrer)
    }
}

/// The values of an agent, and who refers to each.
#[derive(Default)]
pub struct Copied<'d> {
    referrers: BTreeMap<AssetKey<'d>, BTreeSet<Referrer<'d>>>,
    /// What each refers to, by instance and object.
    keys: BTreeMap<Option<ObjectRef<'d>>, BTreeMap<ObjectRef<'d>, BTreeSet<AssetKey<'d>>>>,
}

impl<'d> Copied<'d> {
    /// Adds a referrer of a value.
    pub fn add(&mut self, key: AssetKey<'d>, referrer: Referrer<'d>) {
        self.referrers.entry(key).or_default().insert(referrer);
        let of_instance = self.keys.entry(referrer.instance).or_default();
        of_instance.entry(referrer.object).or_default().insert(key);
    }

    /// Whether a value is there for such referrers only, so that it goes with them.
    pub fn go_with(&self, gone: &Gone<'d>) -> bool {
        let of_instances = gone
            .instances
            .iter()
            .filter_map(|instance| self.keys.get(&Some(*instance)));
        let of_instances = of_instances.flat_map(BTreeMap::values);
        let single = gone.referrers.iter();
        let single = single.filter_map(|referrer| self.keys.get(&referrer.instance)?.get(&referrer.object));
        let keys = of_instances.chain(single).flatten();
        let mut referrers = keys.filter_map(|key| self.referrers.get(key));
        referrers.any(|referrers| referrers.iter().all(|referrer| gone.contains(referrer)))
    }

    /// Whether a resource that comes would bring in a value that is not there yet.
    pub fn come_with(&self, resource: AnyResource<'_, 'd>, resources: &Resources<'d>) -> bool {
        let references = references::of(resource, AgentUse::NOTHING).into_iter();
        let mut keys = references.map(|reference| reference.key(resource.meta.namespace));
        keys.any(|key| !self.referrers.contains_key(&key) && has_value(resources, &key))
    }
}

/// Whether the input has the value.
fn has_value(resources: &Resources<'_>, key: &AssetKey<'_>) -> bool {
    let object = resources.data_object(key.object());
    object.is_some_and(|object| object.spec.values.contains_key(key.key))
}
