//! Tests of integrations.

use super::{AGENT, METRICS_INSTANCE, configuration_text, with_plan};
use crate::output::agent::Configuration;
use crate::plan::{ConfigKind, SecretRepresentation};
use crate::yaml::Step;

#[test]
fn collects_integrations_by_name() {
    let integration = |name: &str, kind: &str, all_nodes: bool, config: &str| {
        format!(
            "
---
apiVersion: monitoring.grafana.com/v1alpha1
kind: Integration
metadata: {{name: {name}, namespace: ns}}
spec: {{name: {kind}, type: {{allNodes: {all_nodes}}}, config: {config}}}
"
        )
    };
    let input = [
        AGENT.to_owned(),
        METRICS_INSTANCE.to_owned(),
        integration("i1", "mysql", false, "{m: 1000000, x: ~, l: [~, 1]}"),
        integration("i2", "redis", false, "{}"),
        integration("i3", "mysql", false, "{}"),
        integration("i4", "node_exporter", true, "{}"),
    ];
    let text = configuration_text(&input.concat(), ConfigKind::Integrations { all_nodes: false });
    let expected = "\
integrations:
    metrics:
        autoscrape:
            enable: false
    mysql_configs:
        - l:
            - 1
          m: 1e+06
        - {}
    redis_configs:
        - {}
logs:
    positions_directory: /var/lib/grafana-agent/data
metrics:
    configs:
        - name: ns/m
    global:
        external_labels:
            cluster: ns/a
    wal_directory: /var/lib/grafana-agent/data
server: {}

";
    assert_eq!(text, expected);
    let part = ConfigKind::Integrations { all_nodes: false };
    let origin = with_plan(&input.concat(), part, &mut Vec::new(), |plan| {
        let configuration = Configuration::new(plan, part, SecretRepresentation::Values);
        let source = configuration.origin(&[Step::Key("integrations")]).unwrap();
        format!("{} {}", source.object().name, source.path())
    });
    assert_eq!(origin, "a spec.integrations");
    let text = configuration_text(&input.concat(), ConfigKind::Integrations { all_nodes: true });
    assert!(text.contains("node_exporter_configs:") && !text.contains("mysql"), "{text}");
}
