use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::check::tests::{agent, describe, flow_findings, manifest};
use crate::diagnostic::Code;
use crate::flow::{ExpressionCache, FlowRule, LabelSet, Matching, Phase, Values, suggest_label};
use crate::plan::{DiscoveryRole, LabelNames, RelabelAction, RelabelRule};
use crate::random::Random;
use crate::targets::relabel::{Base, Config, Labels, RuleCompiler};

const SOURCES: [&str; 9] = [
    "__meta_kubernetes_namespace",
    "__meta_kubernetes_pod_name",
    "__meta_kubernetes_pod_label_app",
    "__meta_kubernetes_pod_ready",
    "__meta_kubernetes_node_name",
    "a",
    "b",
    "__tmp_x",
    "c",
];
const TARGETS: [&str; 6] = ["a", "b", "c", "__tmp_x", "x_$1", "__meta_kubernetes_pod_name"];
const EXPRESSIONS: [&str; 20] = [
    "",
    ".+",
    "(.+)",
    "web|api",
    "web",
    "^$",
    "(.*);(.*)",
    "[^;]+",
    "true",
    "w.*",
    r"web\\d",
    "(w)(.*)",
    "x_(.+)",
    "__meta_kubernetes_(.+)",
    "__meta_kubernetes_pod_label_(.+)",
    "a|b",
    "team-a",
    "(team)-(a|b)",
    "web;.*",
    "[a-z-]+",
];
const REPLACEMENTS: [&str; 8] = ["$1", "x", "", "${1}-$2", "y_$1", "web", "$2", "a$1"];
const ACTIONS: [&str; 10] =
    ["replace", "replace", "keep", "drop", "labelmap", "labeldrop", "labelkeep", "lowercase", "uppercase", "hashmod"];

fn target(random: &mut Random) -> Labels<'static> {
    let values = ["web", "api", "web-0", "Web", "team-a", "w"];
    let mut labels = Labels::default();
    labels.set("__meta_kubernetes_namespace", random.one_of(&["team-a", "team-b"]));
    labels.set("__meta_kubernetes_pod_name", random.one_of(&["", "web-0", "web", "w1"]));
    labels.set("__meta_kubernetes_pod_label_app", random.one_of(&["", "web", "api", "team-a"]));
    labels.set("__meta_kubernetes_pod_ready", random.one_of(&["", "true", "false"]));
    labels.set("__address__", random.one_of(&["10.0.0.1:80", "10.0.0.2"]));
    labels.set("job", random.one_of(&["job"]));
    if random.below(2) == 0 {
        labels.set("__meta_kubernetes_pod_label_b", random.one_of(&values));
        labels.set("__meta_kubernetes_pod_labelpresent_b", "true");
    }
    labels.set_base(Base::Target);
    labels
}

fn initial_labels() -> LabelSet<'static> {
    let mut labels = LabelSet::new(Phase::Discovered(DiscoveryRole::Endpoints));
    labels.set("__meta_kubernetes_namespace", Values::known(["team-a", "team-b"]));
    labels.set("__address__", Values::unknown(crate::flow::alphabet::VISIBLE, false));
    labels.set("job", Values::known(["job"]));
    labels
}

/// Whether the possible values of a label include its actual value.
fn includes_value(values: &Values, value: &str) -> bool {
    match values {
        Values::Known(known) => known.iter().any(|known| known == value),
        Values::Unknown { alphabet, may_be_missing, matches } => {
            let is_in_alphabet = value.chars().all(|c| alphabet.iter().any(|(low, high)| *low <= c && c <= *high));
            (*may_be_missing || !value.is_empty())
                && is_in_alphabet
                && (value.is_empty() || matches.iter().all(|expression| expression.matcher.is_match(value)))
        }
    }
}

