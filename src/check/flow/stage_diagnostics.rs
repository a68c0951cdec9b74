//! Findings about the stages of log pipelines.

use std::collections::BTreeSet;

use super::time_format;
use crate::check::violation::quote;
use crate::diagnostic::suggest::closest;
use crate::diagnostic::{Code, Diagnostic, FieldPath};
use crate::go::log_selector::{LabelMatcher, MatchOperator};
use crate::plan::Origin;

#[derive(Clone, Copy)]
pub(super) struct StagePlace<'d> {
    /// Top-level stage that the finding points to.
    pub origin: Origin<'d>,
    /// Whether the finding is about a stage nested in the `match` stage at the top level.
    pub is_nested: bool,
}

impl StagePlace<'_> {
    fn finding(self, code: Code, kind: &str, message: String) -> Diagnostic {
        let (path_below, message) = match self.is_nested {
            true => (FieldPath::parse("match.stages"), format!("{message} (in the nested `{kind}` stage)")),
            false => (FieldPath::new(), message),
        };
        self.origin.diagnostic_below(&path_below, code, message)
    }
}

fn code_span(text: &str) -> String {
    quote(text, false)
}

/// Finding for a stage whose source nothing extracts.
pub(super) fn never_extracted(
    place: StagePlace<'_>,
    kind: &str,
    name: &str,
    extracted: &BTreeSet<String>,
) -> Diagnostic {
    let message =
        format!("nothing before the `{kind}` stage extracts {}, and the line has no such label", code_span(name));
    let help = match closest(name, extracted.iter().map(String::as_str)) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("extract {} in an earlier stage, or remove this one", code_span(name)),
    };
    place.finding(Code::NeverExtracted, kind, message).help(help)
}

/// Finding for a stage whose source is only a label. `source` is the extracted value that the label was set to.
pub(super) fn reads_label(place: StagePlace<'_>, kind: &str, name: &str, source: Option<&str>) -> Diagnostic {
    let name = code_span(name);
    let message =
        format!("the `{kind}` stage reads only extracted values, but {name} is a label set by an earlier stage");
    let help = match source {
        Some(source) => format!("use {}", code_span(source)),
        None => format!("extract {name} in an earlier stage, or remove this one"),
    };
    place.finding(Code::NeverExtracted, kind, message).help(help)
}

/// Finding for a stage that reads a label that no line has.
pub(super) fn missing_label<'l>(
    place: StagePlace<'_>,
    kind: &str,
    label: &str,
    labels: impl Iterator<Item = &'l String>,
) -> Diagnostic {
    let message = format!("no line has the label {} at this point", code_span(label));
    let nearest = closest(label, labels.map(String::as_str));
    let help = nearest
        .map_or("set the label in an earlier stage or rule".to_owned(), |nearest| format!("did you mean `{nearest}`?"));
    place.finding(Code::NeverExtracted, kind, message).help(help)
}

/// Finding for a `match` stage whose selector matches no line.
pub(super) fn never_matches<'l>(
    place: StagePlace<'_>,
    matcher: &LabelMatcher,
    is_missing: bool,
    labels: impl Iterator<Item = &'l String>,
) -> Diagnostic {
    let label = code_span(&matcher.label);
    let message = match is_missing {
        true => format!("the selector matches no line: no line has the label {label} at this point"),
        false => {
            let sign = match matcher.operator {
                MatchOperator::Equal => "=",
                MatchOperator::NotEqual => "!=",
                MatchOperator::Matches => "=~",
                MatchOperator::DoesNotMatch => "!~",
            };
            let quoted = code_span(&format!("{}{sign}\"{}\"", matcher.label, matcher.value));
            format!("the selector matches no line: {quoted} does not match any value that {label} can have here")
        }
    };
    let nearest = closest(&matcher.label, labels.map(String::as_str)).filter(|_| is_missing);
    let help = match nearest {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None if is_missing => "set the label in an earlier stage or rule, or correct the selector".to_owned(),
        None => "correct the selector, or remove the stage".to_owned(),
    };
    place.finding(Code::NeverMatches, "match", message).help(help)
}

/// Finding for a `match` stage that drops every line.
pub(super) fn matches_every_line(place: StagePlace<'_>) -> Diagnostic {
    let message = "the stage drops every line: its selector matches labels that every line has".to_owned();
    place
        .finding(Code::DropsEverything, "match", message)
        .help("correct the selector, or add a filter such as `|= \"text\"`")
}

/// Finding for a `drop` stage whose expression matches every line.
pub(super) fn drop_of_every_line(place: StagePlace<'_>) -> Diagnostic {
    let message = "the stage drops every line: `expression` matches all of them".to_owned();
    place.finding(Code::DropsEverything, "drop", message).help("correct `expression`, or remove the stage")
}

/// Finding for a `drop` stage whose expression matches a missing value.
pub(super) fn drop_without_source(place: StagePlace<'_>, source: &str) -> Diagnostic {
    let message = format!(
        "the stage drops every line: nothing extracts {}, and `expression` matches an empty value",
        code_span(source)
    );
    place
        .finding(Code::DropsEverything, "drop", message)
        .help(format!("extract {} in an earlier stage", code_span(source)))
}

/// Finding for an expression without the groups that its stage needs.
pub(super) fn missing_groups(place: StagePlace<'_>, kind: &str) -> Diagnostic {
    let (message, help) = match kind {
        "regex" => (
            "the stage extracts nothing, because `expression` has no named group",
            "name the groups, such as `(?P<level>\\w+)`",
        ),
        _ => (
            "the stage replaces nothing, because `expression` has no group: only groups are replaced",
            "put parentheses around the part to replace",
        ),
    };
    place.finding(Code::IneffectiveRule, kind, message.to_owned()).help(help)
}

/// Finding for an expression that requires a backslash by mistake.
pub(super) fn doubled_backslash(place: StagePlace<'_>, kind: &str) -> Diagnostic {
    let message = "the expression matches only text with a backslash, because a backslash in it is doubled".to_owned();
    place
        .finding(Code::IneffectiveRule, kind, message)
        .help("write a single backslash: in YAML, only double quotes need two")
}

/// Finding for a format that no time matches.
pub(super) fn never_parsed(place: StagePlace<'_>, format: &str, wrong: &str) -> Diagnostic {
    let message = match format == wrong {
        true => format!("the stage never parses a time: {} is neither a known format nor a layout", code_span(format)),
        false => format!("the stage never parses a time: the format requires {} as written", code_span(wrong)),
    };
    let help = match time_format::suggestion(format) {
        Some(layout) => format!("write `{layout}`"),
        None => "write the layout with Go's reference time, such as `2006-01-02 15:04:05`".to_owned(),
    };
    place.finding(Code::UnparsableTime, "timestamp", message).help(help)
}

/// Finding for a format without a date.
pub(super) fn missing_date(place: StagePlace<'_>, format: &str) -> Diagnostic {
    let message = format!("the format {} has no month and day, so every line is dated January 1", code_span(format));
    place.finding(Code::UnparsableTime, "timestamp", message).help("extract the date as well, or remove the stage")
}
