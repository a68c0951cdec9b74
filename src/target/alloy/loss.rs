//! What Alloy cannot do as the agent did.

use crate::diagnostic::{Code, Diagnostic};
use crate::plan::Origin;

/// Something of the plan that the configuration of Alloy lacks, or has otherwise.
#[derive(Clone, Debug)]
pub struct Loss<'p> {
    /// Which rule.
    pub code: Code,
    /// The field that is lost.
    pub origin: Origin<'p>,
    /// What is lost.
    pub message: String,
    /// What to do.
    pub help: &'static str,
}

impl Loss<'_> {
    /// The finding.
    pub fn diagnostic(&self) -> Diagnostic {
        self.origin.diagnostic(self.code, self.message.as_str()).help(self.help)
    }
}
