//! Target relabeling rules as required by Alloy: without rules that have no effect in Alloy, and with guards that
//! replace a check in the agent.

use std::borrow::Cow;

use super::syntax::{Body, Expression};
use crate::budget::Budget;
use crate::flow::{ExpressionCache, FlowRule, literal_prefix, newer_labels};
use crate::go::regexp::Matcher;
use crate::plan::{DiscoveryRole, LabelNames, RelabelAction, RelabelRule, SHARD};

/// Label to which the first rule of every operator job copies `job`.
pub const COPY_OF_JOB: &str = "__tmp_prometheus_job_name";

/// Expression that matches label names that the agent rejects.
const INVALID_NAMES: &str = "[^a-zA-Z_].*|.+[^a-zA-Z0-9_].*";

/// Maximum size of an expression that may copy `job`.
const MAX_SIZE: u64 = 10_000;

/// A target rule of a component, with the index of the corresponding job rule.
pub enum TargetRule<'j, 'd> {
    /// A rule of the job itself.
    Own(usize, &'j RelabelRule<'d>),
    /// A guard after rules whose target label contains references to groups.
    Guard(usize),
}

impl TargetRule<'_, '_> {
    /// Returns the index of the job rule.
    pub fn index(&self) -> usize {
        match self {
            TargetRule::Own(index, _) | TargetRule::Guard(index) => *index,
        }
    }
}

/// Returns the target rules of a component, derived from the rules of its job.
pub fn target_rules<'j, 'd>(rules: &'j [RelabelRule<'d>]) -> impl Iterator<Item = TargetRule<'j, 'd>> {
    target_rules_after(count_ineffective(rules), rules)
}

/// Returns the number of leading rules that have no effect in Alloy.
pub fn count_ineffective(rules: &[RelabelRule<'_>]) -> usize {
    usize::from(job_copy(rules).is_some_and(|copy| !copy.is_read))
}

/// Like [`target_rules`], but omits the first `unused` rules of the job.
pub fn target_rules_after<'j, 'd>(
    unused: usize,
    rules: &'j [RelabelRule<'d>],
) -> impl Iterator<Item = TargetRule<'j, 'd>> {
    let end = single_shard(rules).unwrap_or(rules.len());
    let used_rules = rules.iter().enumerate().take(end).skip(unused);
    used_rules.flat_map(move |(i, rule)| {
        let guard = needs_guard(rule, rules.get(i + 1)).then_some(TargetRule::Guard(i));
        [Some(TargetRule::Own(i, rule)), guard].into_iter().flatten()
    })
}

/// The first rule of every operator job copies `job`, but very few rules read the copy.
#[derive(Clone, Copy)]
pub struct JobCopy {
    /// Whether a later rule may read the copy.
    pub is_read: bool,
}

