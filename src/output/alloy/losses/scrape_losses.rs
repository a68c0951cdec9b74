//! Relabeling rules that make Alloy scrape targets or send series that the agent does not.

use std::collections::BTreeSet;

use super::loss::TextLoss;
use crate::diagnostic::Code;
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

/// Labels in which Alloy writes whole numbers differently, before any rule is applied.
const NORMALIZED: [&str; 2] = ["le", "quantile"];

/// End of each whole number that Alloy writes in these labels.
const FRACTION: &str = ".0";

/// Whole numbers that are common in these labels, in addition to those in a rule's expression.
const NUMBERS: [&str; 6] = ["0", "1", "5", "10", "50", "100"];

/// Maximum number of values to try for the other labels that a rule reads.
const MAX_OTHERS: usize = 8;

static MATCHED_NUMBER: TextLoss = TextLoss::new(
    Code::NormalizedLabel,
    "{} does not match the same numbers as in the agent: Alloy writes `1.0` instead of `1`",
    "match both forms, for example with `1([.]0)?`",
);
static COPIED_NUMBER: TextLoss = TextLoss::new(
    Code::NormalizedLabel,
    "{} does not copy the same numbers as in the agent: Alloy writes `1.0` instead of `1`",
    "copy numbers without `.0`, for example with the action `replace`, the `regex` `(.+?)([.]0)?` and the `replacement` `$1`",
);
static COMPARED_NUMBER: TextLoss = TextLoss::new(
    Code::NormalizedLabel,
    "{} does not compare the same numbers as in the agent: Alloy writes `1.0` instead of `1`",
    "compare labels other than `le` and `quantile`",
);
static HASHED_NUMBER: TextLoss = TextLoss::new(
    Code::NormalizedLabel,
    "{} does not hash the same numbers as in the agent: Alloy writes `1.0` instead of `1`",
    "remove `le` and `quantile` from the source labels",
);

