//! Ports that several programs in a pod listen on.
//!
//! Reports a logs job or an Integration that listens on a port that is already taken, by the agent itself or by another
//! job or Integration (`net.Listen`). The agent then does not start, or the Integration stops immediately.

use std::borrow::Cow;

use super::integrations::setting;
use super::logs::job::{GELF_ADDRESS, target_kind};
use super::rule::{Rule, RuleInput, RuleTarget, rule};
use super::strings::holder;
use super::variables::Expansion;
use super::walk::Json;
use crate::api::{Integration, Resource};
use crate::diagnostic::{Code, Diagnostic, FieldPath};
use crate::go::address::{self, Protocol};
use crate::output::Target;
use crate::plan::EmbeddedYaml;
use crate::programs::integrations;
use crate::resolve::{AssetKey, Hierarchy};
use crate::yaml::Document;

pub const RULES: &[Rule] = &[rule(
    // The list of codes is empty, because other families also report these codes.
    &[],
    RuleTarget::Hierarchy(check),
    "`net.Listen`, called by `syslog`, `gelf`, `app_agent_receiver` and `statsd`",
)];

fn check(input: &RuleInput<'_, '_>, hierarchy: &Hierarchy<'_, '_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    if matches!(input.conditions.target, Target::Agent) {
        check_logs(input, hierarchy, &mut findings);
        for all_nodes in [false, true] {
            check_integrations(hierarchy, all_nodes, &mut findings);
        }
    }
    findings
}

/// An address that a job, an Integration or the agent listens on.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Listener {
    protocol: Protocol,
    host: String,
    port: u16,
}

impl Listener {
    /// Parses an address. Returns `None` if the system chooses the port, or the address is invalid or unknown.
    fn new(address: &str, protocol: Protocol) -> Option<Self> {
        let (host, port) = address::split_host_port(address).ok().filter(|_| !address.contains('$'))?;
        let port = address::parse_port(port, protocol).ok().filter(|port| *port != 0)?;
        let host = host.to_ascii_lowercase();
        Some(Self { protocol, host: if host == "localhost" { "127.0.0.1".to_owned() } else { host }, port })
    }

    /// Whether two listen addresses conflict within a pod. An address without a host covers both IP versions.
    fn excludes(&self, other: &Self) -> bool {
        let is_any = |host: &str, other: &str| matches!(host, "" | "::") || host == "0.0.0.0" && !other.contains(':');
        let has_same_host =
            self.host == other.host || is_any(&self.host, &other.host) || is_any(&other.host, &self.host);
        (self.protocol, self.port) == (other.protocol, other.port) && has_same_host
    }

    /// Whether the agent itself listens on this address (`-server.http.address`, `-server.grpc.address`).
    fn conflicts_with_agent(&self) -> bool {
        let agent_listeners =
            ["0.0.0.0:8080", "127.0.0.1:12346"].into_iter().filter_map(|address| Self::new(address, Protocol::Tcp));
        agent_listeners.into_iter().any(|listener| self.excludes(&listener))
    }
}

/// Checks the addresses that the logs jobs of all instances listen on.
fn check_logs(input: &RuleInput<'_, '_>, hierarchy: &Hierarchy<'_, '_>, findings: &mut Vec<Diagnostic>) {
    let path = FieldPath::parse("spec.additionalScrapeConfigs");
    let mut used_listeners: Vec<Listener> = Vec::new();
    for logs in &hierarchy.logs {
        let instance = logs.instance;
        let has_clients = !instance.spec.clients.is_empty() || !hierarchy.agent.spec.logs.clients.is_empty();
        let selector = instance.spec.additional_scrape_configs.as_ref().filter(|_| has_clients);
        let Some(key) = selector.map(|selector| AssetKey::secret(instance.meta.namespace, selector)) else {
            continue;
        };
        let text = hierarchy.secrets.text(&key).filter(|text| text.contains("syslog") || text.contains("gelf"));
        let Some(text) = text else { continue };
        let text = Expansion::new(hierarchy).yaml(&text).into_owned();
        let yaml = EmbeddedYaml::read(instance.root.span().source, &text);
        for (i, job) in yaml.document.as_ref().map(Document::root).into_iter().flat_map(|root| root.items()).enumerate()
        {
            let Some(listener) = listener_of_job(Json::Read(job)) else {
                continue;
            };
            let message = match () {
                () if listener.conflicts_with_agent() => {
                    format!(
                        "job {i} of the YAML listens on a port that the agent itself listens on, so the agent does not start"
                    )
                }
                () if used_listeners.iter().any(|other| listener.excludes(other)) => format!(
                    "job {i} of the YAML listens on the same port as another job of the agent, so the agent does not start"
                ),
                () => {
                    used_listeners.push(listener);
                    continue;
                }
            };
            let finding = instance.finding(Code::InvalidScrapeJob, &path, message).help("use a different port");
            findings.push(match holder(input.resources, &key) {
                Some((holder, path)) => finding.label(holder.locate(&path), "the jobs are defined here"),
                None => finding,
            });
        }
    }
}

