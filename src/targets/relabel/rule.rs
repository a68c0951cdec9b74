use std::borrow::Cow;
use std::collections::HashMap;
use std::num::NonZeroU64;
use std::sync::Arc;

use super::Labels;
use super::labels::USUAL_BYTES;
use crate::budget::Budget;
use crate::go::case::{to_lower, to_upper};
use crate::go::regexp::{self, Matcher};
use crate::go::syntax::is_label_name;
use crate::output::Target;
use crate::plan::RelabelAction;

/// A rule as configured. `None` means the default (`relabel.Config`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config<'c> {
    /// Labels whose values are joined.
    pub source_labels: Vec<Cow<'c, str>>,
    /// Separator between the joined values, `;` by default.
    pub separator: Option<Cow<'c, str>>,
    /// Expression that must match, `(.*)` by default.
    pub regex: Option<Cow<'c, str>>,
    /// Modulus of `hashmod`.
    pub modulus: u64,
    /// Label to write.
    pub target_label: Cow<'c, str>,
    /// Value to write, `$1` by default.
    pub replacement: Option<Cow<'c, str>>,
    /// Action to perform, `replace` by default.
    pub action: Option<Cow<'c, str>>,
}

/// Reason why a rule is invalid. The agent rejects an entire configuration that contains an invalid rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleError {
    /// Action that does not exist.
    RelabelAction,
    /// Expression that is invalid or too large.
    Regex(regexp::MatcherError),
    /// `hashmod` without a modulus.
    Modulus,
}

#[derive(Clone, Debug)]
pub struct CompiledRule<'c> {
    config: Config<'c>,
    regex: Arc<Matcher>,
    modulus: NonZeroU64,
    action: RelabelAction,
}

/// Prometheus version that applies the rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PrometheusVersion {
    /// Version used by the agent: `.` does not match a newline.
    #[default]
    V2,
    /// Version used by Alloy: `.` matches a newline (`NewRegexp` in version 3).
    V3,
}

impl From<&Target> for PrometheusVersion {
    fn from(target: &Target) -> Self {
        match target {
            Target::Agent => PrometheusVersion::V2,
            Target::Alloy(_) => PrometheusVersion::V3,
        }
    }
}

/// Compiler for rules. Thousands of jobs use the same expressions, so each expression is compiled only once.
#[derive(Debug)]
pub struct RuleCompiler {
    expressions: HashMap<String, Arc<Matcher>>,
    version: PrometheusVersion,
    /// Remaining number of characters for further expressions, with all repeats expanded.
    sizes: Budget,
}

/// Maximum total number of characters in all expressions. Each character takes about 100 bytes when compiled.
const MAX_SIZE: u64 = 1_000_000;

impl Default for RuleCompiler {
    fn default() -> Self {
        Self::new(PrometheusVersion::default())
    }
}

impl RuleCompiler {
    /// Creates a compiler for a Prometheus version.
    pub fn new(version: PrometheusVersion) -> Self {
        Self { expressions: HashMap::new(), version, sizes: Budget::new(MAX_SIZE) }
    }

    /// Returns the Prometheus version that the rules are compiled for.
    pub fn version(&self) -> PrometheusVersion {
        self.version
    }

    /// Compiles a rule.
    ///
    /// # Errors
    /// Returns an error if the agent rejects the rule.
    pub fn rule<'c>(&mut self, config: Config<'c>) -> Result<CompiledRule<'c>, RuleError> {
        let action = config.action.as_deref().unwrap_or("replace");
        let action = RelabelAction::from_name(action).ok_or(RuleError::RelabelAction)?;
        let modulus = NonZeroU64::new(config.modulus);
        if action == RelabelAction::HashMod && modulus.is_none() {
            return Err(RuleError::Modulus);
        }
        Ok(CompiledRule {
            regex: self.expression(config.regex.as_deref().unwrap_or("(.*)"))?,
            modulus: modulus.unwrap_or(NonZeroU64::MIN),
            action,
            config,
        })
    }

    fn expression(&mut self, pattern: &str) -> Result<Arc<Matcher>, RuleError> {
        if let Some(known_expression) = self.expressions.get(pattern) {
            return Ok(Arc::clone(known_expression));
        }
        let matcher = match self.version {
            PrometheusVersion::V3 if pattern.contains('.') => {
                Matcher::anchored(&format!("(?s:{pattern})"), &self.sizes)
            }
            _ => Matcher::anchored(pattern, &self.sizes),
        };
        let matcher = Arc::new(matcher.map_err(RuleError::Regex)?);
        // Lists of plain values are not cached, because compiling them is as fast as looking them up.
        if matcher.literals().is_none() {
            self.expressions.insert(pattern.to_owned(), Arc::clone(&matcher));
        }
        Ok(matcher)
    }
}

