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
const LONG: usize = 300_000;
const ALIASES: usize = 100;

/// Returns the messages of the findings about limits, each with its file and position.
fn exceeded(texts: &[String], options: &CompileOptions) -> Vec<(String, u32, String)> {
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
fn repeated(kind: Kind, before: &str, item: &str, value: &str) -> String {
    let head = object(kind, "a", &json!({}));
    let head = format!("apiVersion: {}\nkind: {kind}\nmetadata: {{name: a}}\n", head["apiVersion"].as_str().unwrap());
    let anchor = item.replace('&', &format!("&a {value}"));
    let aliases = (0..ALIASES).map(|number| item.replace('&', "*a ").replace('#', &number.to_string()));
    format!("{head}{before}{}{}", anchor.replace('#', "x"), aliases.collect::<String>())
}

/// Returns one input for each position in which a long value may be repeated.
fn places() -> Vec<(&'static str, String)> {
    let long = format!("\"{}\"", "QUFB".repeat(LONG / 4));
    let list = format!("[{}]", vec!["x".repeat(LONG / 30); 30].join(", "));
    let map =
        format!("{{{}}}", (0..30).map(|i| format!("k{i}: {}", "v".repeat(LONG / 30))).collect::<Vec<_>>().join(", "));
    let labels: Vec<_> = (0..LONG / 14).map(|i| format!("a{i}=\\\"b\\\"")).collect();
    let selector = format!("\"{{{}}}\"", labels.join(", "));
    let certificate = format!("\"-----BEGIN CERTIFICATE-----\\n{}\"", "QUFB".repeat(LONG / 4));
    let url = format!("\"http://u:p@a/{}\"", "x".repeat(LONG));
    let template = format!("\"{}\"", "{{ .a }}".repeat(LONG / 8));
    let regex = format!("\"{}\"", "(a|b)".repeat(LONG / 5));
    let yaml = format!("\"{}\"", "- a: b\\n".repeat(LONG / 8));
    let block = format!("|\n    {}", "text\n    ".repeat(LONG / 5));
    let monitor = "spec:\n  selector: {}\n  endpoints:\n";
    let relabelings = "spec:\n  selector: {}\n  endpoints:\n  - port: a\n    relabelings:\n";
    let stages = "spec:\n  selector: {}\n  pipelineStages:\n";
    let writes = "spec:\n  remoteWrite:\n";
    let integration = "spec:\n  name: redis\n  type: {unique: true, allNodes: false}\n  config:\n";
    vec![
        ("data of a Secret", repeated(Kind::Secret, "data:\n", "  k#: &\n", &long)),
        ("stringData of a Secret", repeated(Kind::Secret, "stringData:\n", "  k#: &\n", &long)),
        ("certificates of a Secret", repeated(Kind::Secret, "stringData:\n", "  k#: &\n", &certificate)),
        ("YAML in a Secret", repeated(Kind::Secret, "stringData:\n", "  k#: &\n", &yaml)),
        ("binaryData of a ConfigMap", repeated(Kind::ConfigMap, "binaryData:\n", "  k#: &\n", &long)),
        ("data of a ConfigMap", repeated(Kind::ConfigMap, "data:\n", "  k#: &\n", &block)),
        ("annotations", repeated(Kind::ConfigMap, "data: {}\nx:\n", "  - {metadata: {annotations: &}}\n", &map)),
        ("match selectors", repeated(Kind::PodLogs, stages, "  - match: {selector: &, action: drop}\n", &selector)),
        ("templates of stages", repeated(Kind::PodLogs, stages, "  - template: {source: a, template: &}\n", &template)),
        ("expressions of stages", repeated(Kind::PodLogs, stages, "  - regex: {expression: &}\n", &regex)),
        ("labels of stages", repeated(Kind::PodLogs, stages, "  - labels: &\n", &map)),
        (
            "replacements",
            repeated(Kind::ServiceMonitor, relabelings, "    - {targetLabel: a, replacement: &}\n", &long),
        ),
        (
            "regular expressions",
            repeated(Kind::ServiceMonitor, relabelings, "    - {regex: &, action: drop}\n", &regex),
        ),
        (
            "source labels",
            repeated(Kind::ServiceMonitor, relabelings, "    - {sourceLabels: &, action: drop}\n", &list),
        ),
        ("parameters", repeated(Kind::ServiceMonitor, monitor, "  - {port: a, params: {a: &}}\n", &list)),
        ("paths of endpoints", repeated(Kind::ServiceMonitor, monitor, "  - {port: a, path: &}\n", &long)),
        ("proxies of endpoints", repeated(Kind::ServiceMonitor, monitor, "  - {port: a, proxyUrl: &}\n", &url)),
        ("unknown fields", repeated(Kind::ServiceMonitor, monitor, "  - {port: a, unknown: &}\n", &long)),
        ("wrong types", repeated(Kind::ServiceMonitor, monitor, "  - {port: a, honorLabels: &}\n", &long)),
        (
            "targets",
            repeated(Kind::Probe, "spec:\n  prober: {url: a}\n  targets: {staticConfig: {static: [", "&, ", &long)
                + "]}}\n",
        ),
        ("URLs", repeated(Kind::MetricsInstance, writes, "  - url: &\n", &url)),
        ("headers", repeated(Kind::MetricsInstance, writes, "  - {url: a, headers: &}\n", &map)),
        (
            "external labels",
            repeated(Kind::LogsInstance, "spec:\n  clients:\n", "  - {url: a, externalLabels: &}\n", &map),
        ),
        (
            "variables",
            repeated(
                Kind::GrafanaAgent,
                "spec:\n  containers:\n",
                "  - {name: a#, env: [{name: a, value: &}]}\n",
                &long,
            ),
        ),
        ("arguments", repeated(Kind::GrafanaAgent, "spec:\n  containers:\n", "  - {name: a#, args: &}\n", &list)),
        ("configurations", repeated(Kind::Integration, integration, "    k#: &\n", &long)),
        ("keys", repeated(Kind::Integration, &format!("{integration}    list:\n"), "    - {? & : 1}\n", &long)),
        ("merged mappings", repeated(Kind::Integration, &format!("{integration}    list:\n"), "    - {<<: &}\n", &map)),
        ("merged lists", repeated(Kind::Integration, &format!("{integration}    list:\n"), "    - {<<: [&]}\n", &map)),
        ("nested lists", repeated(Kind::Integration, &format!("{integration}    list:\n"), "    - [[[&]]]\n", &list)),
        ("bundles of certificates", {
            let service = "  apiVersion: apiregistration.k8s.io/v1\n  kind: APIService\n  metadata: {name: v1.a#}\n";
            let item = format!("-{}  spec: {{group: a#, version: v1, caBundle: &}}\n", &service[1..]);
            list_of(&item, &long)
        }),
        ("specifications", {
            let monitor =
                "- {apiVersion: monitoring.coreos.com/v1, kind: ServiceMonitor, metadata: {name: a#}, spec: &}\n";
            list_of(monitor, &format!("{{selector: {{}}, jobLabel: {long}, endpoints: []}}"))
        }),
        ("objects of another kind", list_of("- {apiVersion: v1, kind: Pod, metadata: {name: a#}, spec: &}\n", &map)),
        ("other documents", format!("- &a {long}\n{}", "- *a\n".repeat(ALIASES))),
    ]
}

fn list_of(item: &str, value: &str) -> String {
    let anchor = item.replace('&', &format!("&a {value}")).replace('#', "x");
    let aliases = (0..ALIASES).map(|number| item.replace('&', "*a").replace('#', &number.to_string()));
    format!("apiVersion: v1\nkind: List\nitems:\n{anchor}{}", aliases.collect::<String>())
}

#[test]
fn limits_alias_expansion_in_every_field() {
    let failures = places().into_iter().filter_map(|(place, text)| {
        let findings = exceeded(&[text], &CompileOptions::default());
        let messages: Vec<_> = findings.iter().map(|(.., message)| message.as_str()).collect();
        (messages != ["the aliases expand to more than 16MiB"]).then(|| format!("{place}: {messages:?}"))
    });
    support::report(&failures.collect::<Vec<_>>());
}

/// Tests that the limit applies to all files together, and that the same file is reported each time, although files are
/// read in parallel.
#[test]
fn files_share_the_alias_limit() {
    let long = "x".repeat(10_000);
    let file = |aliases: usize| format!("- &a {long}\n{}", "- *a\n".repeat(aliases));
    let files: Vec<_> = (0..40).map(|_| file(50)).chain(["a: b\n".to_owned()]).collect();
    let first = exceeded(&files, &CompileOptions::default());
    let names: Vec<_> = first.iter().map(|(name, ..)| name.as_str()).collect();
    // A file adds 50 * 10,016 bytes, and 16 MiB is 16,777,216 bytes.
    assert_eq!(names, ["33.yaml", "34.yaml", "35.yaml", "36.yaml", "37.yaml", "38.yaml", "39.yaml"]);
    for _ in 0..3 {
        assert_eq!(exceeded(&files, &CompileOptions::default()), first);
    }
    assert_eq!(exceeded(&files[..33], &CompileOptions::default()), []);
    let mut options = CompileOptions::default();
    options.limits.max_alias_size = Some(ByteSize(32 << 20));
    assert_eq!(exceeded(&files, &options), []);
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
    assert_eq!(exceeded(&[text], &CompileOptions::default()), []);
}