fn listener_of_job(job: Json<'_>) -> Option<Listener> {
    let kind = target_kind(job)?;
    let settings = job.get(kind)?;
    let address = settings.get("listen_address").and_then(Json::scalar).filter(|address| !address.is_empty());
    match kind {
        "gelf" => Listener::new(address.as_deref().unwrap_or(GELF_ADDRESS), Protocol::Udp),
        _ => {
            let protocol = if settings.text("listen_protocol") == "udp" { Protocol::Udp } else { Protocol::Tcp };
            Listener::new(&address?, protocol)
        }
    }
}

/// Checks the addresses that Integrations in the same pods listen on.
fn check_integrations(hierarchy: &Hierarchy<'_, '_>, all_nodes: bool, findings: &mut Vec<Diagnostic>) {
    let mut used_listeners: Vec<(Listener, &Resource<'_, Integration<'_>>)> = Vec::new();
    for &integration in &hierarchy.integrations {
        if integration.spec.r#type.all_nodes != all_nodes {
            continue;
        }
        let config = integration.root.at("spec.config").map_or(Json::NULL, Json::Read);
        let name = integration.spec.name;
        for (field, listener) in integration_listeners(name, config) {
            let config_path = FieldPath::parse("spec.config");
            let path = match config.non_null(&field.join(".")) {
                Some(_) => field.iter().fold(config_path, |path, key| path.key(*key)),
                None => config_path,
            };
            let effect = match name {
                "statsd" => "stops and the agent crashes",
                _ => "stops immediately",
            };
            // An integration that the agent allows only once has its own finding.
            let is_single = integrations::find(name).is_some_and(|candidate| candidate.is_single);
            let may_share = |other: &Resource<'_, Integration<'_>>| is_single && other.spec.name == name;
            let other_listener =
                used_listeners.iter().find(|(other, owner)| listener.excludes(other) && !may_share(owner));
            let port = listener.port;
            let (by, label) = match other_listener {
                _ if listener.conflicts_with_agent() => ("the agent itself".to_owned(), None),
                Some((_, other)) => {
                    let by = format!("Integration `{}`", other.meta.full_name());
                    (by, Some(other.locate(&FieldPath::parse("spec.name"))))
                }
                None => {
                    used_listeners.push((listener, integration));
                    continue;
                }
            };
            let message = format!("port {port} is already used by {by}, so the `{name}` integration {effect}");
            let finding = integration.finding(Code::InvalidIntegration, &path, message).help("use a different port");
            findings.push(match label {
                Some(span) => finding.label(span, "also listens on this port"),
                None => finding,
            });
        }
    }
}

