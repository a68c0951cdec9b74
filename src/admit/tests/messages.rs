//! Tests of messages and their locations.

use super::*;
use crate::source::Span;
use crate::testing;

#[test]
fn messages_have_a_problem_and_help() {
    for (spec, expected) in [
        (
            "  selector: {}\n  endpoints:\n  - port: yes\n",
            "7 spec.endpoints[0].port: `port` must be a string, but is a boolean; quote it: without quotes, `y`, `yes`, `on`, `n`, \
             `no` and `off` are booleans",
        ),
        (
            "  selector: {matchLabels: {a.b/c: 8}}\n  endpoints: []\n",
            "5 spec.selector.matchLabels.a.b/c: `a.b/c` must be a string, but is an integer; quote it: without quotes, it is a \
             number",
        ),
        (
            "  selector: {}\n  endpoints: {port: web}\n",
            "6 spec.endpoints: `endpoints` must be a list, but is a mapping; write it as a list: put `- ` before it",
        ),
        (
            "  selector: {}\n  endpoints:\n  - basicAuth: {password: hunter2}\n",
            "7 spec.endpoints[0].basicAuth.password: `password` must be a mapping, but is a string; set `name` to the object that contains the value, and `key` to its key in that object",
        ),
        (
            "  selector: {}\n  endpoints:\n  - interval: '30'\n",
            "7 spec.endpoints[0].interval: `interval` must be a duration, but is `30`; add a unit: `30s`",
        ),
        (
            "  selector: {}\n  endpoints:\n  - interval: 1m1h\n",
            "7 spec.endpoints[0].interval: `interval` must be a duration, but is `1m1h`; write the units from largest to smallest, each at most once, as in `1h30m`, `15s` or `500ms`",
        ),
        (
            "  selector: {}\n  endpoints:\n  - scheme: HTTPS\n",
            "7 spec.endpoints[0].scheme: `scheme` cannot be `HTTPS`; did you mean `https`?",
        ),
        (
            "  selector: {}\n  endpoints: []\n  sampleLimit: 9223372036854775808\n",
            "7 spec.sampleLimit: `sampleLimit` must be an integer, but is a number that does not fit in a signed 64-bit integer; use a \
             number up to 9223372036854775807",
        ),
        (
            "  selector: {}\n  endpoints:\n  - scheme: 7\n",
            "7 spec.endpoints[0].scheme: `scheme` must be a string, but is an integer; use `http` or `https`",
        ),
        (
            "  selector: {}\n  endpoints: []\n  sampleLimit: '7'\n",
            "7 spec.sampleLimit: `sampleLimit` must be an integer, but is a string; remove the quotes",
        ),
        (
            "  selector: {}\n  endpoints: []\n  attachMetadata: {node: 'true'}\n",
            "7 spec.attachMetadata.node: `node` must be a boolean, but is a string; remove the quotes",
        ),
        (
            "  selector: {}\n  endpoints:\n  - targetPort: 99999999999\n",
            "7 spec.endpoints[0].targetPort: `targetPort` does not fit in 32 bits, so the operator cannot read it; \
             use a number between -2147483648 and 2147483647",
        ),
        (
            "  selector: {}\n  endpoints:\n  - interval: 30\n",
            "7 spec.endpoints[0].interval: `interval` must be a string, but is an integer; add a unit: `30s`",
        ),
        (
            "  selector: {}\n  endpoints: []\n  sampleLimit: 1.5\n",
            "7 spec.sampleLimit: `sampleLimit` must be an integer, but is a number with a fraction; use a whole number",
        ),
        (
            "  selector: {}\n  endpoints: []\n  sampleLimit: x\n",
            "7 spec.sampleLimit: `sampleLimit` must be an integer, but is a string",
        ),
        (
            "  selector: {}\n  endpoints: []\n  attachMetadata: {node: maybe}\n",
            "7 spec.attachMetadata.node: `node` must be a boolean, but is a string; use `true` or `false`, without quotes",
        ),
        (
            "  selector: {}\n  endpoints: []\n  attachMetadata: x\n",
            "7 spec.attachMetadata: `attachMetadata` must be a mapping, but is a string",
        ),
        (
            "  selector: {}\n  endpoints:\n  - port: 80\n",
            "7 spec.endpoints[0].port: `port` must be a string, but is an integer; use `targetPort` for a port number",
        ),
        (
            "  selector: {}\n  endpoints:\n  - interval: -3\n",
            "7 spec.endpoints[0].interval: `interval` must be a string, but is an integer; quote it: without quotes, it is a number",
        ),
        (
            "  selector: {}\n  endpoints:\n  - targetPort: yes\n",
            "7 spec.endpoints[0].targetPort: `targetPort` must be an integer or a string, but is a boolean; quote it: without quotes, \
             `y`, `yes`, `on`, `n`, `no` and `off` are booleans",
        ),
        ("  selector: {}\n  endpoints: web\n", "6 spec.endpoints: `endpoints` must be a list, but is a string"),
        (
            "  selector: {}\n  endpoints:\n  - interval: ''\n    scrapeTimeout: x\n",
            "8 spec.endpoints[0].scrapeTimeout: `scrapeTimeout` must be a duration, but is `x`; write the units from largest to smallest, each at most once, as in `1h30m`, `15s` or `500ms`",
        ),
        (
            "  selector: {}\n  endpoints:\n  - relabelings: [{sourceLabels: [a-b]}]\n",
            "7 spec.endpoints[0].relabelings[0].sourceLabels[0]: `sourceLabels[0]` must be a label name, but is `a-b`; use letters, digits and `_`, and do not start with a digit",
        ),
        (
            "  selector: {}\n  endpoints:\n    {}\n",
            "7 spec.endpoints: `endpoints` must be a list, but is a mapping; write it as a list: put `- ` before it",
        ),
        (
            "  selector: {}\n  endpoints:\n    {port: web}\n",
            "6 spec.endpoints: `endpoints` must be a list, but is a mapping; write it as a list: put `- ` before it",
        ),
        (
            "  endpoints: []\n  selector:\n    []\n",
            "7 spec.selector: `selector` must be a mapping, but is a list; write it as a mapping, without `- `",
        ),
        (
            "  endpoints: []\n  selector:\n    [a]\n",
            "6 spec.selector: `selector` must be a mapping, but is a list; write it as a mapping, without `- `",
        ),
        (
            "  selector: {}\n  endpoints:\n  - oauth2: {clientId: {secret: {name: a, key: b}}, clientSecret: {name: a, key: b}, tokenUrl: ''}\n",
            "7 spec.endpoints[0].oauth2.tokenUrl: `tokenUrl` must not be empty",
        ),
        (
            "  endpoints: []\n",
            "4 spec.selector: `spec` has no `selector`, which is required; set `selector` to a mapping",
        ),
    ] {
        assert_eq!(admit_service_monitor(spec).lines(), [expected], "{spec}");
    }
}

