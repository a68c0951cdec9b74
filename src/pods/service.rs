//! The Service that governs the StatefulSets.

use k8s_openapi::api::core::v1::{Service, ServicePort, ServiceSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;

use super::containers::port_name;
use super::labels::{self, AGENT_NAME, MANAGED_BY};
use super::options::Options;
use super::owner;
use crate::api::{GrafanaAgent, Resource};

/// `<agent>-operated`.
pub(super) fn governing_name(agent: &str) -> String {
    format!("{agent}-operated")
}

/// The governing Service (`generateMetricsStatefulSetService`).
pub(super) fn governing(agent: &Resource<'_, GrafanaAgent<'_>>, options: &Options) -> Service {
    let name = agent.meta.name;
    let own = labels::labels([MANAGED_BY, (AGENT_NAME, name), ("operated-agent", "true")]);
    let port_name = port_name(&agent.spec);
    Service {
        metadata: ObjectMeta {
            name: Some(governing_name(name)),
            namespace: Some(agent.meta.namespace.to_owned()),
            labels: Some(labels::merge(own, &options.labels)),
            owner_references: owner::controller(agent, options),
            ..ObjectMeta::default()
        },
        spec: Some(ServiceSpec {
            cluster_ip: Some("None".to_owned()),
            ports: Some(vec![ServicePort {
                name: Some(port_name.to_owned()),
                port: 8080,
                target_port: Some(IntOrString::String(port_name.to_owned())),
                ..ServicePort::default()
            }]),
            selector: Some(labels::labels([
                ("app.kubernetes.io/name", "grafana-agent"),
                (AGENT_NAME, name),
            ])),
            ..ServiceSpec::default()
        }),
        status: None,
    }
}
