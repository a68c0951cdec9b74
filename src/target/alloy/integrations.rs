//! Integrations: `prometheus.exporter.*` → `discovery.relabel` → `prometheus.scrape`.

use std::collections::HashMap;

use super::free_form::{Converted, converted, expression, mapping, text};
use super::loss::Loss;
use super::metrics::{Pipeline, yaml_rules};
use super::syntax::{Body, Expression};
use super::writer::{Group, Writer};
use crate::diagnostic::Code;
use crate::plan::{Integration, Origin};
use crate::yaml::{Mapping, Value};

/// The job of Kubernetes' events in the agent.
const EVENTS_JOB: &str = "integrations/kubernetes/eventhandler";

/// Keys of every integration that are no settings of its exporter.
const COMMON_KEYS: [&str; 3] = ["instance", "autoscrape", "extra_labels"];

/// Integrations with a component, and the name in front of the component's label.
const EXPORTERS: [(&str, &str, &str); 26] = [
    ("agent", "prometheus.exporter.self", "agent"),
    ("apache_http", "prometheus.exporter.apache", "apache_http"),
    ("azure", "prometheus.exporter.azure", "azure_exporter"),
    ("blackbox", "prometheus.exporter.blackbox", "blackbox"),
    ("cadvisor", "prometheus.exporter.cadvisor", "cadvisor"),
    ("cloudwatch", "prometheus.exporter.cloudwatch", "cloudwatch_exporter"),
    ("consul", "prometheus.exporter.consul", "consul_exporter"),
    ("dnsmasq", "prometheus.exporter.dnsmasq", "dnsmasq_exporter"),
    (
        "elasticsearch",
        "prometheus.exporter.elasticsearch",
        "elasticsearch_exporter",
    ),
    ("gcp", "prometheus.exporter.gcp", "gcp_exporter"),
    ("github", "prometheus.exporter.github", "github_exporter"),
    ("kafka", "prometheus.exporter.kafka", "kafka_exporter"),
    ("memcached", "prometheus.exporter.memcached", "memcached_exporter"),
    ("mongodb", "prometheus.exporter.mongodb", "mongodb_exporter"),
    ("mssql", "prometheus.exporter.mssql", "mssql"),
    ("mysql", "prometheus.exporter.mysql", "mysqld_exporter"),
    ("node_exporter", "prometheus.exporter.unix", "node_exporter"),
    ("oracledb", "prometheus.exporter.oracledb", "oracledb"),
    ("postgres", "prometheus.exporter.postgres", "postgres_exporter"),
    ("process", "prometheus.exporter.process", "process_exporter"),
    ("redis", "prometheus.exporter.redis", "redis_exporter"),
    ("snmp", "prometheus.exporter.snmp", "snmp"),
    ("snowflake", "prometheus.exporter.snowflake", "snowflake"),
    ("squid", "prometheus.exporter.squid", "squid"),
    ("statsd", "prometheus.exporter.statsd", "statsd_exporter"),
    ("windows", "prometheus.exporter.windows", "windows_exporter"),
];

/// Where integrations send to: lists of receivers by the name of their instance.
pub(super) type Receivers = HashMap<String, Expression<'static>>;

