//! Settings in `autoscrape`, which determine how the agent scrapes an integration.
//!
//! Reports a relabeling rule that Prometheus rejects. The agent does not start, because it validates rules when it
//! decodes the configuration (`relabel.Config.UnmarshalYAML`). Also reports settings without `enable`, such as
//! `autoscrape: {metrics_instance: monitoring/primary}`. They have no effect, because the operator disables
//! `autoscrape` by default.

use super::setting::configuration;
use crate::check::prometheus::relabel::CONFIGURED;
use crate::check::walk::Expect::{self, Help};
use crate::check::walk::{Json, Step, Walk};
use crate::diagnostic::Code;
use crate::programs::types;

/// Checks the settings in `autoscrape`.
pub(super) fn check<'v>(spec: Json<'v>, walk: &mut Walk<'v>) {
    let Some((config, integration)) = configuration(spec).filter(|(_, integration)| integration.name != "eventhandler")
    else {
        return;
    };
    let Some(autoscrape) = config.non_null("autoscrape").filter(|autoscrape| autoscrape.is_mapping()) else {
        return;
    };
    walk.enter(Step::Key("config"), |walk| {
        walk.enter(Step::Key("autoscrape"), |walk| {
            walk.for_each("relabel_configs|metric_relabel_configs[]", autoscrape, |walk, rule| {
                // The agent stops at an unknown key before it validates the rules.
                if !integration.is_native || !has_unknown_key(rule) {
                    walk.check_rule(relabel_expectation(rule), rule);
                }
            });
            let is_unset = autoscrape.non_null("enable").is_none();
            if is_unset && autoscrape.entries().any(|(key, _)| key != "enable") {
                let message = "`autoscrape` does not set `enable`, and the operator disables autoscraping by default, so the agent does not \
                               scrape the integration";
                walk.report_with_code(Code::IdleIntegration, &[], message, "set `enable: true`, or remove `autoscrape`");
            }
        });
    });
}

/// Returns the expectation for a rule. If the rule uses a resource's spelling, the help explains the correct spelling.
fn relabel_expectation(rule: Json<'_>) -> &'static Expect {
    static CAMEL_CASE: Expect = Help("write `target_label` instead of `targetLabel`", &CONFIGURED);
    static SNAKE_CASE: Expect = CONFIGURED;
    match rule.has("targetLabel") && !rule.has("target_label") {
        true => &CAMEL_CASE,
        false => &SNAKE_CASE,
    }
}

fn has_unknown_key(rule: Json<'_>) -> bool {
    types::find("relabel.Config")
        .is_some_and(|candidate| rule.entries().any(|(key, _)| candidate.type_of(key).is_none()))
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{AGENT, integration, lines, manifest};

    /// Returns the codes and paths of findings about an integration's `autoscrape`.
    fn autoscrape_findings(name: &str, autoscrape: &str) -> Vec<String> {
        let instance = manifest("MetricsInstance", "m", "{}");
        let config = format!("{{autoscrape: {{{autoscrape}}}}}");
        let findings = lines(&[AGENT, &instance, &integration("i", name, &["allNodes"], &config)]);
        let findings = findings.iter().filter_map(|line| line.split_once(": "));
        let findings = findings.filter_map(|(start, _)| start.split_once(" spec.config.autoscrape"));
        findings.map(|(code, path)| format!("{code} {path}")).collect()
    }

    #[test]
    fn rejects_the_same_rules_as_the_agent() {
        const ENABLED_SETTINGS: &str = "enable: true, metrics_instance: default/m";
        for (name, rule, expected) in [
            ("process", "{source_labels: [a], target_label: b}", &[][..]),
            ("process", "{source_labels: [a, b], action: keepequal, target_label: c}", &[]),
            ("process", "{source_labels: [a], regex: '(', action: drop}", &["invalid-regex .relabel_configs[0].regex"]),
            ("process", "{source_labels: [a], action: dropp}", &["unknown-relabel-action .relabel_configs[0].action"]),
            ("process", "{source_labels: [a]}", &["incomplete-relabeling .relabel_configs[0]"]),
            (
                "process",
                "{sourceLabels: [a], targetLabel: b}",
                &[
                    "ignored-integration-key .relabel_configs[0].sourceLabels",
                    "ignored-integration-key .relabel_configs[0].targetLabel",
                    "incomplete-relabeling .relabel_configs[0]",
                ],
            ),
            (
                "agent",
                "{sourceLabels: [a], targetLabel: b}",
                &[
                    "unknown-integration-key .relabel_configs[0].sourceLabels",
                    "unknown-integration-key .relabel_configs[0].targetLabel",
                ],
            ),
            (
                "agent",
                "{action: labeldrop, target_label: b, regex: a}",
                &["conflicting-relabeling .relabel_configs[0].target_label"],
            ),
        ] {
            let mut findings = autoscrape_findings(name, &format!("{ENABLED_SETTINGS}, relabel_configs: [{rule}]"));
            findings.sort();
            assert_eq!(findings, expected, "{name} {rule}");
            let metric_findings =
                autoscrape_findings(name, &format!("{ENABLED_SETTINGS}, metric_relabel_configs: [{rule}]"));
            assert_eq!(metric_findings.len(), expected.len(), "{name} {rule}");
        }
    }

    #[test]
    fn reports_settings_without_effect() {
        let idle_finding = "idle-integration ".to_owned();
        for (autoscrape, is_idle) in [
            ("scrape_interval: 1m", true),
            ("enabled: true", true),
            ("enable: ~, metrics_instance: default/m", true),
            ("enable: false, metrics_instance: default/m", false),
            ("enable: true, metrics_instance: default/m", false),
            ("", false),
        ] {
            assert_eq!(autoscrape_findings("mysql", autoscrape).contains(&idle_finding), is_idle, "{autoscrape}");
        }
    }

    #[test]
    fn reports_windows_integration_as_idle() {
        let actual = lines(&[AGENT, &integration("i", "windows", &["allNodes"], "{}")]);
        assert!(actual.iter().any(|line| line.starts_with("idle-integration spec.name: ")), "{actual:?}");
        assert!(!actual.iter().any(|line| line.starts_with("unknown-integration")), "{actual:?}");
    }
}
