//! The operator's own two containers.

use k8s_openapi::api::core::v1::{
    Capabilities, Container, ContainerPort, EnvVar, HTTPGetAction, Probe, SecurityContext, VolumeMount,
};
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;

use crate::api::GrafanaAgent;

/// The versions and images of the operator's defaults (`defaults.go`).
const AGENT_IMAGE: (&str, &str) = ("grafana/agent", "v0.44.8");
const RELOADER_IMAGE: (&str, &str) = ("quay.io/prometheus-operator/prometheus-config-reloader", "v0.67.1");

/// The name of the agent's port.
pub(super) fn port_name<'d>(agent: &GrafanaAgent<'d>) -> &'d str {
    match agent.port_name {
        "" => "http-metrics",
        name => name,
    }
}

/// The container that renders the configuration and has it reloaded.
pub(super) fn config_reloader(agent: &GrafanaAgent<'_>, mounts: &[VolumeMount], env: &[EnvVar]) -> Container {
    Container {
        name: "config-reloader".to_owned(),
        image: Some(image(
            agent.config_reloader_image,
            agent.config_reloader_version,
            RELOADER_IMAGE,
        )),
        volume_mounts: Some(mounts.to_vec()),
        env: Some(env.to_vec()),
        security_context: Some(SecurityContext {
            allow_privilege_escalation: Some(false),
            read_only_root_filesystem: Some(true),
            capabilities: Some(Capabilities {
                add: None,
                drop: Some(strings(&["ALL"])),
            }),
            ..SecurityContext::default()
        }),
        args: Some(strings(&[
            "--config-file=/var/lib/grafana-agent/config-in/agent.yml",
            "--config-envsubst-file=/var/lib/grafana-agent/config/agent.yml",
            "--watch-interval=1m",
            "--statefulset-ordinal-from-envvar=POD_NAME",
            "--reload-url=http://127.0.0.1:8080/-/reload",
        ])),
        ..Container::default()
    }
}

/// The agent's container.
pub(super) fn grafana_agent(
    agent: &GrafanaAgent<'_>,
    mounts: &[VolumeMount],
    env: &[EnvVar],
    privileged: bool,
) -> Container {
    let port_name = port_name(agent);
    Container {
        name: "grafana-agent".to_owned(),
        image: Some(image(agent.image, agent.version, AGENT_IMAGE)),
        ports: Some(vec![ContainerPort {
            name: Some(port_name.to_owned()),
            container_port: 8080,
            protocol: Some("TCP".to_owned()),
            ..ContainerPort::default()
        }]),
        args: Some(arguments(agent)),
        volume_mounts: Some(mounts.to_vec()),
        env: Some(env.to_vec()),
        readiness_probe: Some(readiness_probe(port_name)),
        resources: Some(agent.resources.clone()),
        security_context: Some(SecurityContext {
            privileged: Some(privileged),
            ..SecurityContext::default()
        }),
        termination_message_policy: Some("FallbackToLogsOnError".to_owned()),
        ..Container::default()
    }
}

/// Ready within 10 minutes: the agent may have to replay its write-ahead log.
fn readiness_probe(port_name: &str) -> Probe {
    Probe {
        http_get: Some(HTTPGetAction {
            path: Some("/-/ready".to_owned()),
            port: IntOrString::String(port_name.to_owned()),
            ..HTTPGetAction::default()
        }),
        timeout_seconds: Some(3),
        period_seconds: Some(5),
        failure_threshold: Some(120),
        ..Probe::default()
    }
}

fn arguments(agent: &GrafanaAgent<'_>) -> Vec<String> {
    let mut arguments = strings(&[
        "-config.file=/var/lib/grafana-agent/config/agent.yml",
        "-config.expand-env=true",
        "-server.http.address=0.0.0.0:8080",
        "-enable-features=integrations-next",
    ]);
    let switches = [
        (agent.enable_config_read_api, "-config.enable-read-api"),
        (agent.disable_reporting, "-disable-reporting"),
        (agent.disable_support_bundle, "-disable-support-bundle"),
    ];
    arguments.extend(
        switches
            .into_iter()
            .filter(|(on, _)| *on)
            .map(|(_, flag)| flag.to_owned()),
    );
    arguments
}

/// The image where one is given, else the default one of this or the default version.
fn image(image: Option<&str>, version: &str, (base, default): (&str, &str)) -> String {
    match (image, version) {
        (Some(image), _) if !image.is_empty() => image.to_owned(),
        (_, "") => format!("{base}:{default}"),
        (_, version) => format!("{base}:{version}"),
    }
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
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
            assert_eq!(image(given, version, AGENT_IMAGE), expected);
        }
    }
}
