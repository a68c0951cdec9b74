//! Random monitors, additional jobs, targets and samples.

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
spec: {serviceMonitorSelector: {}, podMonitorSelector: {}, probeSelector: {}}
";

/// Returns manifests for an agent that has `count` monitors and additional jobs.
pub(super) fn manifests(random: &mut Random, count: usize) -> String {
    let mut text = AGENT.to_owned();
    for number in 0..count {
        let name = format!("s{number}");
        for object in match random.below(8) {
            0 | 1 => vec![object("PodMonitor", &name, pod_monitor(random))],
            2 => vec![object("Probe", &name, probe(random))],
            3 => additional_job(random, &name),
            _ => vec![object("ServiceMonitor", &name, service_monitor(random))],
        } {
            text += &format!("---\n{object}\n");
        }
    }
    text
}

fn object(kind: &str, name: &str, spec: Value) -> Value {
    let version = match kind {
        "MetricsInstance" => "monitoring.grafana.com/v1alpha1",
        _ => "monitoring.coreos.com/v1",
    };
    json!({"apiVersion": version, "kind": kind, "metadata": {"name": name, "namespace": "m"}, "spec": spec})
}

/// Sample limits for random jobs. Some targets exceed the lower limit; none exceeds the higher one.
const LIMITS: [Option<u64>; 4] = [None, None, Some(2), Some(5)];

fn generate_list(random: &mut Random, make: fn(&mut Random) -> Value) -> Vec<Value> {
    (0..random.below(4)).map(|_| make(random)).collect()
}

/// Returns the fields that both types of endpoints have in common.
fn endpoint(random: &mut Random, port: Option<&str>) -> Value {
    let params = random.pick(&[None, Some("x")]).map_or(json!({}), |value| json!({"module": [value], "up": ["p"]}));
    json!({
        "port": port,
        "scheme": random.pick(&["http", "https"]),
        "path": random.pick(&["", "/metrics", "/probe"]),
        "honorLabels": random.pick(&[true, false]),
        "params": params,
        "relabelings": generate_list(random, rule),
        "metricRelabelings": generate_list(random, sample_rule),
    })
}

fn service_monitor(random: &mut Random) -> Value {
    json!({"selector": {}, "sampleLimit": random.pick(&LIMITS), "endpoints": [endpoint(random, Some("http"))]})
}

fn pod_monitor(random: &mut Random) -> Value {
    let port = random.pick(&[Some("http"), None]);
    json!({"selector": {}, "sampleLimit": random.pick(&LIMITS), "podMetricsEndpoints": [endpoint(random, port)]})
}

fn probe(random: &mut Random) -> Value {
    json!({
        "prober": {
            "url": random.pick(&["prober:9115", "prober"]),
            "scheme": random.pick(&["http", "https"]),
            "path": random.pick(&["/probe", "/metrics"]),
        },
        "jobName": random.pick(&["", "probes"]),
        "module": random.pick(&["", "x"]),
        "targets": {"staticConfig": {
            "static": [random.pick(&ADDRESSES)],
            "labels": random.pick(&[None, Some("blue")]).map_or(json!({}), |value| json!({"team": value})),
            "relabelingConfigs": generate_list(random, rule),
        }},
    })
}

/// Returns a Secret with an additional scrape job, and a separate instance that uses it.
fn additional_job(random: &mut Random, name: &str) -> Vec<Value> {
    let rules = |rules: Vec<Value>| rules.into_iter().map(snake_case).collect::<Vec<_>>();
    let instance = random.pick(&[None, Some("own")]);
    let labels = instance.map_or(json!({}), |value| json!({"instance": value}));
    let job = json!({
        "job_name": name,
        "scheme": random.pick(&["http", "https"]),
        "metrics_path": random.pick(&["/metrics", "/probe"]),
        "honor_labels": random.pick(&[true, false]),
        "params": random.pick(&[None, Some("x")]).map_or(json!({}), |value| json!({"module": [value]})),
        "sample_limit": random.pick(&LIMITS).unwrap_or(0),
        "static_configs": [{"targets": [random.pick(&ADDRESSES)], "labels": labels}],
        "relabel_configs": rules(generate_list(random, rule)),
        "metric_relabel_configs": rules(generate_list(random, sample_rule)),
    });
    let secret = json!({
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": name, "namespace": "m"},
        "stringData": {"jobs": json!([job]).to_string()},
    });
    let spec = json!({"additionalScrapeConfigs": {"name": name, "key": "jobs"}});
    vec![secret, object("MetricsInstance", name, spec)]
}

