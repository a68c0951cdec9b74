//! What the pods run.

use crate::api::GrafanaAgent;

/// The program that reads the configuration: all in which the pods of one target differ from those of another.
pub(super) struct Program {
    /// The name of its container.
    pub(super) container: &'static str,
    /// Its image.
    pub(super) image: String,
    /// Its arguments.
    pub(super) arguments: Vec<&'static str>,
    /// The file that it reads its configuration from, which is the key in the Secret too.
    pub(super) configuration: &'static str,
}

/// The agent's default image and version (`defaults.go`).
const IMAGE: (&str, &str) = ("grafana/agent", "v0.44.8");

impl Program {
    /// The agent itself.
    pub(super) fn agent(agent: &GrafanaAgent<'_>) -> Self {
        Self {
            container: "grafana-agent",
            image: image(agent.image, agent.version, IMAGE),
            arguments: arguments(agent),
            configuration: "agent.yml",
        }
    }
}

fn arguments(agent: &GrafanaAgent<'_>) -> Vec<&'static str> {
    let mut arguments = vec![
        "-config.file=/var/lib/grafana-agent/config/agent.yml",
        "-config.expand-env=true",
        "-server.http.address=0.0.0.0:8080",
        "-enable-features=integrations-next",
    ];
    let switches = [
        (agent.enable_config_read_api, "-config.enable-read-api"),
        (agent.disable_reporting, "-disable-reporting"),
        (agent.disable_support_bundle, "-disable-support-bundle"),
    ];
    arguments.extend(switches.into_iter().filter_map(|(is_on, flag)| is_on.then_some(flag)));
    arguments
}

/// The image where one is given, else the default one of this or the default version.
pub(super) fn image(image: Option<&str>, version: &str, (base, default): (&str, &str)) -> String {
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
    fn images() {
        let cases = [
            (None, "", "grafana/agent:v0.44.8"),
            (None, "v1", "grafana/agent:v1"),
            (Some(""), "v1", "grafana/agent:v1"),
            (Some("mine"), "v1", "mine"),
        ];
        for (given, version, expected) in cases {
            assert_eq!(image(given, version, IMAGE), expected);
        }
    }
}