/// Returns the loss of a rule that treats a whole number in `le` or `quantile` differently from the same number as
/// Alloy writes it.
pub fn normalized_number_loss(rule: &RelabelRule<'_>, expressions: &mut ExpressionCache) -> Option<&'static TextLoss> {
    let rule = FlowRule::new(rule, expressions).filter(|rule| !rule.has_variable)?;
    NORMALIZED.into_iter().find_map(|label| number_loss(&rule, label))
}

/// Like [`normalized_number_loss`], but for only one label.
fn number_loss(rule: &FlowRule<'_>, label: &str) -> Option<&'static TextLoss> {
    let source = rule.sources.iter().position(|source| source == label);
    let is_target = rule.target == label;
    match (rule.action, source) {
        (RelabelAction::KeepEqual | RelabelAction::DropEqual, _) => {
            (source.is_some() != is_target).then_some(&COMPARED_NUMBER)
        }
        (RelabelAction::LabelMap, _) => (rule.maps(label) && !rule.is_identity()).then_some(&COPIED_NUMBER),
        (_, None) | (RelabelAction::LabelDrop | RelabelAction::LabelKeep, _) => None,
        (RelabelAction::HashMod, _) => Some(&HASHED_NUMBER),
        (RelabelAction::Lowercase | RelabelAction::Uppercase, _) => (!is_target).then_some(&COPIED_NUMBER),
        (RelabelAction::Replace, Some(source)) if is_target => {
            writes_other_numbers(rule, source, is_target).then_some(&MATCHED_NUMBER)
        }
        (_, Some(source)) if matches_other_numbers(rule, source) => Some(&MATCHED_NUMBER),
        (RelabelAction::Keep | RelabelAction::Drop, _) => None,
        (RelabelAction::Replace, Some(source)) => {
            writes_other_numbers(rule, source, is_target).then_some(&COPIED_NUMBER)
        }
    }
}

/// Returns the numbers to try for a rule.
fn numbers<'r>(rule: &'r FlowRule<'_>) -> BTreeSet<&'r str> {
    let written_numbers = rule.pattern.split(|c: char| !c.is_ascii_digit());
    written_numbers.filter(|number| !number.is_empty()).chain(NUMBERS).collect()
}

/// Whether a rule's expression matches only one of a number's two forms, with some values of the other labels.
fn matches_other_numbers(rule: &FlowRule<'_>, source: usize) -> bool {
    let numbers = numbers(rule);
    let alloy_numbers: Vec<_> = numbers.iter().map(|number| as_in_alloy(number)).collect();
    let agent = rule.may_match_values(source, &numbers.into_iter().collect::<Vec<_>>());
    let alloy = rule.may_match_values(source, &alloy_numbers.iter().map(String::as_str).collect::<Vec<_>>());
    agent != alloy
}

/// Whether a `replace` rule writes different values for a number's two forms. The other labels are assumed to have one of
/// the words in the expression. `is_target` is true if the rule writes the label that it reads.
fn writes_other_numbers(rule: &FlowRule<'_>, source: usize, is_target: bool) -> bool {
    let words = rule.pattern.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let words = words.filter(|word| word.starts_with(|c: char| !c.is_ascii_digit()));
    let others: BTreeSet<_> = ["a"].into_iter().chain(words).take(MAX_OTHERS).collect();
    let write_number = |number: &str, other: &str| {
        let values = (0..rule.sources.len()).map(|index| if index == source { number } else { other });
        let text = values.collect::<Vec<_>>().join(rule.separator);
        let written = rule.expression.matcher.find(&text);
        written.map(|groups| rule.expression.matcher.expand(&rule.replacement, &groups))
    };
    let without_fraction = |value: String| value.strip_suffix(FRACTION).map(str::to_owned).unwrap_or(value);
    let mut pairs = numbers(rule).into_iter().flat_map(|number| others.iter().map(move |other| (number, *other)));
    pairs.any(|(number, other)| {
        let (agent, alloy) = (write_number(number, other), write_number(&as_in_alloy(number), other));
        match is_target {
            // Apart from the notation, the label has the same number as in the agent if the rule does not change it.
            true => {
                let value = |written: Option<String>| without_fraction(written.unwrap_or_else(|| number.to_owned()));
                value(agent) != value(alloy)
            }
            false => agent.is_some() && alloy.is_some() && agent != alloy,
        }
    })
}

fn as_in_alloy(number: &str) -> String {
    format!("{number}{FRACTION}")
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

    /// Asserts that rules lead to a finding that starts with the given verb, or to none.
    #[track_caller]
    fn assert_number_loss(settings: &[(&'static str, &'static str)], expected: Option<&str>) {
        let actual = normalized_number_loss(&relabel_rule(&body(settings)), &mut ExpressionCache::default());
        let verb = actual.and_then(|loss| loss.problem.strip_prefix("{} does not ")?.split(' ').next());
        assert_eq!(verb, expected, "{settings:?}");
    }

    #[test]
    fn recognizes_whole_number_expressions() {
        for (labels, regex, differs) in [
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
            ("__name__ le", "apiserver_request_duration_seconds_bucket;(0.15|0.25|3|6|50)", true),
            ("__name__ le", "(etcd|apiserver)_.*_bucket;(0.15|3)", true),
            ("le __name__", "[1-5];.*", true),
            ("job le __name__", "a;1.0;b", true),
            ("__name__ le", "a_bucket;(1|1[.]0)", false),
            ("__name__ le", "a_[1-9]_bucket;.*", false),
            ("__name__ le", "a_[1-9]_bucket;[+]Inf", false),
            ("__name__ code", "a_bucket;1", false),
            ("__name__ le", "a_bucket;${A}1", false),
        ] {
            let is_found = differs.then_some("match");
            assert_number_loss(&[("action", "drop"), ("source", labels), ("regex", regex)], is_found);
            let to_other = [("source", labels), ("regex", regex), ("target_label", "a"), ("replacement", "b")];
            assert_number_loss(&to_other, is_found);
        }
    }

    #[test]
    fn recognizes_rules_that_pass_on_whole_numbers() {
        let (le, both, to_le, to_other) =
            (("source", "le"), ("source", "__name__ le"), ("target_label", "le"), ("target_label", "a"));
        for (settings, expected) in [
            ([le, to_other].as_slice(), Some("copy")),
            (&[le, to_other, ("regex", "(.+?)([.]0)?")], None),
            (&[le, to_other, ("regex", "(.+)[.]0")], Some("match")),
            (&[both, to_other, ("regex", "(.+);(.+)")], None),
            (&[both, to_other, ("regex", "(.+);(.+)"), ("replacement", "$2")], Some("copy")),
            (&[both, to_other, ("regex", "a_bucket;(.+)")], Some("copy")),
            (&[le, to_le], None),
            (&[le, to_le, ("regex", "(.+)[.]0")], None),
            (&[le, to_le, ("regex", "(.+)"), ("replacement", "x$1")], None),
            (&[le, to_le, ("regex", "1"), ("replacement", "2")], Some("match")),
            (&[both, to_le, ("regex", "a_bucket;1"), ("replacement", "2")], Some("match")),
            (&[le, to_other, ("action", "lowercase")], Some("copy")),
            (&[le, to_le, ("action", "lowercase")], None),
            (&[both, to_other, ("action", "hashmod")], Some("hash")),
            (&[le, to_other, ("action", "keepequal")], Some("compare")),
            (&[("source", "a"), to_le, ("action", "dropequal")], Some("compare")),
            (&[("source", "a"), to_other, ("action", "dropequal")], None),
            (&[("action", "labelmap"), ("regex", "(le)"), ("replacement", "bucket_$1")], Some("copy")),
            (&[("action", "labelmap")], None),
            (&[("action", "labeldrop"), ("regex", "le")], None),
        ] {
            assert_number_loss(settings, expected);
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
