//! How a configuration is written, and what is known of it afterwards.

use super::loss::Loss;
use crate::plan::Secrets;

/// How a configuration is written.
#[derive(Clone, Copy, Debug)]
pub struct Writing {
    /// Whether credentials that were taken out of additional scrape jobs have files of their own ([`super::files`]), and are not only in
    /// the YAML of the jobs.
    pub has_files_of_credentials: bool,
    /// How secrets appear.
    pub secrets: Secrets,
}

/// What is known of a configuration once it is written.
pub struct Written<'p> {
    /// What Alloy cannot do as the agent did.
    pub losses: Vec<Loss<'p>>,
    /// Whether anything in it is masked.
    pub has_masked: bool,
}
