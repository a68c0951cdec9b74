//! Receivers of metrics.
//!
//! What: a URL, a duration, a header or a name that the agent refuses (`RemoteWriteConfig.UnmarshalYAML` of Prometheus,
//! `instance.Config.ApplyDefaults` of the agent), or a queue with which it crashes. Why: the agent does not start. Example: two
//! receivers without `name` that are the same, a header `Authorization`, `minShards: -1`.

use std::collections::HashMap;

use super::client::{duplicate_receiver, oauth2, sigv4, tls};
use super::copied::EQUAL_ACTION;
use super::queue::{METADATA, QUEUE};
use super::relabel::RELABEL;
use crate::check::field::{DURATION, PROXY_URL, RECEIVER_URL};
use crate::check::walk::Expect::{As, AtMostOne, In, With};
use crate::check::walk::{Json, Rows, Step, Walk, is_among};
use crate::diagnostic::Code;

/// Headers that the agent sets itself, in lower case.
const RESERVED_HEADERS: &str = "accept-encoding|authorization|connection|content-encoding|content-length|content-type\
    |host|keep-alive|proxy-authenticate|proxy-authorization|user-agent|www-authenticate|x-amz-content-sha256\
    |x-amz-date|x-amz-security-token|x-prometheus-remote-read-version|x-prometheus-remote-write-version";

/// The receivers of a list that the agent reads.
pub const READ: Rows = &[("remoteWrite[]", In(RECEIVER))];

/// The receivers of a list that an instance runs.
pub const RUN: Rows = &[
    ("remoteWrite", With(duplicates)),
    ("remoteWrite[].queueConfig", QUEUE),
    ("remoteWrite[].metadataConfig", METADATA),
    ("remoteWrite[].writeRelabelConfigs[]", EQUAL_ACTION),
];

/// `RemoteWriteConfig.UnmarshalYAML`.
const RECEIVER: Rows = &[
    ("", RECEIVER_URL),
    ("proxyUrl", PROXY_URL),
    ("remoteTimeout", DURATION),
    ("headers", With(headers)),
    ("writeRelabelConfigs[]", RELABEL),
    ("", As(Code::ConflictingAuthentication, &AtMostOne(AUTHENTICATION))),
    ("oauth2", With(oauth2)),
    ("sigv4", With(sigv4)),
    ("tlsConfig", With(tls)),
    ("queueConfig.batchSendDeadline|minBackoff|maxBackoff", DURATION),
    ("metadataConfig.sendInterval", DURATION),
];
const AUTHENTICATION: &str = "basicAuth|oauth2|bearerToken|bearerTokenFile|sigv4";

fn duplicates<'v>(receivers: Json<'v>, walk: &mut Walk<'v>) {
    let (mut first_named, mut first_equal) = (HashMap::new(), HashMap::new());
    for (i, receiver) in receivers.items().enumerate() {
        let (name, help) = (receiver.text("name"), "give each a `name` of its own, or remove one");
        let first = match name {
            "" => *first_equal.entry(receiver.to_string()).or_insert(i),
            name => *first_named.entry(name).or_insert(i),
        };
        if first < i {
            duplicate_receiver(first, i, name, help, walk);
        }
    }
}

fn headers<'v>(headers: Json<'v>, walk: &mut Walk<'v>) {
    for (header, _) in headers.entries() {
        let name = header.to_ascii_lowercase();
        if is_among(&name, RESERVED_HEADERS) {
            let message = format!("the agent sets the header {} itself", walk.quoted(header));
            let help = match name.as_str() {
                "authorization" => "use `basicAuth`, `bearerToken`, `oauth2` or `sigv4`",
                _ => "remove the header",
            };
            walk.tell(Code::ReservedHeader, &[Step::Key(header)], message, help);
        }
    }
}
