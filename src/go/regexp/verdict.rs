//! What Go says of an expression.

use std::ops::Range;

/// Which releases of Go accept an expression.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Accepted {
    #[default]
    Always,
    /// Go 1.22 and later, which have `(?<name>…)`.
    SinceGo122,
    /// Go 1.25 and later, which look up `\p{…}` without regard to case, and know the long names of categories.
    SinceGo125,
}

/// What is wrong with the text in question, as the rest of a sentence that starts with it.
pub mod problem {
    pub const UNCLOSED_GROUP: &str = "is not closed by `)`";
    pub const UNOPENED_GROUP: &str = "closes no group";
    pub const UNCLOSED_CLASS: &str = "is not closed by `]`";
    pub const UNCLOSED_PROPERTY: &str = "is not closed by `}`";
    pub const REVERSED_RANGE: &str = "is a range that ends before it starts";
    pub const UNKNOWN_POSIX_CLASS: &str = "is not a POSIX class";
    pub const UNKNOWN_PROPERTY: &str = "is not a category or script of Unicode";
    pub const UNKNOWN_ESCAPE: &str = "is not a valid escape";
    pub const TRAILING_BACKSLASH: &str = "escapes nothing";
    pub const INVALID_GROUP_NAME: &str = "is not a valid named group: a name has letters, digits and `_`";
    pub const UNKNOWN_GROUP: &str = "is not supported: RE2 has no look-around, back-references or further flags";
    pub const NOTHING_TO_REPEAT: &str = "repeats nothing";
    pub const REPEATED_REPETITION: &str = "repeats a repetition";
    pub const REPEAT_TOO_LARGE: &str = "is not a valid repeat: at most 1000 times, nested ones multiplied";
    pub const UNCLOSED_QUOTE: &str = "is not closed by `\\E`";
    pub const TOO_DEEP: &str = "is nested more than 1000 deep";
}

/// A refusal: why, and which bytes of the expression are to blame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The bytes.
    pub at: Range<usize>,
    /// Why: one of `problem`.
    pub problem: &'static str,
}

/// The most characters of an expression that a message repeats.
const MAX_QUOTED: usize = 40;

impl Error {
    /// A sentence without its full stop: the text in question, and what is wrong with it.
    pub fn describe(&self, pattern: &str) -> String {
        let text = pattern.get(self.at.clone()).unwrap_or(pattern);
        let quoted: String = text.chars().take(MAX_QUOTED).collect();
        let more = if quoted.len() < text.len() { "…" } else { "" };
        format!("`{quoted}{more}` {}", self.problem)
    }
}
