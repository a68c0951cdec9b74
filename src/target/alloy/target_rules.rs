//! Target relabeling rules of a job as Alloy needs them: without rules that have no effect there, and with guards that restore a
//! check of the agent.

use super::effects::Rule;
use super::syntax::Body;
use crate::plan::{RelabelRule, Role, SHARD, Targets};

/// Label to which the first rule of each operator job copies `job`.
pub(super) const COPY_OF_JOB: &str = "__tmp_prometheus_job_name";

/// Label names that are not valid in the agent, as an expression.
const INVALID_NAMES: &str = "[^a-zA-Z_].*|.+[^a-zA-Z0-9_].*";

/// A rule that is written, with the index of the job's rule that it comes from.
pub(super) enum Written<'j, 'd> {
    /// The job's own rule.
    Own(usize, &'j RelabelRule<'d>),
    /// The guard after that rule.
    Guard(usize),
}

impl Written<'_, '_> {
    /// Index of the job's rule.
    pub(super) fn index(&self) -> usize {
        match self {
            Written::Own(index, _) | Written::Guard(index) => *index,
        }
    }
}

/// Returns the target rules of a job in the order in which they are written.
pub(super) fn written<'j, 'd>(rules: &'j [RelabelRule<'d>]) -> impl Iterator<Item = Written<'j, 'd>> {
    let share = all_targets(rules);
    let all: Vec<_> = rules.iter().collect();
    let (copy, _) = split_copy(&all);
    let has_unread_copy = copy.is_some_and(|copy| !copy.is_read);
    let used = rules.iter().enumerate();
    let used = used.skip(usize::from(has_unread_copy));
    let used = used.take_while(move |(i, _)| share.is_none_or(|start| *i < start));
    used.flat_map(move |(i, rule)| {
        let next = rules.get(i + 1);
        let is_last = next.is_none_or(|next| !expands_name(next));
        let guard = (expands_name(rule) && is_last).then_some(Written::Guard(i));
        [Some(Written::Own(i, rule)), guard].into_iter().flatten()
    })
}

/// The rule that every operator job starts with: it copies `job` to a label that hardly any rule reads.
#[derive(Clone, Copy)]
pub(super) struct Copy {
    /// Whether a later rule reads the copy, or may.
    pub(super) is_read: bool,
}

/// Returns the copy that rules start with, or `None` if they do not, and the rules after it.
pub(super) fn split_copy<'a, 'r, R: Rule>(rules: &'a [&'r R]) -> (Option<Copy>, &'a [&'r R]) {
    match rules.split_first() {
        Some((first, rest)) if first.target_label() == Some(COPY_OF_JOB) && first.source_labels().eq(["job"]) => {
            let is_read = rest.iter().any(|rule| reads_copy(*rule));
            (Some(Copy { is_read }), rest)
        }
        _ => (None, rules),
    }
}

fn reads_copy(rule: &impl Rule) -> bool {
    let compares = rule.is("keepequal") || rule.is("dropequal");
    rule.source_labels().any(|label| label == COPY_OF_JOB)
        || compares && rule.target_label() == Some(COPY_OF_JOB)
        || maps(rule, COPY_OF_JOB)
}

/// Whether a rule is a `labelmap` that copies this label.
pub(super) fn maps(rule: &impl Rule, label: &str) -> bool {
    let matches = || {
        rule.regex()
            .map_or(rule.matches_anything(), |regex| regex.is_match(label))
    };
    rule.is("labelmap") && matches()
}

