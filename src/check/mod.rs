//! Rules for input that the operator renders, but that later fails or has no effect.

mod agent;
mod causes;
mod certificates;
mod collected_data;
mod conditions;
mod configuration;
mod credentials;
mod decode;
mod field;
mod flow;
mod ignored_fields;
mod integrations;
mod json;
mod kept;
mod listeners;
mod logs;
mod manifest;
mod misread;
mod pods;
mod prometheus;
mod push_url;
mod rejection;
mod rights;
#[cfg(test)]
mod row_paths;
#[cfg(test)]
mod row_sides;
mod rule;
mod selection;
mod split_item;
mod strings;
mod targets;
#[cfg(test)]
mod tests;
mod unrendered;
mod unused_tls;
mod variables;
mod violation;
mod walk;

pub use agent::unsharded_probes;
pub use conditions::Conditions;
pub use flow::drop_consequences;
pub use rejection::Rejection;
pub use rights::check_tokens;
pub use targets::explain as explain_targets;
pub use unrendered::{Charts, UnrenderedSource, drop_unbuilt, find_unrendered, skip_patches, unrendered_findings};

use crate::api::Resources;
use crate::diagnostic::bound::Bound;
use crate::diagnostic::{Code, Diagnostic, distinct};
use crate::manifest as rendered;
use crate::output::Target;
use crate::resolve::{Hierarchy, Selections};
use crate::targets::observed;
use crate::targets::scrape::Cluster;
use rule::{Families, Rule, RuleInput, RuleTarget};

/// Rules in all families, in the order they are applied. The compiler reports the rules of a missing family as unused.
const FAMILIES: Families = &[
    ignored_fields::RULES,
    configuration::RULES,
    prometheus::RULES,
    logs::RULES,
    integrations::RULES,
    listeners::RULES,
    agent::RULES,
    credentials::RULES,
    variables::RULES,
    misread::RULES,
    certificates::RULES,
    flow::RULES,
    pods::RULES,
    split_item::RULES,
    push_url::RULES,
    unused_tls::RULES,
    selection::RULES,
    rights::RULES,
    targets::RULES,
    manifest::RULES,
];

/// Checks all resources, each agent's selections, and the targets that agents discover among the `observed` objects.
pub fn check<'d>(
    resources: &Resources<'d>,
    selections: &Selections<'d>,
    hierarchies: &'d [Hierarchy<'d, 'd>],
    observed: &observed::ObservedObjects<'d>,
    conditions: Conditions<'_>,
) -> Vec<Diagnostic> {
    let mut findings = check_with(resources, selections, hierarchies, conditions, &|_| true);
    findings.extend(check_targets(resources, hierarchies, observed, conditions.target));
    // Findings about targets in the input may duplicate findings about all targets.
    flow::drop_repeated(&mut findings);
    collected_data::drop_repeated(&mut findings);
    findings
}

/// Returns the configurations that agents reject, each with its first error.
pub fn rejections<'d>(
    resources: &Resources<'d>,
    selections: &Selections<'d>,
    hierarchies: &[Hierarchy<'_, 'd>],
    conditions: Conditions<'_>,
) -> Vec<Rejection<'d>> {
    let mut findings = check_with(resources, selections, hierarchies, conditions, &rejection::may_stop_agent);
    for hierarchy in hierarchies {
        findings.extend(misread::check_agent(resources, hierarchy));
    }
    resources.rejected_fields.retain(&mut findings);
    rejection::collect_rejections(findings, hierarchies)
}

/// Checks all resources with the rules whose codes `accepts_codes` accepts. For a table of rows, `accepts_codes`
/// receives no codes.
fn check_with<'d>(
    resources: &Resources<'d>,
    selections: &Selections<'d>,
    hierarchies: &[Hierarchy<'_, 'd>],
    conditions: Conditions<'_>,
    accepts_codes: &dyn Fn(&[Code]) -> bool,
) -> Vec<Diagnostic> {
    let watched_monitors = ignored_fields::watched_monitors(hierarchies, conditions.target.watcher());
    let input =
        RuleInput { families: FAMILIES, resources, selections, hierarchies, conditions, watched: &watched_monitors };
    let (mut findings, mut bound) = (Vec::new(), Bound::default());
    for rule in rules().filter(|rule| accepts_codes(rule.codes)) {
        match rule.target {
            RuleTarget::RuleInput(judge) => findings.extend(rule.assert_codes_listed(judge(&input))),
            RuleTarget::Hierarchy(judge) => {
                for hierarchy in hierarchies {
                    findings.extend(rule.assert_codes_listed(judge(&input, hierarchy)));
                    bound.reduce_and_keep(&mut findings, |findings| resources.rejected_fields.retain(findings));
                }
            }
            RuleTarget::Resource(_)
            | RuleTarget::Spec(..)
            | RuleTarget::SpecInInstance(..)
            | RuleTarget::Targets(_)
            | RuleTarget::Objects(_) => {}
        }
        bound.reduce_and_keep(&mut findings, |findings| resources.rejected_fields.retain(findings));
    }
    causes::link(&mut findings);
    // A resource that two agents select is checked twice.
    distinct(findings)
}

fn rules() -> impl Iterator<Item = &'static Rule> {
    FAMILIES.iter().copied().flatten()
}

/// Checks the targets that agents discover among a cluster's objects.
pub fn check_targets<'d>(
    resources: &Resources<'d>,
    hierarchies: &'d [Hierarchy<'d, 'd>],
    objects: &observed::ObservedObjects<'d>,
    target: &Target,
) -> Vec<Diagnostic> {
    let cluster = || Cluster::from_target(objects, target);
    let findings = rules().filter_map(|rule| match rule.target {
        RuleTarget::Targets(judge) => Some(rule.assert_codes_listed(judge(resources, hierarchies, cluster()))),
        _ => None,
    });
    findings.flatten().collect()
}

/// Checks the rendered manifests of `hierarchies`.
pub fn check_objects(
    resources: &Resources<'_>,
    hierarchies: &[Hierarchy<'_, '_>],
    objects: &rendered::Objects,
) -> Vec<Diagnostic> {
    let findings = rules().filter_map(|rule| match rule.target {
        RuleTarget::Objects(judge) => Some(rule.assert_codes_listed(judge(resources, hierarchies, objects))),
        _ => None,
    });
    // A container that appears in two workloads is checked twice.
    distinct(findings.flatten().collect())
}
