//! Targets after relabeling, determined from their possible labels ([`crate::flow`]).

use crate::flow::{self, ExpressionCache, FlowRule, LabelSet, Matching, Presence, REPORTED_SAMPLES};
use crate::output::alloy::losses::scrape_losses::SETTINGS;
use crate::output::alloy::write::syntax::Body;
use crate::output::alloy::write::target_rules::relabel_rule;
use crate::plan::{RelabelAction, RelabelRule};

/// Targets of a job after its rules are applied.
#[derive(Debug)]
pub struct RelabeledTargets {
    /// Presence of the `job` label on the targets.
    pub job: Presence,
    /// Index of the rule that determines `job`.
    pub job_rule: usize,
    /// Index of the first rule that removes a scrape setting, and the removed label.
    pub removed_setting: Option<(usize, &'static str)>,
    /// Whether all addresses are known to have a port.
    has_port: bool,
    /// Whether every target has its own `instance` instead of one derived from the address.
    has_instance: bool,
}

impl RelabeledTargets {
    /// Applies `rules` to targets with these labels. `has_port` is true if all addresses of the targets have a port.
    pub fn new<'r>(
        labels: LabelSet<'r>,
        has_port: bool,
        rules: &'r [RelabelRule<'_>],
        expressions: &mut ExpressionCache,
    ) -> Self {
        let mut labels = labels.assume_usual();
        let job = labels.presence("job");
        let mut targets = Self { job, job_rule: 0, removed_setting: None, has_port, has_instance: false };
        for (index, rule) in relevant_rules(rules) {
            let Some(rule) = FlowRule::new(rule, expressions) else { continue };
            if rule.is_filter() {
                targets.has_port |= keeps_ports(&rule);
                continue;
            }
            // If the name of a rule's target label is derived from values, the rule is assumed not to write any of the
            // tracked labels.
            if !rule.matches_names() && rule.fixed_target().is_none() {
                continue;
            }
            let matching = labels.matching(&rule);
            let may_remove = |label: &&str| rule.matches_names() || rule.target == *label;
            let settings = SETTINGS.map(|(label, ..)| label).into_iter().filter(may_remove);
            let present_labels: Vec<_> = settings.filter(|label| labels.presence(label) != Presence::Never).collect();
            labels.apply(&rule, matching);
            let removed_label = present_labels.into_iter().find(|label| labels.presence(label) == Presence::Never);
            targets.removed_setting = targets.removed_setting.or(removed_label.map(|label| (index, label)));
            let job = labels.presence("job");
            if job != targets.job || rule.target == "job" {
                (targets.job, targets.job_rule) = (job, index);
            }
            if rule.action == RelabelAction::Replace && rule.target == ADDRESS {
                targets.has_port = writes_port(&rule, matching, targets.has_port);
            }
        }
        targets.has_instance = labels.presence("instance") == Presence::Always;
        targets
    }

    /// Applies rules given as YAML to targets with unknown labels.
    pub fn from_yaml(rules: &[Body<'_>], expressions: &mut ExpressionCache) -> Self {
        let rules: Vec<_> = rules.iter().map(relabel_rule).collect();
        Self::new(flow::unknown_target_labels(), false, &rules, expressions)
    }

    /// Whether some targets may have a different `instance` in Alloy. The agent, unlike Alloy, adds the default port to
    /// an address without a port (`addPort` in Prometheus' `scrape/target.go`).
    pub fn has_other_instance(&self) -> bool {
        !self.has_port && !self.has_instance
    }
}

/// Returns the rules that can affect the known facts about the targets, with their indices.
fn relevant_rules<'r, 'd>(rules: &'r [RelabelRule<'d>]) -> Vec<(usize, &'r RelabelRule<'d>)> {
    let mut labels = vec!["job", "instance", ADDRESS];
    labels.extend(SETTINGS.map(|(label, ..)| label));
    let mut relevant_rules_found = Vec::new();
    for (index, rule) in rules.iter().enumerate().rev() {
        let is_relevant = match rule.parse_action() {
            Some(action) if action.matches_names() => true,
            Some(RelabelAction::Keep) => rule.source_labels.iter().any(is_of_port),
            Some(action) if action.is_filter() => false,
            _ => rule.target_label.as_deref().is_some_and(|target| labels.contains(&target)),
        };
        if is_relevant {
            labels.extend(rule.source_labels.iter());
            relevant_rules_found.push((index, rule));
        }
    }
    relevant_rules_found.reverse();
    relevant_rules_found
}

