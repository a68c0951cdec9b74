//! Random ServiceMonitors, targets and samples.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::support::mutate::Random;

const AGENT: &str = "
apiVersion: monitoring.grafana.com/v1alpha1
kind: GrafanaAgent
metadata: {name: agent, namespace: m}
spec: {metrics: {instanceSelector: {}, remoteWrite: [{url: 'http://u'}]}}
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: MetricsInstance
metadata: {name: primary, namespace: m}
spec: {serviceMonitorSelector: {}}
";

/// An agent with so many ServiceMonitors of one endpoint each.
pub(super) fn manifests(random: &mut Random, count: usize) -> String {
    let mut text = AGENT.to_owned();
    for number in 0..count {
        let many = |random: &mut Random, make: fn(&mut Random) -> Value| -> Vec<Value> {
            (0..random.below(4)).map(|_| make(random)).collect()
        };
        let monitor = json!({
            "apiVersion": "monitoring.coreos.com/v1",
            "kind": "ServiceMonitor",
            "metadata": {"name": format!("s{number}"), "namespace": "m"},
            "spec": {"selector": {}, "endpoints": [{
                "port": "http",
                "scheme": random.pick(&["http", "https"]),
                "path": random.pick(&["", "/metrics", "/probe"]),
                "honorLabels": random.pick(&[true, false]),
                "params": random.pick(&[None, Some("x")]).map_or(json!({}), |value| json!({"module": [value], "up": ["p"]})),
                "relabelings": many(random, rule),
                "metricRelabelings": many(random, sample_rule),
            }]},
        });
        text += &format!("---\n{monitor}\n");
    }
    text
}

const POD_LABEL: &str = "__meta_kubernetes_pod_label_app";

fn rule(random: &mut Random) -> Value {
    let regex = random.pick(&["(.*)", "(.+)", "a(.*)", "a|b", "([^:]+)(?::.*)?"]);
    let source = random.pick(&[
        "job",
        "__scheme__",
        "__metrics_path__",
        "__param_module",
        POD_LABEL,
        "__address__",
        "namespace",
    ]);
    match random.below(14) {
        0 => {
            json!({"action": "labeldrop", "regex": random.pick(&["job", "jo.", "pod|job", "pod", "__param_.*", "instance"])})
        }
        1 => {
            json!({"action": "labelkeep", "regex": random.pick(&["__.*|job", "__.*|pod|namespace", "__.*|job|instance|pod"])})
        }
        2 => json!({"targetLabel": "job", "sourceLabels": [POD_LABEL], "regex": regex}),
        3 => json!({"targetLabel": "job", "replacement": random.pick(&["all", "${1}", "x$1"])}),
        4 => json!({"targetLabel": "url", "sourceLabels": ["__scheme__", "__address__", "__metrics_path__"]}),
        5 => json!({"targetLabel": "copied", "sourceLabels": [source], "regex": regex}),
        6 => {
            json!({"action": "labelmap", "regex": random.pick(&["__param_(.+)", "__meta_kubernetes_pod_label_(.+)", "__(scheme)__", "(job)"])})
        }
        7 => {
            json!({"targetLabel": "__address__", "sourceLabels": ["__address__"], "regex": "([^:]+)(?::.*)?", "replacement": "$1:9100"})
        }
        8 => json!({"targetLabel": "instance", "sourceLabels": [source], "regex": regex}),
        9 => json!({"action": random.pick(&["keep", "drop"]), "sourceLabels": [source], "regex": regex}),
        10 => {
            json!({"targetLabel": random.pick(&["__scheme__", "__metrics_path__", "__param_module"]), "replacement": random.pick(&["http", "https"])})
        }
        11 => {
            json!({"action": random.pick(&["lowercase", "uppercase"]), "targetLabel": random.pick(&["job", "up"]), "sourceLabels": [source]})
        }
        12 => {
            json!({"action": random.pick(&["keepequal", "dropequal"]), "targetLabel": "job", "sourceLabels": [source]})
        }
        _ => {
            json!({"action": "hashmod", "modulus": 3, "targetLabel": random.pick(&["share", "job"]), "sourceLabels": [source]})
        }
    }
}

fn sample_rule(random: &mut Random) -> Value {
    let names = random.pick(&[
        "my_.*",
        "go_.*",
        "up",
        "up|scrape_.*|my_.*",
        "scrape_.*",
        ".*",
        "(.*)_a",
        ".*_series_.*",
    ]);
    match random.below(7) {
        0 | 1 => json!({"action": random.pick(&["keep", "drop"]), "sourceLabels": ["__name__"], "regex": names}),
        2 => json!({"action": "labeldrop", "regex": random.pick(&["le", "instance", "job", "pod|le"])}),
        3 => json!({"targetLabel": random.pick(&["team", "job", "le"]), "replacement": random.pick(&["x", "$1"]),
                    "sourceLabels": ["__name__"], "regex": names}),
        4 => {
            json!({"action": "drop", "sourceLabels": ["__name__", "le"], "regex": random.pick(&["my_a;1", ".*;", "up;"])})
        }
        5 => {
            json!({"targetLabel": "__name__", "sourceLabels": ["__name__"], "regex": names, "replacement": "renamed_$1"})
        }
        _ => {
            json!({"action": "labelmap", "regex": random.pick(&["(le)", "exported_(.*)"]), "replacement": random.pick(&["bucket", "$1"])})
        }
    }
}

/// A target as it is discovered; its port has the name that is asked for.
pub(super) fn target(random: &mut Random) -> BTreeMap<String, String> {
    let labels = [
        (
            "__address__",
            random.pick(&["10.0.0.1:8080", "10.0.0.2:80", "10.0.0.3:443", "host:9100"]),
        ),
        ("__meta_kubernetes_endpoint_port_name", "http"),
        ("__meta_kubernetes_namespace", random.pick(&["a", "m"])),
        ("__meta_kubernetes_service_name", random.pick(&["web", "api"])),
        ("__meta_kubernetes_pod_name", random.pick(&["", "web-1", "a-2"])),
        ("__meta_kubernetes_pod_container_name", random.pick(&["", "main"])),
        (POD_LABEL, random.pick(&["", "a", "b", "abc"])),
        ("__meta_kubernetes_pod_label_instance", random.pick(&["", "blue"])),
        (
            "__meta_kubernetes_endpoint_address_target_kind",
            random.pick(&["Pod", "Node", ""]),
        ),
        (
            "__meta_kubernetes_endpoint_address_target_name",
            random.pick(&["", "web-1"]),
        ),
    ];
    filled(labels)
}

/// What a target exposes. It has no `job`: where a relabeling removes that of the target, Alloy drops its own too.
pub(super) fn samples(random: &mut Random) -> Vec<BTreeMap<String, String>> {
    let mut sample = |_| {
        filled([
            ("__name__", random.pick(&["my_a", "my_b", "go_a", "series"])),
            ("le", random.pick(&["", "1", "+Inf"])),
            ("pod", random.pick(&["", "own"])),
            ("instance", random.pick(&["", "", "own"])),
        ])
    };
    (0..4).map(&mut sample).collect()
}

fn filled<const N: usize>(labels: [(&str, &str); N]) -> BTreeMap<String, String> {
    let filled = labels.into_iter().filter(|(_, value)| !value.is_empty());
    filled
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}
