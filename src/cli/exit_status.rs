//! What a run tells scripts.

use std::process::ExitCode;

/// The exit status; scripts depend on the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// Fine.
    Success = 0,
    /// The input has errors; of `diff`: there are differences.
    Findings = 1,
    /// Wrong usage, or the environment: no such file, cannot write.
    Trouble = 2,
}

impl ExitStatus {
    /// The status of a run that can find something.
    pub(super) fn findings_if(found: bool) -> Self {
        if found { Self::Findings } else { Self::Success }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        ExitCode::from(status as u8)
    }
}
