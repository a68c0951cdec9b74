//! Receivers of metrics.
//!
//! What: a URL, a duration, a header or a name that the agent refuses (`RemoteWriteConfig` of Prometheus,
//! `instance.Config.ApplyDefaults` of the agent). Why: the agent does not start. Example: two receivers without `name` that
//! are the same, a header `Authorization`.

use std::collections::HashMap;

use super::client::{self, Values};
use super::relabel;
use crate::api::RemoteWrite;
use crate::check::field::{duration, proxy_url, receiver_url};
use crate::check::place::Place;
use crate::diagnostic::{Code, Severity};
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
pub fn check<'d>(receivers: &[RemoteWrite<'d>], namespace: &'d str, store: &SecretStore<'_, 'd>, at: &Place<'_>) {
    let at = at.key("remoteWrite");
    let values = Values { store, namespace };
    let first_equals = at.first_equals(receivers.len());
    let mut first_named = HashMap::new();
    for (i, receiver) in receivers.iter().enumerate() {
        let here = at.index(i);
        check_one(receiver, values, &here);
        let first = match receiver.name {
            "" => first_equals.get(i).copied().unwrap_or(i),
            name => *first_named.entry(name).or_insert(i),
        };
        if first < i {
            let help = "give each a `name` of its own, or remove one";
            let finding = client::duplicate_receiver(&at.index(first), &here, receiver.name, help);
            // Only the agent compares receivers without a name.
            at.add(match receiver.name {
                "" => finding.severity(Severity::Warning),
                _ => finding,
            });
        }
    }
}

fn check_one<'d>(receiver: &RemoteWrite<'d>, values: Values<'_, 'd>, at: &Place<'_>) {
    receiver_url(receiver.url, &at.key("url"));
    proxy_url(receiver.proxy_url, &at.key("proxyUrl"));
    duration(receiver.remote_timeout, &at.key("remoteTimeout"));
    for header in receiver.headers.keys() {
        if RESERVED_HEADERS.contains(&header.to_ascii_lowercase().as_str()) {
            reserved_header(header, &at.key("headers").key(header));
        }
    }
    relabel::check(&at.key("writeRelabelConfigs"));
    client::of_remote_write(receiver, values, at);
    client::tls(receiver.tls_config.as_ref(), &at.lenient());
    if let Some(config) = &receiver.queue_config {
        let at = at.key("queueConfig");
        duration(config.batch_send_deadline, &at.key("batchSendDeadline"));
        duration(config.min_backoff, &at.key("minBackoff"));
        duration(config.max_backoff, &at.key("maxBackoff"));
    }
    if let Some(config) = &receiver.metadata_config {
        duration(config.send_interval, &at.key("metadataConfig").key("sendInterval"));
    }
}

fn reserved_header(header: &str, at: &Place<'_>) {
    let message = format!("the agent sets the header {} itself", at.quoted(header));
    let help = match header.eq_ignore_ascii_case("authorization") {
        true => "use `basicAuth`, `bearerToken`, `oauth2` or `sigv4`",
        false => "remove the header",
    };
    at.report(Code::ReservedHeader, message, help);
}
