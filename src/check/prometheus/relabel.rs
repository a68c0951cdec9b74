//! Relabeling rules.
//!
//! Reports an unknown action, and an action that lacks a required field or has a forbidden one
//! (`relabel.Config.Validate`). Each of these makes the agent reject its entire configuration. Examples are `action:
//! hashmod` without `modulus`, and `action: labeldrop` with `sourceLabels`.

use std::borrow::Cow;

use crate::check::field::{LABEL_NAME_HELP, check_anchored_regex, report_misread};
use crate::check::walk::Expect::{self, With};
use crate::check::walk::{Json, Step, Violation, Walk, list_alternatives};
use crate::diagnostic::Code;
use crate::go::envsubst;
use crate::go::syntax::{is_label_name, is_label_template};

/// Spelling of field names in a rule.
#[derive(Clone, Copy)]
pub enum FieldSpelling {
    /// Spelling in a resource, such as `targetLabel`.
    Resource,
    /// Spelling in the agent's configuration, such as `target_label`.
    Configuration,
}

impl FieldSpelling {
    /// Returns the spelling of a field, given its name in a resource.
    pub(super) fn spell(self, field: &'static str) -> &'static str {
        match (self, field) {
            (FieldSpelling::Configuration, "sourceLabels") => "source_labels",
            (FieldSpelling::Configuration, "targetLabel") => "target_label",
            (_, field) => field,
        }
    }

    /// Whether a string counts as set. The operator omits empty strings from resources.
    pub(super) fn is_set(self, text: &str) -> bool {
        matches!(self, FieldSpelling::Configuration) || !text.is_empty()
    }
}

/// Expects a rule in a resource.
pub const RELABEL: Expect = With(|rule, walk| {
    // Selected resources are checked as part of their configuration.
    if walk.context.hierarchy.is_none() {
        for field in ["regex", "replacement", "separator"] {
            walk.for_each(field, rule, |walk, text| report_misread(text, true, walk));
        }
    }
    check(rule, FieldSpelling::Resource, walk);
});

/// Expects a rule in the agent's configuration. Nulls are accepted, because the operator omits them.
pub const CONFIGURED: Expect = With(|rule, walk| {
    if !rule.is_null() {
        check(rule, FieldSpelling::Configuration, walk);
    }
});

/// Kind of target label that an action expects.
enum TargetLabel {
    /// The action does not write the label.
    Ignored,
    /// Label name, or a template with references to capture groups.
    Template,
    Name,
    /// Label name. Older Prometheus releases also accept references and write them literally.
    NameOrLegacyTemplate,
}

/// Actions, each with the expectation for its target label and its forbidden fields.
const ACTIONS: [(&str, TargetLabel, &[&str]); 11] = [
    ("replace", TargetLabel::Template, &[]),
    ("keep", TargetLabel::Ignored, &[]),
    ("drop", TargetLabel::Ignored, &[]),
    ("hashmod", TargetLabel::Name, &[]),
    ("labelmap", TargetLabel::Ignored, &[]),
    ("labeldrop", TargetLabel::Ignored, ALL_BUT_REGEX),
    ("labelkeep", TargetLabel::Ignored, ALL_BUT_REGEX),
    ("lowercase", TargetLabel::NameOrLegacyTemplate, &["replacement"]),
    ("uppercase", TargetLabel::NameOrLegacyTemplate, &["replacement"]),
    ("keepequal", TargetLabel::NameOrLegacyTemplate, ALL_BUT_LABELS),
    ("dropequal", TargetLabel::NameOrLegacyTemplate, ALL_BUT_LABELS),
];

const ALL_BUT_REGEX: &[&str] = &["sourceLabels", "targetLabel", "modulus", "separator", "replacement"];
const ALL_BUT_LABELS: &[&str] = &["regex", "modulus", "separator", "replacement"];

fn check<'v>(rule: Json<'v>, spelling: FieldSpelling, walk: &mut Walk<'v>) {
    let field = |name| {
        let text = rule.get(spelling.spell(name)).and_then(Json::scalar);
        text.filter(|text| spelling.is_set(text))
    };
    let source_labels = spelling.spell("sourceLabels");
    let at = |field| [Step::Key(spelling.spell(field))];
    for (i, name) in rule.list(source_labels).enumerate() {
        if let Some(name) = name.scalar().filter(|name| !is_label_name(name)) {
            report_invalid_label_name(&name, "", &[Step::Key(source_labels), Step::Index(i)], walk);
        }
    }
    let regex = field("regex");
    if let Some(pattern) = &regex {
        walk.enter(Step::Key("regex"), |walk| check_anchored_regex(pattern, walk));
    }
    let action = field("action").unwrap_or(Cow::Borrowed("replace"));
    let has_modulus = field("modulus").is_some_and(|modulus| modulus != "0");
    let known_action = ACTIONS.iter().find(|(name, ..)| name.eq_ignore_ascii_case(&action));
    let Some((name, target, forbidden)) = known_action else {
        let message = format!("{} is not a relabeling action", walk.quote(&action));
        let help = format!("use {}", list_alternatives(&ACTIONS.map(|(name, ..)| name).join("|")));
        walk.report_with_code(Code::UnknownRelabelAction, &at("action"), message, help);
        return;
    };
    if *name == "hashmod" && !has_modulus {
        report_missing_field("modulus", name, walk);
    }
    // The agent replaces `$$` before it reads the rule.
    let unescape = |text: Cow<'v, str>| match walk.context.is_for_agent() && text.contains("$$") {
        true => Cow::Owned(text.replace("$$", "$")),
        false => text,
    };
    let written_target = field("targetLabel").unwrap_or_default();
    let label = unescape(written_target.clone());
    let replacement = unescape(field("replacement").unwrap_or(Cow::Borrowed("$1")));
    match target {
        TargetLabel::Ignored => {}
        _ if label.is_empty() => report_missing_field(spelling.spell("targetLabel"), name, walk),
        TargetLabel::NameOrLegacyTemplate if !is_label_name(&label) && is_label_template(&label) => {
            let quoted = walk.quote(&written_target);
            let message = format!("the `{name}` action does not expand the reference in {quoted}");
            walk.report_with_code(Code::InvalidLabelName, &at("targetLabel"), message, "").is_warning = true;
        }
        TargetLabel::Template if is_label_template(&label) => {}
        TargetLabel::Name | TargetLabel::NameOrLegacyTemplate if is_label_name(&label) => {}
        _ => drop(report_invalid_label_name(&written_target, "", &at("targetLabel"), walk)),
    }
    if *name == "labelmap" && !is_label_template(&replacement) {
        report_invalid_label_name(&replacement, ", which `labelmap` needs", &at("replacement"), walk).help =
            "use only letters, digits, `_` and references such as `${1}`".to_owned();
    }
    let regex_with_names = regex.as_deref().filter(|regex| regex.contains('<'));
    for (name, regex) in
        ["replacement", "targetLabel"].into_iter().flat_map(|name| regex_with_names.map(|regex| (name, regex)))
    {
        let text = field(name).unwrap_or_default();
        if let Some(group) = group_as_variable(&text, regex) {
            let quoted = walk.quote(&format!("${{{group}}}"));
            let message = format!(
                "the agent replaces {quoted}, which refers to a capture group, with the value of an environment variable"
            );
            let help = match quoted == format!("`${{{group}}}`") {
                true => format!("write `$${{{group}}}`"),
                false => "write `$${name}` instead of `${name}`".to_owned(),
            };
            walk.report_with_code(Code::MisreadVariable, &at(name), message, help).is_warning = true;
        }
    }
    if forbidden.is_empty() {
        return;
    }
    let has_source_labels = match spelling {
        FieldSpelling::Resource => rule.list(source_labels).next().is_some(),
        FieldSpelling::Configuration => rule.non_null(source_labels).is_some(),
    };
    let fields = [
        ("sourceLabels", has_source_labels),
        ("targetLabel", !label.is_empty()),
        ("regex", regex.is_some()),
        ("modulus", has_modulus),
        ("separator", field("separator").is_some_and(|text| text != ";")),
        ("replacement", replacement != "$1"),
    ];
    let conflicting_fields = fields.iter().filter(|(field, is_set)| *is_set && forbidden.contains(field));
    for (field, _) in conflicting_fields {
        let quoted = spelling.spell(field);
        let message = format!("the `{name}` action does not accept `{quoted}`");
        let help = match (*field, name.strip_suffix("equal")) {
            ("regex", Some(plain)) => {
                format!("use the `{plain}` action to match `regex`: `{name}` compares labels with each other")
            }
            _ => format!("remove `{quoted}`"),
        };
        walk.report_with_code(Code::ConflictingRelabeling, &at(field), message, help);
    }
}

/// Returns the first variable in a string that has the same name as a group in the regular expression.
fn group_as_variable<'t>(text: &'t str, regex: &str) -> Option<&'t str> {
    // `$$` is an escaped dollar sign.
    let texts = text.split("$$").flat_map(|text| text.split('$').skip(1));
    let mut names = texts.filter_map(|after| Some(envsubst::reference(after)?.0));
    names.find(|name| regex.contains(&format!("<{name}>")))
}

fn report_missing_field(field: &str, action: &str, walk: &mut Walk<'_>) {
    let message = format!("the `{action}` action needs `{field}`");
    walk.report_with_code(Code::IncompleteRelabeling, &[], message, "");
}

fn report_invalid_label_name<'w, 'v>(
    name: &str,
    why: &str,
    path: &[Step<'v>],
    walk: &'w mut Walk<'v>,
) -> &'w mut Violation<'v> {
    let message = format!("{} is not a valid label name{why}", walk.quote(name));
    walk.report_with_code(Code::InvalidLabelName, path, message, LABEL_NAME_HELP)
}
