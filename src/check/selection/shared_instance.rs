//! Instances that two agents select: each of them collects the same.

use std::collections::BTreeMap;

use super::diagnostics;
use super::level::{Level, Parent};
use crate::diagnostic::Diagnostic;

/// Reports instances that are selected by several agents. A paused agent does not count: it is about to be replaced.
pub fn check(level: &Level<'_, '_>, found: &mut Vec<Diagnostic>) {
    let mut agents: BTreeMap<usize, Vec<&Parent<'_, '_>>> = BTreeMap::new();
    for agent in level.parents.iter().filter(|agent| !agent.paused) {
        let shared = agent
            .selected
            .iter()
            .filter(|&&i| level.times_selected.get(i) > Some(&1));
        for &i in shared {
            agents.entry(i).or_default().push(agent);
        }
    }
    let shared = agents.into_iter().filter_map(|(i, agents)| match agents.as_slice() {
        [first, second, more @ ..] => Some((level.children.get(i)?, *first, *second, more.len())),
        _ => None,
    });
    found.extend(shared.map(|(instance, first, second, more)| diagnostics::shared(instance, first, second, more)));
}