impl<'c> CompiledRule<'c> {
    /// Returns the rule as configured.
    pub fn config(&self) -> &Config<'c> {
        &self.config
    }

    pub fn action(&self) -> RelabelAction {
        self.action
    }

    /// Returns the label that determines whether the rule keeps a target, and the label values for which it does.
    /// Returns `None` if the rule is more complex.
    pub fn kept_values(&self) -> Option<(&str, &[String])> {
        match (self.action, self.config.source_labels.as_slice()) {
            (RelabelAction::Keep, [label]) => Some((label, self.regex.literals()?)),
            _ => None,
        }
    }

    /// Whether the rule may drop a target.
    pub fn is_filter(&self) -> bool {
        matches!(
            self.action,
            RelabelAction::Keep | RelabelAction::Drop | RelabelAction::KeepEqual | RelabelAction::DropEqual
        )
    }

    /// Applies the rule (`relabel.relabel`). Returns `false` if the rule drops the labels. If the rule would exceed the
    /// limit, changes nothing and returns `true`.
    pub fn apply(&self, labels: &mut Labels<'_>) -> bool {
        let cost = self.cost(labels);
        if !labels.spend(cost) {
            return true;
        }
        self.mark_unknown(labels);
        self.change(labels);
        self.keeps(labels)
    }

    /// Whether the rule is a filter, and whether it keeps the labels depends on unknown values.
    pub fn is_undecided(&self, labels: &Labels<'_>) -> bool {
        let is_comparison = matches!(self.action, RelabelAction::KeepEqual | RelabelAction::DropEqual);
        self.is_filter()
            && (self.reads_unknown(labels) || is_comparison && labels.is_unknown(&self.config.target_label))
    }

    /// Whether the value of a source label is unknown.
    pub fn reads_unknown(&self, labels: &Labels<'_>) -> bool {
        self.config.source_labels.iter().any(|label| labels.is_unknown(label))
    }

    /// Updates the names of the labels whose values are unknown. Called before the labels change.
    fn mark_unknown(&self, labels: &mut Labels<'_>) {
        if labels.unknown_mut().is_none() {
            return;
        }
        let reads_unknown = self.reads_unknown(labels);
        let written_names: Vec<String> = match self.action {
            RelabelAction::LabelMap => {
                let unknown_names = labels.iter().map(|(name, _)| name).filter(|name| labels.is_unknown(name));
                unknown_names.filter_map(|name| self.map_name(name)).collect()
            }
            RelabelAction::Replace => self.replaced_label(labels).into_iter().collect(),
            _ => vec![self.config.target_label.clone().into_owned()],
        };
        let Some(unknown) = labels.unknown_mut() else { return };
        match self.action {
            RelabelAction::Keep | RelabelAction::Drop | RelabelAction::KeepEqual | RelabelAction::DropEqual => {}
            RelabelAction::LabelDrop => unknown.retain(|name| !self.regex.is_match(name)),
            RelabelAction::LabelKeep => unknown.retain(|name| self.regex.is_match(name)),
            RelabelAction::LabelMap => unknown.extend(written_names),
            RelabelAction::Replace | RelabelAction::Lowercase | RelabelAction::Uppercase | RelabelAction::HashMod => {
                if !reads_unknown || self.is_constant() {
                    unknown.retain(|name| !written_names.contains(name));
                } else if written_names.is_empty() {
                    // The expression may match the actual value.
                    unknown.insert(self.config.target_label.clone().into_owned());
                } else {
                    unknown.extend(written_names);
                }
            }
        }
    }

    /// Whether the rule sets the same label to the same value for all labels.
    fn is_constant(&self) -> bool {
        let is_fixed = |template: &str| !template.contains('$');
        self.action == RelabelAction::Replace
            && matches!(self.config.regex.as_deref(), None | Some("(.*)" | ".*"))
            && is_fixed(self.replacement())
            && is_fixed(&self.config.target_label)
    }

    /// Returns the label that a `replace` rule writes, or `None` if its expression does not match.
    fn replaced_label(&self, labels: &Labels<'_>) -> Option<String> {
        let value = self.value(labels);
        Some(self.regex.expand(&self.config.target_label, &self.regex.find(&value)?))
    }

    /// Whether the rule keeps the labels. Rules other than filters always keep them.
    pub fn keeps(&self, labels: &Labels<'_>) -> bool {
        match self.action {
            RelabelAction::Keep => self.regex.is_match(&self.value(labels)),
            RelabelAction::Drop => !self.regex.is_match(&self.value(labels)),
            RelabelAction::KeepEqual => labels.get(&self.config.target_label) == self.value(labels),
            RelabelAction::DropEqual => labels.get(&self.config.target_label) != self.value(labels),
            _ => true,
        }
    }

    /// Returns the number of extra bytes that a filter reads.
    pub fn excess_cost(&self, labels: &Labels<'_>) -> usize {
        self.cost(labels).saturating_sub(USUAL_BYTES)
    }

    /// Returns the number of bytes that the rule reads plus the maximum number that it may write.
    fn cost(&self, labels: &Labels<'_>) -> usize {
        let length =
            |template: &str, length: usize| template.len() + length.saturating_mul(template.matches('$').count());
        if matches!(self.action, RelabelAction::LabelMap | RelabelAction::LabelDrop | RelabelAction::LabelKeep) {
            return labels.cost_of_names(|name| name + length(self.replacement(), name));
        }
        let separator = self.config.separator.as_deref().unwrap_or(";").len();
        let sources = self.config.source_labels.iter();
        let read_bytes: usize = sources.map(|label| labels.get(label).len() + separator).sum();
        match self.action {
            RelabelAction::Replace => {
                let written_bytes =
                    [self.replacement(), &self.config.target_label].map(|template| length(template, read_bytes));
                written_bytes.into_iter().fold(read_bytes, usize::saturating_add)
            }
            _ => read_bytes,
        }
    }

    fn change(&self, labels: &mut Labels<'_>) {
        match self.action {
            RelabelAction::Replace => self.replace(labels),
            RelabelAction::Lowercase => self.set(labels, to_lower(&self.value(labels))),
            RelabelAction::Uppercase => self.set(labels, to_upper(&self.value(labels))),
            // The hash of a placeholder has no meaning.
            RelabelAction::HashMod if self.reads_unknown(labels) => self.set(labels, "<hash>".to_owned()),
            RelabelAction::HashMod => self.set(labels, hashmod(&self.value(labels), self.modulus).to_string()),
            RelabelAction::LabelMap => self.map(labels),
            RelabelAction::LabelDrop => labels.retain(|name| !self.regex.is_match(name)),
            RelabelAction::LabelKeep => labels.retain(|name| self.regex.is_match(name)),
            RelabelAction::Keep | RelabelAction::Drop | RelabelAction::KeepEqual | RelabelAction::DropEqual => {}
        }
    }

    fn replacement(&self) -> &str {
        self.config.replacement.as_deref().unwrap_or("$1")
    }

    fn set(&self, labels: &mut Labels<'_>, value: String) {
        labels.set(self.config.target_label.clone().into_owned(), value);
    }

    /// Returns the joined values of the source labels.
    fn value<'v>(&self, labels: &'v Labels<'_>) -> Cow<'v, str> {
        match self.config.source_labels.as_slice() {
            [] => Cow::Borrowed(""),
            [one] => Cow::Borrowed(labels.get(one)),
            several => {
                let values: Vec<_> = several.iter().map(|label| labels.get(label)).collect();
                Cow::Owned(values.join(self.config.separator.as_deref().unwrap_or(";")))
            }
        }
    }

    /// Replaces the target label. If its name is invalid or the replacement is empty, the label is removed.
    fn replace(&self, labels: &mut Labels<'_>) {
        let value = self.value(labels);
        let Some(groups) = self.regex.find(&value) else { return };
        let target = self.regex.expand(&self.config.target_label, &groups);
        let replaced_value = self.regex.expand(self.replacement(), &groups);
        if replaced_value.is_empty() || !is_label_name(&target) {
            labels.remove(&self.config.target_label);
        } else {
            labels.set(target, replaced_value);
        }
    }

    /// Copies labels to names derived from their own names. Copies are not copied again.
    fn map(&self, labels: &mut Labels<'_>) {
        let mapped_labels = labels.map_names(|name| self.map_name(name));
        labels.extend(mapped_labels);
    }

    fn map_name(&self, name: &str) -> Option<String> {
        self.regex.is_match(name).then(|| self.regex.replace_all(name, self.replacement()))
    }
}

