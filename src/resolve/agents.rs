//! Which agents are compiled, and how.

use std::collections::BTreeSet;

use super::{JobLimit, MissingSecrets, SecretMode, Selector, diagnostics, parse_selector};
use crate::api::{GrafanaAgent, Kind, ObjectRef, Resource, Resources};
use crate::diagnostic::Diagnostic;

/// Which agents are compiled, and how.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Only these agents, by namespace and name (`--agent`); all if there are none. A name alone means the only agent of it.
    pub agents: Vec<(Option<String>, String)>,
    /// Only agents with these labels (`--agent-selector`).
    pub agent_selector: Option<String>,
    /// What to do when a value is missing (`--missing-secrets`).
    pub missing_secrets: MissingSecrets,
    /// How the values of Secrets get to the agent (`--secrets`).
    pub secrets: SecretMode,
    /// Maximum number of scrape jobs of all agents (`--max-jobs`).
    pub max_jobs: JobLimit,
}

/// The agents that `--agent` and `--agent-selector` leave and that are not paused, which is said.
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
    diagnostics.extend(unknown(resources, options));
    let (paused, compiled): (Vec<_>, Vec<_>) = resources
        .agents
        .iter()
        .filter(|agent| selector.matches(&agent.meta.labels) && is_asked_for(agent, options))
        .partition(|agent| agent.spec.paused);
    diagnostics.extend(paused.into_iter().map(diagnostics::paused));
    compiled
}

/// Returns the selector of `--agent-selector`; without the flag, one that asks for nothing.
///
/// # Errors
///
/// A text that is not a selector, or one that Kubernetes refuses.
pub fn agent_selector(options: &Options) -> Result<Selector<'_>, Box<Diagnostic>> {
    let text = options.agent_selector.as_deref().unwrap_or_default();
    read_agent_selector(text).map_err(|reason| Box::new(diagnostics::invalid_agent_selector(&reason)))
}

/// A selector that `--agent-selector` takes.
///
/// # Errors
///
/// What is wrong with the text.
pub fn read_agent_selector(text: &str) -> Result<Selector<'_>, String> {
    let selector = parse_selector(text)?;
    Selector::new(&selector).map_err(|invalid| invalid.reason)
}

/// Whether `--agent` names an agent, or none.
pub fn is_asked_for(agent: &Resource<'_, GrafanaAgent<'_>>, options: &Options) -> bool {
    let mut named = options.agents.iter();
    options.agents.is_empty() || named.any(|wanted| is_meant(wanted, agent.object_ref()))
}

/// Whether a name, with a namespace or without one, means an agent.
fn is_meant((namespace, name): &(Option<String>, String), agent: ObjectRef<'_>) -> bool {
    agent.name == name
        && namespace
            .as_deref()
            .is_none_or(|namespace| agent.namespace == namespace)
}

/// The agents that `--agent` names and that are not there, or that several are called. One that was refused has its error
/// already.
fn unknown(resources: &Resources<'_>, options: &Options) -> Vec<Diagnostic> {
    let refused = resources.refused.iter().copied();
    let refused = refused.filter(|object| object.kind == Kind::GrafanaAgent);
    let agents = resources.agents.iter().map(|agent| agent.object_ref());
    let all: BTreeSet<_> = agents.chain(refused).collect();
    let found = options.agents.iter().filter_map(|wanted| {
        let (namespace, name) = wanted;
        let meant: Vec<_> = all.iter().filter(|agent| is_meant(wanted, **agent)).copied().collect();
        match meant.as_slice() {
            [] => Some(diagnostics::unknown_agent(resources, namespace.as_deref(), name)),
            [_] => None,
            several => Some(diagnostics::ambiguous_agent(name, several)),
        }
    });
    found.collect()
}
