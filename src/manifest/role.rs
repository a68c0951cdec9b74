//! What an object is for, and what it is called.

use crate::api::ObjectMeta;
use crate::plan::ConfigKind;

/// What an object of an agent is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Holds the values that resources refer to.
    Values,
    /// Holds a configuration.
    Configuration(ConfigKind),
    /// Governs the StatefulSets.
    Service,
    /// Runs the pods of a configuration; for metrics there is one StatefulSet a shard.
    Pods(ConfigKind),
    /// Gives an account what its agents need at the API server.
    Rights,
    /// It is of no agent.
    Other,
}

const ONCE: ConfigKind = ConfigKind::Integrations { all_nodes: false };
const ON_NODES: ConfigKind = ConfigKind::Integrations { all_nodes: true };

/// The kinds of what holds a configuration.
const CONFIGURATION: &[&str] = &["Secret", "ConfigMap", "ExternalSecret"];

/// The objects of an agent: role, kinds, and what follows the agent's name in theirs. Shards after the first one also have
/// their number there.
const OBJECTS: [(Role, &[&str], &str); 10] = [
    (Role::Values, &["Secret", "ExternalSecret"], "-secrets"),
    (Role::Configuration(ConfigKind::Metrics), CONFIGURATION, "-config"),
    (Role::Service, &["Service"], "-operated"),
    (Role::Pods(ConfigKind::Metrics), &["StatefulSet"], ""),
    (Role::Configuration(ConfigKind::Logs), CONFIGURATION, "-logs-config"),
    (Role::Pods(ConfigKind::Logs), &["DaemonSet"], "-logs"),
    (Role::Configuration(ONCE), CONFIGURATION, "-integrations-deploy-config"),
    (Role::Configuration(ON_NODES), CONFIGURATION, "-integrations-ds-config"),
    (Role::Pods(ONCE), &["Deployment"], "-integrations-deploy"),
    (Role::Pods(ON_NODES), &["DaemonSet"], "-integrations-ds"),
];

impl Role {
    /// The name of an agent's object with this role; of the StatefulSets, that of the first.
    pub(super) fn name(self, agent: &str) -> String {
        let suffix = OBJECTS.iter().find(|(role, ..)| *role == self);
        format!("{agent}{}", suffix.map_or("", |(.., suffix)| suffix))
    }
}

/// The name of a shard: the first one has the agent's own.
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
    /// The name of an agent.
    pub fn of(meta: &ObjectMeta<'_>) -> Self {
        Self {
            namespace: meta.namespace.to_owned(),
            name: meta.name.to_owned(),
        }
    }

    /// Which role an object with this name would have among this agent's. For objects that were created or written before,
    /// whose name is all that is known. `kind` may be in lower case.
    pub fn role_of(&self, kind: &str, namespace: &str, name: &str) -> Option<Role> {
        if self.is_rights(kind, namespace, name) {
            return Some(Role::Rights);
        }
        let behind = name.strip_prefix(self.name.as_str())?;
        let is_it = |(role, kinds, suffix): &&(Role, &[&str], &str)| {
            let is_named = behind == *suffix || (*role == Role::Pods(ConfigKind::Metrics) && is_shard(behind));
            is_named && kinds.iter().any(|known| known.eq_ignore_ascii_case(kind))
        };
        let found = OBJECTS.iter().find(is_it).filter(|_| namespace == self.namespace);
        found.map(|(role, ..)| *role)
    }

    /// Whether an object with this name may be one of theirs, as [`role_of`](Self::role_of) tells.
    pub fn any_has(agents: &[Self], kind: &str, namespace: &str, name: &str) -> bool {
        agents
            .iter()
            .any(|agent| agent.role_of(kind, namespace, name).is_some())
    }

    /// Whether an object gives an account of its namespace its rights; which account its pods run with is not known.
    fn is_rights(&self, kind: &str, namespace: &str, name: &str) -> bool {
        match RIGHTS.iter().any(|known| known.eq_ignore_ascii_case(kind)) {
            true => name.starts_with(&name_of_rights(&self.namespace, "")),
            false => kind.eq_ignore_ascii_case("ServiceAccount") && namespace == self.namespace,
        }
    }
}

/// The kinds of roles and bindings.
pub const RIGHTS: [&str; 4] = ["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"];

/// Whether there are objects of this kind.
pub(super) fn is_kind(kind: &str) -> bool {
    let of_agents = OBJECTS.iter().any(|(_, kinds, _)| kinds.contains(&kind));
    of_agents || RIGHTS.contains(&kind) || ["Endpoints", "ServiceAccount"].contains(&kind)
}

/// What roles and bindings of an account are called. A namespace has no dots, so no two accounts share a name.
pub(super) fn name_of_rights(namespace: &str, account: &str) -> String {
    format!("grafana-agent.{namespace}.{account}")
}

fn is_shard(behind: &str) -> bool {
    let number = behind.strip_prefix("-shard-").unwrap_or_default();
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_creates_what_bears_its_name() {
        let agent = AgentName {
            namespace: "n".to_owned(),
            name: "a".to_owned(),
        };
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
            assert_eq!(agent.role_of(kind, "n", name).is_some(), expected, "{kind} {name}");
            assert!(agent.role_of(kind, "m", name).is_none(), "{kind} {name}");
        }
    }

    #[test]
    fn accounts_and_their_rights_are_those_of_the_namespace() {
        let agent = AgentName {
            namespace: "n".to_owned(),
            name: "a".to_owned(),
        };
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
            let found = agent.role_of(kind, namespace, name);
            assert_eq!(found == Some(Role::Rights), expected, "{kind} {namespace}/{name}");
        }
    }

    #[test]
    fn names_lead_back_to_their_roles() {
        let agent = AgentName {
            namespace: "n".to_owned(),
            name: "a".to_owned(),
        };
        for (role, kinds, _) in OBJECTS {
            for kind in kinds {
                assert_eq!(agent.role_of(kind, "n", &role.name("a")), Some(role));
            }
        }
        assert_eq!(shard_name("a", 0), Role::Pods(ConfigKind::Metrics).name("a"));
        let shard = agent.role_of("StatefulSet", "n", &shard_name("a", 7));
        assert_eq!(shard, Some(Role::Pods(ConfigKind::Metrics)));
    }
}
