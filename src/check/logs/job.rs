//! Promtail jobs stored as YAML in a Secret (`additionalScrapeConfigs` in a LogsInstance).
//!
//! Reports a job without a target, or with a target that cannot be created (`targets.NewTargetManagers` in Promtail,
//! and the manager for each kind), such as `kafka` without `brokers`. The agent then exits.

use super::raw_stage;
use crate::check::field::{GO_DURATION, LABEL_NAMES, REGEX};
use crate::check::prometheus::http_client::client;
use crate::check::walk::Expect::{self, As, Help, In, Mild, OneOf, Range, Required, TextOrEmpty, With};
use crate::check::walk::{Json, Rows, Walk, present};
use crate::diagnostic::Code;

/// Rules for a job, except for its relabeling rules and discovery sections, which Prometheus' rules cover.
pub const JOB: Rows = &[
    ("static_configs[].labels", LABEL_NAMES),
    (LABELED, LABEL_NAMES),
    ("", As(Code::InvalidScrapeJob, &Help(HELP, &With(target)))),
    ("pipeline_stages[]", With(raw_stage::check)),
];
const LABELED: &str =
    "azure_event_hubs|cloudflare|gcplog|gelf|heroku_drain|journal|kafka|loki_push_api|syslog|windows_events.labels";
const HELP: &str = "fix the scrape configuration in the Secret";

/// Fields that discover files (`ServiceDiscoveryConfig`).
const FILES: &str = "static_configs|azure_sd_configs|consul_sd_configs|consulagent_sd_configs|digitalocean_sd_configs|dns_sd_configs\
    |dockerswarm_sd_configs|ec2_sd_configs|file_sd_configs|gce_sd_configs|kubernetes_sd_configs|marathon_sd_configs|nerve_sd_configs\
    |openstack_sd_configs|serverset_sd_configs|triton_sd_configs";

/// Other kinds of targets, with their rules, in the order in which Promtail looks for them. The agent reads the journal
/// only if it was built with journal support, and Windows events only on Windows.
pub static KINDS: [(&str, Expect); 11] = [
    ("journal", Mild(&In(JOURNAL))),
    ("syslog", With(syslog)),
    ("gcplog", With(gcplog)),
    ("loki_push_api", With(push)),
    ("windows_events", In(&[])),
    ("kafka", In(KAFKA)),
    ("azure_event_hubs", In(&[("fully_qualified_namespace|event_hubs", Required), ("event_hubs[]", TOPIC)])),
    ("gelf", In(&[("listen_address", LISTEN_ADDRESS)])),
    ("cloudflare", In(CLOUDFLARE)),
    ("docker_sd_configs", In(&[])),
    ("heroku_drain", With(heroku)),
];

/// Checks the kind of target that Promtail uses for a job.
fn target<'v>(job: Json<'v>, walk: &mut Walk<'v>) {
    let has = |field: &str| job.set(field).is_some();
    if !job.is_mapping() || FILES.split('|').any(has) {
        return;
    }
    match KINDS.iter().find(|(kind, _)| has(kind)) {
        Some((kind, rule)) => walk.row(kind, rule, job),
        None => {
            let message = "a job needs a target, such as `static_configs`, `journal` or `syslog`";
            walk.report_with_code(Code::InvalidScrapeJob, &[], message, HELP);
        }
    }
}

/// Rules for a journal target (`NewJournalTarget`).
const JOURNAL: Rows = &[("max_age", GO_DURATION), ("matches", TextOrEmpty(matches))];

fn matches(text: &str) -> Option<String> {
    let is_valid = text.split_whitespace().all(|part| part.matches('=').count() == 1);
    (!is_valid).then(|| "must be a list of `FIELD=value` matches, separated by spaces".to_owned())
}

/// Checks a syslog target (`NewSyslogTarget`).
fn syslog<'v>(syslog: Json<'v>, walk: &mut Walk<'v>) {
    walk.row("listen_address", &LISTEN_ADDRESS, syslog);
    walk.row("listen_protocol", &OneOf("|tcp|udp"), syslog);
    client(syslog, walk);
    let files = syslog.get("tls_config").map_or(0, |tls| present("cert_file|key_file", tls).count());
    let has_authority = syslog.at("tls_config.ca_file").is_some_and(|file| !file.is_empty());
    if syslog.text("listen_protocol") != "udp" && has_authority && files == 0 {
        walk.report_at("tls_config", "must also set `cert_file` and `key_file`");
    }
}

/// Checks a GCP target (`NewGCPLogTarget`).
fn gcplog<'v>(gcplog: Json<'v>, walk: &mut Walk<'v>) {
    walk.row("subscription_type", &OneOf("|pull|push"), gcplog);
    match gcplog.text("subscription_type") {
        "push" => {
            metric_name("gcplog", walk);
            walk.row("server", &SERVER, gcplog);
        }
        _ => walk.row("project_id", &Required, gcplog),
    }
}

