//! Relabeling rules as they apply to sets of labels.

use std::borrow::Cow;
use std::rc::Rc;

use super::expressions::{Expression, ExpressionCache};
use super::values::Values;
use super::values::alphabet::{ANY, DIGITS};
use crate::go::case::{to_lower, to_upper};
use crate::go::envsubst::has_variable;
use crate::go::regexp::{Piece, TemplatePart, template_parts};
use crate::go::syntax::is_label_name;
use crate::plan::{RelabelAction, RelabelRule};

/// Result of matching a rule's expression against all possible values of its source labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matching {
    Always,
    Never,
    Sometimes,
}

/// A rule with its defaults filled in.
#[derive(Clone, Debug)]
pub struct FlowRule<'r> {
    pub action: RelabelAction,
    pub sources: Vec<Cow<'r, str>>,
    pub separator: &'r str,
    /// Expression as written; empty if the default applies.
    pub pattern: Cow<'r, str>,
    pub expression: Rc<Expression>,
    pub target: Cow<'r, str>,
    pub replacement: Cow<'r, str>,
    /// Modulus of a `hashmod` rule.
    modulus: u64,
    /// Whether an environment variable determines part of the rule, so that its effect is unknown.
    pub has_variable: bool,
}

/// Whether the agent or the config-reloader replaces part of a string.
fn is_variable(text: &str) -> bool {
    has_variable(text) || text.contains("$(")
}

/// Largest modulus whose remainders are examined one by one.
const MAX_MODULUS: u64 = 16;

/// Maximum number of combinations of known values to examine.
const MAX_COMBINATIONS: usize = 64;

impl<'r> FlowRule<'r> {
    /// Fills in the defaults of a rule, or returns `None` if the agent rejects the rule or it is too large.
    pub fn new(rule: &'r RelabelRule<'_>, expressions: &mut ExpressionCache) -> Option<Self> {
        let pattern = rule.regex.as_deref().unwrap_or_default();
        let target = rule.target_label.as_deref().unwrap_or_default();
        let replacement = rule.replacement.as_deref().unwrap_or("$1");
        let sources: Vec<_> = rule.source_labels.iter().map(Cow::Borrowed).collect();
        let texts = [pattern, target, replacement, rule.separator];
        Some(Self {
            action: rule.parse_action()?,
            has_variable: texts.into_iter().any(is_variable) || sources.iter().any(|source| is_variable(source)),
            sources,
            separator: if rule.separator.is_empty() { ";" } else { rule.separator },
            expression: expressions.get(if pattern.is_empty() { "(.*)" } else { pattern })?,
            pattern: pattern.into(),
            modulus: rule.modulus,
            target: target.into(),
            replacement: replacement.into(),
        })
    }

    /// Returns the possible joined values of the source labels.
    fn combinations<'v>(&'v self, values: &'v [Values]) -> Vec<Vec<Piece<'v>>> {
        let mut all = vec![Vec::new()];
        for (i, values) in values.iter().enumerate() {
            let mut pieces = values.pieces();
            if all.len().saturating_mul(pieces.len()) > MAX_COMBINATIONS {
                pieces = vec![Piece::Any { alphabet: ANY, is_filled: !values.may_be_missing() }];
            }
            let separator = (i > 0).then_some(Piece::Text(self.separator));
            let append_piece = |before: &Vec<Piece<'v>>, piece: &Piece<'v>| {
                before.iter().copied().chain(separator).chain([*piece]).collect()
            };
            all = all.iter().flat_map(|before| pieces.iter().map(move |piece| append_piece(before, piece))).collect();
        }
        all
    }

    /// Returns whether the rule's expression matches, if the source labels have these values.
    pub(super) fn matching(&self, values: &[Values]) -> Matching {
        let has_expression =
            !matches!(self.action, RelabelAction::HashMod | RelabelAction::Lowercase | RelabelAction::Uppercase);
        if self.has_variable || self.action.compares() {
            return Matching::Sometimes;
        }
        if !has_expression || self.matches_names() {
            return Matching::Always;
        }
        if let Some(known) = self.simple_matching(values) {
            return known;
        }
        let (mut may_match_any, mut must_match_all) = (false, true);
        for pieces in self.combinations(values) {
            let (may_match, must_match) = match join_pieces(&pieces) {
                Some(text) => {
                    let matches = self.expression.matcher.is_match(&text);
                    (matches, matches)
                }
                None => (self.expression.may_match(&pieces), self.expression.must_match(&pieces)),
            };
            may_match_any |= may_match;
            must_match_all &= must_match;
        }
        match (may_match_any, must_match_all) {
            (_, true) => Matching::Always,
            (false, _) => Matching::Never,
            _ => Matching::Sometimes,
        }
    }

    /// Returns the result for one of a few common expressions without examining it, or `None` for any other expression.
    fn simple_matching(&self, values: &[Values]) -> Option<Matching> {
        let [Values::Unknown { may_be_missing, .. }] = values else { return None };
        match &*self.pattern {
            "" | "(.*)" | ".*" => Some(Matching::Always),
            "(.+)" | ".+" if *may_be_missing => Some(Matching::Sometimes),
            "(.+)" | ".+" => Some(Matching::Always),
            _ => None,
        }
    }

