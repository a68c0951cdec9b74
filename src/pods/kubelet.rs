//! The Service and Endpoints of the kubelets (the operator's `--kubelet-service`).

use k8s_openapi::api::core::v1::{
    EndpointAddress, EndpointPort, EndpointSubset, Endpoints, ObjectReference, Service, ServicePort, ServiceSpec,
};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;

use super::labels::{MANAGED_BY, labels};
use super::object::Object;
use crate::api::{NodeAddresses, Resource};

const PORTS: [(&str, i32); 3] = [("https-metrics", 10250), ("http-metrics", 10255), ("cadvisor", 4194)];

/// The Service and the Endpoints; nothing where there is no Node, since the operator waits for one
/// (`kubeletReconciler.Reconcile`).
///
/// # Errors
///
/// The Nodes that have no address; the operator then creates nothing either.
pub fn kubelet<'n, 'd>(
    namespace: &str,
    name: &str,
    nodes: &[&'n Resource<'d, NodeAddresses<'d>>],
) -> Result<Vec<Object>, Vec<&'n Resource<'d, NodeAddresses<'d>>>> {
    let unknown: Vec<_> = nodes.iter().copied().filter(|node| address(node).is_none()).collect();
    if !unknown.is_empty() {
        return Err(unknown);
    }
    if nodes.is_empty() {
        return Ok(Vec::new());
    }
    let metadata = ObjectMeta {
        name: Some(name.to_owned()),
        namespace: Some(namespace.to_owned()),
        labels: Some(labels([
            MANAGED_BY,
            ("k8s-app", "kubelet"),
            ("app.kubernetes.io/name", "kubelet"),
        ])),
        ..ObjectMeta::default()
    };
    Ok(vec![
        Object::Service(Box::new(service(metadata.clone()))),
        Object::Endpoints(Box::new(endpoints(metadata, nodes))),
    ])
}

fn service(metadata: ObjectMeta) -> Service {
    let ports = PORTS.map(|(name, port)| ServicePort {
        name: Some(name.to_owned()),
        port,
        target_port: Some(IntOrString::Int(0)),
        ..ServicePort::default()
    });
    Service {
        metadata,
        spec: Some(ServiceSpec {
            type_: Some("ClusterIP".to_owned()),
            cluster_ip: Some("None".to_owned()),
            ports: Some(ports.to_vec()),
            ..ServiceSpec::default()
        }),
        status: None,
    }
}

/// The addresses are ordered as text, Nodes of the same one by name.
fn endpoints(metadata: ObjectMeta, nodes: &[&Resource<'_, NodeAddresses<'_>>]) -> Endpoints {
    let mut addresses: Vec<_> = nodes
        .iter()
        .filter_map(|node| Some((address(node)?, node.meta.name, node)))
        .collect();
    addresses.sort_by_key(|(address, name, _)| (*address, *name));
    let addresses = addresses.into_iter().map(|(address, name, node)| EndpointAddress {
        ip: address.to_owned(),
        target_ref: Some(ObjectReference {
            api_version: Some("v1".to_owned()),
            kind: Some("Node".to_owned()),
            name: Some(name.to_owned()),
            uid: Some(node.meta.uid.to_owned()).filter(|uid| !uid.is_empty()),
            ..ObjectReference::default()
        }),
        ..EndpointAddress::default()
    });
    let ports = PORTS.map(|(name, port)| EndpointPort {
        name: Some(name.to_owned()),
        port,
        ..EndpointPort::default()
    });
    Endpoints {
        metadata,
        subsets: Some(vec![EndpointSubset {
            addresses: Some(addresses.collect()),
            ports: Some(ports.to_vec()),
            not_ready_addresses: None,
        }]),
    }
}

/// The first internal address, else the first external one (`nodeAddress`).
fn address<'d>(node: &Resource<'d, NodeAddresses<'d>>) -> Option<&'d str> {
    let first = |kind| node.spec.addresses.iter().find(|(of, _)| *of == kind);
    first("InternalIP")
        .or_else(|| first("ExternalIP"))
        .map(|(_, address)| *address)
}