/// Returns the first of the `rules` if it is the rule that copies `job`, or `None` otherwise.
pub fn job_copy(rules: &[RelabelRule<'_>]) -> Option<JobCopy> {
    let (first, rules) = rules.split_first()?;
    let is_copy = first.target_label.as_deref() == Some(COPY_OF_JOB) && first.source_labels.iter().eq(["job"]);
    is_copy.then(|| JobCopy { is_read: rules.iter().any(reads_copy) })
}

fn reads_copy(rule: &RelabelRule<'_>) -> bool {
    let is_map = || {
        let regex = rule.regex.as_deref().unwrap_or("(.*)");
        COPY_OF_JOB.starts_with(literal_prefix(regex))
            && Matcher::anchored(regex, &Budget::new(MAX_SIZE)).map_or(true, |matcher| matcher.is_match(COPY_OF_JOB))
    };
    rule.source_labels.iter().any(|label| label == COPY_OF_JOB)
        || match rule.parse_action() {
            Some(action) if action.compares() => rule.target_label.as_deref() == Some(COPY_OF_JOB),
            Some(RelabelAction::LabelMap) => is_map(),
            _ => false,
        }
}

/// Returns the start index of the last two rules if they keep all targets because there is only one shard, or `None` if
/// there are several shards.
fn single_shard(rules: &[RelabelRule<'_>]) -> Option<usize> {
    let (rules_before, [hash, keep]) = rules.split_last_chunk::<2>()?;
    let keeps_hash = hash.target_label.as_deref().is_some_and(|label| keep.source_labels.iter().eq([label]));
    let actions =
        [hash, keep].map(RelabelRule::parse_action) == [Some(RelabelAction::HashMod), Some(RelabelAction::Keep)];
    let is_single = actions && hash.modulus == 1 && keep.regex.as_deref() == Some(SHARD);
    (is_single && keeps_hash).then_some(rules_before.len())
}

/// Returns the relabeling rule that a block describes. The block comes from a job given as YAML.
pub fn relabel_rule<'b>(body: &'b Body<'_>) -> RelabelRule<'b> {
    let sources = match body.attribute("source_labels") {
        Some(Expression::List(labels)) => labels.iter().filter_map(Expression::text).collect(),
        _ => Vec::new(),
    };
    RelabelRule {
        source_labels: LabelNames::Collected(sources),
        separator: body.text("separator").unwrap_or_default(),
        // Unlike in a resource, an empty expression counts as set.
        regex: body.text("regex").map(|regex| if regex.is_empty() { "()" } else { regex }.into()),
        modulus: 0,
        target_label: body.text("target_label").map(Cow::Borrowed),
        replacement: body.text("replacement").map(Cow::Borrowed),
        action: body.text("action").unwrap_or_default(),
        origin: None,
    }
}

/// Whether a guard is needed after `rule`. True if `rule` is the last in a run of rules that derive the names of their
/// target labels from source labels. The agent skips invalid names (`relabel` in Prometheus 2.48), whereas Alloy
/// accepts them and then rejects every sample of the target.
fn needs_guard(rule: &RelabelRule<'_>, next: Option<&RelabelRule<'_>>) -> bool {
    let expands_label = |rule: &RelabelRule<'_>| {
        rule.target_label.as_deref().is_some_and(|label| label.contains('$'))
            && rule.parse_action() == Some(RelabelAction::Replace)
    };
    expands_label(rule) && !next.is_some_and(expands_label)
}

/// Returns a rule that removes labels with invalid names.
pub fn guard<'v>() -> Body<'v> {
    Body::new().with("regex", INVALID_NAMES).with("action", "labeldrop")
}

/// Adds guards to the rules in a YAML job.
pub fn with_guards(rules: Vec<Body<'_>>) -> Vec<Body<'_>> {
    with_guards_and_indexes(rules).1
}

/// Adds guards to the rules in a YAML job. Returns the resulting rules, each with the index of the corresponding job
/// rule.
pub fn with_guards_and_indexes(rules: Vec<Body<'_>>) -> (Vec<usize>, Vec<Body<'_>>) {
    let (mut indexes, mut guarded_rules) = (Vec::with_capacity(rules.len()), Vec::with_capacity(rules.len()));
    let mut rules = rules.into_iter().enumerate().peekable();
    while let Some((index, rule)) = rules.next() {
        let next = rules.peek().map(|(_, next)| relabel_rule(next));
        let guard = needs_guard(&relabel_rule(&rule), next.as_ref()).then(guard);
        for rule in [Some(rule), guard].into_iter().flatten() {
            indexes.push(index);
            guarded_rules.push(rule);
        }
    }
    (indexes, guarded_rules)
}

/// Returns the index of the first rule that copies a label that only Alloy sets, and the label, or `None` if there is
/// no such rule.
pub fn newer_label_map(
    role: DiscoveryRole,
    rules: &[RelabelRule<'_>],
    expressions: &mut ExpressionCache,
) -> Option<(usize, &'static str)> {
    let mut rules = rules.iter().enumerate().filter(|(_, rule)| rule.parse_action() == Some(RelabelAction::LabelMap));
    rules.find_map(|(index, rule)| {
        let rule = FlowRule::new(rule, expressions).filter(|rule| !rule.is_identity())?;
        Some((index, newer_labels(role).iter().find(|label| rule.maps(label)).copied()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::LabelNames;

    fn simple_rule(source: &'static str, target: &'static str, action: &'static str) -> RelabelRule<'static> {
        RelabelRule {
            source_labels: LabelNames::One(source.into()),
            target_label: Some(target.into()),
            action,
            ..RelabelRule::default()
        }
    }

    fn share(modulus: u64) -> [RelabelRule<'static>; 2] {
        let hash = RelabelRule { modulus, ..simple_rule("__address__", "__tmp_hash", "hashmod") };
        let keep =
            RelabelRule { regex: Some(SHARD.into()), target_label: None, ..simple_rule("__tmp_hash", "", "keep") };
        [hash, keep]
    }

    fn rule_names(rules: &[RelabelRule<'_>]) -> Vec<String> {
        let describe_rule = |rule: TargetRule<'_, '_>| match rule {
            TargetRule::Own(i, _) => i.to_string(),
            TargetRule::Guard(i) => format!("guard {i}"),
        };
        target_rules(rules).map(describe_rule).collect()
    }

    #[test]
    fn omits_only_a_leading_copy_of_the_job() {
        let copy_rule = || simple_rule("job", COPY_OF_JOB, "");
        assert_eq!(rule_names(&[copy_rule(), simple_rule("a", "b", "")]), ["1"]);
        assert_eq!(rule_names(&[simple_rule("a", "b", ""), copy_rule()]), ["0", "1"]);
        assert_eq!(rule_names(&[simple_rule("a", COPY_OF_JOB, "")]), ["0"]);
    }

    #[test]
    fn keeps_the_copied_job_label_if_a_rule_reads_it() {
        let label_map =
            |regex: &'static str| RelabelRule { regex: Some(regex.into()), ..simple_rule("", "", "labelmap") };
        for (rule, is_read) in [
            (simple_rule(COPY_OF_JOB, "x", ""), true),
            (simple_rule("a", COPY_OF_JOB, "keepequal"), true),
            (simple_rule("a", COPY_OF_JOB, ""), false),
            (label_map("__tmp_(.+)"), true),
            (label_map("__meta_(.+)"), false),
        ] {
            let rules = [simple_rule("job", COPY_OF_JOB, ""), rule];
            assert_eq!(rule_names(&rules).len(), 1 + usize::from(is_read));
        }
    }

    #[test]
    fn omits_sharding_rules_for_a_single_shard() {
        let [hash, keep] = share(1);
        assert_eq!(rule_names(&[simple_rule("a", "b", ""), hash.clone(), keep.clone()]), ["0"]);
        assert_eq!(rule_names(&[hash.clone(), keep.clone(), simple_rule("a", "b", "")]), ["0", "1", "2"]);
        assert_eq!(rule_names(&[hash]), ["0"]);
        assert_eq!(rule_names(&share(2)), ["0", "1"]);
        assert_eq!(rule_names(&[]), [""; 0]);
    }

    #[test]
    fn finds_rules_that_copy_labels_of_newer_versions() {
        let label_map =
            |regex: &'static str| RelabelRule { regex: Some(regex.into()), ..simple_rule("", "", "labelmap") };
        let label = "__meta_kubernetes_pod_container_init";
        for (role, regex, expected) in [
            (DiscoveryRole::Endpoints, "__meta_kubernetes_(.+)", Some((1, label))),
            (DiscoveryRole::Endpoints, "(.+)", None),
            (DiscoveryRole::Endpoints, "__meta_kubernetes_pod_label_(.+)", None),
            (DiscoveryRole::EndpointSlice, "__meta_kubernetes_pod_(.+)", Some((1, label))),
            (DiscoveryRole::EndpointSlice, ".+_(zone)", Some((1, newer_labels(DiscoveryRole::EndpointSlice)[2]))),
            (DiscoveryRole::Node, "__meta_kubernetes_node_(.+)", Some((1, newer_labels(DiscoveryRole::Node)[0]))),
            (DiscoveryRole::Node, "__meta_kubernetes_node_label_(.+)", None),
            (DiscoveryRole::Pod, "__meta_kubernetes_(.+)", None),
        ] {
            let rules = [simple_rule("a", "b", ""), label_map(regex), label_map(regex)];
            assert_eq!(newer_label_map(role, &rules, &mut ExpressionCache::default()), expected, "{role:?} {regex}");
        }
    }

    #[test]
    fn adds_a_guard_after_rules_with_expanded_label_names() {
        let expanding_rule = || simple_rule("a", "dyn_$1", "");
        assert_eq!(rule_names(&[expanding_rule()]), ["0", "guard 0"]);
        assert_eq!(
            rule_names(&[expanding_rule(), expanding_rule(), simple_rule("a", "b", "")]),
            ["0", "1", "guard 1", "2"]
        );
        assert_eq!(rule_names(&[simple_rule("a", "b_$1", "lowercase")]), ["0"]);
        let rule_body = |target: &'static str| Body::new().with("target_label", target);
        let (indexes, guarded_rules) = with_guards_and_indexes(vec![rule_body("$1"), rule_body("b")]);
        assert_eq!(guarded_rules, [rule_body("$1"), guard(), rule_body("b")]);
        assert_eq!(indexes, [0, 0, 1]);
    }

    #[test]
    fn matches_label_names_that_the_agent_skips() {
        let regex = regex::Regex::new(&format!("^(?s:{INVALID_NAMES})$")).unwrap();
        for (name, is_invalid) in [
            ("a", false),
            ("_A9", false),
            ("9a", true),
            ("a-b", true),
            ("a\nb", true),
            ("é", true),
            ("a9é", true),
            ("-", true),
        ] {
            assert_eq!(regex.is_match(name), is_invalid, "{name}");
        }
    }
}
