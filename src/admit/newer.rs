//! Fields of ServiceMonitor, PodMonitor and Probe that prometheus-operator added after v0.66.0, whose types the Grafana Agent
//! Operator v0.44.8 reads.

/// The release in which prometheus-operator added a field, by the CustomResourceDefinitions of its releases
/// (`example/prometheus-operator-crd`).
pub(super) fn added_in(field: &str) -> Option<&'static str> {
    let row = ADDED.iter().find(|(name, _)| *name == field);
    row.map(|&(_, version)| version)
}

const ADDED: &[(&str, &str)] = &[
    ("bodySizeLimit", "v0.73.0"),
    ("convertClassicHistogramsToNHCB", "v0.82.0"),
    ("fallbackScrapeProtocol", "v0.80.0"),
    ("keepDroppedTargets", "v0.68.0"),
    ("maxVersion", "v0.76.0"),
    ("minVersion", "v0.76.0"),
    ("nativeHistogramBucketLimit", "v0.78.0"),
    ("nativeHistogramMinBucketFactor", "v0.78.0"),
    ("noProxy", "v0.76.0"),
    ("params", "v0.85.0"),
    ("portNumber", "v0.79.0"),
    ("proxyConnectHeader", "v0.76.0"),
    ("proxyFromEnvironment", "v0.76.0"),
    ("scrapeClass", "v0.72.0"),
    ("scrapeClassicHistograms", "v0.78.0"),
    ("scrapeNativeHistograms", "v0.88.0"),
    ("scrapeProtocols", "v0.72.0"),
    ("selectorMechanism", "v0.79.0"),
    ("serviceDiscoveryRole", "v0.86.0"),
    ("trackTimestampsStaleness", "v0.70.0"),
];
