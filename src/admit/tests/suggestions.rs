//! Tests of misplaced and misspelled fields.

use super::*;
use crate::diagnostic::Code;
use crate::testing;

/// Test cases. Each case consists of a kind, the resource's other lines after `| `, and the findings with their path,
/// help, cause, and intended fields.
const CASES: &str = r"
PodLogs
| metadata: {name: a}
| Spec: {selector: {}}
| name: b
| status: {}
Spec: did you mean `spec`? [spec] dropped at Spec
name: move it to `metadata.name` [metadata.name] dropped at name
status: remove it: exported resources contain `status`, but only the cluster can set it [] exported status

PodLogs
| metadata:
|   name: a
|   spec: {}
|   pipelineStages: []
metadata.spec: unindent `spec`: it belongs next to `metadata`, not under it [spec] below metadata at metadata
metadata.pipelineStages: move `pipelineStages` and the lines after it under `spec`: the `spec:` line is missing or indented too far [spec.pipelineStages] below metadata at metadata

PodLogs
| metadata: {name: a, c.conf: b}
| spec: {selector: {}, status: x, name: b, namespace: c, labels: {}}
metadata.c.conf:  [] dropped at c.conf
spec.status:  [] dropped at status
spec.name:  [] dropped at name
spec.namespace: move it to `metadata.namespace` [metadata.namespace] dropped at namespace
spec.labels: move it to `metadata.labels` [metadata.labels] dropped at labels

ConfigMap
| metadata: {name: a, c.conf: b, label: {}}
| d.conf: b
metadata.c.conf: move it under `data` or `stringData`: the line with that key is missing or indented too far [data.c.conf stringData.c.conf] below metadata at metadata
metadata.label: did you mean `labels`? [metadata.labels] dropped at label
d.conf:  [] dropped at d.conf

GrafanaAgent
| metadata: {name: a}
| spec: {volumes: [{name: a, image: {reference: b}}, {name: b, image: c}]}
| labels: [b]
spec.volumes[0].image:  [] dropped at image
spec.volumes[1].image: move it to `spec.volumes[1].rbd` [spec.volumes[1].rbd] dropped at image
labels:  [] dropped at labels

ServiceMonitor
| metadata: {name: a}
| spec:
|   selector: {}
|   endpoints:
|   -port: b
|   -portal: c
spec.-port: put a space after the `-`: this is an item of `endpoints` [spec.endpoints] dropped at -port
spec.-portal:  [] dropped at -portal
spec.endpoints: set a value for `endpoints` []

ServiceMonitor
| metadata: {name: a}
| spec:
|   endpoints: []
|   -port: b
|   selector {}: b
|   tags {}: b
spec.-port:  [] dropped at -port
spec.selector {}: put a colon and a space after `selector` [spec.selector] dropped at selector {}
spec.tags {}:  [] dropped at tags {}
spec.selector: set `selector` to a mapping []

ServiceMonitor
| metadata: {name: a}
| spec:
|   endpoints: []
|   selector:
|   matchLabels: {a: b}
|   matchExpressions: 7
spec.matchLabels: indent `matchLabels`: it belongs under `selector` [spec.selector] dropped at selector
spec.matchExpressions:  [] dropped at matchExpressions
spec.selector: set a value for `selector` []

ServiceMonitor
| metadata: {name: a}
| spec:
|   any: true
|   namespaceSelector:
|   unknown:
|   below: 1
|   endpoints: []
|   selector: {matchLabel: {a: b}, app: c}
spec.any: move it to `spec.namespaceSelector` [spec.namespaceSelector] dropped at any
spec.unknown:  [] dropped at unknown
spec.below:  [] dropped at unknown
spec.selector.matchLabel: rename it to `matchLabels`; as written, the selector is `{}`, which selects everything [spec.selector] labels without matchLabels at selector
spec.selector.app: write labels under `matchLabels`: `matchLabels: {app: …}`; as written, the selector is `{}`, which selects everything [spec.selector] labels without matchLabels at selector

