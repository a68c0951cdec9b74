//! How much of two configurations is compared.

/// How much of two configurations is of interest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::diff) struct Interest {
    /// Lines around a difference; `None` keeps all jobs that are the same.
    pub(in crate::diff) context: Option<usize>,
    /// Number of jobs that differ; `None` keeps all of them.
    pub(in crate::diff) jobs: Option<usize>,
}

impl Interest {
    pub(in crate::diff) const ALL: Self = Self {
        context: None,
        jobs: None,
    };
}
