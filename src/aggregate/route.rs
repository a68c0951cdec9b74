//! Routes for requests, and whether their targets are available, as far as this can be determined offline.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use super::object::{ApiService, ExternalName, Service, ServiceReference};
use super::registry::Registry;

/// Route for requests to a group and version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Route<'r> {
    /// Name of the APIService.
    pub api_service: &'r str,
    /// Path of the requests. All paths below it have the same route.
    pub path: String,
    /// `https://host:port`, or `None` if the server itself or no server answers.
    pub target: Option<String>,
    /// Service as `namespace/name:port` if its URL is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service: Option<String>,
    /// Verification method for the service's certificate: the APIService's `caBundle`, the `systemRoots`, or none
    /// (`insecure`). `None` if the server itself answers.
    pub tls: Option<&'static str>,
    /// Server name for which a verified certificate must be valid.
    pub server_name: Option<String>,
    pub available: AvailableCondition,
}

/// Returns all routes in matching order: first by descending number of segments, then by descending length, then in
/// descending lexicographic order (`PathRecorderMux`, `byPrefixPriority`).
pub fn routes<'r>(registry: &'r Registry<'_>) -> Vec<Route<'r>> {
    let endpoints = Endpoints::new(registry);
    let mut routes: Vec<_> = registry.api_services.iter().map(|service| create_route(service, &endpoints)).collect();
    routes.sort_by(|a, b| match_order(&a.path).cmp(&match_order(&b.path)));
    routes
}

fn match_order(path: &str) -> Reverse<(usize, usize, &str)> {
    let segments = path.bytes().filter(|b| *b == b'/').count();
    Reverse((segments, path.len(), path))
}

fn create_route<'r>(service: &'r ApiService<'_>, endpoints: &Endpoints<'_, '_>) -> Route<'r> {
    let reference = service.spec.service.as_ref();
    let endpoint = reference.and_then(|reference| endpoints.find(reference));
    let target = reference.zip(endpoint).and_then(|(reference, endpoint)| endpoint.url(reference.port));
    let tls = reference.map(|_| tls_mode(service));
    let verified_reference = reference.filter(|_| !service.spec.insecure_skip_tls_verify);
    Route {
        api_service: &service.name,
        path: service.path(),
        available: check_availability(service, endpoint, target.as_deref()),
        service: reference.filter(|_| target.is_none()).map(ToString::to_string),
        target,
        tls,
        server_name: verified_reference.map(|reference| format!("{}.{}.svc", reference.name, reference.namespace)),
    }
}

/// Returns the verification mode (`proxyHandler.updateAPIService`).
fn tls_mode(service: &ApiService<'_>) -> &'static str {
    if service.spec.insecure_skip_tls_verify {
        "insecure"
    } else if service.spec.ca_bundle.is_empty() {
        "systemRoots"
    } else {
        "caBundle"
    }
}

/// Object that a service reference refers to.
#[derive(Clone, Copy)]
pub(super) enum ServiceEndpoint<'r, 'd> {
    ExternalName(&'r ExternalName<'d>),
    Service(&'r Service<'d>),
}

/// All endpoints in a registry, by namespace and name. An ExternalName takes precedence over a core Service with the
/// same name, because Grafana's aggregator supports only ExternalNames.
pub(super) struct Endpoints<'r, 'd>(BTreeMap<(&'r str, &'r str), ServiceEndpoint<'r, 'd>>);

impl<'r, 'd> Endpoints<'r, 'd> {
    pub(super) fn new(registry: &'r Registry<'d>) -> Self {
        let services = registry.services.iter().map(|service| {
            let key = (service.namespace, service.name.as_ref());
            (key, ServiceEndpoint::Service(service))
        });
        let names = registry.external_names.iter().map(|external| {
            let key = (external.namespace, external.name.as_ref());
            (key, ServiceEndpoint::ExternalName(external))
        });
        Self(services.chain(names).collect())
    }

    pub(super) fn find(&self, reference: &ServiceReference<'_>) -> Option<ServiceEndpoint<'r, 'd>> {
        self.0.get(&(reference.namespace.as_ref(), reference.name.as_ref())).copied()
    }
}

impl ServiceEndpoint<'_, '_> {
    /// Returns the URL to which requests are sent, if any (`externalNameResolver.ResolveEndpoint` in Grafana,
    /// `ResolveCluster` in Kubernetes). A core Service whose manifest does not set an address is represented by its DNS
    /// name.
    fn url(self, port: i32) -> Option<String> {
        match self {
            ServiceEndpoint::ExternalName(external) => Some(https_url(external.spec.host, port)),
            ServiceEndpoint::Service(service) if service.spec.service_type == "ExternalName" => {
                Some(https_url(service.spec.external_name, port))
            }
            ServiceEndpoint::Service(service) => match service.spec.cluster_ip {
                "None" => None,
                "" => Some(https_url(&format!("{}.{}.svc", service.name, service.namespace), port)),
                address => Some(https_url(address, port)),
            },
        }
    }
}

/// Formats `https://host:port`, with brackets around an IPv6 address (`net.JoinHostPort`).
fn https_url(host: &str, port: i32) -> String {
    if host.contains(':') { format!("https://[{host}]:{port}") } else { format!("https://{host}:{port}") }
}

/// The `AvailableCondition` condition of an APIService.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AvailableCondition {
    /// Status: `True`, `False` if the aggregator answers 503, or `Unknown` if only the service itself can determine the
    /// status.
    pub status: &'static str,
    /// Reason as a single word.
    pub reason: &'static str,
    /// Reason as a sentence.
    pub message: String,
    /// URL that the aggregator would query to determine the status.
    #[serde(rename = "discoveryURL", skip_serializing_if = "Option::is_none")]
    pub discovery_url: Option<String>,
}

/// Evaluates the checks that do not require network access, in their original order
/// (`AvailableConditionController.sync` in kube-aggregator and in Grafana, which resolves ExternalNames instead).
/// `target` is the endpoint's URL.
fn check_availability(
    api_service: &ApiService<'_>,
    endpoint: Option<ServiceEndpoint<'_, '_>>,
    target: Option<&str>,
) -> AvailableCondition {
    let Some(reference) = &api_service.spec.service else {
        return AvailableCondition {
            status: "True",
            reason: "Local",
            message: "Local APIServices are always available".to_owned(),
            discovery_url: None,
        };
    };
    let ServiceReference { namespace, name, port } = reference;
    let (reason, problem) = match (endpoint, target) {
        (None, _) => ("ServiceNotFound", "is not present".to_owned()),
        (Some(ServiceEndpoint::Service(service)), _) if !listens_on(service, *port) => {
            ("ServicePortError", format!("is not listening on port {port}"))
        }
        (Some(_), None) => ("FailedDiscoveryCheck", "has no address".to_owned()),
        (Some(_), Some(target)) => {
            let url = format!("{target}{}", api_service.discovery_path());
            return AvailableCondition {
                status: "Unknown",
                reason: "NotAsked",
                message: format!("{url} was not requested"),
                discovery_url: Some(url),
            };
        }
    };
    AvailableCondition {
        status: "False",
        reason,
        message: format!("service/{name} in {namespace:?} {problem}"),
        discovery_url: None,
    }
}

/// Whether a Service exposes a port. Only Services of type ClusterIP are checked.
fn listens_on(service: &Service<'_>, port: i32) -> bool {
    !matches!(service.spec.service_type, "" | "ClusterIP")
        || service.spec.ports.iter().any(|candidate| candidate.port == port)
}
