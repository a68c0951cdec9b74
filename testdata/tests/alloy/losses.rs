//! Tests that each setting that Alloy does not support is documented and is reported at its field.

use std::collections::BTreeSet;
use std::fs;

use rayon::prelude::*;

use crate::support::{report, run, scratch};

/// Kinds and specs of an agent and of the instances through which it sends data.
const BASE: [(&str, &str); 3] = [
    ("GrafanaAgent", "{metrics: {instanceSelector: {}}, logs: {instanceSelector: {}}, integrations: {selector: {}}}"),
    (
        "MetricsInstance",
        "{remoteWrite: [{url: http://mimir/push}], podMonitorSelector: {}, probeSelector: {}, serviceMonitorSelector: {}}",
    ),
    ("LogsInstance", "{clients: [{url: http://loki/push}], podLogsSelector: {}}"),
];

/// The code of a finding, part of its message, a kind, and a `spec` of that kind in which `@` marks the unsupported
/// value or key.
type Loss = (&'static str, &'static str, &'static str, &'static str);

const LOSSES: [Loss; 72] = [
    ("lost-setting", "no API that returns its configuration", "GrafanaAgent", "{enableConfigReadAPI: @true}"),
    (
        "agent-image",
        "which Alloy does not use",
        "GrafanaAgent",
        "{image: @a:1, version: v1, containers: [{name: grafana-agent, image: a:1}]}",
    ),
    ("agent-image", "which Alloy does not use", "GrafanaAgent", "{version: @v1}"),
    (
        "agent-image",
        "which Alloy does not use",
        "GrafanaAgent",
        "{containers: [{name: a, image: a:1}, {name: grafana-agent, image: @a:1}]}",
    ),
    ("lost-setting", "`command` of container", "GrafanaAgent", "{containers: [{name: grafana-agent, @command: [a]}]}"),
    ("lost-setting", "`args` of container", "GrafanaAgent", "{containers: [{name: grafana-agent, @args: [-a]}]}"),
    (
        "lost-setting",
        "`env` of container",
        "GrafanaAgent",
        "{containers: [{name: a}, {name: grafana-agent, @env: [{name: A, value: b}]}]}",
    ),
    (
        "lost-setting",
        "`envFrom` of container",
        "GrafanaAgent",
        "{containers: [{name: grafana-agent, @envFrom: [{configMapRef: {name: a}}]}]}",
    ),
    (
        "lost-setting",
        "`ports` of container",
        "GrafanaAgent",
        "{containers: [{name: grafana-agent, @ports: [{containerPort: 1}]}]}",
    ),
    (
        "lost-setting",
        "`livenessProbe` of container",
        "GrafanaAgent",
        "{containers: [{name: grafana-agent, @livenessProbe: {tcpSocket: {port: 1}}}]}",
    ),
    (
        "lost-setting",
        "`readinessProbe` of container",
        "GrafanaAgent",
        "{containers: [{name: grafana-agent, @readinessProbe: {periodSeconds: 1}}]}",
    ),
    (
        "lost-setting",
        "`startupProbe` of container",
        "GrafanaAgent",
        "{containers: [{name: grafana-agent, @startupProbe: {tcpSocket: {port: 1}}}]}",
    ),
    (
        "lost-setting",
        "`lifecycle` of container",
        "GrafanaAgent",
        "{containers: [{name: grafana-agent, @lifecycle: {preStop: {exec: {command: [a]}}}}]}",
    ),
    (
        "lost-setting",
        "`workingDir` of container",
        "GrafanaAgent",
        "{containers: [{name: grafana-agent, workingDir: @/tmp}]}",
    ),
    ("lost-on-shutdown", "staleness markers", "MetricsInstance", "{writeStaleOnShutdown: @true}"),
    (
        "lost-on-shutdown",
        "it sends pending samples for up to one minute",
        "MetricsInstance",
        "{remoteFlushDeadline: @10s}",
    ),
    (
        "early-limit",
        "the sample limit of 5 before these rules",
        "PodMonitor",
        "{selector: {}, sampleLimit: 5, podMetricsEndpoints: [{port: a, @metricRelabelings: [{action: labeldrop, regex: a}]}]}",
    ),
    (
        "lost-metadata",
        "the type, help text and unit of each metric are lost",
        "GrafanaAgent",
        "{@metrics: {instanceSelector: {}, remoteWrite: [{url: 'http://a', metadataConfig: {send: true}}]}}",
    ),
    (
        "changed-label",
        "also copies the label `__meta_kubernetes_pod_container_init`",
        "ServiceMonitor",
        "{selector: {}, endpoints: [{port: a, relabelings: [@{action: labelmap, regex: __meta_kubernetes_(.+)}]}]}",
    ),
    (
        "changed-scrape",
        "this path is empty after variables are replaced, so the agent requests `/`",
        "PodMonitor",
        "{selector: {}, podMetricsEndpoints: [{port: a, path: @'${UNSET}'}]}",
    ),
    (
        "changed-scrape",
        "this path is empty after variables are replaced, so the agent requests `/`",
        "Probe",
        "{prober: {url: p, path: @'${UNSET}'}, targets: {staticConfig: {static: [a]}}}",
    ),
    (
        "changed-scrape",
        "removes `__scrape_interval__`, so the agent discards the target",
        "PodMonitor",
        "{selector: {}, podMetricsEndpoints: [{port: a, relabelings: [@{action: labelkeep, regex: job|__address__}]}]}",
    ),
    (
        "changed-scrape",
        "can produce an invalid metric name",
        "PodMonitor",
        "{selector: {}, podMetricsEndpoints: [{port: a, metricRelabelings: [@{sourceLabels: [__name__, a], targetLabel: __name__}]}]}",
    ),
    (
        "changed-scrape",
        "removes the metric name",
        "PodMonitor",
        "{selector: {}, podMetricsEndpoints: [{port: a, metricRelabelings: [@{action: labelkeep, regex: le}]}]}",
    ),
    ("early-limit", "`label_limit`", "MetricsInstance", "{@additionalScrapeConfigs: {name: jobs, key: labels}}"),
    (
        "changed-label",
        "Alloy sets `job` to `podMonitor/monitoring/it/0` if this rule leaves the label empty",
        "PodMonitor",
        "{selector: {}, podMetricsEndpoints: [{port: a, relabelings: \
         [@{sourceLabels: [__meta_kubernetes_pod_label_a], targetLabel: job}]}]}",
    ),
    (
        "changed-label",
        "because this rule removes the target's `job` label",
        "PodMonitor",
        "{selector: {}, podMetricsEndpoints: [{port: a, relabelings: [@{sourceLabels: [a], targetLabel: job}]}]}",
    ),
    (
        "changed-label",
        "if `relabel_configs[1]` leaves the label empty",
        "MetricsInstance",
        "{@additionalScrapeConfigs: {name: jobs, key: job}}",
    ),
    (
        "changed-label",
        "Alloy renames the `job` label of exposed metrics to `exported_job`",
        "PodMonitor",
        "{selector: {}, podMetricsEndpoints: [{port: a, relabelings: [@{action: labeldrop, regex: job}]}]}",
    ),
    (
        "changed-label",
        "Alloy removes the `job` label of exposed metrics",
        "PodMonitor",
        "{selector: {}, podMetricsEndpoints: [{port: a, honorLabels: true, relabelings: [@{action: labelkeep, regex: __.*}]}]}",
    ),
    (
        "changed-label",
        "because `relabel_configs[0].regex` removes the target's `job` label",
        "MetricsInstance",
        "{@additionalScrapeConfigs: {name: jobs, key: nojob}}",
    ),
    (
        "changed-label",
        "for a target without a port, `instance`",
        "PodMonitor",
        "{selector: {}, podMetricsEndpoints: [@{path: /}]}",
    ),
    (
        "changed-label",
        "if a target in `static_configs[1].targets` has no port",
        "MetricsInstance",
        "{@additionalScrapeConfigs: {name: jobs, key: port}}",
    ),
    (
        "changed-label",
        "if a target in `kubernetes_sd_configs` has no port",
        "MetricsInstance",
        "{@additionalScrapeConfigs: {name: jobs, key: pods}}",
    ),
    (
        "changed-label",
        "copies additional labels because of `relabel_configs[0].action`",
        "MetricsInstance",
        "{@additionalScrapeConfigs: {name: jobs, key: nodes}}",
    ),
    (
        "changed-label",
        "collects Alloy's own metrics",
        "Integration",
        "{name: agent, type: {allNodes: true}, @config: {instance: a, extra_labels: {agent_hostname: a}, autoscrape: {enable: true, metrics_instance: monitoring/it}}}",
    ),
    (
        "not-collected",
        "the `vsphere` integration",
        "Integration",
        "{name: @vsphere, type: {allNodes: true}, config: {}}",
    ),
    (
        "not-collected",
        "`app_agent_receiver`",
        "Integration",
        "{name: app_agent_receiver, type: {allNodes: true}, config: {@autoscrape: {enable: true, metrics_instance: monitoring/it}}}",
    ),
    (
        "lost-setting",
        "`traces_instance` in the `app_agent_receiver` integration",
        "Integration",
        "{name: app_agent_receiver, type: {allNodes: true}, config: {traces_instance: @a}}",
    ),
    (
        "lost-setting",
        "`mapping_config` in the `statsd` integration",
        "Integration",
        "{name: statsd, type: {allNodes: true}, config: {@mapping_config: {mappings: [{match: a.*, name: '${A}'}]}}}",
    ),
    (
        "lost-setting",
        "`send_timeout` in the `eventhandler` integration",
        "Integration",
        "{name: eventhandler, type: {allNodes: true}, config: {instance: a, logs_instance: monitoring/it, send_timeout: @1s}}",
    ),
    (
        "lost-setting",
        "`informer_resync` in the `eventhandler` integration",
        "Integration",
        "{name: eventhandler, type: {allNodes: true}, config: {instance: a, logs_instance: monitoring/it, informer_resync: @1s}}",
    ),
    (
        "lost-setting",
        "`flush_interval` in the `eventhandler` integration",
        "Integration",
        "{name: eventhandler, type: {allNodes: true}, config: {instance: a, logs_instance: monitoring/it, flush_interval: @1}}",
    ),
    (
        "not-collected",
        "`azure` integration has no `metrics`",
        "Integration",
        "{name: azure, type: {allNodes: true}, @config: {subscriptions: [a], resource_type: b, metrics: []}}",
    ),
    (
        "lost-setting",
        "`cache_path` in the `eventhandler` integration",
        "Integration",
        "{name: eventhandler, type: {allNodes: true}, config: {instance: a, logs_instance: monitoring/it, cache_path: @/a}}",
    ),
    (
        "lost-setting",
        "`tls_basic_auth_config_path` in the `mongodb` integration",
        "Integration",
        "{name: mongodb, type: {allNodes: true}, config: {tls_basic_auth_config_path: @/a}}",
    ),
    (
        "changed-label",
        "events lack the `agent_hostname` label",
        "Integration",
        "{name: eventhandler, type: {allNodes: true}, @config: {logs_instance: monitoring/it}}",
    ),
    (
        "changed-label",
        "`redis` have no `agent_hostname` label",
        "Integration",
        "{name: redis, type: {allNodes: true}, config: {@autoscrape: {enable: true, metrics_instance: monitoring/it}}}",
    ),
    (
        "changed-label",
        "the metrics of `node_exporter` have a different `instance` value",
        "Integration",
        "{name: node_exporter, type: {allNodes: true}, config: {extra_labels: {agent_hostname: a}, @autoscrape: {enable: true, metrics_instance: monitoring/it}}}",
    ),
    (
        "changed-label",
        "lack the `agent_hostname` label and have a different `instance` value",
        "Integration",
        "{name: cadvisor, type: {allNodes: true}, config: {@autoscrape: {enable: true, metrics_instance: monitoring/it}}}",
    ),
    (
        "changed-label",
        "`oracledb_sessions_activity`",
        "Integration",
        "{name: oracledb, type: {allNodes: true}, @config: {connection_string: 'oracle://a', extra_labels: {agent_hostname: a}, autoscrape: {enable: true, metrics_instance: monitoring/it}}}",
    ),
    (
        "changed-label",
        "the metrics of `oracledb` have a different `instance` value",
        "Integration",
        "{name: oracledb, type: {allNodes: true}, config: {connection_string: 'oracle://a', extra_labels: {agent_hostname: a}, @autoscrape: {enable: true, metrics_instance: monitoring/it}}}",
    ),
    (
        "normalized-label",
        "this rule does not match the same numbers as in the agent",
        "ServiceMonitor",
        "{selector: {}, endpoints: [{port: a, metricRelabelings: [{action: drop, sourceLabels: [le], regex: .+}, \
         @{action: drop, sourceLabels: [__name__, le], regex: a_bucket;(0.5|5)}]}]}",
    ),
    (
        "normalized-label",
        "this rule does not copy the same numbers as in the agent",
        "MetricsInstance",
        "{remoteWrite: [{url: 'http://a', writeRelabelConfigs: [@{sourceLabels: [quantile], targetLabel: a}]}]}",
    ),
    (
        "normalized-label",
        "`metric_relabel_configs[1]` does not hash the same numbers as in the agent",
        "MetricsInstance",
        "{@additionalScrapeConfigs: {name: jobs, key: numbers}}",
    ),
    (
        "normalized-label",
        "this rule does not match the same numbers as in the agent",
        "Integration",
        "{name: redis, type: {allNodes: true}, config: {redis_addr: a, autoscrape: {enable: true, metrics_instance: monitoring/it, \
         metric_relabel_configs: [@{source_labels: [le], regex: '1', action: drop}]}}}",
    ),
    (
        "changed-label",
        "in Alloy, the `name` label of this job's metrics is `a_b`",
        "Integration",
        "{name: cloudwatch, type: {allNodes: true}, config: {static: [{name: a}, {name: @a b}], autoscrape: {enable: true, metrics_instance: monitoring/it}}}",
    ),
    (
        "changed-label",
        "instead of `logs_config`",
        "PodLogs",
        "{selector: {}, pipelineStages: [{cri: {}}, {@metrics: {a: {type: Counter, action: inc}}}]}",
    ),
    (
        "changed-label",
        "instead of `logs_config`",
        "PodLogs",
        "{selector: {}, pipelineStages: [{match: {selector: '{a=\"b\"}', @stages: '[{metrics: {a: {type: Counter, action: inc}}}]'}}]}",
    ),
    (
        "lost-setting",
        "`[0].drop.longer_than` in pipeline stages",
        "PodLogs",
        "{selector: {}, pipelineStages: [{@drop: {longerThan: '0', source: a}}]}",
    ),
    (
        "lost-setting",
        "`[0].drop.source` in pipeline stages",
        "PodLogs",
        "{selector: {}, pipelineStages: [{drop: {source: @'a,b'}}]}",
    ),
    ("not-collected", "`vultr_sd_configs`", "MetricsInstance", "{@additionalScrapeConfigs: {name: jobs, key: vultr}}"),
    (
        "lost-setting",
        "`tls_config.max_version`",
        "MetricsInstance",
        "{@additionalScrapeConfigs: {name: jobs, key: version}}",
    ),
    (
        "lost-setting",
        "`keep_dropped_targets`",
        "MetricsInstance",
        "{@additionalScrapeConfigs: {name: jobs, key: dropped}}",
    ),
    ("not-collected", "`syslog`", "LogsInstance", "{@additionalScrapeConfigs: {name: jobs, key: syslog}}"),
    ("not-collected", "`gcplog`", "LogsInstance", "{@additionalScrapeConfigs: {name: jobs, key: gcplog}}"),
    (
        "lost-setting",
        "this field in `http_headers`",
        "MetricsInstance",
        "{@additionalScrapeConfigs: {name: jobs, key: headers}}",
    ),
    (
        "changed-label",
        "the metrics of `pipeline_stages[0].metrics`",
        "LogsInstance",
        "{@additionalScrapeConfigs: {name: jobs, key: metrics}}",
    ),
    (
        "lost-setting",
        "because `decompression` sets no supported format",
        "LogsInstance",
        "{@additionalScrapeConfigs: {name: jobs, key: packed}}",
    ),
    (
        "invalid-stage",
        "the template has a `{{` without `}}`, so the stage changes nothing",
        "PodLogs",
        "{selector: {}, pipelineStages: [{replace: {expression: (a), replace: @'{{ .Value'}}]}",
    ),
    (
        "invalid-stage",
        "omits a stage, because `pipeline_stages[0].replace.replace` is not a valid template",
        "LogsInstance",
        "{@additionalScrapeConfigs: {name: jobs, key: template}}",
    ),
    (
        "lost-setting",
        "Alloy does not support this field in `pipeline_stages[1].json` (additional scrape job, line 3 of the Secret's value)",
        "LogsInstance",
        "{@additionalScrapeConfigs: {name: jobs, key: stage}}",
    ),
];

