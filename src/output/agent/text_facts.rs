//! Facts about a configuration's text. They are recorded as soon as lines are written, while the lines are still in the
//! processor's cache.

use crate::output::variables::Variables;
use crate::yaml;

/// Facts about a configuration's text.
#[derive(Debug, Default)]
pub struct TextFacts {
    pub variables: Variables,
    /// Whether the agent may read a string differently; see [`yaml::may_be_misread`].
    pub may_be_misread: bool,
    /// Whether any secrets are hidden.
    pub has_hidden: bool,
}

impl TextFacts {
    /// Adds the facts about whole lines of the configuration.
    pub(super) fn add(&mut self, lines: &str) {
        self.variables.add(lines, true);
        self.may_be_misread |= yaml::may_be_misread(lines);
    }

    /// Adds the facts about another part of the configuration.
    pub(super) fn merge(&mut self, other: Self) {
        self.variables.merge(other.variables);
        self.may_be_misread |= other.may_be_misread;
        self.has_hidden |= other.has_hidden;
    }
}