ServiceMonitor
| metadata: {name: a}
| spec:
|   selector: {}
|   namespaceSelector: {foo: 1}
|   endpoints:
|   - {username: {key: a, name: b}, password: {key: b, name: b}}
|   - {username: {key: a, name: b}}
|   - {username: {key: a, name: b}, password: {key: b, name: b}, port: c}
|   - {username: x, password: {key: b, name: b}}
|   - {extraParam: [a]}
|   - {extraParam: 7}
|   - basicAuth: {insecureSkipVerify: true, interval: 5s, jobLabel: x, sampleLimit: x}
|   - relabelings: [{port: a, metricRelabelings: ~, interval: 5}]
spec.namespaceSelector.foo:  [] dropped at foo
spec.endpoints[0].username: add a `basicAuth:` line above it: `username` belongs under `basicAuth` [spec.endpoints[0].basicAuth] no basicAuth at username
spec.endpoints[0].password: add a `basicAuth:` line above it: `password` belongs under `basicAuth` [spec.endpoints[0].basicAuth] no basicAuth at username
spec.endpoints[1].username: move it to `spec.endpoints[1].basicAuth` [spec.endpoints[1].basicAuth] dropped at username
spec.endpoints[2].username: move it to `spec.endpoints[2].basicAuth` [spec.endpoints[2].basicAuth] dropped at username
spec.endpoints[2].password: move it to `spec.endpoints[2].basicAuth` [spec.endpoints[2].basicAuth] dropped at password
spec.endpoints[3].username:  [] dropped at username
spec.endpoints[3].password: move it to `spec.endpoints[3].basicAuth` [spec.endpoints[3].basicAuth] dropped at password
spec.endpoints[4].extraParam:  [spec.endpoints[4].params] dropped at extraParam
spec.endpoints[5].extraParam:  [] dropped at extraParam
spec.endpoints[6].basicAuth.insecureSkipVerify:  [] dropped at insecureSkipVerify
spec.endpoints[6].basicAuth.interval: move it to `spec.endpoints[6]` [spec.endpoints[6].interval] dropped at interval
spec.endpoints[6].basicAuth.jobLabel: move it to `spec` [spec.jobLabel] dropped at jobLabel
spec.endpoints[6].basicAuth.sampleLimit:  [] dropped at sampleLimit
spec.endpoints[7].relabelings[0].port: move it to `spec.endpoints[7]` [spec.endpoints[7].port] dropped at port
spec.endpoints[7].relabelings[0].metricRelabelings: move it to `spec.endpoints[7]` [spec.endpoints[7].metricRelabelings] dropped at metricRelabelings
spec.endpoints[7].relabelings[0].interval:  [] dropped at metricRelabelings

ServiceMonitor
| metadata: {name: a}
| spec:
|   selectors: {}
|   podMetricsEndpoints: []
|   insecureSkipVerify: true
|   scrapeClass: b
|   scrapeClassName: b
spec.selectors: did you mean `selector`? [spec.selector] misspelled at selectors
spec.podMetricsEndpoints: did you mean `endpoints`? [spec.endpoints] misspelled at podMetricsEndpoints
spec.insecureSkipVerify: move it to `spec.endpoints[].tlsConfig` [spec.endpoints] dropped at insecureSkipVerify
spec.scrapeClass: remove it: prometheus-operator added it in v0.72.0, but the Grafana Agent Operator supports only the fields of v0.66.0 [] newer field scrapeClass
spec.scrapeClassName:  [] dropped at scrapeClassName
spec.endpoints: rename `podMetricsEndpoints` to `endpoints` [spec.endpoints] misspelled at podMetricsEndpoints
spec.selector: rename `selectors` to `selector` [spec.selector] misspelled at selectors

GrafanaAgent
| metadata: {name: a}
| spec: {scrapeClass: b, prometheus: {}, volumes: [{name: a, emptyDir: {}, secretName: x}]}
spec.scrapeClass:  [] dropped at scrapeClass
spec.prometheus: did you mean `metrics`? [spec.metrics] dropped at prometheus
spec.volumes[0].secretName: move it under `azureFile` or `secret` [spec.volumes[0].azureFile.secretName spec.volumes[0].secret.secretName] dropped at secretName

PodLogs
| metadata: {name: a}
| spec: {selector: {}, pipelineStages: [{docker: {x: 1}}]}
spec.pipelineStages[0].docker.x: remove it: no field can be set here [] dropped at x

PodLogs
| metadata: {name: a}
| spec: {selector: {}, pipelineStages: [{labelKeep: [a]}, {label_keep: [a]}, {labeldrop: [a]}, {labelDeny: [a]}, {rejson: {}}, {jsno: {}}]}
spec.pipelineStages[0].labelKeep: did you mean `labelAllow`? [spec.pipelineStages[0].labelAllow] dropped at labelKeep
spec.pipelineStages[1].label_keep: did you mean `labelAllow`? [spec.pipelineStages[1].labelAllow] dropped at label_keep
spec.pipelineStages[2].labeldrop: did you mean `labelDrop`? [spec.pipelineStages[2].labelDrop] dropped at labeldrop
spec.pipelineStages[3].labelDeny: did you mean `labelDrop`? [spec.pipelineStages[3].labelDrop] dropped at labelDeny
spec.pipelineStages[4].rejson: use one of STAGES [] dropped at rejson
spec.pipelineStages[5].jsno: did you mean `json`? [spec.pipelineStages[5].json] dropped at jsno

PodLogs
| metadata: {name: a}
| spec: {selector: {}, pipelineStages: [{metrics: {a: {type: Counter, config: {action: inc}}}}]}
spec.pipelineStages[0].metrics.a.config: move the fields of `config` directly under `a`: a metric in PodLogs has no `config` [spec.pipelineStages[0].metrics.a.action] dropped at config
spec.pipelineStages[0].metrics.a.action: set `action` to a string []

