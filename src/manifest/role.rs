//! Purposes and names of rendered objects.

use crate::api::ObjectMeta;
use crate::plan::ConfigKind;

/// Purpose of a rendered object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectRole {
    /// Object that contains the values that resources refer to.
    Values,
    /// Object that contains a configuration.
    Configuration(ConfigKind),
    /// Service that governs the StatefulSets.
    Service,
    /// Workload that runs the pods for a configuration. Metrics have one StatefulSet per shard.
    Pods(ConfigKind),
    /// RBAC object that grants an account the permissions that its agents need to access the API server.
    Rights,
    /// Object that does not belong to any agent.
    Other,
}

const CLUSTER_INTEGRATIONS: ConfigKind = ConfigKind::Integrations { all_nodes: false };
const NODE_INTEGRATIONS: ConfigKind = ConfigKind::Integrations { all_nodes: true };

/// Kinds of objects that contain a configuration.
const CONFIGURATION_KINDS: &[&str] = &["Secret", "ConfigMap", "ExternalSecret"];

/// Objects of an agent: their roles, possible kinds and name suffixes. For shards after the first, the suffix also
/// includes the shard number.
const OBJECTS: [(ObjectRole, &[&str], &str); 10] = [
    (ObjectRole::Values, &["Secret", "ExternalSecret"], "-secrets"),
    (ObjectRole::Configuration(ConfigKind::Metrics), CONFIGURATION_KINDS, "-config"),
    (ObjectRole::Service, &["Service"], "-operated"),
    (ObjectRole::Pods(ConfigKind::Metrics), &["StatefulSet"], ""),
    (ObjectRole::Configuration(ConfigKind::Logs), CONFIGURATION_KINDS, "-logs-config"),
    (ObjectRole::Pods(ConfigKind::Logs), &["DaemonSet"], "-logs"),
    (ObjectRole::Configuration(CLUSTER_INTEGRATIONS), CONFIGURATION_KINDS, "-integrations-deploy-config"),
    (ObjectRole::Configuration(NODE_INTEGRATIONS), CONFIGURATION_KINDS, "-integrations-ds-config"),
    (ObjectRole::Pods(CLUSTER_INTEGRATIONS), &["Deployment"], "-integrations-deploy"),
    (ObjectRole::Pods(NODE_INTEGRATIONS), &["DaemonSet"], "-integrations-ds"),
];

impl ObjectRole {
    /// Returns the name of an agent's object with this role. For StatefulSets, this is the name of the first shard.
    pub(super) fn name(self, agent: &str) -> String {
        let suffix = OBJECTS.iter().find(|(role, ..)| *role == self);
        format!("{agent}{}", suffix.map_or("", |(.., suffix)| suffix))
    }
}

/// Returns a shard's name. The first shard has the agent's name.
pub(super) fn shard_name(agent: &str, shard: i32) -> String {
    match shard {
        0 => agent.to_owned(),
        shard => format!("{agent}-shard-{shard}"),
    }
}

/// Namespace and name of an agent.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AgentName {
    pub namespace: String,
    pub name: String,
}

impl AgentName {
    /// Returns the name of the agent with the given metadata.
    pub fn new(meta: &ObjectMeta<'_>) -> Self {
        Self { namespace: meta.namespace.to_owned(), name: meta.name.to_owned() }
    }

    /// Returns the role that an object with this name would have for this agent. Only the object's kind, namespace and
    /// name are considered, because its contents may be unknown. `kind` may be in lowercase.
    pub fn infer_role(&self, kind: &str, namespace: &str, name: &str) -> Option<ObjectRole> {
        if self.is_rights(kind, namespace, name) {
            return Some(ObjectRole::Rights);
        }
        let suffix_of_name = name.strip_prefix(self.name.as_str())?;
        let has_role = |(role, kinds, suffix): &&(ObjectRole, &[&str], &str)| {
            let is_named = suffix_of_name == *suffix
                || (*role == ObjectRole::Pods(ConfigKind::Metrics) && is_shard(suffix_of_name));
            is_named && kinds.iter().any(|candidate| candidate.eq_ignore_ascii_case(kind))
        };
        let row = OBJECTS.iter().find(has_role).filter(|_| namespace == self.namespace);
        row.map(|(role, ..)| *role)
    }

