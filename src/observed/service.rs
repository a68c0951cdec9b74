use super::pod::protocol;
use super::{Fields, Meta, Pod};

#[derive(Clone, Debug)]
pub struct Service<'d> {
    pub meta: Meta<'d>,
    /// `spec.type`.
    pub service_type: &'d str,
    /// `spec.clusterIP`.
    pub cluster_ip: &'d str,
    /// `spec.externalName`.
    pub external_name: &'d str,
    /// `spec.loadBalancerIP`.
    pub load_balancer_ip: &'d str,
    /// The labels of the pods it selects; none where it selects no pods.
    pub selector: Vec<(&'d str, &'d str)>,
    pub ports: Vec<ServicePort<'d>>,
}

#[derive(Clone, Copy, Debug)]
pub struct ServicePort<'d> {
    pub name: &'d str,
    pub number: i32,
    pub protocol: &'d str,
    /// The name of the container's port, where it is meant by name.
    pub target_name: Option<&'d str>,
    /// The number of the container's port, where it is meant by number; by default that of the port.
    pub target_number: Option<i32>,
}

impl ServicePort<'_> {
    /// The port of a pod that it leads to (`FindPort` of the endpoints controller); a name that no container has leads nowhere.
    pub fn number_on(&self, pod: &Pod<'_>) -> Option<i32> {
        let Some(name) = self.target_name else {
            return self.target_number;
        };
        let mut ports = pod.containers.iter().flat_map(|container| &container.ports);
        let port = ports.find(|port| port.name == name && port.protocol == self.protocol)?;
        Some(port.number)
    }
}

impl<'d> Service<'d> {
    /// Whether it selects a pod of its namespace. Without a selector it selects none.
    pub fn selects(&self, pod: &Pod<'_>) -> bool {
        let has = |(name, value): &(&str, &str)| pod.meta.label(name) == Some(*value);
        !self.selector.is_empty() && self.selector.iter().all(has)
    }

    pub(super) fn read(meta: Meta<'d>, root: Fields<'d>) -> Self {
        let spec = root.part("spec");
        let ports = spec.items("ports").filter_map(|port| {
            let own = port.number("port")?;
            let number = port.number("targetPort");
            let target_name = Some(port.text("targetPort")).filter(|name| number.is_none() && !name.is_empty());
            Some(ServicePort {
                name: port.text("name"),
                number: own,
                protocol: protocol(port),
                target_name,
                target_number: number.or(Some(own)).filter(|_| target_name.is_none()),
            })
        });
        Self {
            service_type: match spec.text("type") {
                "" => "ClusterIP",
                service_type => service_type,
            },
            cluster_ip: spec.text("clusterIP"),
            external_name: spec.text("externalName"),
            load_balancer_ip: spec.text("loadBalancerIP"),
            selector: spec.texts("selector"),
            ports: ports.collect(),
            meta,
        }
    }
}
