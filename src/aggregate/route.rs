//! Which requests go where.

use std::cmp::Reverse;

use serde::Serialize;

use super::api_service::ApiService;
use super::availability::{Available, available};
use super::endpoint::Endpoints;
use super::registry::Registry;

/// How the certificate of a service is verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Tls {
    /// Against the bundle of the APIService.
    CaBundle,
    /// Against the certificates of the system.
    SystemRoots,
    /// Not at all.
    Insecure,
}

impl Tls {
    /// A word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Tls::CaBundle => "caBundle",
            Tls::SystemRoots => "systemRoots",
            Tls::Insecure => "insecure",
        }
    }
}

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
    /// The service as `namespace/name:port`, where nothing tells its URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service: Option<String>,
    /// How the service's certificate is verified; `None` where the server answers itself.
    pub tls: Option<Tls>,
    /// The name that the certificate has to be for, where it is verified.
    pub server_name: Option<String>,
    /// Whether requests get through.
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
    let reference = service.service.as_ref();
    let endpoint = reference.and_then(|reference| endpoints.find(reference));
    let target = reference
        .zip(endpoint)
        .and_then(|(reference, endpoint)| endpoint.url(reference.port));
    let tls = reference.map(|_| tls(service));
    let verified = reference.filter(|_| tls != Some(Tls::Insecure));
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
fn tls(service: &ApiService<'_>) -> Tls {
    if service.insecure_skip_tls_verify {
        Tls::Insecure
    } else if service.ca_bundle.is_empty() {
        Tls::SystemRoots
    } else {
        Tls::CaBundle
    }
}