const ADDRESS: &str = "__address__";

fn is_of_port(label: &str) -> bool {
    label.contains("_port_")
}

/// Whether a rule keeps only targets with a container port or an endpoint port.
fn keeps_ports(rule: &FlowRule<'_>) -> bool {
    let has_port = rule.sources.iter().any(|label| is_of_port(label));
    rule.action == RelabelAction::Keep && has_port && !rule.has_variable && !rule.expression.matcher.is_match("")
}

/// Whether all addresses are known to have a port after a rule that writes addresses.
fn writes_port(rule: &FlowRule<'_>, matching: Matching, has_port: bool) -> bool {
    let is_address = rule.sources == [ADDRESS];
    let matches = |value: &str| rule.expression.matcher.is_match(value);
    let is_any =
        matching == Matching::Always || is_address && ["a", "10.0.0.1", "10.0.0.1:80"].into_iter().all(matches);
    match has_port_at_end(&rule.replacement) {
        true => has_port || is_any,
        // Unless the rule copies the entire address, it may remove the port.
        false => has_port && is_address && rule.copies_whole(),
    }
}

/// Whether an address or address template ends with a port: `a:80`, `$1:$2`.
pub fn has_port_at_end(address: &str) -> bool {
    let is_port = |port: &str| port.starts_with('$') || !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit());
    match address.rsplit_once(':') {
        // Without brackets, the part after the last colon of an IPv6 address belongs to the address.
        Some((host, port)) => is_port(port) && (!host.contains(':') || host.ends_with(']') || host.contains('$')),
        None => false,
    }
}

/// Regular expression for the names of the series that a scrape reports about itself.
pub const REPORT_NAMES: &str = "up|scrape_(body_size_bytes|duration_seconds|sample_limit|\
                                       samples_post_metric_relabeling|samples_scraped|series_added|timeout_seconds)";