/// Returns the last 8 bytes of the MD5 sum, read as a big-endian number, modulo `modulus`.
pub fn hashmod(value: &str, modulus: NonZeroU64) -> u64 {
    let sum = u128::from_be_bytes(md5::compute(value).0);
    #[expect(clippy::cast_possible_truncation, reason = "only the last 8 bytes count")]
    let last_bytes = sum as u64;
    last_bytes % modulus
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_filter_rules_and_the_values_they_keep() {
        for (action, sources, regex, kept, is_filter) in [
            ("keep", &["a"][..], "x|y", Some(("a", &["x", "y"][..])), true),
            ("keep", &["a"], "x.*", None, true),
            ("keep", &["a", "b"], "x", None, true),
            ("keep", &[], "x", None, true),
            ("drop", &["a"], "x", None, true),
            ("KeepEqual", &["a"], "x", None, true),
            ("dropequal", &["a"], "x", None, true),
            ("replace", &["a"], "x", None, false),
            ("labeldrop", &[], "x", None, false),
        ] {
            let config = Config {
                source_labels: sources.iter().map(|label| Cow::Borrowed(*label)).collect(),
                regex: Some(regex.into()),
                action: Some(action.into()),
                ..Config::default()
            };
            let rule = RuleCompiler::default().rule(config).unwrap();
            let kept_values =
                kept.map(|(label, values)| (label, values.iter().map(|value| (*value).to_owned()).collect::<Vec<_>>()));
            assert_eq!(
                rule.kept_values().map(|(label, values)| (label, values.to_vec())),
                kept_values,
                "{action} {regex}"
            );
            assert_eq!(rule.is_filter(), is_filter, "{action}");
        }
    }

    #[test]
    fn cost_counts_bytes_read_and_written() {
        for (action, separator, target, replacement, expected) in [
            ("keep", None, "t", None, 17),
            ("drop", Some("--"), "t", Some("$1$1"), 19),
            ("hashmod", Some(""), "t", None, 15),
            ("replace", None, "t", None, 17 + (2 + 17) + 1),
            ("replace", None, "t$1", Some("x$1$2"), 17 + (5 + 2 * 17) + (3 + 17)),
            ("labeldrop", None, "", None, 200 + (2 + 200) - 160),
            ("labelmap", None, "", Some("x$1$2"), 200 + (5 + 2 * 200) - 160),
        ] {
            let sources = if target.is_empty() { &[][..] } else { &["a", "b"] };
            let config = Config {
                source_labels: sources.iter().map(|label| Cow::Borrowed(*label)).collect(),
                separator: separator.map(Cow::Borrowed),
                target_label: target.into(),
                replacement: replacement.map(Cow::Borrowed),
                action: Some(action.into()),
                modulus: 10,
                ..Config::default()
            };
            let rule = RuleCompiler::default().rule(config).unwrap();
            let long_name = "n".repeat(200);
            let labels = Labels::from_iter([("a", "1234567890"), ("b", "12345"), (long_name.as_str(), "x")]);
            assert_eq!(rule.cost(&labels), expected, "{action} {target} {replacement:?}");
        }
    }

    #[test]
    fn only_prometheus_3_matches_newlines() {
        let apply = |version, action: &'static str, regex: &'static str| {
            let config = Config {
                source_labels: vec!["a".into()],
                target_label: "b".into(),
                regex: Some(regex.into()),
                action: Some(action.into()),
                modulus: 10,
                ..Config::default()
            };
            let mut labels = Labels::from_iter([("a", "Foo\nBar")]);
            let rule = RuleCompiler::new(version).rule(config).unwrap();
            rule.apply(&mut labels).then(|| labels.get("b").to_owned())
        };
        for (version, action, regex, expected) in [
            (PrometheusVersion::V2, "lowercase", "(.*)", Some("foo\nbar")),
            (PrometheusVersion::V2, "uppercase", "(.*)", Some("FOO\nBAR")),
            (PrometheusVersion::V2, "keep", "Foo.Bar", None),
            (PrometheusVersion::V3, "keep", "Foo.Bar", Some("")),
            (PrometheusVersion::V3, "keep", "foo", None),
            (PrometheusVersion::V2, "drop", "Foo.Bar", Some("")),
            (PrometheusVersion::V3, "drop", "Foo.Bar", None),
        ] {
            assert_eq!(apply(version, action, regex).as_deref(), expected, "{version:?} {action}");
            assert_eq!(RuleCompiler::new(version).version(), version);
        }
    }
}
