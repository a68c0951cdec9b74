//! List items in `endpoints` that were probably meant to be part of another item.
//!
//! Reports an item without a port, such as `- metricRelabelings: […]` after `- port: web`. Such an item scrapes every
//! port of the target, and its settings do not apply to the other item.

use super::rule::{Rule, RuleInput, RuleTarget, rule};
use crate::api::{Endpoint, IntOrString, Monitor, RelabelConfig};
use crate::diagnostic::{Code, Diagnostic, FieldPath};
use crate::plan::RelabelAction;
use crate::resolve::Hierarchy;

pub const RULES: &[Rule] = &[rule(
    &[Code::SplitItem],
    RuleTarget::Hierarchy(check),
    "`service_monitor.libsonnet` and `pod_monitor.libsonnet`",
)];

fn check(input: &RuleInput<'_, '_>, hierarchy: &Hierarchy<'_, '_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    if !input.conditions.follows_labels {
        return findings;
    }
    for monitor in hierarchy.metrics.iter().flat_map(|metrics| metrics.monitors()) {
        let with_port = monitor.endpoints.iter().position(has_port);
        let Some(with_port) = with_port.filter(|_| monitor.endpoints.len() > 1) else { continue };
        let items = monitor.endpoints.iter().enumerate().filter(|(_, endpoint)| is_split(endpoint));
        findings.extend(items.map(|(index, _)| report_split_item(&monitor, index, with_port)));
    }
    findings
}

fn has_port(endpoint: &Endpoint<'_>) -> bool {
    let is_set = |port| !matches!(port, IntOrString::Int(0) | IntOrString::String(""));
    !endpoint.port.is_empty() || endpoint.target_port.is_some_and(is_set)
}

/// Whether an endpoint has neither a port nor anything else that distinguishes its targets from those of other
/// endpoints.
fn is_split(endpoint: &Endpoint<'_>) -> bool {
    let selects = |rule: &RelabelConfig<'_>| {
        let action = RelabelAction::from_name(rule.action);
        let writes = |label: &str| rule.target_label == label || rule.target_label.contains('$');
        action.is_some_and(|action| action.is_filter() || action == RelabelAction::LabelMap)
            || writes("__address__")
            || writes("__metrics_path__")
    };
    !has_port(endpoint)
        && endpoint.path.is_empty()
        && endpoint.params.is_empty()
        && !endpoint.relabelings.iter().any(selects)
}

/// Finding for an endpoint without a port next to one with a port.
fn report_split_item(monitor: &Monitor<'_, '_>, index: usize, with_port: usize) -> Diagnostic {
    let path = |index| FieldPath::parse("spec").key(monitor.field).index(index);
    let message = format!(
        "the item has no port, so it scrapes every port, and its settings do not apply to `{}[{with_port}]`",
        monitor.field
    );
    let finding = monitor.header.finding(Code::SplitItem, &path(index), message);
    let finding = finding.label(monitor.header.locate(&path(with_port)), "an item with a port");
    finding.help("remove the `-` to merge the item with the one that has the port, or set `port`")
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{agent, flow_findings, manifest};
    use crate::diagnostic::Code;

    #[test]
    fn reports_accidentally_split_items() {
        for (endpoints, expected) in [
            ("[{port: a}, {interval: 30s}]", 1),
            ("[{bearerTokenSecret: {name: s, key: k}}, {scheme: https}, {port: a}]", 2),
            ("[{targetPort: 80}, {tlsConfig: {insecureSkipVerify: true}}]", 1),
            ("[{port: a}, {path: /b}]", 0),
            ("[{interval: 30s}, {scheme: https}]", 0),
            ("[{interval: 30s}]", 0),
            (
                "[{port: a}, {relabelings: [{sourceLabels: [__meta_kubernetes_pod_container_name], regex: x, action: keep}]}]",
                0,
            ),
        ] {
            let agent = agent("a", "metrics: {instanceSelector: {}}");
            let instance = manifest("MetricsInstance", "m", "{serviceMonitorSelector: {}}");
            let monitor = format!(
                "apiVersion: monitoring.coreos.com/v1\nkind: ServiceMonitor\nmetadata: {{name: s}}\nspec: {{selector: {{}}, endpoints: {endpoints}}}\n"
            );
            let findings = flow_findings(&[&agent, &instance, &monitor])
                .into_iter()
                .filter(|finding| finding.code == Code::SplitItem);
            assert_eq!(findings.count(), expected, "{endpoints}");
        }
    }
}
