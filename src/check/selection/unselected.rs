//! Monitors, Probes, PodLogs, instances and Integrations that nothing selects: the operator leaves them out without a
//! word.

use super::diagnostics;
use super::level::{Level, Levels};
use super::nearest::NearestParent;
use crate::diagnostic::Diagnostic;

/// Reports what nothing selects, with the parent that is nearest to selecting it. Of an input without agents, or without
/// anything above, nothing is expected.
pub fn check(level: &Level<'_, '_>, levels: &Levels<'_, '_>, found: &mut Vec<Diagnostic>) {
    if level.parents.is_empty() && !levels.has_agents {
        return;
    }
    let mut nearest = NearestParent::new(level, levels.namespaces);
    let unselected = level
        .children
        .iter()
        .enumerate()
        .filter(|&(i, child)| level.is_unselected(i) && !level.doubts.of_child(i, child));
    for (_, child) in unselected {
        found.push(match nearest.of(child) {
            Some((parent, explanation)) => diagnostics::unselected(child, parent, &explanation),
            None => diagnostics::unselected_by_all(child, level),
        });
    }
}
