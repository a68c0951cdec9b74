//! How a configuration is written, and what is known of it afterwards.

use super::version::Version;
use crate::diagnostic::Diagnostic;
use crate::plan::{Secrets, Watcher};

/// How a configuration is written.
#[derive(Clone, Copy, Debug)]
pub struct Writing {
    /// Whether credentials that were taken out of additional scrape jobs have files of their own ([`super::files`]), and are not only in
    /// the YAML of the jobs.
    pub has_files_of_credentials: bool,
    pub secrets: Secrets,
    /// The version of Alloy.
    pub version: Version,
    /// Whether Alloy finds monitors itself where it can.
    pub watcher: Option<Watcher>,
}

/// What is known of a configuration once it is written.
pub struct Written {
    /// What Alloy cannot do as the agent did.
    pub losses: Vec<Diagnostic>,
    /// Whether anything in it is masked.
    pub has_masked: bool,
}
