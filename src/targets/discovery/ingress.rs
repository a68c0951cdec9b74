//! The `ingress` role: one target for each host and path (`buildIngress`).

use std::collections::HashSet;

use super::labels::{ADDRESS, NAMESPACE, add_meta};
use crate::plan::DiscoveryRole;
use crate::targets::observed::{ClusterObject, ObjectFields};
use crate::targets::relabel::Labels;

pub(super) fn count(ingress: &ClusterObject<'_>) -> usize {
    let rules = ingress.body.part("spec").items("rules");
    rules.map(|rule| rule.part("http").items("paths").count().max(1)).sum()
}

pub(super) fn targets<'d>(ingress: &ClusterObject<'d>) -> Vec<Labels<'d>> {
    let spec = ingress.body.part("spec");
    let mut shared_labels = Labels::with_capacity(32);
    shared_labels.set(NAMESPACE, ingress.namespace);
    shared_labels.set("__meta_kubernetes_ingress_class_name", spec.text("ingressClassName"));
    add_meta(&mut shared_labels, DiscoveryRole::Ingress, ingress);
    let hosts = spec.items("tls").flat_map(|tls| tls.items("hosts"));
    let patterns: HashSet<_> = hosts.filter_map(ObjectFields::as_text).collect();
    let mut targets = Vec::new();
    for rule in spec.items("rules") {
        let (host, http) = (rule.text("host"), rule.part("http"));
        let scheme = if covers_host(&patterns, host) { "https" } else { "http" };
        let paths: Vec<_> = match http.is_mapping() {
            true => http.items("paths").map(|path| path.text("path")).collect(),
            false => vec!["/"],
        };
        for path in paths {
            let mut labels = shared_labels.clone();
            labels.set(ADDRESS, host);
            labels.set("__meta_kubernetes_ingress_scheme", scheme);
            labels.set("__meta_kubernetes_ingress_host", host);
            labels.set("__meta_kubernetes_ingress_path", if path.is_empty() { "/" } else { path });
            targets.push(labels);
        }
    }
    targets
}

/// Whether `patterns` match `host`. A `*` matches the first label of the host (`matchesHostnamePattern`).
fn covers_host(patterns: &HashSet<&str>, host: &str) -> bool {
    let pattern = match host.split_once('.') {
        Some((_, domain)) => format!("*.{domain}"),
        None => "*".to_owned(),
    };
    patterns.contains(host) || patterns.contains(pattern.as_str())
}
