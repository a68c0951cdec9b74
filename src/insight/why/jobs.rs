//! What a configuration calls what it has of a resource.

use crate::api::{Kind, ObjectRef, Resources, find};

/// The scrape jobs of a resource in an agent that takes it in, as the configuration names them (`job_name`). An instance
/// or Integration is no job.
pub fn names(resources: &Resources<'_>, object: ObjectRef<'_>) -> Vec<String> {
    let ObjectRef { kind, namespace, name } = object;
    let numbered = |prefix: &str, count: usize| {
        let job = |i| format!("{prefix}/{namespace}/{name}/{i}");
        (0..count).map(job).collect()
    };
    match kind {
        Kind::ServiceMonitor => {
            let found = find(&resources.service_monitors, namespace, name);
            numbered(
                "serviceMonitor",
                found.map_or(0, |monitor| monitor.spec.endpoints.len()),
            )
        }
        Kind::PodMonitor => {
            let found = find(&resources.pod_monitors, namespace, name);
            numbered(
                "podMonitor",
                found.map_or(0, |monitor| monitor.spec.pod_metrics_endpoints.len()),
            )
        }
        Kind::Probe if find(&resources.probes, namespace, name).is_some() => vec![format!("probe/{namespace}/{name}")],
        Kind::PodLogs if find(&resources.pod_logs, namespace, name).is_some() => {
            vec![format!("podLogs/{namespace}/{name}")]
        }
        _ => Vec::new(),
    }
}
