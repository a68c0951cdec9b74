//! Arguments for commands about a single agent: its name, followed by paths.

use std::ffi::OsString;

use clap::Args;

use crate::cli::completion;
use crate::cli::subject::is_input;
use crate::diagnostic::Diagnostic;
use crate::insight::catalog::{Catalog, LocatedResource};
use crate::insight::resolved::ResolvedInput;
use crate::insight::source_map::{agent, hierarchy};
use crate::resolve::Hierarchy;

/// Agent and input paths, both optional.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct AgentArgs {
    /// The GrafanaAgent; optional if the input has only one
    ///
    /// An argument that exists as a file or directory is a path; grafanaagent/NAMESPACE/NAME never is.
    #[arg(id = "of_agent", value_name = "[NAMESPACE/]NAME", add = completion::agents())]
    agent: Option<String>,

    /// Files or directories, as with -f
    #[arg(value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    paths: Vec<OsString>,
}

impl AgentArgs {
    /// Returns the agent's name, or `None` if it is not given or the first argument is a path.
    pub(in crate::cli) fn name(&self) -> Option<&str> {
        self.agent.as_deref().filter(|agent| !is_input(agent))
    }

    /// Returns the paths, including the first argument if it is a path.
    pub(in crate::cli) fn paths(&self) -> Vec<OsString> {
        let first_path = self.agent.iter().filter(|agent| is_input(agent));
        first_path.map(OsString::from).chain(self.paths.iter().cloned()).collect()
    }

    /// Finds the requested agent and its selections. If there is no such agent, adds the reason to `findings` and
    /// removes all other findings except those that may explain it.
    pub(in crate::cli) fn find<'d>(
        &self,
        catalog: &Catalog<'_, 'd>,
        input: &ResolvedInput<'d>,
        findings: &mut Vec<Diagnostic>,
    ) -> Option<(LocatedResource<'d>, &'d Hierarchy<'d, 'd>)> {
        let chosen = agent(self.name(), catalog).inspect_err(|_| catalog.retain_explanations(findings));
        let chosen = chosen.and_then(|agent| Ok((agent, hierarchy(&agent, input.hierarchies, input.resources)?)));
        chosen.map_err(|error| findings.push(*error)).ok()
    }

    /// Whether an agent or a path is given.
    pub(in crate::cli) fn is_given(&self) -> bool {
        self.agent.is_some()
    }
}
