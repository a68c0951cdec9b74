//! What a plan is turned into: the configuration of the program that runs it.

pub mod agent;
pub mod alloy;
mod shares;
mod variables;

pub use alloy::AlloyDiscovery;
pub use variables::{Variables, broken_start};

use crate::plan::Watcher;

/// The container of the program, whichever it is: the user's patches find it by the name that it has with the agent.
pub const CONTAINER: &str = "grafana-agent";

/// The program that does what a plan says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Target {
    /// Grafana Agent, as the operator runs it.
    #[default]
    Agent,
    /// Grafana Alloy.
    Alloy(alloy::Settings),
}

/// What a configuration is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Language {
    /// The YAML of Grafana Agent, whose jobs are the items of lists.
    Agent,
    /// The language of Grafana Alloy, whose components are blocks.
    Alloy,
}

impl Language {
    /// The key of a configuration in its Secret, which is also the name of its file.
    pub fn file(self) -> &'static str {
        match self {
            Language::Agent => "agent.yml",
            Language::Alloy => "config.alloy",
        }
    }
}

impl Target {
    /// What its configurations are written in.
    pub fn language(&self) -> Language {
        match self {
            Target::Agent => Language::Agent,
            Target::Alloy(_) => Language::Alloy,
        }
    }

    /// The key of the configuration in its Secret, which is also the name of its file.
    pub fn file(&self) -> &'static str {
        self.language().file()
    }

    /// Whether a configuration holds values of Secrets.
    pub fn inlines_secrets(&self) -> bool {
        match self {
            Target::Agent => true,
            Target::Alloy(_) => false,
        }
    }

    /// What the program can do to find monitors itself; none where it does not.
    pub fn watcher(&self) -> Option<Watcher> {
        match self {
            Target::Agent => None,
            Target::Alloy(settings) => settings.watcher(),
        }
    }
}