/// Whether a metric relabeling rule may drop or change the series that a scrape reports about itself. Returns false
/// only if the rule keeps or drops series by name and does not affect these series.
pub fn affects_report_series(rule: &RelabelRule<'_>, expressions: &mut ExpressionCache) -> bool {
    let Some(rule) = FlowRule::new(rule, expressions).filter(|rule| rule.sources == ["__name__"]) else { return true };
    let mut matches = REPORTED_SAMPLES.iter().map(|name| rule.expression.matcher.is_match(name));
    match rule.action {
        RelabelAction::Keep => matches.any(|is_match| !is_match),
        RelabelAction::Drop => matches.any(|is_match| is_match),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::alloy::write::syntax::Expression;

    /// Returns a rule with these settings. `source` lists the source labels.
    fn body(settings: &[(&'static str, &'static str)]) -> Body<'static> {
        settings.iter().fold(Body::new(), |body, (name, value)| match *name {
            "source" => body.with("source_labels", Expression::texts(value.split_whitespace())),
            name => body.with(name, *value),
        })
    }

    fn relabeled(rules: &[Body<'_>], has_port: bool) -> RelabeledTargets {
        let rules: Vec<_> = rules.iter().map(relabel_rule).collect();
        RelabeledTargets::new(flow::unknown_target_labels(), has_port, &rules, &mut ExpressionCache::default())
    }

    #[test]
    fn expression_matches_only_names_of_report_metrics() {
        let regex = regex::Regex::new(&format!("^(?:{REPORT_NAMES})$")).unwrap();
        assert!(REPORTED_SAMPLES.iter().all(|name| regex.is_match(name)));
        assert!(["up_", "my_up", "scrape_", "go_goroutines"].iter().all(|name| !regex.is_match(name)));
    }

    #[test]
    fn detects_rules_that_affect_report_metrics() {
        let name = ("source", "__name__");
        for (settings, is_affected) in [
            ([name, ("action", "keep"), ("regex", "my_.*")].as_slice(), true),
            (&[name, ("action", "keep"), ("regex", "my_.*|up|scrape_.*")], false),
            (&[name, ("action", "Keep")], false),
            (&[name, ("action", "keep"), ("regex", "(")], true),
            (&[name, ("action", "drop"), ("regex", "my_.*")], false),
            (&[name, ("action", "drop"), ("regex", "u.")], true),
            (&[name, ("action", "drop")], true),
            (&[("source", "__name__ le"), ("action", "drop"), ("regex", "my_.*")], true),
            (&[("source", "le"), ("action", "drop"), ("regex", "my_.*")], true),
            (&[("action", "labeldrop"), ("regex", "le")], true),
            (&[("target_label", "a"), ("replacement", "b")], true),
        ] {
            let actual = affects_report_series(&relabel_rule(&body(settings)), &mut ExpressionCache::default());
            assert_eq!(actual, is_affected, "{settings:?}");
        }
    }

    #[test]
    fn determines_if_rules_keep_the_job_label() {
        let (drop_job, to_job) = (&[("action", "labeldrop"), ("regex", "jo.")], ("target_label", "job"));
        let name = ("source", "__meta_kubernetes_service_name");
        let label = ("source", "__meta_kubernetes_pod_label_app");
        for (rules, job) in [
            ([].as_slice(), Presence::Always),
            (&[drop_job.as_slice()], Presence::Never),
            (&[&[("action", "LabelKeep"), ("regex", "__.*")]], Presence::Never),
            (&[&[("action", "labelkeep"), ("regex", "__.*|job")]], Presence::Always),
            (&[&[to_job, ("replacement", "")]], Presence::Never),
            (&[&[to_job]], Presence::Never),
            (&[&[to_job, name]], Presence::Always),
            (&[drop_job, &[to_job, name]], Presence::Always),
            (&[drop_job, &[("action", "labelmap"), ("regex", "__param_(.+)")]], Presence::Sometimes),
            (&[drop_job, &[("action", "labelmap"), ("replacement", "a")]], Presence::Never),
            (&[&[("action", "labelmap"), ("regex", "__param_(.+)")]], Presence::Always),
            (&[drop_job, &[to_job, ("replacement", "a")]], Presence::Always),
            (&[drop_job, &[to_job, ("source", "job"), ("action", "lowercase")]], Presence::Never),
            // The separator between the two labels remains even if a label is empty.
            (&[drop_job, &[to_job, ("source", "job x")]], Presence::Always),
            (&[&[to_job, ("source", "job x")]], Presence::Always),
            (&[drop_job, &[to_job, label, ("regex", "(.+)")]], Presence::Sometimes),
            (&[&[to_job, label, ("regex", "(.+)")]], Presence::Always),
            (&[&[to_job, label]], Presence::Sometimes),
            (&[&[to_job, label, ("regex", "a(.*)")]], Presence::Sometimes),
            (&[&[to_job, label], &[to_job, ("replacement", "a")]], Presence::Always),
            (&[&[to_job, label, ("regex", "a"), ("replacement", "")]], Presence::Sometimes),
            (&[drop_job, &[to_job, label, ("regex", "a"), ("replacement", "")]], Presence::Never),
            (&[&[to_job, label, ("regex", "a"), ("replacement", "b")]], Presence::Always),
            (&[drop_job, &[to_job, label, ("regex", "a"), ("replacement", "b")]], Presence::Sometimes),
            (&[&[to_job, label, ("action", "lowercase")]], Presence::Sometimes),
            (&[&[to_job, ("source", "__scheme__"), ("action", "uppercase")]], Presence::Always),
            (&[&[to_job, label, ("action", "hashmod")]], Presence::Always),
            (&[&[to_job, label, ("action", "keepequal")]], Presence::Always),
        ] {
            let bodies: Vec<_> = rules.iter().map(|settings| body(settings)).collect();
            assert_eq!(relabeled(&bodies, false).job, job, "{rules:?}");
        }
    }

    #[test]
    fn reports_the_last_rule_that_writes_the_job() {
        let copying_settings = [("target_label", "job"), ("source", "__meta_kubernetes_pod_label_app")];
        let actual = relabeled(&[body(&copying_settings), body(&copying_settings)], false);
        assert_eq!((actual.job, actual.job_rule), (Presence::Sometimes, 1));
    }

    #[test]
    fn recognizes_addresses_with_a_port() {
        for address in ["a:80", "[::1]:80", "$1:$2", "${1}:9100"] {
            assert!(has_port_at_end(address), "{address}");
        }
        for address in ["a", "", "a:", "::1", "[::1]", "https://a", "$1"] {
            assert!(!has_port_at_end(address), "{address}");
        }
    }

    #[test]
    fn detects_rules_that_set_the_port_or_instance() {
        let rule = |source: &[&'static str], settings: &[(&'static str, &'static str)]| {
            let body = Body::new().with("source_labels", Expression::texts(source.iter().copied()));
            settings.iter().fold(body, |body, (name, value)| body.with(name, *value))
        };
        let (address, instance) = (("target_label", "__address__"), ("target_label", "instance"));
        let parameter = ("target_label", "__param_target");
        let address_rule = |source, regex| rule(&[source], &[("regex", regex), address, ("replacement", "$1:9100")]);
        let (port, pod) = ("__meta_kubernetes_pod_container_port_name", "__meta_kubernetes_pod_name");
        for (rules, is_changed) in [
            (vec![], true),
            (vec![rule(&[], &[address, ("replacement", "a:80")])], false),
            (vec![rule(&["b"], &[address])], true),
            (vec![address_rule("__address__", "(.+)")], false),
            (vec![address_rule("b", "(.+)")], true),
            (vec![address_rule("__address__", "([0-9.]+)(?::.*)?")], true),
            (vec![address_rule("__address__", "([a-z0-9.]+)")], true),
            (vec![address_rule("__address__", "(")], true),
            (vec![address_rule("__address__", "(.*)"), rule(&["b"], &[address])], true),
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
            (vec![rule(&["__param_target"], &[instance])], true),
            (vec![rule(&["__address__"], &[parameter]), rule(&["__param_target"], &[instance])], false),
            (vec![rule(&["b"], &[parameter]), rule(&["__param_target"], &[instance])], true),
            (
                vec![
                    rule(&["__address__"], &[parameter]),
                    rule(&[], &[("regex", "b"), ("action", "labeldrop")]),
                    rule(&["__param_target"], &[instance]),
                ],
                false,
            ),
            (
                vec![
                    rule(&["__address__"], &[parameter]),
                    rule(&[], &[("regex", "__param_.*"), ("action", "labeldrop")]),
                    rule(&["__param_target"], &[instance]),
                ],
                true,
            ),
            (vec![rule(&[pod], &[instance]), rule(&["b"], &[instance])], true),
            (vec![rule(&[pod], &[instance]), rule(&["b"], &[instance, ("regex", "(.+)")])], false),
            (vec![rule(&[pod], &[instance]), rule(&[], &[("regex", "inst.*"), ("action", "labeldrop")])], true),
            (vec![rule(&["b", "c"], &[("regex", "(.+);(.+)"), address, ("replacement", "$1:$2")])], true),
            (vec![rule(&["__address__"], &[("regex", "([^:]+)(?::.*)?"), address, ("replacement", "$1:9100")])], false),
        ] {
            assert_eq!(relabeled(&rules, false).has_other_instance(), is_changed, "{rules:?}");
        }
        for (host, is_changed) in [
            (rule(&[], &[address, ("replacement", "a")]), true),
            (rule(&["__meta_kubernetes_pod_name"], &[address]), true),
            (rule(&["__address__"], &[address, ("regex", "([^:]+)(?::.*)?")]), true),
            (rule(&["__address__"], &[address]), false),
        ] {
            assert_eq!(relabeled(std::slice::from_ref(&host), true).has_other_instance(), is_changed, "{host:?}");
        }
    }

    #[test]
    fn reports_rules_that_remove_scrape_settings() {
        let (drop, keep, interval) =
            (("action", "labeldrop"), ("action", "labelkeep"), ("target_label", "__scrape_interval__"));
        for (settings, label) in [
            ([drop, ("regex", "__scrape_.*")].as_slice(), Some("__scrape_interval__")),
            (&[drop, ("regex", "__scrape_timeout__")], Some("__scrape_timeout__")),
            (&[drop, ("regex", "__metrics_path__")], Some("__metrics_path__")),
            (&[keep, ("regex", "job|__address__|__scrape_.*|__metrics_path__")], Some("__scheme__")),
            (&[keep, ("regex", "__.*|job")], None),
            (&[drop, ("regex", "__meta.*")], None),
            (&[interval], Some("__scrape_interval__")),
            (&[interval, ("replacement", "")], Some("__scrape_interval__")),
            (&[interval, ("replacement", "30s")], None),
            (&[interval, ("source", "a")], None),
        ] {
            let actual = relabeled(&[body(settings)], false).removed_setting;
            assert_eq!(actual, label.map(|label| (0, label)), "{settings:?}");
        }
    }
}
