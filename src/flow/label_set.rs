//! The labels that can exist between two rules.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::discovered;
use super::expressions::Expression;
use super::rule::{FlowRule, Matching};
use super::values::alphabet::{ANY, METRIC};
use super::values::{Presence, Values};
use crate::plan::{DiscoveryRole, RelabelAction};

/// Owner of a set of labels: a target, distinguished by how it is found, or a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// A target that Kubernetes discovery found.
    Discovered(DiscoveryRole),
    /// A target from a list.
    Listed,
    /// A target of any kind.
    Unknown,
    /// A sample of a scrape (`mutateSampleLabels`).
    Sample,
}

/// Set of the labels that can exist between two rules.
#[derive(Clone, Debug)]
pub struct LabelSet<'r> {
    pub phase: Phase,
    /// Values that differ from the phase's defaults, by label.
    known: BTreeMap<Cow<'r, str>, Values>,
    /// Prefixes of the names of unknown labels that rules may have written, each with whether the rest of the name
    /// comes from an object's metadata and therefore does not start with `__`.
    unknown: Vec<(String, bool)>,
    filters: Vec<NameFilter>,
    /// Whether every target is assumed to have the usual labels, which only unusual targets lack.
    is_usual: bool,
}

/// A rule that removes labels by name.
#[derive(Clone, Debug)]
struct NameFilter {
    names: Rc<Expression>,
    /// Whether the labels with matching names are kept rather than removed.
    is_kept: bool,
    /// Number of unknown labels that were written before this rule.
    written_before: usize,
}

impl NameFilter {
    fn removes(&self, name: &str) -> bool {
        self.names.matcher.is_match(name) != self.is_kept
    }
}

/// Maximum number of rules that remove labels by name. If there are more, the set counts as unknown.
const MAX_FILTERS: usize = 16;

/// Maximum number of prefixes of unknown labels.
const MAX_UNKNOWN: usize = 32;

impl<'r> LabelSet<'r> {
    pub fn new(phase: Phase) -> Self {
        Self { phase, known: BTreeMap::new(), unknown: Vec::new(), filters: Vec::new(), is_usual: false }
    }

    /// Sets the possible values of a label.
    pub fn set(&mut self, name: impl Into<Cow<'r, str>>, values: Values) {
        self.known.insert(name.into(), values);
    }

    /// Assumes that every target has the usual labels, which only unusual targets lack.
    #[must_use]
    pub fn assume_usual(self) -> Self {
        Self { is_usual: true, ..self }
    }

    /// Returns whether all, some or none of the possible label sets contain the label.
    pub fn presence(&self, name: &str) -> Presence {
        self.known.get(name).map_or_else(|| self.get(name).presence(), Values::presence)
    }

    /// Returns the values that a label can have.
    pub fn get(&self, name: &str) -> Values {
        if let Some(values) = self.known.get(name) {
            return values.clone();
        }
        let removal = self.filters.iter().rev().find(|filter| filter.removes(name));
        let written_prefixes = self.unknown.iter().skip(removal.map_or(0, |filter| filter.written_before));
        if !name.starts_with("__meta_")
            && written_prefixes.into_iter().any(|written_prefixes| may_match_name(written_prefixes, name))
        {
            return Values::unknown(ANY, true);
        }
        match removal {
            Some(_) => Values::missing(),
            None => self.phase_default(name),
        }
    }

    fn phase_default(&self, name: &str) -> Values {
        match self.phase {
            Phase::Sample if name == "__name__" => Values::unknown(METRIC, false),
            Phase::Sample if !name.starts_with("__") => Values::unknown(ANY, true),
            Phase::Discovered(role) => self.discovered_values(name, discovered::values(role, name)),
            Phase::Unknown => self.discovered_values(name, Some(Values::unknown(ANY, true))),
            Phase::Sample | Phase::Listed => Values::missing(),
        }
    }

    fn discovered_values(&self, name: &str, values: Option<Values>) -> Values {
        match values {
            Some(values) if self.is_usual && discovered::is_usual(name) => values.without_empty(),
            values => values.unwrap_or_else(Values::missing),
        }
    }

    /// Returns the possible values of a rule's source labels.
    fn sources(&self, rule: &FlowRule<'_>) -> Vec<Values> {
        rule.sources.iter().map(|source| self.get(source)).collect()
    }

    /// Returns whether a rule's expression matches these labels: always, sometimes or never.
    pub fn matching(&self, rule: &FlowRule<'_>) -> Matching {
        rule.matching(&self.sources(rule))
    }

    /// Whether a label with this prefix may exist.
    pub fn may_have_prefix(&self, prefix: &str) -> bool {
        let is_known = self.known.iter().any(|(name, values)| name.starts_with(prefix) && !values.is_missing());
        let is_written =
            || self.unknown.iter().any(|(name, _)| name.starts_with(prefix) || prefix.starts_with(&**name));
        is_known
            || is_written()
            || match self.phase {
                Phase::Discovered(role) => discovered::has_prefix(role, prefix),
                Phase::Sample => "__name__".starts_with(prefix) || !prefix.starts_with("__"),
                Phase::Unknown => true,
                Phase::Listed => false,
            }
    }

