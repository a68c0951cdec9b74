//! The arguments of commands about one agent: its name, and the paths behind it.

use std::ffi::OsString;

use clap::Args;

use super::completion;
use crate::insight::source_map::is_path;

/// An agent and the input, each optional.
#[derive(Clone, Debug, Args)]
pub(super) struct AgentArgs {
    /// The GrafanaAgent; optional if the input has only one
    #[arg(id = "of_agent", value_name = "[NAMESPACE/]NAME", add = completion::agents())]
    agent: Option<String>,

    /// Files or directories, as with -f
    #[arg(value_name = "PATH", value_hint = clap::ValueHint::AnyPath)]
    paths: Vec<OsString>,
}

impl AgentArgs {
    /// The name of the agent.
    pub(super) fn name(&self) -> Option<&str> {
        self.agent.as_deref().filter(|agent| !is_path(agent))
    }

    /// The paths, with the first argument if it cannot be the name of an agent.
    pub(super) fn paths(&self) -> Vec<OsString> {
        let first = self.agent.iter().filter(|agent| is_path(agent));
        first.map(OsString::from).chain(self.paths.iter().cloned()).collect()
    }

    /// Whether there is any of them.
    pub(super) fn is_given(&self) -> bool {
        self.agent.is_some()
    }
}
