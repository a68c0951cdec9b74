//! The arguments of commands about one agent: its name, and the paths behind it.

use std::ffi::OsString;
use std::path::Path;

use clap::Args;

use super::completion;
use crate::diagnostic::Diagnostic;
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

    /// Says of an agent that is not found that its name is that of a file or directory.
    pub(super) fn or_path(&self, mut unknown: Box<Diagnostic>) -> Box<Diagnostic> {
        if let Some(name) = self.name().filter(|name| Path::new(name).exists()) {
            unknown.help = Some(format!(
                "pass the path as `-f {name}`: a word alone is the name of an agent"
            ));
        }
        unknown
    }

    /// Whether there is any of them.
    pub(super) fn is_given(&self) -> bool {
        self.agent.is_some()
    }
}
