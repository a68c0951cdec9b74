//! Compiled expressions, which many rules share.

use std::cell::{Cell, OnceCell};
use std::collections::HashMap;
use std::rc::Rc;

use crate::budget::Budget;
use crate::go::regexp::{Language, Matcher, Piece};

/// An expression that must match an entire string.
#[derive(Debug)]
pub struct Expression {
    pub matcher: Matcher,
    pattern: String,
    /// The strings that match. Built on demand; `None` if the expression is too large to examine.
    language: OnceCell<Option<Language>>,
    sizes: Rc<Budget>,
    work: Rc<Cell<u64>>,
}

impl Expression {
    /// Returns the strings that match, or `None` if there are too many or the expression is too large.
    pub fn literals(&self) -> Option<&[String]> {
        self.matcher.literals().or_else(|| self.language()?.literals())
    }

    fn language(&self) -> Option<&Language> {
        self.language.get_or_init(|| Language::anchored(&self.pattern, &self.sizes)).as_ref()
    }

    /// Whether the expression may match a string that consists of these pieces.
    pub fn may_match(&self, pieces: &[Piece<'_>]) -> bool {
        self.language().is_none_or(|language| language.may_match(pieces, &self.work))
    }

    /// Returns whether the expression may match each of `texts` between the pieces before and after it.
    pub fn may_match_between(&self, around: (&[Piece<'_>], &[Piece<'_>]), texts: &[&str]) -> Vec<bool> {
        let Some(language) = self.language() else { return vec![true; texts.len()] };
        language.may_match_between(around, texts, &self.work)
    }

    /// Whether the expression certainly matches every string that consists of these pieces.
    pub fn must_match(&self, pieces: &[Piece<'_>]) -> bool {
        self.language().is_some_and(|language| language.must_match(pieces, &self.work))
    }
}

/// Compiled expressions. If there are too many, all are discarded and compiled again as needed.
#[derive(Debug)]
pub struct ExpressionCache {
    expressions: HashMap<String, Option<Rc<Expression>>>,
    sizes: Rc<Budget>,
    /// Number of states that may still be visited, across all automata.
    work: Rc<Cell<u64>>,
}

/// Maximum number of expressions to keep. Each takes about 8 KiB.
const MAX_EXPRESSIONS: usize = 4_000;
/// Maximum total size of all expressions, in characters with all repeats expanded.
const MAX_SIZE: u64 = 500_000;
/// Maximum number of states to visit while examining expressions.
const MAX_WORK: u64 = 20_000_000;

impl Default for ExpressionCache {
    fn default() -> Self {
        Self { expressions: HashMap::new(), sizes: Rc::new(Budget::new(MAX_SIZE)), work: Rc::new(Cell::new(MAX_WORK)) }
    }
}

impl ExpressionCache {
    /// Returns the compiled expression, or `None` if it is invalid or exceeds the limit.
    pub fn get(&mut self, pattern: &str) -> Option<Rc<Expression>> {
        if let Some(known) = self.expressions.get(pattern) {
            return known.clone();
        }
        if self.expressions.len() >= MAX_EXPRESSIONS {
            self.expressions.clear();
        }
        let matcher = Matcher::anchored(pattern, &self.sizes).ok();
        let compiled = matcher.map(|matcher| {
            Rc::new(Expression {
                matcher,
                pattern: pattern.to_owned(),
                language: OnceCell::new(),
                sizes: Rc::clone(&self.sizes),
                work: Rc::clone(&self.work),
            })
        });
        self.expressions.insert(pattern.to_owned(), compiled.clone());
        compiled
    }
}

/// Returns the literal string that every match of an expression starts with.
pub fn literal_prefix(pattern: &str) -> &str {
    let mut depth = 0_u32;
    let mut has_alternatives = false;
    for byte in pattern.bytes() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b'|' if depth == 0 => has_alternatives = true,
            _ => {}
        }
    }
    if has_alternatives {
        return "";
    }
    let end = pattern.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(pattern.len());
    let (prefix, rest) = pattern.split_at_checked(end).unwrap_or_default();
    // A repetition applies to the last character.
    match rest.starts_with(['*', '?', '{', '+']) {
        true => prefix.get(..prefix.len().saturating_sub(1)).unwrap_or_default(),
        false => prefix,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_literal_prefixes() {
        for (pattern, expected) in [
            ("__meta_a_(.+)", "__meta_a_"),
            ("__meta_(a|b)", "__meta_"),
            ("a|b", ""),
            ("(a)|b", ""),
            ("ab*", "a"),
            ("ab", "ab"),
            (".*", ""),
            ("a{2}", ""),
        ] {
            assert_eq!(literal_prefix(pattern), expected, "{pattern}");
        }
    }
}
