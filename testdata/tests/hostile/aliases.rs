//! Tests aliases that repeat long values in every position that a stage reads. Instead of measuring time, the tests
//! check that the total size of the repeated values is limited, and that the limit can be raised.

use crate::testing::TestInput;
use agentctl::api::Kind;
use agentctl::compile::CompileOptions;
use agentctl::diagnostic::Code;
use agentctl::printable::ByteSize;
use serde_json::json;

use crate::hostile::shapes::{object, spec};
use crate::support;

/// Size of the anchor's value in bytes, and number of aliases. Together, they exceed the limit on repeated values.
const ANCHOR_SIZE: usize = 300_000;
const ALIASES: usize = 100;

/// Returns the messages of the findings about limits, each with its file and position.
fn limit_messages(texts: &[String], options: &CompileOptions) -> Vec<(String, u32, String)> {
    let input = TestInput::numbered(texts).options(options);
    let limit_findings = input.findings().into_iter().filter(|finding| finding.code == Code::YamlLimit);
    limit_findings
        .map(|finding| {
            let at = finding.primary().unwrap().span;
            (input.sources.get(at.source).unwrap().name.clone(), at.start, finding.message)
        })
        .collect()
}

/// Returns a resource whose specification is `before`, an item with the anchor, items with aliases, and `after`. `&` in
/// an item is a placeholder for the anchor with its value, or for an alias.
fn resource_with_aliases(kind: Kind, before: &str, item: &str, value: &str) -> String {
    let head = object(kind, "a", &json!({}));
    let head = format!("apiVersion: {}\nkind: {kind}\nmetadata: {{name: a}}\n", head["apiVersion"].as_str().unwrap());
    let anchor = item.replace('&', &format!("&a {value}"));
    let aliases = (0..ALIASES).map(|number| item.replace('&', "*a ").replace('#', &number.to_string()));
    format!("{head}{before}{}{}", anchor.replace('#', "x"), aliases.collect::<String>())
}

