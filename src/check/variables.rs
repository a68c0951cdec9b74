//! Variables in texts of the configuration (`parseFunc` of envsubst).
//!
//! What: a `${` that the agent, which runs with `-config.expand-env`, cannot read as a variable. Why: it does not start. Example:
//! `replacement: ${a-b}`. Credentials have rules of their own.

use super::conditions::Conditions;
use super::rule::{Rule, table};
use super::walk::Expect::{Mild, With};
use super::walk::{Json, Rows, Step, Walk};
use crate::api::Kind;
use crate::diagnostic::Code;
use crate::go::envsubst;
use crate::target::Target;
use crate::yaml::NodeValue;

pub const RULES: &[Rule] = &[
    table(
        Kind::GrafanaAgent,
        &[("metrics|logs|apiServer", Mild(&With(check)))],
        SOURCE,
    ),
    table(Kind::MetricsInstance, TEXTS, SOURCE),
    table(Kind::LogsInstance, TEXTS, SOURCE),
    table(Kind::ServiceMonitor, TEXTS, SOURCE),
    table(Kind::PodMonitor, TEXTS, SOURCE),
    table(Kind::Probe, TEXTS, SOURCE),
    table(Kind::PodLogs, TEXTS, SOURCE),
    table(Kind::Integration, &[("config", Mild(&With(check)))], SOURCE),
];
const SOURCE: &str = "`parseFunc`";
const TEXTS: Rows = &[("", Mild(&With(check)))];

fn check<'v>(value: Json<'v>, walk: &mut Walk<'v>) {
    // Alloy expands nothing. Most resources have no variable.
    let is_agent = |conditions: Conditions<'_>| *conditions.target == Target::Agent;
    let has_variable = walk.context.head.is_none_or(|head| head.root.raw().contains("${"));
    if has_variable && walk.context.conditions.is_none_or(is_agent) {
        texts(value, walk);
    }
}

fn texts<'v>(value: Json<'v>, walk: &mut Walk<'v>) {
    match value.value() {
        NodeValue::String(text) if envsubst::is_refused(text) => {
            let message = "the text has `${` without the name of a variable and `}`, so the agent does not start";
            walk.tell(Code::MisreadVariable, &[], message, "write `$${` if `${` is meant");
        }
        NodeValue::Mapping => {
            for (key, value) in value.entries().filter(|(key, _)| *key != "bearerToken") {
                walk.below(Step::Key(key), |walk| texts(value, walk));
            }
        }
        NodeValue::Sequence => {
            for (i, item) in value.items().enumerate() {
                walk.below(Step::Index(i), |walk| texts(item, walk));
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{agent, found, manifest};
    use crate::diagnostic::Code;

    #[test]
    fn a_variable_that_cannot_be_read_is_reported_in_any_text() {
        let spec = "metrics: {instanceSelector: {}, externalLabels: {a: '${A}', b: '${b-c}'}, \
                    remoteWrite: [{url: http://m, bearerToken: '${'}]}";
        let instance = "{serviceMonitorSelector: {}, remoteWrite: [{url: 'http://${'}]}";
        let monitor = "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {name: m}\nspec: {selector: {}, \
                       endpoints: [{relabelings: [{targetLabel: a, replacement: '$${'}, {targetLabel: a, regex: '${'}]}]}";
        let found = found(&[&agent("a", spec), &manifest("MetricsInstance", "i", instance), monitor]);
        let found = found.iter().filter(|d| d.code == Code::MisreadVariable);
        let mut paths: Vec<_> = found.filter_map(|d| d.path.as_deref()).collect();
        paths.sort_unstable();
        assert_eq!(
            paths,
            [
                "spec.endpoints[0].relabelings[1].regex",
                "spec.metrics.externalLabels.b",
                "spec.remoteWrite[0].url"
            ]
        );
    }
}
