//! Conditions that findings depend on in addition to the input.

use jiff::Timestamp;

use crate::output::Target;

/// Conditions that a check depends on in addition to the input.
#[derive(Clone, Copy, Debug)]
pub struct Conditions<'c> {
    /// Program that runs the configuration.
    pub target: &'c Target,
    /// Time at which certificates must be valid, or `None` to skip that check.
    pub certificate_time: Option<Timestamp>,
    /// Whether to follow labels through relabeling rules and pipelines.
    pub follows_labels: bool,
}
