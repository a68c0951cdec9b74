//! Tests of the order of relabeling rules.

use super::{AGENT, METRICS_INSTANCE, configuration_text};
use crate::plan::ConfigKind;

/// Returns the relabeling rules in a configuration, one per line: source labels, action, regular expression, target
/// label, value.
fn rules(config: &str) -> Vec<String> {
    let config: serde_yaml::Value = serde_yaml::from_str(config).unwrap();
    let rules = config["metrics"]["configs"][0]["scrape_configs"][0]["relabel_configs"].as_sequence().unwrap();
    let word = |rule: &serde_yaml::Value, key: &str| match &rule[key] {
        serde_yaml::Value::Null => "-".to_owned(),
        serde_yaml::Value::Sequence(items) => items.iter().map(|i| i.as_str().unwrap()).collect::<Vec<_>>().join(","),
        other => other.as_str().map_or_else(|| format!("{other:?}"), str::to_owned),
    };
    let keys = ["source_labels", "action", "regex", "target_label", "replacement"];
    let line = |rule| keys.map(|key| word(rule, key)).join(" ").replace("__meta_kubernetes_", "~");
    rules.iter().map(line).collect()
}

#[test]
fn orders_service_monitor_rules_like_the_operator() {
    let monitor = "
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: s, namespace: ns}
spec:
  jobLabel: job.name
  targetLabels: [a/b]
  podTargetLabels: [ünï]
  selector:
    matchLabels: {b: '', a: '1'}
    matchExpressions:
    - {key: c, operator: In, values: [x, w]}
    - {key: d, operator: NotIn, values: [z]}
    - {key: e, operator: Exists}
    - {key: f, operator: DoesNotExist}
  endpoints:
  - targetPort: 8080
    filterRunning: true
    relabelings: [{action: labeldrop, regex: x}]
";
    let config = configuration_text(&format!("{AGENT}{METRICS_INSTANCE}{monitor}"), ConfigKind::Metrics);
    let kind_and_name = "~endpoint_address_target_kind,~endpoint_address_target_name";
    let expected = [
        "job - - __tmp_prometheus_job_name -",
        "~service_label_a keep 1 - -",
        "~service_label_b keep  - -",
        "~service_label_c keep x|w - -",
        "~service_label_d drop z - -",
        "~service_labelpresent_e keep true - -",
        "~service_labelpresent_f drop true - -",
        "~pod_container_port_number keep 8080 - -",
        &format!("{kind_and_name} - Node;(.*) node $1"),
        &format!("{kind_and_name} - Pod;(.*) pod $1"),
        "~namespace - - namespace -",
        "~service_name - - service -",
        "~pod_name - - pod -",
        "~pod_container_name - - container -",
        "~pod_phase drop (Failed|Succeeded) - -",
        "~service_label_a_b - (.+) a_b $1",
        "~pod_label__n_ - (.+) _n_ $1",
        "~service_name - - job $1",
        "~service_label_job_name - (.+) job $1",
        "- - - endpoint 8080",
        "- labeldrop x - -",
        "- - - ns ns",
        "__address__ hashmod - __tmp_hash -",
        "__tmp_hash keep $(SHARD) - -",
    ];
    assert_eq!(rules(&config), expected);
    assert!(config.contains("modulus: 3\n"), "{config}");
}

#[test]
fn orders_pod_monitor_rules_like_the_operator() {
    let monitor = "
---
apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata: {name: p, namespace: ns}
spec:
  selector: {matchLabels: {a: '1'}}
  podMetricsEndpoints: [{port: web, targetPort: ignored, filterRunning: true}]
";
    let config = configuration_text(&format!("{AGENT}{METRICS_INSTANCE}{monitor}"), ConfigKind::Metrics);
    let expected = [
        "job - - __tmp_prometheus_job_name -",
        "~pod_phase drop (Failed|Succeeded) - -",
        "~pod_label_a keep 1 - -",
        "~pod_container_port_name keep web - -",
        "~namespace - - namespace -",
        "~service_name - - service -",
        "~pod_name - - pod -",
        "~pod_container_name - - container -",
        "- - - job ns/p",
        "- - - endpoint web",
        "- - - ns ns",
        "__address__ hashmod - __tmp_hash -",
        "__tmp_hash keep $(SHARD) - -",
    ];
    assert_eq!(rules(&config), expected);
}

#[test]
fn probe_rules_depend_on_the_targets() {
    let probe = |targets: &str| {
        let probe = "
---
apiVersion: monitoring.coreos.com/v1
kind: Probe
metadata: {name: p, namespace: ns}
spec:
  jobName: j
  prober: {url: prober:9115}";
        let input = format!("{AGENT}{METRICS_INSTANCE}{probe}\n  targets: {targets}\n");
        rules(&configuration_text(&input, ConfigKind::Metrics))
    };
    let first_rules = ["job - - __tmp_prometheus_job_name -", "- - - job j"];
    let last_rules = ["w replace - x -", "- - - ns ns"];
    let relabelings = "relabelingConfigs: [{sourceLabels: [w], targetLabel: x}]";
    let cases: [(String, &[&str]); 2] = [
        (
            format!("{{staticConfig: {{static: [t], {relabelings}}}, ingress: {{selector: {{}}}}}}"),
            &["__address__ - - __param_target -", "__param_target - - instance -", "- - - __address__ prober:9115"],
        ),
        (
            format!("{{ingress: {{selector: {{matchLabels: {{a: '1'}}}}, {relabelings}}}}}"),
            &[
                "~ingress_label_a keep 1 - -",
                "~ingress_scheme,__address__,~ingress_path replace (.+);(.+);(.+) __param_target $1://$2$3",
                "~namespace - - namespace -",
                "~ingress_name - - ingress -",
                "__param_target - - instance -",
                "- - - __address__ prober:9115",
            ],
        ),
    ];
    for (targets, rules_between) in cases {
        let actual = probe(&targets);
        let expected_last_rules: Vec<_> =
            last_rules.iter().map(|line| line.replace("y - - x", "y replace - x")).collect();
        let expected: Vec<_> =
            first_rules.iter().chain(rules_between).map(|line| (*line).to_owned()).chain(expected_last_rules).collect();
        assert_eq!(actual, expected, "{targets}");
    }
}
