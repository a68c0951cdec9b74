//! Relabeling rules that make Alloy scrape targets or send series that the agent does not.

use crate::flow::{ExpressionCache, FlowRule};
use crate::go::regexp::{TemplatePart, template_parts};
use crate::plan::{Origin, RelabelAction, RelabelRule};

/// Labels that configure a scrape, with the behavior of the agent and of Alloy if the label is missing. The agent sets
/// these labels before the rules, which may remove them (`PopulateLabels` in Prometheus 2.48), whereas Alloy sets them
/// after the rules.
pub const SETTINGS: [(&str, &str, &str); 4] = [
    ("__scrape_interval__", "discards the target", "scrapes it anyway"),
    ("__scrape_timeout__", "discards the target", "scrapes it anyway"),
    ("__scheme__", "cannot scrape the target", "scrapes it anyway"),
    ("__metrics_path__", "requests `/`", "requests the endpoint's path"),
];

/// Returns the origin of the first rule for which `change` returns a value, and that value.
pub fn rule_loss<'d, T>(
    rules: &[RelabelRule<'d>],
    expressions: &mut ExpressionCache,
    change: fn(&RelabelRule<'_>, &mut ExpressionCache) -> Option<T>,
) -> Option<(Origin<'d>, T)> {
    rules.iter().find_map(|rule| Some((rule.origin?, change(rule, expressions)?)))
}

/// Returns the message and help for a target rule that removes a scrape setting.
pub fn removed_setting_loss(label: &str) -> Option<(String, &'static str)> {
    let (_, agent, alloy) = SETTINGS.iter().find(|(setting, ..)| *setting == label)?;
    let message = format!("this rule removes `{label}`, so the agent {agent}, but Alloy {alloy}");
    let help =
        "change `regex` so that the rule keeps labels that start with `__`: they are removed after relabeling anyway";
    Some((message, help))
}

/// Returns the message and help for a sample rule that removes metric names or can make them invalid. In this case, the
/// agent loses the entire scrape (`scrapeLoop.append` in Prometheus 2.48), whereas `prometheus.relabel` forwards the
/// series.
pub fn invalid_metric_name(
    rule: &RelabelRule<'_>,
    expressions: &mut ExpressionCache,
) -> Option<(String, &'static str)> {
    let rule = &FlowRule::new(rule, expressions)?;
    if rule.removes(NAME) {
        let message = "this rule removes the metric name, so the agent discards the whole scrape, but Alloy discards only these series";
        return Some((message.to_owned(), "keep `__name__`, and drop metrics with the action `drop`"));
    }
    let is_invalid = rule.fixed_target() == Some(NAME)
        && match rule.action {
            RelabelAction::HashMod => true,
            RelabelAction::Replace => !keeps_name_valid(rule),
            _ => !reads_name_only(rule),
        };
    let message = "this rule can produce an invalid metric name; the agent then discards the whole scrape, but Alloy sends the series";
    let help = "use only letters, digits, `_` and `:` in `__name__`";
    is_invalid.then(|| (message.to_owned(), help))
}

/// Whole numbers that are common in `le` and `quantile`, in addition to those in a rule's expression.
const NUMBERS: [&str; 6] = ["0", "1", "5", "10", "50", "100"];

/// Returns the message and help for a rule that treats a whole number in `le` or `quantile` differently from the same
/// number in Alloy's notation: Alloy writes `1.0` before any rule is applied.
pub fn normalized_number_loss(
    rule: &RelabelRule<'_>,
    expressions: &mut ExpressionCache,
) -> Option<(&'static str, &'static str)> {
    if !rule.source_labels.iter().eq(["le"]) && !rule.source_labels.iter().eq(["quantile"]) {
        return None;
    }
    let rule = FlowRule::new(rule, expressions)?;
    let written_numbers = rule.pattern.split(|c: char| !c.is_ascii_digit());
    let mut numbers = written_numbers.filter(|number| !number.is_empty()).chain(NUMBERS);
    let is_match = |number: &str| rule.expression.matcher.is_match(number);
    let differs = numbers.any(|number| is_match(number) != is_match(&format!("{number}.0")));
    let message = "this rule does not match the same numbers as in the agent: Alloy writes `1.0` instead of `1`";
    let help = "match both forms, for example with `1([.]0)?`";
    differs.then_some((message, help))
}

const NAME: &str = "__name__";

fn reads_name_only(rule: &FlowRule<'_>) -> bool {
    rule.sources == [NAME]
}

/// Whether a rule writes a valid metric name if its groups are valid. A valid name consists of letters, digits, `_` and
/// `:`, and does not start with a digit.
fn keeps_name_valid(rule: &FlowRule<'_>) -> bool {
    let is_valid = |c: char| matches!(c, '_' | ':') || c.is_ascii_alphanumeric();
    let mut parts = template_parts(&rule.replacement);
    !rule.replacement.starts_with(|c: char| c.is_ascii_digit())
        && !rule.replacement.is_empty()
        && parts.all(|part| match part {
            TemplatePart::Text(text) => text.chars().all(is_valid),
            TemplatePart::Reference(_) => reads_name_only(rule),
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::alloy::write::syntax::{Body, Expression};
    use crate::output::alloy::write::target_rules::relabel_rule;

    fn body(settings: &[(&'static str, &'static str)]) -> Body<'static> {
        settings.iter().fold(Body::new(), |body, (name, value)| match *name {
            "source" => body.with("source_labels", Expression::texts(value.split_whitespace())),
            name => body.with(name, *value),
        })
    }

    #[test]
    fn recognizes_whole_number_expressions() {
        for (label, regex, differs) in [
            ("le", "1", true),
            ("quantile", "0|0.5", true),
            ("le", "[0-9]+", true),
            ("le", "7", true),
            ("le", "1([.]0)?", false),
            ("le", ".+", false),
            ("le", ".*", false),
            ("le", "0[.]5", false),
            ("le", "[+]Inf", false),
            ("code", "1", false),
        ] {
            let rule = body(&[("source", label), ("regex", regex)]);
            let actual = normalized_number_loss(&relabel_rule(&rule), &mut ExpressionCache::default());
            assert_eq!(actual.is_some(), differs, "{label} {regex}");
        }
    }

    #[test]
    fn reports_rules_that_make_names_invalid() {
        let (to_name, from_name) = (("target_label", "__name__"), ("source", "__name__"));
        for (settings, is_found) in [
            ([to_name, from_name, ("replacement", "a:b:$1")].as_slice(), false),
            (&[to_name, from_name, ("replacement", "${1}_total")], false),
            (&[to_name, from_name], false),
            (&[to_name, from_name, ("replacement", "$1-$2")], true),
            (&[to_name, from_name, ("replacement", "9bad")], true),
            (&[to_name, from_name, ("replacement", "a9")], false),
            (&[to_name, from_name, ("replacement", "")], true),
            (&[to_name, from_name, ("replacement", "a$")], true),
            (&[to_name, ("source", "__name__ code"), ("replacement", "$1_$2")], true),
            (&[to_name, ("source", "__name__ code"), ("replacement", "constant")], false),
            (&[to_name, ("source", "le")], true),
            (&[to_name], true),
            (&[to_name, from_name, ("action", "lowercase")], false),
            (&[to_name, ("source", "le"), ("action", "uppercase")], true),
            (&[to_name, from_name, ("action", "hashmod")], true),
            (&[("action", "labeldrop"), ("regex", "__name__")], true),
            (&[("action", "labelkeep"), ("regex", "job|le")], true),
            (&[("action", "labelkeep"), ("regex", "__name__|le")], false),
            (&[("target_label", "le"), ("replacement", "-")], false),
        ] {
            let actual = invalid_metric_name(&relabel_rule(&body(settings)), &mut ExpressionCache::default());
            assert_eq!(actual.is_some(), is_found, "{settings:?}");
        }
    }
}
