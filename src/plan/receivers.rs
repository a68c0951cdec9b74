//! Receivers for metrics and logs, and the labels added to the data that is sent to them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::relabel::{self, RelabelRule};
use super::{HttpClient, Origin};
use crate::api::{GrafanaAgent, LogsClient, LogsInstance, ObjectMeta, RemoteWrite, Resource, TextMap};

pub struct RemoteWriteClient<'d> {
    pub spec: &'d RemoteWrite<'d>,
    pub http: HttpClient<'d>,
    /// Relabeling rules for samples.
    pub relabelings: Vec<RelabelRule<'d>>,
    /// Item in the list of receivers.
    pub origin: Origin<'d>,
}

pub struct LokiClient<'d> {
    pub spec: &'d LogsClient<'d>,
    pub http: HttpClient<'d>,
    /// Labels to add to every line.
    pub external_labels: ExternalLabels<'d>,
    /// Item in the list of receivers.
    pub origin: Origin<'d>,
}

/// Labels on all data that an agent sends (both `external_labels.libsonnet` files).
#[derive(Clone, Copy)]
pub struct ExternalLabels<'d> {
    /// Labels set by the user.
    pub user: &'d TextMap<'d>,
    /// Label with the namespace and name of the agent, or `None` if the user sets a label with the same name.
    pub agent: Option<&'d str>,
    /// Label with the replica number. It overrides a user's label with the same name, because replicas would otherwise
    /// send duplicate samples. `None` for integrations, which run only once.
    pub replica: Option<&'d str>,
}

impl<'d> ExternalLabels<'d> {
    pub(super) fn for_metrics(agent: &'d GrafanaAgent<'d>) -> Self {
        let metrics = &agent.metrics;
        let replica = metrics.replica_external_label_name.unwrap_or("__replica__");
        Self {
            replica: (!replica.is_empty()).then_some(replica),
            ..Self::with_agent(metrics.metrics_external_label_name, &metrics.external_labels)
        }
    }

    /// Returns the labels and their values, sorted by name. The config-reloader replaces `$(…)` with the replica
    /// number.
    pub fn values(self, agent: &ObjectMeta<'d>) -> BTreeMap<&'d str, Cow<'d, str>> {
        let user_labels = self.user.iter().map(|(label, value)| (label, Cow::Borrowed(value)));
        let agent = self.agent.map(|label| (label, Cow::Owned(agent.full_name())));
        let replica_value = "replica-$(STATEFULSET_ORDINAL_NUMBER)";
        let replica_label = self.replica.map(|label| (label, Cow::Borrowed(replica_value)));
        user_labels.chain(agent).chain(replica_label).collect()
    }

    fn with_agent(label: Option<&'d str>, user: &'d TextMap<'d>) -> Self {
        let label = label.unwrap_or("cluster");
        Self { user, agent: (!label.is_empty() && !user.contains_key(label)).then_some(label), replica: None }
    }
}

/// Returns the metrics receivers in a field of a resource in `namespace`.
pub fn for_metrics<'d>(
    specs: &'d [RemoteWrite<'d>],
    namespace: &'d str,
    origin: Origin<'d>,
) -> Vec<RemoteWriteClient<'d>> {
    let receiver = |(i, spec): (usize, &'d RemoteWrite<'d>)| {
        let origin = origin.item(i);
        RemoteWriteClient {
            spec,
            http: HttpClient::from_remote_write(spec, namespace),
            relabelings: relabel::configured_rules(&spec.write_relabel_configs, origin.key("writeRelabelConfigs"))
                .collect(),
            origin,
        }
    };
    specs.iter().enumerate().map(receiver).collect()
}

/// Returns an instance's log receivers, or the agent's log receivers if the instance has none. The receivers' Secrets
/// are in the namespace of the resource that defines the receivers.
pub(super) fn for_logs<'d>(
    agent: &'d Resource<'d, GrafanaAgent<'d>>,
    instance: &'d Resource<'d, LogsInstance<'d>>,
) -> Vec<LokiClient<'d>> {
    let (specs, namespace, origin) = match instance.spec.clients.as_slice() {
        [] => (agent.spec.logs.clients.as_slice(), agent.meta.namespace, Origin::new(agent).at("spec.logs.clients")),
        clients => (clients, instance.meta.namespace, Origin::new(instance).at("spec.clients")),
    };
    let label = agent.spec.logs.logs_external_label_name;
    let receiver = |(i, spec): (usize, &'d LogsClient<'d>)| LokiClient {
        spec,
        http: HttpClient::from_logs_client(spec, namespace),
        external_labels: ExternalLabels::with_agent(label, &spec.external_labels),
        origin: origin.item(i),
    };
    specs.iter().enumerate().map(receiver).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds_the_agent_label_unless_the_user_sets_it() {
        type Case<'a> = (Option<&'a str>, &'a [(&'a str, &'a str)], Option<&'a str>);
        let cases: [Case<'_>; 4] = [
            (None, &[], Some("cluster")),
            (Some("x"), &[("y", "1")], Some("x")),
            (Some(""), &[("y", "1")], None),
            (None, &[("cluster", "mine")], None),
        ];
        for (label, user, expected) in cases {
            let user = user.iter().copied().collect();
            assert_eq!(ExternalLabels::with_agent(label, &user).agent, expected);
        }
    }
}