const JOBS: &str = "---
apiVersion: v1
kind: Secret
metadata: {name: jobs, namespace: monitoring}
stringData:
  vultr: '[{job_name: a, vultr_sd_configs: [{}]}]'
  version: '[{job_name: a, tls_config: {max_version: TLS13}}]'
  dropped: '[{job_name: a, keep_dropped_targets: 1}]'
  syslog: '[{job_name: a, syslog: {listen_address: a}}]'
  gcplog: '[{job_name: a, gcplog: {subscription: s}}]'
  headers: '[{job_name: a, http_headers: {X: {values: [v], files: [f]}}}]'
  metrics: '[{job_name: a, pipeline_stages: [{metrics: {b: {type: counter, config: {action: inc}}}}]}]'
  packed: '[{job_name: a, decompression: {enabled: true}, static_configs: [{labels: {__path__: /a.gz}}]},
    {job_name: b, decompression: {enabled: false}, static_configs: [{labels: {__path__: /b.gz}}]}]'
  template: '[{job_name: a, pipeline_stages: [{replace: {expression: (a), replace: ''{{ nope }}''}}]}]'
  odd: '[{job_name: a, odd: 1}]'
  labels: '[{job_name: a, label_limit: 5, metric_relabel_configs: [{regex: a, action: labeldrop}]}]'
  job: '[{job_name: a, relabel_configs: [{source_labels: [a], target_label: b}, {source_labels: [a], target_label: job}]}]'
  nojob: '[{job_name: a, relabel_configs: [{regex: job, action: labeldrop}]}]'
  port: '[{job_name: a, static_configs: [{targets: [a:80]}, {targets: [b:1, b]}, {targets: [c], labels: {instance: c}}]}]'
  numbers: '[{job_name: a, metric_relabel_configs: [{regex: a, action: labeldrop},
    {source_labels: [le], modulus: 2, target_label: a, action: hashmod}]}]'
  pods: '[{job_name: a, kubernetes_sd_configs: [{role: pod}]}, {job_name: b, kubernetes_sd_configs: [{role: node}]}]'
  nodes: '[{job_name: a, kubernetes_sd_configs: [{role: node}],
    relabel_configs: [{action: labelmap, regex: __meta_kubernetes_node_(.+)}, {action: labelmap, regex: (.+)}]}]'
  stage: |
    - job_name: a
      pipeline_stages: [{docker: {}},
        {json: {odd: 1}}]