#[test]
fn numbers_for_durations_need_a_unit_in_every_kind() {
    for (kind, spec, help) in [
        ("GrafanaAgent", "metrics: {scrapeInterval: 30}", "add a unit: `30s`"),
        ("GrafanaAgent", "logs: {clients: [{url: a, timeout: 10}]}", "add a unit: `10s`"),
        ("GrafanaAgent", "podMetadata: {labels: {timeout: 10}}", "quote it: without quotes, it is a number"),
        ("MetricsInstance", "walTruncateFrequency: 60", "add a unit: `60s`"),
        ("LogsInstance", "targetConfig: {syncPeriod: 5}", "add a unit: `5s`"),
    ] {
        let text = format!(
            "apiVersion: monitoring.grafana.com/v1alpha1\nkind: {kind}\nmetadata: {{name: a}}\nspec: {{{spec}}}\n"
        );
        let lines = admit_text(&text).lines();
        assert!(lines.len() == 1 && lines[0].ends_with(&format!("; {help}")), "{lines:?}");
    }
}

#[test]
fn recognizes_misread_booleans_by_their_length_in_the_source() {
    let id = testing::source_id();
    for (key, start, end, expected) in [
        ("true", 3, 4, Some("y")),
        ("true", 3, 5, Some("on")),
        ("true", 3, 6, Some("yes")),
        ("true", 3, 7, None),
        ("false", 9, 10, Some("n")),
        ("false", 9, 11, Some("no")),
        ("false", 9, 12, Some("off")),
        ("a", 3, 4, None),
    ] {
        let word = walk::misread_word(key, Span::new(id, start, end));
        assert_eq!(word, expected, "{key} {start}-{end}");
    }
}

#[test]
fn limits_numbers_to_32_bits_like_the_operator() {
    let agent = "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {name: a}\nspec:\n";
    let monitor =
        "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {name: a}\nspec:\n  selector: {}\n";
    for (resource, field, is_found) in [
        (agent, "metrics: {replicas: 2147483647}", false),
        (agent, "metrics: {replicas: 2147483648}", true),
        (agent, "metrics: {replicas: -2147483648}", false),
        (agent, "metrics: {replicas: -2147483649}", true),
        (agent, "resources: {limits: {memory: 2147483648}}", false),
        (agent, "securityContext: {runAsUser: 2147483648}", false),
        (monitor, "endpoints: [{targetPort: 2147483647}]", false),
        (monitor, "endpoints: [{oauth2: {clientId: {secret: {key: a}}, clientSecret: {key: a}, tokenUrl: x}}]", false),
        (monitor, "endpoints: [{targetPort: 2147483648}]", true),
        (monitor, "endpoints: []\n  sampleLimit: 2147483648", false),
    ] {
        let diagnostics = admit_text(&format!("{resource}  {field}\n")).diagnostics;
        let codes: Vec<_> = diagnostics.iter().map(|finding| finding.code.as_str()).collect();
        assert_eq!(codes, vec!["integer-out-of-range"; usize::from(is_found)], "{field}");
    }
}

#[test]
fn suggests_binary_suffixes() {
    let agent =
        "apiVersion: monitoring.grafana.com/v1alpha1\nkind: GrafanaAgent\nmetadata: {name: a}\nspec:\n  resources:\n";
    for (memory, help) in [
        ("1GB", "did you mean `1Gi`?"),
        ("1.5MiB", "did you mean `1.5Mi`?"),
        ("64KB", "did you mean `64Ki`?"),
        ("1 G", "use a number, optionally with a suffix, such as `500m`, `2` or `1Gi`"),
        ("GB", "use a number, optionally with a suffix, such as `500m`, `2` or `1Gi`"),
    ] {
        let lines = admit_text(&format!("{agent}    limits: {{memory: {memory}}}\n")).lines();
        let expected =
            format!("6 spec.resources.limits.memory: `memory` must be a quantity, but is `{memory}`; {help}");
        assert_eq!(lines, [expected]);
    }
}

#[test]
fn reports_missing_spec_at_the_kind() {
    let admitted = admit_text("apiVersion: monitoring.coreos.com/v1\nkind: Probe\nmetadata: {name: a}\n");
    assert_eq!(admitted.lines(), ["2 spec: `Probe` has no `spec`, which is required; set `spec` to a mapping"]);
}

#[test]
fn shortens_values_to_one_line() {
    assert_eq!(diagnostics::display_value("a\nb\"'\u{1b}"), "a\\nb\"'\\u{1b}");
    assert_eq!(diagnostics::display_value(&"é".repeat(61)), format!("{}…", "é".repeat(60)));
}
