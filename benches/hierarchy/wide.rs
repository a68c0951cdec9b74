//! Hierarchies that are wide in one direction.

use std::fmt::Write;

use agentctl::source::{Source, Sources};

use super::push_monitor;

const INSTANCE: &str = "
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: primary, namespace: monitoring, labels: {agent: agent}}
spec:
  remoteWrite: [{url: http://prometheus:9090/api/v1/write}]
  serviceMonitorNamespaceSelector: {}
  serviceMonitorSelector: {}
  podMonitorNamespaceSelector: {}
  podMonitorSelector: {}
  probeNamespaceSelector: {}
  probeSelector: {}
";

/// One instance that has so many ServiceMonitors, PodMonitors and Probes each.
pub fn one_instance(each: usize) -> Sources {
    let mut text = agent("agent") + INSTANCE;
    for number in 0..each {
        push_monitor(&mut text, number);
        push(
            &mut text,
            format_args!(
                "---
apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata: {{name: app-{number}, namespace: team-{0}}}
spec:
  selector: {{matchLabels: {{app: app-{number}}}}}
  podMetricsEndpoints:
  - port: metrics
    interval: 30s
---
apiVersion: monitoring.coreos.com/v1
kind: Probe
metadata: {{name: app-{number}, namespace: team-{0}}}
spec:
  prober: {{url: blackbox:9115}}
  module: http_2xx
  targets:
    staticConfig:
      static: [https://app-{number}.example.com]
",
                number % 50
            ),
        );
    }
    one_file(text)
}

/// So many agents that all select the same instance with so many ServiceMonitors.
pub fn shared(agents: usize, monitors: usize) -> Sources {
    let mut text = INSTANCE.to_owned();
    for number in 0..agents {
        text += "---\n";
        text += &agent(&format!("agent-{number}"));
    }
    for number in 0..monitors {
        push_monitor(&mut text, number);
    }
    one_file(text)
}

/// So many Secrets, and ServiceMonitors of which each refers to one of the first.
pub fn secrets(secrets: usize, monitors: usize) -> Sources {
    let mut text = agent("agent") + INSTANCE;
    for number in 0..secrets {
        push(
            &mut text,
            format_args!(
                "---
apiVersion: v1
kind: Secret
metadata: {{name: credentials-{number}, namespace: team-{}}}
data: {{username: dXNlcg==, password: cGFzcw==}}
",
                number % 50
            ),
        );
    }
    for number in 0..monitors {
        push_monitor(&mut text, number);
        push(
            &mut text,
            format_args!(
                "    basicAuth:
      username: {{name: credentials-{number}, key: username}}
      password: {{name: credentials-{number}, key: password}}
"
            ),
        );
    }
    one_file(text)
}

fn agent(name: &str) -> String {
    format!(
        "apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {{name: {name}, namespace: monitoring}}
spec:
  metrics: {{instanceSelector: {{matchLabels: {{agent: agent}}}}}}
"
    )
}

fn push(text: &mut String, document: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = text.write_fmt(document);
}

fn one_file(text: String) -> Sources {
    let mut sources = Sources::default();
    sources.add(Source::new("all.yaml", text, false));
    sources
}