";

fn manifest(kind: &str, spec: &str) -> String {
    let version = match kind {
        "PodMonitor" | "Probe" | "ServiceMonitor" => "monitoring.coreos.com/v1",
        _ => "monitoring.grafana.com/v1alpha1",
    };
    format!("---\napiVersion: {version}\nkind: {kind}\nmetadata: {{name: it, namespace: monitoring}}\nspec: {spec}\n")
}

/// Returns the manifests for a row, and the line and column of the unsupported setting.
fn input((_, _, kind, spec): &Loss) -> (String, String) {
    let mut text = String::new();
    for (base, base_spec) in BASE {
        text += &match base == *kind {
            false => manifest(base, base_spec),
            // The tested setting is added to the agent's selectors and does not replace them.
            true if base == "GrafanaAgent" => {
                manifest(base, &format!("{}, {}", &base_spec[..base_spec.len() - 1], &spec[1..]))
            }
            true => manifest(base, spec),
        };
    }
    if !BASE.iter().any(|(base, _)| base == kind) {
        text += &manifest(kind, spec);
    }
    let at = text.find('@').unwrap();
    text.remove(at);
    let (line, column) = (text[..at].matches('\n').count() + 1, at - text[..at].rfind('\n').unwrap());
    text += JOBS;
    (text, format!("{line}:{column}"))
}

