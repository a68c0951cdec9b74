//! Promtail jobs stored as YAML in a Secret (`additionalScrapeConfigs` in a LogsInstance).
//!
//! Reports a job without a target, or with a target that cannot be created (`targets.NewTargetManagers` in Promtail,
//! and the manager for each kind), such as `kafka` without `brokers`. The agent then exits.

use super::raw_stage;
use crate::check::field::{GO_DURATION, LABEL_NAMES, REGEX};
use crate::check::prometheus::http_client::check_client;
use crate::check::walk::Expect::{self, As, In, Mild, OneOf, Required, TextOrEmpty, With};
use crate::check::walk::{Json, Rows, RuleContext, Walk, present_fields};
use crate::diagnostic::Code;
use crate::go::address::{self, Protocol};
use crate::go::kafka_version;

/// Rules for a job, except for its relabeling rules and discovery sections, which Prometheus' rules cover.
pub const JOB: Rows = &[
    ("static_configs[].labels", LABEL_NAMES),
    (LABELED_DISCOVERIES, LABEL_NAMES),
    ("", As(Code::InvalidScrapeJob, &With(check_target))),
    ("pipeline_stages[]", With(raw_stage::check)),
];
const LABELED_DISCOVERIES: &str =
    "azure_event_hubs|cloudflare|gcplog|gelf|heroku_drain|journal|kafka|loki_push_api|syslog|windows_events.labels";

/// Fields that discover files (`ServiceDiscoveryConfig`).
const FILE_DISCOVERIES: &str = "static_configs|azure_sd_configs|consul_sd_configs|consulagent_sd_configs|digitalocean_sd_configs|dns_sd_configs\
    |dockerswarm_sd_configs|ec2_sd_configs|file_sd_configs|gce_sd_configs|kubernetes_sd_configs|marathon_sd_configs|nerve_sd_configs\
    |openstack_sd_configs|serverset_sd_configs|triton_sd_configs";

/// Other kinds of targets, with their rules, in the order that Promtail looks for them. The agent reads the journal
/// only if it was built with journal support, and Windows events only on Windows.
pub static KINDS: [(&str, Expect); 11] = [
    ("journal", Mild(&In(JOURNAL))),
    ("syslog", With(check_syslog)),
    ("gcplog", With(check_gcplog)),
    ("loki_push_api", With(|_, walk| report_own_server("loki_push_api", REMOVAL_HELP, walk))),
    ("windows_events", In(&[])),
    ("kafka", In(KAFKA)),
    ("azure_event_hubs", In(AZURE)),
    ("gelf", In(&[("listen_address", UDP_ADDRESS)])),
    ("cloudflare", In(CLOUDFLARE)),
    ("docker_sd_configs", In(&[])),
    ("heroku_drain", With(|_, walk| report_own_server("heroku_drain", REMOVAL_HELP, walk))),
];

/// Checks the type of target that Promtail uses for a job.
fn check_target<'v>(job: Json<'v>, walk: &mut Walk<'v>) {
    let has_field = |field: &str| job.non_null(field).is_some();
    if !job.is_mapping() || FILE_DISCOVERIES.split('|').any(has_field) || !has_client(walk) {
        return;
    }
    match KINDS.iter().find(|(kind, _)| has_field(kind)) {
        Some((kind, rule)) => walk.check_row(kind, rule, job),
        None => {
            let message = "a job needs a target, such as `static_configs`, `journal` or `syslog`";
            walk.report_with_code(Code::InvalidScrapeJob, &[], message, "");
        }
    }
}

/// Returns the field of the target that Promtail uses for a job, unless the job reads files.
pub fn target_kind(job: Json<'_>) -> Option<&'static str> {
    let has_field = |field: &str| job.non_null(field).is_some();
    let reads_files = FILE_DISCOVERIES.split('|').any(has_field);
    KINDS.iter().map(|(kind, _)| *kind).find(|kind| !reads_files && has_field(kind))
}

/// Address that `gelf` listens on by default (`newGelfTarget`).
pub const GELF_ADDRESS: &str = ":12201";

/// Rules for a journal target (`NewJournalTarget`).
const JOURNAL: Rows = &[("max_age", GO_DURATION), ("matches", TextOrEmpty(matches_problem))];

fn matches_problem(text: &str) -> Option<String> {
    let is_valid = text.split_whitespace().all(|part| part.matches('=').count() == 1);
    (!is_valid).then(|| "must be a list of `FIELD=value` matches, separated by spaces".to_owned())
}

/// Checks a syslog target (`NewSyslogTarget`).
fn check_syslog<'v>(syslog: Json<'v>, walk: &mut Walk<'v>) {
    static TCP: Expect = TCP_ADDRESS;
    static UDP: Expect = UDP_ADDRESS;
    let is_udp = syslog.text("listen_protocol") == "udp";
    walk.check_row("listen_address", if is_udp { &UDP } else { &TCP }, syslog);
    walk.check_row("listen_protocol", &OneOf("|tcp|udp"), syslog);
    check_client(syslog, walk);
    let files = syslog.get("tls_config").map_or(0, |tls| present_fields("cert_file|key_file", tls).count());
    let has_authority = syslog.at("tls_config.ca_file").is_some_and(|file| !file.is_empty());
    if !is_udp && has_authority && files == 0 {
        walk.report_field("tls_config", "must also set `cert_file` and `key_file`");
    }
}

