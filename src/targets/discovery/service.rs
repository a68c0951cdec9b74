//! The `service` role: one target for each port of a Service (`buildService`).

use super::labels::{ADDRESS, NAMESPACE, add_meta, join};
use crate::plan::DiscoveryRole;
use crate::targets::observed::{ClusterObject, Port};
use crate::targets::relabel::Labels;

pub(super) fn count(service: &ClusterObject<'_>) -> usize {
    Port::all(service.body.part("spec"), "port").count()
}

pub(super) fn targets<'d>(service: &ClusterObject<'d>) -> Vec<Labels<'d>> {
    let spec = service.body.part("spec");
    let mut shared_labels = Labels::with_capacity(32);
    add_service(&mut shared_labels, service);
    let service_type = match spec.text("type") {
        "" => "ClusterIP",
        service_type => service_type,
    };
    let host = format!("{}.{}.svc", service.name, service.namespace);
    let targets = Port::all(spec, "port").map(|port| {
        let mut labels = shared_labels.clone();
        labels.set(ADDRESS, join(&host, port.number));
        labels.set("__meta_kubernetes_service_port_name", port.name);
        labels.set("__meta_kubernetes_service_port_number", port.number.to_string());
        labels.set("__meta_kubernetes_service_port_protocol", port.protocol);
        labels.set("__meta_kubernetes_service_type", service_type);
        match service_type {
            "ExternalName" => labels.set("__meta_kubernetes_service_external_name", spec.text("externalName")),
            _ => labels.set("__meta_kubernetes_service_cluster_ip", spec.text("clusterIP")),
        }
        if service_type == "LoadBalancer" {
            labels.set("__meta_kubernetes_service_loadbalancer_ip", spec.text("loadBalancerIP"));
        }
        labels
    });
    targets.collect()
}

/// Adds the labels of a Service (`serviceLabels`).
pub(super) fn add_service<'d>(labels: &mut Labels<'d>, service: &ClusterObject<'d>) {
    labels.set(NAMESPACE, service.namespace);
    add_meta(labels, DiscoveryRole::Service, service);
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::targets::observed::{ObservedKind, ObservedObjects};
    use crate::testing::TestInput;

    #[test]
    fn every_service_port_is_a_target() {
        let text = "{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {ports: [{port: 80}, {port: 81}]}}";
        let input = TestInput::new(text);
        let documents = input.documents();
        let objects = ObservedObjects::read(documents.iter(), &input.sources, "default");
        let [service] = objects.list(ObservedKind::Service) else { panic!("{objects:?}") };
        assert_eq!((count(service), targets(service).len()), (2, 2));
    }
}
