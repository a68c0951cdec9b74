//! A rule of a job in a few words.

use super::json::rule_place;
use super::masked::{quoted, shown};
use crate::scrape::{JobRule, RuleOrigin};
use crate::source::Sources;

/// Where a rule comes from: its field and its place.
pub(super) fn described(rule: &JobRule<'_>, sources: &Sources) -> String {
    let field = match &rule.origin {
        RuleOrigin::Field(origin) => match origin.path().to_string() {
            path if path.is_empty() => origin.object().to_string(),
            path => path,
        },
        RuleOrigin::Additional { secret, path, line } => return format!("{path} ({secret}:{line})"),
        RuleOrigin::Unknown => return "a rule of the operator".to_owned(),
    };
    match rule_place(&rule.origin, sources) {
        Some(place) => format!("{field} ({place})"),
        None => field,
    }
}

/// What a rule does: `keep [a, b] ~ "x|y"`.
pub(super) fn summary(rule: &JobRule<'_>) -> String {
    let config = rule.config();
    let action = config.action.as_deref().unwrap_or("replace");
    let mut text = action.to_lowercase();
    if !config.source_labels.is_empty() {
        text.push_str(&format!(" [{}]", config.source_labels.join(", ")));
    }
    if let Some(regex) = &config.regex {
        text.push_str(&format!(" ~ {}", quoted(regex)));
    }
    if config.modulus > 0 {
        text.push_str(&format!(" mod {}", config.modulus));
    }
    if !config.target_label.is_empty() {
        text.push_str(&format!(" -> {}", config.target_label));
    }
    if let Some(replacement) = &config.replacement {
        text.push_str(&format!(" = {}", quoted(&shown(&config.target_label, replacement))));
    }
    text
}
