//! Role `service`: one target for each port of a Service (`buildService`).

use super::labels::{ADDRESS, NAMESPACE, add_meta, join};
use crate::observed::Service;
use crate::relabel::Labels;

pub(super) fn targets<'d>(service: &Service<'d>) -> Vec<Labels<'d>> {
    let mut shared = Labels::with_capacity(32);
    add_service(&mut shared, service);
    let host = format!("{}.{}.svc", service.meta.name, service.meta.namespace);
    let targets = service.ports.iter().map(|port| {
        let mut labels = shared.clone();
        labels.set(ADDRESS, join(&host, port.number));
        labels.set("__meta_kubernetes_service_port_name", port.name);
        labels.set("__meta_kubernetes_service_port_number", port.number.to_string());
        labels.set("__meta_kubernetes_service_port_protocol", port.protocol);
        labels.set("__meta_kubernetes_service_type", service.service_type);
        match service.service_type {
            "ExternalName" => labels.set("__meta_kubernetes_service_external_name", service.external_name),
            _ => labels.set("__meta_kubernetes_service_cluster_ip", service.cluster_ip),
        }
        if service.service_type == "LoadBalancer" {
            labels.set("__meta_kubernetes_service_loadbalancer_ip", service.load_balancer_ip);
        }
        labels
    });
    targets.collect()
}

/// The labels of a Service (`serviceLabels`).
pub(super) fn add_service<'d>(labels: &mut Labels<'d>, service: &Service<'d>) {
    labels.set(NAMESPACE, service.meta.namespace);
    add_meta(labels, "service", &service.meta);
}
