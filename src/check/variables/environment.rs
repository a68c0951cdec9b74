//! Environment variables in the containers that read a configuration.

use std::collections::HashSet;

use serde_json::Value;

use crate::api::core::embedded::name;
use crate::manifest::Object;
use crate::output::CONTAINER;

/// Variables that container runtimes set.
const RUNTIME_VARIABLES: [&str; 3] = ["HOME", "HOSTNAME", "PATH"];

/// Variable that the config-reloader sets for itself (`createOrdinalEnvvar`).
pub const ORDINAL: &str = "STATEFULSET_ORDINAL_NUMBER";

/// Name of the config-reloader container.
const RELOADER: &str = "config-reloader";

/// First config-reloader release that leaves a reference to an unset variable unchanged
/// (`TolerateEnvVarExpansionErrors`).
const TOLERANT_VERSION: [u64; 2] = [0, 76];

/// Environment variables in a container.
#[derive(Debug, Default)]
pub struct ContainerVariables {
    names: HashSet<String>,
    /// Whether the container may have more variables because it sets `envFrom` or is unknown.
    is_open: bool,
    image: String,
}

impl ContainerVariables {
    /// Returns the environment variables of the config-reloader and the agent in a workload's pods.
    pub fn for_workload(workload: &Object) -> [Self; 2] {
        let manifest = workload.to_json();
        let [mut reloader, agent] = [RELOADER, CONTAINER].map(|name| Self::from_container(&manifest, name));
        reloader.names.insert(ORDINAL.to_owned());
        [reloader, agent]
    }

    fn from_container(manifest: &Value, container: &str) -> Self {
        let containers = manifest.pointer("/spec/template/spec/containers").and_then(Value::as_array);
        let spec = containers.into_iter().flatten().find(|container_spec| name(container_spec) == container);
        let list = |field| spec.and_then(|container_spec| container_spec.get(field)?.as_array()).into_iter().flatten();
        let names = list("env").map(|variable| name(variable).to_owned());
        Self {
            names: names.chain(RUNTIME_VARIABLES.map(str::to_owned)).collect(),
            is_open: spec.is_none() || list("envFrom").next().is_some(),
            image: spec.and_then(|container_spec| container_spec.get("image")?.as_str()).unwrap_or_default().to_owned(),
        }
    }

    /// Whether a variable is or may be set.
    pub fn may_be_set(&self, name: &str) -> bool {
        self.is_open || self.names.contains(name) || is_service_variable(name)
    }

    /// Whether the config-reloader leaves references to unset variables unchanged.
    pub fn keeps_unset_variables(&self) -> bool {
        let tag = self.image.rsplit_once(":v").map_or("", |(_, tag)| tag);
        let mut numbers = tag.split('.').map_while(|number| number.parse::<u64>().ok());
        let (major, minor) = (numbers.next(), numbers.next());
        major.zip(minor).is_some_and(|(major, minor)| [major, minor] >= TOLERANT_VERSION)
    }
}

/// Whether Kubernetes may set a variable for a Service in the namespace (`makeEnvVariableName`, `makeLinkVariables`).
/// Every pod has the variables for the `kubernetes` Service.
pub fn is_service_variable(name: &str) -> bool {
    let is_protocol = |text: &str| ["TCP", "UDP", "SCTP"].iter().any(|protocol| text.starts_with(protocol));
    let is_link = |rest: &str| {
        let protocol = rest.trim_start_matches(|c: char| c.is_ascii_digit()).strip_prefix('_');
        protocol.is_some_and(is_protocol)
    };
    let is_named = |end: &str| name.find(end).is_some_and(|at| at > 0);
    name == "KUBERNETES_PORT"
        || name.strip_suffix("_SERVICE_HOST").is_some_and(|service| !service.is_empty())
        || is_named("_SERVICE_PORT")
        || name.match_indices("_PORT_").any(|(at, end)| at > 0 && name.get(at + end.len()..).is_some_and(is_link))
}

/// Whether the operator refers to a variable in every configuration.
pub fn is_operator_variable(name: &str) -> bool {
    name == "SHARD" || name == ORDINAL
}

/// Whether every agent's pods have the variable.
pub fn is_common(name: &str) -> bool {
    let operator_variables = ["POD_NAME", "AGENT_DEPLOY_MODE", "SHARD", "SHARDS", ORDINAL];
    operator_variables.contains(&name) || RUNTIME_VARIABLES.contains(&name) || is_service_variable(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_variables_of_services() {
        for (name, expected) in [
            ("KUBERNETES_SERVICE_HOST", true),
            ("KUBERNETES_PORT", true),
            ("KUBERNETES_PORT_443_TCP_ADDR", true),
            ("MIMIR_SERVICE_PORT_HTTP", true),
            ("MIMIR_PORT_8080_UDP", true),
            ("MIMIR_PORT", false),
            ("PORT", false),
            ("SERVICE_HOST", false),
            ("_SERVICE_HOST", false),
            ("_SERVICE_PORT", false),
            ("_PORT_443_TCP", false),
            ("A_PORT_443_TCP", true),
            ("CLUSTER", false),
        ] {
            assert_eq!(is_service_variable(name), expected, "{name}");
        }
    }

    #[test]
    fn recent_reloaders_tolerate_unset_variables() {
        for (image, expected) in [
            ("quay.io/prometheus-operator/prometheus-config-reloader:v0.67.1", false),
            ("x:v0.75.2", false),
            ("x:v0.76.0", true),
            ("x:v1.0.0-rc.1", true),
            ("x", false),
            ("x:latest", false),
        ] {
            let environment = ContainerVariables { image: image.to_owned(), ..ContainerVariables::default() };
            assert_eq!(environment.keeps_unset_variables(), expected, "{image}");
        }
    }
}
