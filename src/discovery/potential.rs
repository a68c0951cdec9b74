//! The endpoints that a cluster will have for a Service (the endpoints controller's `syncService`): one for each of its ports and
//! each pod that it selects, as far as the pod has the port.

use super::endpoints::{SeenPods, add_address, shared};
use super::pod::{add_container_port, add_pod};
use super::sight::Sight;
use crate::observed::{Address, EndpointPort, Endpoints, Reference, in_namespace};
use crate::relabel::Labels;

pub(super) fn targets<'d>(sight: Sight<'_, 'd>, endpoints: &Endpoints<'d>) -> Vec<Labels<'d>> {
    let (shared, mut seen, mut targets) = (shared(sight, endpoints), SeenPods::default(), Vec::new());
    let namespace = endpoints.meta.namespace;
    let Some(service) = sight.service(namespace, endpoints.meta.name) else {
        return targets;
    };
    let pods = &sight.objects.pods;
    let pods = pods.get(in_namespace(pods, namespace)).unwrap_or_default();
    for pod in pods.iter().filter(|pod| service.selects(pod)) {
        for port in &service.ports {
            let Some(number) = port.number_on(pod) else { continue };
            let address = Address {
                ip: pod.ip,
                hostname: "",
                node: Some(pod.node),
                target: Some(Reference {
                    kind: "Pod",
                    namespace,
                    name: pod.meta.name,
                }),
            };
            let endpoint_port = EndpointPort {
                name: port.name,
                number,
                protocol: port.protocol,
            };
            let mut labels = shared.clone();
            add_address(sight, &mut labels, &address, &endpoint_port, "true");
            labels.set("__meta_kubernetes_endpoint_address_target_name", pod.name());
            add_pod(&mut labels, pod);
            add_container_port(&mut labels, pod, number, Some(port.protocol));
            seen.add(pod, Some(number));
            targets.push(labels);
        }
    }
    seen.further_targets(&shared, &mut targets);
    targets
}
