//! Agents that select neither an instance nor an Integration. The operator creates no pods for them.

use std::collections::{BTreeMap, BTreeSet};

use super::diagnostics;
use super::level::{Parent, SelectionLevel};
use crate::api::{Kind, ObjectRef};
use crate::diagnostic::{Code, Diagnostic, ObjectKey};

/// Parents that are nearest to an unselected resource, each with the cause of the first finding that mentions the
/// parent.
pub type NearestParents<'h> = BTreeMap<ObjectRef<'h>, Option<String>>;

/// Reports agents that select nothing (`createMetricsStatefulSets` and similar functions in `static/operator` return
/// early). Selectors that select nothing are reported separately. If the agent is nearest to an unselected resource,
/// the finding is a consequence of the one about that resource, which explains more.
pub fn check(levels: &[SelectionLevel<'_, '_>], nearest: &NearestParents<'_>, findings: &mut Vec<Diagnostic>) {
    let agent_levels = levels.iter().filter(|level| level.relation.parent == Kind::GrafanaAgent);
    let levels: Vec<_> = agent_levels.collect();
    let explained_findings = findings.iter().filter(|finding| finding.code == Code::SelectsNothing);
    let explained_findings: BTreeSet<_> = explained_findings.filter_map(|finding| finding.resource.clone()).collect();
    let agents = levels.first().map_or(&[][..], |level| level.parents.as_slice());
    let is_idle = |parent: Option<&Parent<'_, '_>>| {
        parent.is_some_and(|parent| parent.is_known && !parent.paused && parent.selected.is_empty())
    };
    for (i, agent) in agents.iter().enumerate() {
        let agent_parents = || levels.iter().map(|level| level.parents.get(i));
        let is_explained = || explained_findings.contains(&ObjectKey::from(agent.head.object_ref()));
        if agent_parents().all(is_idle) && !is_explained() {
            let idle = diagnostics::idle_agent(&agent_parents().flatten().collect::<Vec<_>>());
            findings.extend(idle.map(|idle| match nearest.get(&agent.head.object_ref()) {
                Some(Some(cause)) => idle.consequence_of(cause.clone()),
                _ => idle,
            }));
        }
    }
}
