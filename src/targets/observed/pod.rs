//! Parts of a pod that are needed for each of its targets.

use std::collections::HashMap;

use super::{Fields, Port};

/// Parts of a pod that each of its addresses needs. They are read only once, because the lists that contain them may be
/// long.
#[derive(Clone, Debug)]
pub struct PodParts<'d> {
    /// Status of the `Ready` condition.
    pub(super) ready: Option<&'d str>,
    /// Ports of the pod's containers, each with the index and the fields of its container.
    pub(super) ports: Vec<(usize, Fields<'d>, Port<'d>)>,
    /// Number of ports at the end of `ports` that belong to init containers.
    pub(super) init: usize,
    /// IDs of the pod's containers, by list of statuses and container name.
    pub(super) ids: HashMap<(&'static str, &'d str), &'d str>,
}

impl<'d> PodParts<'d> {
    /// Reads the parts from a pod's `spec` and `status`.
    pub(super) fn read(body: Fields<'d>) -> Self {
        let status = body.part("status");
        let mut conditions = status.items("conditions");
        let ready = conditions.find(|condition| condition.text("type") == "Ready");
        let spec = body.part("spec");
        let containers = spec.items("containers").chain(spec.items("initContainers")).enumerate();
        let ports = containers.flat_map(|(place, container)| {
            let ports = Port::all(container, "containerPort");
            ports.map(move |port| (place, container, port))
        });
        let of_init = spec.items("initContainers");
        let init = of_init
            .map(|container| Port::all(container, "containerPort").count())
            .sum();
        let mut ids = HashMap::new();
        for list in ["containerStatuses", "initContainerStatuses"] {
            for status in status.items(list) {
                // The first status with a name takes precedence.
                ids.entry((list, status.text("name")))
                    .or_insert(status.text("containerID"));
            }
        }
        Self {
            ready: ready.map(|condition| condition.text("status")),
            ports: ports.collect(),
            init,
            ids,
        }
    }
}