/// Returns the addresses that an integration listens on, each with the field that sets it.
fn integration_listeners(name: &str, config: Json<'_>) -> Vec<(Vec<&'static str>, Listener)> {
    let parse = |field: &'static str, protocol| {
        let address = setting::text(config, field, ":9125")?;
        Some((vec![field], Listener::new(&address, protocol)?))
    };
    match name {
        "statsd" => {
            [parse("listen_udp", Protocol::Udp), parse("listen_tcp", Protocol::Tcp)].into_iter().flatten().collect()
        }
        "app_agent_receiver" => {
            let host = setting::text(config, "server.host", "127.0.0.1").unwrap_or(Cow::Borrowed("$"));
            let port = setting::number(config, "server.port", 12_347);
            let listener = port.and_then(|port| Listener::new(&format!("{host}:{port}"), Protocol::Tcp));
            listener.map(|listener| (vec!["server", "port"], listener)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::tests::{AGENT, integration, lines, manifest};

    #[test]
    fn detects_conflicting_addresses() {
        use Protocol::{Tcp, Udp};
        let listener = |address, protocol| Listener::new(address, protocol).unwrap();
        for (first, second, expected) in [
            (("a:1", Tcp), ("a:1", Tcp), true),
            (("a:1", Tcp), ("a:1", Udp), false),
            (("a:1", Tcp), ("b:1", Tcp), false),
            (("a:1", Tcp), ("a:2", Tcp), false),
            ((":1", Tcp), ("127.0.0.1:1", Tcp), true),
            (("127.0.0.1:1", Tcp), ("0.0.0.0:1", Tcp), true),
            (("LOCALHOST:1", Tcp), ("127.0.0.1:1", Tcp), true),
            (("[::1]:1", Tcp), ("0.0.0.0:1", Tcp), false),
            (("[::1]:1", Tcp), ("[::]:1", Tcp), true),
            ((":syslog", Udp), (":514", Udp), true),
        ] {
            let (first, second) = (listener(first.0, first.1), listener(second.0, second.1));
            assert_eq!(
                (first.excludes(&second), second.excludes(&first)),
                (expected, expected),
                "{first:?} {second:?}"
            );
        }
        assert_eq!(Listener::new("a:0", Tcp), None);
        assert_eq!(Listener::new(":$(PORT)", Tcp), None);
    }

    /// Returns the number of each job that listens on a port that is already taken. `instances` contains the jobs of
    /// each instance.
    fn jobs(instances: &[&str]) -> Vec<String> {
        let mut documents = vec![AGENT.to_owned()];
        for (i, jobs) in instances.iter().enumerate() {
            let spec = format!("{{clients: [{{url: 'http://l'}}], additionalScrapeConfigs: {{name: s{i}, key: k}}}}");
            documents.push(manifest("LogsInstance", &format!("i{i}"), &spec));
            documents.push(format!(
                "apiVersion: v1\nkind: Secret\nmetadata: {{name: s{i}}}\nstringData:\n  k: |\n    [{jobs}]\n"
            ));
        }
        let documents: Vec<_> = documents.iter().map(String::as_str).collect();
        let findings = lines(&documents).into_iter().filter(|line| line.contains("listens on"));
        findings.map(|line| line.split(' ').nth(3).unwrap_or_default().to_owned()).collect()
    }

    #[test]
    fn reports_ports_shared_by_jobs() {
        let syslog =
            |address: &str, more: &str| format!("{{job_name: a, syslog: {{listen_address: '{address}'{more}}}}}");
        let udp = ", listen_protocol: udp";
        for (jobs_of, expected) in [
            (vec![syslog("0.0.0.0:1514", "")], 0),
            (vec![syslog("0.0.0.0:8080", "")], 1),
            (vec![syslog(":8080", udp)], 0),
            (vec![syslog("127.0.0.1:8080", "")], 1),
            (vec![syslog("127.0.0.1:12346", "")], 1),
            (vec![syslog("127.0.0.2:12346", "")], 0),
            (vec![syslog(":12346", "")], 1),
            (vec![syslog("127.0.0.1:1514", ""), syslog("127.0.0.2:1514", "")], 0),
            (vec![syslog(":1514", ""), syslog(":1514", udp)], 0),
            (vec![syslog(":1514", ""), syslog(":1514", ""), syslog(":1514", "")], 2),
            (vec!["{job_name: a, gelf: {}}".to_owned(), "{job_name: b, gelf: {}}".to_owned()], 1),
            (vec!["{job_name: a, gelf: {}}".to_owned(), syslog(":12201", udp)], 1),
            (vec!["{job_name: a, gelf: {listen_address: ':8080'}}".to_owned()], 0),
            (vec!["{job_name: a, static_configs: [], gelf: {}}".to_owned(), "{job_name: b, gelf: {}}".to_owned()], 0),
        ] {
            assert_eq!(jobs(&[&jobs_of.join(", ")]).len(), expected, "{jobs_of:?}");
        }
        let listener = syslog("127.0.0.1:1514", "");
        assert_eq!(jobs(&[&listener, &listener]).len(), 1);
    }

    #[test]
    fn reports_ports_shared_by_integrations() {
        let receiver = "app_agent_receiver";
        for (integrations, expected) in [
            (vec![(receiver, "{}"), ("statsd", "{}")], 0),
            (vec![(receiver, "{server: {port: 8080}}")], 1),
            (vec![(receiver, "{server: {port: 8080, host: 0.0.0.0}}")], 1),
            (vec![(receiver, "{server: {port: 9125}}"), ("statsd", "{listen_tcp: ''}")], 0),
            (vec![(receiver, "{server: {port: 9125}}"), ("statsd", "{}")], 1),
            (vec![("statsd", "{listen_tcp: ':12347'}"), (receiver, "{}")], 1),
            (vec![(receiver, "{instance: a}"), (receiver, "{instance: b}")], 1),
            (vec![(receiver, "{instance: a}"), (receiver, "{instance: b, server: {port: 12348}}")], 0),
            (vec![("statsd", "{listen_udp: ':8080', listen_tcp: ':12346'}")], 1),
        ] {
            let documents = integrations.iter().enumerate();
            let documents = documents.map(|(i, (name, config))| integration(&format!("i{i}"), name, &[], config));
            let documents: Vec<_> = [AGENT.to_owned()].into_iter().chain(documents).collect();
            let documents: Vec<_> = documents.iter().map(String::as_str).collect();
            let actual = lines(&documents);
            let actual: Vec<_> = actual.iter().filter(|line| line.contains("is already used by")).collect();
            assert_eq!(actual.len(), expected, "{integrations:?} {actual:?}");
        }
    }
}
