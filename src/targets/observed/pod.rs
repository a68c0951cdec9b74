//! Pod data that is required for each of the pod's targets.

use std::collections::HashMap;

use super::{ObjectFields, Port};

#[derive(Clone, Copy, Debug)]
pub struct ContainerPort<'d> {
    pub container: ObjectFields<'d>,
    pub port: Port<'d>,
    /// Whether the container is an init container.
    pub is_init: bool,
    /// Whether the container is an init container that keeps running.
    pub is_sidecar: bool,
    /// Index of the container in its pod.
    pub(super) index: usize,
}

/// Pod data that is required for each of the pod's addresses. The data is read only once, because it may be in long
/// lists.
#[derive(Clone, Debug)]
pub struct PodParts<'d> {
    /// Status of the `Ready` condition.
    pub(super) ready: Option<&'d str>,
    /// Ports of the pod's containers, with those of init containers last.
    pub(super) ports: Vec<ContainerPort<'d>>,
    /// IDs of the pod's containers, keyed by status list and container name.
    pub(super) ids: HashMap<(&'static str, &'d str), &'d str>,
}

impl<'d> PodParts<'d> {
    /// Reads the data from a pod's `spec` and `status`.
    pub(super) fn read(body: ObjectFields<'d>) -> Self {
        let status = body.part("status");
        let mut conditions = status.items("conditions");
        let ready_condition = conditions.find(|condition| condition.text("type") == "Ready");
        let spec = body.part("spec");
        let list_containers = |list, is_init| spec.items(list).map(move |container| (container, is_init));
        let containers = list_containers("containers", false).chain(list_containers("initContainers", true));
        let ports = containers.enumerate().flat_map(|(index, (container, is_init))| {
            let ports = Port::all(container, "containerPort");
            let is_sidecar = is_init && container.text("restartPolicy") == "Always";
            ports.map(move |port| ContainerPort { container, port, is_init, is_sidecar, index })
        });
        let mut ids = HashMap::new();
        for list in ["containerStatuses", "initContainerStatuses"] {
            for status in status.items(list) {
                // If several statuses have the same name, the first takes precedence.
                ids.entry((list, status.text("name"))).or_insert(status.text("containerID"));
            }
        }
        Self { ready: ready_condition.map(|condition| condition.text("status")), ports: ports.collect(), ids }
    }
}
