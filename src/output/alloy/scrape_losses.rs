//! Relabeling rules that make Alloy scrape a target, or send a series, that the agent does not.

use super::effects::RuleSettings;

/// Labels that configure a scrape, and how the agent and Alloy behave if one is missing. The agent sets them before the
/// rules, which may remove them (`PopulateLabels` in Prometheus 2.48); Alloy sets them after the rules.
const SETTINGS: [(&str, &str, &str); 4] = [
    ("__scrape_interval__", "discards the target", "scrapes it anyway"),
    ("__scrape_timeout__", "discards the target", "scrapes it anyway"),
    ("__scheme__", "cannot scrape the target", "scrapes it anyway"),
    ("__metrics_path__", "requests `/`", "requests the endpoint's path"),
];

/// Returns the message and help for a target rule that removes a scrape setting.
pub(super) fn removed_setting(rule: &impl RuleSettings) -> Option<(String, &'static str)> {
    let label = match rule.removed(SETTINGS.map(|(label, ..)| label)) {
        None => rule.target_label().filter(|_| writes_nothing(rule))?,
        Some(label) => label,
    };
    let (label, agent, alloy) = SETTINGS.iter().find(|(setting, ..)| *setting == label)?;
    let message = format!("this rule removes `{label}`, so the agent {agent}, but Alloy {alloy}");
    let help = "keep labels that start with `__`: they are removed after relabeling anyway";
    Some((message, help))
}

/// Whether a rule sets its label to an empty value on every target.
fn writes_nothing(rule: &impl RuleSettings) -> bool {
    let replacement = rule.setting("replacement").unwrap_or("$1");
    let is_empty = replacement.is_empty() || replacement == "$1" && rule.source_labels().next().is_none();
    rule.is("replace") && rule.matches_anything() && is_empty
}

/// Returns the message and help for a sample rule that removes a metric name or can make it invalid. The agent then
/// loses the entire scrape (`scrapeLoop.append` in Prometheus 2.48), whereas `prometheus.relabel` forwards the series.
pub(super) fn invalid_metric_name(rule: &impl RuleSettings) -> Option<(String, &'static str)> {
    if rule.removes(NAME) {
        let message = "this rule removes the metric name, so the agent discards the whole scrape, but Alloy discards only these series";
        return Some((message.to_owned(), "keep `__name__`, and drop metrics with the action `drop`"));
    }
    let is_invalid = match rule.target_label() {
        Some(NAME) if rule.is("hashmod") => true,
        Some(NAME) if rule.is("replace") => !keeps_valid(rule),
        Some(NAME) if rule.is("lowercase") || rule.is("uppercase") => !reads_name_only(rule),
        _ => false,
    };
    let message = "this rule can produce an invalid metric name; the agent then discards the whole scrape, but Alloy sends the series";
    let help = "use only letters, digits, `_` and `:` in `__name__`";
    is_invalid.then(|| (message.to_owned(), help))
}

/// Whole numbers that are common in `le` and `quantile`, in addition to those in a rule's expression.
const NUMBERS: [&str; 6] = ["0", "1", "5", "10", "50", "100"];

/// Returns the message and help for a rule that treats a whole number in `le` or `quantile` differently than the form
/// that Alloy gives it: Alloy writes `1.0` before any rule applies.
pub(super) fn normalized_number(rule: &impl RuleSettings) -> Option<(&'static str, &'static str)> {
    if !rule.source_labels().eq(["le"]) && !rule.source_labels().eq(["quantile"]) {
        return None;
    }
    let regex = rule.regex()?;
    let written = rule.setting("regex").unwrap_or_default().split(|c: char| !c.is_ascii_digit());
    let mut numbers = written.filter(|number| !number.is_empty()).chain(NUMBERS);
    let differs = numbers.any(|number| regex.is_match(number) != regex.is_match(&format!("{number}.0")));
    let message = "this rule does not match the same numbers as in the agent: Alloy writes `1.0` instead of `1`";
    let help = "match both forms, for example with `1([.]0)?`";
    differs.then_some((message, help))
}

const NAME: &str = "__name__";

fn reads_name_only(rule: &impl RuleSettings) -> bool {
    rule.source_labels().eq([NAME])
}

/// Whether a rule writes a valid metric name, provided that its groups are valid. A valid name consists of letters,
/// digits, `_` and `:`, and does not start with a digit.
fn keeps_valid(rule: &impl RuleSettings) -> bool {
    let replacement = rule.setting("replacement").unwrap_or("$1");
    let mut rest = replacement;
    let mut is_first = true;
    while let Some(c) = rest.chars().next() {
        let group = group(rest);
        let is_valid = match group {
            Some(_) => reads_name_only(rule),
            None => c == '_' || c == ':' || c.is_ascii_alphabetic() || c.is_ascii_digit() && !is_first,
        };
        if !is_valid {
            return false;
        }
        rest = group.unwrap_or_else(|| rest.get(c.len_utf8()..).unwrap_or_default());
        is_first = false;
    }
    !replacement.is_empty()
}

