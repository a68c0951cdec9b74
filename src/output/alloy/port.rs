//! Default port that the agent, unlike Alloy, adds to targets without a port (`addPort` in Prometheus'
//! `scrape/target.go`). Both scrape the same address, but `instance` differs.

use super::effects::{RuleSettings, RuleValue};

/// State of a target's address and `instance` label after relabeling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct AddressState {
    /// Whether all addresses are known to have a port.
    pub(super) has_port: bool,
    /// Whether `instance` is set explicitly, so that it is not derived from the address.
    pub(super) has_instance: bool,
    /// Whether every target has the `target` parameter, from which probes derive `instance`.
    pub(super) has_parameter: bool,
}

impl AddressState {
    /// Returns the state after `rules`.
    pub(super) fn after<'r, R: RuleSettings + 'r>(self, rules: impl Iterator<Item = &'r R>) -> Self {
        rules.fold(self, |address, rule| address.and(rule))
    }

    /// Whether `instance` may be different in Alloy for some targets.
    pub(super) fn is_changed(self) -> bool {
        !self.has_port && !self.has_instance
    }

    fn and(mut self, rule: &impl RuleSettings) -> Self {
        let of_parameter = |label: &str| (label == PARAMETER && self.has_parameter).then_some(true);
        let still = |has: bool| match RuleValue::written(rule, &of_parameter) {
            None => has,
            Some((value, always)) => value == RuleValue::Filled && (always || has),
        };
        match rule.target_label() {
            // Only targets with a container port or an endpoint port remain.
            _ if !self.has_port && keeps_ports(rule) => self.has_port = true,
            Some("__address__") if rule.is("replace") => {
                let writes_port = rule.setting("replacement").is_some_and(has_port_at_end);
                let is_any = rule.matches_anything() || takes_addresses(rule);
                // The expression may remove the port.
                let copies = rule.is_identity() && rule.source_labels().eq(["__address__"]);
                self.has_port = writes_port && (self.has_port || is_any) || self.has_port && copies;
            }
            Some("instance") => self.has_instance = still(self.has_instance),
            Some(PARAMETER) => self.has_parameter = still(self.has_parameter),
            _ => {
                self.has_instance &= !rule.removes("instance");
                self.has_parameter &= !rule.removes(PARAMETER);
            }
        }
        self
    }
}

/// Label that contains the target of a prober.
const PARAMETER: &str = "__param_target";

/// Whether the expression of a rule matches addresses both with and without a port.
fn takes_addresses(rule: &impl RuleSettings) -> bool {
    let matches = |regex: regex::Regex| ["a", "10.0.0.1", "10.0.0.1:80"].iter().all(|address| regex.is_match(address));
    rule.source_labels().eq(["__address__"]) && rule.regex().is_some_and(matches)
}

/// Whether a rule keeps only targets with certain ports.
fn keeps_ports(rule: &impl RuleSettings) -> bool {
    let is_word = |regex: &str| !regex.is_empty() && regex.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let is_some = || match rule.setting("regex") {
        Some(regex) if is_word(regex) => true,
        _ => rule.regex().is_some_and(|regex| !regex.is_match("")),
    };
    rule.is("keep") && rule.source_labels().any(|label| label.contains("_port_")) && is_some()
}

/// Whether an address or address template ends with a port: `a:80`, `$1:$2`.
pub(super) fn has_port_at_end(address: &str) -> bool {
    let is_port = |port: &str| port.starts_with('$') || !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit());
    match address.rsplit_once(':') {
        // Without brackets, the part after the last colon of an IPv6 address belongs to the address.
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
            settings.iter().fold(body, |body, (name, value)| body.with(name, *value))
        };
        let (address, instance) = (("target_label", "__address__"), ("target_label", "instance"));
        let parameter = ("target_label", PARAMETER);
        let written = |source, regex| rule(&[source], &[("regex", regex), address, ("replacement", "$1:9100")]);
        let (port, pod) = ("__meta_kubernetes_pod_container_port_name", "__meta_kubernetes_pod_name");
        for (rules, is_changed) in [
            (vec![], true),
            (vec![rule(&[], &[address, ("replacement", "a:80")])], false),
            (vec![rule(&["b"], &[address])], true),
            (vec![written("__address__", "(.+)")], false),
            (vec![written("b", "(.+)")], true),
            (vec![written("__address__", "([0-9.]+)(?::.*)?")], true),
            (vec![written("__address__", "([a-z0-9.]+)")], true),
            (vec![written("__address__", "(")], true),
            (vec![written("__address__", "(.*)"), rule(&["b"], &[address])], true),
            (vec![rule(&[port], &[("action", "keep"), ("regex", "http")])], false),
            (vec![rule(&[port], &[("action", "keep"), ("regex", "a|b.*")])], false),
            (vec![rule(&[port], &[("action", "keep"), ("regex", "(http)?")])], true),
            (vec![rule(&[port], &[("action", "keep")])], true),
            (vec![rule(&[port], &[("action", "keep"), ("regex", "")])], true),
            (vec![rule(&[pod], &[instance])], false),
            (vec![rule(&[pod], &[instance, ("regex", "(.+)")])], false),
            (vec![rule(&[pod], &[instance, ("regex", "a(.*)")])], true),
            (vec![rule(&[pod], &[instance, ("action", "lowercase")])], false),
            (vec![rule(&["b"], &[instance])], true),
            (vec![rule(&[PARAMETER], &[instance])], true),
            (vec![rule(&["__address__"], &[parameter]), rule(&[PARAMETER], &[instance])], false),
            (vec![rule(&["b"], &[parameter]), rule(&[PARAMETER], &[instance])], true),
            (
                vec![
                    rule(&["__address__"], &[parameter]),
                    rule(&[], &[("regex", "b"), ("action", "labeldrop")]),
                    rule(&[PARAMETER], &[instance]),
                ],
                false,
            ),
            (
                vec![
                    rule(&["__address__"], &[parameter]),
                    rule(&[], &[("regex", "__param_.*"), ("action", "labeldrop")]),
                    rule(&[PARAMETER], &[instance]),
                ],
                true,
            ),
            (vec![rule(&[pod], &[instance]), rule(&["b"], &[instance])], true),
            (vec![rule(&[pod], &[instance]), rule(&["b"], &[instance, ("regex", "(.+)")])], false),
            (vec![rule(&[pod], &[instance]), rule(&[], &[("regex", "inst.*"), ("action", "labeldrop")])], true),
            (vec![rule(&["b", "c"], &[("regex", "(.+);(.+)"), address, ("replacement", "$1:$2")])], true),
            (vec![rule(&["__address__"], &[("regex", "([^:]+)(?::.*)?"), address, ("replacement", "$1:9100")])], false),
        ] {
            let without = AddressState::default();
            assert_eq!(without.after(rules.iter()).is_changed(), is_changed, "{rules:?}");
        }
        let with = AddressState { has_port: true, ..AddressState::default() };
        for (host, is_changed) in [
            (rule(&[], &[address, ("replacement", "a")]), true),
            (rule(&["__meta_kubernetes_pod_name"], &[address]), true),
            (rule(&["__address__"], &[address, ("regex", "([^:]+)(?::.*)?")]), true),
            (rule(&["__address__"], &[address]), false),
        ] {
            assert_eq!(with.after([&host].into_iter()).is_changed(), is_changed, "{host:?}");
        }
    }
}
