//! The `endpointslice` role: one target for each endpoint and port, as for `endpoints` (`buildEndpointSlice`).

use super::endpoints::SeenPods;
use super::labels::{ADDRESS, NAMESPACE, add_meta, join, port};
use super::pod::{add_container_port, add_pod};
use super::service::add_service;
use super::view::{ObjectReference, View};
use crate::plan::DiscoveryRole;
use crate::targets::observed::{ClusterObject, ObjectFields, ObservedObjects, Port, SERVICE_NAME};
use crate::targets::relabel::{Labels, PrometheusVersion};

/// Labels for the node and zone of an endpoint, which only Prometheus 3 sets.
const NODE_NAME: &str = "__meta_kubernetes_endpointslice_endpoint_node_name";
const ZONE: &str = "__meta_kubernetes_endpointslice_endpoint_zone";

/// Returns the number of targets: one for each address and port, and one for each additional port of the pods that the
/// addresses refer to.
pub(super) fn count<'d>(slice: &ClusterObject<'d>, objects: &ObservedObjects<'d>) -> usize {
    let endpoints = || slice.body.items("endpoints");
    let addresses: usize = endpoints().map(|endpoint| endpoint.items("addresses").count()).sum();
    let ports = slice.body.items("ports").count();
    addresses * ports + SeenPods::for_addresses(endpoints(), objects).ports()
}

/// Returns the number of labels that describe the topology of the endpoints.
pub(super) fn width(slice: &ClusterObject<'_>) -> usize {
    let endpoints = slice.body.items("endpoints");
    let widths = endpoints.map(|endpoint| endpoint.texts(topology(slice)).len());
    widths.max().unwrap_or_default()
}

/// Returns the name of the field that contains an endpoint's topology.
fn topology(slice: &ClusterObject<'_>) -> &'static str {
    match slice.body.text("apiVersion") {
        "discovery.k8s.io/v1beta1" => "topology",
        _ => "deprecatedTopology",
    }
}

pub(super) fn targets<'d>(slice: &ClusterObject<'d>, view: View<'_, 'd>) -> Vec<Labels<'d>> {
    let (namespace, fields) = (slice.namespace, slice.body);
    let mut shared_labels = Labels::with_capacity(64);
    shared_labels.set(NAMESPACE, namespace);
    shared_labels.set("__meta_kubernetes_endpointslice_address_type", fields.text("addressType"));
    add_meta(&mut shared_labels, DiscoveryRole::EndpointSlice, slice);
    if let Some(service) = slice.label(SERVICE_NAME).and_then(|name| view.find(DiscoveryRole::Service, namespace, name))
    {
        add_service(&mut shared_labels, service);
    }
    let topology = topology(slice);
    let mut targets = Vec::new();
    let mut seen_pods = SeenPods::default();
    for endpoint in fields.items("endpoints") {
        let target = ObjectReference::parse(endpoint);
        let pod = view.pod(target, namespace);
        for slice_port in fields.items("ports") {
            // A port without a number matches every port.
            let number = slice_port.number("port");
            for address in endpoint.items("addresses").filter_map(ObjectFields::as_text) {
                let mut labels = shared_labels.clone();
                match number {
                    Some(number) => labels.set(ADDRESS, join(address, port(number))),
                    None => labels.set(ADDRESS, address),
                }
                add_port(&mut labels, slice_port, number);
                add_endpoint(&mut labels, endpoint, target, topology);
                let node_name = target.filter(|target| target.kind == "Node").map(|target| target.name);
                view.add_node(&mut labels, node_name.or(endpoint.optional_string("nodeName")));
                if view.version == PrometheusVersion::V3 {
                    labels.set(NODE_NAME, endpoint.text("nodeName"));
                    labels.set(ZONE, endpoint.text("zone"));
                }
                if let Some(pod) = pod {
                    add_pod(&mut labels, pod);
                    if let Some(number) = number {
                        add_container_port(&mut labels, pod, (number, view.version), None);
                    }
                    seen_pods.add(pod, number);
                }
                targets.push(labels);
            }
        }
    }
    seen_pods.additional_targets(view.version, &shared_labels, &mut targets);
    targets
}

fn add_port<'d>(labels: &mut Labels<'d>, slice_port: ObjectFields<'d>, number: Option<i32>) {
    let number = number.map(|number| port(number).to_string());
    labels.set("__meta_kubernetes_endpointslice_port", number.unwrap_or_default());
    labels.set("__meta_kubernetes_endpointslice_port_name", slice_port.text("name"));
    labels.set("__meta_kubernetes_endpointslice_port_protocol", Port::protocol(slice_port));
    labels.set("__meta_kubernetes_endpointslice_port_app_protocol", slice_port.text("appProtocol"));
}

fn add_endpoint<'d>(
    labels: &mut Labels<'d>,
    endpoint: ObjectFields<'d>,
    target: Option<ObjectReference<'d>>,
    topology: &'static str,
) {
    for condition in ["ready", "serving", "terminating"] {
        let value = endpoint.part("conditions").boolean(condition);
        let value = value.map(|value| if value { "true" } else { "false" });
        let label = format!("__meta_kubernetes_endpointslice_endpoint_conditions_{condition}");
        labels.set(label, value.unwrap_or_default());
    }
    labels.set("__meta_kubernetes_endpointslice_endpoint_hostname", endpoint.text("hostname"));
    if let Some(target) = target {
        labels.set("__meta_kubernetes_endpointslice_address_target_kind", target.kind);
        labels.set("__meta_kubernetes_endpointslice_address_target_name", target.name);
    }
    for (name, value) in endpoint.texts(topology) {
        let label = |what| DiscoveryRole::EndpointSlice.meta_label(what, name);
        labels.set(label("endpoint_topology"), value);
        labels.set(label("endpoint_topology_present"), "true");
    }
}