    /// Whether an object with this name may belong to one of the agents (see [`infer_role`](Self::infer_role)).
    pub fn any_may_own(agents: &[Self], kind: &str, namespace: &str, name: &str) -> bool {
        agents.iter().any(|agent| agent.infer_role(kind, namespace, name).is_some())
    }

    /// Whether an object may grant permissions to an account in the agent's namespace. The account that the pods use is
    /// not known here.
    fn is_rights(&self, kind: &str, namespace: &str, name: &str) -> bool {
        match RIGHTS.iter().any(|candidate| candidate.eq_ignore_ascii_case(kind)) {
            true => name.starts_with(&rights_name(&self.namespace, "")),
            false => kind.eq_ignore_ascii_case("ServiceAccount") && namespace == self.namespace,
        }
    }
}

/// Kinds of RBAC objects.
pub const RIGHTS: [&str; 4] = ["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"];

/// Whether objects of this kind are rendered.
pub(super) fn is_kind(kind: &str) -> bool {
    let is_agent_kind = OBJECTS.iter().any(|(_, kinds, _)| kinds.contains(&kind));
    is_agent_kind || RIGHTS.contains(&kind) || ["Endpoints", "ServiceAccount"].contains(&kind)
}

/// Returns the name for an account's roles and bindings. Namespaces contain no dots, so names of different accounts
/// never collide.
pub(super) fn rights_name(namespace: &str, account: &str) -> String {
    format!("grafana-agent.{namespace}.{account}")
}

fn is_shard(suffix: &str) -> bool {
    let number = suffix.strip_prefix("-shard-").unwrap_or_default();
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_objects_by_agent_name() {
        let agent = AgentName { namespace: "n".to_owned(), name: "a".to_owned() };
        for (kind, name, expected) in [
            ("StatefulSet", "a", true),
            ("statefulset", "a-shard-12", true),
            ("StatefulSet", "a-shard-", false),
            ("StatefulSet", "a-shard-x", false),
            ("StatefulSet", "a-logs", false),
            ("DaemonSet", "a-logs", true),
            ("DaemonSet", "a-integrations-ds", true),
            ("Deployment", "a-integrations-deploy", true),
            ("Deployment", "a", false),
            ("ExternalSecret", "a-secrets", true),
            ("Secret", "a-secrets", true),
            ("Secret", "a-config", true),
            ("Secret", "a-logs-config", true),
            ("ConfigMap", "a-logs-config", true),
            ("ConfigMap", "a-secrets", false),
            ("Secret", "ab-config", false),
            ("Service", "a-operated", true),
            ("Endpoints", "a", false),
        ] {
            assert_eq!(agent.infer_role(kind, "n", name).is_some(), expected, "{kind} {name}");
            assert!(agent.infer_role(kind, "m", name).is_none(), "{kind} {name}");
        }
    }

    #[test]
    fn recognizes_accounts_of_the_namespace() {
        let agent = AgentName { namespace: "n".to_owned(), name: "a".to_owned() };
        for (kind, namespace, name, expected) in [
            ("ServiceAccount", "n", "other", true),
            ("serviceaccount", "n", "a", true),
            ("ServiceAccount", "m", "a", false),
            ("ClusterRole", "", "grafana-agent.n.other", true),
            ("clusterrolebinding", "", "grafana-agent.n.a", true),
            ("RoleBinding", "m", "grafana-agent.n.a", true),
            ("ClusterRole", "", "grafana-agent.m.a", false),
            ("ClusterRole", "", "a", false),
            ("Secret", "m", "grafana-agent.n.a", false),
        ] {
            let found = agent.infer_role(kind, namespace, name);
            assert_eq!(found == Some(ObjectRole::Rights), expected, "{kind} {namespace}/{name}");
        }
    }

    #[test]
    fn names_and_roles_round_trip() {
        let agent = AgentName { namespace: "n".to_owned(), name: "a".to_owned() };
        for (role, kinds, _) in OBJECTS {
            for kind in kinds {
                assert_eq!(agent.infer_role(kind, "n", &role.name("a")), Some(role));
            }
        }
        assert_eq!(shard_name("a", 0), ObjectRole::Pods(ConfigKind::Metrics).name("a"));
        let shard = agent.infer_role("StatefulSet", "n", &shard_name("a", 7));
        assert_eq!(shard, Some(ObjectRole::Pods(ConfigKind::Metrics)));
    }
}