#[test]
fn reports_every_loss_at_its_field() {
    let folder = scratch("alloy-losses");
    let failures = LOSSES.par_iter().enumerate().filter_map(|(number, row)| {
        let (code, message, _, spec) = row;
        let (text, place) = input(row);
        let file = format!("{number}.yaml");
        fs::write(folder.join(&file), text).unwrap();
        let args = ["check", &file, "--target", "alloy", "-v", "--message-format", "short"];
        let output = run(&folder, args, &[]).stdout;
        let is_expected_finding = |line: &str| {
            line.starts_with(&format!("{file}:{place}: "))
                && line.contains(&format!("[{code}]: "))
                && line.contains(message)
        };
        (output.lines().filter(|line| is_expected_finding(line)).count() != 1)
            .then(|| format!("{spec}: not one {code} at {place}: {output}"))
    });
    report(&failures.collect::<Vec<_>>());
    for code in LOSSES.iter().map(|(code, ..)| *code).collect::<BTreeSet<_>>() {
        let explanation = run(&folder, ["explain", code], &[]);
        assert!(
            explanation.status == Some(0) && explanation.stdout.contains("--target alloy"),
            "{code}: {explanation:?}"
        );
    }
}

/// A kind, a `spec` with a key that the agent does not support, and the code of the finding.
const MISTAKES: [(&str, &str, &str); 4] = [
    (
        "Integration",
        "{name: blackbox, type: {}, config: {blackbox_config: {modules: {up: {http: {method: GET, @method2: GET}}}}}}",
        "ignored-integration-key",
    ),
    (
        "Integration",
        "{name: redis, type: {allNodes: true}, config: {redis_addr: a, @odd: 1}}",
        "unknown-integration-key",
    ),
    ("MetricsInstance", "{@additionalScrapeConfigs: {name: jobs, key: odd}}", "unknown-scrape-field"),
    (
        "LogsInstance",
        "{clients: [{url: 'http://a/loki/api/v1/push'}], @additionalScrapeConfigs: {name: jobs, key: odd}}",
        "unknown-scrape-field",
    ),
];

