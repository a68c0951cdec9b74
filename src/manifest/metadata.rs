//! Labels, annotations and owners of the operator's objects.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::api::{EmbeddedMetadata, ObjectMeta, OperatorVersion};
use crate::go::text::volume_name;
use crate::output::Target;

/// Command-line options that affect manifests.
#[derive(Clone, Debug, Default)]
pub struct ManifestOptions {
    /// The operator's `--labels`, which override its own labels and selectors.
    pub labels: BTreeMap<String, String>,
    /// Whether objects have an owner reference to the GrafanaAgent, provided that it has a UID.
    pub owner_references: bool,
    /// Render target, which determines the program in the pods.
    pub target: Target,
    /// Operator version whose objects are rendered.
    pub operator: OperatorVersion,
    /// Kind of object that contains the configurations.
    pub config_kind: ConfigHolder,
}

/// Kind of object that contains a configuration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ConfigHolder {
    /// Secrets, as in the operator's output
    #[default]
    Secret,
    /// ConfigMaps, which contain no Secret values
    #[value(name = "configmap")]
    ConfigMap,
}

/// Labels or annotations, by key.
pub(super) type MetadataMap = BTreeMap<String, String>;

pub(super) const MANAGED_BY: (&str, &str) = ("app.kubernetes.io/managed-by", "grafana-agent-operator");
/// Label on RBAC objects, which the operator does not manage.
pub const RIGHTS_LABEL: (&str, &str) = ("app.kubernetes.io/managed-by", "agentctl");
pub(super) const AGENT_NAME: &str = "operator.agent.grafana.com/name";
pub(super) const AGENT_TYPE: &str = "operator.agent.grafana.com/type";
pub(super) const SHARD: &str = "operator.agent.grafana.com/shard";
pub(super) const APP: (&str, &str) = ("app.kubernetes.io/name", "grafana-agent");
const VERSION: &str = "app.kubernetes.io/version";

/// Metadata of an object.
pub(super) struct Metadata {
    pub(super) name: String,
    pub(super) namespace: Arc<str>,
    pub(super) labels: MetadataMap,
    pub(super) annotations: MetadataMap,
    pub(super) owners: Option<Value>,
}

impl Metadata {
    /// Creates metadata without annotations or owners.
    pub(super) fn new(name: String, namespace: &str, labels: MetadataMap) -> Self {
        Self { name, namespace: Arc::from(namespace), labels, annotations: MetadataMap::new(), owners: None }
    }

    /// Converts metadata to JSON, omitting empty fields.
    pub(super) fn into_json(self) -> Value {
        let non_empty = |labels: MetadataMap| (!labels.is_empty()).then(|| json!(labels));
        let fields = [
            ("name", Some(Value::String(self.name))),
            ("namespace", (!self.namespace.is_empty()).then(|| json!(&*self.namespace))),
            ("labels", non_empty(self.labels)),
            ("annotations", non_empty(self.annotations)),
            ("ownerReferences", self.owners),
        ];
        object(fields)
    }
}

/// Creates an object from the fields that have values.
pub(super) fn object<const N: usize>(fields: [(&str, Option<Value>); N]) -> Value {
    let fields = fields.into_iter();
    let fields: Map<_, _> = fields.filter_map(|(key, value)| Some((key.to_owned(), value?))).collect();
    Value::Object(fields)
}

/// Returns the GrafanaAgent as the owner of an object, or `None` if the agent has no UID. The agent controls Services
/// and workloads, but not Secrets.
pub(super) fn owners(agent: &ObjectMeta<'_>, controls: bool) -> Option<Value> {
    let owner = object([
        ("apiVersion", Some(json!("monitoring.grafana.com/v1alpha1"))),
        ("kind", Some(json!("GrafanaAgent"))),
        ("name", Some(json!(agent.name))),
        ("uid", Some(json!(agent.uid))),
        ("blockOwnerDeletion", Some(json!(true))),
        ("controller", controls.then_some(Value::Bool(true))),
    ]);
    (!agent.uid.is_empty()).then(|| json!([owner]))
}

pub(super) fn labels<'l>(pairs: impl IntoIterator<Item = (&'l str, &'l str)>) -> MetadataMap {
    pairs.into_iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}

/// Merges labels. Labels in `added` override those in `base`.
#[must_use]
pub(super) fn merge(mut base: MetadataMap, added: &MetadataMap) -> MetadataMap {
    base.extend(added.iter().map(|(key, value)| (key.clone(), value.clone())));
    base
}

/// Returns the labels by which a workload selects its pods, including `extra` but excluding the operator's `--labels`.
pub(super) fn selector(name: &str, extra: &MetadataMap) -> MetadataMap {
    let base =
        labels([APP, ("app.kubernetes.io/instance", name), ("grafana-agent", name), MANAGED_BY, (AGENT_NAME, name)]);
    merge(base, extra)
}

