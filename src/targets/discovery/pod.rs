//! The `pod` role: one target for each container port, or for each container without ports (`buildPod`).

use super::labels::{ADDRESS, NAMESPACE, add_meta, join, port};
use super::view::View;
use crate::plan::DiscoveryRole;
use crate::targets::observed::{ClusterObject, ContainerPort, ObjectFields, Port};
use crate::targets::relabel::{Labels, PrometheusVersion};

/// Label that distinguishes init containers from regular containers.
pub(super) const INIT: &str = "__meta_kubernetes_pod_container_init";

/// Fields for a pod's containers and their statuses, and whether the containers are init containers.
const CONTAINERS: [(&str, &str, &str); 2] =
    [("containers", "containerStatuses", "false"), ("initContainers", "initContainerStatuses", "true")];

fn ports(container: ObjectFields<'_>) -> impl Iterator<Item = Port<'_>> {
    Port::all(container, "containerPort")
}

pub(super) fn target_count(pod: &ClusterObject<'_>) -> usize {
    let spec = pod.body.part("spec");
    let containers = CONTAINERS.iter().flat_map(|(list, ..)| spec.items(list));
    containers.map(|container| ports(container).count().max(1)).sum()
}

pub(super) fn targets<'d>(pod: &ClusterObject<'d>, view: View<'_, 'd>) -> Vec<Labels<'d>> {
    let ip = pod.status("podIP");
    if ip.is_empty() {
        return Vec::new();
    }
    let mut shared_labels = Labels::with_capacity(64);
    add_pod(&mut shared_labels, pod);
    shared_labels.set(NAMESPACE, pod.namespace);
    view.add_node(&mut shared_labels, Some(pod.node()));
    let mut targets = Vec::new();
    for (list, statuses, is_init) in CONTAINERS {
        for container in pod.body.part("spec").items(list) {
            let mut labels = shared_labels.clone();
            add_container(&mut labels, container);
            let id = pod.container_id(statuses, container.text("name"));
            labels.set("__meta_kubernetes_pod_container_id", id);
            labels.set(INIT, is_init);
            let target_count = targets.len();
            for container_port in ports(container) {
                let mut labels = labels.clone();
                labels.set(ADDRESS, join(ip, port(container_port.number)));
                add_port(&mut labels, &container_port);
                targets.push(labels);
            }
            if targets.len() == target_count {
                labels.set(ADDRESS, ip);
                targets.push(labels);
            }
        }
    }
    targets
}

/// Adds the labels of a pod (`podLabels`).
pub(super) fn add_pod<'d>(labels: &mut Labels<'d>, pod: &ClusterObject<'d>) {
    labels.set("__meta_kubernetes_pod_ip", pod.status("podIP"));
    labels.set("__meta_kubernetes_pod_ready", pod.ready_status().unwrap_or("unknown").to_ascii_lowercase());
    labels.set("__meta_kubernetes_pod_phase", pod.status("phase"));
    labels.set("__meta_kubernetes_pod_node_name", pod.node());
    labels.set("__meta_kubernetes_pod_host_ip", pod.status("hostIP"));
    labels.set("__meta_kubernetes_pod_uid", pod.uid);
    add_meta(labels, DiscoveryRole::Pod, pod);
    labels.set("__meta_kubernetes_pod_name", pod.pod_name());
    if let Some((kind, name)) = pod.controller() {
        labels.set("__meta_kubernetes_pod_controller_kind", kind);
        labels.set("__meta_kubernetes_pod_controller_name", name);
    }
}

/// Adds the name and image of a container.
fn add_container<'d>(labels: &mut Labels<'d>, container: ObjectFields<'d>) {
    labels.set("__meta_kubernetes_pod_container_name", container.text("name"));
    labels.set("__meta_kubernetes_pod_container_image", container.text("image"));
}

fn add_port<'d>(labels: &mut Labels<'d>, container_port: &Port<'d>) {
    labels.set("__meta_kubernetes_pod_container_port_name", container_port.name);
    labels.set("__meta_kubernetes_pod_container_port_number", port(container_port.number).to_string());
    labels.set("__meta_kubernetes_pod_container_port_protocol", container_port.protocol);
}

/// Appends a target for each container port that is not among the ports `covered` by endpoints. These targets have the
/// pod's IP and labels, as well as the labels in `shared`.
pub(super) fn additional_ports<'d>(
    pod: &ClusterObject<'d>,
    (covered, version): (&[i32], PrometheusVersion),
    shared: &Labels<'d>,
    targets: &mut Vec<Labels<'d>>,
) {
    let ip = pod.status("podIP");
    let further_ports =
        pod.container_ports(has_init(version)).filter(|container_port| !covered.contains(&container_port.port.number));
    for container_port in further_ports.filter(|_| !ip.is_empty()) {
        let mut labels = shared.clone();
        labels.set(ADDRESS, join(ip, port(container_port.port.number)));
        add_port_container(&mut labels, &container_port, version);
        add_port(&mut labels, &container_port.port);
        add_pod(&mut labels, pod);
        targets.push(labels);
    }
}

/// Adds the labels of the container port that matches an endpoint port.
pub(super) fn add_container_port<'d>(
    labels: &mut Labels<'d>,
    pod: &ClusterObject<'d>,
    (wanted, version): (i32, PrometheusVersion),
    protocol: Option<&'d str>,
) {
    if let Some(named_port) = pod.container_port(wanted, has_init(version)) {
        add_port_container(labels, &named_port, version);
        let protocol = protocol.unwrap_or(named_port.port.protocol);
        add_port(labels, &Port { protocol, ..named_port.port });
    }
}

/// Whether init container ports are included for endpoints (`buildEndpoints`).
fn has_init(version: PrometheusVersion) -> bool {
    version == PrometheusVersion::V3
}

/// Adds the labels of the container with a given port. For endpoints, only Prometheus 3 adds the label that indicates
/// an init container.
fn add_port_container<'d>(labels: &mut Labels<'d>, container_port: &ContainerPort<'d>, version: PrometheusVersion) {
    add_container(labels, container_port.container);
    if version == PrometheusVersion::V3 {
        labels.set(INIT, if container_port.is_init { "true" } else { "false" });
    }
}
