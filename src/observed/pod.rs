use std::borrow::Cow;

use super::{Fields, Kind, Meta};

#[derive(Clone, Debug)]
pub struct Pod<'d> {
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
    pub containers: Vec<Container<'d>>,
    pub init_containers: Vec<Container<'d>>,
    /// The workload that would make it, where only that is known: then its metadata has the name of the workload.
    pub made_by: Option<Kind>,
}

/// A container of a pod.
#[derive(Clone, Debug)]
pub struct Container<'d> {
    pub name: &'d str,
    pub image: &'d str,
    /// Its ID, by its status.
    pub id: &'d str,
    pub ports: Vec<Port<'d>>,
}

/// A port of a container or of Endpoints.
#[derive(Clone, Copy, Debug)]
pub struct Port<'d> {
    pub name: &'d str,
    pub number: i32,
    pub protocol: &'d str,
}

impl<'d> Port<'d> {
    /// The ports of a part that have a number in this field.
    pub(super) fn all(part: Fields<'d>, number: &str) -> Vec<Self> {
        let ports = part.items("ports").filter_map(|port| {
            Some(Self {
                name: port.text("name"),
                number: port.number(number)?,
                protocol: protocol(port),
            })
        });
        ports.collect()
    }
}

/// What stands for an address that only a cluster gives.
const OPEN_IP: &str = "<pod-ip>";

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
            made_by: None,
        }
    }

    /// The pods that a workload makes of the template in its specification.
    pub(super) fn of_workload(kind: Kind, meta: Meta<'d>, root: Fields<'d>) -> Self {
        let spec = match kind {
            Kind::CronJob => root.part("spec").part("jobTemplate").part("spec"),
            _ => root.part("spec"),
        };
        let template = spec.part("template");
        let meta = meta.with_labels_of(template.part("metadata"));
        let mut pod = Self {
            made_by: Some(kind),
            ..Self::read(meta, template)
        };
        pod.open();
        pod
    }

    /// Whether it has not run yet, so that its address is not known.
    pub fn is_potential(&self) -> bool {
        self.ip == OPEN_IP
    }

    /// Leaves open what only a cluster decides. It is taken for a pod that runs and is ready.
    pub(super) fn open(&mut self) {
        self.ip = OPEN_IP;
        self.meta.uid = "<pod-uid>";
        self.host_ip = "<host-ip>";
        self.phase = "Running";
        self.ready = Some("True");
        if self.node.is_empty() {
            self.node = "<node>";
        }
        for container in self.containers.iter_mut().chain(&mut self.init_containers) {
            container.id = "<container-id>";
        }
    }

    /// Its name, of which the cluster may decide a part.
    pub fn name(&self) -> Cow<'d, str> {
        let name = self.meta.name;
        Cow::Owned(match self.made_by {
            Some(Kind::CronJob) => format!("{name}-<time>-<id>"),
            Some(Kind::Deployment) => format!("{name}-<hash>-<id>"),
            Some(Kind::StatefulSet) => format!("{name}-<ordinal>"),
            Some(_) => format!("{name}-<id>"),
            None => return Cow::Borrowed(name),
        })
    }

    /// Kind and name of its controller.
    pub fn controller(&self) -> Option<(&'d str, Cow<'d, str>)> {
        let name = self.meta.name;
        Some(match self.made_by {
            Some(Kind::CronJob) => ("Job", Cow::Owned(format!("{name}-<time>"))),
            Some(Kind::DaemonSet) => ("DaemonSet", Cow::Borrowed(name)),
            Some(Kind::Deployment) => ("ReplicaSet", Cow::Owned(format!("{name}-<hash>"))),
            Some(Kind::Job) => ("Job", Cow::Borrowed(name)),
            Some(Kind::StatefulSet) => ("StatefulSet", Cow::Borrowed(name)),
            _ => {
                let (kind, name) = self.meta.controller?;
                (kind, Cow::Borrowed(name))
            }
        })
    }
}

impl<'d> Container<'d> {
    /// The containers in a field of a pod's specification, and their statuses. Without a protocol, the API server sets TCP.
    pub fn all(spec: Fields<'d>, field: &str, status: Fields<'d>, statuses: &str) -> Vec<Self> {
        let containers = spec.items(field).map(|container| {
            let name = container.text("name");
            let status = status.items(statuses).find(|status| status.text("name") == name);
            Self {
                name,
                image: container.text("image"),
                id: status.map(|status| status.text("containerID")).unwrap_or_default(),
                ports: Port::all(container, "containerPort"),
            }
        });
        containers.collect()
    }
}

pub(super) fn protocol<'d>(port: Fields<'d>) -> &'d str {
    match port.text("protocol") {
        "" => "TCP",
        protocol => protocol,
    }
}
