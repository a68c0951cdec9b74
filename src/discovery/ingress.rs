//! Role `ingress`: one target for each host and path (`buildIngress`).

use std::collections::HashSet;

use super::labels::{ADDRESS, NAMESPACE, add_meta};
use super::view::{Discovered, View};
use crate::observed::Ingress;
use crate::plan::Role;
use crate::relabel::Labels;

impl<'d> Discovered<'d> for Ingress<'d> {
    fn count(&self) -> usize {
        self.rules.len()
    }

    fn targets(&self, _: View<'_, 'd>) -> Vec<Labels<'d>> {
        let mut shared = Labels::with_capacity(32);
        shared.set(NAMESPACE, self.meta.namespace);
        shared.set("__meta_kubernetes_ingress_class_name", self.class);
        add_meta(&mut shared, Role::Ingress, &self.meta);
        let patterns: HashSet<_> = self.tls_hosts.iter().copied().collect();
        let mut targets = Vec::new();
        for rule in &self.rules {
            let is_encrypted = covers(&patterns, rule.host);
            let paths = rule.paths.as_deref().unwrap_or(&["/"]);
            for path in paths {
                let mut labels = shared.clone();
                labels.set(ADDRESS, rule.host);
                labels.set(
                    "__meta_kubernetes_ingress_scheme",
                    if is_encrypted { "https" } else { "http" },
                );
                labels.set("__meta_kubernetes_ingress_host", rule.host);
                labels.set(
                    "__meta_kubernetes_ingress_path",
                    if path.is_empty() { "/" } else { path },
                );
                targets.push(labels);
            }
        }
        targets
    }
}

/// Whether patterns have a host, where `*` stands for the first level (`matchesHostnamePattern`).
fn covers(patterns: &HashSet<&str>, host: &str) -> bool {
    let pattern = match host.split_once('.') {
        Some((_, domain)) => format!("*.{domain}"),
        None => "*".to_owned(),
    };
    patterns.contains(host) || patterns.contains(pattern.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wildcard_is_one_level() {
        for (pattern, host, expected) in [
            ("a.example.com", "a.example.com", true),
            ("*.example.com", "a.example.com", true),
            ("*.example.com", "a.b.example.com", false),
            ("*.example.com", "example.com", false),
            ("a.*.com", "a.b.com", false),
            ("*", "a", true),
            ("", "", true),
        ] {
            assert_eq!(covers(&HashSet::from([pattern]), host), expected, "{pattern} {host}");
        }
    }
}
