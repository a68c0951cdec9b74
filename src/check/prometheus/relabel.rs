//! Relabelling rules.
//!
//! What: an action that Prometheus does not know, without a field that it needs, or with one that it must not have
//! (`relabel.Config.Validate`). Why: the agent refuses its whole configuration. Example: `action: hashmod` without
//! `modulus`, `action: labeldrop` with `sourceLabels`.

use super::{label, regex};
use crate::api::RelabelConfig;
use crate::check::diagnostics;
use crate::check::misread;
use crate::check::place::Place;
use crate::diagnostic::Diagnostic;
use crate::go::label_name::{is_label_name, is_label_template};

/// How the names of fields are written.
#[derive(Clone, Copy)]
pub enum Spelling {
    /// As in a resource: `targetLabel`.
    Resource,
    /// As in the agent's configuration: `target_label`.
    Configuration,
}

impl Spelling {
    fn source_labels(self) -> &'static str {
        match self {
            Spelling::Resource => "sourceLabels",
            Spelling::Configuration => "source_labels",
        }
    }

    fn target_label(self) -> &'static str {
        match self {
            Spelling::Resource => "targetLabel",
            Spelling::Configuration => "target_label",
        }
    }
}

/// A rule as Prometheus reads it; what the operator leaves out is `None`.
#[derive(Default)]
pub struct Rule<'a> {
    /// Whether there are source labels.
    pub has_source_labels: bool,
    /// What joins their values.
    pub separator: Option<&'a str>,
    /// The label that is written.
    pub target_label: &'a str,
    /// What the joined value must match.
    pub regex: Option<&'a str>,
    /// The modulus of `hashmod`.
    pub modulus: u64,
    /// What is written.
    pub replacement: Option<&'a str>,
    /// What is done.
    pub action: &'a str,
}

impl<'a> Rule<'a> {
    fn new(config: &RelabelConfig<'a>) -> Self {
        let set = |text: &'a str| (!text.is_empty()).then_some(text);
        Self {
            has_source_labels: !config.source_labels.is_empty(),
            separator: set(config.separator),
            target_label: config.target_label,
            regex: set(config.regex),
            modulus: config.modulus,
            replacement: set(config.replacement),
            action: set(config.action).unwrap_or("replace"),
        }
    }
}

/// Checks a list of rules.
pub fn check(rules: &[RelabelConfig<'_>], at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    for (i, config) in rules.iter().enumerate() {
        let at = at.index(i);
        for (i, name) in config.source_labels.iter().enumerate() {
            label::check_name(name, &at.key("sourceLabels").index(i), found);
        }
        for (key, text) in [
            ("regex", config.regex),
            ("replacement", config.replacement),
            ("separator", config.separator),
        ] {
            misread::check(text, true, &at.key(key), found);
        }
        check_rule(&Rule::new(config), Spelling::Resource, &at, found);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    Replace,
    Keep,
    Drop,
    HashMod,
    LabelMap,
    LabelDrop,
    LabelKeep,
    Lowercase,
    Uppercase,
    KeepEqual,
    DropEqual,
}

const ACTIONS: [(&str, Action); 11] = [
    ("replace", Action::Replace),
    ("keep", Action::Keep),
    ("drop", Action::Drop),
    ("hashmod", Action::HashMod),
    ("labelmap", Action::LabelMap),
    ("labeldrop", Action::LabelDrop),
    ("labelkeep", Action::LabelKeep),
    ("lowercase", Action::Lowercase),
    ("uppercase", Action::Uppercase),
    ("keepequal", Action::KeepEqual),
    ("dropequal", Action::DropEqual),
];

/// Checks one rule.
pub fn check_rule(rule: &Rule<'_>, spelling: Spelling, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    if let Some(pattern) = rule.regex {
        regex::check_anchored(pattern, &at.key("regex"), found);
    }
    let known = ACTIONS.iter().find(|(name, _)| name.eq_ignore_ascii_case(rule.action));
    let Some((name, action)) = known else {
        found.push(diagnostics::unknown_relabel_action(&at.key("action"), rule.action));
        return;
    };
    let site = Site {
        rule,
        spelling,
        at,
        name,
    };
    site.check(*action, found);
}

struct Site<'a> {
    rule: &'a Rule<'a>,
    spelling: Spelling,
    at: &'a Place<'a>,
    /// The action.
    name: &'static str,
}

impl Site<'_> {
    fn check(&self, action: Action, found: &mut Vec<Diagnostic>) {
        match action {
            Action::Keep | Action::Drop => {}
            Action::Replace => self.target_template(found),
            Action::HashMod => {
                if self.rule.modulus == 0 {
                    found.push(diagnostics::relabeling_needs(self.at, self.name, "modulus"));
                }
                self.target_name(found);
            }
            Action::LabelMap => self.label_map(found),
            Action::LabelDrop | Action::LabelKeep => {
                self.forbid(self.rule.has_source_labels, self.spelling.source_labels(), found);
                self.forbid(!self.rule.target_label.is_empty(), self.spelling.target_label(), found);
                self.only_defaults(found);
            }
            Action::Lowercase | Action::Uppercase => {
                self.lenient_target(found);
                self.forbid(self.has_replacement(), "replacement", found);
            }
            Action::KeepEqual | Action::DropEqual => {
                self.lenient_target(found);
                self.forbid(self.rule.regex.is_some(), "regex", found);
                self.only_defaults(found);
            }
        }
    }

    fn forbid(&self, is_there: bool, field: &'static str, found: &mut Vec<Diagnostic>) {
        if is_there {
            found.push(diagnostics::relabeling_must_not_have(
                &self.at.key(field),
                self.name,
                field,
            ));
        }
    }

    fn only_defaults(&self, found: &mut Vec<Diagnostic>) {
        self.forbid(self.rule.modulus != 0, "modulus", found);
        self.forbid(self.rule.separator.is_some_and(|text| text != ";"), "separator", found);
        self.forbid(self.has_replacement(), "replacement", found);
    }

    fn has_replacement(&self) -> bool {
        self.rule.replacement.is_some_and(|text| text != "$1")
    }

    /// Whether there is a target label; its absence is reported.
    fn has_target(&self, found: &mut Vec<Diagnostic>) -> bool {
        let is_there = !self.rule.target_label.is_empty();
        if !is_there {
            let field = self.spelling.target_label();
            found.push(diagnostics::relabeling_needs(self.at, self.name, field));
        }
        is_there
    }

    fn target_template(&self, found: &mut Vec<Diagnostic>) {
        if self.has_target(found) {
            let at = self.at.key(self.spelling.target_label());
            label::check_template(self.rule.target_label, &at, found);
        }
    }

    fn target_name(&self, found: &mut Vec<Diagnostic>) {
        if self.has_target(found) {
            let at = self.at.key(self.spelling.target_label());
            label::check_name(self.rule.target_label, &at, found);
        }
    }

    /// Older releases of Prometheus let references pass here, and write them as they stand.
    fn lenient_target(&self, found: &mut Vec<Diagnostic>) {
        let target = self.rule.target_label;
        if !is_label_name(target) && is_label_template(target) {
            let at = self.at.key(self.spelling.target_label());
            found.push(diagnostics::reference_in_label(&at, target, self.name));
        } else {
            self.target_name(found);
        }
    }

    fn label_map(&self, found: &mut Vec<Diagnostic>) {
        let replacement = self.rule.replacement.unwrap_or("$1");
        if !is_label_template(replacement) {
            let at = self.at.key("replacement");
            found.push(diagnostics::invalid_label_map(&at, replacement));
        }
    }
}