/// Returns one input for each position in which a long value may be repeated.
fn inputs_with_aliases() -> Vec<(&'static str, String)> {
    let long_string = format!("\"{}\"", "QUFB".repeat(ANCHOR_SIZE / 4));
    let list = format!("[{}]", vec!["x".repeat(ANCHOR_SIZE / 30); 30].join(", "));
    let map = format!(
        "{{{}}}",
        (0..30).map(|i| format!("k{i}: {}", "v".repeat(ANCHOR_SIZE / 30))).collect::<Vec<_>>().join(", ")
    );
    let labels: Vec<_> = (0..ANCHOR_SIZE / 14).map(|i| format!("a{i}=\\\"b\\\"")).collect();
    let selector = format!("\"{{{}}}\"", labels.join(", "));
    let certificate = format!("\"-----BEGIN CERTIFICATE-----\\n{}\"", "QUFB".repeat(ANCHOR_SIZE / 4));
    let url = format!("\"http://u:p@a/{}\"", "x".repeat(ANCHOR_SIZE));
    let template = format!("\"{}\"", "{{ .a }}".repeat(ANCHOR_SIZE / 8));
    let regex = format!("\"{}\"", "(a|b)".repeat(ANCHOR_SIZE / 5));
    let yaml = format!("\"{}\"", "- a: b\\n".repeat(ANCHOR_SIZE / 8));
    let block = format!("|\n    {}", "text\n    ".repeat(ANCHOR_SIZE / 5));
    let monitor = "spec:\n  selector: {}\n  endpoints:\n";
    let relabelings = "spec:\n  selector: {}\n  endpoints:\n  - port: a\n    relabelings:\n";
    let stages = "spec:\n  selector: {}\n  pipelineStages:\n";
    let writes = "spec:\n  remoteWrite:\n";
    let integration = "spec:\n  name: redis\n  type: {unique: true, allNodes: false}\n  config:\n";
    vec![
        ("data of a Secret", resource_with_aliases(Kind::Secret, "data:\n", "  k#: &\n", &long_string)),
        ("stringData of a Secret", resource_with_aliases(Kind::Secret, "stringData:\n", "  k#: &\n", &long_string)),
        ("certificates of a Secret", resource_with_aliases(Kind::Secret, "stringData:\n", "  k#: &\n", &certificate)),
        ("YAML in a Secret", resource_with_aliases(Kind::Secret, "stringData:\n", "  k#: &\n", &yaml)),
        (
            "binaryData of a ConfigMap",
            resource_with_aliases(Kind::ConfigMap, "binaryData:\n", "  k#: &\n", &long_string),
        ),
        ("data of a ConfigMap", resource_with_aliases(Kind::ConfigMap, "data:\n", "  k#: &\n", &block)),
        (
            "annotations",
            resource_with_aliases(Kind::ConfigMap, "data: {}\nx:\n", "  - {metadata: {annotations: &}}\n", &map),
        ),
        (
            "match selectors",
            resource_with_aliases(Kind::PodLogs, stages, "  - match: {selector: &, action: drop}\n", &selector),
        ),
        (
            "templates of stages",
            resource_with_aliases(Kind::PodLogs, stages, "  - template: {source: a, template: &}\n", &template),
        ),
        ("expressions of stages", resource_with_aliases(Kind::PodLogs, stages, "  - regex: {expression: &}\n", &regex)),
        ("labels of stages", resource_with_aliases(Kind::PodLogs, stages, "  - labels: &\n", &map)),
        (
            "replacements",
            resource_with_aliases(
                Kind::ServiceMonitor,
                relabelings,
                "    - {targetLabel: a, replacement: &}\n",
                &long_string,
            ),
        ),
        (
            "regular expressions",
            resource_with_aliases(Kind::ServiceMonitor, relabelings, "    - {regex: &, action: drop}\n", &regex),
        ),
        (
            "source labels",
            resource_with_aliases(Kind::ServiceMonitor, relabelings, "    - {sourceLabels: &, action: drop}\n", &list),
        ),
        ("parameters", resource_with_aliases(Kind::ServiceMonitor, monitor, "  - {port: a, params: {a: &}}\n", &list)),
        (
            "paths of endpoints",
            resource_with_aliases(Kind::ServiceMonitor, monitor, "  - {port: a, path: &}\n", &long_string),
        ),
        (
            "proxies of endpoints",
            resource_with_aliases(Kind::ServiceMonitor, monitor, "  - {port: a, proxyUrl: &}\n", &url),
        ),
        (
            "unknown fields",
            resource_with_aliases(Kind::ServiceMonitor, monitor, "  - {port: a, unknown: &}\n", &long_string),
        ),
        (
            "wrong types",
            resource_with_aliases(Kind::ServiceMonitor, monitor, "  - {port: a, honorLabels: &}\n", &long_string),
        ),
        (
            "targets",
            resource_with_aliases(
                Kind::Probe,
                "spec:\n  prober: {url: a}\n  targets: {staticConfig: {static: [",
                "&, ",
                &long_string,
            ) + "]}}\n",
        ),
        ("URLs", resource_with_aliases(Kind::MetricsInstance, writes, "  - url: &\n", &url)),
        ("headers", resource_with_aliases(Kind::MetricsInstance, writes, "  - {url: a, headers: &}\n", &map)),
        (
            "external labels",
            resource_with_aliases(Kind::LogsInstance, "spec:\n  clients:\n", "  - {url: a, externalLabels: &}\n", &map),
        ),
        (
            "variables",
            resource_with_aliases(
                Kind::GrafanaAgent,
                "spec:\n  containers:\n",
                "  - {name: a#, env: [{name: a, value: &}]}\n",
                &long_string,
            ),
        ),
        (
            "arguments",
            resource_with_aliases(Kind::GrafanaAgent, "spec:\n  containers:\n", "  - {name: a#, args: &}\n", &list),
        ),
        ("configurations", resource_with_aliases(Kind::Integration, integration, "    k#: &\n", &long_string)),
        (
            "keys",
            resource_with_aliases(
                Kind::Integration,
                &format!("{integration}    list:\n"),
                "    - {? & : 1}\n",
                &long_string,
            ),
        ),
        (
            "merged mappings",
            resource_with_aliases(Kind::Integration, &format!("{integration}    list:\n"), "    - {<<: &}\n", &map),
        ),
        (
            "merged lists",
            resource_with_aliases(Kind::Integration, &format!("{integration}    list:\n"), "    - {<<: [&]}\n", &map),
        ),
        (
            "nested lists",
            resource_with_aliases(Kind::Integration, &format!("{integration}    list:\n"), "    - [[[&]]]\n", &list),
        ),
        ("bundles of certificates", {
            let service = "  apiVersion: apiregistration.k8s.io/v1\n  kind: APIService\n  metadata: {name: v1.a#}\n";
            let item = format!("-{}  spec: {{group: a#, version: v1, caBundle: &}}\n", &service[1..]);
            list_of(&item, &long_string)
        }),
        ("specifications", {
            let monitor =
                "- {apiVersion: monitoring.coreos.com/v1, kind: ServiceMonitor, metadata: {name: a#}, spec: &}\n";
            list_of(monitor, &format!("{{selector: {{}}, jobLabel: {long_string}, endpoints: []}}"))
        }),
        ("objects of another kind", list_of("- {apiVersion: v1, kind: Pod, metadata: {name: a#}, spec: &}\n", &map)),
        ("other documents", format!("- &a {long_string}\n{}", "- *a\n".repeat(ALIASES))),
    ]
}

