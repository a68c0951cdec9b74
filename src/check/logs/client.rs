//! Promtail clients.
//!
//! Reports a client that its YAML type rejects (`client.Config.UnmarshalYAML`), or that cannot be created
//! (`client.NewManager`). The agent then exits. Examples are a URL that Go cannot parse, and two clients that differ
//! only in their tokens.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use crate::check::field::{GO_DURATION, LABEL_NAMES, PROXY_URL, RECEIVER_URL};
use crate::check::prometheus::client::{check_oauth2, check_tls, duplicate_receiver};
use crate::check::walk::Expect::{As, AtMostOne, In, With};
use crate::check::walk::{Json, Rows, Step, Walk};
use crate::diagnostic::Code;
use crate::go::duration;
use crate::yaml::NodeValue;

/// Rules for a list of clients (`client.NewManager` in Promtail).
pub const CLIENTS: Rows = &[("clients[]", In(CLIENT)), ("clients", With(report_duplicates))];

/// Rules for a client (`client.Config` and `newClient` in Promtail).
const CLIENT: Rows = &[
    ("", With(check_url)),
    ("proxyUrl", PROXY_URL),
    ("batchWait|timeout", GO_DURATION),
    ("backoffConfig.minPeriod|maxPeriod", GO_DURATION),
    ("externalLabels", LABEL_NAMES),
    ("", As(Code::ConflictingAuthentication, &AtMostOne(AUTHENTICATION))),
    ("oauth2", With(check_oauth2)),
    ("tlsConfig", With(check_tls)),
];
const AUTHENTICATION: &str = "basicAuth|oauth2|bearerToken|bearerTokenFile";

/// Checks the URL. Unlike a remote write, a logs client must have one.
fn check_url<'v>(client: Json<'v>, walk: &mut Walk<'v>) {
    if client.text("url").is_empty() {
        let help = "write a URL such as `https://host:3100/loki/api/v1/push`";
        let message = "the URL is empty, so the agent does not start";
        walk.report_with_code(Code::InvalidUrl, &[Step::Key("url")], message, help);
    } else {
        walk.check_rule(&RECEIVER_URL, client);
    }
}

/// Reports clients with the same name. The name is a hash of the client's settings (`asSha256`).
fn report_duplicates<'v>(clients: Json<'v>, walk: &mut Walk<'v>) {
    let mut seen_clients: HashMap<String, Vec<(usize, String)>> = HashMap::new();
    for (i, client) in clients.items().enumerate() {
        let written_client = client.to_string();
        let equal_clients = seen_clients.entry(identity(client, walk)).or_default();
        if let Some((first, first_value)) = equal_clients.first() {
            let report = duplicate_receiver(*first, i, "", "remove one of them", walk);
            if *first_value != written_client {
                "two receivers differ only in secrets and defaults, so the agent cannot distinguish them"
                    .clone_into(&mut report.problem);
            }
        }
        equal_clients.push((i, written_client));
    }
}

/// Fields whose values the agent masks before it compares clients.
const SECRETS: [&str; 2] = ["bearerToken", "password"];

/// Defaults for missing or empty fields (`client.Config.UnmarshalYAML`).
const DEFAULTS: [(&str, &str); 4] = [
    ("/timeout", "10s"),
    ("/batchWait", "1s"),
    ("/backoffConfig/minPeriod", "500ms"),
    ("/backoffConfig/maxPeriod", "5m"),
];

/// Returns the settings that the agent uses to distinguish clients, with defaults and without secrets.
fn identity(client: Json<'_>, walk: &Walk<'_>) -> String {
    let mut settings = omit_empty_fields(client).unwrap_or_else(|| json!({}));
    for (path, default) in DEFAULTS {
        let text = settings.pointer(path).and_then(Value::as_str).unwrap_or(default);
        let nanoseconds = duration::parse_go(text).map_or_else(|| json!(text), |value| json!(value));
        replace_value(&mut settings, path, nanoseconds);
    }
    for (path, default) in [("/batchSize", 1_048_576), ("/backoffConfig/maxRetries", 10)] {
        let number = settings.pointer(path).cloned().unwrap_or_else(|| json!(default));
        replace_value(&mut settings, path, number);
    }
    if let Some(url) = settings.pointer("/url").and_then(Value::as_str) {
        let url = match url.split_once("://") {
            Some((scheme, rest)) => format!("{}://{rest}", scheme.to_ascii_lowercase()),
            None => url.to_owned(),
        };
        replace_value(&mut settings, "/url", json!(url));
    }
    if let Some((name, value)) = cluster_label(walk)
        && settings.pointer("/externalLabels").and_then(|labels| labels.get(name)).is_none()
    {
        replace_value(&mut settings, &format!("/externalLabels/{name}"), json!(value));
    }
    settings.to_string()
}

/// Returns the label that the operator adds to each client that does not set it.
fn cluster_label<'v>(walk: &Walk<'v>) -> Option<(&'v str, String)> {
    let agent = walk.context.hierarchy?.agent;
    let name = agent.spec.logs.logs_external_label_name.unwrap_or("cluster");
    let value = format!("{}/{}", agent.meta.namespace, agent.meta.name);
    Some((name, value)).filter(|(name, _)| !name.is_empty())
}

fn replace_value(settings: &mut Value, path: &str, value: Value) {
    let Some((parent, name)) = path.rsplit_once('/') else {
        return;
    };
    let mut at = settings;
    for key in parent.split('/').skip(1) {
        let Some(fields) = at.as_object_mut() else { return };
        at = fields.entry(key).or_insert_with(|| json!({}));
    }
    if let Some(fields) = at.as_object_mut() {
        fields.insert(name.to_owned(), value);
    }
}

/// Returns the value without empty fields, which the operator omits, and with secrets masked.
fn omit_empty_fields(value: Json<'_>) -> Option<Value> {
    match value.value() {
        NodeValue::Null | NodeValue::String("") | NodeValue::Int(0) | NodeValue::Bool(false) => None,
        NodeValue::Mapping => {
            let fields = value.entries().filter_map(|(key, value)| {
                let value = omit_empty_fields(value)?;
                let masked = if SECRETS.contains(&key) { json!("<secret>") } else { value };
                Some((key.to_owned(), masked))
            });
            let fields: Map<_, _> = fields.collect();
            Some(Value::Object(fields)).filter(|fields| *fields != json!({}))
        }
        NodeValue::Sequence => {
            let items: Vec<_> = value.items().map(|item| json!(item.to_string())).collect();
            Some(Value::Array(items)).filter(|items| *items != json!([]))
        }
        _ => serde_json::from_str(&value.to_string()).ok(),
    }
}
