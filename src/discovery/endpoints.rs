//! Role `endpoints`: one target for each address and port, and one for each further port of the pods behind them
//! (`buildEndpoints`).

use std::collections::HashMap;

use super::labels::{ADDRESS, NAMESPACE, add_meta, join, port};
use super::pod::{add_container_port, add_pod, further_ports};
use super::service::add_service;
use super::sight::Sight;
use crate::observed::{Address, EndpointPort, Endpoints, Kind, Pod};
use crate::relabel::Labels;

pub(super) fn targets<'d>(sight: Sight<'_, 'd>, endpoints: &Endpoints<'d>) -> Vec<Labels<'d>> {
    let shared = shared(sight, endpoints);
    let mut targets = Vec::new();
    let mut seen = SeenPods::default();
    for subset in &endpoints.subsets {
        for endpoint_port in &subset.ports {
            let ready = subset.ready.iter().map(|address| (address, "true"));
            let not_ready = subset.not_ready.iter().map(|address| (address, "false"));
            for (address, is_ready) in ready.chain(not_ready) {
                let mut labels = shared.clone();
                add_address(sight, &mut labels, address, endpoint_port, is_ready);
                if let Some(pod) = sight.pod(address.target, endpoints.meta.namespace) {
                    add_pod(&mut labels, pod);
                    add_container_port(&mut labels, pod, endpoint_port.number, Some(endpoint_port.protocol));
                    seen.add(pod, Some(endpoint_port.number));
                }
                targets.push(labels);
            }
        }
    }
    seen.further_targets(&shared, &mut targets);
    targets
}

/// The labels that all targets of endpoints have.
pub(super) fn shared<'d>(sight: Sight<'_, 'd>, endpoints: &Endpoints<'d>) -> Labels<'d> {
    let meta = &endpoints.meta;
    let mut shared = Labels::with_capacity(64);
    shared.set(NAMESPACE, meta.namespace);
    if let Some(service) = sight.service(meta.namespace, meta.name) {
        add_service(&mut shared, service);
    }
    add_meta(&mut shared, "endpoints", meta);
    shared
}

pub(super) fn add_address<'d>(
    sight: Sight<'_, 'd>,
    labels: &mut Labels<'d>,
    address: &Address<'d>,
    endpoint_port: &EndpointPort<'d>,
    is_ready: &'static str,
) {
    labels.set(ADDRESS, join(address.ip, port(endpoint_port.number)));
    labels.set("__meta_kubernetes_endpoint_port_name", endpoint_port.name);
    labels.set("__meta_kubernetes_endpoint_port_protocol", endpoint_port.protocol);
    labels.set("__meta_kubernetes_endpoint_ready", is_ready);
    labels.set("__meta_kubernetes_endpoint_hostname", address.hostname);
    if let Some(node) = address.node {
        labels.set("__meta_kubernetes_endpoint_node_name", node);
    }
    if let Some(target) = address.target {
        labels.set("__meta_kubernetes_endpoint_address_target_kind", target.kind);
        labels.set("__meta_kubernetes_endpoint_address_target_name", target.name);
    }
    let referred = address
        .target
        .filter(|target| target.kind == "Node")
        .map(|target| target.name);
    sight.add_node(labels, address.node.or(referred));
}

/// The pods behind endpoints, and the ports of the endpoints they are behind.
#[derive(Default)]
pub(super) struct SeenPods<'v, 'd>(
    Vec<(&'v Pod<'d>, Vec<i32>)>,
    HashMap<(&'d str, &'d str, Option<Kind>), usize>,
);

impl<'v, 'd> SeenPods<'v, 'd> {
    pub(super) fn add(&mut self, pod: &'v Pod<'d>, number: Option<i32>) {
        let place = *self
            .1
            .entry((pod.meta.namespace, pod.meta.name, pod.made_by))
            .or_insert(self.0.len());
        if place == self.0.len() {
            self.0.push((pod, Vec::new()));
        }
        if let Some((_, ports)) = self.0.get_mut(place) {
            ports.extend(number);
        }
    }

    pub(super) fn further_targets(&self, shared: &Labels<'d>, targets: &mut Vec<Labels<'d>>) {
        for (pod, ports) in &self.0 {
            further_ports(pod, ports, shared, targets);
        }
    }
}
