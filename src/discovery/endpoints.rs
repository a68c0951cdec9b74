//! Role `endpoints`: one target for each address and port, and one for each further port of the pods behind them
//! (`buildEndpoints`).

use std::collections::HashMap;

use super::labels::{ADDRESS, NAMESPACE, add_meta, join, port};
use super::pod::{add_container_port, add_pod, further_ports};
use super::service::add_service;
use super::view::{Discovered, View};
use crate::observed::{Address, Endpoints, Kind, Pod, Port, Reference, in_namespace};
use crate::plan::Role;
use crate::relabel::Labels;

impl<'d> Discovered<'d> for Endpoints<'d> {
    fn count(&self) -> usize {
        let subsets = self.subsets.iter();
        subsets
            .map(|subset| (subset.ready.len() + subset.not_ready.len()) * subset.ports.len())
            .sum()
    }

    fn is_potential(&self) -> bool {
        self.is_potential
    }

    fn targets(&self, view: View<'_, 'd>) -> Vec<Labels<'d>> {
        let meta = &self.meta;
        let service = view.service(meta.namespace, meta.name);
        let mut shared = Labels::with_capacity(64);
        shared.set(NAMESPACE, meta.namespace);
        service
            .into_iter()
            .for_each(|service| add_service(&mut shared, service));
        add_meta(&mut shared, Role::Endpoints, meta);
        let (mut targets, mut seen) = (Vec::new(), SeenPods::default());
        let mut add = |address: &Address<'d>, port: &Port<'d>, is_ready, pod| {
            let mut labels = shared.clone();
            add_address(view, &mut labels, address, port, is_ready);
            if let Some(pod) = pod {
                labels.set("__meta_kubernetes_endpoint_address_target_name", Pod::name(pod));
                add_pod(&mut labels, pod);
                add_container_port(&mut labels, pod, port.number, Some(port.protocol));
                seen.add(pod, Some(port.number));
            }
            targets.push(labels);
        };
        for subset in &self.subsets {
            for port in &subset.ports {
                let ready = subset.ready.iter().map(|address| (address, "true"));
                let not_ready = subset.not_ready.iter().map(|address| (address, "false"));
                for (address, is_ready) in ready.chain(not_ready) {
                    add(address, port, is_ready, view.pod(address.target, meta.namespace));
                }
            }
        }
        // Those that a cluster will have (the endpoints controller's `syncService`): one for each port of the Service and each pod
        // that it selects, as far as the pod has the port.
        let pods = &view.objects.pods;
        let pods = pods.get(in_namespace(pods, meta.namespace)).unwrap_or_default();
        for service in service.into_iter().filter(|_| self.is_potential) {
            for pod in pods.iter().filter(|pod| service.selects(pod)) {
                let address = Address {
                    ip: pod.ip,
                    hostname: "",
                    node: Some(pod.node),
                    target: Some(Reference {
                        kind: "Pod",
                        namespace: meta.namespace,
                        name: pod.meta.name,
                    }),
                };
                for port in &service.ports {
                    let (name, protocol) = (port.name, port.protocol);
                    let port = port.number_on(pod).map(|number| Port { name, number, protocol });
                    port.iter().for_each(|port| add(&address, port, "true", Some(pod)));
                }
            }
        }
        seen.further_targets(&shared, &mut targets);
        targets
    }
}

fn add_address<'d>(
    view: View<'_, 'd>,
    labels: &mut Labels<'d>,
    address: &Address<'d>,
    endpoint_port: &Port<'d>,
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
    view.add_node(labels, address.node.or(referred));
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
