//! Relabelling rules.
//!
//! What: an action that Prometheus does not know, without a field that it needs, or with one that it must not have
//! (`relabel.Config.Validate`). Why: the agent refuses its whole configuration. Example: `action: hashmod` without
//! `modulus`, `action: labeldrop` with `sourceLabels`.

use crate::api::RelabelConfig;
use crate::check::field::{anchored_regex, label_name, label_template, misread};
use crate::check::place::Place;
use crate::diagnostic::{Code, Severity};
use crate::go::syntax::{is_label_name, is_label_template};

/// How the names of fields are written.
#[derive(Clone, Copy)]
pub enum Spelling {
    /// As in a resource: `targetLabel`.
    Resource,
    /// As in the agent's configuration: `target_label`.
    Configuration,
}

impl Spelling {
    /// The name of a field, given its name in a resource.
    fn of(self, field: &'static str) -> &'static str {
        match (self, field) {
            (Spelling::Configuration, "sourceLabels") => "source_labels",
            (Spelling::Configuration, "targetLabel") => "target_label",
            (_, field) => field,
        }
    }
}

/// A rule as Prometheus reads it; fields that the operator omits are `None`.
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
pub fn check(rules: &[RelabelConfig<'_>], at: &Place<'_>) {
    for (i, config) in rules.iter().enumerate() {
        let at = at.index(i);
        for (i, name) in config.source_labels.iter().enumerate() {
            label_name(name, &at.key("sourceLabels").index(i));
        }
        misread(config.regex, true, &at.key("regex"));
        misread(config.replacement, true, &at.key("replacement"));
        misread(config.separator, true, &at.key("separator"));
        check_rule(&Rule::new(config), Spelling::Resource, &at);
    }
}

/// What an action expects of the label that it writes.
enum Target {
    /// It does not write it.
    Ignored,
    /// A name, or references to groups that make one.
    Template,
    /// A name.
    Name,
    /// A name. Older releases of Prometheus accept references here and write them literally.
    NameOfLate,
}

/// The actions, what they expect of the target label, and the fields that they must not have.
const ACTIONS: [(&str, Target, &[&str]); 11] = [
    ("replace", Target::Template, &[]),
    ("keep", Target::Ignored, &[]),
    ("drop", Target::Ignored, &[]),
    ("hashmod", Target::Name, &[]),
    ("labelmap", Target::Ignored, &[]),
    ("labeldrop", Target::Ignored, ALL_BUT_REGEX),
    ("labelkeep", Target::Ignored, ALL_BUT_REGEX),
    ("lowercase", Target::NameOfLate, &["replacement"]),
    ("uppercase", Target::NameOfLate, &["replacement"]),
    ("keepequal", Target::NameOfLate, ALL_BUT_LABELS),
    ("dropequal", Target::NameOfLate, ALL_BUT_LABELS),
];

const ALL_BUT_REGEX: &[&str] = &["sourceLabels", "targetLabel", "modulus", "separator", "replacement"];
const ALL_BUT_LABELS: &[&str] = &["regex", "modulus", "separator", "replacement"];

/// Checks one rule.
pub fn check_rule(rule: &Rule<'_>, spelling: Spelling, at: &Place<'_>) {
    if let Some(pattern) = rule.regex {
        anchored_regex(pattern, &at.key("regex"));
    }
    let known = ACTIONS.iter().find(|(name, ..)| name.eq_ignore_ascii_case(rule.action));
    let Some((name, target, forbidden)) = known else {
        let message = format!("{} is not a relabelling action", at.quoted(rule.action));
        let help = format!("use one of {}", ACTIONS.map(|(name, ..)| name).join(", "));
        return at.key("action").report(Code::UnknownRelabelAction, message, help);
    };
    if *name == "hashmod" && rule.modulus == 0 {
        needs("modulus", name, at);
    }
    target_label(rule.target_label, target, name, spelling.of("targetLabel"), at);
    let replacement = rule.replacement.unwrap_or("$1");
    if *name == "labelmap" && !is_label_template(replacement) {
        let shown = at.quoted(replacement);
        let message = format!("{shown} is not a valid label name, which `labelmap` needs");
        let help = "use letters, digits, `_` and references such as `${1}`";
        at.key("replacement").report(Code::InvalidLabelName, message, help);
    }
    let fields = [
        ("sourceLabels", rule.has_source_labels),
        ("targetLabel", !rule.target_label.is_empty()),
        ("regex", rule.regex.is_some()),
        ("modulus", rule.modulus != 0),
        ("separator", rule.separator.is_some_and(|text| text != ";")),
        ("replacement", replacement != "$1"),
    ];
    for (field, _) in fields
        .iter()
        .filter(|(field, is_set)| *is_set && forbidden.contains(field))
    {
        let field = spelling.of(field);
        let message = format!("the action `{name}` must not have `{field}`");
        let help = format!("remove `{field}`");
        at.key(field).report(Code::ConflictingRelabeling, message, help);
    }
}

fn needs(field: &str, action: &str, at: &Place<'_>) {
    let message = format!("the action `{action}` needs `{field}`");
    at.report(Code::IncompleteRelabeling, message, format!("set `{field}`"));
}

/// Checks the label that a rule writes, which is set in `field`.
fn target_label(label: &str, expected: &Target, action: &str, field: &str, rule: &Place<'_>) {
    let at = rule.key(field);
    match expected {
        Target::Ignored => {}
        _ if label.is_empty() => needs(field, action, rule),
        Target::Template => label_template(label, &at),
        Target::NameOfLate if !is_label_name(label) && is_label_template(label) => {
            let message = format!(
                "{} has a reference, which `{action}` does not replace",
                at.quoted(label)
            );
            let finding = at.diagnostic(Code::InvalidLabelName, message);
            at.add(finding.severity(Severity::Warning));
        }
        Target::Name | Target::NameOfLate => label_name(label, &at),
    }
}
