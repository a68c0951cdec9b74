//! Search for the objects that a selector was most likely meant to select, if it selects none.

use crate::diagnostic::suggest::ComparedName;
use crate::targets::discovery::{DiscoveryRole, selectable_labels};
use crate::targets::observed::ClusterObject;
use crate::targets::scrape::{Chain, Cluster, Job, JobRule, JobSource, RulePurpose};

/// Maximum number of objects to compare, across the selectors of all jobs.
pub(super) const MAX_COMPARISONS: usize = 200_000;

/// An object that a selector nearly selects.
pub(super) enum NearObject<'o, 'j, 'd> {
    /// Object of the right kind that differs from this rule's requirement by one or two letters in a label.
    Similar(&'o ClusterObject<'d>, &'j JobRule<'d>),
    /// Object of the right kind that meets all requirements except this rule's.
    Partly(&'o ClusterObject<'d>, &'j JobRule<'d>),
    /// Object of the right kind in a namespace that the job does not search.
    Elsewhere(&'o ClusterObject<'d>),
    /// Object of the wrong kind that matches, and the name of its kind: a pod if the job selects Services, or vice
    /// versa.
    OtherKind(&'o ClusterObject<'d>, &'static str),
}

/// Returns the nearest object, if any.
pub(super) fn find<'o, 'j, 'd>(
    cluster: &Cluster<'o, 'd>,
    job: &'j Job<'d>,
    chain: &Chain<'_, 'd>,
    comparisons: &mut usize,
) -> Option<NearObject<'o, 'j, 'd>> {
    let role = chain.role?;
    let rules = job.rules.iter().filter(|rule| rule.part() == RulePurpose::Selector);
    let rules: Vec<_> = rules.collect();
    let objects = cluster.objects;
    let watch = job.sources.iter().find_map(|source| match source {
        JobSource::Watch { watch, .. } => Some(watch),
        JobSource::Static(_) => None,
    })?;
    let view = cluster.view(watch);
    let mut spend_comparison = |_: &&ClusterObject<'d>| {
        let has_budget = *comparisons > 0;
        *comparisons = comparisons.saturating_sub(1);
        has_budget
    };
    let is_searched = |meta: &&ClusterObject<'d>| view.is_searched(meta);
    let candidates: Vec<_> = objects.list(role.kind()).iter().take_while(&mut spend_comparison).collect();
    let similar = candidates.iter().copied().filter(is_searched);
    let similar = similar.filter_map(|meta| similarity(&rules, role, meta).map(|(slips, rule)| (slips, meta, rule)));
    if let Some((_, meta, rule)) = similar.min_by_key(|(slips, ..)| *slips) {
        return Some(NearObject::Similar(meta, rule));
    }
    let matches_rules = |meta: &&ClusterObject<'d>| {
        let mut labels = selectable_labels(role, meta);
        rules.iter().all(|rule| rule.rule.apply(&mut labels))
    };
    // Without a requirement, every object matches.
    if rules.is_empty() {
        return None;
    }
    if let Some(meta) = candidates.iter().copied().filter(|meta| !is_searched(meta)).find(matches_rules) {
        return Some(NearObject::Elsewhere(meta));
    }
    if rules.len() > 1 {
        let object_missing_one_rule = |meta: &'o ClusterObject<'d>| {
            let mut labels = selectable_labels(role, meta);
            let mut failing = rules.iter().filter(|rule| !rule.rule.apply(&mut labels));
            let first_failing = failing.next()?;
            failing.next().is_none().then_some(NearObject::Partly(meta, first_failing))
        };
        if let Some(near_object) = candidates.iter().copied().filter(is_searched).find_map(object_missing_one_rule) {
            return Some(near_object);
        }
    }
    let (other, name) = match role {
        DiscoveryRole::Service => (DiscoveryRole::Pod, "pod"),
        DiscoveryRole::Pod => (DiscoveryRole::Service, "Service"),
        _ => return None,
    };
    let mut other_objects = objects.list(other.kind()).iter().filter(is_searched).take_while(spend_comparison);
    other_objects.find(matches_rules).map(|meta| NearObject::OtherKind(meta, name))
}

/// Compares an object's labels with the rules' requirements. Returns the number of typos and the first rule with a
/// typo, or `None` if the object is not similar.
fn similarity<'j, 'd>(
    rules: &[&'j JobRule<'d>],
    role: DiscoveryRole,
    meta: &ClusterObject<'_>,
) -> Option<(usize, &'j JobRule<'d>)> {
    let mut labels = selectable_labels(role, meta);
    let failing: Vec<_> = rules.iter().filter(|rule| !rule.rule.apply(&mut labels)).collect();
    let first = failing.first()?;
    let mut sum = 0;
    for rule in &failing {
        let (label, values) = rule.rule.kept_values()?;
        let label_value = labels.get(label);
        let slips = match label_value {
            "" => {
                let is_wanted = |value: &str| values.iter().any(|wanted| wanted == value);
                let matching_labels = labels.iter().filter(|(_, value)| is_wanted(value));
                matching_labels
                    .filter_map(|(name, _)| {
                        ComparedName::new(label_part(label)).edit_distance(&ComparedName::new(label_part(name)))
                    })
                    .min()
            }
            label_value => {
                let slips = values
                    .iter()
                    .filter_map(|wanted| ComparedName::new(wanted).edit_distance(&ComparedName::new(label_value)));
                slips.min()
            }
        };
        sum += slips.filter(|slips| *slips <= 2)?;
    }
    Some((sum, first))
}

/// Returns the name of the object label that a target label is derived from.
pub(super) fn label_part(label: &str) -> &str {
    label.split_once("_label_").map_or(label, |(_, name)| name)
}
