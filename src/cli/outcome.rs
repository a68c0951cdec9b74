//! Outcome of a run, and its exit status.

use std::process::ExitCode;

use crate::diagnostic::EnvironmentError;

/// Exit status. Scripts depend on the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    Success = 0,
    /// The input has errors, or `diff` found differences.
    Findings = 1,
    /// The command line is wrong, or the environment caused an error, such as a missing file.
    Trouble = 2,
}

impl ExitStatus {
    /// Returns `Findings` if `has_findings` is true, and `Success` otherwise.
    pub(super) fn findings_if(has_findings: bool) -> Self {
        if has_findings { Self::Findings } else { Self::Success }
    }

    /// Returns the first status that is not `Success`.
    pub(super) fn or(self, next: Self) -> Self {
        if self == Self::Success { next } else { self }
    }
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        ExitCode::from(status as u8)
    }
}

/// Result of a command, or of a step within it.
pub(super) type Outcome<T = ExitStatus> = Result<T, Stop>;

/// Reason that a run stops.
pub(super) enum Stop {
    /// The command line requests help or is invalid. Arguments that the settings file adds may be the cause.
    Usage {
        error: clap::Error,
        defaults: Vec<String>,
    },
    /// The input has errors, which have been reported.
    Reported,
    Trouble(EnvironmentError),
}

impl From<EnvironmentError> for Stop {
    fn from(error: EnvironmentError) -> Self {
        Stop::Trouble(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_unsuccessful_step_determines_the_status() {
        use ExitStatus::{Findings, Success, Trouble};

        for (first, next, expected) in [
            (Success, Success, Success),
            (Success, Findings, Findings),
            (Success, Trouble, Trouble),
            (Findings, Success, Findings),
            (Findings, Trouble, Findings),
            (Trouble, Findings, Trouble),
        ] {
            assert_eq!(first.or(next), expected, "{first:?} {next:?}");
        }
        assert_eq!([false, true].map(ExitStatus::findings_if), [Success, Findings]);
        let codes = [Success, Findings, Trouble].map(|status| status as u8);
        assert_eq!(codes, [0, 1, 2]);
    }
}
