//! Rules with which Alloy scrapes a target, or sends a series, that the agent does not.

use super::effects::Rule;

/// A message and its help.
type Loss = (&'static str, &'static str);

/// Labels without which the agent has no target, or asks another URL: rules remove them in the agent only, since Alloy sets them after
/// the rules (`PopulateLabels` in Prometheus 2.48).
const SETTINGS: [(&str, &str); 4] = [
    (
        "__scrape_interval__",
        "the agent has no target without `__scrape_interval__`, which this rule removes; Alloy scrapes it all the same",
    ),
    (
        "__scrape_timeout__",
        "the agent has no target without `__scrape_timeout__`, which this rule removes; Alloy scrapes it all the same",
    ),
    (
        "__scheme__",
        "the agent cannot scrape a target without `__scheme__`, which this rule removes; Alloy scrapes it all the same",
    ),
    (
        "__metrics_path__",
        "the agent asks for `/` without `__metrics_path__`, which this rule removes; Alloy asks for the path of the endpoint",
    ),
];

/// What is different if a rule for targets removes a setting of the scrape.
pub(super) fn changes_scrape(rule: &impl Rule) -> Option<Loss> {
    let empties = |label: &str| {
        let is_empty = rule.setting("replacement") == Some("")
            || rule.source_labels().next().is_none() && rule.setting("replacement").is_none_or(|to| to == "$1");
        rule.is("replace") && rule.target_label() == Some(label) && rule.matches_anything() && is_empty
    };
    let removed = SETTINGS.iter().find(|(label, _)| rule.removes(label) || empties(label));
    let help = "keep labels that begin with `__`: they are removed after relabeling anyway";
    removed.map(|(_, message)| (*message, help))
}

/// What is different if a rule for samples gives a series a name that is not valid, or none: the agent then loses the whole scrape (`scrapeLoop.append`
/// in Prometheus 2.48), and `prometheus.relabel` passes the series on.
pub(super) fn changes_name(rule: &impl Rule) -> Option<Loss> {
    if rule.removes(NAME) {
        return Some((
            "this rule removes the name of a metric, with which the agent loses the whole scrape; Alloy goes on without the series",
            "keep `__name__`, and drop metrics with the action `drop`",
        ));
    }
    let message = "this rule can make the name of a metric invalid, with which the agent loses the whole scrape; Alloy sends the series";
    let help = "let the rule write letters, digits, `_` and `:` only";
    let is_invalid = match rule.target_label() {
        Some(NAME) if rule.is("hashmod") => true,
        Some(NAME) if rule.is("replace") => !keeps_valid(rule),
        Some(NAME) if rule.is("lowercase") || rule.is("uppercase") => !reads_name_only(rule),
        _ => false,
    };
    is_invalid.then_some((message, help))
}

const NAME: &str = "__name__";

fn reads_name_only(rule: &impl Rule) -> bool {
    rule.source_labels().eq([NAME])
}

/// Whether what a rule writes is a valid name whenever the parts of its source labels are: letters, digits, `_` and `:`, no digit first.
fn keeps_valid(rule: &impl Rule) -> bool {
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

/// Returns what follows a reference to a group at the start of a replacement, such as `$1` or `${1}`.
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
    fn reports_rules_that_remove_a_setting_of_the_scrape() {
        let (drop, keep, interval) = (
            ("action", "labeldrop"),
            ("action", "labelkeep"),
            ("target_label", "__scrape_interval__"),
        );
        for (settings, label) in [
            ([drop, ("regex", "__scrape_.*")].as_slice(), Some("__scrape_interval__")),
            (&[drop, ("regex", "__scrape_timeout__")], Some("__scrape_timeout__")),
            (&[drop, ("regex", "__metrics_path__")], Some("__metrics_path__")),
            (
                &[keep, ("regex", "job|__address__|__scrape_.*|__metrics_path__")],
                Some("__scheme__"),
            ),
            (&[keep, ("regex", "__.*|job")], None),
            (&[drop, ("regex", "__meta.*")], None),
            (&[interval], Some("__scrape_interval__")),
            (&[interval, ("replacement", "")], Some("__scrape_interval__")),
            (&[interval, ("replacement", "30s")], None),
            (&[interval, ("source", "a")], None),
        ] {
            let found = changes_scrape(&rule(settings)).map(|(message, _)| message);
            assert_eq!(found.is_some(), label.is_some(), "{settings:?}");
            let names = label.is_none_or(|label| found.is_some_and(|message| message.contains(label)));
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
            assert_eq!(changes_name(&rule(settings)).is_some(), is_found, "{settings:?}");
        }
    }
}
