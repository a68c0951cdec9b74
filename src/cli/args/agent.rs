//! The arguments of commands about one agent: its name, and the paths behind it.

use std::ffi::OsString;

use clap::Args;

use crate::cli::completion;
use crate::cli::subject::is_input;
use crate::diagnostic::Diagnostic;
use crate::insight::catalogue::{Catalogue, Located};
use crate::insight::resolved::Resolved;
use crate::insight::source_map::{agent, hierarchy};
use crate::resolve::Hierarchy;

/// An agent and the input, each optional.
#[derive(Clone, Debug, Args)]
pub(in crate::cli) struct AgentArgs {
    /// The GrafanaAgent; optional if the input has only one
    ///
    /// A word that exists as a file or directory is a path; grafanaagent/NAMESPACE/NAME is never one.
    #[arg(id = "of_agent", value_name = "[NAMESPACE/]NAME", add = completion::agents())]
    agent: Option<String>,

    /// Files or directories, as with -f
    #[arg(value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    paths: Vec<OsString>,
}

impl AgentArgs {
    /// The name of the agent.
    pub(in crate::cli) fn name(&self) -> Option<&str> {
        self.agent.as_deref().filter(|agent| !is_input(agent))
    }

    /// The paths, with the first argument if it cannot be the name of an agent.
    pub(in crate::cli) fn paths(&self) -> Vec<OsString> {
        let first = self.agent.iter().filter(|agent| is_input(agent));
        first.map(OsString::from).chain(self.paths.iter().cloned()).collect()
    }

    /// The agent that is meant, with what it selects. Where it is not found, `found` gets the reason, and keeps of the rest what may
    /// hide the agent.
    pub(in crate::cli) fn find<'d>(
        &self,
        catalogue: &Catalogue<'_, 'd>,
        input: &Resolved<'d>,
        found: &mut Vec<Diagnostic>,
    ) -> Option<(Located<'d>, &'d Hierarchy<'d, 'd>)> {
        let chosen = agent(self.name(), catalogue).inspect_err(|_| catalogue.retain_hiding(found));
        let chosen = chosen.and_then(|agent| Ok((agent, hierarchy(&agent, input.hierarchies, input.resources)?)));
        chosen.map_err(|error| found.push(*error)).ok()
    }

    /// Whether there is any of them.
    pub(in crate::cli) fn is_given(&self) -> bool {
        self.agent.is_some()
    }
}
