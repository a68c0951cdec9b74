//! What decides about findings besides the input.

use jiff::Timestamp;

use crate::output::Target;

/// What a check depends on besides the input.
#[derive(Clone, Copy, Debug)]
pub struct Conditions<'c> {
    /// The program that runs.
    pub target: &'c Target,
    /// When certificates have to be valid, where that is asked.
    pub at: Option<Timestamp>,
}
