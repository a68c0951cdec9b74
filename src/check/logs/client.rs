//! Receivers of logs.
//!
//! What: a URL, a duration, a label or a name that the agent refuses (`client.Config` and `client.NewManager` of
//! Promtail). Why: the agent does not start. Example: `url: ""`, two clients that are the same.

use crate::api::LogsClient;
use crate::check::diagnostics;
use crate::check::place::Place;
use crate::check::prometheus::authentication::{self, Values};
use crate::check::prometheus::{duration, label, tls, url};
use crate::diagnostic::Diagnostic;
use crate::resolve::SecretStore;

/// Checks `clients` below `at`, whose Secrets are of `namespace`.
pub fn all<'d>(
    clients: &[LogsClient<'d>],
    namespace: &'d str,
    store: &SecretStore<'_, 'd>,
    at: &Place<'_>,
    found: &mut Vec<Diagnostic>,
) {
    let at = at.key("clients");
    let values = Values { store, namespace };
    for (i, client) in clients.iter().enumerate() {
        let here = at.index(i);
        one(client, values, &here, found);
        if let Some(first) = (0..i).find(|first| here.has_same_value(&at.index(*first))) {
            found.push(diagnostics::duplicate_receiver(&at.index(first), &here, "").help("remove one of them"));
        }
    }
}

fn one<'d>(client: &LogsClient<'d>, values: Values<'_, 'd>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    url::check_receiver(client.url, &at.key("url"), found);
    url::check_proxy(client.proxy_url, &at.key("proxyUrl"), found);
    duration::check_go(client.batch_wait, &at.key("batchWait"), found);
    duration::check_go(client.timeout, &at.key("timeout"), found);
    if let Some(config) = &client.backoff_config {
        let at = at.key("backoffConfig");
        duration::check_go(config.min_period, &at.key("minPeriod"), found);
        duration::check_go(config.max_period, &at.key("maxPeriod"), found);
    }
    for name in client.external_labels.keys() {
        label::check_name(name, &at.key("externalLabels").key(name), found);
    }
    authentication::of_logs_client(client, values, at, found);
    tls::check(client.tls_config.as_ref(), at, found);
}
