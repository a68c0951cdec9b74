//! What targets ask of a pod again and again.

use std::collections::HashMap;

use super::{Fields, Port};

/// What every address of a pod asks for, in lists that may be long: it is read once.
#[derive(Clone, Debug)]
pub struct PodParts<'d> {
    /// The status of its condition `Ready`.
    pub(super) ready: Option<&'d str>,
    /// The ports of its containers, each with the place and the fields of its container.
    pub(super) ports: Vec<(usize, Fields<'d>, Port<'d>)>,
    /// Number of ports at the end of `ports` that are those of init containers.
    pub(super) init: usize,
    /// The IDs of its containers, by the list of statuses and the name.
    pub(super) ids: HashMap<(&'static str, &'d str), &'d str>,
}

impl<'d> PodParts<'d> {
    /// What a pod has in its `spec` and `status`.
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
                // The first of a name counts.
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
