//! Rules for selection: resources that nothing selects, selectors that select nothing, and resources that are selected
//! twice.
//!
//! The rules apply to every parent in the input, including paused agents and agents that `--agent-selector` excludes.
//! Only the search for duplicates uses the hierarchies.

mod diagnostics;
mod duplicate_scrape;
mod idle;
mod level;
mod merged;
mod nearest;
mod owner_labels;
mod same_probe;
#[cfg(test)]
mod tests;
mod wider_diagnostics;
mod wider_selector;

use std::collections::BTreeMap;

use super::rule::{Rule, RuleInput, RuleTarget, rule};
use crate::api::{Kind, RELATIONS, namespace_range};
use crate::diagnostic::{Code, Diagnostic};
use crate::resolve::SelectorScope;
use idle::NearestParents;
use level::{Parent, SelectionLevel};
use nearest::{MAX_CANDIDATES, NearestParent, nearest_child};

pub const RULES: &[Rule] = &[
    rule(
        &[Code::GitopsSelector],
        RuleTarget::Resource(owner_labels::check),
        "`ResourceManager.SetOwnerLabels` of Flux's `ssa` package; the origin labels of helm-controller's post-renderer",
    ),
    rule(
        &[
            Code::Unselected,
            Code::UndescribedNamespace,
            Code::SelectsNothing,
            Code::SharedInstance,
            Code::DuplicateJob,
            Code::DuplicateScrape,
        ],
        RuleTarget::RuleInput(check),
        "`buildHierarchy` in `static/operator/build_hierarchy.go`; `GroupManager.applyConfig` of the agent",
    ),
];

/// Checks the selections of agents and instances.
fn check(input: &RuleInput<'_, '_>) -> Vec<Diagnostic> {
    let (resources, selections) = (input.resources, input.selections);
    let levels = RELATIONS.iter().map(|relation| SelectionLevel::new(relation, resources, selections));
    let levels: Vec<_> = levels.collect();
    let (mut findings, mut nearest) = (Vec::new(), NearestParents::new());
    for level in &levels {
        // If there are no agents, the input is not expected to be complete.
        if !level.parents.is_empty() || !resources.agents.is_empty() {
            report_unselected(level, &mut nearest, &mut findings);
        }
        report_empty_selections(level, &mut findings);
        report_missing_label_selectors(level, &mut findings);
    }
    let selects = |kind| RELATIONS.iter().any(|relation| relation.parent == kind);
    let selects_for_agents = |level: &&SelectionLevel<'_, '_>| level.relation.parent == Kind::GrafanaAgent;
    for level in levels.iter().filter(selects_for_agents) {
        report_missing_selectors(level, &mut findings);
        if selects(level.relation.child) {
            report_shared(level, &mut findings);
        }
    }
    idle::check(&levels, &nearest, &mut findings);
    duplicate_scrape::check(input, &mut findings);
    findings
}

/// Reports resources that nothing selects, each with the parent that comes nearest to selecting it.
fn report_unselected<'h>(
    level: &SelectionLevel<'h, '_>,
    nearest: &mut NearestParents<'h>,
    findings: &mut Vec<Diagnostic>,
) {
    let mut search = NearestParent::new(level);
    let children = level.children.iter().enumerate();
    for (_, child) in children.filter(|&(i, _)| level.is_certainly_unselected(i)) {
        findings.push(match search.find(child) {
            Some((parent, explanation)) => {
                let finding = diagnostics::unselected_child(child, parent, &explanation);
                let cause = || finding.cause.clone();
                nearest.entry(parent.head.object_ref()).or_insert_with(cause);
                finding
            }
            None => diagnostics::unselected_by_all(child, level),
        });
    }
}

/// Maximum number of selectors at a level to find the nearest child for.
const MAX_SEARCHES: usize = 2_000;

/// Reports selectors that are set but select nothing. An empty selector selects everything, so it is reported only if a
/// child is not selected.
fn report_empty_selections(level: &SelectionLevel<'_, '_>, findings: &mut Vec<Diagnostic>) {
    if level.children.is_empty() {
        return;
    }
    let unselected = (0..level.children.len()).filter(|&i| level.is_unselected(i));
    let unselected: Vec<_> = unselected.take(MAX_CANDIDATES).collect();
    let has_unselected = !unselected.is_empty();
    let empty_parents = level.known_parents().filter(|parent| match &parent.selector.labels {
        SelectorScope::Set(selector) => {
            parent.selected.is_empty() && (has_unselected || !selector.requirements().is_empty())
        }
        SelectorScope::Missing | SelectorScope::Invalid(_) => false,
    });
    for (i, parent) in empty_parents.enumerate() {
        let nearest = (i < MAX_SEARCHES).then(|| nearest_child(parent, level, &unselected));
        findings.push(diagnostics::selects_nothing(parent, level, nearest.flatten()));
    }
}

/// Reports parents that have a namespace selector but no label selector. They select nothing in any namespace.
fn report_missing_label_selectors(level: &SelectionLevel<'_, '_>, findings: &mut Vec<Diagnostic>) {
    let known_parents = level.parents.iter().filter(|parent| parent.has_known_selectors);
    let ineffective_parents = known_parents.filter(|parent| has_only_namespace_selector(parent));
    findings
        .extend(ineffective_parents.map(|parent| diagnostics::missing_label_selector(parent, level.relation.child)));
}

/// Whether a parent has a namespace selector without a label selector.
fn has_only_namespace_selector(parent: &Parent<'_, '_>) -> bool {
    parent.selector.labels == SelectorScope::Missing && parent.selector.namespaces != SelectorScope::Missing
}

/// Reports agents that lack a selector even though their namespace contains unselected children.
fn report_missing_selectors(level: &SelectionLevel<'_, '_>, findings: &mut Vec<Diagnostic>) {
    let agents = level.known_parents();
    for agent in agents.filter(|agent| agent.selector.labels == SelectorScope::Missing) {
        let namespace_children = namespace_range(&level.children, agent.head.meta.namespace);
        match namespace_children.filter(|&i| level.is_certainly_unselected(i)).count() {
            0 => {}
            left_over => findings.push(diagnostics::missing_selector(agent, level, left_over)),
        }
    }
}

/// Reports instances that several agents select. Paused agents are ignored, because they are usually about to be
/// replaced.
fn report_shared(level: &SelectionLevel<'_, '_>, findings: &mut Vec<Diagnostic>) {
    let mut agents: BTreeMap<usize, Vec<&Parent<'_, '_>>> = BTreeMap::new();
    for agent in level.parents.iter().filter(|agent| !agent.paused) {
        for &i in agent.selected {
            agents.entry(i).or_default().push(agent);
        }
    }
    for (i, agents) in agents {
        if let ([first, second, other_agents @ ..], Some(instance)) = (agents.as_slice(), level.children.get(i)) {
            findings.push(diagnostics::shared_instance(instance, first, second, other_agents.len()));
        }
    }
}
