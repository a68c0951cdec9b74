//! Rules of Promtail inside the agent.

mod stage;

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use super::field::{
    COPIED_LABEL, GO_DURATION, LABEL_NAME, LABEL_NAMES, LABEL_TEMPLATE, POSITIVE_GO_DURATION, PROXY_URL, RECEIVER_URL,
};
use super::prometheus::SELECTOR;
use super::prometheus::additional::jobs;
use super::prometheus::client::{duplicate_receiver, oauth2, tls};
use super::prometheus::relabel::RELABEL;
use super::rule::{Rule, table, table_in_instance};
use super::walk::Expect::{As, AtMostOne, If, In, Mild, With};
use super::walk::{Json, Rows, Walk};
use crate::api::Kind;
use crate::diagnostic::Code;
use crate::resolve::Hierarchy;

pub const RULES: &[Rule] = &[
    table(Kind::GrafanaAgent, AGENT, "`logs.Config` of the agent"),
    table(Kind::LogsInstance, LOGS_INSTANCE, "`InstanceConfig` of the agent"),
    table_in_instance(Kind::LogsInstance, JOBS, "`scrapeconfig.Config` of Promtail"),
    table(Kind::PodLogs, POD_LOGS, "`scrapeconfig.Config` of Promtail"),
];

const JOBS: Rows = &[("additionalScrapeConfigs", Mild(&With(jobs)))];

/// The settings of an agent for logs. Its clients apply to instances without clients.
const AGENT: Rows = &[("logs", If(has_logs, &Mild(&In(LOGS))))];

const LOGS: Rows = &[
    ("logsExternalLabelName", LABEL_NAME),
    ("enforcedNamespaceLabel", LABEL_TEMPLATE),
    ("", If(are_clients_used, &In(CLIENTS))),
];

fn has_logs(of: &Hierarchy<'_, '_>) -> bool {
    !of.logs.is_empty()
}

fn are_clients_used(of: &Hierarchy<'_, '_>) -> bool {
    of.logs.iter().any(|logs| logs.instance.spec.clients.is_empty())
}

/// The settings of an instance.
const LOGS_INSTANCE: Rows = &[
    ("", Mild(&In(CLIENTS))),
    ("targetConfig.syncPeriod", Mild(&POSITIVE_GO_DURATION)),
];

/// `client.NewManager` of Promtail: the agent does not start with two equal clients.
const CLIENTS: Rows = &[("clients[]", In(CLIENT)), ("clients", With(duplicates))];

/// `client.Config` of Promtail.
const CLIENT: Rows = &[
    ("", RECEIVER_URL),
    ("proxyUrl", PROXY_URL),
    ("batchWait|timeout", GO_DURATION),
    ("backoffConfig.minPeriod|maxPeriod", GO_DURATION),
    ("externalLabels", LABEL_NAMES),
    ("", As(Code::ConflictingAuthentication, &AtMostOne(AUTHENTICATION))),
    ("oauth2", With(oauth2)),
    ("tlsConfig", With(tls)),
];
const AUTHENTICATION: &str = "basicAuth|oauth2|bearerToken|bearerTokenFile";

fn duplicates<'v>(clients: Json<'v>, walk: &mut Walk<'v>) {
    let mut first_equal = HashMap::new();
    for (i, client) in clients.items().enumerate() {
        let first = *first_equal.entry(client.to_string()).or_insert(i);
        if first < i {
            duplicate_receiver(first, i, "", "remove one of them", walk);
        }
    }
}

/// A PodLogs.
const POD_LOGS: Rows = &[
    ("podTargetLabels[]", Mild(&COPIED_LABEL)),
    ("selector", Mild(&In(SELECTOR))),
    ("relabelings[]", Mild(&RELABEL)),
    ("pipelineStages[]", Mild(&With(stage::check))),
];
