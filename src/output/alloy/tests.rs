//! Tests of complete configurations for small inputs, and of the fields that their parts come from.

use super::super::agent::tests::with_plan;
use super::convert::repeated::count_repetitions;
use super::*;
use crate::diagnostic::Code;
use crate::output::AlloyDiscovery;
use crate::plan::{SecretRepresentation, Watcher};

const AGENT: &str = "
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: a, namespace: ns}
spec:
  logLevel: debug
  logFormat: json
  apiServer: {host: 'https://k'}
  metrics:
    instanceSelector: {}
    shards: 2
    externalLabels: {cluster: c}
    replicaExternalLabelName: replica
    metricsExternalLabelName: agent
    scrapeInterval: 3m
    scrapeTimeout: 20s
    overrideHonorLabels: true
    enforcedTargetLimit: 9
  logs: {instanceSelector: {}, logsExternalLabelName: agent}
  integrations: {selector: {}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: m, namespace: ns}
spec:
  serviceMonitorSelector: {matchLabels: {app: shop}}
  remoteWrite:
    - url: 'http://first'
      queueConfig: {}
      sigv4: {}
    - url: 'http://second'
      queueConfig: {capacity: 7}
      writeRelabelConfigs: [{action: drop, sourceLabels: [a], regex: b}, {action: keep, sourceLabels: [c], regex: d}]
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: LogsInstance
metadata: {name: l, namespace: ns}
spec:
  podLogsSelector: {}
  targetConfig: {syncPeriod: 1m}
  clients: [{url: 'http://logs', externalLabels: {team: t}}, {url: 'http://other'}]
";

/// Fields from which the clients of [`AGENT`] are generated.
const CLIENTS: &[(&str, &str)] = &[
    ("", "l clients[0]"),
    ("external_labels agent", "a logs.logsExternalLabelName"),
    ("", "l clients[1]"),
    ("external_labels", "a logs.logsExternalLabelName"),
    ("external_labels agent", "a logs.logsExternalLabelName"),
];

/// Returns settings that make Alloy discover monitors itself.
fn watching_settings() -> AlloySettings {
    AlloySettings { discovery: AlloyDiscovery::Dynamic, ..AlloySettings::default() }
}

