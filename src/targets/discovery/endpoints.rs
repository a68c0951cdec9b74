//! The `endpoints` role: one target for each address and port, and one for each additional port of the pods that the
//! addresses refer to (`buildEndpoints`).

use indexmap::IndexMap;

use super::labels::{ADDRESS, NAMESPACE, add_meta, join, port};
use super::pod::{add_container_port, add_pod, additional_ports};
use super::service::add_service;
use super::view::{ObjectReference, View};
use crate::plan::DiscoveryRole;
use crate::targets::observed::{ClusterObject, ObjectFields, ObservedKind, ObservedObjects, Port};
use crate::targets::relabel::{Labels, PrometheusVersion};

/// Address in an Endpoints object.
struct EndpointAddress<'d> {
    ip: &'d str,
    hostname: &'d str,
    node: Option<&'d str>,
    target: Option<ObjectReference<'d>>,
}

/// Returns the subsets of Endpoints. Potential Endpoints have no subsets, because no cluster has created them yet.
fn subsets<'d>(endpoints: &ClusterObject<'d>) -> impl Iterator<Item = ObjectFields<'d>> + use<'d> {
    let is_potential = endpoints.is_potential;
    endpoints.body.items("subsets").filter(move |_| !is_potential)
}

fn addresses<'d>(subset: ObjectFields<'d>) -> impl Iterator<Item = ObjectFields<'d>> {
    subset.items("addresses").chain(subset.items("notReadyAddresses"))
}

/// Returns the number of targets: one for each address and port, and one for each additional port of the pods that the
/// addresses refer to.
pub(super) fn count<'d>(endpoints: &ClusterObject<'d>, objects: &ObservedObjects<'d>) -> usize {
    if endpoints.is_potential {
        return endpoints.expected_targets(|| expected_targets(endpoints, objects));
    }
    let address_ports = subsets(endpoints).map(|subset| addresses(subset).count() * Port::all(subset, "port").count());
    let seen_pods = SeenPods::for_addresses(subsets(endpoints).flat_map(addresses), objects);
    address_ports.sum::<usize>() + seen_pods.ports()
}

/// Returns the expected number of targets, derived from the pods that the Service selects, plus the cost of comparing
/// all pods.
fn expected_targets(endpoints: &ClusterObject<'_>, objects: &ObservedObjects<'_>) -> usize {
    let Some(service) = objects.find(ObservedKind::Service, endpoints.namespace, endpoints.name) else {
        return 0;
    };
    let (is_selected, ports) = (service.pod_matcher(), service.body.part("spec").items("ports").count());
    let pods = objects.in_namespace(ObservedKind::Pod, endpoints.namespace);
    let selected_pods = pods.iter().filter(|pod| is_selected(pod));
    let targets: usize = selected_pods.map(|pod| ports + pod.container_ports(true).count()).sum();
    targets + pods.len() / COMPARISONS_PER_TARGET
}

/// Number of pod comparisons that cost as much as one target.
const COMPARISONS_PER_TARGET: usize = 32;