#[test]
fn reports_unknown_keys_once() {
    let folder = scratch("alloy-unknown-keys");
    for (kind, spec, code) in MISTAKES {
        fs::write(folder.join("a.yaml"), input(&("", "", kind, spec)).0).unwrap();
        let args = ["check", "a.yaml", "--target", "alloy", "--message-format", "short"];
        let output = run(&folder, args, &[]).stdout;
        let findings = output.lines().filter(|line| line.starts_with("a.yaml:"));
        // Every agent with metrics causes the findings `normalized-label` and `lost-metadata`.
        let agent_codes = ["[normalized-label]", "[lost-metadata]"];
        let findings = findings.filter(|line| agent_codes.iter().all(|code| !line.contains(code)));
        let findings: Vec<_> = findings.collect();
        assert!(findings.len() == 1 && findings[0].contains(&format!("[{code}]: ")), "{output}");
    }
}

#[test]
fn warns_once_about_normalized_labels() {
    let folder = scratch("alloy-normalized");
    let metrics: String = BASE.iter().map(|(kind, spec)| manifest(kind, spec)).collect();
    let logs = manifest("GrafanaAgent", "{logs: {instanceSelector: {}}}") + &manifest(BASE[2].0, BASE[2].1);
    for (text, target, flags, count) in [
        (&metrics, "alloy", ["-v"].as_slice(), 1),
        (&metrics, "alloy", &[], 1),
        (&metrics, "agent", &["-v"], 0),
        (&logs, "alloy", &["-v"], 0),
    ] {
        fs::write(folder.join("a.yaml"), text).unwrap();
        let args = ["check", "a.yaml", "--target", target, "--message-format", "short"];
        let output = run(&folder, args.iter().chain(flags), &[]).stdout;
        let warnings = output.lines().filter(|line| line.starts_with("a.yaml:5:8: warning[normalized-label]: "));
        assert_eq!(warnings.count(), count, "{target} {flags:?}: {output}");
    }
}

