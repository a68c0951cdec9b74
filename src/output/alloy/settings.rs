//! Settings of Alloy, and facts about a written configuration.

use super::version::Version;
use crate::diagnostic::Diagnostic;
use crate::plan::Watcher;

/// Settings of Alloy and of its configurations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Image of Alloy.
    pub image: String,
    /// Whether credentials from additional scrape jobs have files of their own in `<agent>-secrets`
    /// ([`super::files`]). If other tools deliver the values of Secrets, they are only in the YAML of the jobs.
    pub has_files_of_credentials: bool,
    /// Whether the configuration is stored where nothing of a Secret may be. Additional scrape jobs then keep only
    /// what is known to be a setting.
    pub is_public: bool,
    /// Component that discovers monitors.
    pub discovery: AlloyDiscovery,
}

impl Settings {
    /// Returns the version of the image.
    pub fn version(&self) -> Version {
        Version::of_image(&self.image)
    }

    /// Returns the features with which this version finds monitors itself, or `None` if it does not.
    pub fn watcher(&self) -> Option<Watcher> {
        let can_deny_files = self.version() > Version::OLDEST;
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

/// Facts about a written configuration.
pub struct Written {
    /// Findings for what Alloy cannot do as the agent does.
    pub losses: Vec<Diagnostic>,
    /// Whether anything in it is masked.
    pub has_masked: bool,
}
