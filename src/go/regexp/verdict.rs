//! Results of checking a regular expression.

use std::ops::Range;

/// Go releases that accept an expression, determined by the part that requires the latest release.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum AcceptingReleases {
    #[default]
    Always,
    /// Go 1.22 and later, because of `(?<name>…)`.
    NamedGroup,
    /// Go 1.22 and later, because of a script in `\p{…}` that earlier releases do not include.
    RecentScript,
    /// Go 1.25 and later, which look up `\p{…}` case-insensitively and support the long category names.
    LooseName,
}

/// Problems with part of an expression, as phrases that follow that part in a message.
pub mod problem {
    pub const UNCLOSED_GROUP: &str = "has no closing `)`";
    pub const UNOPENED_GROUP: &str = "has no opening `(`";
    pub const UNCLOSED_CLASS: &str = "has no closing `]`";
    pub const UNCLOSED_PROPERTY: &str = "has no closing `}`";
    pub const REVERSED_RANGE: &str = "is a range that ends before it starts";
    pub const UNKNOWN_POSIX_CLASS: &str = "is not a POSIX class";
    pub const UNKNOWN_PROPERTY: &str = "is not a Unicode category or script";
    pub const UNKNOWN_ESCAPE: &str = "is not a valid escape";
    pub const TRAILING_BACKSLASH: &str = "has nothing to escape";
    pub const INVALID_GROUP_NAME: &str = "is not a valid named group: the name must consist of letters, digits and `_`";
    pub const UNKNOWN_GROUP: &str =
        "is not supported: RE2 has no lookaround or backreferences, and supports only the flags `i`, `m`, `s` and `U`";
    pub const NOTHING_TO_REPEAT: &str = "has nothing to repeat";
    pub const REPEATED_REPETITION: &str = "is an invalid nested repetition";
    pub const REPEAT_TOO_LARGE: &str = "is not a valid repetition: the limit is 1000, and nested repetitions multiply";
    pub const UNCLOSED_QUOTE: &str = "has no closing `\\E`";
    pub const TOO_DEEP: &str = "is nested more than 1000 levels deep";
}

/// Reason why an expression is rejected, and the bytes that cause the problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Byte range of the problem in the expression.
    pub at: Range<usize>,
    /// One of the constants in `problem`.
    pub problem: &'static str,
}

/// Maximum number of characters that a message quotes from an expression.
const MAX_QUOTED: usize = 40;

impl Error {
    /// Describes the problem in a sentence without a period.
    pub fn describe(&self, pattern: &str) -> String {
        let text = pattern.get(self.at.clone()).unwrap_or(pattern);
        let quoted: String = text.chars().take(MAX_QUOTED).collect();
        let ellipsis = if quoted.len() < text.len() { "…" } else { "" };
        format!("`{quoted}{ellipsis}` {}", self.problem)
    }

    /// Describes the problem without quoting the expression, which may be secret.
    pub fn describe_unquoted(&self) -> String {
        let subject = match self.problem {
            problem::UNCLOSED_GROUP => "a `(`",
            problem::UNOPENED_GROUP => "a `)`",
            problem::UNCLOSED_CLASS => "a `[`",
            problem::NOTHING_TO_REPEAT | problem::REPEATED_REPETITION => "a repetition operator",
            _ => "part of it",
        };
        format!("{subject} {}", self.problem)
    }
}
