//! Requirements of the operator's templates that the API server does not enforce.

use super::diagnostics;
use super::hierarchy::Hierarchy;
use crate::api::{AnyResource, LabelSelector, ResourceHeader};
use crate::diagnostic::{Diagnostic, FieldPath};

/// Reports all problems in a hierarchy's resources that make the operator fail.
pub fn check(hierarchy: &Hierarchy<'_, '_>, diagnostics: &mut Vec<Diagnostic>) {
    for member in hierarchy.members() {
        let (path, selector) = match member {
            AnyResource::ServiceMonitor(monitor) => ("spec.selector", &monitor.spec.selector),
            AnyResource::PodMonitor(monitor) => ("spec.selector", &monitor.spec.selector),
            AnyResource::PodLogs(pod_logs) => ("spec.selector", &pod_logs.spec.selector),
            AnyResource::Probe(probe) => match (&probe.spec.targets.static_config, &probe.spec.targets.ingress) {
                (None, Some(ingress)) => ("spec.targets.ingress.selector", &ingress.selector),
                (None, None) => {
                    diagnostics.push(diagnostics::probe_without_targets(probe));
                    continue;
                }
                (Some(_), _) => continue,
            },
            _ => continue,
        };
        check_values(&member, path, selector, diagnostics);
    }
}

/// Checks that `In` and `NotIn` have `values`, because otherwise the template fails when it tries to join a null. An
/// empty list also becomes a null, because the operator's client omits it when it writes the object as JSON.
fn check_values(
    resource: &ResourceHeader<'_>,
    path: &'static str,
    selector: &LabelSelector<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for (i, expression) in selector.match_expressions.iter().enumerate() {
        if !matches!(expression.operator, "In" | "NotIn") || !expression.values.is_empty() {
            continue;
        }
        let expression_path = FieldPath::parse(path).key("matchExpressions").index(i);
        diagnostics.push(diagnostics::expression_without_values(resource, &expression_path, expression.operator));
    }
}