/// Applies random rules to random targets, and compares the resulting labels with the model's predictions.
#[test]
fn label_model_covers_the_labels_of_random_targets() {
    let mut random = Random::new(11);
    let (mut never_count, mut always_count, mut missing_count) = (0, 0, 0);
    for _ in 0..3_000 {
        let rules: Vec<_> = (0..=random.below(4))
            .map(|_| {
                let sources: Vec<_> = (0..random.below(3)).map(|_| random.one_of(&SOURCES)).collect();
                let pick = |random: &mut Random, texts: &[&'static str]| random.one_of(texts);
                let action = pick(&mut random, &ACTIONS);
                (
                    sources,
                    action,
                    pick(&mut random, &EXPRESSIONS),
                    pick(&mut random, &TARGETS),
                    pick(&mut random, &REPLACEMENTS),
                )
            })
            .collect();
        let mut cache = ExpressionCache::default();
        let mut compiler = RuleCompiler::default();
        let planned_rules: Vec<_> = rules
            .iter()
            .map(|(sources, action, regex, target, replacement)| RelabelRule {
                source_labels: LabelNames::Listed(sources),
                regex: (!regex.is_empty()).then_some((*regex).into()),
                target_label: Some((*target).into()),
                replacement: (!replacement.is_empty()).then_some((*replacement).into()),
                modulus: 4,
                action,
                ..RelabelRule::default()
            })
            .collect();
        let mut targets: Vec<_> = (0..25).map(|_| target(&mut random)).collect();
        let mut labels = initial_labels();
        for rule in &planned_rules {
            let flow = FlowRule::new(rule, &mut cache).unwrap();
            let compiled_rule = compiler
                .rule(Config {
                    source_labels: rule.source_labels.iter().map(|name| Cow::Owned(name.to_owned())).collect(),
                    regex: rule.regex.clone(),
                    modulus: 4,
                    target_label: rule.target_label.clone().unwrap(),
                    replacement: rule.replacement.clone(),
                    action: Some(rule.action.into()),
                    ..Config::default()
                })
                .unwrap();
            let matching = labels.matching(&flow);
            never_count += usize::from(matching == Matching::Never);
            always_count += usize::from(matching == Matching::Always && flow.is_filter());
            for target in &targets {
                let keeps = compiled_rule.keeps(target);
                match (flow.action, matching) {
                    (RelabelAction::Keep, Matching::Never) | (RelabelAction::Drop, Matching::Always) => {
                        assert!(!keeps, "{rules:?} keeps {target:?}");
                    }
                    (RelabelAction::Keep, Matching::Always) | (RelabelAction::Drop, Matching::Never) => {
                        assert!(keeps, "{rules:?} drops {target:?}");
                    }
                    _ => {}
                }
            }
            targets.retain_mut(|target| compiled_rule.apply(target));
            if !labels.apply(&flow, matching) {
                break;
            }
            for name in SOURCES.iter().chain(&["job", "__address__", "x_web", "y_app", "namespace", "app"]) {
                let values = labels.get(name);
                missing_count += usize::from(values.is_missing());
                for target in &targets {
                    assert!(includes_value(&values, target.get(name)), "{name} {values:?} after {rules:?}: {target:?}");
                }
            }
            for target in &targets {
                for (name, _) in target.iter() {
                    assert!(labels.may_have_prefix(name), "{name} after {rules:?}");
                }
                for name in labels.certain_names() {
                    assert!(name.starts_with("__meta_") || !target.get(&name).is_empty(), "{name} after {rules:?}");
                }
            }
        }
    }
    assert!(
        never_count > 300 && always_count > 100 && missing_count > 1_000,
        "{never_count} {always_count} {missing_count}"
    );
}

/// Returns the findings about rules for the targets and samples of a ServiceMonitor.
fn rule_findings(rules: &str, metric_rules: &str) -> Vec<String> {
    let agent = agent("a", "metrics: {instanceSelector: {}, enforcedNamespaceLabel: tenant}");
    let instance = manifest("MetricsInstance", "m", "{serviceMonitorSelector: {}}");
    let monitor = format!(
        "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: s, namespace: default}}\nspec:\n  \
         selector: {{matchLabels: {{app: web}}}}\n  endpoints:\n  - port: metrics\n    relabelings: [{rules}]\n    \
         metricRelabelings: [{metric_rules}]\n"
    );
    let codes = super::RULES.iter().flat_map(|rule| rule.codes).copied().collect::<Vec<Code>>();
    let findings =
        flow_findings(&[&agent, &instance, &monitor]).into_iter().filter(|finding| codes.contains(&finding.code));
    findings.map(|found| describe(&found)).collect()
}

#[test]
fn accepts_rules_that_may_have_an_effect() {
    for rule in [
        "{sourceLabels: [__meta_kubernetes_pod_node_name], targetLabel: node}",
        "{sourceLabels: [__meta_kubernetes_node_label_os], regex: '(linux|)', action: keep}",
        "{sourceLabels: [__meta_kubernetes_node_name], targetLabel: cluster, replacement: x}",
        "{sourceLabels: [__meta_kubernetes_node_name, __meta_kubernetes_pod_node_name], targetLabel: node, separator: ''}",
        "{sourceLabels: [__meta_kubernetes_pod_annotation_x], regex: 'CORP\\\\svc', action: keep}",
        "{sourceLabels: [__address__], regex: '(.+)(:.+)?', targetLabel: host, replacement: '$1$2'}",
        "{sourceLabels: [pod], regex: web, targetLabel: pod}",
        "{action: labelmap, regex: __meta_kubernetes_service_label_(.+)}",
        "{action: labeldrop, regex: 'pod|container'}",
        "{sourceLabels: [__meta_kubernetes_pod_name], regex: '${POD}', action: keep}",
        // The scheme of these targets is empty, which stands for `http`.
        "{sourceLabels: [__meta_kubernetes_namespace], regex: '(https)?.*', targetLabel: __scheme__}",
        "{sourceLabels: [__meta_kubernetes_pod_label_app], targetLabel: x, action: lowercase}, \
         {sourceLabels: [x], regex: '.+', action: drop}",
    ] {
        assert_eq!(rule_findings(rule, ""), Vec::<String>::new(), "{rule}");
    }
    for rule in [
        "{sourceLabels: [__address__], targetLabel: cluster_id, replacement: x}",
        "{sourceLabels: [__name__], regex: 'go_.*', action: drop}",
        "{sourceLabels: [exporter_label], regex: 'a', action: keep}",
        "{sourceLabels: [__name__], regex: 'up|web_.*', action: keep}",
        "{action: labelkeep, regex: '__name__|job'}",
    ] {
        assert_eq!(rule_findings("", rule), Vec::<String>::new(), "{rule}");
    }
}

#[test]
fn reports_rules_without_effect() {
    for (rule, expected) in [
        ("{sourceLabels: [__meta_kubernetes_pod_nodename], targetLabel: x}", "never-set-label"),
        ("{sourceLabels: [namespace], regex: prod, action: keep}", "drops-everything"),
        ("{sourceLabels: [__meta_kubernetes_service_label_app], regex: api, action: keep}", "drops-everything"),
        ("{action: drop, regex: ''}", "drops-everything"),
        ("{action: labelmap, regex: __meta_kubernetes_pod_label_.+}", "empty-label-name"),
        ("{action: labelkeep, regex: 'job|instance'}", "failing-scrape"),
        ("{targetLabel: tenant, replacement: x}", "ineffective-rule"),
        ("{sourceLabels: [pod], regex: 'web-(.*)', targetLabel: x, replacement: '$1_x'}", "missing-group"),
        (
            "{sourceLabels: [pod], modulus: 16, targetLabel: __tmp_h, action: hashmod}, {sourceLabels: [__tmp_h], regex: '16', \
             action: keep}",
            "drops-everything",
        ),
        (
            "{targetLabel: x, replacement: a}, {sourceLabels: [__meta_kubernetes_pod_label_y], regex: '(.+)', targetLabel: x, \
             replacement: '$1'}, {sourceLabels: [x], regex: '^$', action: keep}",
            "drops-everything",
        ),
    ] {
        let findings = rule_findings(rule, "");
        assert!(findings.len() == 1 && findings[0].contains(expected), "{rule} {findings:?}");
    }
    for (rule, expected) in [
        ("{sourceLabels: [__meta_kubernetes_namespace], targetLabel: x}", "never-set-label"),
        ("{sourceLabels: [__name__], regex: 'up', action: drop}", "note[ineffective-rule"),
        ("{targetLabel: tenant, replacement: x}", "ineffective-rule"),
        ("{action: labeldrop, regex: '.*'}", "failing-scrape"),
        ("{sourceLabels: [job], regex: other, action: keep}", ""),
    ] {
        let findings = rule_findings("", rule);
        assert!(
            findings.iter().all(|finding| finding.contains(expected))
                && findings.len() == usize::from(!expected.is_empty()),
            "{rule} {findings:?}"
        );
    }
}

/// Tests that a sample keeps its own label if its target lacks that label.
#[test]
fn samples_keep_labels_that_their_target_lacks() {
    let keep = "{sourceLabels: [tier], regex: silver, action: keep}";
    for (regex, expected) in [("(.+)", 0), ("(.*)", 1)] {
        let rule = format!(
            "{{sourceLabels: [__meta_kubernetes_pod_label_tier], regex: '{regex}', targetLabel: tier, replacement: gold}}"
        );
        let findings = rule_findings(&rule, keep);
        assert_eq!(
            findings.iter().filter(|finding| finding.contains("[drops-everything]")).count(),
            expected,
            "{findings:?}"
        );
    }
}

#[test]
fn lowercase_values_are_empty_only_if_all_sources_are() {
    for sources in ["__address__", "__meta_kubernetes_pod_label_app, __meta_kubernetes_pod_label_tier"] {
        let rules = format!(
            "{{sourceLabels: [{sources}], targetLabel: x, action: lowercase}}, {{sourceLabels: [x], regex: '.+', action: drop}}"
        );
        let findings = rule_findings(&rules, "");
        assert!(findings.len() == 1 && findings[0].contains("[drops-everything]"), "{sources}: {findings:?}");
    }
}

#[test]
fn reports_references_to_missing_groups() {
    for (rule, expected) in [
        ("regex: 'web-(.*)', targetLabel: x, replacement: 'a${2}'", Some("`$2`")),
        ("regex: 'web-(.*)', targetLabel: x, replacement: '${2}a'", Some("`$2`")),
        ("regex: 'web-(.*)', targetLabel: x, replacement: '${1}${2}'", None),
        ("regex: 'web-(.*)', targetLabel: pod, replacement: '$1_x'", Some("`$1_x`")),
        ("regex: 'web-.*', targetLabel: x", Some("`$1`")),
        // These rules remove the label on purpose.
        ("regex: 'web-.*', targetLabel: pod", None),
        ("regex: 'web-.*', targetLabel: x, replacement: ''", None),
    ] {
        let findings = rule_findings(&format!("{{sourceLabels: [pod], {rule}}}"), "");
        let reported: Vec<_> = findings.iter().filter(|finding| finding.contains("[missing-group]")).collect();
        assert_eq!(reported.len(), usize::from(expected.is_some()), "{rule}: {findings:?}");
        assert!(expected.is_none_or(|expected| reported[0].contains(expected)), "{rule}: {findings:?}");
    }
    let findings = rule_findings("", "{sourceLabels: [__name__], regex: 'web_.*', targetLabel: __name__}");
    assert!(findings.iter().any(|finding| finding.contains("[missing-group]")), "{findings:?}");
}

#[test]
fn analyzes_long_rule_lists() {
    let rules: Vec<_> = (0..10_000)
        .map(|i| match i % 4 {
            0 => format!("{{sourceLabels: [pod], regex: '(a|b){{2,9}}{i}(.*)', targetLabel: l{i}}}"),
            1 => format!("{{sourceLabels: [l{i}, pod, container], regex: '(.+);(.*){i};(.+)', targetLabel: x{i}}}"),
            2 => format!("{{action: labelmap, regex: 'x{i}_(.+)', replacement: 'y{i}_$1'}}"),
            _ => format!("{{sourceLabels: [__name__], regex: 'm{i}.*', action: drop}}"),
        })
        .collect();
    assert!(!rule_findings(&rules.join(", "), &rules.join(", ")).is_empty());
}

/// A stage as YAML, the names that it reads from the extracted values, and what it may extract or set.
struct RandomStage {
    text: String,
    source: Option<&'static str>,
    extracted_names: Vec<&'static str>,
    target_label: Option<&'static str>,
    starts_pipeline: bool,
}

fn random_stage(random: &mut Random) -> RandomStage {
    const NAMES: [&str; 6] = ["level", "msg", "time", "stream", "pod", "output"];
    let (name, other) = (random.one_of(&NAMES), random.one_of(&NAMES));
    let new_stage = |text: String, reads| RandomStage {
        text,
        source: reads,
        extracted_names: Vec::new(),
        target_label: None,
        starts_pipeline: false,
    };
    match random.below(8) {
        0 => RandomStage {
            extracted_names: vec![name],
            ..new_stage(format!("{{json: {{expressions: {{{name}: x}}}}}}"), None)
        },
        1 => RandomStage {
            extracted_names: vec![other],
            ..new_stage(format!("{{json: {{source: {name}, expressions: {{{other}: x}}}}}}"), Some(name))
        },
        2 => RandomStage {
            extracted_names: vec![name],
            ..new_stage(format!("{{regex: {{expression: '(?P<{name}>a+)'}}}}"), None)
        },
        3 => RandomStage {
            target_label: Some(other),
            ..new_stage(format!("{{labels: {{{other}: {name}}}}}"), Some(name))
        },
        4 => new_stage(format!("{{output: {{source: {name}}}}}"), Some(name)),
        5 => new_stage(format!("{{timestamp: {{source: {name}, format: RFC3339}}}}"), Some(name)),
        6 => RandomStage {
            extracted_names: vec!["time", "stream", "flags", "content"],
            starts_pipeline: true,
            ..new_stage("{cri: {}}".to_owned(), None)
        },
        _ => RandomStage {
            extracted_names: vec!["output", "stream", "timestamp"],
            starts_pipeline: true,
            ..new_stage("{docker: {}}".to_owned(), None)
        },
    }
}

/// Runs random pipelines over random lines, in which each stage may or may not match, as `Pipeline.Run` does.
#[test]
fn values_reported_as_never_extracted_never_exist() {
    let mut random = Random::new(23);
    let mut reported_count = 0;
    for _ in 0..150 {
        let stages: Vec<_> = (0..=random.below(6)).map(|_| random_stage(&mut random)).collect();
        let texts: Vec<_> = stages.iter().map(|stage| stage.text.as_str()).collect();
        let documents = [
            agent("a", "logs: {instanceSelector: {}}"),
            manifest("LogsInstance", "i", "{podLogsSelector: {}, clients: [{url: 'http://x/loki/api/v1/push'}]}"),
            manifest("PodLogs", "p", &format!("{{selector: {{}}, pipelineStages: [{}]}}", texts.join(", "))),
        ];
        let findings = flow_findings(&documents.each_ref().map(String::as_str));
        let is_reported = |stage: usize| {
            let path = format!("spec.pipelineStages[{stage}]");
            findings
                .iter()
                .any(|finding| finding.code == Code::NeverExtracted && finding.path.as_deref() == Some(&path))
        };
        let is_reported: Vec<_> = (0..stages.len()).map(is_reported).collect();
        reported_count += is_reported.iter().filter(|is_reported| **is_reported).count();
        for _ in 0..40 {
            let mut labels: BTreeSet<&str> = ["filename", "namespace", "pod", "container", "job"].into();
            let mut extracted = labels.clone();
            for (stage, is_dead) in stages.iter().zip(&is_reported) {
                let has_value = stage.source.is_none_or(|name| extracted.contains(name));
                assert!(!is_dead || !has_value, "{} in {texts:?}", stage.text);
                if !has_value || random.below(3) == 0 {
                    continue;
                }
                if stage.starts_pipeline {
                    extracted.extend(&labels);
                    labels.insert("stream");
                }
                extracted.extend(&stage.extracted_names);
                labels.extend(stage.target_label);
            }
        }
    }
    assert!(reported_count > 100, "{reported_count}");
}

/// Possible label values of a line: `fixed` is set by a rule, `free` may be missing, and `absent` is always missing.
const LINE_LABELS: [(&str, &[&str]); 5] = [
    ("fixed", &["web"]),
    ("free", &["", "web", "api", "x-1"]),
    ("absent", &[""]),
    ("namespace", &["default"]),
    ("pod", &["web-0", "p"]),
];

fn random_matcher(random: &mut Random) -> (&'static str, &'static str, &'static str) {
    const VALUES: [&str; 8] = ["web", "", "api", ".+", ".*", "w.*|default", "web|api", "x-[0-9]+"];
    let (label, _) = random.one_of(&LINE_LABELS);
    (label, random.one_of(&["=", "!=", "=~", "!~"]), random.one_of(&VALUES))
}

/// Whether a line with these labels satisfies a matcher (`labels.Matcher.Matches`).
fn holds((label, operator, value): (&str, &str, &str), line: &[(&str, &str)]) -> bool {
    let line_value = line.iter().find(|(name, _)| *name == label).map_or("", |(_, value)| value);
    let matches = || regex::Regex::new(&format!("^(?:{value})$")).unwrap().is_match(line_value);
    match operator {
        "=" => line_value == value,
        "!=" => line_value != value,
        "=~" => matches(),
        _ => !matches(),
    }
}

/// Compares the model's predictions for random selectors with all possible lines.
#[test]
fn selectors_reported_as_never_matching_match_no_line() {
    let mut random = Random::new(29);
    let lines = LINE_LABELS.iter().fold(vec![Vec::new()], |lines, (name, values)| {
        let with_label =
            |line: &Vec<_>, value| line.iter().copied().chain([(*name, value)]).collect::<Vec<(&str, &str)>>();
        lines.iter().flat_map(|line| values.iter().map(move |value| with_label(line, *value))).collect()
    });
    let (mut never_count, mut always_count) = (0, 0);
    for _ in 0..300 {
        let matchers: Vec<_> = (0..=random.below(3)).map(|_| random_matcher(&mut random)).collect();
        let selector: Vec<_> =
            matchers.iter().map(|(label, operator, value)| format!("{label}{operator}\"{value}\"")).collect();
        let selector = selector.join(", ");
        let documents = [
            agent("a", "logs: {instanceSelector: {}}"),
            manifest("LogsInstance", "i", "{podLogsSelector: {}, clients: [{url: 'http://x/loki/api/v1/push'}]}"),
            manifest(
                "PodLogs",
                "p",
                &format!(
                    "{{selector: {{}}, relabelings: [{{targetLabel: fixed, replacement: web}}, {{sourceLabels: \
                     [__meta_kubernetes_pod_label_app], targetLabel: free}}], pipelineStages: [{{match: {{selector: '{{{selector}}}', \
                     action: drop}}}}]}}"
                ),
            ),
        ];
        let findings = flow_findings(&documents.each_ref().map(String::as_str));
        let reports = |code| findings.iter().any(|finding| finding.code == code);
        let matched_count = lines.iter().filter(|line| matchers.iter().all(|matcher| holds(*matcher, line))).count();
        if reports(Code::NeverMatches) {
            never_count += 1;
            assert_eq!(matched_count, 0, "{selector}");
        }
        if reports(Code::DropsEverything) {
            always_count += 1;
            assert_eq!(matched_count, lines.len(), "{selector}");
        }
    }
    assert!(never_count > 80 && always_count > 5, "{never_count} {always_count}");
}

#[test]
fn suggests_label_prefixes() {
    for (name, expected) in [
        ("__meta_kubernetes_pod_labels_team", Some("__meta_kubernetes_pod_label_team")),
        ("__meta_kubernetes_pod_annotations_a_b", Some("__meta_kubernetes_pod_annotation_a_b")),
        ("__meta_kubernetes_pod_lable_team", Some("__meta_kubernetes_pod_label_team")),
        ("__meta_kubernetes_pod_label_", None),
        ("__meta_kubernetes_pod_nam", None),
    ] {
        assert_eq!(suggest_label(DiscoveryRole::Pod, name).as_deref(), expected, "{name}");
    }
}

#[test]
fn reports_slashes_in_addresses() {
    for (rules, expected) in [
        // Constant addresses are reported by `rejected-target` instead.
        ("{targetLabel: __address__, replacement: 'http://a:1/m'}", 0),
        ("{sourceLabels: [__meta_kubernetes_pod_ip], targetLabel: __address__, replacement: '$1:1/m'}", 1),
        ("{sourceLabels: [__meta_kubernetes_pod_ip], targetLabel: __address__, replacement: '$1:1'}", 0),
        ("{targetLabel: __param_target, replacement: 'http://a:1/m'}", 0),
        // A later rule removes the slash.
        (
            "{targetLabel: __address__, replacement: 'a:1/m'}, {sourceLabels: [__address__], regex: '([^/]+)/.*', targetLabel: __address__}",
            0,
        ),
    ] {
        let findings = rule_findings(rules, "");
        assert_eq!(
            findings.iter().filter(|finding| finding.contains("failing-scrape")).count(),
            expected,
            "{rules} {findings:?}"
        );
    }
}

/// Returns the findings about the stages of a PodLogs resource.
fn stage_findings(stages: &str) -> Vec<String> {
    let documents = [
        agent("a", "logs: {instanceSelector: {}}"),
        manifest("LogsInstance", "i", "{podLogsSelector: {}, clients: [{url: 'http://x/loki/api/v1/push'}]}"),
        manifest("PodLogs", "p", &format!("{{selector: {{}}, pipelineStages: [{stages}]}}")),
    ];
    let codes = super::RULES.iter().flat_map(|rule| rule.codes).copied().collect::<Vec<Code>>();
    let findings = flow_findings(&documents.each_ref().map(String::as_str));
    findings.iter().filter(|finding| codes.contains(&finding.code)).map(describe).collect()
}

#[test]
fn reports_stages_that_read_missing_values() {
    for (kind, stage) in [
        ("drop", "{drop: {source: nope, value: x}}"),
        ("json", "{json: {source: nope, expressions: {a: b}}}"),
        ("labels", "{labels: {nope: ''}}"),
        ("labels", "{labels: {x: nope}}"),
        ("metrics", "{metrics: {nope: {type: counter, action: inc}}}"),
        ("metrics", "{metrics: {a: {type: counter, action: inc, source: nope}}}"),
        ("metrics", "{metrics: {nope: {type: gauge, action: inc, matchAll: true}}}"),
        ("output", "{output: {source: nope}}"),
        ("pack", "{pack: {labels: [nope]}}"),
        ("regex", "{regex: {source: nope, expression: '(?P<a>.+)'}}"),
        ("replace", "{replace: {source: nope, expression: '(.+)', replace: x}}"),
        ("template", "{template: {source: nope, template: '{{ ToUpper .Value }}'}}"),
        ("tenant", "{tenant: {source: nope}}"),
        ("timestamp", "{timestamp: {source: nope, format: RFC3339}}"),
    ] {
        let message = format!("nothing before the `{kind}` stage extracts `nope`, and the line has no such label");
        let findings = stage_findings(stage);
        assert!(findings.len() == 1 && findings[0].contains(&message), "{stage}: {findings:?}");
        let extracted = format!("{{json: {{expressions: {{nope: x}}}}}}, {stage}");
        assert_eq!(stage_findings(&extracted), [""; 0], "{stage}");
    }
    for stage in [
        "{metrics: {nope: {type: counter, action: inc, matchAll: true}}}",
        "{template: {source: nope, template: '{{ if .Value }}x{{ end }}'}}",
        "{pack: {labels: [namespace]}}",
        "{tenant: {value: nope}}",
    ] {
        assert_eq!(stage_findings(stage), [""; 0], "{stage}");
    }
}

#[test]
fn label_allow_stages_with_variables_may_keep_any_label() {
    for (allowed, expected) in [("'${KEPT}', namespace", 0), ("namespace, nope", 0), ("namespace", 1)] {
        let stages = format!("{UNKNOWN_STAGES}, {{labelAllow: [{allowed}]}}, {{tenant: {{label: nope}}}}");
        assert_eq!(stage_findings(&stages).len(), expected, "{stages}");
    }
}

/// A `match` stage whose nested stages are invalid, so that their effect is unknown.
const UNKNOWN_STAGES: &str = "{match: {selector: '{namespace!=\"\"}', stages: '- 5'}}";

#[test]
fn tenant_stages_set_a_label() {
    for (tenant, selector, expected) in [
        ("value: a", "{__tenant_id__=\"a\"} |= \"debug\"", None),
        ("value: a", "{__tenant_id__=\"a\"}", Some("drops-everything")),
        ("value: a", "{__tenant_id__=\"b\"}", Some("never-matches")),
        ("value: '${TENANT}'", "{__tenant_id__=\"b\"}", None),
        ("source: pod", "{__tenant_id__=\"b\"}", None),
        ("label: pod", "{__tenant_id__!=\"\"}", None),
    ] {
        let stages = format!("{{tenant: {{{tenant}}}}}, {{match: {{selector: '{selector}', action: drop}}}}");
        let findings = stage_findings(&stages);
        assert_eq!(findings.len(), usize::from(expected.is_some()), "{stages}: {findings:?}");
        assert!(expected.is_none_or(|code| findings[0].contains(code)), "{stages}: {findings:?}");
    }
}

#[test]
fn label_allow_stages_keep_extracted_values() {
    for stage in [UNKNOWN_STAGES, "{regex: {expression: '${PATTERN}'}}", "{json: {expressions: {nope: x}}}"] {
        let stages = format!("{stage}, {{labelAllow: [namespace]}}, {{output: {{source: nope}}}}");
        assert_eq!(stage_findings(&stages), [""; 0], "{stages}");
    }
}

#[test]
fn labels_may_be_missing_after_stages_that_may_remove_them() {
    for (stage, expected) in [
        ("{match: {selector: '{pod=~\"batch-.*\"}', stages: '- labelDrop: [pod]'}}", None),
        ("{match: {selector: '{pod=~\"batch-.*\"}', stages: '- labelAllow: [namespace]'}}", None),
        ("{match: {selector: '{pod=~\"batch-.*\"}', stages: '- labelDrop: [namespace]'}}", Some("drops-everything")),
        ("{match: {selector: '${SELECTOR}', stages: '- labelDrop: [pod]'}}", None),
        ("{match: {selector: '${SELECTOR}', action: drop}}", Some("drops-everything")),
        ("{labelDrop: ['${DROPPED}']}", None),
        ("{pack: {labels: [pod]}}", None),
        ("{pack: {labels: ['${PACKED}']}}", None),
        ("{pack: {labels: [namespace]}}", Some("drops-everything")),
        ("{labelDrop: [pod]}", Some("never-matches")),
    ] {
        let findings = stage_findings(&format!("{stage}, {{match: {{selector: '{{pod!=\"\"}}', action: drop}}}}"));
        assert_eq!(findings.len(), usize::from(expected.is_some()), "{stage}: {findings:?}");
        assert!(expected.is_none_or(|code| findings[0].contains(code)), "{stage}: {findings:?}");
    }
}

#[test]
fn suggests_values_and_labels_for_stages() {
    for (stages, expected) in [
        ("{json: {expressions: {level: l}}}, {output: {source: levle}}", "; did you mean `level`?"),
        ("{output: {source: nope}}", "; extract `nope` in an earlier stage, or remove this one"),
        (
            "{json: {expressions: {level: l}}}, {labels: {severity: level}}, {output: {source: severity}}",
            "the `output` stage reads only extracted values, but `severity` is a label set by an earlier stage; use `level`",
        ),
        (
            "{json: {expressions: {level: l}}}, {labels: {severity: level}}, {pack: {labels: [severity]}}",
            "the `pack` stage reads only extracted values, but `severity` is a label set by an earlier stage; use `level`",
        ),
        (
            "{tenant: {value: a}}, {output: {source: __tenant_id__}}",
            "; extract `__tenant_id__` in an earlier stage, or remove this one",
        ),
        ("{tenant: {label: namespce}}", "no line has the label `namespce` at this point; did you mean `namespace`?"),
        ("{tenant: {label: nope}}", "; set the label in an earlier stage or rule"),
        (
            "{match: {selector: '{namespce=\"x\"}', action: drop}}",
            "no line has the label `namespce` at this point; did you mean `namespace`?",
        ),
        (
            "{match: {selector: '{nope=\"x\"}', action: drop}}",
            "; set the label in an earlier stage or rule, or correct the selector",
        ),
        (
            "{match: {selector: '{namespace=\"x\"}', action: drop}}",
            "`namespace=\"x\"` does not match any value that `namespace` can have here; correct the selector, or remove the stage",
        ),
    ] {
        let findings = stage_findings(stages);
        assert!(findings.len() == 1 && findings[0].ends_with(expected), "{stages}: {findings:?}");
    }
    assert_eq!(stage_findings("{tenant: {label: namespace}}"), [""; 0]);
}

/// Tests that values from the nested stages of a `match` stage that never matches count as extracted, and that the
/// nested stages are not reported.
#[test]
fn unreachable_stages_cause_one_finding() {
    let dead_stages =
        "{match: {selector: '{nope=\"x\"}', stages: '[{json: {expressions: {a: b}}}, {output: {source: other}}]'}}";
    let findings = stage_findings(&format!("{dead_stages}, {{labels: {{a: ''}}}}"));
    assert!(findings.len() == 1 && findings[0].contains("[never-matches]"), "{findings:?}");
}

#[test]
fn reports_doubled_backslashes_only_in_expressions_that_require_one() {
    for (stage, is_reported) in [
        (r#"{regex: {expression: 'msg="(?P<msg>(?:[^"\\]|\\.)*)"'}}"#, false),
        (r#"{replace: {expression: '"password":"((?:\\.|[^"\\])*)"', replace: x}}"#, false),
        (r#"{multiline: {firstLine: '^"(?:[^"\\]|\\.)+"'}}"#, false),
        (r"{drop: {expression: '^debug|\\.$'}}", false),
        (r"{drop: {expression: 'C:\\Users\\x\\.ssh'}}", false),
        (r"{drop: {expression: '${A}\\.'}}", false),
        (r"{regex: {expression: '^(?P<time>\\d+)'}}", true),
        (r"{replace: {expression: 'id=(\\w+)', replace: x}}", true),
        (r"{multiline: {firstLine: '^\\d{4}-'}}", true),
        (r"{drop: {expression: 'example\\.com'}}", true),
    ] {
        let findings = stage_findings(stage);
        assert_eq!(findings.len(), usize::from(is_reported), "{stage}: {findings:?}");
        assert!(findings.iter().all(|finding| finding.contains("[ineffective-rule]")), "{stage}: {findings:?}");
    }
}

#[test]
fn reports_time_formats_without_a_date() {
    let describe = |extra_settings: &str| {
        let stage = format!("{{timestamp: {{source: time, format: '15:04:05'{extra_settings}}}}}");
        stage_findings(&format!("{{json: {{expressions: {{time: t}}}}}}, {stage}"))
    };
    let actual = describe("");
    assert!(actual.len() == 1 && actual[0].contains("has no month and day"), "{actual:?}");
    assert_eq!(describe(", fallbackFormats: [RFC3339]"), [""; 0]);
    assert_eq!(describe(", fallbackFormats: ['15:04']"), [""; 0]);
}

#[test]
fn reports_time_formats_only_if_no_fallback_parses() {
    let describe = |fallback: &str| {
        let stage = format!("{{timestamp: {{source: time, format: yyyy-MM-dd, fallbackFormats: ['{fallback}']}}}}");
        stage_findings(&format!("{{json: {{expressions: {{time: t}}}}}}, {stage}"))
    };
    assert_eq!(describe("dd.MM.yyyy").len(), 1);
    // This format parses times, although without a date.
    assert_eq!(describe("15:04:05"), [""; 0]);
}

#[test]
fn target_labels_default_to_the_settings_of_the_job() {
    for (rule, expected) in [
        ("{sourceLabels: [__scheme__], regex: https, action: keep}", Some("[drops-everything]")),
        ("{sourceLabels: [__scheme__], regex: http, action: keep}", None),
        ("{sourceLabels: [__metrics_path__], regex: /probe, action: keep}", Some("[drops-everything]")),
        ("{sourceLabels: [__metrics_path__], regex: /metrics, action: keep}", None),
        ("{sourceLabels: [__name__], targetLabel: x}", Some("; use `metricRelabelings`: a target has no metric name")),
    ] {
        let findings = rule_findings(rule, "");
        assert_eq!(findings.len(), usize::from(expected.is_some()), "{rule}: {findings:?}");
        assert!(expected.is_none_or(|expected| findings[0].contains(expected)), "{rule}: {findings:?}");
    }
}

/// Tests that samples may have labels of targets only if an additional job can write them.
#[test]
fn additional_jobs_may_set_any_sample_label() {
    let describe = |extra_settings: &str| {
        let rule = "{sourceLabels: [__tmp_x], targetLabel: x}";
        let spec = format!("{{{extra_settings}remoteWrite: [{{url: 'http://x', writeRelabelConfigs: [{rule}]}}]}}");
        let secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: jobs, namespace: default}\n\
                      stringData: {k: '[{job_name: a, static_configs: [{targets: [a:1]}]}]'}\n";
        let documents =
            [agent("a", "metrics: {instanceSelector: {}}"), manifest("MetricsInstance", "m", &spec), secret.to_owned()];
        let findings = flow_findings(&documents.each_ref().map(String::as_str));
        findings.iter().filter(|finding| finding.code == Code::NeverSetLabel).count()
    };
    assert_eq!([describe(""), describe("additionalScrapeConfigs: {name: jobs, key: k}, ")], [1, 0]);
}
