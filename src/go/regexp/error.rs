use std::fmt;
use std::ops::Range;

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
    /// What follows `(?` is no group and no flag, such as a look-ahead.
    UnknownGroup,
    /// A repetition without anything before it.
    NothingToRepeat,
    /// A repetition of a repetition.
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
    fn predicate(self) -> &'static str {
        match self {
            Problem::UnclosedGroup => "is not closed by `)`",
            Problem::UnopenedGroup => "closes no group",
            Problem::UnclosedClass => "is not closed by `]`",
            Problem::UnclosedProperty => "is not closed by `}`",
            Problem::ReversedRange => "is a range that ends before it starts",
            Problem::UnknownPosixClass => "is no POSIX class",
            Problem::UnknownProperty => "is no category or script of Unicode",
            Problem::UnknownEscape => "is no escape",
            Problem::TrailingBackslash => "escapes nothing",
            Problem::InvalidGroupName => "is no named group: a name has letters, digits and `_`",
            Problem::UnknownGroup => "is not supported: RE2 has no look-around, back-references or further flags",
            Problem::NothingToRepeat => "repeats nothing",
            Problem::RepeatedRepetition => "repeats a repetition",
            Problem::RepeatTooLarge => "is no valid repeat: at most 1000 times, nested ones multiplied",
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

impl Error {
    /// A sentence without its full stop: the text in question, and what is wrong with it.
    pub fn describe(&self, pattern: &str) -> String {
        let mut sentence = Sentence(String::new());
        sentence.quote(pattern.get(self.at.clone()).unwrap_or(pattern));
        format!("{} {}", sentence.0, self.problem)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.predicate())
    }
}

/// The most characters of an expression that a message repeats.
const MAX_QUOTED: usize = 40;

struct Sentence(String);

impl Sentence {
    fn quote(&mut self, text: &str) {
        self.0.push('`');
        self.0.extend(text.chars().take(MAX_QUOTED));
        if text.chars().nth(MAX_QUOTED).is_some() {
            self.0.push('…');
        }
        self.0.push('`');
    }
}
