//! Fields that other versions have: what the CustomResourceDefinitions of earlier operators lack, and what prometheus-operator
//! added after v0.66.0, whose types the Grafana Agent Operator v0.44.8 reads.

use std::borrow::Cow;

use super::frame::Frame;
use crate::api::schema::Schema;
use crate::operator::OperatorVersion;

/// Fields of GrafanaAgents that came later: the object or list that they are in, their name, and with what they came.
const FIELDS: [(&str, &str, OperatorVersion); 6] = [
    ("spec", "configReloaderImage", OperatorVersion::RELOADER_FIELDS),
    ("spec", "configReloaderVersion", OperatorVersion::RELOADER_FIELDS),
    ("containers", "resizePolicy", OperatorVersion::RESIZE_POLICY),
    ("initContainers", "resizePolicy", OperatorVersion::RESIZE_POLICY),
    ("containers", "restartPolicy", OperatorVersion::CONTAINER_RESTART_POLICY),
    (
        "initContainers",
        "restartPolicy",
        OperatorVersion::CONTAINER_RESTART_POLICY,
    ),
];

/// The release that brought the field `name` of the object at `at`, where `operator` is an earlier one.
pub(super) fn came_later(operator: OperatorVersion, at: &Frame<'_>, name: &str) -> Option<OperatorVersion> {
    // The last of these differences: nothing to look for.
    if operator >= OperatorVersion::CONTAINER_RESTART_POLICY {
        return None;
    }
    let parent = at.last_key()?;
    let (.., since) = FIELDS.iter().find(|(of, field, _)| (*of, *field) == (parent, name))?;
    Some(*since).filter(|since| operator < *since)
}

/// The strings that a field allows; empty where any is.
pub(super) fn allowed(operator: OperatorVersion, schema: &Schema) -> Cow<'_, [String]> {
    let all = &schema.allowed;
    if all.is_empty() {
        return Cow::Borrowed(all);
    }
    let is_of_equality = |action: &String| ["keepequal", "dropequal"].contains(&action.to_ascii_lowercase().as_str());
    if operator < OperatorVersion::CHECKED_SCHEME && *all == ["http", "https"] {
        Cow::Owned(Vec::new())
    } else if operator < OperatorVersion::EQUALITY_ACTIONS && all.iter().any(is_of_equality) {
        Cow::Owned(all.iter().filter(|action| !is_of_equality(action)).cloned().collect())
    } else {
        Cow::Borrowed(all)
    }
}

/// The release in which prometheus-operator added a field of ServiceMonitor, PodMonitor or Probe, by the CustomResourceDefinitions of its releases
/// (`example/prometheus-operator-crd`).
pub(super) fn added_in(field: &str) -> Option<&'static str> {
    let row = ADDED
        .iter()
        .find(|(_, fields)| fields.split(' ').any(|name| name == field));
    row.map(|&(version, _)| version)
}

/// By release.
const ADDED: &[(&str, &str)] = &[
    ("v0.68.0", "keepDroppedTargets"),
    ("v0.70.0", "trackTimestampsStaleness"),
    ("v0.72.0", "scrapeClass scrapeProtocols"),
    ("v0.73.0", "bodySizeLimit"),
    (
        "v0.76.0",
        "maxVersion minVersion noProxy proxyConnectHeader proxyFromEnvironment",
    ),
    (
        "v0.78.0",
        "nativeHistogramBucketLimit nativeHistogramMinBucketFactor scrapeClassicHistograms",
    ),
    ("v0.79.0", "portNumber selectorMechanism"),
    ("v0.80.0", "fallbackScrapeProtocol"),
    ("v0.82.0", "convertClassicHistogramsToNHCB"),
    ("v0.85.0", "params"),
    ("v0.86.0", "serviceDiscoveryRole"),
    ("v0.88.0", "scrapeNativeHistograms"),
];
