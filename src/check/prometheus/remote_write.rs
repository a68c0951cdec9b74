//! Receivers of metrics.
//!
//! Reports a URL, duration, header or name that the agent rejects (`RemoteWriteConfig.UnmarshalYAML` in Prometheus,
//! `instance.Config.ApplyDefaults` in the agent), or a queue that makes the agent panic. The agent does not start.
//! Examples are two equal receivers without `name`, the `Authorization` header, and `minShards: -1`.

use std::collections::HashMap;

use super::client::{check_oauth2, check_sigv4, check_tls, duplicate_receiver};
use super::copied::EQUAL_ACTION;
use super::queue::{METADATA, QUEUE};
use super::relabel::RELABEL;
use super::settings::{Comparison, receiver_settings};
use crate::api::Kind;
use crate::check::field::{DURATION, PROXY_URL, RECEIVER_URL};
use crate::check::walk::Expect::{As, AtMostOne, In, With};
use crate::check::walk::{Json, Rows, Step, Walk, is_among};
use crate::diagnostic::Code;
use crate::plan::Origin;

/// Headers that only the agent sets, in lowercase.
const RESERVED_HEADERS: &str = "accept-encoding|authorization|connection|content-encoding|content-length|content-type\
    |host|keep-alive|proxy-authenticate|proxy-authorization|user-agent|www-authenticate|x-amz-content-sha256\
    |x-amz-date|x-amz-security-token|x-prometheus-remote-read-version|x-prometheus-remote-write-version";

/// Rules for the receivers that the agent reads.
pub const PARSED_RECEIVERS: Rows = &[("remoteWrite[]", In(RECEIVER))];

/// Rules for the receivers that an instance uses.
pub const USED_RECEIVERS: Rows = &[
    ("remoteWrite", With(report_duplicates)),
    ("remoteWrite[].queueConfig", QUEUE),
    ("remoteWrite[].metadataConfig", METADATA),
    ("remoteWrite[].writeRelabelConfigs[]", EQUAL_ACTION),
];

/// Rules for a receiver (`RemoteWriteConfig.UnmarshalYAML`).
const RECEIVER: Rows = &[
    ("", RECEIVER_URL),
    ("proxyUrl", PROXY_URL),
    ("remoteTimeout", DURATION),
    ("headers", With(check_headers)),
    ("writeRelabelConfigs[]", RELABEL),
    ("", As(Code::ConflictingAuthentication, &AtMostOne(AUTHENTICATION))),
    ("oauth2", With(check_oauth2)),
    ("sigv4", With(check_sigv4)),
    ("tlsConfig", With(check_tls)),
    ("queueConfig.batchSendDeadline|minBackoff|maxBackoff", DURATION),
    ("metadataConfig.sendInterval", DURATION),
];
const AUTHENTICATION: &str = "basicAuth|oauth2|bearerToken|bearerTokenFile|sigv4";

/// Reports receivers that the agent cannot distinguish. If two receivers have equal settings but different names, the
/// agent gives them the same name when it groups its instances (`groupConfigs`). As a result,
/// `WriteStorage.ApplyConfig` rejects both.
fn report_duplicates<'v>(receivers: Json<'v>, walk: &mut Walk<'v>) {
    let (mut first_by_name, mut first_by_settings) = (HashMap::new(), HashMap::new());
    let all_receivers: Vec<_> = receivers.items().collect();
    for (i, (&receiver, settings)) in all_receivers.iter().zip(settings(receivers, walk)).enumerate() {
        let name = receiver.text("name");
        let first_with_name = *first_by_name.entry(name).or_insert(i);
        let first_with_settings = *first_by_settings.entry(settings).or_insert(i);
        if first_with_name < i && !name.is_empty() {
            duplicate_receiver(first_with_name, i, name, "give each a different `name`, or remove one", walk);
        } else if let Some(&first) = all_receivers.get(first_with_settings).filter(|_| first_with_settings < i) {
            report_equal_receivers((first_with_settings, first), (i, receiver), walk);
        }
    }
}

/// Reports two receivers that are equal except for their names.
fn report_equal_receivers<'v>(first: (usize, Json<'v>), second: (usize, Json<'v>), walk: &mut Walk<'v>) {
    let ((first_number, first), (other, second)) = (first, second);
    let is_named = [first, second].iter().any(|receiver| !receiver.text("name").is_empty());
    if is_named && !walk.context.is_for_agent() {
        return;
    }
    let help = match walk.context.is_for_agent() {
        true => "remove one, or make them differ in more than names and credentials",
        false => "give each a different `name`, or remove one",
    };
    let report = duplicate_receiver(first_number, other, "", help, walk);
    if is_named || first.to_string() != second.to_string() {
        let message =
            "the agent cannot distinguish two receivers: it does not compare names, credentials or explicit defaults";
        message.clone_into(&mut report.problem);
    }
}

/// Returns, for each receiver, the settings that the agent compares, or the receiver as written if those settings are
/// unknown.
fn settings<'v>(receivers: Json<'v>, walk: &Walk<'v>) -> Vec<String> {
    let count = receivers.items().count();
    let known_settings = || {
        let (hierarchy, head) = (walk.context.hierarchy?, walk.context.head?);
        let specs = match (head.kind, walk.context.metrics) {
            (Kind::GrafanaAgent, _) => &hierarchy.agent.spec.metrics.remote_write,
            (_, Some(metrics)) => &metrics.instance.spec.remote_write,
            _ => return None,
        };
        let (namespace, origin) = (head.meta.namespace, Origin::new(head));
        (specs.len() == count)
            .then(|| receiver_settings(specs, namespace, origin, &hierarchy.secrets, Comparison::Receivers))
    };
    let known_settings = if count > 1 { known_settings() } else { None };
    known_settings.unwrap_or_else(|| receivers.items().map(|receiver| receiver.to_string()).collect())
}

fn check_headers<'v>(headers: Json<'v>, walk: &mut Walk<'v>) {
    for (header, _) in headers.entries() {
        let name = header.to_ascii_lowercase();
        if is_among(&name, RESERVED_HEADERS) {
            let message = format!("the agent sets the {} header itself", walk.quote(header));
            let help = match name.as_str() {
                "authorization" => "use `basicAuth`, `bearerToken`, `oauth2` or `sigv4`",
                _ => "remove the header",
            };
            walk.report_with_code(Code::ReservedHeader, &[Step::Key(header)], message, help);
        }
    }
}
