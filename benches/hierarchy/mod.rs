//! Generated hierarchies of any size: one agent with four shards that selects ServiceMonitors in 50 namespaces.

pub mod config;
pub mod disk;
pub mod wide;

use std::fmt::Write;

use agentctl::source::{Source, Sources};

const MONITORS_PER_FILE: usize = 100;
const NAMESPACES: usize = 50;

const BASE: &str = "\
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata:
  name: agent
  namespace: monitoring
  labels: {app: agent}
spec:
  serviceAccountName: agent
  metrics:
    shards: 4
    replicas: 2
    instanceSelector: {matchLabels: {agent: agent}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata:
  name: primary
  namespace: monitoring
  labels: {agent: agent}
spec:
  remoteWrite:
  - url: http://prometheus:9090/api/v1/write
    basicAuth:
      username: {name: creds, key: username}
      password: {name: creds, key: password}
  serviceMonitorNamespaceSelector: {}
  serviceMonitorSelector: {matchLabels: {instance: primary}}
---
apiVersion: v1
kind: Secret
metadata: {name: creds, namespace: monitoring}
data: {username: dXNlcg==, password: cGFzcw==}
";

/// Returns a hierarchy with `monitors` ServiceMonitors, each with two endpoints. Each file contains 100
/// ServiceMonitors.
pub fn sources(monitors: usize) -> Sources {
    sources_of_files(monitors, MONITORS_PER_FILE)
}

/// Returns a hierarchy with `per_file` ServiceMonitors in each file.
pub fn sources_of_files(monitors: usize, per_file: usize) -> Sources {
    let mut sources = Sources::default();
    sources.add(Source::new("base.yaml", BASE, false));
    for first in (0..monitors).step_by(per_file) {
        let mut text = String::new();
        for number in first..monitors.min(first + per_file) {
            push_monitor(&mut text, number);
        }
        let name = format!("monitors-{:05}.yaml", first / per_file);
        sources.add(Source::new(name, text, false));
    }
    sources
}

/// Returns the total size of the inputs in bytes.
pub fn size(sources: &Sources) -> u64 {
    sources.iter().map(|(_, source)| source.text.len() as u64).sum()
}

fn push_monitor(text: &mut String, number: usize) {
    let namespace = number % NAMESPACES;
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "\
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata:
  name: app-{number}
  namespace: team-{namespace}
  labels:
    instance: primary
    app.kubernetes.io/name: app-{number}
spec:
  jobLabel: app.kubernetes.io/name
  targetLabels: [team, env]
  namespaceSelector:
    matchNames: [team-{namespace}]
  selector:
    matchLabels:
      app.kubernetes.io/name: app-{number}
    matchExpressions:
    - {{key: tier, operator: In, values: [web, api]}}
  endpoints:
  - port: http-metrics
    interval: 30s
    scheme: https
    path: /metrics
    tlsConfig:
      insecureSkipVerify: true
    relabelings:
    - sourceLabels: [__meta_kubernetes_pod_node_name]
      targetLabel: node
      action: replace
    metricRelabelings:
    - sourceLabels: [__name__]
      regex: go_gc_.*
      action: drop
  - port: admin
    interval: 60s
"
    );
}
