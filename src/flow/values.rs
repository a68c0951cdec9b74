//! Values that a label can have.

use std::rc::Rc;

use super::expressions::Expression;
use crate::go::regexp::{CharRange, Piece};

/// Values that a label can have. An empty value means that the label is missing.
#[derive(Clone, Debug)]
pub enum Values {
    /// One of the given values.
    Known(Vec<String>),
    Unknown {
        /// Characters that the value consists of.
        alphabet: &'static [CharRange],
        may_be_missing: bool,
        /// Expressions that the value matches.
        matches: Vec<Rc<Expression>>,
    },
}

/// Presence of a label in all, some or none of the possible sets of labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    Always,
    Sometimes,
    Never,
}

/// Sets of characters that unknown values consist of.
pub mod alphabet {
    use crate::go::regexp::CharRange;

    /// Every character except a line break, which `.` does not match. Values with a line break are too rare to
    /// consider.
    pub const ANY: &[CharRange] = &[('\0', '\t'), ('\u{b}', char::MAX)];
    /// Characters of addresses and image names: anything printable except a backslash.
    pub const VISIBLE: &[CharRange] = &[('!', '['), (']', '~')];
    /// Characters of names and labels in Kubernetes.
    pub const NAME: &[CharRange] = &[('-', '.'), ('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];
    /// Characters of metric names.
    pub const METRIC: &[CharRange] = &[('0', ':'), ('A', 'Z'), ('_', '_'), ('a', 'z')];
    pub const DIGITS: &[CharRange] = &[('0', '9')];
}
use alphabet::ANY;

/// Maximum number of known values.
const MAX_KNOWN: usize = 16;
/// Maximum number of expressions to remember for a value.
const MAX_MATCHES: usize = 4;

impl Values {
    /// Values of a label that is always missing.
    pub fn missing() -> Self {
        Self::known([""])
    }

    /// Returns the given values, or unknown values if there are too many.
    pub fn known<T: Into<String>>(values: impl IntoIterator<Item = T>) -> Self {
        let mut values: Vec<String> = values.into_iter().map(Into::into).take(MAX_KNOWN + 1).collect();
        values.sort_unstable();
        values.dedup();
        if values.len() > MAX_KNOWN {
            return Self::unknown(ANY, values.iter().any(String::is_empty));
        }
        Self::Known(values)
    }

    pub fn unknown(alphabet: &'static [CharRange], may_be_missing: bool) -> Self {
        Self::Unknown { alphabet, may_be_missing, matches: Vec::new() }
    }

    /// Whether the label is missing from every possible label set.
    pub fn is_missing(&self) -> bool {
        matches!(self, Values::Known(values) if !values.is_empty() && values.iter().all(String::is_empty))
    }

    /// Whether the label has no possible value, not even an empty one, because earlier rules drop every target or
    /// sample.
    pub fn is_impossible(&self) -> bool {
        matches!(self, Values::Known(values) if values.is_empty())
    }

    /// Returns whether all, some or none of the possible label sets contain the label.
    pub fn presence(&self) -> Presence {
        match (self.may_be_missing(), self.is_missing()) {
            (false, _) => Presence::Always,
            (true, false) => Presence::Sometimes,
            (true, true) => Presence::Never,
        }
    }

    /// Whether the label may be missing.
    pub fn may_be_missing(&self) -> bool {
        match self {
            Values::Known(values) => values.iter().any(String::is_empty),
            Values::Unknown { may_be_missing, .. } => *may_be_missing,
        }
    }

    /// Returns the values that either of two labels can have.
    pub fn or(self, other: Self) -> Self {
        let may_be_missing = self.may_be_missing() || other.may_be_missing();
        match (self, other) {
            (Values::Known(one), Values::Known(other)) => Self::known(one.into_iter().chain(other)),
            (Values::Unknown { alphabet, matches, .. }, Values::Unknown { alphabet: other, matches: others, .. })
                if alphabet == other && matches.is_empty() && others.is_empty() =>
            {
                Self::unknown(alphabet, may_be_missing)
            }
            _ => Self::unknown(ANY, may_be_missing),
        }
    }

    /// Returns the values without the empty value.
    pub fn without_empty(mut self) -> Self {
        match &mut self {
            Values::Known(values) => values.retain(|value| !value.is_empty()),
            Values::Unknown { may_be_missing, .. } => *may_be_missing = false,
        }
        self
    }

    /// Returns the values that an expression matches, or does not match if `is_kept` is false.
    pub fn filter(mut self, expression: &Rc<Expression>, is_kept: bool) -> Self {
        let keeps = |value: &str| expression.matcher.is_match(value) == is_kept;
        match &mut self {
            Values::Known(values) => values.retain(|value| keeps(value)),
            Values::Unknown { may_be_missing, matches, alphabet } => {
                *may_be_missing &= keeps("");
                match expression.literals().filter(|_| is_kept) {
                    Some(literals) => {
                        let is_in_alphabet = |text: &str| {
                            text.chars().all(|c| alphabet.iter().any(|(low, high)| *low <= c && c <= *high))
                        };
                        let may_be = |text: &&String| match text.as_str() {
                            "" => *may_be_missing,
                            text => is_in_alphabet(text) && matches.iter().all(|other| other.matcher.is_match(text)),
                        };
                        return Self::known(literals.iter().filter(may_be).cloned());
                    }
                    None if is_kept && matches.len() < MAX_MATCHES => matches.push(Rc::clone(expression)),
                    None => {}
                }
            }
        }
        self
    }

    /// Returns the pieces that can represent this value in a joined string.
    pub fn pieces(&self) -> Vec<Piece<'_>> {
        match self {
            Values::Known(values) => values.iter().map(|value| Piece::Text(value)).collect(),
            Values::Unknown { alphabet, may_be_missing, .. } => {
                vec![Piece::Any { alphabet, is_filled: !may_be_missing }]
            }
        }
    }
}
