//! Detection of the operator release that wrote the live objects.

use std::collections::BTreeMap;

use serde_json::Value;

use super::state::ObjectState;
use crate::api::OperatorVersion;

/// Returns the release that wrote most of the operator's workloads. In case of a tie, returns the latest release.
///
/// The operator labels pods with its own release. If the user's labels override that label, the tag of the agent's
/// image is used instead. The tag is the same as the operator's release unless the user sets a different image.
pub fn operator_version(states: &[ObjectState<'_>]) -> Option<OperatorVersion> {
    let workloads = states.iter().filter(|state| state.is_managed());
    let workloads: Vec<_> = workloads.filter_map(ObjectState::pod_template).collect();
    let version_by_labels = most_frequent(workloads.iter().filter_map(by_label));
    version_by_labels.or_else(|| most_frequent(workloads.iter().filter_map(by_image)))
}

fn most_frequent(versions: impl Iterator<Item = OperatorVersion>) -> Option<OperatorVersion> {
    let mut counts = BTreeMap::<_, usize>::new();
    versions.for_each(|version| *counts.entry(version).or_default() += 1);
    let most_frequent_entry = counts.into_iter().max_by_key(|(version, count)| (*count, *version));
    most_frequent_entry.map(|(version, _)| version)
}

fn by_label(template: &Value) -> Option<OperatorVersion> {
    let labels = template.pointer("/metadata/labels")?;
    OperatorVersion::from_label(labels.get("app.kubernetes.io/version")?.as_str()?)
}

fn by_image(template: &Value) -> Option<OperatorVersion> {
    let containers = template.pointer("/spec/containers")?.as_array()?.iter();
    let mut agents =
        containers.filter(|container| container.get("name").and_then(Value::as_str) == Some("grafana-agent"));
    let (_, tag) = agents.next()?.get("image")?.as_str()?.rsplit_once(':')?;
    tag.parse().ok()
}

/// Sorts the addresses in Endpoints, which earlier operator releases wrote in arbitrary order.
pub(super) fn sort_addresses(endpoints: &mut Value) {
    let subsets = endpoints.get_mut("subsets").and_then(Value::as_array_mut);
    for subset in subsets.into_iter().flatten() {
        if let Some(addresses) = subset.get_mut("addresses").and_then(Value::as_array_mut) {
            let text = |address: &Value, pointer| address.pointer(pointer).map(Value::to_string);
            addresses.sort_by_cached_key(|address| (text(address, "/ip"), text(address, "/targetRef/name")));
        }
    }
}
