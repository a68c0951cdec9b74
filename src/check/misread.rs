//! Strings that the agent misreads because of the YAML that the operator writes.
//!
//! Reports a multi-line string that starts with a line break, a space or a tab, such as `replacement: "\nx\ny"`.
//! Depending on where the operator writes it, the configuration cannot be parsed, or the agent reads a different
//! string.

use std::collections::HashMap;

use super::rule::{Rule, RuleTarget, rule};
use super::strings::{for_each_string, holder};
use crate::api::{Kind, ResourceHeader, Resources};
use crate::diagnostic::{Code, Diagnostic, FieldPath, Severity, Step};
use crate::manifest::Objects;
use crate::output::agent::for_each_misread;
use crate::plan::{ConfigKind, Plan};
use crate::resolve::{Hierarchy, InlinedValue, inlined_values};
use crate::yaml::ReadBack;

pub const RULES: &[Rule] =
    &[rule(&[Code::MisreadText], RuleTarget::Objects(check), "`yaml_emitter_write_literal_scalar` of go-yaml 3")];

/// Help for a string that the agent misreads.
pub const STRING_HELP: &str = "start the string with a different character";

/// Help for the key `<<`.
const KEY_HELP: &str = "rename the key: YAML reserves `<<` for merging";

/// Key that YAML 1.1 reads as an instruction to merge another mapping. The operator writes the key without quotes.
const MERGE_KEY: &str = "<<";

/// Message and severity for the `<<` key in a mapping whose values are not mappings.
const MERGE_KEY_VERDICT: (&str, Severity) =
    ("the agent treats the key `<<` as a merge key and does not start", Severity::Error);

/// Message and severity for a required value that consists of a line break.
const EMPTY_VALUE_VERDICT: (&str, Severity) = (
    "the agent reads a value that consists of a line break as empty, and does not start without a value",
    Severity::Error,
);

/// Returns the message and severity for a string, or `None` if the agent reads it correctly.
pub fn misread_verdict(text: &str, read: &ReadBack<'_>) -> Option<(&'static str, Severity)> {
    match read {
        ReadBack::Same => None,
        ReadBack::Unreadable => Some((
            "the operator misindents multi-line strings that start with a space, a tab or a line break, so the agent does not start",
            Severity::Error,
        )),
        ReadBack::Other(read) if text.strip_prefix('\n') == Some(read) => {
            Some(("the agent reads the string without its leading line break", Severity::Warning))
        }
        ReadBack::Other(_) => Some((
            "the operator misindents multi-line strings that start with a space or a line break, so the agent reads a different string",
            Severity::Warning,
        )),
    }
}

/// Checks each agent's configurations for strings that the agent misreads.
fn check(resources: &Resources<'_>, hierarchies: &[Hierarchy<'_, '_>], objects: &Objects) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (hierarchy, agent) in hierarchies.iter().zip(&objects.agents) {
        if agent.may_be_misread {
            findings.extend(check_agent(resources, hierarchy));
        }
    }
    findings
}

