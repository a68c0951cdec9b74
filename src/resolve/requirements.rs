//! What the operator's templates cannot do without, although the API server lets it pass.

use super::diagnostics;
use super::hierarchy::Hierarchy;
use crate::api::{LabelSelector, Resource};
use crate::diagnostic::{Diagnostic, FieldPath};

/// Reports what makes the operator fail on the resources of a hierarchy.
pub fn check(hierarchy: &Hierarchy<'_, '_>, diagnostics: &mut Vec<Diagnostic>) {
    for metrics in &hierarchy.metrics {
        for monitor in &metrics.service_monitors {
            check_values(monitor, "spec.selector", &monitor.spec.selector, diagnostics);
        }
        for monitor in &metrics.pod_monitors {
            check_values(monitor, "spec.selector", &monitor.spec.selector, diagnostics);
        }
        for probe in &metrics.probes {
            let targets = &probe.spec.targets;
            match (&targets.static_config, &targets.ingress) {
                (None, None) => diagnostics.push(diagnostics::probe_without_targets(probe)),
                (None, Some(ingress)) => {
                    check_values(probe, "spec.targets.ingress.selector", &ingress.selector, diagnostics);
                }
                (Some(_), _) => {}
            }
        }
    }
    for logs in &hierarchy.logs {
        for pod_logs in &logs.pod_logs {
            check_values(pod_logs, "spec.selector", &pod_logs.spec.selector, diagnostics);
        }
    }
}

/// `In` and `NotIn` without `values` give the template a null to join, which it refuses. An empty list is a null too,
/// since the operator's client drops it when it writes the object as JSON.
fn check_values<S>(
    resource: &Resource<'_, S>,
    path: &'static str,
    selector: &LabelSelector<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for (i, expression) in selector.match_expressions.iter().enumerate() {
        if !matches!(expression.operator, "In" | "NotIn") || !expression.values.is_empty() {
            continue;
        }
        let at = FieldPath::of(path).key("matchExpressions").index(i);
        diagnostics.push(diagnostics::expression_without_values(
            resource,
            &at,
            expression.operator,
        ));
    }
}
