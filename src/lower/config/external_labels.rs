//! Labels on everything an agent sends (both `external_labels.libsonnet`).

use super::Scope;
use super::fields::text_map;
use super::origin::{Mark, Site};
use crate::api::{GrafanaAgent, LogsClient, ObjectMeta, Resource, TextMap};
use crate::yaml::Mapping;

/// Labels of metrics: the agent's name, which the user may override, and the replica, which the user may not (samples
/// would be taken twice). Integrations run once, so they have no replica.
pub(super) fn of_metrics<'d>(agent: &Resource<'d, GrafanaAgent<'d>>, scope: Scope, site: Site<'_, 'd>) -> Mapping<'d> {
    let metrics = &agent.spec.metrics;
    let mut labels = with_agent(
        &agent.meta,
        metrics.metrics_external_label_name,
        &metrics.external_labels,
        site.at("spec.metrics.metricsExternalLabelName").mark(),
    );
    let replica = metrics.replica_external_label_name.unwrap_or("__replica__");
    if scope == Scope::Full && !replica.is_empty() {
        labels.set(replica, "replica-$(STATEFULSET_ORDINAL_NUMBER)");
        site.at("spec.metrics.replicaExternalLabelName")
            .mark()
            .put_field(&mut labels, replica);
    }
    labels
}

/// Labels of what a client sends: the agent's name, which the user may override.
pub(super) fn of_logs<'d>(
    agent: &Resource<'d, GrafanaAgent<'d>>,
    client: &LogsClient<'d>,
    site: Site<'_, 'd>,
) -> Mapping<'d> {
    let label = agent.spec.logs.logs_external_label_name;
    let mark = site.at("spec.logs.logsExternalLabelName").mark();
    with_agent(&agent.meta, label, &client.external_labels, mark)
}

/// The user's labels, and the agent's name under `label`, `cluster` by default and nowhere where it is empty.
fn with_agent<'d>(agent: &ObjectMeta<'d>, label: Option<&'d str>, user: &TextMap<'d>, mark: Mark) -> Mapping<'d> {
    let mut labels = text_map(user);
    let label = label.unwrap_or("cluster");
    if !label.is_empty() && !user.contains_key(label) {
        labels.push(label, format!("{}/{}", agent.namespace, agent.name));
        mark.put_field(&mut labels, label);
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::Value;

    #[test]
    fn the_agent_is_named_unless_the_user_says_otherwise() {
        let agent = ObjectMeta {
            namespace: "ns",
            name: "a",
            ..ObjectMeta::default()
        };
        type Labels<'l> = &'l [(&'l str, &'l str)];
        let cases: [(Option<&str>, Labels<'_>, Labels<'_>); 4] = [
            (None, &[], &[("cluster", "ns/a")]),
            (Some("x"), &[("y", "1")], &[("y", "1"), ("x", "ns/a")]),
            (Some(""), &[("y", "1")], &[("y", "1")]),
            (None, &[("cluster", "mine")], &[("cluster", "mine")]),
        ];
        for (label, user, expected) in cases {
            let expected: Mapping<'_> = expected.iter().map(|&(k, v)| (k.into(), Value::from(v))).collect();
            assert_eq!(
                with_agent(&agent, label, &user.iter().copied().collect(), Mark::none()),
                expected
            );
        }
    }
}
