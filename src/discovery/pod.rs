//! Role `pod`: one target for each port of each container, or for a container without ports (`buildPod`).

use super::labels::{ADDRESS, NAMESPACE, add_meta, join, port};
use super::view::{Discovered, View};
use crate::observed::{Container, Pod};
use crate::plan::Role;
use crate::relabel::Labels;

impl<'d> Discovered<'d> for Pod<'d> {
    fn count(&self) -> usize {
        let containers = self.containers.iter().chain(&self.init_containers);
        containers.map(|container| container.ports.len().max(1)).sum()
    }

    fn is_potential(&self) -> bool {
        self.is_potential()
    }

    fn targets(&self, view: View<'_, 'd>) -> Vec<Labels<'d>> {
        if self.ip.is_empty() {
            return Vec::new();
        }
        let mut shared = Labels::with_capacity(64);
        add_pod(&mut shared, self);
        shared.set(NAMESPACE, self.meta.namespace);
        view.add_node(&mut shared, Some(self.node));

        let containers = self.containers.iter().map(|container| (container, "false"));
        let init_containers = self.init_containers.iter().map(|container| (container, "true"));
        let mut targets = Vec::new();
        for (container, is_init) in containers.chain(init_containers) {
            let mut labels = shared.clone();
            add_container(&mut labels, container);
            labels.set("__meta_kubernetes_pod_container_id", container.id);
            labels.set("__meta_kubernetes_pod_container_init", is_init);
            if container.ports.is_empty() {
                labels.set(ADDRESS, self.ip);
                targets.push(labels);
                continue;
            }
            for container_port in &container.ports {
                let mut labels = labels.clone();
                let number = port(container_port.number);
                labels.set(ADDRESS, join(self.ip, number));
                add_port(&mut labels, container_port.name, number, container_port.protocol);
                targets.push(labels);
            }
        }
        targets
    }
}

/// The labels of a pod (`podLabels`).
pub(super) fn add_pod<'d>(labels: &mut Labels<'d>, pod: &Pod<'d>) {
    labels.set("__meta_kubernetes_pod_ip", pod.ip);
    labels.set(
        "__meta_kubernetes_pod_ready",
        pod.ready.unwrap_or("unknown").to_ascii_lowercase(),
    );
    labels.set("__meta_kubernetes_pod_phase", pod.phase);
    labels.set("__meta_kubernetes_pod_node_name", pod.node);
    labels.set("__meta_kubernetes_pod_host_ip", pod.host_ip);
    labels.set("__meta_kubernetes_pod_uid", pod.meta.uid);
    add_meta(labels, Role::Pod, &pod.meta);
    labels.set("__meta_kubernetes_pod_name", pod.name());
    if let Some((kind, name)) = pod.controller() {
        labels.set("__meta_kubernetes_pod_controller_kind", kind);
        labels.set("__meta_kubernetes_pod_controller_name", name);
    }
}

/// Name and image of a container.
pub(super) fn add_container<'d>(labels: &mut Labels<'d>, container: &Container<'d>) {
    labels.set("__meta_kubernetes_pod_container_name", container.name);
    labels.set("__meta_kubernetes_pod_container_image", container.image);
}

/// A port of a container.
pub(super) fn add_port<'d>(labels: &mut Labels<'d>, name: &'d str, number: u64, protocol: &'d str) {
    labels.set("__meta_kubernetes_pod_container_port_name", name);
    labels.set("__meta_kubernetes_pod_container_port_number", number.to_string());
    labels.set("__meta_kubernetes_pod_container_port_protocol", protocol);
}

/// The targets of the ports of a pod's containers that no port of its endpoints has. They carry the pod's IP and labels, and
/// those of the group.
pub(super) fn further_ports<'d>(pod: &Pod<'d>, covered: &[i32], shared: &Labels<'d>, targets: &mut Vec<Labels<'d>>) {
    if pod.ip.is_empty() {
        return;
    }
    for container in &pod.containers {
        for container_port in container.ports.iter().filter(|port| !covered.contains(&port.number)) {
            let mut labels = shared.clone();
            let number = port(container_port.number);
            labels.set(ADDRESS, join(pod.ip, number));
            add_container(&mut labels, container);
            add_port(&mut labels, container_port.name, number, container_port.protocol);
            add_pod(&mut labels, pod);
            targets.push(labels);
        }
    }
}

/// The container port with this number that counts for a port of endpoints: of several containers the last one, and of its ports
/// the first.
pub(super) fn add_container_port<'d>(labels: &mut Labels<'d>, pod: &Pod<'d>, wanted: i32, protocol: Option<&'d str>) {
    for container in &pod.containers {
        if let Some(found) = container.ports.iter().find(|port| port.number == wanted) {
            add_container(labels, container);
            let protocol = protocol.unwrap_or(found.protocol);
            add_port(labels, found.name, port(found.number), protocol);
        }
    }
}
