//! Role `service`: one target for each port of a Service (`buildService`).

use super::labels::{ADDRESS, NAMESPACE, add_meta, join};
use super::view::{Discovered, View};
use crate::observed::Service;
use crate::plan::Role;
use crate::relabel::Labels;

impl<'d> Discovered<'d> for Service<'d> {
    fn count(&self) -> usize {
        self.ports.len()
    }

    fn targets(&self, _: View<'_, 'd>) -> Vec<Labels<'d>> {
        let mut shared = Labels::with_capacity(32);
        add_service(&mut shared, self);
        let host = format!("{}.{}.svc", self.meta.name, self.meta.namespace);
        let targets = self.ports.iter().map(|port| {
            let mut labels = shared.clone();
            labels.set(ADDRESS, join(&host, port.number));
            labels.set("__meta_kubernetes_service_port_name", port.name);
            labels.set("__meta_kubernetes_service_port_number", port.number.to_string());
            labels.set("__meta_kubernetes_service_port_protocol", port.protocol);
            labels.set("__meta_kubernetes_service_type", self.service_type);
            match self.service_type {
                "ExternalName" => labels.set("__meta_kubernetes_service_external_name", self.external_name),
                _ => labels.set("__meta_kubernetes_service_cluster_ip", self.cluster_ip),
            }
            if self.service_type == "LoadBalancer" {
                labels.set("__meta_kubernetes_service_loadbalancer_ip", self.load_balancer_ip);
            }
            labels
        });
        targets.collect()
    }
}

/// The labels of a Service (`serviceLabels`).
pub(super) fn add_service<'d>(labels: &mut Labels<'d>, service: &Service<'d>) {
    labels.set(NAMESPACE, service.meta.namespace);
    add_meta(labels, Role::Service, &service.meta);
}
