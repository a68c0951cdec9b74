//! Fields that are not supported by all versions: those that are missing from the CustomResourceDefinitions of earlier
//! operators, and those that prometheus-operator added after v0.66.0. The Grafana Agent Operator v0.44.8 uses the types
//! from v0.66.0.

use std::borrow::Cow;

use super::frame::Frame;
use crate::api::OperatorVersion;
use crate::api::schema::Schema;

/// Fields that were added to GrafanaAgents in later releases. Each row contains the enclosing object or list, the field
/// name, and the release.
const FIELDS: [(&str, &str, OperatorVersion); 6] = [
    ("spec", "configReloaderImage", OperatorVersion::WITH_RELOADER_FIELDS),
    ("spec", "configReloaderVersion", OperatorVersion::WITH_RELOADER_FIELDS),
    ("containers", "resizePolicy", OperatorVersion::WITH_RESIZE_POLICY),
    ("initContainers", "resizePolicy", OperatorVersion::WITH_RESIZE_POLICY),
    ("containers", "restartPolicy", OperatorVersion::WITH_CONTAINER_RESTART_POLICY),
    ("initContainers", "restartPolicy", OperatorVersion::WITH_CONTAINER_RESTART_POLICY),
];

/// Returns the release that added the field `name` to the object at `frame`, if `operator` is older than that release.
pub(super) fn required_release(operator: OperatorVersion, frame: &Frame<'_>, name: &str) -> Option<OperatorVersion> {
    // The release that added a container's `restartPolicy` and all later releases support every field in the table.
    if operator >= OperatorVersion::WITH_CONTAINER_RESTART_POLICY {
        return None;
    }
    let parent = frame.last_key()?;
    let (.., since) = FIELDS.iter().find(|(candidate, field, _)| (*candidate, *field) == (parent, name))?;
    Some(*since).filter(|since| operator < *since)
}

/// Returns the strings that a field allows, or an empty list if any string is allowed.
pub(super) fn allowed_values(operator: OperatorVersion, schema: &Schema) -> Cow<'_, [String]> {
    let all = &schema.allowed;
    if all.is_empty() {
        return Cow::Borrowed(all);
    }
    let is_equality_action =
        |action: &String| ["keepequal", "dropequal"].contains(&action.to_ascii_lowercase().as_str());
    if operator < OperatorVersion::WITH_CHECKED_SCHEME && *all == ["http", "https"] {
        Cow::Owned(Vec::new())
    } else if operator < OperatorVersion::WITH_EQUALITY_ACTIONS && all.iter().any(is_equality_action) {
        Cow::Owned(all.iter().filter(|action| !is_equality_action(action)).cloned().collect())
    } else {
        Cow::Borrowed(all)
    }
}

/// Returns the release in which prometheus-operator added a field to ServiceMonitor, PodMonitor or Probe, according to
/// the CustomResourceDefinitions in its releases (`example/prometheus-operator-crd`).
pub(super) fn release_with_field(field: &str) -> Option<&'static str> {
    let row = ADDED_FIELDS.iter().find(|(_, fields)| fields.split(' ').any(|name| name == field));
    row.map(|&(version, _)| version)
}

/// Fields that prometheus-operator added, by release.
const ADDED_FIELDS: &[(&str, &str)] = &[
    ("v0.68.0", "keepDroppedTargets"),
    ("v0.70.0", "trackTimestampsStaleness"),
    ("v0.72.0", "scrapeClass scrapeProtocols"),
    ("v0.73.0", "bodySizeLimit"),
    ("v0.76.0", "maxVersion minVersion noProxy proxyConnectHeader proxyFromEnvironment"),
    ("v0.78.0", "nativeHistogramBucketLimit nativeHistogramMinBucketFactor scrapeClassicHistograms"),
    ("v0.79.0", "portNumber selectorMechanism"),
    ("v0.80.0", "fallbackScrapeProtocol"),
    ("v0.82.0", "convertClassicHistogramsToNHCB"),
    ("v0.85.0", "params"),
    ("v0.86.0", "serviceDiscoveryRole"),
    ("v0.88.0", "scrapeNativeHistograms"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Kind;
    use crate::api::schema::schema;
    use crate::testing;

    fn version(text: &str) -> OperatorVersion {
        text.parse().unwrap()
    }

    #[test]
    fn knows_which_releases_support_a_field() {
        let text = "spec: {}\ncontainers: {}\ninitContainers: {}\n";
        let documents = testing::documents(text);
        let root = documents[0].root();
        for (of, field, since) in [
            ("spec", "configReloaderImage", Some("v0.35.0")),
            ("spec", "configReloaderVersion", Some("v0.35.0")),
            ("containers", "resizePolicy", Some("v0.35.0")),
            ("initContainers", "restartPolicy", Some("v0.37.0")),
            ("containers", "configReloaderImage", None),
            ("spec", "image", None),
        ] {
            let resource = Frame::resource(Kind::GrafanaAgent, root);
            let field_frame = resource.field(root.entry(of).unwrap());
            let since = since.map(version);
            for operator in ["v0.34.0", "v0.34.3", "v0.35.0", "v0.36.2", "v0.37.0", "v0.44.8"].map(version) {
                let expected = since.filter(|since| operator < *since);
                assert_eq!(required_release(operator, &field_frame, field), expected, "{of} {field} {operator}");
            }
            assert_eq!(required_release(version("v0.34.0"), &resource, field), None);
        }
    }

    #[test]
    fn allowed_strings_depend_on_the_release() {
        let endpoint = schema(Kind::ServiceMonitor).field("spec").and_then(|spec| spec.field("endpoints"));
        let endpoint = endpoint.and_then(|endpoints| endpoints.items.as_deref()).unwrap();
        let rule = endpoint.field("relabelings").and_then(|rules| rules.items.as_deref()).unwrap();
        let [scheme, action, port] = [endpoint.field("scheme"), rule.field("action"), endpoint.field("port")];
        for (operator, schemes, equality) in [("v0.35.4", 0, 0), ("v0.36.0", 2, 4), ("v0.44.8", 2, 4)] {
            let operator = version(operator);
            let allowed_for = |schema: Option<&Schema>| allowed_values(operator, schema.unwrap()).to_vec();
            assert_eq!((allowed_for(scheme).len(), allowed_for(port).len()), (schemes, 0), "{operator}");
            let actions = allowed_for(action);
            let is_of_equality = |action: &&String| action.to_lowercase().ends_with("equal");
            assert_eq!(actions.iter().filter(is_of_equality).count(), equality, "{operator}");
            assert!(actions.contains(&"hashmod".to_owned()), "{operator}");
        }
    }
}