/// Checks a GCP target (`NewGCPLogTarget`).
fn check_gcplog<'v>(gcplog: Json<'v>, walk: &mut Walk<'v>) {
    walk.check_row("subscription_type", &OneOf("|pull|push"), gcplog);
    match gcplog.text("subscription_type") {
        "push" => report_own_server("gcplog", "use the subscription type `pull`", walk),
        _ => walk.check_row("project_id", &Required, gcplog),
    }
}

const REMOVAL_HELP: &str = "remove the job, and receive these logs with a different agent";

/// Reports a target with its own server. The agent applies the logs configuration twice when it starts, because it adds
/// a header to the clients (`Instance.ApplyConfig`). The second server registers the same metrics as the first, and
/// panics (`server.NewServerMetrics` in dskit).
fn report_own_server(kind: &str, help: &str, walk: &mut Walk<'_>) {
    let message = format!("the agent starts the server of `{kind}` twice, and crashes the second time");
    walk.report_with_code(Code::InvalidScrapeJob, &[], message, help);
}

/// Whether the current instance has a client. Without one, the agent creates no targets.
fn has_client(walk: &Walk<'_>) -> bool {
    let RuleContext { hierarchy, head, .. } = walk.context;
    let instance_clients =
        head.and_then(|head| head.root.at("spec.clients")).is_some_and(|clients| clients.items().next().is_some());
    instance_clients || hierarchy.is_none_or(|hierarchy| !hierarchy.agent.spec.logs.clients.is_empty())
}

/// Rules for Azure Event Hubs (`azureeventhubs.NewSyncer`, `Config.Validate` in sarama).
const AZURE: Rows = &[
    ("fully_qualified_namespace|event_hubs|connection_string", Required),
    ("fully_qualified_namespace", TextOrEmpty(broker_problem)),
    ("event_hubs[]", TOPIC),
];

fn broker_problem(address: &str) -> Option<String> {
    let is_valid = address.contains('$') || address::dial_problem(address).is_none();
    (!is_valid).then(|| "must be a host and port, such as `name.servicebus.windows.net:9093`".to_owned())
}

/// Rules for a Kafka target (`kafka.NewSyncerFromScrapeConfig`).
const KAFKA: Rows = &[
    ("brokers|topics", Required),
    ("topics[]", TOPIC),
    ("version", With(check_kafka_version)),
    ("assignor", OneOf("|sticky|roundrobin|range")),
    ("authentication.type", OneOf("|none|ssl|sasl")),
    (
        "authentication",
        With(|authentication, walk| {
            if authentication.text("type") == "sasl" {
                let mechanism = authentication.at("sasl_config.mechanism").and_then(Json::as_str);
                if !matches!(mechanism, Some("PLAIN" | "SCRAM-SHA-256" | "SCRAM-SHA-512")) {
                    let problem = "must set `mechanism` to `PLAIN`, `SCRAM-SHA-256` or `SCRAM-SHA-512`";
                    walk.report_field("sasl_config", problem);
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
    walk.check_rule(&REGEX, topic);
});

fn check_kafka_version<'v>(version: Json<'v>, walk: &mut Walk<'v>) {
    let version = version.scalar().filter(|version| !version.is_empty() && !version.contains('$'));
    if version.is_some_and(|version| !kafka_version::is_valid(&version)) {
        walk.report(&[], "must be a version such as `2.2.1` or `0.11.0.2`");
    }
}

/// Rules for a Cloudflare target (`cloudflare.NewTarget`).
const CLOUDFLARE: Rows =
    &[("api_token|zone_id", Required), ("fields_type", OneOf("|default|minimal|extended|all|custom"))];

/// Expects an address to listen on. With an empty address, the system chooses a port.
const TCP_ADDRESS: Expect = TextOrEmpty(|address| listen_address_problem(address, Protocol::Tcp));
const UDP_ADDRESS: Expect = TextOrEmpty(|address| listen_address_problem(address, Protocol::Udp));

fn listen_address_problem(address: &str, protocol: Protocol) -> Option<String> {
    let is_valid = address.contains('$') || address::listen_problem(address, protocol).is_none();
    (!is_valid).then(|| "must be an address with a port, such as `0.0.0.0:1514`".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn validates_journal_matches() {
        for (text, expected) in [("A=b", true), ("A=b  C=d", true), ("a b", false), ("A=b=c", false)] {
            assert_eq!(matches_problem(text).is_none(), expected, "{text}");
        }
    }
}
