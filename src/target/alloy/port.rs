//! The port that the agent adds to targets without one (`addPort` in Prometheus' `scrape/target.go`), and Alloy does not: both
//! ask the same address, and `instance` is another.

use super::effects::Rule;

/// Whether targets have a port, and `instance` from their rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Address {
    /// Whether each address has a port, as far as that can be told.
    pub(super) has_port: bool,
    /// Whether `instance` is set, and so not made from the address.
    pub(super) has_instance: bool,
}

impl Address {
    /// What rules make of it.
    pub(super) fn behind<'r, R: Rule + 'r>(self, rules: impl Iterator<Item = &'r R>) -> Self {
        rules.fold(self, |address, rule| address.and(rule))
    }

    /// Whether some targets may have another `instance` with Alloy.
    pub(super) fn is_changed(self) -> bool {
        !self.has_port && !self.has_instance
    }

    fn and(self, rule: &impl Rule) -> Self {
        let (has_port, has_instance) = (self.has_port, self.has_instance);
        let is_set = rule.is("replace") && (rule.source_labels().next().is_some() || rule.replaces_by_text());
        match rule.target_label() {
            _ if rule.removes("instance") => Self {
                has_port,
                has_instance: false,
            },
            // Only what has a container port or a port of an endpoint is left.
            _ if rule.is("keep") && rule.source_labels().any(|label| label.contains("_port_")) => Self {
                has_port: true,
                has_instance,
            },
            Some("__address__") if rule.is("replace") => {
                let writes_port = rule.setting("replacement").is_some_and(has_port_at_end);
                // An expression may leave the port out.
                let copies = rule.is_identity() && rule.source_labels().eq(["__address__"]);
                let has_port = writes_port || has_port && copies;
                Self { has_port, has_instance }
            }
            Some("instance") if is_set => Self {
                has_port,
                has_instance: true,
            },
            _ => self,
        }
    }
}

/// Whether an address, or a template for it, ends with a port: `a:80`, `$1:$2`.
pub(super) fn has_port_at_end(address: &str) -> bool {
    let is_port = |port: &str| port.starts_with('$') || !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit());
    match address.rsplit_once(':') {
        // Without brackets, what follows the last colon of an IPv6 address is a part of it.
        Some((host, port)) => is_port(port) && (!host.contains(':') || host.ends_with(']') || host.contains('$')),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::syntax::{Body, Expression};
    use super::*;

    #[test]
    fn addresses_with_a_port() {
        for address in ["a:80", "[::1]:80", "$1:$2", "${1}:9100"] {
            assert!(has_port_at_end(address), "{address}");
        }
        for address in ["a", "", "a:", "::1", "[::1]", "https://a", "$1"] {
            assert!(!has_port_at_end(address), "{address}");
        }
    }

    #[test]
    fn rules_write_the_port_or_the_instance() {
        let rule = |source: &[&'static str], settings: &[(&'static str, &'static str)]| {
            let body = Body::new().with("source_labels", Expression::texts(source.iter().copied()));
            settings
                .iter()
                .fold(body, |body, (name, value)| body.with(name, *value))
        };
        let (address, instance) = (("target_label", "__address__"), ("target_label", "instance"));
        for (rules, is_changed) in [
            (vec![], true),
            (vec![rule(&[], &[address, ("replacement", "a:80")])], false),
            (vec![rule(&["b"], &[address])], true),
            (
                vec![rule(
                    &["__meta_kubernetes_pod_container_port_name"],
                    &[("action", "keep")],
                )],
                false,
            ),
            (vec![rule(&["b"], &[instance])], false),
            (
                vec![
                    rule(&["b"], &[instance]),
                    rule(&[], &[("regex", "inst.*"), ("action", "labeldrop")]),
                ],
                true,
            ),
            (
                vec![rule(
                    &["b", "c"],
                    &[("regex", "(.+);(.+)"), address, ("replacement", "$1:$2")],
                )],
                false,
            ),
        ] {
            let without = Address {
                has_port: false,
                has_instance: false,
            };
            assert_eq!(without.behind(rules.iter()).is_changed(), is_changed, "{rules:?}");
        }
        let with = Address {
            has_port: true,
            has_instance: false,
        };
        for (host, is_changed) in [
            (rule(&[], &[address, ("replacement", "a")]), true),
            (rule(&["__meta_kubernetes_pod_name"], &[address]), true),
            (rule(&["__address__"], &[address, ("regex", "([^:]+)(?::.*)?")]), true),
            (rule(&["__address__"], &[address]), false),
        ] {
            assert_eq!(with.behind([&host].into_iter()).is_changed(), is_changed, "{host:?}");
        }
    }
}