/// Calls `see` with the configuration and the components of a part.
fn trace(input: &str, part: ConfigKind, watches: bool, see: &mut dyn FnMut(&str, &[Component<'_>])) {
    let settings = if watches { watching_settings() } else { AlloySettings::default() };
    with_plan(input, part, &mut Vec::new(), |plan| {
        write_traced(plan, part, &settings, SecretRepresentation::Values, &mut |text, components| {
            see(text, components)
        });
    });
}

fn text(input: &str, part: ConfigKind) -> String {
    let mut all_text = String::new();
    trace(input, part, false, &mut |text, _| all_text.push_str(text));
    all_text
}

/// Returns the source fields of each part of the `kind` components, except those implied by an enclosing part.
fn fields(input: &str, part: ConfigKind, kind: &str) -> Vec<(String, String)> {
    let mut fields_by_component = Vec::new();
    trace(input, part, kind.starts_with("prometheus.operator."), &mut |_, components| {
        for component in components.iter().filter(|component| component.kind == kind) {
            for element in &component.elements {
                let mut names = Vec::new();
                let mut next_element = Some(element);
                while let Some(element) = next_element {
                    names.push(element.name.as_ref());
                    next_element = element.parent.map(|parent| &component.elements[parent]);
                }
                names.pop();
                names.reverse();
                if let Some(source) = element.source {
                    let path = source.path().to_string();
                    let path = path.strip_prefix("spec.").unwrap_or(&path);
                    fields_by_component.push((names.join(" "), format!("{} {path}", source.object().name)));
                }
            }
        }
    });
    fields_by_component
}

#[track_caller]
fn assert_fields(input: &str, part: ConfigKind, kind: &str, expected: &[(&str, &str)]) {
    let actual = fields(input, part, kind);
    let actual: Vec<_> = actual.iter().map(|(at, field)| (at.as_str(), field.as_str())).collect();
    assert_eq!(actual, expected, "{kind}");
}

#[test]
fn reports_differences_for_additional_jobs() {
    let metrics = |job| (ConfigKind::Metrics, "MetricsInstance", job);
    let logs = |job| (ConfigKind::Logs, "LogsInstance", job);
    for ((part, kind, job), expected) in [
        (metrics("foo_sd_configs: []"), "Alloy has no component for this field"),
        (metrics("digitalocean_sd_configs: [{}]"), "Alloy needs a bearer token for `digitalocean_sd_configs[0]`"),
        (metrics("oauth2: {client_id: a}"), "Alloy needs a client secret for `oauth2`"),
        (
            metrics("sample_limit: 5, metric_relabel_configs: [{action: drop, regex: a}]"),
            "Alloy applies `sample_limit` before the metric relabeling rules, but the agent applies it after them",
        ),
        (
            metrics("relabel_configs: [{action: labeldrop, regex: job}]"),
            "Alloy removes or renames the `job` label of exposed metrics, because `relabel_configs[0].regex` removes the target's `job` label",
        ),
        (
            metrics("relabel_configs: [{source_labels: [x], target_label: job}]"),
            "Alloy sets `job` to the job name if `relabel_configs[0]` leaves the label empty",
        ),
        (
            metrics("static_configs: [{targets: [a]}]"),
            "if a target in `static_configs[0].targets` has no port, the agent adds one to `instance`, but Alloy does not",
        ),
        (
            metrics("relabel_configs: [{action: labeldrop, regex: __scheme__}]"),
            "Alloy scrapes or sends more than the agent because of `relabel_configs[0]`",
        ),
        (
            metrics("metric_relabel_configs: [{target_label: __name__, replacement: 9}]"),
            "Alloy scrapes or sends more than the agent because of `metric_relabel_configs[0]`",
        ),
        (metrics("body_size_limit: 1MB, hush: 1"), ""),
        (metrics("http_headers: {}, scrape_protocols: []"), ""),
        (logs("kafka: {}"), "Alloy has no component for `kafka`"),
        (
            logs("decompression: {enabled: true, format: x}"),
            "neither Alloy nor the agent reads any lines, because `decompression` sets no supported format",
        ),
        (
            logs("static_configs: [], pipeline_stages: [{replace: {expression: (a), replace: '{{ .a'}}]"),
            "Alloy omits a stage, because `pipeline_stages[0].replace.replace` is not a valid template",
        ),
        (
            logs("static_configs: [], pipeline_stages: [{metrics: {}}]"),
            "Alloy labels the metrics of `pipeline_stages[0].metrics` differently than the agent does",
        ),
        (
            logs("static_configs: [], pipeline_stages: [{drop: {source: [a, b], separator: '', expression: c}}]"),
            "Alloy does not support this field in `pipeline_stages[0].drop`",
        ),
    ] {
        let input = format!(
            "
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {{name: a, namespace: ns}}
spec: {{metrics: {{instanceSelector: {{}}}}, logs: {{instanceSelector: {{}}}}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: {kind}
metadata: {{name: i, namespace: ns}}
spec: {{additionalScrapeConfigs: {{name: s, key: k}}}}
---
apiVersion: v1
kind: Secret
metadata: {{name: s, namespace: ns}}
stringData:
  k: |
    - {{job_name: j, {job}}}
"
        );
        let mut losses = with_plan(&input, part, &mut Vec::new(), |plan| {
            write(plan, part, &AlloySettings::default(), SecretRepresentation::Values, &mut |_| {}).losses
        });
        // A finding with this code applies to the entire configuration rather than to a job.
        losses.retain(|loss| loss.code != Code::ChangedCounter);
        let messages: Vec<_> = losses.iter().map(|loss| loss.message.as_str()).collect();
        let expected = match expected {
            "" => Vec::new(),
            problem => vec![format!("{problem} (additional scrape job, line 1 of the Secret's value)")],
        };
        assert_eq!(messages, expected, "{job}");
    }
}

#[test]
fn reports_unused_agent_settings() {
    let instance = "---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: i, namespace: ns}
spec: {}
";
    let container = "containers: [{name: other, image: x, args: [a]}, {name: grafana-agent, image: x, args: [a], env: [{name: A, value: b}]}]";
    for (spec, instance, watches, expected) in [
        ("image: x, version: v1", "", false, &["spec.image"][..]),
        ("image: '', version: v1", "", false, &["spec.version"]),
        (container, "", false, &["spec.containers[1].image", "spec.containers[1].args", "spec.containers[1].env"]),
        ("enableConfigReadAPI: true", "", true, &["spec.enableConfigReadAPI"]),
        ("apiServer: {host: x}", instance, false, &["spec.metrics"]),
        ("apiServer: {host: x}", instance, true, &["spec.metrics", "spec.apiServer"]),
        ("METRICS{enforcedSampleLimit: 5, ", instance, true, &["spec.metrics", "spec.metrics.enforcedSampleLimit"]),
        (
            "apiServer: {host: x}, METRICS{enforcedSampleLimit: 5, overrideHonorLabels: true, ",
            instance,
            true,
            &["spec.metrics", "spec.metrics.overrideHonorLabels"],
        ),
    ] {
        let metrics_spec = match spec.split_once("METRICS{") {
            Some((before, fields)) => format!("{before}metrics: {{{fields}"),
            None => format!("{spec}, metrics: {{"),
        };
        let input = format!(
            "
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {{name: a, namespace: ns}}
spec: {{{metrics_spec}instanceSelector: {{}}}}}}
{instance}"
        );
        let watcher = watches.then_some(Watcher { can_deny_files: true });
        let losses = with_plan(&input, ConfigKind::Metrics, &mut Vec::new(), |plan| losses(plan, watcher));
        let paths: Vec<_> = losses.iter().map(|loss| loss.path.as_deref().unwrap()).collect();
        assert_eq!(paths, expected, "{input}");
    }
}

#[test]
fn reports_differences_for_discovered_monitors() {
    for (endpoints, expected) in [
        (
            "{port: a, interval: 5s}",
            &[
                "Alloy excludes finished pods from 1 endpoint without `filterRunning`",
                "Alloy rejects this monitor, because its interval of 5s is shorter than the default timeout of 10s",
            ][..],
        ),
        ("{port: a}, {port: b}", &["Alloy excludes finished pods from 2 endpoints without `filterRunning`"]),
        ("{interval: 5s, scrapeTimeout: 5s, filterRunning: false}", &[]),
        ("{interval: 10s, filterRunning: false}", &[]),
        (
            "{path: '/$$x', filterRunning: true}, {filterRunning: true}",
            &["the agent replaces variables and `$$` here, but Alloy does not"],
        ),
    ] {
        let input = format!(
            "
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {{name: a, namespace: ns}}
spec: {{metrics: {{instanceSelector: {{}}}}}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {{name: i, namespace: ns}}
spec: {{serviceMonitorSelector: {{}}}}
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {{name: s, namespace: ns}}
spec: {{selector: {{}}, endpoints: [{endpoints}]}}
"
        );
        let losses = with_plan(&input, ConfigKind::Metrics, &mut Vec::new(), |plan| {
            write(plan, ConfigKind::Metrics, &watching_settings(), SecretRepresentation::Values, &mut |_| {}).losses
        });
        let messages: Vec<_> = losses.iter().map(|loss| loss.message.as_str()).collect();
        assert_eq!(messages, expected, "{endpoints}");
    }
}

#[test]
fn reports_whether_components_contain_masked_secrets() {
    for (endpoint, expected) in [
        ("port: a", false),
        ("params: {token: [x]}", true),
        ("relabelings: [{targetLabel: __param_token, replacement: x}]", true),
    ] {
        let input = format!(
            "{AGENT}---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {{name: s, namespace: ns, labels: {{app: shop}}}}
spec: {{selector: {{}}, endpoints: [{{{endpoint}}}, {{port: b}}]}}
"
        );
        let has_masked = with_plan(&input, ConfigKind::Metrics, &mut Vec::new(), |plan| {
            write(plan, ConfigKind::Metrics, &AlloySettings::default(), SecretRepresentation::Masked, &mut |_| {})
                .has_masked
        });
        assert_eq!(has_masked, expected, "{endpoint}");
    }
}

#[test]
fn masks_values_derived_from_secrets() {
    let jobs = "---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: first, namespace: ns}
spec: {additionalScrapeConfigs: {name: jobs, key: k}}
---
apiVersion: v1
kind: Secret
metadata: {name: jobs, namespace: ns}
stringData:
  k: '[{job_name: j, kubernetes_sd_configs: [{role: endpoints, api_server: https://k, namespaces: {names: [ns]}}]}]'
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: s, namespace: ns, labels: {app: shop}}
spec: {selector: {}, endpoints: [{port: http}]}
";
    let input = format!("{AGENT}{jobs}");
    for (secrets, expected) in [
        (SecretRepresentation::Values, "targets = discovery.kubernetes.endpoints.targets\n"),
        (SecretRepresentation::Masked, "targets = discovery.kubernetes.***.targets\n"),
    ] {
        let text = with_plan(&input, ConfigKind::Metrics, &mut Vec::new(), |plan| {
            let mut text = String::new();
            let settings = AlloySettings::default();
            write(plan, ConfigKind::Metrics, &settings, secrets, &mut |piece| text.push_str(piece));
            text
        });
        let (_, relabel) = text.split_once("discovery.relabel \"s_http\" {\n\t").unwrap_or(("", &text));
        assert!(relabel.starts_with(expected), "{text}");
    }
}

#[test]
fn omits_empty_queues() {
    let text = text(AGENT, ConfigKind::Metrics);
    let (first, second) = text.split_once("http://second").unwrap();
    assert!(!first.contains("queue_config"), "{first}");
    assert!(first.contains("sigv4 { }"), "{first}");
    assert!(second.contains("queue_config {\n\t\t\tcapacity"), "{second}");
}

#[test]
fn traces_metrics_pipelines_to_their_fields() {
    let monitor = "
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: s, namespace: ns, labels: {app: shop}}
spec:
  selector: {}
  sampleLimit: 5
  targetLimit: 6
  namespaceSelector: {any: true}
  endpoints:
    - port: http
      interval: 10s
      path: /x
      relabelings: [{sourceLabels: [__scheme__], targetLabel: a}]
      metricRelabelings: [{sourceLabels: [le], targetLabel: b}]
    - port: admin
";
    let input = format!("{AGENT}{monitor}");
    let part = ConfigKind::Metrics;
    assert_fields(&input, part, "logging", &[("", "a spec"), ("level", "a logLevel"), ("format", "a logFormat")]);
    assert_fields(
        &input,
        part,
        "discovery.kubernetes",
        &[("", "s namespaceSelector"), ("api_server", "a apiServer.host")],
    );
    for (client, block, field) in [
        ("bearerToken: t", "authorization", "a apiServer"),
        ("tlsConfig: {insecureSkipVerify: true}", "tls_config", "a apiServer.tlsConfig"),
        (
            "basicAuth: {username: {name: x, key: u}, password: {name: x, key: p}}",
            "basic_auth",
            "a apiServer.basicAuth",
        ),
    ] {
        let input = input.replace("{host: 'https://k'}", &format!("{{host: 'https://k', {client}}}"));
        let expected = [("", "s namespaceSelector"), ("api_server", "a apiServer.host"), (block, field)];
        assert_fields(&input, part, "discovery.kubernetes", &expected);
    }
    assert_fields(
        &input,
        part,
        "discovery.relabel",
        &[
            ("", "s endpoints[0]"),
            ("targets", "s namespaceSelector"),
            ("rule", "s endpoints[0]"),
            ("rule", "s endpoints[0].port"),
            ("rule", "s endpoints[0]"),
            ("rule", "s endpoints[0]"),
            ("rule", "s endpoints[0]"),
            ("rule", "s endpoints[0]"),
            ("rule", "s endpoints[0]"),
            ("rule", "s endpoints[0]"),
            ("rule", "s endpoints[0]"),
            ("rule", "s endpoints[0].port"),
            ("rule", "s endpoints[0].relabelings[0]"),
            ("rule", "a metrics.shards"),
            ("rule", "a metrics.shards"),
            ("", "s endpoints[1]"),
            ("targets", "s namespaceSelector"),
            ("rule", "s endpoints[1].port"),
            ("rule", "s endpoints[1]"),
            ("rule", "s endpoints[1]"),
            ("rule", "s endpoints[1]"),
            ("rule", "s endpoints[1]"),
            ("rule", "s endpoints[1]"),
            ("rule", "s endpoints[1]"),
            ("rule", "s endpoints[1]"),
            ("rule", "s endpoints[1].port"),
            ("rule", "a metrics.shards"),
            ("rule", "a metrics.shards"),
        ],
    );
    assert_fields(
        &input,
        part,
        "prometheus.scrape",
        &[
            ("", "s endpoints[0]"),
            ("sample_limit", "s sampleLimit"),
            ("target_limit", "a metrics.enforcedTargetLimit"),
            ("", "s endpoints[1]"),
            ("scrape_interval", "a metrics.scrapeInterval"),
            ("scrape_timeout", "a metrics.scrapeTimeout"),
            ("sample_limit", "s sampleLimit"),
            ("target_limit", "a metrics.enforcedTargetLimit"),
        ],
    );
    assert_fields(
        &input,
        part,
        "prometheus.relabel",
        &[
            ("", "s endpoints[0]"),
            ("rule", "s endpoints[0]"),
            ("rule", "s endpoints[0].metricRelabelings[0]"),
            ("", "s endpoints[0]"),
            ("rule", "s endpoints[0]"),
        ],
    );
    assert_fields(
        &input,
        part,
        "prometheus.remote_write",
        &[
            ("", "m "),
            ("external_labels", "a metrics.externalLabels"),
            ("external_labels agent", "a metrics.metricsExternalLabelName"),
            ("external_labels replica", "a metrics.replicaExternalLabelName"),
            ("endpoint", "m remoteWrite[0]"),
            ("endpoint", "m remoteWrite[1]"),
            ("endpoint write_relabel_config", "m remoteWrite[1].writeRelabelConfigs[0]"),
            ("endpoint write_relabel_config", "m remoteWrite[1].writeRelabelConfigs[1]"),
        ],
    );
}

#[test]
fn traces_log_pipelines_to_their_fields() {
    let pods = "
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: PodLogs
metadata: {name: p, namespace: ns}
spec:
  selector: {}
  namespaceSelector: {any: true}
  relabelings: [{targetLabel: a, replacement: b}]
  pipelineStages:
    - cri: {}
    - match: {selector: '{a=\"b\"}', stages: '[{labelDrop: [x]}, {docker: {}}]'}
    - labelDrop: [a]
    - labelAllow: [b]
";
    let input = format!("{AGENT}{pods}");
    let part = ConfigKind::Logs;
    assert_fields(
        &input,
        part,
        "discovery.relabel",
        &[
            ("", "p "),
            ("targets", "p namespaceSelector"),
            ("rule", "p "),
            ("rule", "p "),
            ("rule", "p "),
            ("rule", "p "),
            ("rule", "p "),
            ("rule", "p "),
            ("rule", "p relabelings[0]"),
        ],
    );
    assert_fields(&input, part, "loki.source.file", &[("", "p "), ("file_match", "l targetConfig")]);
    assert_fields(
        &input,
        part,
        "loki.process",
        &[
            ("", "p "),
            ("stage.cri", "p pipelineStages[0].cri"),
            ("stage.match", "p pipelineStages[1].match"),
            ("stage.match stage.label_drop", "p pipelineStages[1].match.stages"),
            ("stage.match stage.docker", "p pipelineStages[1].match.stages"),
            ("stage.label_drop", "p pipelineStages[2].labelDrop"),
            ("stage.label_keep", "p pipelineStages[3].labelAllow"),
        ],
    );
    assert_fields(&input, part, "loki.write", CLIENTS);
}

#[test]
fn traces_integrations_to_their_fields() {
    let integration = "
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: Integration
metadata: {name: node, namespace: ns}
spec:
  name: node_exporter
  type: {allNodes: true}
  config:
    rootfs_path: /host
    extra_labels: {e: g}
    autoscrape:
      enable: true
      metrics_instance: ns/m
      scrape_interval: 5s
      relabel_configs: [{target_label: a, replacement: b}]
      metric_relabel_configs: [{source_labels: [le], target_label: b}]
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: Integration
metadata: {name: e, namespace: ns}
spec:
  name: eventhandler
  type: {allNodes: true}
  config: {logs_instance: ns/l, namespace: x, instance: i}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: Integration
metadata: {name: f, namespace: ns}
spec:
  name: app_agent_receiver
  type: {allNodes: true}
  config: {logs_instance: ns/l}
";
    let input = format!("{AGENT}{integration}");
    let part = ConfigKind::Integrations { all_nodes: true };
    assert_fields(&input, part, "prometheus.exporter.unix", &[("", "node config")]);
    assert_fields(
        &input,
        part,
        "discovery.relabel",
        &[
            ("", "node config.autoscrape"),
            ("targets", "node config"),
            ("rule", "node config.autoscrape.relabel_configs[0]"),
            ("rule", "node config"),
            ("rule", "node config"),
        ],
    );
    // The extra label is set before the rule that reads it.
    let input_with_reading_rule =
        input.replace("[{target_label: a, replacement: b}]", "[{source_labels: [e], target_label: a}]");
    assert_fields(
        &input_with_reading_rule,
        part,
        "discovery.relabel",
        &[
            ("", "node config.autoscrape"),
            ("targets", "node config"),
            ("rule", "node config"),
            ("rule", "node config.autoscrape.relabel_configs[0]"),
            ("rule", "node config"),
        ],
    );
    // The source of a guard is the preceding rule.
    let input_with_variable = input.replace(
        "[{target_label: a, replacement: b}]",
        "[{source_labels: [e], target_label: a_$1}, {target_label: b, replacement: c}]",
    );
    let actual = fields(&input_with_variable, part, "discovery.relabel");
    let relabel_fields: Vec<_> = actual.iter().filter(|(_, field)| field.contains("relabel_configs")).collect();
    let expected = [0, 0, 1].map(|index| format!("node config.autoscrape.relabel_configs[{index}]"));
    assert_eq!(relabel_fields.iter().map(|(_, field)| field).collect::<Vec<_>>(), expected.iter().collect::<Vec<_>>());
    assert_fields(
        &input,
        part,
        "prometheus.scrape",
        &[("", "node config.autoscrape"), ("forward_to", "node config.autoscrape.metrics_instance")],
    );
    assert_fields(
        &input,
        part,
        "prometheus.relabel",
        &[
            ("", "node config.autoscrape"),
            ("forward_to", "node config.autoscrape.metrics_instance"),
            ("rule", "node config.autoscrape"),
            ("rule", "node config.autoscrape.metric_relabel_configs[0]"),
            ("", "node config.autoscrape"),
            ("forward_to", "node config.autoscrape.metrics_instance"),
            ("rule", "node config.autoscrape"),
        ],
    );
    assert_fields(
        &input,
        part,
        "loki.relabel",
        &[("", "e config"), ("forward_to", "e config.logs_instance"), ("rule", "e config"), ("rule", "e config")],
    );
    assert_fields(
        &input,
        part,
        "loki.source.kubernetes_events",
        &[("", "e config"), ("forward_to", "e config.logs_instance"), ("namespaces", "e config.namespace")],
    );
    assert_fields(&input, part, "faro.receiver", &[("", "f config"), ("output", "f config.logs_instance")]);
    assert_fields(
        &input,
        part,
        "prometheus.remote_write",
        &[
            ("", "m "),
            ("external_labels", "a metrics.externalLabels"),
            ("external_labels agent", "a metrics.metricsExternalLabelName"),
            ("endpoint", "m remoteWrite[0]"),
            ("endpoint", "m remoteWrite[1]"),
            ("endpoint write_relabel_config", "m remoteWrite[1].writeRelabelConfigs[0]"),
            ("endpoint write_relabel_config", "m remoteWrite[1].writeRelabelConfigs[1]"),
        ],
    );
    assert_fields(&input, part, "loki.write", CLIENTS);
}

#[test]
fn traces_monitor_discovery_to_its_fields() {
    let input = AGENT.replace("overrideHonorLabels: true", "arbitraryFSAccessThroughSMs: {deny: true}");
    let input = input.replace("enforcedTargetLimit", "enforcedSampleLimit");
    assert_fields(
        &input,
        ConfigKind::Metrics,
        "prometheus.operator.servicemonitors",
        &[
            ("", "m serviceMonitorSelector"),
            ("namespaces", "m serviceMonitorNamespaceSelector"),
            ("client", "a apiServer"),
            ("selector", "m serviceMonitorSelector"),
            ("rule", "a metrics.shards"),
            ("rule", "a metrics.shards"),
            ("scrape default_scrape_interval", "a metrics.scrapeInterval"),
            ("scrape default_scrape_timeout", "a metrics.scrapeTimeout"),
            ("scrape default_sample_limit", "a metrics.enforcedSampleLimit"),
        ],
    );
    // Alloy denies access to files by default.
    let fields_without_deny =
        fields(&input.replace("{deny: true}", "{}"), ConfigKind::Metrics, "prometheus.operator.servicemonitors");
    let files = ("allow_arbitrary_file_access", "a metrics.arbitraryFSAccessThroughSMs");
    assert!(
        fields_without_deny.iter().any(|(at, field)| (at.as_str(), field.as_str()) == files),
        "{fields_without_deny:?}"
    );
}

#[test]
fn clearing_a_plan_removes_instances_and_integrations() {
    let integration = "
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: Integration
metadata: {name: node, namespace: ns}
spec: {name: node_exporter, type: {allNodes: true}, config: {}}
";
    let input = format!("{AGENT}{integration}");
    let count = |plan: &Plan<'_>| (plan.instances().count(), plan.integrations.len());
    let part = ConfigKind::Integrations { all_nodes: true };
    let counts = with_plan(&input, part, &mut Vec::new(), |plan| {
        let count_before = count(plan);
        plan.clear();
        [count_before, count(plan)]
    });
    assert_eq!(counts, [(2, 1), (0, 0)]);
}

#[test]
fn jobs_use_intervals_of_the_endpoint_or_agent() {
    let line = |name: &str, value: &str| match value {
        "" => String::new(),
        value => format!("    {name}: {value}\n"),
    };
    for ([agent, agent_timeout], [own_interval, own_timeout], [interval, timeout]) in [
        (["", ""], ["", ""], ["", ""]),
        (["3m", "20s"], ["", ""], ["3m0s", "20s"]),
        (["3m", "20s"], ["2m", "15s"], ["2m0s", "15s"]),
        (["3m", "20s"], ["11s", ""], ["11s", "11s"]),
        (["3m", "20s"], ["20s", ""], ["20s", "20s"]),
        (["3m", "20s"], ["0s", "0s"], ["3m0s", "20s"]),
        (["0s", "0s"], ["", ""], ["", ""]),
        (["", ""], ["5s", ""], ["5s", "5s"]),
        (["5s", ""], ["", ""], ["5s", "5s"]),
        (["5s", ""], ["1m", ""], ["", "5s"]),
        (["15s", ""], ["1m", ""], ["", ""]),
        (["", ""], ["30s", "30s"], ["30s", "30s"]),
        (["", ""], ["30s", "40s"], ["30s", "30s"]),
    ] {
        let times = line("scrapeInterval", agent) + &line("scrapeTimeout", agent_timeout);
        let input = AGENT.replace("    scrapeInterval: 3m\n    scrapeTimeout: 20s\n", &times);
        let own_times = line("  interval", own_interval) + &line("  scrapeTimeout", own_timeout);
        let input = format!(
            "{input}---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {{name: s, namespace: ns, labels: {{app: shop}}}}
spec:
  selector: {{}}
  endpoints:
    - port: http
{own_times}"
        );
        let text = text(&input, ConfigKind::Metrics);
        let (_, scrape_component) = text.split_once("prometheus.scrape ").unwrap_or_else(|| panic!("{input} {text}"));
        let (scrape_body, _) = scrape_component.split_once("\n}").unwrap();
        let value = |name: &str| {
            let line = scrape_body.lines().find_map(|line| line.trim().strip_prefix(name));
            line.map_or("", |line| line.trim_start_matches([' ', '=']).trim_matches('"')).to_owned()
        };
        assert_eq!([value("scrape_interval"), value("scrape_timeout")], [interval, timeout], "{input}");
    }
}

/// Returns an input with several instances of each item that may be repeated.
fn repeating_manifest() -> String {
    let pods = |name: &str| {
        format!(
            "---
apiVersion: monitoring.grafana.com/v1alpha1
kind: PodLogs
metadata: {{name: {name}, namespace: ns}}
spec: {{selector: {{}}, pipelineStages: [{{docker: {{}}}}, {{labels: {{a: b, 'c d': e}}}}]}}
"
        )
    };
    let jobs = "---
apiVersion: v1
kind: Secret
metadata: {name: jobs, namespace: ns}
stringData:
  metrics: |
    - job_name: listed
      static_configs:
        - {targets: [a, b], labels: {x: '1', z: '2'}}
        - {targets: [c]}
        - {labels: {x: '1'}}
  logs: '[{job_name: logs, static_configs: [{targets: [localhost], labels: {__path__: /x}}]}]'
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: Integration
metadata: {name: events, namespace: ns}
spec: {name: eventhandler, type: {allNodes: true}, config: {logs_instance: ns/l}}
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: s, namespace: ns, labels: {app: shop}}
spec: {selector: {}, endpoints: [{port: http, params: {'a b': [c]}, metricRelabelings: [{action: drop, regex: x}]}]}
";
    let input =
        AGENT.replace("  remoteWrite:", "  additionalScrapeConfigs: {name: jobs, key: metrics}\n  remoteWrite:");
    let input = input
        .replace("  podLogsSelector: {}", "  podLogsSelector: {}\n  additionalScrapeConfigs: {name: jobs, key: logs}");
    format!("{input}{}{}{jobs}", pods("one"), pods("two"))
}

