use super::{Fields, Meta};

/// A pod.
#[derive(Clone, Debug)]
pub struct Pod<'d> {
    /// Its metadata.
    pub meta: Meta<'d>,
    /// `spec.nodeName`.
    pub node: &'d str,
    /// `status.podIP`; empty as long as it has none.
    pub ip: &'d str,
    /// `status.hostIP`.
    pub host_ip: &'d str,
    /// `status.phase`.
    pub phase: &'d str,
    /// The status of its condition `Ready`, if it has one.
    pub ready: Option<&'d str>,
    /// Its containers.
    pub containers: Vec<Container<'d>>,
    /// Its init containers.
    pub init_containers: Vec<Container<'d>>,
}

/// A container of a pod.
#[derive(Clone, Debug)]
pub struct Container<'d> {
    /// Its name.
    pub name: &'d str,
    /// Its image.
    pub image: &'d str,
    /// Its ID, by its status.
    pub id: &'d str,
    /// Its ports.
    pub ports: Vec<ContainerPort<'d>>,
}

/// A port of a container.
#[derive(Clone, Copy, Debug)]
pub struct ContainerPort<'d> {
    /// Its name.
    pub name: &'d str,
    /// Its number.
    pub number: i32,
    /// Its protocol.
    pub protocol: &'d str,
}

impl<'d> Pod<'d> {
    pub(super) fn read(meta: Meta<'d>, root: Fields<'d>) -> Self {
        let (spec, status) = (root.part("spec"), root.part("status"));
        let ready = status
            .items("conditions")
            .find(|condition| condition.text("type") == "Ready");
        Self {
            meta,
            node: spec.text("nodeName"),
            ip: status.text("podIP"),
            host_ip: status.text("hostIP"),
            phase: status.text("phase"),
            ready: ready.map(|condition| condition.text("status")),
            containers: Container::all(spec, "containers", status, "containerStatuses"),
            init_containers: Container::all(spec, "initContainers", status, "initContainerStatuses"),
        }
    }
}

impl<'d> Container<'d> {
    /// The containers in a field of a pod's specification, and their statuses. Without a protocol, the API server sets TCP.
    pub fn all(spec: Fields<'d>, field: &str, status: Fields<'d>, statuses: &str) -> Vec<Self> {
        let containers = spec.items(field).map(|container| {
            let name = container.text("name");
            let status = status.items(statuses).find(|status| status.text("name") == name);
            let ports = container.items("ports").filter_map(|port| {
                Some(ContainerPort {
                    name: port.text("name"),
                    number: port.number("containerPort")?,
                    protocol: protocol(port),
                })
            });
            Self {
                name,
                image: container.text("image"),
                id: status.map(|status| status.text("containerID")).unwrap_or_default(),
                ports: ports.collect(),
            }
        });
        containers.collect()
    }
}

/// The protocol of a port.
pub(super) fn protocol<'d>(port: Fields<'d>) -> &'d str {
    match port.text("protocol") {
        "" => "TCP",
        protocol => protocol,
    }
}
