//! Receivers of metrics.
//!
//! What: a URL, a duration, a header or a name that the agent refuses (`RemoteWriteConfig` of Prometheus,
//! `instance.Config.ApplyDefaults` of the agent). Why: the agent does not start. Example: two receivers without `name` that
//! are the same, a header `Authorization`.

use super::authentication::{self, Values};
use super::{duration, relabel, tls, url};
use crate::api::{QueueConfig, RemoteWrite};
use crate::check::diagnostics;
use crate::check::place::Place;
use crate::check::verdict::as_warnings;
use crate::diagnostic::{Diagnostic, Severity};
use crate::resolve::SecretStore;

/// Headers that the agent sets itself, in lower case.
const RESERVED_HEADERS: [&str; 17] = [
    "accept-encoding",
    "authorization",
    "connection",
    "content-encoding",
    "content-length",
    "content-type",
    "host",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "user-agent",
    "www-authenticate",
    "x-amz-content-sha256",
    "x-amz-date",
    "x-amz-security-token",
    "x-prometheus-remote-read-version",
    "x-prometheus-remote-write-version",
];

/// Checks `remoteWrite` below `at`, whose Secrets are of `namespace`.
pub fn all<'d>(
    receivers: &[RemoteWrite<'d>],
    namespace: &'d str,
    store: &SecretStore<'_, 'd>,
    at: &Place<'_>,
    found: &mut Vec<Diagnostic>,
) {
    let at = at.key("remoteWrite");
    let values = Values { store, namespace };
    for (i, receiver) in receivers.iter().enumerate() {
        let here = at.index(i);
        one(receiver, values, &here, found);
        let earlier = receivers.get(..i).unwrap_or_default().iter().enumerate();
        let mut twins = earlier.filter(|(j, other)| match receiver.name {
            "" => other.name.is_empty() && here.has_same_value(&at.index(*j)),
            name => other.name == name,
        });
        if let Some((first, _)) = twins.next() {
            let finding = diagnostics::duplicate_receiver(&at.index(first), &here, receiver.name);
            // Only the agent compares receivers without a name.
            let is_named = !receiver.name.is_empty();
            found.push(if is_named {
                finding
            } else {
                finding.severity(Severity::Warning)
            });
        }
    }
}

fn one<'d>(receiver: &RemoteWrite<'d>, values: Values<'_, 'd>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    url::check_receiver(receiver.url, &at.key("url"), found);
    url::check_proxy(receiver.proxy_url, &at.key("proxyUrl"), found);
    duration::check(receiver.remote_timeout, &at.key("remoteTimeout"), found);
    for header in receiver.headers.keys() {
        if RESERVED_HEADERS.contains(&header.to_ascii_lowercase().as_str()) {
            found.push(diagnostics::reserved_header(&at.key("headers").key(header), header));
        }
    }
    relabel::check(&receiver.write_relabel_configs, &at.key("writeRelabelConfigs"), found);
    authentication::of_remote_write(receiver, values, at, found);
    as_warnings(found, |found| tls::check(receiver.tls_config.as_ref(), at, found));
    if let Some(config) = &receiver.queue_config {
        queue(config, &at.key("queueConfig"), found);
    }
    if let Some(config) = &receiver.metadata_config {
        let at = at.key("metadataConfig");
        duration::check(config.send_interval, &at.key("sendInterval"), found);
    }
}

fn queue(config: &QueueConfig<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    duration::check(config.batch_send_deadline, &at.key("batchSendDeadline"), found);
    duration::check(config.min_backoff, &at.key("minBackoff"), found);
    duration::check(config.max_backoff, &at.key("maxBackoff"), found);
}
