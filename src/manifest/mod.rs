//! Manifests that run an agent's configurations, in the order in which the operator creates them.
//!
//! ```text
//! <agent>-secrets                        values, or external_secret
//! <agent>-config, Service, StatefulSets  configuration, service, shards ┐
//! <agent>-logs-config, DaemonSet         configuration, workload        ├ pod ← additions, program
//! integrations: configs, Deployment,     configuration, workload        │
//!               DaemonSet                                               ┘
//! ```

mod additions;
mod agent;
mod compact;
mod external_secret;
mod kubelet;
mod metadata;
mod object;
mod packing;
mod pod;
mod program;
pub mod rbac;
pub mod render;
mod rights;
mod role;
mod shards;
mod size;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde_json::{Value, json};

pub use external_secret::{external_configuration, external_secret};
pub use kubelet::kubelet;
pub use metadata::{ConfigHolder, LOCAL_TOOL_PREFIXES, ManifestOptions, RIGHTS_LABEL};
pub use object::{AgentObjects, Object, Objects, is_rendered};
pub use packing::Packing;
pub use rights::rights;
pub use role::{AgentName, ObjectRole, RIGHTS};
pub use size::{MAX_REQUEST, TooLarge, too_large};

use additions::wal_volume_name;
use agent::AgentRendering;
use metadata::{AGENT_NAME, APP, MANAGED_BY, Metadata, MetadataMap, labels, merge, object};
use object::{CONFIG_MAP, DAEMON_SET, DEPLOYMENT, SECRET, SERVICE, STATEFUL_SET, manifest};
use pod::{encode_struct, port_name};
use program::Program;
use role::shard_name;
use shards::Shards;

use crate::api::VolumeClaimTemplate;
use crate::api::core::shape::GoStruct;
use crate::budget::{Budget, BudgetExhausted};
use crate::plan::ConfigKind;
use crate::resolve::{Hierarchy, SecretStore};

/// Renders the objects for an agent (`reconciler.Reconcile`). `configurations` contains the configurations as packed in
/// their Secrets ([`Packing`]), in the order of [`ConfigKind::non_empty_kinds`].
///
/// # Errors
///
/// Fails if the objects exceed `budget`.
pub fn manifests(
    hierarchy: &Hierarchy<'_, '_>,
    values: BTreeMap<String, Vec<u8>>,
    configurations: Vec<(ConfigKind, Vec<u8>)>,
    options: &ManifestOptions,
    budget: &Budget,
) -> Result<Vec<Object>, BudgetExhausted> {
    let mut agent = AgentRendering {
        hierarchy,
        options,
        budget,
        program: Program::new(options, &hierarchy.agent.spec),
        objects: Vec::new(),
    };
    let metadata = agent.metadata(ObjectRole::Values, labels([MANAGED_BY]), false);
    agent.push(Object::with_values(ObjectRole::Values, SECRET, metadata, values))?;
    // The operator creates both integration configurations before their workloads.
    let mut pending_objects = Vec::new();
    for (config_kind, bytes) in configurations {
        agent.render_configuration(config_kind, bytes)?;
        match config_kind {
            ConfigKind::Metrics => agent.render_metrics()?,
            ConfigKind::Logs => agent.render_workload(config_kind)?,
            ConfigKind::Integrations { .. } => pending_objects.push(config_kind),
        }
    }
    pending_objects.into_iter().try_for_each(|part| agent.render_workload(part))?;
    Ok(agent.objects)
}

/// Returns the data of `<agent>-secrets` (`createSecrets`).
pub fn values(secrets: &SecretStore<'_, '_>) -> BTreeMap<String, Vec<u8>> {
    let values = secrets.iter();
    values.map(|(key, value)| (key.sanitized_key(), value.to_vec())).collect()
}

/// Returns the data of `<agent>-secrets` with the values replaced by placeholders.
pub fn placeholders(hierarchy: &Hierarchy<'_, '_>) -> BTreeMap<String, Vec<u8>> {
    let values = hierarchy.placeholders();
    values.map(|(key, value)| (key.sanitized_key(), value.into_owned())).collect()
}