/// Message and severity for each string. If a string is written at two positions, the more severe message is kept.
type MisreadVerdicts = HashMap<String, (&'static str, Severity)>;

/// Checks one agent's configurations for strings that the agent misreads.
pub(super) fn check_agent(resources: &Resources<'_>, hierarchy: &Hierarchy<'_, '_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let plan = Plan::new(hierarchy, &ConfigKind::non_empty_kinds(hierarchy), &mut Vec::new());
    let mut verdicts = MisreadVerdicts::new();
    for &part in &plan.parts {
        for_each_misread(&plan, part, &mut |misread| {
            let Some(verdict) = misread_verdict(misread.text, &misread.read) else {
                return;
            };
            let instance = misread.additional.and_then(|number| plan.instance(number));
            match instance {
                Some(instance) => {
                    let path = FieldPath::parse("spec.additionalScrapeConfigs");
                    findings.push(finding(instance.resource(), &path, verdict));
                }
                None => {
                    let known_verdict = verdicts.entry(misread.text.to_owned()).or_insert(verdict);
                    *known_verdict = if verdict.1 > known_verdict.1 { verdict } else { *known_verdict };
                }
            }
        });
    }
    // The rules for Integrations check the strings in Integrations.
    for member in hierarchy.members().filter(|member| member.kind != Kind::Integration) {
        let is_wanted = |text: &str| text == MERGE_KEY || verdicts.contains_key(text);
        for_each_string(member.header(), &is_wanted, &mut |string| {
            let is_merge = string.text == MERGE_KEY && string.becomes_key();
            let verdict = is_merge.then_some(MERGE_KEY_VERDICT).or(verdicts.get(string.text).copied());
            findings.extend(verdict.map(|verdict| finding(member.header(), string.path, verdict)));
        });
    }
    for value in inlined_values(hierarchy) {
        let verdict = match &*value.text {
            "\n" if is_needed(&value) => Some(&EMPTY_VALUE_VERDICT),
            text => verdicts.get(text),
        };
        if let Some(verdict) = verdict {
            let found_here = match holder(resources, &value.key) {
                Some((holder, path)) => {
                    finding(holder, &path, *verdict).label(value.referrer.locate(&value.path), "used here")
                }
                None => finding(value.referrer, &value.path, *verdict),
            };
            findings.push(found_here);
        }
    }
    findings
}

/// Whether the agent does not start if a Secret value is empty: an OAuth 2.0 client needs its ID, and SigV4 either both
/// keys or none (`HTTPClientConfig.Validate`, `SigV4Config.validate`).
fn is_needed(value: &InlinedValue<'_, '_>) -> bool {
    let mut node = Some(value.referrer.root);
    for step in value.path.steps() {
        let is_sigv4 = matches!(step, Step::Key("accessKey" | "secretKey"));
        if let (true, Some(sigv4)) = (is_sigv4, node) {
            let keys =
                ["accessKey", "secretKey"].map(|key| sigv4.get(key).map(|key| (key.text("name"), key.text("key"))));
            return keys[0] != keys[1];
        }
        node = node.and_then(|node| match step {
            Step::Key(key) => node.get(key),
            Step::Index(index) => node.items().nth(index),
        });
    }
    value.path.steps().any(|step| matches!(step, Step::Key("clientId")))
}

fn finding(
    head: &ResourceHeader<'_>,
    path: &FieldPath<'_>,
    (message, severity): (&'static str, Severity),
) -> Diagnostic {
    let diagnostic = head.finding(Code::MisreadText, path, message).help(if message == MERGE_KEY_VERDICT.0 {
        KEY_HELP
    } else {
        STRING_HELP
    });
    let severity = severity.min(diagnostic.severity);
    diagnostic.severity(severity)
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{AGENT, findings, manifest};
    use crate::diagnostic::{Code, Severity};

    /// Returns the paths of strings that the agent misreads, followed by `!` for errors.
    fn misread_findings(documents: &[&str]) -> Vec<String> {
        let diagnostics = findings(documents).into_iter().filter(|finding| finding.code == Code::MisreadText);
        let line = |severity, path: Option<String>| match severity {
            Severity::Error => format!("!{}", path.unwrap_or_default()),
            _ => path.unwrap_or_default(),
        };
        diagnostics.map(|finding| line(finding.severity, finding.path)).collect()
    }

    fn monitor(kind: &str, spec: &str) -> String {
        format!("apiVersion: monitoring.coreos.com/v1\nkind: {kind}\nmetadata: {{name: m}}\nspec: {spec}\n")
    }

    const METRICS: &str = "{serviceMonitorSelector: {}, probeSelector: {}, remoteWrite: [{url: 'http://m'}]}";

    #[test]
    fn severity_depends_on_the_position_of_the_string() {
        let labels = |text: &str| {
            monitor("Probe", &format!("{{targets: {{staticConfig: {{static: [x], labels: {{a: \"{text}\"}}}}}}}}"))
        };
        let target = |text: &str| monitor("Probe", &format!("{{targets: {{staticConfig: {{static: [\"{text}\"]}}}}}}"));
        let rule = |text: &str| {
            monitor(
                "ServiceMonitor",
                &format!(
                    "{{selector: {{}}, endpoints: [{{relabelings: [{{targetLabel: a, replacement: \"{text}\"}}]}}]}}"
                ),
            )
        };
        let path =
            |text: &str| monitor("ServiceMonitor", &format!("{{selector: {{}}, endpoints: [{{path: \"{text}\"}}]}}"));
        let (in_labels, in_targets) = ("spec.targets.staticConfig.labels.a", "!spec.targets.staticConfig.static[0]");
        for (resource, expected) in [
            (labels("\\nK"), Some(in_labels)),
            (labels("\\n"), Some(in_labels)),
            (labels("\\n  K"), Some(in_labels)),
            (labels(" K\\nL"), None),
            (labels("\\tK\\nL"), Some("!spec.targets.staticConfig.labels.a")),
            (labels("K\\nL\\n"), None),
            (target("\\nK"), Some(in_targets)),
            (target(" K\\nL"), Some(in_targets)),
            (target("  K\\n  L"), Some("spec.targets.staticConfig.static[0]")),
            (rule("\\nx\\ny"), Some("!spec.endpoints[0].relabelings[0].replacement")),
            (rule("\\n"), Some("spec.endpoints[0].relabelings[0].replacement")),
            (rule("\\n  x"), Some("spec.endpoints[0].relabelings[0].replacement")),
            (rule(" x"), None),
            (path("\\n/metrics"), Some("!spec.endpoints[0].path")),
            (path("\\n# /metrics"), Some("spec.endpoints[0].path")),
        ] {
            let actual = misread_findings(&[AGENT, &manifest("MetricsInstance", "i", METRICS), &resource]);
            assert_eq!(actual, Vec::from_iter(expected), "{resource}");
        }
    }

    #[test]
    fn checks_settings_and_secret_values() {
        let agent = AGENT.replace("metrics: {", "metrics: {externalLabels: {a: \"\\nK\"}, ");
        let instance = "{remoteWrite: [{url: \"http://m\", headers: {A: \"\\nx\\ny\"}, name: \"\\na\\nb\", \
                        basicAuth: {username: {name: s, key: user}, password: {name: s, key: user}}}], \
                        additionalScrapeConfigs: {name: s, key: jobs}}";
        let secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {user: \"\\nme\", \
                      jobs: \"- job_name: x\\n  metrics_path: \\\"\\\\nx\\\"\\n\"}\n";
        let mut actual = misread_findings(&[&agent, &manifest("MetricsInstance", "i", instance), secret]);
        actual.sort_unstable();
        actual.dedup();
        let expected = [
            "!spec.additionalScrapeConfigs",
            "!spec.remoteWrite[0].name",
            "spec.metrics.externalLabels.a",
            "spec.remoteWrite[0].headers.A",
            "stringData.user",
        ];
        assert_eq!(actual, expected);
    }

    #[test]
    fn reports_merge_keys_as_errors() {
        let agent = AGENT.replace("metrics: {", "metrics: {externalLabels: {'<<': a, b: '<<'}, ");
        let replica = AGENT.replace("metrics: {", "metrics: {replicaExternalLabelName: '<<', ");
        let instance = "{serviceMonitorSelector: {}, remoteWrite: [{url: 'http://m', headers: {'<<': a}}]}";
        let service =
            monitor("ServiceMonitor", "{selector: {}, endpoints: [{port: p, path: '<<', params: {'<<': [a]}}]}");
        let findings = |agent: &str| misread_findings(&[agent, &manifest("MetricsInstance", "i", instance), &service]);
        let shared_lines = ["!spec.remoteWrite[0].headers.<<", "!spec.endpoints[0].params.<<"];
        for (agent, own_lines) in
            [(&agent, "!spec.metrics.externalLabels.<<"), (&replica, "!spec.metrics.replicaExternalLabelName")]
        {
            let mut diagnostics = findings(agent);
            diagnostics.sort_unstable();
            let mut expected = [shared_lines[0], shared_lines[1], own_lines];
            expected.sort_unstable();
            assert_eq!(diagnostics, expected);
        }
    }

    #[test]
    fn reports_strings_that_yaml_reads_as_null() {
        let service = |spec: &str| monitor("ServiceMonitor", spec);
        let own_manifest = |kind: &str, spec: &str| manifest(kind, "o", spec);
        for (resource, expected) in [
            (
                service("{selector: {matchLabels: {a: 'null'}}, endpoints: [{port: p}]}"),
                Some("!spec.selector.matchLabels.a"),
            ),
            (
                service(
                    "{selector: {matchExpressions: [{key: a, operator: In, values: ['null']}]}, endpoints: [{port: p}]}",
                ),
                Some("!spec.selector.matchExpressions[0].values[0]"),
            ),
            (
                service(
                    "{selector: {matchExpressions: [{key: a, operator: In, values: ['null', b]}]}, endpoints: [{port: p}]}",
                ),
                None,
            ),
            (service("{selector: {}, endpoints: [{port: 'null'}]}"), Some("!spec.endpoints[0].port")),
            (
                service("{selector: {}, endpoints: [{relabelings: [{action: drop, regex: '~'}]}]}"),
                Some("!spec.endpoints[0].relabelings[0].regex"),
            ),
            (
                service(
                    "{selector: {}, endpoints: [{relabelings: [{targetLabel: a, replacement: 'null', separator: '~'}]}]}",
                ),
                None,
            ),
            (service("{selector: {}, endpoints: [{relabelings: [{action: drop, regex: '(null)'}]}]}"), None),
            (monitor("Probe", "{module: 'null', targets: {staticConfig: {static: ['~'], labels: {a: 'null'}}}}"), None),
            (
                own_manifest(
                    "PodLogs",
                    "{selector: {matchLabels: {a: 'null'}}, relabelings: [{action: drop, regex: a}]}",
                ),
                Some("!spec.selector.matchLabels.a"),
            ),
            (
                own_manifest("PodLogs", "{selector: {}, relabelings: [{action: drop, regex: 'null'}]}"),
                Some("!spec.relabelings[0].regex"),
            ),
            (own_manifest("MetricsInstance", "{remoteWrite: [{url: 'null'}]}"), Some("!spec.remoteWrite[0].url")),
            (own_manifest("LogsInstance", "{clients: [{url: '~', tenantId: 'null'}]}"), Some("!spec.clients[0].url")),
            (
                own_manifest("MetricsInstance", "{remoteWrite: [{url: 'http://m', proxyUrl: 'null'}]}"),
                Some("!spec.remoteWrite[0].proxyUrl"),
            ),
        ] {
            let logs = manifest("LogsInstance", "l", "{podLogsSelector: {}, clients: [{url: 'http://l'}]}");
            let actual = misread_findings(&[AGENT, &manifest("MetricsInstance", "i", METRICS), &logs, &resource]);
            assert_eq!(actual, Vec::from_iter(expected), "{resource}");
        }
    }
}