/// Returns the index of the pair of rules at the end that leaves the only shard all targets.
fn all_targets(rules: &[RelabelRule<'_>]) -> Option<usize> {
    let (start, [hash, keep]) = rules
        .split_last_chunk::<2>()
        .map(|(before, pair)| (before.len(), pair))?;
    let keeps_hash = hash
        .target_label()
        .is_some_and(|label| keep.source_labels().eq([label]));
    let is_only = hash.is("hashmod") && hash.modulus == 1 && keep.is("keep") && keep.regex.as_deref() == Some(SHARD);
    (is_only && keeps_hash).then_some(start)
}

/// Whether the name of the label that a rule writes comes from its source labels.
pub(super) fn expands_name(rule: &impl Rule) -> bool {
    rule.is("replace") && rule.target_label().is_some_and(|label| label.contains('$'))
}

/// Returns the rule after those that expand the name of their label. The agent skips a name that is not valid (`relabel` in Prometheus
/// 2.48); Alloy takes it, and then refuses every sample of the target.
pub(super) fn guard<'v>() -> Body<'v> {
    Body::new().with("regex", INVALID_NAMES).with("action", "labeldrop")
}

/// Label that Alloy's discovery sets on the targets of Endpoints and the agent's does not.
pub(super) const NEWER: &str = "__meta_kubernetes_pod_container_init";

/// Returns the first rule that copies a label which the targets of a job have in Alloy only.
pub(super) fn copies_newer<'r, R: Rule>(targets: &Targets<'_>, rules: &'r [R]) -> Option<&'r R> {
    let finds_endpoints = matches!(targets, Targets::Discovered(discovery) if discovery.role == Role::Endpoints);
    let mut rules = rules.iter().filter(|_| finds_endpoints);
    rules.find(|rule| !rule.is_identity() && maps(*rule, NEWER))
}

/// Returns the rules of a job in YAML with their guards.
pub(super) fn guarded(rules: Vec<Body<'_>>) -> Vec<Body<'_>> {
    let mut guarded = Vec::with_capacity(rules.len());
    let mut rules = rules.into_iter().peekable();
    while let Some(rule) = rules.next() {
        let needs_guard = expands_name(&rule) && rules.peek().is_none_or(|next| !expands_name(next));
        guarded.push(rule);
        guarded.extend(needs_guard.then(guard));
    }
    guarded
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Labels;

    fn of(source: &'static str, target: &'static str, action: &'static str) -> RelabelRule<'static> {
        RelabelRule {
            source_labels: Labels::One(source.into()),
            target_label: Some(target.into()),
            action,
            ..RelabelRule::default()
        }
    }

    fn share(modulus: u64) -> [RelabelRule<'static>; 2] {
        let hash = RelabelRule {
            modulus,
            ..of("__address__", "__tmp_hash", "hashmod")
        };
        let keep = RelabelRule {
            regex: Some(SHARD.into()),
            target_label: None,
            ..of("__tmp_hash", "", "keep")
        };
        [hash, keep]
    }

    fn shown(rules: &[RelabelRule<'_>]) -> Vec<String> {
        let shown = |written: Written<'_, '_>| match written {
            Written::Own(i, _) => i.to_string(),
            Written::Guard(i) => format!("guard {i}"),
        };
        written(rules).map(shown).collect()
    }

    #[test]
    fn omits_the_copy_of_the_job_in_front_only() {
        let copy = || of("job", COPY_OF_JOB, "");
        assert_eq!(shown(&[copy(), of("a", "b", "")]), ["1"]);
        assert_eq!(shown(&[of("a", "b", ""), copy()]), ["0", "1"]);
        assert_eq!(shown(&[of("a", COPY_OF_JOB, "")]), ["0"]);
    }

    #[test]
    fn keeps_the_copy_of_the_job_if_a_rule_reads_it() {
        let maps = |regex: &'static str| RelabelRule {
            regex: Some(regex.into()),
            ..of("", "", "labelmap")
        };
        for (rule, is_read) in [
            (of(COPY_OF_JOB, "x", ""), true),
            (of("a", COPY_OF_JOB, "keepequal"), true),
            (of("a", COPY_OF_JOB, ""), false),
            (maps("__tmp_(.+)"), true),
            (maps("__meta_(.+)"), false),
        ] {
            let rules = [of("job", COPY_OF_JOB, ""), rule];
            assert_eq!(shown(&rules).len(), 1 + usize::from(is_read));
        }
    }

    #[test]
    fn omits_the_share_of_a_single_shard() {
        let [hash, keep] = share(1);
        assert_eq!(shown(&[of("a", "b", ""), hash.clone(), keep.clone()]), ["0"]);
        assert_eq!(shown(&[hash.clone(), keep.clone(), of("a", "b", "")]), ["0", "1", "2"]);
        assert_eq!(shown(&[hash]), ["0"]);
        assert_eq!(shown(&share(2)), ["0", "1"]);
        assert_eq!(shown(&[]), [""; 0]);
    }

    #[test]
    fn guards_names_that_rules_expand() {
        let expanding = || of("a", "dyn_$1", "");
        assert_eq!(shown(&[expanding()]), ["0", "guard 0"]);
        assert_eq!(
            shown(&[expanding(), expanding(), of("a", "b", "")]),
            ["0", "1", "guard 1", "2"]
        );
        assert_eq!(shown(&[of("a", "b_$1", "lowercase")]), ["0"]);
        let bodies = |target: &'static str| Body::new().with("target_label", target);
        let guarded = guarded(vec![bodies("$1"), bodies("b")]);
        assert_eq!(guarded, [bodies("$1"), guard(), bodies("b")]);
    }

    #[test]
    fn finds_names_that_the_agent_skips() {
        let regex = guard().regex().unwrap();
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
