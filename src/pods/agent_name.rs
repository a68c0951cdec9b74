//! Which objects belong to an agent, judged by their names alone.

use crate::api::ObjectMeta;

/// An agent, such as one that is paused: the operator leaves alone what it created for it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AgentName {
    /// Its namespace.
    pub namespace: String,
    /// Its name.
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

    /// Whether an object is the `<agent>-secrets` of this agent.
    pub fn keeps_values_in(&self, kind: &str, namespace: &str, name: &str) -> bool {
        kind == "Secret" && namespace == self.namespace && name.strip_suffix("-secrets") == Some(self.name.as_str())
    }

    /// Whether an object is called what one of this agent's objects would be. `kind` may be in lower case.
    pub fn creates(&self, kind: &str, namespace: &str, name: &str) -> bool {
        let Some(suffix) = name.strip_prefix(self.name.as_str()) else {
            return false;
        };
        namespace == self.namespace
            && match kind.to_ascii_lowercase().as_str() {
                "secret" => SECRETS.contains(&suffix),
                "externalsecret" => suffix == "-secrets",
                "service" => suffix == "-operated",
                "statefulset" => suffix.is_empty() || is_shard(suffix),
                "daemonset" => matches!(suffix, "-logs" | "-integrations-ds"),
                "deployment" => suffix == "-integrations-deploy",
                _ => false,
            }
    }
}

const SECRETS: [&str; 5] = [
    "-secrets",
    "-config",
    "-logs-config",
    "-integrations-deploy-config",
    "-integrations-ds-config",
];

fn is_shard(suffix: &str) -> bool {
    let number = suffix.strip_prefix("-shard-").unwrap_or_default();
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
            ("Secret", "ab-config", false),
            ("Service", "a-operated", true),
            ("Endpoints", "a", false),
        ] {
            assert_eq!(agent.creates(kind, "n", name), expected, "{kind} {name}");
            assert!(!agent.creates(kind, "m", name), "{kind} {name}");
        }
    }
}