/// Returns the pods' labels. The user's labels override the operator's version label, and `selector` overrides both.
pub(super) fn pod_labels(
    user: Option<&EmbeddedMetadata<'_>>,
    selector: &MetadataMap,
    operator: OperatorVersion,
) -> MetadataMap {
    let version = volume_name(&operator.to_string());
    let mut pods = labels([(VERSION, version.as_str())]);
    if let Some(user) = user {
        pods = merge(pods, &labels(&user.labels));
    }
    merge(pods, selector)
}

/// Returns a workload's labels: the labels of its pods except the version, because the metadata of a StatefulSet must
/// remain the same (`metadataFromPodTemplate`).
pub(super) fn workload_labels(pods: &MetadataMap) -> MetadataMap {
    let mut labels = pods.clone();
    labels.remove(VERSION);
    labels
}

pub(super) fn pod_annotations(user: Option<&EmbeddedMetadata<'_>>, container: &str) -> MetadataMap {
    let user_annotations = user.map(|user| labels(&user.annotations)).unwrap_or_default();
    merge(user_annotations, &labels([("kubectl.kubernetes.io/default-container", container)]))
}

/// Prefixes of the annotations that local tools set and then remove before applying the objects.
pub const LOCAL_TOOL_PREFIXES: &str = "\
    alpha.config.kubernetes.io/ config.k8s.io/ config.kubernetes.io/ internal.config.kubernetes.io/ kustomize.config.k8s.io/";

/// Prefixes of the annotations that deployment tools use to manage the agent itself, rather than the objects created
/// for it.
const DEPLOYMENT_TOOL_PREFIXES: &str =
    "argocd.argoproj.io/tracking-id helm.sh/hook kustomize.toolkit.fluxcd.io/ meta.helm.sh/";

/// Returns a workload's annotations: the agent's annotations except kubectl's (`prepareAnnotations`). If the agent does
/// not come from a cluster, the annotations of tools are also removed, because the tools would otherwise apply them to
/// the workload.
pub(super) fn workload_annotations(agent: &ObjectMeta<'_>) -> MetadataMap {
    let mut annotations = labels(&agent.annotations);
    let is_exported = !agent.uid.is_empty();
    annotations.retain(|key, _| {
        let has_prefix = |prefixes: &str| prefixes.split(' ').any(|prefix| key.starts_with(prefix));
        !key.starts_with("kubectl.kubernetes.io/")
            && !has_prefix(LOCAL_TOOL_PREFIXES)
            && (is_exported || !has_prefix(DEPLOYMENT_TOOL_PREFIXES))
    });
    annotations
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::TextMap;

    #[test]
    fn selectors_override_user_labels() {
        let user = EmbeddedMetadata {
            labels: TextMap::from([("a", "user"), (AGENT_NAME, "user"), (VERSION, "user")]),
            annotations: TextMap::from([("kubectl.kubernetes.io/default-container", "user"), ("b", "user")]),
            ..EmbeddedMetadata::default()
        };
        let pods = pod_labels(Some(&user), &labels([(AGENT_NAME, "agent")]), OperatorVersion::LAST);
        assert_eq!(pods, labels([("a", "user"), (AGENT_NAME, "agent"), (VERSION, "user")]));
        assert_eq!(workload_labels(&pods), labels([("a", "user"), (AGENT_NAME, "agent")]));
        assert_eq!(
            pod_annotations(Some(&user), "grafana-agent"),
            labels([("kubectl.kubernetes.io/default-container", "grafana-agent"), ("b", "user")])
        );
        let pods = pod_labels(None, &MetadataMap::new(), OperatorVersion::LAST);
        assert_eq!(pods, labels([(VERSION, "v0-44-8")]));
    }

    #[test]
    fn tool_annotations_are_not_copied() {
        let annotations = TextMap::from([
            ("kubectl.kubernetes.io/last-applied-configuration", "{}"),
            ("internal.config.kubernetes.io/path", "agent.yaml"),
            ("helm.sh/hook-weight", "1"),
            ("argocd.argoproj.io/tracking-id", "x"),
            ("argocd.argoproj.io/sync-wave", "1"),
            ("a", "b"),
        ]);
        let mut agent = ObjectMeta { annotations, ..ObjectMeta::default() };
        let kept_annotations = |agent: &ObjectMeta<'_>| workload_annotations(agent).into_keys().collect::<Vec<_>>();
        assert_eq!(kept_annotations(&agent), ["a", "argocd.argoproj.io/sync-wave"]);
        agent.uid = "0";
        let exported_annotations =
            ["a", "argocd.argoproj.io/sync-wave", "argocd.argoproj.io/tracking-id", "helm.sh/hook-weight"];
        assert_eq!(kept_annotations(&agent), exported_annotations);
    }
}