#[test]
fn counts_repeated_labels_and_clients() {
    let input = repeating_manifest();
    let count = |input: &str| with_plan(input, ConfigKind::Logs, &mut Vec::new(), |plan| count_repetitions(plan));
    let metrics_count = with_plan(&input, ConfigKind::Metrics, &mut Vec::new(), |plan| count_repetitions(plan));
    let integration_count = with_plan(&input, ConfigKind::Integrations { all_nodes: true }, &mut Vec::new(), |plan| {
        count_repetitions(plan)
    });
    // Two targets have two labels and an address each, and one target has only an address.
    let listed_label_count = 2 * 3 + 1;
    assert_eq!(metrics_count, listed_label_count);
    // The counts consist of the clients of two PodLogs and one job, the job's address and label, and the clients for
    // events.
    let logs_count = 3 * 2 + 2 + 2;
    assert_eq!(count(&input), logs_count);
    assert_eq!(count(&input.replace("logs_instance: ns/l", "")), logs_count - 2);
    assert_eq!(integration_count, listed_label_count + logs_count);
}

#[test]
fn traced_elements_have_spans_and_indexes() {
    let input = repeating_manifest();
    let mut element_count = 0;
    for part in [ConfigKind::Metrics, ConfigKind::Logs, ConfigKind::Integrations { all_nodes: true }] {
        trace(&input, part, false, &mut |text, components| {
            for component in components {
                let mut numbers = std::collections::BTreeMap::new();
                for (element_index, element) in component.elements.iter().enumerate() {
                    let element_text = &text[element.bytes.clone()];
                    let name = element_text.trim_start_matches('"');
                    assert!(name.starts_with(&*element.name), "{element_text} {}", element.name);
                    let count = |brackets: [char; 2]| brackets.map(|one| element_text.matches(one).count());
                    let [opened_braces, closed_braces] = count(['{', '}']);
                    assert!(opened_braces == closed_braces && element_text.trim() == element_text, "{element_text}");
                    let text_after = &text[element.bytes.end..];
                    assert!(text_after.starts_with('\n') || text_after.starts_with(",\n"), "{element_text}");
                    assert!(element.parent.is_none_or(|parent| parent < element_index), "{element_text}");
                    if let Some(parent) = element.parent {
                        let enclosing_bytes = &component.elements[parent].bytes;
                        assert!(
                            enclosing_bytes.start < element.bytes.start && element.bytes.end < enclosing_bytes.end,
                            "{element_text}"
                        );
                    }
                    if let Some(number) = element.number {
                        // All stages share one numbering.
                        let family = element.name.split('.').next().unwrap();
                        let next_number = numbers.entry((element.parent, family.to_owned())).or_insert(0);
                        assert_eq!(number, *next_number, "{element_text}");
                        *next_number += 1;
                        element_count += usize::from(number > 0);
                    }
                }
            }
        });
    }
    assert!(element_count > 10, "{element_count}");
}
