//! Settings for Alloy, and facts about a written configuration.

use super::version::AlloyVersion;
use crate::diagnostic::Diagnostic;
use crate::plan::Watcher;

/// Settings for Alloy and its configurations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AlloySettings {
    pub image: String,
    /// Whether credentials from additional scrape jobs are stored in separate files in `<agent>-secrets`
    /// ([`crate::output::alloy::files`]). If other tools provide the Secret values, the credentials remain only in the
    /// YAML of the jobs.
    pub has_files_of_credentials: bool,
    /// Whether the configuration is stored in a location that must not contain any part of a Secret. In that case,
    /// additional scrape jobs are reduced to known settings.
    pub is_public: bool,
    /// Program that discovers monitors.
    pub discovery: AlloyDiscovery,
}

impl AlloySettings {
    /// Returns the version of Alloy in the image.
    pub fn version(&self) -> AlloyVersion {
        AlloyVersion::from_image(&self.image)
    }

    /// Returns the features that this version uses to discover monitors itself, or `None` if it does not discover
    /// monitors.
    pub fn watcher(&self) -> Option<Watcher> {
        let can_deny_files = self.version() > AlloyVersion::OLDEST;
        (self.discovery == AlloyDiscovery::Dynamic).then_some(Watcher { can_deny_files })
    }
}

/// Component that discovers monitors for Alloy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum AlloyDiscovery {
    /// agentctl, which writes a pipeline for each endpoint
    #[default]
    Static,
    /// Alloy, which needs no new configuration for a new monitor
    Dynamic,
}

/// Facts about a configuration that has been written.
pub struct ConfigurationFacts {
    /// Findings for behavior of the agent that Alloy does not support.
    pub losses: Vec<Diagnostic>,
    /// Whether any part of the configuration is masked.
    pub has_masked: bool,
}