impl<'p> Writer<'p, '_> {
    /// An integration.
    pub(super) fn integration(&mut self, integration: &'p Integration<'p>, metrics: &Receivers, logs: &Receivers) {
        let name = integration.resource.spec.name;
        let empty = || -> &'p Mapping<'p> {
            static EMPTY: std::sync::LazyLock<Mapping<'static>> = std::sync::LazyLock::new(Mapping::new);
            &EMPTY
        };
        let yaml = mapping(&integration.config).unwrap_or_else(empty);
        let origin = integration.origin;
        match (name, EXPORTERS.iter().find(|(own, ..)| *own == name)) {
            ("eventhandler", _) => self.events(yaml, logs, origin),
            ("app_agent_receiver", _) => self.app_agent_receiver(yaml, logs, origin),
            (_, Some((_, component, label))) => self.exporter((name, component, label), yaml, metrics, origin),
            // The agent refuses every other name.
            ("vsphere", _) => self.losses.push(Loss {
                code: Code::NotCollected,
                origin: Origin::of(integration.resource).at("spec.name"),
                message: format!("Alloy has no component for the integration `{name}`"),
                help: "remove it, or keep an agent for it",
            }),
            _ => {}
        }
        self.flush();
    }

    fn exporter(
        &mut self,
        (name, component, default): (&'p str, &'static str, &str),
        yaml: &'p Mapping<'p>,
        metrics: &Receivers,
        origin: Origin<'p>,
    ) {
        let instance = text(yaml, "instance");
        let suffix = if instance.is_empty() { default } else { instance };
        let label = self.label(component, &format!("integrations_{suffix}"));
        let Converted { body, unknown } = converted(component, yaml, &COMMON_KEYS);
        self.lose_keys(unknown, name, origin);
        self.put(Group::Sources, component, &label, body);
        let Some(scraping) = yaml.get("autoscrape").and_then(mapping) else {
            return;
        };
        if scraping.get("enable") != Some(&Value::Bool(true)) {
            return;
        }
        let mut rules = yaml_rules(scraping, "relabel_configs");
        let names_job = rules
            .iter()
            .any(|rule| rule.attribute("target_label") == Some(&"job".into()));
        rules.extend(extra_labels(yaml).map(|(key, value)| {
            Body::new()
                .with("source_labels", Expression::texts(["__address__"]))
                .with("target_label", key)
                .with("replacement", value)
        }));
        let set = |label: &'static str, value: Expression<'p>| {
            Body::new().with("target_label", label).with("replacement", value)
        };
        if !instance.is_empty() {
            rules.push(set("instance", instance.into()));
        }
        if !names_job {
            rules.push(set("job", format!("integrations/{name}").into()));
        }
        let (interval, timeout) = self.times(text(scraping, "scrape_interval"), text(scraping, "scrape_timeout"));
        let metrics_instance = match text(scraping, "metrics_instance") {
            "" => "default",
            instance => instance,
        };
        let forward_to = receivers_of(metrics, metrics_instance);
        let suffix = if instance.is_empty() { name } else { instance };
        let pipeline = Pipeline {
            label: self.label("prometheus.scrape", &format!("integrations_{suffix}")),
            job_name: format!("integrations/{suffix}").into(),
            targets: Expression::Export(component, label.into(), "targets"),
            rules,
            scrape: Body::new()
                .with("scrape_interval", interval)
                .with("scrape_timeout", timeout),
            sample_rules: yaml_rules(scraping, "metric_relabel_configs"),
        };
        self.pipeline(pipeline, forward_to);
    }

    fn events(&mut self, yaml: &'p Mapping<'p>, logs: &Receivers, origin: Origin<'p>) {
        let mut other = COMMON_KEYS.to_vec();
        other.extend(["logs_instance", "namespace"]);
        let Converted { body, unknown } = converted("loki.source.kubernetes_events", yaml, &other);
        self.lose_keys(unknown, "eventhandler", origin);
        let label = self.label("loki.source.kubernetes_events", "integrations_eventhandler");
        let mut forward_to = receivers_of(logs, text(yaml, "logs_instance"));
        let rules: Vec<_> = extra_labels(yaml)
            .map(|(key, value)| Body::new().with("target_label", key).with("replacement", value))
            .collect();
        if !rules.is_empty() {
            let body = Body::new().with("forward_to", forward_to).with_blocks("rule", rules);
            self.put(Group::Receivers, "loki.relabel", &label, body);
            forward_to = [Expression::Export("loki.relabel", label.clone().into(), "receiver")]
                .into_iter()
                .collect();
        }
        let namespaces = (!text(yaml, "namespace").is_empty()).then(|| Expression::texts([text(yaml, "namespace")]));
        let body = body
            .with("job_name", EVENTS_JOB)
            .with_option("namespaces", namespaces)
            .with("forward_to", forward_to);
        self.put(Group::Sources, "loki.source.kubernetes_events", &label, body);
    }

    fn app_agent_receiver(&mut self, yaml: &'p Mapping<'p>, logs: &Receivers, origin: Origin<'p>) {
        let mut other = COMMON_KEYS.to_vec();
        other.push("logs_instance");
        let Converted { body, unknown } = converted("faro.receiver", yaml, &other);
        self.lose_keys(unknown, "app_agent_receiver", origin);
        let instance = match text(yaml, "instance") {
            "" => "app_agent_receiver",
            instance => instance,
        };
        let label = self.label("faro.receiver", &format!("integrations_{instance}"));
        let output = Body::new()
            .with("logs", receivers_of(logs, text(yaml, "logs_instance")))
            .with("traces", Expression::List(Vec::new()));
        self.put(
            Group::Sources,
            "faro.receiver",
            &label,
            body.with_block("output", output),
        );
    }
}

/// The receivers of an instance; none where the agent has no such instance, and refuses to start.
fn receivers_of(receivers: &Receivers, instance: &str) -> Expression<'static> {
    receivers
        .get(instance)
        .cloned()
        .unwrap_or_else(|| Expression::List(Vec::new()))
}

fn extra_labels<'v>(yaml: &'v Mapping<'_>) -> impl Iterator<Item = (&'v str, Expression<'v>)> {
    let labels = yaml.get("extra_labels").and_then(mapping).into_iter();
    labels.flat_map(|labels| labels.iter().map(|(key, value)| (key, expression(value))))
}
