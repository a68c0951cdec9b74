//! Role `endpointslice`: as for endpoints, by the parts of them (`buildEndpointSlice`).

use super::endpoints::SeenPods;
use super::labels::{ADDRESS, NAMESPACE, add_meta, join, port};
use super::pod::{add_container_port, add_pod};
use super::service::add_service;
use super::view::{Discovered, View};
use crate::observed::{EndpointSlice, SliceEndpoint, SlicePort};
use crate::plan::Role;
use crate::relabel::Labels;

impl<'d> Discovered<'d> for EndpointSlice<'d> {
    fn count(&self) -> usize {
        self.endpoints.len() * self.ports.len()
    }

    fn targets(&self, view: View<'_, 'd>) -> Vec<Labels<'d>> {
        let meta = &self.meta;
        let mut shared = Labels::with_capacity(64);
        shared.set(NAMESPACE, meta.namespace);
        shared.set("__meta_kubernetes_endpointslice_address_type", self.address_type);
        add_meta(&mut shared, Role::EndpointSlice, meta);
        if let Some(service) = self.service().and_then(|name| view.service(meta.namespace, name)) {
            add_service(&mut shared, service);
        }

        let mut targets = Vec::new();
        let mut seen = SeenPods::default();
        for endpoint in &self.endpoints {
            let pod = view.pod(endpoint.target, meta.namespace);
            for slice_port in &self.ports {
                for address in &endpoint.addresses {
                    let mut labels = shared.clone();
                    match slice_port.number {
                        Some(number) => labels.set(ADDRESS, join(address, port(number))),
                        None => labels.set(ADDRESS, *address),
                    }
                    add_port(&mut labels, slice_port);
                    add_endpoint(&mut labels, endpoint);
                    let referred = endpoint
                        .target
                        .filter(|target| target.kind == "Node")
                        .map(|target| target.name);
                    view.add_node(&mut labels, referred.or(endpoint.node));
                    if let Some(pod) = pod {
                        add_pod(&mut labels, pod);
                        if let Some(number) = slice_port.number {
                            add_container_port(&mut labels, pod, number, None);
                        }
                        seen.add(pod, slice_port.number);
                    }
                    targets.push(labels);
                }
            }
        }
        seen.further_targets(&shared, &mut targets);
        targets
    }
}

fn add_port<'d>(labels: &mut Labels<'d>, slice_port: &SlicePort<'d>) {
    let number = slice_port.number.map(|number| port(number).to_string());
    labels.set("__meta_kubernetes_endpointslice_port", number.unwrap_or_default());
    for (label, value) in [
        ("__meta_kubernetes_endpointslice_port_name", slice_port.name),
        ("__meta_kubernetes_endpointslice_port_protocol", slice_port.protocol),
        (
            "__meta_kubernetes_endpointslice_port_app_protocol",
            slice_port.app_protocol,
        ),
    ] {
        labels.set(label, value.unwrap_or_default());
    }
}

fn add_endpoint<'d>(labels: &mut Labels<'d>, endpoint: &SliceEndpoint<'d>) {
    for (label, condition) in [
        (
            "__meta_kubernetes_endpointslice_endpoint_conditions_ready",
            endpoint.ready,
        ),
        (
            "__meta_kubernetes_endpointslice_endpoint_conditions_serving",
            endpoint.serving,
        ),
        (
            "__meta_kubernetes_endpointslice_endpoint_conditions_terminating",
            endpoint.terminating,
        ),
    ] {
        let value = condition.map(|value| if value { "true" } else { "false" });
        labels.set(label, value.unwrap_or_default());
    }
    let hostname = endpoint.hostname.unwrap_or_default();
    labels.set("__meta_kubernetes_endpointslice_endpoint_hostname", hostname);
    if let Some(target) = endpoint.target {
        labels.set("__meta_kubernetes_endpointslice_address_target_kind", target.kind);
        labels.set("__meta_kubernetes_endpointslice_address_target_name", target.name);
    }
    for (name, value) in &endpoint.topology {
        labels.set(Role::EndpointSlice.meta_label("endpoint_topology", name), *value);
        labels.set(
            Role::EndpointSlice.meta_label("endpoint_topology_present", name),
            "true",
        );
    }
}
