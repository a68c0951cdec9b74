//! Relabelling rules of jobs.

use std::borrow::Cow;

use super::list;
use crate::check::place::Place;
use crate::check::prometheus::label;
use crate::check::prometheus::relabel::{Rule, Spelling, check_rule};
use crate::diagnostic::Diagnostic;
use crate::yaml::{Node, NodeValue};

/// Checks the rules of a list, by the names of the agent's configuration.
pub fn relabel_rules(job: Node<'_>, field: &str, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    let at = at.key(field);
    for (i, rule) in list(job, field).enumerate().filter(|(_, rule)| !rule.is_null()) {
        relabel_rule(rule, &at.index(i), found);
    }
}

fn relabel_rule(rule: Node<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    for (i, name) in list(rule, "source_labels").enumerate() {
        if let Some(name) = scalar(name) {
            label::check_name(&name, &at.key("source_labels").index(i), found);
        }
    }
    let field = |name: &str| rule.get(name).and_then(scalar);
    let (separator, regex, replacement) = (field("separator"), field("regex"), field("replacement"));
    let rule = Rule {
        has_source_labels: rule.get("source_labels").is_some_and(|labels| !labels.is_null()),
        separator: separator.as_deref(),
        target_label: &field("target_label").unwrap_or_default(),
        regex: regex.as_deref(),
        modulus: u64::from(field("modulus").is_some_and(|modulus| modulus != "0")),
        replacement: replacement.as_deref(),
        action: &field("action").unwrap_or(Cow::Borrowed("replace")),
    };
    check_rule(&rule, Spelling::Configuration, at, found);
}

/// A scalar as the agent reads it where text belongs.
fn scalar(node: Node<'_>) -> Option<Cow<'_, str>> {
    Some(match node.value() {
        NodeValue::String(text) => Cow::Borrowed(text),
        NodeValue::Bool(value) => Cow::Owned(value.to_string()),
        NodeValue::Int(value) => Cow::Owned(value.to_string()),
        NodeValue::Float(value) => Cow::Owned(value.to_string()),
        NodeValue::Null | NodeValue::Sequence | NodeValue::Mapping => return None,
    })
}
