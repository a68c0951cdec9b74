//! The StatefulSets of metrics, one a shard.

use std::ops::Range;

use k8s_openapi::api::apps::v1::{StatefulSet, StatefulSetSpec, StatefulSetUpdateStrategy};

use super::options::Options;
use super::pod_template::Pods;
use super::{metrics_pod, service, volume_claim};
use crate::api::{GrafanaAgent, Resource};

/// The numbers of all shards (`createMetricsStatefulSets`).
pub(super) fn shards(agent: &Resource<'_, GrafanaAgent<'_>>) -> Range<i32> {
    0..agent.spec.metrics.shard_count()
}

/// One shard (`generateMetricsStatefulSet`). The first one has the agent's own name.
pub(super) fn stateful_set(
    agent: &Resource<'_, GrafanaAgent<'_>>,
    shard: i32,
    options: &Options,
) -> Result<StatefulSet, serde_json::Error> {
    let agent_name = agent.meta.name;
    let name = match shard {
        0 => agent_name.to_owned(),
        shard => format!("{agent_name}-shard-{shard}"),
    };
    let spec = &agent.spec;
    let pod = metrics_pod::pod_options(&name, spec, spec.storage.as_ref(), shard);
    let pods = Pods::new(agent, agent_name, pod, options)?;
    Ok(StatefulSet {
        metadata: pods.workload_metadata(&name, agent, options),
        spec: Some(StatefulSetSpec {
            service_name: Some(service::governing_name(agent_name)),
            replicas: Some(spec.metrics.replicas.unwrap_or(1).max(0)),
            pod_management_policy: Some("Parallel".to_owned()),
            update_strategy: Some(StatefulSetUpdateStrategy {
                type_: Some("RollingUpdate".to_owned()),
                rolling_update: None,
            }),
            selector: pods.selector,
            template: pods.template,
            volume_claim_templates: volume_claim::template(spec)
                .map(|template| vec![volume_claim::claim(&name, template)]),
            ..StatefulSetSpec::default()
        }),
        status: None,
    })
}
