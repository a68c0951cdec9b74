//! The `Available` condition, as far as it can be known offline.

use serde::Serialize;

use super::api_service::{ApiService, ServiceReference};
use super::endpoint::Endpoint;
use super::service::Service;

/// Whether requests get through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Status {
    /// They do.
    True,
    /// They do not: the aggregator answers 503.
    False,
    /// Only the service itself can tell.
    Unknown,
}

impl Status {
    /// The word that Kubernetes uses.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::True => "True",
            Status::False => "False",
            Status::Unknown => "Unknown",
        }
    }
}

/// The condition `Available` of an APIService.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Available {
    /// Whether requests get through.
    pub status: Status,
    /// Why, in one word.
    pub reason: &'static str,
    /// Why, in a sentence.
    pub message: String,
    /// What the aggregator would ask to find out.
    #[serde(rename = "discoveryURL", skip_serializing_if = "Option::is_none")]
    pub discovery_url: Option<String>,
}

impl Available {
    fn new(status: Status, reason: &'static str, message: String) -> Self {
        Self {
            status,
            reason,
            message,
            discovery_url: None,
        }
    }
}

/// The condition by the checks that need no network, in their order (`AvailableConditionController.sync` of
/// kube-aggregator, and Grafana's, which asks for ExternalNames instead). `target` is the URL of the endpoint.
pub(super) fn available(
    api_service: &ApiService<'_>,
    endpoint: Option<Endpoint<'_, '_>>,
    target: Option<&str>,
) -> Available {
    let Some(reference) = &api_service.service else {
        let message = "Local APIServices are always available";
        return Available::new(Status::True, "Local", message.to_owned());
    };
    match endpoint {
        None => not_found(reference),
        Some(Endpoint::Service(service)) if !listens(service, reference.port) => not_listening(reference),
        Some(_) => match target {
            Some(target) => not_asked(&format!("{target}{}", api_service.discovery_path())),
            None => not_routable(reference),
        },
    }
}

/// Only the ports of a Service of type ClusterIP are looked at.
fn listens(service: &Service<'_>, port: i32) -> bool {
    service.service_type != "ClusterIP" || service.ports.contains(&port)
}

fn not_found(reference: &ServiceReference<'_>) -> Available {
    let message = format!("service/{} in {:?} is not present", reference.name, reference.namespace);
    Available::new(Status::False, "ServiceNotFound", message)
}

fn not_listening(reference: &ServiceReference<'_>) -> Available {
    let message = format!(
        "service/{} in {:?} is not listening on port {}",
        reference.name, reference.namespace, reference.port
    );
    Available::new(Status::False, "ServicePortError", message)
}

fn not_routable(reference: &ServiceReference<'_>) -> Available {
    let message = format!(
        "service/{} in {:?} has no address of its own",
        reference.name, reference.namespace
    );
    Available::new(Status::False, "FailedDiscoveryCheck", message)
}

fn not_asked(url: &str) -> Available {
    Available {
        discovery_url: Some(url.to_owned()),
        ..Available::new(Status::Unknown, "NotAsked", format!("{url} was not asked"))
    }
}
