//! Where a service reference leads.

use std::collections::BTreeMap;

use super::api_service::ServiceReference;
use super::external_name::ExternalName;
use super::registry::Registry;
use super::service::Service;

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
            let key = (service.namespace, service.name);
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
    /// `None` where there is none. The address of a core Service that its manifest does not have is written as the DNS
    /// name of the Service.
    pub(super) fn url(self, port: i32) -> Option<String> {
        match self {
            Endpoint::ExternalName(external) => Some(https(external.host, port)),
            Endpoint::Service(service) if service.service_type == "ExternalName" => {
                Some(https(service.external_name, port))
            }
            Endpoint::Service(service) => match service.cluster_ip {
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