pub(super) fn targets<'d>(endpoints: &ClusterObject<'d>, view: View<'_, 'd>) -> Vec<Labels<'d>> {
    let namespace = endpoints.namespace;
    let service = view.find(DiscoveryRole::Service, namespace, endpoints.name);
    let mut shared_labels = Labels::with_capacity(64);
    shared_labels.set(NAMESPACE, namespace);
    service.into_iter().for_each(|service| add_service(&mut shared_labels, service));
    add_meta(&mut shared_labels, DiscoveryRole::Endpoints, endpoints);
    let (mut targets, mut seen_pods) = (Vec::new(), SeenPods::default());
    let mut add_target = |address: &EndpointAddress<'d>, port: &Port<'d>, is_ready, pod| {
        let mut labels = shared_labels.clone();
        add_address(view, &mut labels, address, port, is_ready);
        if let Some(pod) = pod {
            labels.set("__meta_kubernetes_endpoint_address_target_name", ClusterObject::pod_name(pod));
            add_pod(&mut labels, pod);
            add_container_port(&mut labels, pod, (port.number, view.version), Some(port.protocol));
            seen_pods.add(pod, Some(port.number));
        }
        targets.push(labels);
    };
    for subset in subsets(endpoints) {
        for port in Port::all(subset, "port") {
            for (list, is_ready) in [("addresses", "true"), ("notReadyAddresses", "false")] {
                for fields in subset.items(list) {
                    let address = EndpointAddress {
                        ip: fields.text("ip"),
                        hostname: fields.text("hostname"),
                        node: fields.optional_string("nodeName"),
                        target: ObjectReference::parse(fields),
                    };
                    add_target(&address, &port, is_ready, view.pod(address.target, namespace));
                }
            }
        }
    }
    // Potential Endpoints have the targets that a cluster will create (the endpoints controller's `syncService`): one
    // for each Service port and selected pod that has the port.
    for service in service.into_iter().filter(|_| endpoints.is_potential) {
        let is_selected = service.pod_matcher();
        let pods = view.objects.in_namespace(ObservedKind::Pod, namespace).iter();
        for pod in pods.filter(|pod| is_selected(pod)) {
            let address = EndpointAddress {
                ip: pod.status("podIP"),
                hostname: "",
                node: Some(pod.node()),
                target: Some(ObjectReference { kind: "Pod", namespace, name: pod.name }),
            };
            let ports = service.body.part("spec").items("ports");
            for port in ports.filter_map(|port| pod_port(pod, port)) {
                add_target(&address, &port, "true", Some(pod));
            }
        }
    }
    seen_pods.additional_targets(view.version, &shared_labels, &mut targets);
    targets
}

/// Returns the pod port that a Service port refers to (`FindPort` in the endpoints controller). By default, this is the
/// port with the same number. Returns `None` if no port of a container or, as in Kubernetes 1.32, of a sidecar has the
/// specified name.
fn pod_port<'d>(pod: &ClusterObject<'d>, fields: ObjectFields<'d>) -> Option<Port<'d>> {
    let port = Port::read(fields, "port")?;
    let number = match (fields.number("targetPort"), fields.text("targetPort")) {
        (Some(number), _) => number,
        (None, "") => port.number,
        (None, name) => {
            let ports = pod.container_ports(true).filter(|port| !port.is_init || port.is_sidecar);
            let mut ports = ports.map(|container_port| container_port.port);
            let named_port = ports.find(|own| own.name == name && own.protocol == port.protocol)?;
            named_port.number
        }
    };
    Some(Port { number, ..port })
}

fn add_address<'d>(
    view: View<'_, 'd>,
    labels: &mut Labels<'d>,
    address: &EndpointAddress<'d>,
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
    let node_name = address.target.filter(|target| target.kind == "Node").map(|target| target.name);
    view.add_node(labels, address.node.or(node_name));
}

/// Pods that Endpoints refer to, each with its known endpoint ports.
#[derive(Default)]
pub(super) struct SeenPods<'v, 'd>(IndexMap<Identity<'d>, (&'v ClusterObject<'d>, Vec<i32>)>);

/// Namespace and name of a pod, and the kind of workload that will create the pod.
type Identity<'d> = (&'d str, &'d str, Option<ObservedKind>);

impl<'v, 'd> SeenPods<'v, 'd> {
    /// Collects the pods that addresses refer to.
    pub(super) fn for_addresses(
        addresses: impl Iterator<Item = ObjectFields<'d>>,
        objects: &'v ObservedObjects<'d>,
    ) -> Self {
        let mut seen_pods = Self::default();
        let pods = addresses.filter_map(ObjectReference::parse).filter(|target| target.kind == "Pod");
        pods.filter_map(|pod| objects.find(ObservedKind::Pod, pod.namespace, pod.name))
            .for_each(|pod| seen_pods.add(pod, None));
        seen_pods
    }

    /// Returns the total number of container ports in the pods.
    pub(super) fn ports(&self) -> usize {
        self.0.values().map(|(pod, _)| pod.container_ports(true).count()).sum()
    }

    pub(super) fn add(&mut self, pod: &'v ClusterObject<'d>, number: Option<i32>) {
        let seen_pod = self.0.entry((pod.namespace, pod.name, pod.made_by));
        seen_pod.or_insert((pod, Vec::new())).1.extend(number);
    }

    pub(super) fn additional_targets(
        &self,
        version: PrometheusVersion,
        shared: &Labels<'d>,
        targets: &mut Vec<Labels<'d>>,
    ) {
        for (pod, ports) in self.0.values() {
            additional_ports(pod, (ports, version), shared, targets);
        }
    }
}
