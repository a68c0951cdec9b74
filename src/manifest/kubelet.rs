//! Service and Endpoints for the kubelets (the operator's `--kubelet-service`).

use serde_json::{Value, json};

use super::metadata::{MANAGED_BY, Metadata, labels, object};
use super::object::{ENDPOINTS, Object, SERVICE};
use super::role::ObjectRole;
use crate::api::Resource;

const PORTS: [(&str, i32); 3] = [("https-metrics", 10250), ("http-metrics", 10255), ("cadvisor", 4194)];

/// Returns the Service and the Endpoints, or no objects if there are no Nodes, because the operator waits for a Node
/// (`kubeletReconciler.Reconcile`).
///
/// # Errors
///
/// Returns the Nodes without an address. In this case, the operator also does not create the objects.
pub fn kubelet<'n, 'd>(
    namespace: &str,
    name: &str,
    nodes: &[&'n Resource<'d, ()>],
) -> Result<Vec<Object>, Vec<&'n Resource<'d, ()>>> {
    let nodes_without_address: Vec<_> = nodes.iter().copied().filter(|node| address(node).is_none()).collect();
    if !nodes_without_address.is_empty() {
        return Err(nodes_without_address);
    }
    if nodes.is_empty() {
        return Ok(Vec::new());
    }
    let kubelet_labels = [("k8s-app", "kubelet"), ("app.kubernetes.io/name", "kubelet")];
    let labels = labels([MANAGED_BY].into_iter().chain(kubelet_labels));
    let metadata = || Metadata::new(name.to_owned(), namespace, labels.clone());
    let ports = PORTS.map(|(name, port)| json!({"name": name, "port": port, "targetPort": 0}));
    let spec = json!({"type": "ClusterIP", "clusterIP": "None", "ports": ports});
    let ports = PORTS.map(|(name, port)| json!({"name": name, "port": port}));
    let subsets = json!([{"addresses": addresses(nodes), "ports": ports}]);
    Ok(vec![
        Object::new(ObjectRole::Other, SERVICE, metadata(), json!({"spec": spec})),
        Object::new(ObjectRole::Other, ENDPOINTS, metadata(), json!({"subsets": subsets})),
    ])
}

/// Returns the addresses, sorted as strings and then by Node name.
fn addresses(nodes: &[&Resource<'_, ()>]) -> Vec<Value> {
    let mut addresses: Vec<_> = nodes.iter().filter_map(|node| Some((address(node)?, node.meta.name, node))).collect();
    addresses.sort_by_key(|(address, name, _)| (*address, *name));
    let addresses = addresses.into_iter().map(|(address, name, node)| {
        let uid = Some(node.meta.uid).filter(|uid| !uid.is_empty());
        let target = object([
            ("apiVersion", Some("v1".into())),
            ("kind", Some("Node".into())),
            ("name", Some(name.into())),
            ("uid", uid.map(Value::from)),
        ]);
        json!({"ip": address, "targetRef": target})
    });
    addresses.collect()
}

/// Returns the first internal address or, if there is none, the first external address (`nodeAddress`).
fn address<'d>(node: &Resource<'d, ()>) -> Option<&'d str> {
    let addresses = || node.root.items_at("status.addresses");
    let first_address = |kind| addresses().find(|address| address.text("type") == kind);
    Some(first_address("InternalIP").or_else(|| first_address("ExternalIP"))?.text("address"))
}
