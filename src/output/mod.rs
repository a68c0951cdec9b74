//! Configurations for the programs that can execute a plan.

pub mod agent;
pub mod alloy;
mod shares;
mod variables;

pub use alloy::AlloyDiscovery;
pub use variables::{CONTAINER, Variables, broken_start};

use crate::plan::Watcher;

/// Program that runs a plan and reads its configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Target {
    /// Grafana Agent, as the operator runs it.
    #[default]
    Agent,
    /// Grafana Alloy, with the settings for its output.
    Alloy(alloy::AlloySettings),
}

/// Language of a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Language {
    /// YAML for Grafana Agent, with jobs as list items.
    Agent,
    /// Grafana Alloy's configuration syntax, with components as blocks.
    Alloy,
}

impl Language {
    /// Returns the Secret key that contains a configuration in this language. The key is also the configuration's file
    /// name.
    pub fn file(self) -> &'static str {
        match self {
            Language::Agent => "agent.yml",
            Language::Alloy => "config.alloy",
        }
    }
}

impl Target {
    /// Returns the language of the program's configurations.
    pub fn language(&self) -> Language {
        match self {
            Target::Agent => Language::Agent,
            Target::Alloy(_) => Language::Alloy,
        }
    }

    /// Returns the Secret key that contains the program's configuration. The key is also the configuration's file name.
    pub fn file(&self) -> &'static str {
        self.language().file()
    }

    /// Whether a configuration contains Secret values.
    pub fn inlines_secrets(&self) -> bool {
        match self {
            Target::Agent => true,
            Target::Alloy(_) => false,
        }
    }

    /// Returns the features that the program uses to discover monitors itself, or `None` if it does not discover
    /// monitors.
    pub fn watcher(&self) -> Option<Watcher> {
        match self {
            Target::Agent => None,
            Target::Alloy(settings) => settings.watcher(),
        }
    }
}
