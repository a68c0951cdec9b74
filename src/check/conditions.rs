//! Circumstances besides the input that findings depend on.

use jiff::Timestamp;

use crate::output::Target;

/// Circumstances besides the input that a check depends on.
#[derive(Clone, Copy, Debug)]
pub struct Conditions<'c> {
    /// Program that runs the configuration.
    pub target: &'c Target,
    /// Time at which certificates must be valid, if requested.
    pub at: Option<Timestamp>,
}
