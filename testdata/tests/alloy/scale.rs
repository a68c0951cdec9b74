//! Tests `--target alloy` with many monitors: the number of components that watch the API server, and the size of the
//! configuration.

use crate::testing::TestInput;
use std::io::Read;

use crate::support;
use agentctl::admit;
use agentctl::output::alloy;
use agentctl::plan::{ConfigKind, Plan, SecretRepresentation};
use agentctl::resolve;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use serde_json::Value;

/// Returns an agent with monitors in several namespaces.
fn input(monitors: usize, namespaces: usize) -> String {
    let mut input = String::from(
        "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {name: a, namespace: m}\nspec: {metrics: \
         {instanceSelector: {}}}\n---\napiVersion: monitoring.grafana.com/v1alpha1\nkind: MetricsInstance\nmetadata: {name: i, \
         namespace: m}\nspec: {serviceMonitorSelector: {}, serviceMonitorNamespaceSelector: {}}\n",
    );
    for i in 0..namespaces {
        input += &format!("---\napiVersion: v1\nkind: Namespace\nmetadata: {{name: ns{i}}}\n");
    }
    for i in 0..monitors {
        let namespace = i % namespaces;
        input += &format!(
            "---\napiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: s{i}, namespace: ns{namespace}}}\n\
             spec: {{selector: {{}}, endpoints: [{{port: http}}]}}\n"
        );
    }
    input
}

/// Returns the configuration for an agent with monitors in several namespaces, and whether it is compressed.
fn configuration(monitors: usize, namespaces: usize) -> (String, bool) {
    let args = ["render", "-", "--target", "alloy", "-o", "json"];
    let run = support::run(support::root(), args, input(monitors, namespaces).as_bytes());
    let list: Value = serde_json::from_str(&run.stdout).unwrap();
    let mut texts = list["items"].as_array().unwrap().iter();
    let text = texts.find_map(|object| object["data"]["config.alloy"].as_str()).unwrap();
    let bytes = STANDARD.decode(text).unwrap();
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return (String::from_utf8(bytes).unwrap(), false);
    }
    let mut text = String::new();
    GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).unwrap();
    (text, true)
}

#[test]
fn discovery_components_grow_only_with_namespaces() {
    for (monitors, namespaces) in [(3, 3), (60, 3), (60, 7)] {
        let (text, _) = configuration(monitors, namespaces);
        assert_eq!(text.matches("discovery.kubernetes \"").count(), namespaces, "{monitors}");
        assert_eq!(text.matches("prometheus.scrape \"").count(), monitors);
    }
}

#[test]
fn parallel_jobs_keep_the_order_of_rules() {
    let (text, _) = configuration(600, 1);
    let between = |start: &str, end: &str| {
        let lines = text.lines().filter_map(|line| line.trim_start().strip_prefix(start)?.strip_suffix(end));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let rules = between("discovery.relabel \"", "\" {");
    assert_eq!(rules.len(), 600);
    assert_eq!(rules, between("prometheus.scrape \"", "\" {"));
    let names = between("job_name", "\"");
    assert_eq!(names.len(), 600);
    assert!(names.is_sorted());
}

#[test]
fn streams_most_of_the_configuration() {
    let input = TestInput::new(input(600, 3));
    let (documents, _) = input.read();
    let resources = admit::decode(&documents, "default").output;
    let hierarchies = resolve::resolve(&resources, &resolve::ResolveOptions::default()).output;
    let plan = Plan::new(&hierarchies[0], &[ConfigKind::Metrics], &mut Vec::new());
    let mut pieces = Vec::new();
    let settings = alloy::AlloySettings { has_files_of_credentials: true, ..alloy::AlloySettings::default() };
    alloy::write(&plan, ConfigKind::Metrics, &settings, SecretRepresentation::Values, &mut |piece| {
        pieces.push(piece.len())
    });
    let (longest_piece, total_size) = (pieces.iter().max().unwrap(), pieces.iter().sum::<usize>());
    assert!(longest_piece * 3 < total_size, "a piece has {longest_piece} bytes of {total_size}");
}

#[test]
fn compresses_configurations_over_100_kib() {
    let (small, is_compressed) = configuration(20, 1);
    assert!(small.len() < 100 << 10 && !is_compressed);
    let (large, is_compressed) = configuration(200, 1);
    assert!(large.len() > 100 << 10 && is_compressed);
    assert!(large.starts_with(small.lines().next().unwrap()));
}
