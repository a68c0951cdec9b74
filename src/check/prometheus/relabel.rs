//! Relabelling rules.
//!
//! What: an action that Prometheus does not know, without a field that it needs, or with one that it must not have
//! (`relabel.Config.Validate`). Why: the agent refuses its whole configuration. Example: `action: hashmod` without
//! `modulus`, `action: labeldrop` with `sourceLabels`.

use std::borrow::Cow;

use crate::check::field::{anchored_regex, label_name, label_template, misread, scalar};
use crate::check::place::Place;
use crate::diagnostic::{Code, Severity};
use crate::go::syntax::{is_label_name, is_label_template};
use crate::yaml::Node;

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

    /// Whether a text counts: the operator omits empty ones.
    fn is_set(self, text: &str) -> bool {
        matches!(self, Spelling::Configuration) || !text.is_empty()
    }
}

/// Checks the list of rules that is here in a resource.
pub fn check(at: &Place<'_>) {
    for (i, rule) in at.node().into_iter().flat_map(Node::items).enumerate() {
        let at = at.index(i);
        for field in ["regex", "replacement", "separator"] {
            if let Some(text) = rule.get(field).and_then(Node::as_str) {
                misread(text, true, &at.key(field));
            }
        }
        check_rule(rule, Spelling::Resource, &at);
    }
}

/// What an action expects of the label that it writes.
enum Target {
    /// It does not write it.
    Ignored,
    /// A name, or references to groups that make one.
    Template,
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

pub fn check_rule(rule: Node<'_>, spelling: Spelling, at: &Place<'_>) {
    let field = |name| {
        rule.get(spelling.of(name))
            .and_then(scalar)
            .filter(|text| spelling.is_set(text))
    };
    let source_labels = spelling.of("sourceLabels");
    let labels = rule.get(source_labels);
    for (i, name) in labels.into_iter().flat_map(Node::items).enumerate() {
        if let Some(name) = scalar(name) {
            label_name(&name, &at.key(source_labels).index(i));
        }
    }
    let regex = field("regex");
    if let Some(pattern) = &regex {
        anchored_regex(pattern, &at.key("regex"));
    }
    let action = field("action").unwrap_or(Cow::Borrowed("replace"));
    let modulus = field("modulus").is_some_and(|modulus| modulus != "0");
    let known = ACTIONS.iter().find(|(name, ..)| name.eq_ignore_ascii_case(&action));
    let Some((name, target, forbidden)) = known else {
        let message = format!("{} is not a relabelling action", at.quoted(&action));
        let help = format!("use one of {}", ACTIONS.map(|(name, ..)| name).join(", "));
        return at.key("action").report(Code::UnknownRelabelAction, message, help);
    };
    if *name == "hashmod" && !modulus {
        needs("modulus", name, at);
    }
    let label = field("targetLabel").unwrap_or_default();
    target_label(&label, target, name, spelling.of("targetLabel"), at);
    let replacement = field("replacement").unwrap_or(Cow::Borrowed("$1"));
    if *name == "labelmap" && !is_label_template(&replacement) {
        let shown = at.quoted(&replacement);
        let message = format!("{shown} is not a valid label name, which `labelmap` needs");
        let help = "use letters, digits, `_` and references such as `${1}`";
        at.key("replacement").report(Code::InvalidLabelName, message, help);
    }
    let has_source_labels = labels.is_some_and(|labels| match spelling {
        Spelling::Resource => labels.items().len() > 0,
        Spelling::Configuration => !labels.is_null(),
    });
    let fields = [
        ("sourceLabels", has_source_labels),
        ("targetLabel", !label.is_empty()),
        ("regex", regex.is_some()),
        ("modulus", modulus),
        ("separator", field("separator").is_some_and(|text| text != ";")),
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
