//! What Go says of an expression.

use std::ops::Range;

/// Which releases of Go accept an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepted {
    Always,
    /// Go 1.22 and later, which have `(?<name>…)`.
    SinceGo122,
    /// Go 1.25 and later, which look up `\p{…}` without regard to case, and know the long names of categories.
    SinceGo125,
}

impl Accepted {
    /// What an expression needs that has both parts.
    pub(super) fn and(self, other: Accepted) -> Accepted {
        if other == Accepted::Always || self == Accepted::SinceGo125 {
            self
        } else {
            other
        }
    }
}

/// Why Go refuses an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A group is not closed.
    UnclosedGroup,
    /// A parenthesis closes nothing.
    UnopenedGroup,
    /// A character class is not closed.
    UnclosedClass,
    /// A `\p{` is not closed, or has no name.
    UnclosedProperty,
    /// A range of a character class ends before it starts.
    ReversedRange,
    /// No POSIX class has this name.
    UnknownPosixClass,
    /// No category and no script of Unicode has this name.
    UnknownProperty,
    /// No escape is written so.
    UnknownEscape,
    /// A backslash at the end.
    TrailingBackslash,
    /// A named group without a valid name.
    InvalidGroupName,
    /// What follows `(?` is neither a group nor a flag, such as a look-ahead.
    UnknownGroup,
    /// A repetition without anything before it.
    NothingToRepeat,
    RepeatedRepetition,
    /// A repeat above 1000, alone or multiplied with those around it, or one whose end is below its start.
    RepeatTooLarge,
    /// `\Q` without `\E` where more follows.
    UnclosedQuote,
    /// More than 1000 levels.
    TooDeep,
}

impl Problem {
    /// What is wrong with the text in question, as the rest of a sentence that starts with it.
    pub fn predicate(self) -> &'static str {
        match self {
            Problem::UnclosedGroup => "is not closed by `)`",
            Problem::UnopenedGroup => "closes no group",
            Problem::UnclosedClass => "is not closed by `]`",
            Problem::UnclosedProperty => "is not closed by `}`",
            Problem::ReversedRange => "is a range that ends before it starts",
            Problem::UnknownPosixClass => "is no POSIX class",
            Problem::UnknownProperty => "is not a category or script of Unicode",
            Problem::UnknownEscape => "is not a valid escape",
            Problem::TrailingBackslash => "escapes nothing",
            Problem::InvalidGroupName => "is not a valid named group: a name has letters, digits and `_`",
            Problem::UnknownGroup => "is not supported: RE2 has no look-around, back-references or further flags",
            Problem::NothingToRepeat => "repeats nothing",
            Problem::RepeatedRepetition => "repeats a repetition",
            Problem::RepeatTooLarge => "is not a valid repeat: at most 1000 times, nested ones multiplied",
            Problem::UnclosedQuote => "is not closed by `\\E`",
            Problem::TooDeep => "is nested more than 1000 deep",
        }
    }
}

/// A refusal: why, and which bytes of the expression are to blame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The bytes.
    pub at: Range<usize>,
    /// Why.
    pub problem: Problem,
}

/// The most characters of an expression that a message repeats.
const MAX_QUOTED: usize = 40;

impl Error {
    /// A sentence without its full stop: the text in question, and what is wrong with it.
    pub fn describe(&self, pattern: &str) -> String {
        let text = pattern.get(self.at.clone()).unwrap_or(pattern);
        let quoted: String = text.chars().take(MAX_QUOTED).collect();
        let more = if quoted.len() < text.len() { "…" } else { "" };
        format!("`{quoted}{more}` {}", self.problem.predicate())
    }
}
