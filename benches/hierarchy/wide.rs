//! Hierarchies that are large in one dimension.

use std::fmt::Write;

use agentctl::source::{Source, Sources};

use super::{NAMESPACES, push_monitor};

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

/// Returns an instance with `count` ServiceMonitors, `count` PodMonitors and `count` Probes.
pub fn one_instance(count: usize) -> Sources {
    let mut text = agent("agent") + INSTANCE;
    for number in 0..count {
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

/// Returns agents that all select the same instance and its ServiceMonitors.
pub fn shared_monitors(agents: usize, monitors: usize) -> Sources {
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

/// Returns Secrets and ServiceMonitors. Each ServiceMonitor refers to a different Secret; the other Secrets are unused.
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

/// Returns agents, each of which has its own instance and five ServiceMonitors.
pub fn agents(agents: usize) -> Sources {
    let mut text = String::new();
    for number in 0..agents {
        let for_agent = |text: &str| text.replace("agent: agent", &format!("agent: agent-{number}"));
        let instance = INSTANCE.replace("name: primary", &format!("name: primary-{number}"));
        let selector = format!("serviceMonitorSelector: {{matchLabels: {{team: team-{number}}}}}");
        text += "---\n";
        text += &for_agent(&agent(&format!("agent-{number}")));
        text += &for_agent(&instance.replace("serviceMonitorSelector: {}", &selector));
        for monitor in number * 5..number * 5 + 5 {
            let mut agent_monitor = String::new();
            push_monitor(&mut agent_monitor, monitor);
            text += &agent_monitor.replace("instance: primary", &format!("team: team-{number}"));
        }
    }
    one_file(text)
}

/// Returns a Secret with `keys` keys, and a hundredth as many ServiceMonitors in its namespace, each of which refers to
/// a different key.
pub fn keys(keys: usize) -> Sources {
    let mut text = agent("agent") + INSTANCE;
    text += "---
apiVersion: v1
kind: Secret
metadata: {name: credentials, namespace: team-0}
data:
";
    for number in 0..keys {
        push(&mut text, format_args!("  key-{number}: cGFzcw==\n"));
    }
    for number in 0..keys / 100 {
        push_monitor(&mut text, number * NAMESPACES);
        push(&mut text, format_args!("    bearerTokenSecret: {{name: credentials, key: key-{number}}}\n"));
    }
    one_file(text)
}

/// Returns an instance and a ServiceMonitor with `endpoints` endpoints.
pub fn endpoints(endpoints: usize) -> Sources {
    let mut text = agent("agent") + INSTANCE;
    push_monitor(&mut text, 0);
    for number in 0..endpoints {
        push(&mut text, format_args!("  - port: port-{number}\n    path: /metrics/{number}\n"));
    }
    one_file(text)
}

/// Returns 20 instances and `namespaces` namespaces with one ServiceMonitor each. The instances select the namespaces
/// by label.
pub fn namespaces(namespaces: usize) -> Sources {
    let mut text = agent("agent");
    for number in 0..20 {
        let instance = INSTANCE.replace("name: primary", &format!("name: primary-{number}"));
        let selector = format!("serviceMonitorNamespaceSelector: {{matchLabels: {{group: group-{number}}}}}");
        text += &instance.replace("serviceMonitorNamespaceSelector: {}", &selector);
    }
    for number in 0..namespaces {
        push(
            &mut text,
            format_args!(
                "---
apiVersion: v1
kind: Namespace
metadata: {{name: namespace-{number}, labels: {{group: group-{}}}}}
",
                number % 20
            ),
        );
        let mut monitor = String::new();
        push_monitor(&mut monitor, number);
        let namespace = format!("team-{}", number % NAMESPACES);
        text += &monitor.replace(&namespace, &format!("namespace-{number}"));
    }
    one_file(text)
}

/// Returns APIServices, each in its own group.
pub fn api_services(services: usize) -> Sources {
    let mut text = String::new();
    for number in 0..services {
        push(
            &mut text,
            format_args!(
                "---
apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: {{name: v1.group-{number}.example.com}}
spec:
  group: group-{number}.example.com
  version: v1
  groupPriorityMinimum: 1000
  versionPriority: 15
  insecureSkipTLSVerify: true
  service: {{name: service-{number}, namespace: team-{}, port: 443}}
",
                number % NAMESPACES
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