impl AgentRendering<'_, '_, '_> {
    fn push(&mut self, object: Object) -> Result<(), BudgetExhausted> {
        self.budget.spend(object.size())?;
        self.objects.push(object);
        Ok(())
    }

    fn metadata(&self, role: ObjectRole, labels: MetadataMap, controls: bool) -> Metadata {
        let meta = &self.hierarchy.agent.meta;
        Metadata {
            owners: metadata::owners(meta, controls).filter(|_| self.options.owner_references),
            ..Metadata::new(role.name(meta.name), meta.namespace, labels)
        }
    }

    /// Returns the metadata of a workload (`metadataFromPodTemplate`).
    fn workload_metadata(&self, part: ConfigKind, pods: &MetadataMap) -> Metadata {
        Metadata {
            annotations: metadata::workload_annotations(&self.hierarchy.agent.meta),
            ..self.metadata(ObjectRole::Pods(part), metadata::workload_labels(pods), true)
        }
    }

    /// Renders `<workload>-config` (`createTelemetryConfigurationSecret`).
    fn render_configuration(&mut self, part: ConfigKind, bytes: Vec<u8>) -> Result<(), BudgetExhausted> {
        let role = ObjectRole::Configuration(part);
        let labels = merge(labels([MANAGED_BY]), &self.options.labels);
        let data = BTreeMap::from([(self.options.target.file().to_owned(), bytes)]);
        let metadata = self.metadata(role, labels, false);
        let object_type = match self.options.config_kind {
            ConfigHolder::Secret => SECRET,
            ConfigHolder::ConfigMap => CONFIG_MAP,
        };
        self.push(Object::with_values(role, object_type, metadata, data))
    }

    /// Renders the governing Service and its StatefulSets.
    fn render_metrics(&mut self) -> Result<(), BudgetExhausted> {
        self.push(self.render_service())?;
        let count = self.hierarchy.agent.spec.metrics.shard_count();
        let shards = Shards::new(self.name(), count, |shard| self.render_stateful_set(shard));
        let metadata = self.metadata(ObjectRole::Pods(ConfigKind::Metrics), MetadataMap::new(), true);
        Object::shards(shards, &metadata).try_for_each(|shard| self.push(shard))
    }

    /// Renders `<agent>-operated` (`generateMetricsStatefulSetService`).
    fn render_service(&self) -> Object {
        let name = self.name();
        let service_labels = labels([MANAGED_BY, (AGENT_NAME, name), ("operated-agent", "true")]);
        let port = port_name(&self.hierarchy.agent.spec);
        let spec = json!({
            "clusterIP": "None",
            "ports": [{"name": port, "port": 8080, "targetPort": port}],
            "selector": labels([APP, (AGENT_NAME, name)]),
        });
        let metadata = self.metadata(ObjectRole::Service, merge(service_labels, &self.options.labels), true);
        Object::new(ObjectRole::Service, SERVICE, metadata, json!({"spec": spec}))
    }

    /// Renders the StatefulSet of one shard (`generateMetricsStatefulSet`).
    fn render_stateful_set(&self, shard: i32) -> Value {
        let spec = &self.hierarchy.agent.spec;
        let name = shard_name(self.name(), shard);
        let pods = self.pods(ConfigKind::Metrics, additions::metrics(&name, spec, spec.storage.as_ref(), shard));
        let storage = spec.storage.as_ref().filter(|storage| storage.empty_dir.is_none());
        let claims = storage.map(|storage| json!([claim(&name, &storage.volume_claim_template)]));
        let metadata = Metadata { name, ..self.workload_metadata(ConfigKind::Metrics, &pods.labels) };
        let spec = object([
            ("serviceName", Some(ObjectRole::Service.name(self.name()).into())),
            ("replicas", Some(spec.metrics.replicas.unwrap_or(1).max(0).into())),
            ("podManagementPolicy", Some("Parallel".into())),
            ("updateStrategy", Some(json!({"type": "RollingUpdate"}))),
            ("selector", Some(pods.selector)),
            ("template", Some(pods.template)),
            ("volumeClaimTemplates", claims),
        ]);
        manifest(STATEFUL_SET, metadata, object([("spec", Some(spec))]))
    }

    /// Renders the DaemonSet for logs or integrations, or the Deployment for integrations (`generateLogsDaemonSet`,
    /// `newIntegrationsDaemonSet`, `newIntegrationsDeployment`).
    fn render_workload(&mut self, part: ConfigKind) -> Result<(), BudgetExhausted> {
        let role = ObjectRole::Pods(part);
        let additions = match part {
            ConfigKind::Integrations { .. } => {
                let integrations = self.hierarchy.integrations.iter().copied();
                let workload_integrations = integrations.filter(|integration| part.runs(&integration.spec));
                additions::integrations(&role.name(self.name()), self.hierarchy.agent, workload_integrations)
            }
            ConfigKind::Metrics | ConfigKind::Logs => additions::logs(),
        };
        let pods = self.pods(part, additions);
        let (object_type, strategy) = match part {
            ConfigKind::Integrations { all_nodes: false } => (DEPLOYMENT, "strategy"),
            _ => (DAEMON_SET, "updateStrategy"),
        };
        let metadata = self.workload_metadata(part, &pods.labels);
        // `json!` would copy the pods, which may contain long lists.
        let spec = object([
            ("selector", Some(pods.selector)),
            ("template", Some(pods.template)),
            (strategy, Some(json!({"type": "RollingUpdate"}))),
        ]);
        self.push(Object::new(role, object_type, metadata, object([("spec", Some(spec))])))
    }
}

/// Returns the StatefulSet's volume claim for the write-ahead log (`generateMetricsStatefulSet`,
/// `MakeVolumeClaimTemplate`). By default, the claim has the name of the StatefulSet and the access mode for a single
/// writer. An empty list of access modes is treated as unset, because the field has `omitempty`.
/// `deploymentUseVolumeClaimTemplate` ignores `ephemeral`. `apiVersion` and `kind` are copied from the template,
/// because the operator itself sets neither.
fn claim(set_name: &str, template: &VolumeClaimTemplate<'_>) -> Value {
    let metadata = &template.metadata;
    let name = match metadata.name {
        "" => wal_volume_name(set_name),
        name => name.to_owned(),
    };
    let claim = json!({
        "apiVersion": template.api_version,
        "kind": template.kind,
        "metadata": {
            "name": name,
            "labels": metadata.labels,
            "annotations": metadata.annotations,
        },
        "spec": *template.spec,
        "status": *template.status,
    });
    let mut claim = encode_struct(GoStruct::lookup("PersistentVolumeClaim"), claim);
    if let Some(spec) = claim.get_mut("spec").and_then(Value::as_object_mut) {
        spec.entry("accessModes").or_insert_with(|| json!(["ReadWriteOnce"]));
    }
    // Only the API server sets `creationTimestamp` and `status`.
    if let Some(metadata) = claim.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("creationTimestamp");
    }
    if let Some(fields) = claim.as_object_mut() {
        fields.retain(|key, value| key != "status" || *value != json!({}));
    }
    claim
}
