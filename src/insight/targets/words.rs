//! Labels and rules formatted for text output.

use std::borrow::Cow;

use super::json::rule_place;
use crate::secrecy::{MASK, is_secret_key, redact_message};
use crate::source::Sources;
use crate::targets::scrape::{JobRule, RuleOrigin};

/// Returns a label value with its secrets masked. Secrets are possible, because discovery converts every annotation to
/// a label, and URL parameters may be tokens. JSON output contains the actual value, because comparisons require it and
/// the server shows it anyway.
pub(super) fn display_value<'v>(name: &str, value: &'v str) -> Cow<'v, str> {
    let prefixes = ["__param_", "__meta_kubernetes_"];
    let key = prefixes.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    let key = key.rsplit("_annotation_").next().unwrap_or(key);
    if !value.is_empty() && is_secret_key(key) {
        return Cow::Borrowed(MASK);
    }
    redact_message(value)
}

/// Returns a value in quotes, on one line.
pub(super) fn quote(value: &str) -> String {
    format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

/// Returns the field that a rule comes from, with its location.
pub(super) fn describe_rule_source(rule: &JobRule<'_>, sources: &Sources) -> String {
    let field = match &rule.origin {
        RuleOrigin::Field(origin) => match origin.path().to_string() {
            path if path.is_empty() => origin.object().to_string(),
            path => path,
        },
        RuleOrigin::Additional { secret, path, line } => return format!("{path} ({secret}:{line})"),
        RuleOrigin::Operator => return "one of the operator's rules".to_owned(),
    };
    match rule_place(&rule.origin, sources) {
        Some(place) => format!("{field} ({place})"),
        None => field,
    }
}

/// Returns a summary of a rule: `keep [a, b] ~ "x|y"`.
pub(super) fn summary(rule: &JobRule<'_>) -> String {
    let config = rule.config();
    let action = config.action.as_deref().unwrap_or("replace");
    let mut text = action.to_lowercase();
    if !config.source_labels.is_empty() {
        text.push_str(&format!(" [{}]", config.source_labels.join(", ")));
    }
    if let Some(regex) = &config.regex {
        text.push_str(&format!(" ~ {}", quote(&redact_message(regex))));
    }
    if config.modulus > 0 {
        text.push_str(&format!(" mod {}", config.modulus));
    }
    if !config.target_label.is_empty() {
        text.push_str(&format!(" -> {}", config.target_label));
    }
    if let Some(replacement) = &config.replacement {
        text.push_str(&format!(" = {}", quote(&display_value(&config.target_label, replacement))));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_values_of_secret_labels() {
        for (name, value, expected) in [
            ("app", "web", "web"),
            ("token", "hunter2", MASK),
            ("token", "", ""),
            ("__param_token", "hunter2", MASK),
            ("__param_module", "http", "http"),
            ("__meta_kubernetes_pod_annotation_api_token", "hunter2", MASK),
            ("__meta_kubernetes_pod_annotation_note", "x", "x"),
            ("__url__", "http://u:hunter2@host/", "http://***@host/"),
            ("__url__", "http://host/probe?target=http%3A%2F%2Fu%3Ahunter2%40site", "http://host/probe?target=***"),
        ] {
            assert_eq!(display_value(name, value), expected, "{name}");
        }
    }

    #[test]
    fn quotes_values_on_one_line() {
        for (value, expected) in [("", r#""""#), ("a b", r#""a b""#), ("a\"\\\n", r#""a\"\\\n""#)] {
            assert_eq!(quote(value), expected);
        }
    }
}
