//! Conditions, other than the input, that findings depend on.

use jiff::Timestamp;

use crate::output::Target;

/// Conditions, other than the input, that a check depends on.
#[derive(Clone, Copy, Debug)]
pub struct Conditions<'c> {
    /// Program that runs the configuration.
    pub target: &'c Target,
    /// Time at which certificates must be valid, or `None` to skip this check.
    pub certificate_time: Option<Timestamp>,
    /// Whether to follow labels through relabeling rules and pipelines.
    pub follows_labels: bool,
}