/// Checks a push target (`NewPushTargetManager`).
fn push<'v>(push: Json<'v>, walk: &mut Walk<'v>) {
    walk.row("server", &SERVER, push);
    let Some(index) = walk.index() else { return };
    let name = |job: Json<'v>| job.get("job_name").and_then(Json::scalar);
    let mut jobs = walk.root.items().take(index + 1).filter(|job| job.set("loki_push_api").is_some());
    let own = walk.root.items().nth(index).and_then(name);
    if jobs.by_ref().filter(|job| name(*job) == own).count() > 1 {
        let message = "an earlier job with `loki_push_api` has the same `job_name`";
        walk.report_with_code(Code::InvalidScrapeJob, &[], message, "give the job a different name");
    }
}

/// Checks a Heroku target (`heroku.NewTarget`).
fn heroku<'v>(heroku: Json<'v>, walk: &mut Walk<'v>) {
    metric_name("heroku_drain", walk);
    walk.row("server", &SERVER, heroku);
}

/// Checks the name of the current job, which becomes part of a metric name.
fn metric_name(kind: &str, walk: &mut Walk<'_>) {
    let job = walk.index().and_then(|index| walk.root.items().nth(index));
    let name = job.and_then(|job| job.get("job_name")).and_then(Json::scalar).unwrap_or_default();
    if !name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | ':')) {
        let message = format!("`{kind}` needs a `job_name` that contains only letters, digits, `_` and `:`");
        walk.report_with_code(Code::InvalidScrapeJob, &[], message, "give the job a different name");
    }
}

/// Rules for a server (`server.New` in dskit).
static SERVER: Expect =
    In(&[("http_listen_port|grpc_listen_port", Range(0, 65_535)), ("log_level", OneOf("debug|info|warn|error"))]);

/// Rules for a Kafka target (`kafka.NewSyncerFromScrapeConfig`).
const KAFKA: Rows = &[
    ("brokers|topics", Required),
    ("topics[]", TOPIC),
    ("version", TextOrEmpty(kafka_version)),
    ("assignor", OneOf("|sticky|roundrobin|range")),
    ("authentication.type", OneOf("|none|ssl|sasl")),
    (
        "authentication",
        With(|authentication, walk| {
            if authentication.text("type") == "sasl" {
                let mechanism = authentication.at("sasl_config.mechanism").and_then(Json::as_str);
                if !matches!(mechanism, Some("PLAIN" | "SCRAM-SHA-256" | "SCRAM-SHA-512")) {
                    let problem = "must set `mechanism` to `PLAIN`, `SCRAM-SHA-256` or `SCRAM-SHA-512`";
                    walk.report_at("sasl_config", problem);
                }
            }
        }),
    ),
];

/// Expects a topic name or a regular expression (`newTopicManager`).
const TOPIC: Expect = With(|topic, walk| {
    if topic.as_str() == Some("") {
        walk.report(&[], "must not be empty");
    }
    walk.rule(&REGEX, topic);
});

/// Port of `sarama.ParseKafkaVersion`.
fn kafka_version(text: &str) -> Option<String> {
    let parts = text.split('.').count();
    let is_numbers = text.split('.').all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
    let expected = if text.starts_with("0.") { 4 } else { 3 };
    let is_valid = text.len() >= 5 && is_numbers && parts == expected && (expected == 4 || !text.starts_with('0'));
    (!is_valid).then(|| "must be a version such as `2.2.1` or `0.11.0.2`".to_owned())
}

/// Rules for a Cloudflare target (`cloudflare.NewTarget`).
const CLOUDFLARE: Rows =
    &[("api_token|zone_id", Required), ("fields_type", OneOf("|default|minimal|extended|all|custom"))];

/// Expects an address for `net.Listen`. With an empty address, the system chooses a port.
const LISTEN_ADDRESS: Expect = TextOrEmpty(listen_address);

fn listen_address(text: &str) -> Option<String> {
    let (host, port) = match text.strip_prefix('[') {
        Some(inside) => inside.split_once("]:").unwrap_or((inside, "")),
        None => text.rsplit_once(':').unwrap_or((text, "")),
    };
    let has_port = text.strip_prefix('[').map_or(text.contains(':'), |inside| inside.contains("]:"));
    let is_number = port.bytes().all(|b| b.is_ascii_digit());
    let is_valid = has_port
        && (text.starts_with('[') || !host.contains(':'))
        && (!is_number || port.is_empty() || port.parse::<u16>().is_ok());
    (!is_valid).then(|| "must be an address with a port, such as `0.0.0.0:1514`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_versions() {
        for (text, expected) in [
            ("0.0.0.0:0", true),
            (":1514", true),
            ("[::1]:80", true),
            ("x:", true),
            ("localhost:syslog", true),
            ("x", false),
            ("x:70000", false),
            ("::1:80", false),
            ("[::1]", false),
        ] {
            assert_eq!(listen_address(text).is_none(), expected, "{text}");
        }
        for (text, expected) in [
            ("2.2.1", true),
            ("0.11.0.2", true),
            ("10.20.30", true),
            ("x", false),
            ("2.2", false),
            ("0.11.0", false),
            ("2.2.1.0", false),
            ("2..11", false),
            ("v2.2.1", false),
        ] {
            assert_eq!(kafka_version(text).is_none(), expected, "{text}");
        }
        for (text, expected) in [("A=b", true), ("A=b  C=d", true), ("a b", false), ("A=b=c", false)] {
            assert_eq!(matches(text).is_none(), expected, "{text}");
        }
    }
}
