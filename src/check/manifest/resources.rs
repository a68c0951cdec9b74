//! Resources of containers: none negative, and no limit below what is requested (`ValidateResourceRequirements`).

use std::cmp::Ordering;
use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::api::resource::Quantity;

use super::diagnostics;
use super::origin::Origins;
use super::pods::Pods;
use crate::api::core::quantity::compare;
use crate::diagnostic::Diagnostic;

pub(super) fn check(pods: &Pods<'_>, origins: &Origins<'_>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for container in pods.all_containers() {
        let Some(resources) = &container.resources else {
            continue;
        };
        let name = container.name.as_str();
        let origin = origins.resources(name);
        for (field, quantities) in [("limits", &resources.limits), ("requests", &resources.requests)] {
            let negative = quantities
                .iter()
                .flatten()
                .filter(|(_, quantity)| is_less(quantity, "0"));
            found.extend(negative.map(|(resource, _)| diagnostics::negative_resource(name, field, resource, origin)));
        }
        if let (Some(limits), Some(requests)) = (&resources.limits, &resources.requests) {
            let below = below(limits, requests);
            found.extend(below.map(|(resource, pair)| diagnostics::limit_below_request(name, resource, pair, origin)));
        }
    }
    found
}

/// The limits that are lower than the requests, with both.
fn below<'q>(
    limits: &'q BTreeMap<String, Quantity>,
    requests: &'q BTreeMap<String, Quantity>,
) -> impl Iterator<Item = (&'q str, (&'q str, &'q str))> {
    limits.iter().filter_map(|(resource, limit)| {
        let request = requests.get(resource)?;
        is_less(limit, &request.0).then_some((resource.as_str(), (limit.0.as_str(), request.0.as_str())))
    })
}

fn is_less(quantity: &Quantity, other: &str) -> bool {
    compare(&quantity.0, other) == Ok(Ordering::Less)
}

#[cfg(test)]
mod tests {
    use crate::check::tests::{agent, lines, manifest};

    #[test]
    fn limits_and_requests() {
        for (fields, expected) in [
            (
                "resources: {limits: {cpu: 1}, requests: {cpu: 1000m, memory: 1Gi}}",
                None,
            ),
            (
                "resources: {limits: {cpu: 1}, requests: {cpu: 1001m}}",
                Some("spec.resources"),
            ),
            ("resources: {limits: {cpu: -1}}", Some("spec.resources")),
            (
                "resources: {limits: {cpu: 1}}, containers: [{name: grafana-agent, resources: {requests: {cpu: 2}}}]",
                Some("spec.containers[0].resources"),
            ),
        ] {
            let spec = format!("metrics: {{instanceSelector: {{}}}}, {fields}");
            let lines = lines(&[&agent("a", &spec), &manifest("MetricsInstance", "m", "{}")]);
            let path = lines
                .first()
                .and_then(|line| line.strip_prefix("invalid-resources ")?.split(':').next());
            assert_eq!(path, expected, "{fields} {lines:?}");
            assert_eq!(lines.len(), usize::from(expected.is_some()), "{lines:?}");
        }
    }
}
