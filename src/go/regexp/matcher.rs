//! Matching, replacement and template expansion as in Go's `regexp`.

use std::ops::Range;

use regex::bytes::{Regex, RegexBuilder};

use super::parser::Parser;
use super::template::{TemplatePart, group_number, template_parts};
use super::verdict::Error;
use crate::budget::{Budget, BudgetExhausted};

/// A compiled regular expression.
#[derive(Debug)]
pub struct Matcher {
    program: MatchStrategy,
    /// Group names. The first group is the entire match.
    names: Vec<Option<String>>,
}

/// Strategy for matching an expression. Most expressions in rules are simple, and compiling them would take longer than
/// matching.
#[derive(Debug)]
enum MatchStrategy {
    /// Matches any of these strings.
    Literals(Vec<String>),
    /// Matches a single line, in at most one group: any line (`.*`, `(.*)`) or a non-empty line (`.+`, `(.+)`).
    Line { groups: usize, may_be_empty: bool },
    /// Matches a regular expression.
    Regex(Box<Regex>),
}

/// Reason why an expression cannot be matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MatcherError {
    /// Go rejects the regular expression.
    Go(Error),
    /// The regular expression is too large to compile.
    TooLarge,
}

/// Groups of a match. The first group is the entire match.
pub type Groups<'v> = Vec<Option<&'v str>>;

impl Matcher {
    /// Compiles an expression that must match an entire string, as in Prometheus (`relabel.NewRegexp`). Its size, in
    /// characters with all repeats expanded, is charged to `sizes`.
    ///
    /// # Errors
    ///
    /// Fails if Go rejects the expression or if the remaining budget of `sizes` is too small.
    pub fn anchored(pattern: &str, sizes: &Budget) -> Result<Self, MatcherError> {
        if let Some(program) = simple_strategy(pattern) {
            let groups = match program {
                MatchStrategy::Line { groups, .. } => groups,
                _ => 0,
            };
            let names = vec![None; groups + 1];
            return Ok(Self { program, names });
        }
        Self::compile(&format!("^(?:{pattern})$"), sizes)
    }

    /// Compiles an expression that may match any part of a string (`regexp.Compile`). Its size is charged to `sizes`.
    ///
    /// # Errors
    ///
    /// Fails if Go rejects the expression or if the remaining budget of `sizes` is too small.
    pub fn unanchored(pattern: &str, sizes: &Budget) -> Result<Self, MatcherError> {
        Self::compile(pattern, sizes)
    }

    fn compile(pattern: &str, sizes: &Budget) -> Result<Self, MatcherError> {
        let (_, translated) = Parser::new(pattern).parse().map_err(MatcherError::Go)?;
        let was_spent = sizes.spend(translated.size);
        was_spent.map_err(|BudgetExhausted| MatcherError::TooLarge)?;
        let regex = RegexBuilder::new(&translated.text).build();
        let regex = regex.map_err(|_| MatcherError::TooLarge)?;
        Ok(Self {
            program: MatchStrategy::Regex(Box::new(regex)),
            names: [None].into_iter().chain(translated.names).collect(),
        })
    }

    /// Returns the strings that match, or `None` if the expression is not a plain list of strings.
    pub fn literals(&self) -> Option<&[String]> {
        match &self.program {
            MatchStrategy::Literals(literals) => Some(literals),
            _ => None,
        }
    }

    /// Whether the expression matches (`MatchString`).
    pub fn is_match(&self, text: &str) -> bool {
        match &self.program {
            MatchStrategy::Literals(literals) => literals.iter().any(|literal| literal == text),
            MatchStrategy::Line { may_be_empty, .. } => (*may_be_empty || !text.is_empty()) && !text.contains('\n'),
            MatchStrategy::Regex(regex) => regex.is_match(text.as_bytes()),
        }
    }

    /// Returns the groups of the first match (`FindStringSubmatchIndex`).
    pub fn find<'t>(&self, text: &'t str) -> Option<Groups<'t>> {
        match &self.program {
            MatchStrategy::Regex(regex) => regex.captures(text.as_bytes()).map(|captures| groups(&captures, text)),
            _ => self.is_match(text).then(|| vec![Some(text); self.names.len()]),
        }
    }

    /// Returns the ranges of at most `limit` matches (`FindAllStringIndex`).
    pub fn spans(&self, text: &str, limit: usize) -> Vec<Range<usize>> {
        match &self.program {
            MatchStrategy::Regex(regex) => {
                regex.find_iter(text.as_bytes()).take(limit).map(|found_match| found_match.range()).collect()
            }
            _ => self.is_match(text).then_some(0..text.len()).into_iter().take(limit).collect(),
        }
    }

    /// Replaces each match with the expanded template (`ReplaceAllString`).
    pub fn replace_all(&self, text: &str, template: &str) -> String {
        let MatchStrategy::Regex(regex) = &self.program else {
            let groups = self.find(text);
            return groups.map_or_else(|| text.to_owned(), |groups| self.expand(template, &groups));
        };
        let (mut out, mut end) = (String::new(), 0);
        for captures in regex.captures_iter(text.as_bytes()) {
            let Some(whole_match) = captures.get(0) else { continue };
            out.push_str(text.get(end..whole_match.start()).unwrap_or_default());
            out.push_str(&self.expand(template, &groups(&captures, text)));
            end = whole_match.end();
        }
        out.push_str(text.get(end..).unwrap_or_default());
        out
    }

    /// Expands a template with the groups of a match (`ExpandString`). References to missing groups expand to an empty
    /// string.
    pub fn expand(&self, template: &str, groups: &[Option<&str>]) -> String {
        let mut out = String::with_capacity(template.len());
        for part in template_parts(template) {
            out.push_str(match part {
                TemplatePart::Text(text) => text,
                TemplatePart::Reference(name) => self.group(name, groups).unwrap_or_default(),
            });
        }
        out
    }

    /// Whether the expression has the group that a template refers to.
    pub fn has_group(&self, name: &str) -> bool {
        match group_number(name) {
            Some(number) => number < self.names.len(),
            None => self.names.iter().any(|candidate| candidate.as_deref() == Some(name)),
        }
    }

    pub fn group_names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().filter_map(Option::as_deref)
    }

    /// Whether the expression has a capturing group.
    pub fn has_groups(&self) -> bool {
        self.names.len() > 1
    }

    fn group<'t>(&self, name: &str, groups: &[Option<&'t str>]) -> Option<&'t str> {
        if let Some(number) = group_number(name) {
            return groups.get(number).copied().flatten();
        }
        let named = self.names.iter().zip(groups);
        let mut matched_groups =
            named.filter_map(|(candidate, group)| (candidate.as_deref() == Some(name)).then_some(*group).flatten());
        matched_groups.next()
    }
}

fn groups<'t>(captures: &regex::bytes::Captures<'_>, text: &'t str) -> Groups<'t> {
    let group = |group: Option<regex::bytes::Match<'_>>| text.get(group?.range());
    captures.iter().map(group).collect()
}

/// Returns a strategy for an expression that can be matched without a regular expression, or `None` if a regular
/// expression is required.
fn simple_strategy(pattern: &str) -> Option<MatchStrategy> {
    let group = pattern.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    if let line @ (".*" | ".+") = group.unwrap_or(pattern) {
        let (groups, may_be_empty) = (usize::from(group.is_some()), line == ".*");
        return Some(MatchStrategy::Line { groups, may_be_empty });
    }
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'/' | b':' | b'|');
    let literals = || pattern.split('|').map(str::to_owned).collect();
    pattern.bytes().all(is_plain).then(|| MatchStrategy::Literals(literals()))
}