/// Returns a rule with its keys in Prometheus' spelling.
fn snake_case(rule: Value) -> Value {
    let key = |key: &str| key.replace("sourceLabels", "source_labels").replace("targetLabel", "target_label");
    let entries = rule.as_object().into_iter().flatten();
    entries.map(|(name, value)| (key(name), value.clone())).collect()
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
        "__tmp_prometheus_job_name",
    ]);
    match random.below(15) {
        0 => {
            json!({"action": "labeldrop", "regex": random.pick(&["job", "jo.", "pod|job", "pod", "__param_.*", "instance"])})
        }
        1 => {
            json!({"action": "labelkeep", "regex": random.pick(&["__.*|job", "__.*|pod|namespace", "__.*|job|instance|pod", "job|__address__|__s.*"])})
        }
        2 => json!({"targetLabel": "job", "sourceLabels": [POD_LABEL], "regex": regex}),
        3 => json!({"targetLabel": "job", "replacement": random.pick(&["all", "${1}", "x$1"])}),
        4 => json!({"targetLabel": "url", "sourceLabels": ["__scheme__", "__address__", "__metrics_path__"]}),
        5 => json!({"targetLabel": "copied", "sourceLabels": [source], "regex": regex}),
        6 => {
            json!({"action": "labelmap", "regex": random.pick(&["__param_(.+)", "__meta_kubernetes_pod_label_(.+)", "__(scheme)__", "(job)", "__tmp_(.+)"])})
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
        13 => {
            json!({"targetLabel": random.pick(&["dyn_$1", "$1"]), "sourceLabels": [POD_LABEL], "regex": regex, "replacement": "v"})
        }
        _ => {
            json!({"action": "hashmod", "modulus": 3, "targetLabel": random.pick(&["share", "job"]), "sourceLabels": [source]})
        }
    }
}

fn sample_rule(random: &mut Random) -> Value {
    let names =
        random.pick(&["my_.*", "go_.*", "up", "up|scrape_.*|my_.*", "scrape_.*", ".*", "(.*)_a", ".*_series_.*"]);
    match random.below(7) {
        0 | 1 => json!({"action": random.pick(&["keep", "drop"]), "sourceLabels": ["__name__"], "regex": names}),
        2 => json!({"action": "labeldrop", "regex": random.pick(&["le", "instance", "job", "pod|le", "__name__|le"])}),
        3 => json!({"targetLabel": random.pick(&["team", "job", "le"]), "replacement": random.pick(&["x", "$1"]),
                    "sourceLabels": ["__name__"], "regex": names}),
        4 => {
            json!({"action": "drop", "sourceLabels": ["__name__", "le"], "regex": random.pick(&["my_a;1", ".*;", "up;"])})
        }
        5 => {
            json!({"targetLabel": "__name__", "sourceLabels": ["__name__"], "regex": names, "replacement": random.pick(&["renamed_$1", "renamed_$1", "renamed-$1"])})
        }
        _ => {
            json!({"action": "labelmap", "regex": random.pick(&["(le)", "exported_(.*)"]), "replacement": random.pick(&["bucket", "$1"])})
        }
    }
}

/// Addresses, some without a port.
const ADDRESSES: [&str; 6] = ["10.0.0.1:8080", "10.0.0.2:80", "10.0.0.3:443", "host:9100", "host", "10.0.0.4"];

/// Returns a discovered target. A Service's target always has a port with the requested name, whereas a pod may lack
/// it.
pub(super) fn target(random: &mut Random, is_pod: bool) -> BTreeMap<String, String> {
    let address = random.pick(if is_pod { &ADDRESSES } else { &ADDRESSES[..4] });
    let port = if address.contains(':') { "http" } else { "" };
    let labels = [
        ("__address__", address),
        ("__meta_kubernetes_endpoint_port_name", port),
        ("__meta_kubernetes_pod_container_port_name", if is_pod { port } else { "" }),
        ("__meta_kubernetes_namespace", random.pick(&["a", "m"])),
        ("__meta_kubernetes_service_name", if is_pod { "" } else { random.pick(&["web", "api"]) }),
        ("__meta_kubernetes_pod_name", if is_pod { "web-1" } else { random.pick(&["", "web-1", "a-2"]) }),
        ("__meta_kubernetes_pod_container_name", random.pick(&["", "main"])),
        (POD_LABEL, random.pick(&["", "a", "b", "abc", "a-b"])),
        ("__meta_kubernetes_pod_label_instance", random.pick(&["", "blue"])),
        ("__meta_kubernetes_endpoint_address_target_kind", random.pick(&["Pod", "Node", ""])),
        ("__meta_kubernetes_endpoint_address_target_name", random.pick(&["", "web-1"])),
    ];
    non_empty_labels(labels)
}

/// Returns the samples that a target exposes.
pub(super) fn samples(random: &mut Random) -> Vec<BTreeMap<String, String>> {
    let mut sample = |_| {
        non_empty_labels([
            ("__name__", random.pick(&["my_a", "my_b", "go_a", "series"])),
            ("le", random.pick(&["", "1", "+Inf"])),
            ("pod", random.pick(&["", "own"])),
            ("job", random.pick(&["", "", "own"])),
            ("instance", random.pick(&["", "", "own"])),
        ])
    };
    (0..4).map(&mut sample).collect()
}

fn non_empty_labels<const N: usize>(labels: [(&str, &str); N]) -> BTreeMap<String, String> {
    let non_empty = labels.into_iter().filter(|(_, value)| !value.is_empty());
    non_empty.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}