/// Returns the text after the group reference that `text` starts with, such as `$1` or `${1}`, or `None` if it does not
/// start with one.
fn group(text: &str) -> Option<&str> {
    let name = text.strip_prefix('$')?;
    match name.strip_prefix('{') {
        Some(name) => name.split_once('}').map(|(_, rest)| rest),
        None => {
            let rest = name.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
            (rest.len() < name.len()).then_some(rest)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::syntax::{Body, Expression};
    use super::*;

    fn rule(settings: &[(&'static str, &'static str)]) -> Body<'static> {
        settings.iter().fold(Body::new(), |body, (name, value)| match *name {
            "source" => body.with("source_labels", Expression::texts(value.split_whitespace())),
            name => body.with(name, *value),
        })
    }

    #[test]
    fn recognizes_expressions_for_whole_numbers() {
        for (labels, regex, differs) in [
            (&["le"][..], "1", true),
            (&["quantile"], "0|0.5", true),
            (&["le"], "[0-9]+", true),
            (&["le"], "7", true),
            (&["le"], "1([.]0)?", false),
            (&["le"], ".*", false),
            (&["le"], "0[.]5", false),
            (&["le"], "[+]Inf", false),
            (&["code"], "1", false),
        ] {
            let rule = Body::new()
                .with("source_labels", Expression::texts(labels.iter().map(|label| (*label).to_owned())))
                .with("regex", regex);
            assert_eq!(normalized_number(&rule).is_some(), differs, "{labels:?} {regex}");
        }
    }

    #[test]
    fn reports_rules_that_remove_a_setting_of_the_scrape() {
        let (drop, keep, interval) =
            (("action", "labeldrop"), ("action", "labelkeep"), ("target_label", "__scrape_interval__"));
        for (settings, label) in [
            ([drop, ("regex", "__scrape_.*")].as_slice(), Some("__scrape_interval__")),
            (&[drop, ("regex", "__scrape_timeout__")], Some("__scrape_timeout__")),
            (&[drop, ("regex", "__metrics_path__")], Some("__metrics_path__")),
            (&[keep, ("regex", "job|__address__|__scrape_.*|__metrics_path__")], Some("__scheme__")),
            (&[keep, ("regex", "__.*|job")], None),
            (&[drop, ("regex", "__meta.*")], None),
            (&[interval], Some("__scrape_interval__")),
            (&[interval, ("replacement", "")], Some("__scrape_interval__")),
            (&[interval, ("replacement", "30s")], None),
            (&[interval, ("source", "a")], None),
        ] {
            let found = removed_setting(&rule(settings)).map(|(message, _)| message);
            assert_eq!(found.is_some(), label.is_some(), "{settings:?}");
            let names = label.is_none_or(|label| found.as_ref().is_some_and(|message| message.contains(label)));
            assert!(names, "{settings:?} {found:?}");
        }
    }

    #[test]
    fn reports_rules_that_make_names_invalid() {
        let (to, name) = (("target_label", "__name__"), ("source", "__name__"));
        for (settings, is_found) in [
            ([to, name, ("replacement", "a:b:$1")].as_slice(), false),
            (&[to, name, ("replacement", "${1}_total")], false),
            (&[to, name], false),
            (&[to, name, ("replacement", "$1-$2")], true),
            (&[to, name, ("replacement", "9bad")], true),
            (&[to, name, ("replacement", "a9")], false),
            (&[to, name, ("replacement", "")], true),
            (&[to, name, ("replacement", "a$")], true),
            (&[to, ("source", "__name__ code"), ("replacement", "$1_$2")], true),
            (&[to, ("source", "__name__ code"), ("replacement", "constant")], false),
            (&[to, ("source", "le")], true),
            (&[to], true),
            (&[to, name, ("action", "lowercase")], false),
            (&[to, ("source", "le"), ("action", "uppercase")], true),
            (&[to, name, ("action", "hashmod")], true),
            (&[("action", "labeldrop"), ("regex", "__name__")], true),
            (&[("action", "labelkeep"), ("regex", "job|le")], true),
            (&[("action", "labelkeep"), ("regex", "__name__|le")], false),
            (&[("target_label", "le"), ("replacement", "-")], false),
        ] {
            assert_eq!(invalid_metric_name(&rule(settings)).is_some(), is_found, "{settings:?}");
        }
    }
}
