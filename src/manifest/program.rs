//! Program that runs in the pods.

use super::metadata::ManifestOptions;
use crate::api::{GrafanaAgent, OperatorVersion};
use crate::output::{Target, alloy};

/// Program that reads the configuration. Only these fields differ between the pods for different targets.
pub(super) struct Program {
    pub(super) image: String,
    pub(super) arguments: Vec<&'static str>,
    /// Directory that contains the configuration.
    pub(super) directory: &'static str,
    /// Variable that specifies the deployment kind in usage reports, if the program reads such a variable.
    pub(super) deployment: Option<&'static str>,
    /// Whether a field that the user sets on the agent's container also applies to this program.
    pub(super) takes_over: fn(&str) -> bool,
}

/// Agent image without its version (`DefaultAgentBaseImage`).
const IMAGE: &str = "grafana/agent";

impl Program {
    /// Returns the program for a target. The agent's arguments depend on the operator version.
    pub(super) fn new(options: &ManifestOptions, agent: &GrafanaAgent<'_>) -> Self {
        let operator = options.operator;
        match &options.target {
            Target::Agent => Self {
                image: image(agent.image, agent.version, IMAGE, &operator.default_agent_version().to_string()),
                arguments: arguments(
                    &[
                        "-config.file=/var/lib/grafana-agent/config/agent.yml",
                        "-config.expand-env=true",
                        "-server.http.address=0.0.0.0:8080",
                        "-enable-features=integrations-next",
                    ],
                    &[
                        (agent.enable_config_read_api, "-config.enable-read-api"),
                        (agent.disable_reporting, "-disable-reporting"),
                        (agent.disable_support_bundle, "-disable-support-bundle"),
                    ],
                ),
                directory: "/var/lib/grafana-agent/config",
                deployment: (operator >= OperatorVersion::WITH_DEPLOY_MODE).then_some("AGENT_DEPLOY_MODE"),
                takes_over: |_| true,
            },
            Target::Alloy(settings) => Self {
                image: settings.image.clone(),
                // Alloy's data directory is next to the agent's, in the same volume.
                arguments: arguments(
                    &[
                        "run",
                        "/etc/alloy/config.alloy",
                        "--storage.path=/var/lib/grafana-agent/data/alloy",
                        "--server.http.listen-addr=0.0.0.0:8080",
                    ],
                    &[
                        (agent.disable_reporting, "--disable-reporting"),
                        (agent.disable_support_bundle, "--disable-support-bundle"),
                    ],
                ),
                directory: "/etc/alloy",
                deployment: Some("ALLOY_DEPLOY_MODE"),
                takes_over: alloy::applies_to_alloy,
            },
        }
    }
}

/// Returns the fixed arguments, and the arguments that fields of the GrafanaAgent enable.
fn arguments(always: &[&'static str], switches: &[(bool, &'static str)]) -> Vec<&'static str> {
    let enabled_flags = switches.iter().filter(|(is_on, _)| *is_on).map(|(_, flag)| *flag);
    always.iter().copied().chain(enabled_flags).collect()
}

/// Returns `image` if it is set, or the `base` image with the given or default version otherwise.
pub(super) fn image(image: Option<&str>, version: &str, base: &str, default: &str) -> String {
    match (image, version) {
        (Some(image), _) if !image.is_empty() => image.to_owned(),
        (_, "") => format!("{base}:{default}"),
        (_, version) => format!("{base}:{version}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explicit_images_take_precedence_over_versions() {
        let cases = [
            (None, "", "grafana/agent:v0.44.8"),
            (None, "v1", "grafana/agent:v1"),
            (Some(""), "v1", "grafana/agent:v1"),
            (Some("mine"), "v1", "mine"),
        ];
        for (given, version, expected) in cases {
            assert_eq!(image(given, version, IMAGE, "v0.44.8"), expected);
        }
    }
}
