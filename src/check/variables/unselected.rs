//! Variables in resources that no agent in the input selects.

use std::collections::HashSet;

use super::diagnostics::{self, ESCAPE, VariableProblem};
use super::environment::is_common;
use super::texts::for_each_text;
use crate::api::Kind;
use crate::check::rule::{Rule, RuleInput, RuleTarget, rule, table};
use crate::check::walk::Expect::{self, With};
use crate::check::walk::{Json, Rows, Step, Walk};
use crate::diagnostic::{Code, Diagnostic};
use crate::go::{envsubst, reloader};
use crate::output::Target;
use crate::yaml::NodeValue;

pub const METRICS_INSTANCE_RULE: Rule = table(Kind::MetricsInstance, &[("remoteWrite", TEXTS)], SOURCE);
pub const LOGS_INSTANCE_RULE: Rule = table(Kind::LogsInstance, &[("clients", TEXTS)], SOURCE);
pub const SERVICE_MONITOR_RULE: Rule = table(Kind::ServiceMonitor, SERVICE_MONITOR, SOURCE);
pub const POD_MONITOR_RULE: Rule = table(Kind::PodMonitor, POD_MONITOR, SOURCE);
pub const PROBE_RULE: Rule = table(Kind::Probe, PROBE, SOURCE);
pub const POD_LOGS_RULE: Rule = table(Kind::PodLogs, POD_LOGS, SOURCE);

pub const INTEGRATIONS_RULE: Rule = rule(&[], RuleTarget::RuleInput(integrations), SOURCE);

/// Fields whose strings the operator writes unchanged. In all other fields, the operator replaces `$`.
const SERVICE_MONITOR: Rows = &[("endpoints|namespaceSelector|selector", TEXTS)];
const POD_MONITOR: Rows = &[("podMetricsEndpoints|namespaceSelector|selector", TEXTS)];
const PROBE: Rows = &[("jobName|metricRelabelings|module|prober|targets", TEXTS)];
const POD_LOGS: Rows = &[("namespaceSelector|pipelineStages|relabelings|selector", TEXTS)];

const SOURCE: &str = "`expandEnv` of the config-reloader, `parseFunc` of envsubst";
const TEXTS: Expect = With(check);

fn check<'v>(value: Json<'v>, walk: &mut Walk<'v>) {
    let has_variable = |raw: &str| raw.contains("${") || raw.contains("$(");
    // Selected resources are checked as part of their configuration.
    let is_unselected = walk.context.hierarchy.is_none();
    if is_unselected && walk.context.head.is_none_or(|head| has_variable(head.root.raw())) {
        check_texts(value, walk);
    }
}

fn check_texts<'v>(value: Json<'v>, walk: &mut Walk<'v>) {
    match value.value() {
        NodeValue::String(text) => {
            // Alloy does not replace variables.
            let is_alloy = walk.context.conditions.is_some_and(|conditions| *conditions.target != Target::Agent);
            if !is_alloy && envsubst::is_rejected(text) {
                let message = VariableProblem::Broken.message(false, "the string");
                walk.report_with_code(Code::MisreadVariable, &[], message, ESCAPE);
            }
            if let Some(name) = reloader::find_references(text).find(|name| !is_common(name)) {
                let is_group = name.bytes().all(|byte| byte.is_ascii_digit());
                let (ending, help) = match is_group {
                    true => ("", format!("write `${{{name}}}` for a capture group")),
                    false => (
                        ", unless the GrafanaAgent sets the variable",
                        format!("write `${{{name}}}` to refer to one of the agent's variables"),
                    ),
                };
                let quoted = walk.quote(&format!("$({name})"));
                let message = format!("the config-reloader has no value for {quoted} and exits{ending}");
                walk.report_with_code(Code::ReloaderVariable, &[], message, help).is_warning = !is_group;
            }
        }
        NodeValue::Mapping => {
            for (key, value) in value.entries().filter(|(key, _)| *key != "bearerToken") {
                walk.enter(Step::Key(key), |walk| check_texts(value, walk));
            }
        }
        NodeValue::Sequence => {
            for (i, item) in value.items().enumerate() {
                walk.enter(Step::Index(i), |walk| check_texts(item, walk));
            }
        }
        _ => {}
    }
}

/// Checks the Integrations that no agent selects.
fn integrations(input: &RuleInput<'_, '_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    if *input.conditions.target != Target::Agent {
        return findings;
    }
    let selected = input.hierarchies.iter().flat_map(|hierarchy| &hierarchy.integrations);
    let selected: HashSet<_> = selected.map(|integration| integration.object_ref()).collect();
    let integrations = input.resources.integrations.iter();
    for integration in integrations.filter(|integration| !selected.contains(&integration.object_ref())) {
        for_each_text(integration, &mut |text| {
            if envsubst::is_rejected(text.text) {
                findings.push(diagnostics::text_finding(VariableProblem::Broken, integration, text));
            }
        });
    }
    findings
}
