//! Which requests go where, and whether they get through as far as it can be known offline.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use super::object::{ApiService, ExternalName, Service, ServiceReference};
use super::registry::Registry;

/// What happens to the requests for a group and version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Route<'r> {
    /// The APIService.
    pub api_service: &'r str,
    /// The path; everything below it goes the same way.
    pub path: String,
    /// `https://host:port`; `None` where the server answers itself, or nothing can.
    pub target: Option<String>,
    /// The service as `namespace/name:port`, if its URL is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service: Option<String>,
    /// How the service's certificate is verified: by the `caBundle` of the APIService, by the `systemRoots`, or `insecure`; `None` where
    /// the server answers itself.
    pub tls: Option<&'static str>,
    /// The name that the certificate has to be for, where it is verified.
    pub server_name: Option<String>,
    pub available: Available,
}

/// Every route, in the order in which requests are matched: the path with more segments goes first, then the longer one,
/// then the greater one (`PathRecorderMux`, `byPrefixPriority`).
pub fn routes<'r>(registry: &'r Registry<'_>) -> Vec<Route<'r>> {
    let endpoints = Endpoints::of(registry);
    let mut routes: Vec<_> = registry
        .api_services
        .iter()
        .map(|service| route(service, &endpoints))
        .collect();
    routes.sort_by(|a, b| match_order(&a.path).cmp(&match_order(&b.path)));
    routes
}

fn match_order(path: &str) -> Reverse<(usize, usize, &str)> {
    let segments = path.bytes().filter(|b| *b == b'/').count();
    Reverse((segments, path.len(), path))
}

fn route<'r>(service: &'r ApiService<'_>, endpoints: &Endpoints<'_, '_>) -> Route<'r> {
    let reference = service.spec.service.as_ref();
    let endpoint = reference.and_then(|reference| endpoints.find(reference));
    let target = reference
        .zip(endpoint)
        .and_then(|(reference, endpoint)| endpoint.url(reference.port));
    let tls = reference.map(|_| tls(service));
    let verified = reference.filter(|_| !service.spec.insecure_skip_tls_verify);
    Route {
        api_service: &service.name,
        path: service.path(),
        available: available(service, endpoint, target.as_deref()),
        service: reference.filter(|_| target.is_none()).map(ToString::to_string),
        target,
        tls,
        server_name: verified.map(|reference| format!("{}.{}.svc", reference.name, reference.namespace)),
    }
}

/// The mode of `proxyHandler.updateAPIService`.
fn tls(service: &ApiService<'_>) -> &'static str {
    if service.spec.insecure_skip_tls_verify {
        "insecure"
    } else if service.spec.ca_bundle.is_empty() {
        "systemRoots"
    } else {
        "caBundle"
    }
}

/// What a reference may lead to.
#[derive(Clone, Copy)]
pub(super) enum Endpoint<'r, 'd> {
    ExternalName(&'r ExternalName<'d>),
    Service(&'r Service<'d>),
}

/// Every endpoint of a registry by namespace and name. An ExternalName goes before a core Service of the same name,
/// since Grafana's aggregator knows no others.
pub(super) struct Endpoints<'r, 'd>(BTreeMap<(&'r str, &'r str), Endpoint<'r, 'd>>);

impl<'r, 'd> Endpoints<'r, 'd> {
    pub(super) fn of(registry: &'r Registry<'d>) -> Self {
        let services = registry.services.iter().map(|service| {
            let key = (service.namespace, service.name.as_ref());
            (key, Endpoint::Service(service))
        });
        let names = registry.external_names.iter().map(|external| {
            let key = (external.namespace, external.name.as_ref());
            (key, Endpoint::ExternalName(external))
        });
        Self(services.chain(names).collect())
    }

    pub(super) fn find(&self, reference: &ServiceReference<'_>) -> Option<Endpoint<'r, 'd>> {
        self.0
            .get(&(reference.namespace.as_ref(), reference.name.as_ref()))
            .copied()
    }
}

impl Endpoint<'_, '_> {
    /// The URL that requests go to (`externalNameResolver.ResolveEndpoint` of Grafana, `ResolveCluster` of Kubernetes);
    /// `None` if there is none. The address of a core Service that its manifest does not have is written as the DNS
    /// name of the Service.
    fn url(self, port: i32) -> Option<String> {
        match self {
            Endpoint::ExternalName(external) => Some(https(external.spec.host, port)),
            Endpoint::Service(service) if service.spec.service_type == "ExternalName" => {
                Some(https(service.spec.external_name, port))
            }
            Endpoint::Service(service) => match service.spec.cluster_ip {
                "None" => None,
                "" => Some(https(&format!("{}.{}.svc", service.name, service.namespace), port)),
                address => Some(https(address, port)),
            },
        }
    }
}

/// `https://host:port`, an IPv6 address in brackets (`net.JoinHostPort`).
fn https(host: &str, port: i32) -> String {
    if host.contains(':') {
        format!("https://[{host}]:{port}")
    } else {
        format!("https://{host}:{port}")
    }
}

/// The condition `Available` of an APIService.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Available {
    /// `True`, `False` where the aggregator answers 503, or `Unknown` where only the service itself knows.
    pub status: &'static str,
    /// Why, in one word.
    pub reason: &'static str,
    /// Why, in a sentence.
    pub message: String,
    /// What the aggregator would ask to find out.
    #[serde(rename = "discoveryURL", skip_serializing_if = "Option::is_none")]
    pub discovery_url: Option<String>,
}

/// The condition by the checks that need no network, in their order (`AvailableConditionController.sync` of
/// kube-aggregator, and Grafana's, which asks for ExternalNames instead). `target` is the URL of the endpoint.
fn available(api_service: &ApiService<'_>, endpoint: Option<Endpoint<'_, '_>>, target: Option<&str>) -> Available {
    let Some(reference) = &api_service.spec.service else {
        return Available {
            status: "True",
            reason: "Local",
            message: "Local APIServices are always available".to_owned(),
            discovery_url: None,
        };
    };
    let ServiceReference { namespace, name, port } = reference;
    let (reason, problem) = match (endpoint, target) {
        (None, _) => ("ServiceNotFound", "is not present".to_owned()),
        (Some(Endpoint::Service(service)), _) if !listens(service, *port) => {
            ("ServicePortError", format!("is not listening on port {port}"))
        }
        (Some(_), None) => ("FailedDiscoveryCheck", "has no address of its own".to_owned()),
        (Some(_), Some(target)) => {
            let url = format!("{target}{}", api_service.discovery_path());
            return Available {
                status: "Unknown",
                reason: "NotAsked",
                message: format!("{url} was not asked"),
                discovery_url: Some(url),
            };
        }
    };
    Available {
        status: "False",
        reason,
        message: format!("service/{name} in {namespace:?} {problem}"),
        discovery_url: None,
    }
}

/// Only the ports of a Service of type ClusterIP are looked at.
fn listens(service: &Service<'_>, port: i32) -> bool {
    !matches!(service.spec.service_type, "" | "ClusterIP") || service.spec.ports.iter().any(|of| of.port == port)
}
