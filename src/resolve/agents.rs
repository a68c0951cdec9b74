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
    let selector = match agent_selector(options) {
        Ok(selector) => selector,
        Err(invalid) => {
            diagnostics.push(*invalid);
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

/// What `--agent-selector` asks of agents; without it, nothing.
///
/// # Errors
///
/// A text that is no selector, or one that Kubernetes refuses.
pub fn agent_selector(options: &Options) -> Result<Selector<'_>, Box<Diagnostic>> {
    let text = options.agent_selector.as_deref().unwrap_or_default();
    selector_text::parse(text)
        .and_then(|selector| Selector::new(&selector).map_err(|invalid| invalid.reason))
        .map_err(|reason| Box::new(diagnostics::invalid_agent_selector(&reason)))
}