    /// Returns the names of the labels that every possible label set contains.
    pub fn certain_names(&self) -> Vec<String> {
        let known_names = self.known.iter().filter(|(_, values)| !values.may_be_missing());
        let mut names: Vec<_> = known_names.map(|(name, _)| name.clone().into_owned()).collect();
        let phase_names = match self.phase {
            Phase::Discovered(role) => super::discovered_names(role),
            Phase::Sample => vec!["__name__".to_owned()],
            Phase::Listed | Phase::Unknown => Vec::new(),
        };
        names.extend(phase_names.into_iter().filter(|name| !self.get(name).may_be_missing()));
        names
    }

    /// Returns the names and values of the labels that rules have set.
    pub fn names(&self) -> impl Iterator<Item = (&str, &Values)> {
        self.known.iter().map(|(name, values)| (&**name, values))
    }

    /// Whether rules may have written labels with unknown names that do not start with `__`.
    pub fn has_unknown_names(&self) -> bool {
        self.unknown.iter().any(|(prefix, _)| !prefix.starts_with("__"))
    }

    /// Applies a rule, given whether its expression matches. Returns `false` if there are too many rules to follow.
    pub fn apply(&mut self, rule: &FlowRule<'r>, matching: Matching) -> bool {
        match rule.action {
            RelabelAction::KeepEqual | RelabelAction::DropEqual => {}
            RelabelAction::Keep | RelabelAction::Drop => {
                if let [source] = rule.sources.as_slice()
                    && !rule.has_variable
                {
                    let values = self.get(source).filter(&rule.expression, rule.action == RelabelAction::Keep);
                    self.set(source.clone(), values);
                }
            }
            RelabelAction::LabelMap => {
                let prefix = rule.replacement.split('$').next().unwrap_or_default();
                // The labels and annotations of objects start with a letter or digit.
                self.write(prefix, rule.pattern.starts_with("__meta_kubernetes_"), false);
            }
            RelabelAction::LabelDrop | RelabelAction::LabelKeep => {
                if rule.has_variable {
                    self.open_prefix("", false);
                    return true;
                }
                let is_kept = rule.action == RelabelAction::LabelKeep;
                for (name, values) in &mut self.known {
                    if rule.expression.matcher.is_match(name) != is_kept {
                        *values = Values::missing();
                    }
                }
                if self.filters.len() == MAX_FILTERS {
                    return false;
                }
                let names = Rc::clone(&rule.expression);
                self.filters.push(NameFilter { names, is_kept, written_before: self.unknown.len() });
            }
            _ if matching == Matching::Never => {}
            _ => match rule.fixed_target() {
                Some(target) => {
                    let written_values = rule.written_values(&self.sources(rule));
                    let values = match matching {
                        Matching::Always => written_values,
                        Matching::Never | Matching::Sometimes => written_values.or(self.get(target)),
                    };
                    self.set(target.to_owned(), values);
                }
                None => {
                    let may_be_empty = rule.written_values(&self.sources(rule)).may_be_missing();
                    self.write(rule.target.split('$').next().unwrap_or_default(), false, may_be_empty);
                }
            },
        }
        true
    }

    /// Treats every label whose name starts with `prefix` as one that rules may have written or removed.
    pub fn open_prefix(&mut self, prefix: &str, is_of_metadata: bool) {
        self.write(prefix, is_of_metadata, true);
    }

    /// Treats every label whose name starts with `prefix` as one that a rule may have written.
    fn write(&mut self, prefix: &str, is_of_metadata: bool, may_be_empty: bool) {
        let covers = |(known, spares): &(String, bool)| prefix.starts_with(&**known) && (!spares || is_of_metadata);
        let since_filters = self.filters.last().map_or(0, |filter| filter.written_before);
        let is_covered = self.unknown.iter().skip(since_filters).any(covers);
        let written = match is_covered || self.unknown.len() < MAX_UNKNOWN {
            true => (prefix.to_owned(), is_of_metadata),
            // The empty prefix covers all labels.
            false => (String::new(), false),
        };
        for (name, values) in &mut self.known {
            if may_match_name(&written, name) && !name.starts_with("__meta_") {
                *values = Values::unknown(ANY, may_be_empty || values.may_be_missing());
            }
        }
        if !is_covered {
            self.unknown.push(written);
        }
    }
}

/// Whether a written label may have this name.
fn may_match_name((prefix, is_of_metadata): &(String, bool), name: &str) -> bool {
    name.starts_with(&**prefix) && !(*is_of_metadata && prefix.is_empty() && name.starts_with("__"))
}
