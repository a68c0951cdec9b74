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

use crate::api::Resources;
use crate::diagnostic::Diagnostic;
use crate::resolve::{Hierarchy, Selections};
use level::{Level, Levels};

/// Holds what agents and instances select against the rules.
pub(super) fn check<'d>(
    resources: &Resources<'d>,
    selections: &Selections<'d>,
    hierarchies: &[Hierarchy<'_, '_>],
) -> Vec<Diagnostic> {
    let levels = Levels::new(resources, selections);
    let mut found = Vec::new();
    of_level(&levels.metrics_instances, &levels, &mut found);
    of_level(&levels.logs_instances, &levels, &mut found);
    of_level(&levels.integrations, &levels, &mut found);
    of_level(&levels.service_monitors, &levels, &mut found);
    of_level(&levels.pod_monitors, &levels, &mut found);
    of_level(&levels.probes, &levels, &mut found);
    of_level(&levels.pod_logs, &levels, &mut found);
    selects_nothing::check_missing(&levels.metrics_instances, &mut found);
    selects_nothing::check_missing(&levels.logs_instances, &mut found);
    selects_nothing::check_missing(&levels.integrations, &mut found);
    shared_instance::check(&levels.metrics_instances, &mut found);
    shared_instance::check(&levels.logs_instances, &mut found);
    duplicate_scrape::check(&resources.refusals, hierarchies, &mut found);
    found
}

fn of_level<C>(level: &Level<'_, '_, C>, levels: &Levels<'_, '_>, found: &mut Vec<Diagnostic>) {
    unselected::check(level, levels, found);
    selects_nothing::check(level, levels, found);
}
