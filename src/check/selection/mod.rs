//! Selection: what nothing selects, selectors that select nothing, and what is selected twice.
//!
//! It holds for every parent in the input, also for a paused agent and one that `--agent-selector` leaves out: what
//! they select is not forgotten. Only what is collected twice is looked for in the hierarchies.

mod diagnostics;
mod duplicate_scrape;
mod level;
mod nearest;
mod selects_nothing;
mod shared_instance;
mod target;
#[cfg(test)]
mod tests;
mod unselected;

use crate::api::{Kind, RELATIONS, Resources};
use crate::diagnostic::Diagnostic;
use crate::resolve::{Hierarchy, Selections};
use level::Levels;

/// Holds what agents and instances select against the rules.
pub(super) fn check<'d>(
    resources: &Resources<'d>,
    selections: &Selections<'d>,
    hierarchies: &[Hierarchy<'_, '_>],
) -> Vec<Diagnostic> {
    let levels = Levels::new(resources, selections);
    let mut found = Vec::new();
    for level in &levels.all {
        unselected::check(level, &levels, &mut found);
        selects_nothing::check(level, &levels, &mut found);
    }
    let of_agents = || {
        levels
            .all
            .iter()
            .filter(|level| level.relation.parent == Kind::GrafanaAgent)
    };
    for level in of_agents() {
        selects_nothing::check_missing(level, &mut found);
    }
    let selects = |kind| RELATIONS.iter().any(|relation| relation.parent == kind);
    for level in of_agents().filter(|level| selects(level.relation.child)) {
        shared_instance::check(level, &mut found);
    }
    duplicate_scrape::check(&resources.refusals, hierarchies, &mut found);
    found
}
