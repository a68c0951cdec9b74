//! Kinds of objects that rules apply to.

/// Kind of object that a list of rules applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// Targets to scrape.
    Target,
    /// Targets that Alloy scrapes.
    AlloyTarget,
    /// Targets whose logs are read.
    LogTarget,
    /// Samples that a scrape returns.
    Sample,
    /// Samples that are sent to receivers.
    SentSample,
}

impl Subject {
    /// Returns `target` or `sample`.
    pub(super) fn noun(self) -> &'static str {
        match self {
            Subject::Target | Subject::AlloyTarget | Subject::LogTarget => "target",
            Subject::Sample | Subject::SentSample => "sample",
        }
    }

    pub(super) fn is_target(self) -> bool {
        matches!(self, Subject::Target | Subject::AlloyTarget | Subject::LogTarget)
    }
}
