//! Selection of the agents to compile.

use std::collections::BTreeSet;

use super::{JobLimit, MissingSecrets, SecretMode, Selector, diagnostics, parse_selector};
use crate::api::{GrafanaAgent, Kind, ObjectRef, Resource, Resources};
use crate::diagnostic::Diagnostic;

/// Options for resolving agents.
#[derive(Clone, Debug, Default)]
pub struct ResolveOptions {
    /// Names of the agents to compile (`--agent`). If empty, all agents are compiled. A name without a namespace must
    /// be unique.
    pub agents: Vec<(Option<String>, String)>,
    /// Label selector for the agents to compile (`--agent-selector`).
    pub agent_selector: Option<String>,
    /// Handling of missing values (`--missing-secrets`).
    pub missing_secrets: MissingSecrets,
    /// Handling of Secret values (`--secrets`).
    pub secrets: SecretMode,
    /// Maximum number of scrape jobs across all agents (`--limit jobs=NUMBER`).
    pub max_jobs: JobLimit,
}

/// Returns the agents that `--agent` and `--agent-selector` select. Paused agents are omitted and reported.
pub fn select_agents<'h, 'd>(
    resources: &'h Resources<'d>,
    options: &ResolveOptions,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<&'h Resource<'d, GrafanaAgent<'d>>> {
    let selector = match agent_selector(options) {
        Ok(selector) => selector,
        Err(invalid) => {
            diagnostics.push(*invalid);
            return Vec::new();
        }
    };
    diagnostics.extend(unknown_agents(resources, options));
    let (paused_agents, active_agents): (Vec<_>, Vec<_>) = resources
        .agents
        .iter()
        .filter(|agent| selector.matches(&agent.meta.labels) && is_requested(agent, options))
        .partition(|agent| agent.spec.paused);
    diagnostics.extend(paused_agents.into_iter().map(diagnostics::paused_agent));
    active_agents
}

/// Returns the selector in `--agent-selector`, or a selector that selects everything if the flag is not set.
///
/// # Errors
///
/// Fails if the string is not a selector, or if Kubernetes rejects it.
pub fn agent_selector(options: &ResolveOptions) -> Result<Selector<'_>, Box<Diagnostic>> {
    let text = options.agent_selector.as_deref().unwrap_or_default();
    read_agent_selector(text).map_err(|reason| Box::new(diagnostics::invalid_agent_selector(&reason)))
}

/// Parses the value of `--agent-selector`.
///
/// # Errors
///
/// Fails if `text` is not a valid selector. The error contains the reason.
pub fn read_agent_selector(text: &str) -> Result<Selector<'_>, String> {
    let selector = parse_selector(text)?;
    Selector::new(&selector).map_err(|invalid| invalid.reason)
}

/// Whether `--agent` selects the agent. True if the flag is not set.
pub fn is_requested(agent: &Resource<'_, GrafanaAgent<'_>>, options: &ResolveOptions) -> bool {
    let mut requested_agents = options.agents.iter();
    options.agents.is_empty() || requested_agents.any(|wanted| refers_to(wanted, agent.object_ref()))
}

/// Whether a name, with or without a namespace, refers to an agent.
fn refers_to((namespace, name): &(Option<String>, String), agent: ObjectRef<'_>) -> bool {
    agent.name == name && namespace.as_deref().is_none_or(|namespace| agent.namespace == namespace)
}

/// Returns findings for the values of `--agent` that match no agent or several agents. Agents that were rejected have
/// already been reported.
fn unknown_agents(resources: &Resources<'_>, options: &ResolveOptions) -> Vec<Diagnostic> {
    let rejected_agents = resources.rejected_objects.iter().copied();
    let rejected_agents = rejected_agents.filter(|object| object.kind == Kind::GrafanaAgent);
    let agents = resources.agents.iter().map(|agent| agent.object_ref());
    let agent_refs: BTreeSet<_> = agents.chain(rejected_agents).collect();
    let findings = options.agents.iter().filter_map(|wanted| {
        let (namespace, name) = wanted;
        let matching_agents: Vec<_> = agent_refs.iter().filter(|agent| refers_to(wanted, **agent)).copied().collect();
        match matching_agents.as_slice() {
            [] => Some(diagnostics::unknown_agent(resources, namespace.as_deref(), name)),
            [_] => None,
            several => Some(diagnostics::ambiguous_agent(name, several)),
        }
    });
    findings.collect()
}