MetricsInstance
| metadata: {name: a, team: b}
| spec: {remoteWrite: [{url: u, tenant: a}, {url: u, X-Scope-OrgID: a}], maxWALtime: 1h, minWALTimes: 1h}
metadata.team:  [] dropped at team
spec.remoteWrite[0].tenant:  [] dropped at tenant
spec.remoteWrite[1].X-Scope-OrgID:  [] dropped at X-Scope-OrgID
spec.maxWALtime: did you mean `maxWALTime`? [spec.maxWALTime] dropped at maxWALtime
spec.minWALTimes: did you mean `minWALTime`? [spec.minWALTime] dropped at minWALTimes

Integration
| metadata: {name: a}
| spec: {name: b, type: {}, config: , x: 1}
spec.x: indent `x`: it belongs under `config` [spec.config] dropped at config
spec.config: set a value for `config` []
";

/// Returns the findings for a resource in the same format as in the table.
fn findings_of(kind: Kind, rest: &str) -> String {
    let text = format!("apiVersion: {}\nkind: {kind}\n{rest}", kind.api_version());
    let documents = testing::documents(&text);
    let (root, mut edits, mut out) = (documents[0].root(), Edits::default(), Vec::new());
    let dropped_fields = admit(kind, root, &AdmitOptions::default(), &mut edits, &mut out);
    let unknown_field_findings =
        out.iter().filter(|finding| matches!(finding.code, Code::UnknownField | Code::MissingField));
    let lines = unknown_field_findings.map(|finding| {
        let key = finding.labels.last().map(|label| label.span);
        let intended_fields = dropped_fields.iter().filter(|dropped_field| Some(dropped_field.key) == key);
        let intended_paths: Vec<_> = intended_fields.map(|dropped_field| dropped_field.path.as_str()).collect();
        let cause = finding.cause.as_deref().unwrap_or_default();
        let cause = match cause.split_once(" at Span") {
            Some((mistake, place)) => {
                let numbers = place.split(|c: char| !c.is_ascii_digit());
                let numbers: Vec<usize> = numbers.filter_map(|number| number.parse().ok()).collect();
                format!("{mistake} at {}", &text[numbers[1]..numbers[2]])
            }
            None => cause.to_owned(),
        };
        let (path, help) = (finding.path.as_deref().unwrap(), finding.help.as_deref());
        let line = format!("{path}: {} [{}] {cause}", help.unwrap_or_default(), intended_paths.join(" "));
        line.trim_end().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn suggestions_have_help_candidates_and_cause() {
    for case in CASES.trim_matches('\n').split("\n\n") {
        let (kind, rest) = case.split_once('\n').unwrap();
        let kind = Kind::ALL.iter().copied().find(|known| known.as_str() == kind).unwrap();
        let (text, expected): (Vec<_>, Vec<_>) = rest.lines().partition(|line| line.starts_with("| "));
        let text: Vec<_> = text.iter().map(|line| &line[2..]).collect();
        let actual = findings_of(kind, &text.join("\n")).replace(STAGES, "STAGES");
        assert_eq!(actual, expected.join("\n"), "{text:?}");
    }
}

const STAGES: &str = "`cri`, `docker`, `drop`, `json`, `labelAllow`, `labelDrop`, `labels`, `limit`, `match`, `metrics`, \
                      `multiline`, `output`, `pack`, `regex`, `replace`, `template`, `tenant` or `timestamp`";

#[test]
fn reports_which_program_supports_unknown_stages() {
    for (stage, expected) in [
        ("geoip", "PodLogs v1alpha1 has no stage `geoip`; Promtail supports it"),
        ("staticLabels", "PodLogs v1alpha1 has no stage `staticLabels`; Promtail supports it"),
        ("structured_metadata", "PodLogs v1alpha1 has no stage `structured_metadata`; Promtail supports it"),
        ("stage.truncate", "PodLogs v1alpha1 has no stage `stage.truncate`; Alloy supports it"),
        ("labelKeep", "PodLogs v1alpha1 has no stage `labelKeep`"),
    ] {
        let rest = format!("metadata: {{name: a}}\nspec: {{selector: {{}}, pipelineStages: [{{{stage}: {{}}}}]}}");
        for (unknown_fields, end) in [
            (UnknownFields::Strict, ""),
            (
                UnknownFields::Warn,
                if expected.contains(';') { ", but the API server drops it here" } else { ", so the stage is dropped" },
            ),
        ] {
            let options = AdmitOptions { unknown_fields, ..AdmitOptions::default() };
            let diagnostics = admit_text(Kind::PodLogs, &rest, &options);
            let messages: Vec<_> = diagnostics.iter().map(|finding| finding.message.as_str()).collect();
            assert_eq!(messages, [format!("{expected}{end}")]);
        }
    }
}

/// Returns the findings for a resource.
fn admit_text(kind: Kind, rest: &str, options: &AdmitOptions) -> Vec<Diagnostic> {
    let text = format!("apiVersion: {}\nkind: {kind}\n{rest}", kind.api_version());
    let documents = testing::documents(&text);
    let (mut edits, mut out) = (Edits::default(), Vec::new());
    admit(kind, documents[0].root(), options, &mut edits, &mut out);
    out
}
