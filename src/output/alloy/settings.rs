//! Settings of Alloy, and facts about a written configuration.

use super::version::Version;
use crate::diagnostic::Diagnostic;
use crate::plan::Watcher;

/// How Alloy runs, and what its configurations may have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The image that has it.
    pub image: String,
    /// Whether credentials that were taken out of additional scrape jobs have files of their own in `<agent>-secrets`
    /// ([`super::files`]), and are not only in the YAML of the jobs: it cannot have them where others deliver the values of Secrets.
    pub has_files_of_credentials: bool,
    /// Whether the configuration is kept where nothing of a Secret may be: of additional scrape jobs, it has nothing but what is
    /// known to be a setting.
    pub is_public: bool,
    /// Who reads monitors.
    pub discovery: AlloyDiscovery,
}

impl Settings {
    /// The version that the image has.
    pub fn version(&self) -> Version {
        Version::of_image(&self.image)
    }

    /// What this version can do to find monitors itself; none where it does not.
    pub fn watcher(&self) -> Option<Watcher> {
        let can_deny_files = self.version() > Version::OLDEST;
        (self.discovery == AlloyDiscovery::Dynamic).then_some(Watcher { can_deny_files })
    }
}

/// Who reads monitors with Alloy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum AlloyDiscovery {
    /// agentctl, which writes a pipeline for each endpoint
    #[default]
    Static,
    /// Alloy, which needs no new configuration for a new monitor
    Dynamic,
}

/// What is known of a configuration once it is written.
pub struct Written {
    /// What Alloy cannot do as the agent did.
    pub losses: Vec<Diagnostic>,
    /// Whether anything in it is masked.
    pub has_masked: bool,
}