/// Kinds, each with a `spec` that Alloy fully supports.
const SUPPORTED_SETTINGS: [(&str, &str); 8] = [
    ("MetricsInstance", "{@remoteFlushDeadline: 1m}"),
    ("MetricsInstance", "{@remoteFlushDeadline: 60s}"),
    ("MetricsInstance", "{@remoteWrite: [{url: 'http://a', queueConfig: {retryOnRateLimit: true}}]}"),
    ("PodMonitor", "{@selector: {}, sampleLimit: 5, podMetricsEndpoints: [{port: a}]}"),
    (
        "PodMonitor",
        "{@selector: {}, podMetricsEndpoints: [{port: a, relabelings: [{targetLabel: job, replacement: a}]}]}",
    ),
    (
        "PodMonitor",
        "{@selector: {}, podMetricsEndpoints: [{relabelings: [{sourceLabels: [__meta_kubernetes_pod_name], targetLabel: instance}]}]}",
    ),
    (
        "PodMonitor",
        "{@selector: {}, podMetricsEndpoints: [{port: a, relabelings: [{targetLabel: a, replacement: '${a-b}'}]}]}",
    ),
    ("Probe", "{@prober: {url: p}, targets: {staticConfig: {static: [a]}}}"),
];

#[test]
fn does_not_report_supported_settings() {
    let folder = scratch("alloy-kept");
    for (kind, spec) in SUPPORTED_SETTINGS {
        fs::write(folder.join("a.yaml"), input(&("", "", kind, spec)).0).unwrap();
        let args = ["check", "a.yaml", "--target", "alloy", "--message-format", "short"];
        let output = run(&folder, args, &[]).stdout;
        let codes =
            ["lost-setting", "lost-on-shutdown", "early-limit", "changed-", "ignored-field", "misread-variable"];
        assert!(codes.iter().all(|code| !output.contains(&format!("[{code}"))), "{spec}: {output}");
    }
}

/// Tests that the agent's limits do not apply to Alloy.
#[test]
fn does_not_apply_agent_limits_to_alloy() {
    let folder = scratch("alloy-limits");
    for (instance, endpoint) in [("walTruncateFrequency: 30s", "port: a"), ("minWALTime: 5m", "interval: 61m")] {
        let manifests = [
            manifest(BASE[0].0, BASE[0].1),
            manifest("MetricsInstance", &format!("{{serviceMonitorSelector: {{}}, {instance}}}")),
            manifest("ServiceMonitor", &format!("{{selector: {{}}, endpoints: [{{{endpoint}}}]}}")),
        ];
        fs::write(folder.join("a.yaml"), manifests.concat()).unwrap();
        for (target, is_reported) in [("agent", true), ("alloy", false)] {
            let args = ["check", "a.yaml", "--target", target, "--message-format", "short"];
            let output = run(&folder, args, &[]).stdout;
            assert_eq!(output.contains("[interval-above-truncation]"), is_reported, "{target}: {output}");
        }
    }
}
