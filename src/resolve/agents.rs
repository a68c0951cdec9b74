//! Which agents are compiled.

use super::{Options, Selector, diagnostics, selector_text};
use crate::api::{GrafanaAgent, Resource, Resources};
use crate::diagnostic::Diagnostic;

/// The agents that `--agent-selector` leaves and that are not paused, which is said.
pub fn to_compile<'h, 'd>(
    resources: &'h Resources<'d>,
    options: &Options,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<&'h Resource<'d, GrafanaAgent<'d>>> {
    let text = options.agent_selector.as_deref().unwrap_or_default();
    let selector = match selector_text::parse(text).and_then(|s| Selector::new(&s).map_err(|e| e.reason)) {
        Ok(selector) => selector,
        Err(reason) => {
            diagnostics.push(diagnostics::invalid_agent_selector(&reason));
            return Vec::new();
        }
    };
    let (paused, compiled): (Vec<_>, Vec<_>) = resources
        .agents
        .iter()
        .filter(|agent| selector.matches(&agent.meta.labels))
        .partition(|agent| agent.spec.paused);
    diagnostics.extend(paused.into_iter().map(diagnostics::paused));
    compiled
}
