//! Agent configuration for benchmarks of the writer. It has the same structure as the configuration of a generated
//! hierarchy.

use agentctl::yaml::{Mapping, Value};

/// Returns a configuration with a scrape job for each endpoint of the monitors.
pub fn agent_config(monitors: usize) -> Value<'static> {
    let jobs = (0..monitors).flat_map(|number| [job(number, 0), job(number, 1)]);
    mapping([
        (
            "metrics",
            mapping([(
                "configs",
                list([mapping([
                    ("name", "monitoring/primary".into()),
                    ("scrape_configs", Value::Sequence(jobs.collect())),
                ])]),
            )]),
        ),
        ("server", Mapping::new().into()),
    ])
}

fn job(number: usize, endpoint: usize) -> Value<'static> {
    let namespace = format!("team-{}", number % 50);
    mapping([
        ("job_name", format!("serviceMonitor/{namespace}/app-{number}/{endpoint}").into()),
        ("honor_labels", false.into()),
        (
            "kubernetes_sd_configs",
            list([mapping([
                ("role", "endpoints".into()),
                ("namespaces", mapping([("names", list([namespace.into()]))])),
            ])]),
        ),
        ("scrape_interval", "30s".into()),
        ("metrics_path", "/metrics".into()),
        ("scheme", "https".into()),
        ("sample_limit", 5000.0.into()),
        ("tls_config", mapping([("insecure_skip_verify", true.into())])),
        ("relabel_configs", Value::Sequence(relabelings(number).collect())),
    ])
}

fn relabelings(number: usize) -> impl Iterator<Item = Value<'static>> {
    let app = format!("app-{number}");
    let rules = [
        ("job", None, Some("__tmp_prometheus_job_name")),
        ("__meta_kubernetes_service_label_app_kubernetes_io_name", Some(app.as_str()), None),
        ("__meta_kubernetes_service_label_tier", Some("(?:web|api)"), None),
        ("__meta_kubernetes_endpoint_port_name", Some("http-metrics"), None),
        ("__meta_kubernetes_endpoint_address_target_kind", Some("Node;(.*)"), Some("node")),
        ("__meta_kubernetes_endpoint_address_target_kind", Some("Pod;(.*)"), Some("pod")),
        ("__meta_kubernetes_namespace", None, Some("namespace")),
        ("__meta_kubernetes_service_name", None, Some("service")),
        ("__meta_kubernetes_pod_name", None, Some("pod")),
        ("__meta_kubernetes_pod_container_name", None, Some("container")),
        ("__meta_kubernetes_service_label_team", Some("(.+)"), Some("team")),
        ("__meta_kubernetes_service_label_env", Some("(.+)"), Some("env")),
        ("__tmp_hash", Some("$(SHARD)"), None),
    ];
    rules.map(|(source, regex, target)| relabeling(source, regex, target)).into_iter()
}

fn relabeling(source: &'static str, regex: Option<&str>, target: Option<&'static str>) -> Value<'static> {
    let mut rule = Mapping::new();
    rule.push("source_labels", list([source.into()]));
    match (regex, target) {
        (Some(regex), Some(target)) => {
            rule.push("regex", regex.to_owned());
            rule.push("replacement", "$1");
            rule.push("target_label", target);
        }
        (Some(regex), None) => {
            rule.push("regex", regex.to_owned());
            rule.push("action", "keep");
        }
        (None, target) => rule.push("target_label", target.unwrap_or_default()),
    }
    rule.into()
}

fn mapping<const N: usize>(entries: [(&'static str, Value<'static>); N]) -> Value<'static> {
    Value::Mapping(entries.map(|(key, value)| (key.into(), value)).into_iter().collect())
}

fn list<const N: usize>(items: [Value<'static>; N]) -> Value<'static> {
    Value::Sequence(items.into())
}
