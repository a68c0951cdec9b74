//! Selectors that select nothing.

use super::diagnostics;
use super::level::{Level, Levels, Parent};
use super::nearest::{OTHERS, nearest_child};
use crate::api::namespace_range;
use crate::diagnostic::Diagnostic;
use crate::resolve::Scope;

/// For how many selectors of a level the nearest child is looked for.
const SEARCHES: usize = 2_000;

/// Reports selectors that are set and select nothing of what there is. An empty one wants whatever there is, so it is
/// reported only where something is left over.
pub fn check(level: &Level<'_, '_>, levels: &Levels<'_, '_>, found: &mut Vec<Diagnostic>) {
    if level.children.is_empty() {
        return;
    }
    let unselected = (0..level.children.len()).filter(|&i| level.is_unselected(i));
    let unselected: Vec<_> = unselected.take(OTHERS).collect();
    let left_over = !unselected.is_empty();
    let parents = level.parents.iter().enumerate();
    let known = parents.filter(|(i, parent)| !level.doubts.of_parent(*i, parent));
    let barren = known
        .map(|(_, parent)| parent)
        .filter(|parent| match &parent.selector.labels {
            Scope::Set(selector) => parent.selected.is_empty() && (left_over || !selector.requirements().is_empty()),
            Scope::Missing | Scope::Invalid => false,
        });
    for (i, parent) in barren.enumerate() {
        let nearest = (i < SEARCHES).then(|| nearest_child(parent, level, &unselected, levels.namespaces));
        found.push(diagnostics::selects_nothing(parent, level, nearest.flatten()));
    }
}

/// Reports agents without a selector for what their namespace has and nothing selects.
pub fn check_missing(level: &Level<'_, '_>, found: &mut Vec<Diagnostic>) {
    let agents = level.parents.iter().enumerate();
    let known = agents.filter(|(i, agent)| !level.doubts.of_parent(*i, agent));
    let without = known
        .map(|(_, agent)| agent)
        .filter(|agent| agent.selector.labels == Scope::Missing);
    let reported = without.filter_map(|agent| match candidates(agent, level) {
        0 => None,
        candidates => Some(diagnostics::no_selector(agent, level, candidates)),
    });
    found.extend(reported);
}

/// How many children in the agent's own namespace are left over.
fn candidates(agent: &Parent<'_, '_>, level: &Level<'_, '_>) -> usize {
    namespace_range(&level.children, agent.object.namespace)
        .filter_map(|i| Some((i, level.children.get(i)?)))
        .filter(|&(i, child)| level.is_unselected(i) && !level.doubts.of_child(i, child))
        .count()
}