fn list_of(item: &str, value: &str) -> String {
    let anchor = item.replace('&', &format!("&a {value}")).replace('#', "x");
    let aliases = (0..ALIASES).map(|number| item.replace('&', "*a").replace('#', &number.to_string()));
    format!("apiVersion: v1\nkind: List\nitems:\n{anchor}{}", aliases.collect::<String>())
}

#[test]
fn limits_alias_expansion_in_every_field() {
    let failures = inputs_with_aliases().into_iter().filter_map(|(place, text)| {
        let findings = limit_messages(&[text], &CompileOptions::default());
        let messages: Vec<_> = findings.iter().map(|(.., message)| message.as_str()).collect();
        (messages != ["the aliases expand to more than 16MiB"]).then(|| format!("{place}: {messages:?}"))
    });
    support::report(&failures.collect::<Vec<_>>());
}

/// Tests that the limit applies to all files together, and that the same file is reported each time, although files are
/// read in parallel.
#[test]
fn files_share_the_alias_limit() {
    let long_string = "x".repeat(10_000);
    let file = |aliases: usize| format!("- &a {long_string}\n{}", "- *a\n".repeat(aliases));
    let files: Vec<_> = (0..40).map(|_| file(50)).chain(["a: b\n".to_owned()]).collect();
    let first = limit_messages(&files, &CompileOptions::default());
    let names: Vec<_> = first.iter().map(|(name, ..)| name.as_str()).collect();
    // A file adds 50 * 10,016 bytes, and 16 MiB is 16,777,216 bytes.
    assert_eq!(names, ["33.yaml", "34.yaml", "35.yaml", "36.yaml", "37.yaml", "38.yaml", "39.yaml"]);
    for _ in 0..3 {
        assert_eq!(limit_messages(&files, &CompileOptions::default()), first);
    }
    assert_eq!(limit_messages(&files[..33], &CompileOptions::default()), []);
    let mut options = CompileOptions::default();
    options.limits.max_alias_size = Some(ByteSize(32 << 20));
    assert_eq!(limit_messages(&files, &options), []);
}

/// Tests that aliases in ordinary manifests are allowed, even if there are many.
#[test]
fn allows_many_monitors_with_shared_specs() {
    let spec = spec(Kind::ServiceMonitor).to_string();
    let monitors = (0..5_000).map(|number| {
        format!(
            "- {{apiVersion: monitoring.coreos.com/v1, kind: ServiceMonitor, metadata: {{name: m{number}}}, spec: *s}}\n"
        )
    });
    let head = "apiVersion: v1\nkind: List\nitems:\n";
    let first = format!("- {{apiVersion: v1, kind: ConfigMap, metadata: {{name: a}}, x: &s {spec}}}\n");
    let text = format!("{head}{first}{}", monitors.collect::<String>());
    assert_eq!(limit_messages(&[text], &CompileOptions::default()), []);
}