    /// Returns whether the rule's expression may match if the source label at `index` has each of these values and the
    /// other labels have any value.
    pub fn may_match_values(&self, index: usize, values: &[&str]) -> Vec<bool> {
        const UNKNOWN: Piece<'_> = Piece::Any { alphabet: ANY, is_filled: false };
        if self.sources.len() == 1 {
            return values.iter().map(|value| self.expression.matcher.is_match(value)).collect();
        }
        let separator = Piece::Text(self.separator);
        let before = [UNKNOWN, separator].repeat(index);
        let after = [separator, UNKNOWN].repeat(self.sources.len().saturating_sub(index + 1));
        self.expression.may_match_between((&before, &after), values)
    }

    /// Whether the expression is applied to names rather than values.
    pub fn matches_names(&self) -> bool {
        self.action.matches_names()
    }

    /// Whether the rule may drop a target or sample.
    pub fn is_filter(&self) -> bool {
        self.action.is_filter()
    }

    /// Returns the values that the rule writes to its target label if its expression matches and the source labels have
    /// these values.
    pub(super) fn written_values(&self, values: &[Values]) -> Values {
        match self.action {
            RelabelAction::Replace if self.has_variable => {
                Values::unknown(ANY, self.replacement.is_empty() || self.replacement.starts_with('$'))
            }
            _ if self.has_variable => Values::unknown(ANY, true),
            RelabelAction::HashMod if (1..=MAX_MODULUS).contains(&self.modulus) => {
                Values::known((0..self.modulus).map(|remainder| remainder.to_string()))
            }
            RelabelAction::HashMod => Values::unknown(DIGITS, false),
            RelabelAction::Lowercase => self.transform(values, to_lower),
            RelabelAction::Uppercase => self.transform(values, to_upper),
            _ => self.replace(values),
        }
    }

    fn transform(&self, values: &[Values], change: fn(&str) -> String) -> Values {
        let combinations = self.combinations(values);
        let joined_texts: Option<Vec<_>> = combinations.iter().map(|pieces| join_pieces(pieces)).collect();
        match joined_texts {
            Some(texts) => Values::known(texts.iter().map(|text| change(text))),
            None => Values::unknown(ANY, may_be_empty(values)),
        }
    }

    fn replace(&self, values: &[Values]) -> Values {
        let matcher = &self.expression.matcher;
        if self.copies_whole() {
            match values {
                [value] if &*self.pattern == "(.+)" => return value.clone().without_empty(),
                [value] => return value.clone(),
                _ => {}
            }
        }
        let refers_to_group = |part| matches!(part, TemplatePart::Reference(name) if matcher.has_group(name));
        if !template_parts(&self.replacement).any(refers_to_group) {
            return Values::known([matcher.expand(&self.replacement, &[])]);
        }
        let combinations = self.combinations(values);
        let texts: Option<Vec<_>> = combinations.iter().map(|pieces| join_pieces(pieces)).collect();
        if let Some(texts) = texts {
            let groups = texts.iter().filter_map(|text| matcher.find(text));
            let expanded_texts: Vec<_> = groups.map(|groups| matcher.expand(&self.replacement, &groups)).collect();
            return Values::known(expanded_texts);
        }
        let has_text = template_parts(&self.replacement).any(|part| matches!(part, TemplatePart::Text(_)));
        // A rule that copies a single value was handled above, and several values have a separator between them.
        let is_filled = has_text || self.copies_whole();
        Values::unknown(ANY, !is_filled)
    }

    /// Whether the replacement is a capture group that always captures the entire value.
    pub fn copies_whole(&self) -> bool {
        matches!(&*self.replacement, "$1" | "${1}") && matches!(&*self.pattern, "" | "(.*)" | "(.+)")
    }

    /// Whether a `labelmap` rule copies each label to itself.
    pub fn is_identity(&self) -> bool {
        self.action == RelabelAction::LabelMap && self.copies_whole()
    }

    /// Whether the rule is a `labelmap` that copies the label.
    pub fn maps(&self, label: &str) -> bool {
        self.action == RelabelAction::LabelMap && self.expression.matcher.is_match(label)
    }

    /// Whether the rule removes the label by name.
    pub fn removes(&self, label: &str) -> bool {
        let is_match = || self.expression.matcher.is_match(label);
        match self.action {
            RelabelAction::LabelDrop => is_match(),
            RelabelAction::LabelKeep => !is_match(),
            _ => false,
        }
    }

    /// Returns the label that the rule writes, or `None` if it writes none or the name depends on the values.
    pub fn fixed_target(&self) -> Option<&str> {
        let writes_target = matches!(
            self.action,
            RelabelAction::Replace | RelabelAction::HashMod | RelabelAction::Lowercase | RelabelAction::Uppercase
        );
        (writes_target && is_label_name(&self.target)).then_some(&*self.target)
    }
}

/// Whether the joined values of source labels may be empty.
fn may_be_empty(values: &[Values]) -> bool {
    // Several values have a separator between them.
    values.len() < 2 && values.iter().all(Values::may_be_missing)
}

/// Returns the string that the pieces form, or `None` if part of it is unknown.
fn join_pieces(pieces: &[Piece<'_>]) -> Option<String> {
    let texts = pieces.iter().map(|piece| match piece {
        Piece::Text(text) => Some(*text),
        Piece::Any { .. } => None,
    });
    texts.collect()
}
