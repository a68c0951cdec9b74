//! The patterns that strings must match.

use std::sync::OnceLock;

use regex::Regex;
use serde::Deserialize;

/// A regular expression that matches anywhere in a string unless it is anchored. Compiled when it is first needed.
#[derive(Debug, Deserialize)]
#[serde(from = "String")]
pub struct Pattern {
    text: String,
    regex: OnceLock<Option<Regex>>,
}

impl From<String> for Pattern {
    fn from(text: String) -> Self {
        Self {
            text,
            regex: OnceLock::new(),
        }
    }
}

impl Pattern {
    /// Whether a string matches. A pattern that does not compile matches everything; a test compiles each.
    pub fn matches(&self, text: &str) -> bool {
        self.regex
            .get_or_init(|| Regex::new(&self.text).ok())
            .as_ref()
            .is_none_or(|regex| regex.is_match(text))
    }

    /// The expression.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_matches_anywhere() {
        let pattern = Pattern::from("b+".to_owned());
        assert!(pattern.matches("abbc"));
        assert!(!pattern.matches("ac"));
    }
}
