//! Findings about relabeling rules.

use super::backslash::has_doubled_backslash;
use super::subject::Subject;
use crate::check::violation::quote;
use crate::diagnostic::listed::join_words;
use crate::diagnostic::suggest::closest;
use crate::diagnostic::{Code, Diagnostic, FieldPath, Severity};
use crate::flow::{FlowRule, LabelSet, Matching, Phase, discovered_names, suggest_label};
use crate::plan::{Origin, RelabelAction};

/// Problem with a label that the scrape needs.
pub(super) enum Problem {
    /// The rule removes the label.
    Removed(&'static str),
    /// The rule writes a scheme that the agent does not support.
    Scheme(String),
    /// The rule writes a slash to the address.
    Address,
    /// The rule writes a character that a metric name must not contain.
    MetricName(char),
}

/// A relabeling rule and its location.
pub(super) struct Place<'p, 'd> {
    pub subject: Subject,
    pub origin: Origin<'d>,
    pub rule: &'p FlowRule<'p>,
}

impl Place<'_, '_> {
    fn finding(&self, code: Code, message: String) -> Diagnostic {
        self.origin.diagnostic_below(&FieldPath::new(), code, message)
    }

    /// Whether the rule explicitly sets a field to this string.
    pub(super) fn sets_explicitly(&self, field: &str, text: &str) -> bool {
        let node = self.origin.node().and_then(|rule| rule.get(field));
        node.is_some_and(|node| node.as_str() == Some(text))
    }
}

fn code_span(text: &str) -> String {
    quote(text, false)
}

/// Finding for a rule that drops every target or sample.
pub(super) fn drops_everything(place: &Place<'_, '_>, labels: &LabelSet<'_>) -> Diagnostic {
    let (rule, noun) = (place.rule, place.subject.noun());
    let is_keep = rule.action == RelabelAction::Keep;
    let matches = if is_keep { "no value" } else { "every value" };
    let (why, help) = match rule.sources.as_slice() {
        [] => (
            format!(
                "without `sourceLabels`, the value is empty, and the rule {} it",
                if is_keep { "drops" } else { "matches" }
            ),
            "set `sourceLabels`".to_owned(),
        ),
        _ if rule.pattern.is_empty() && place.sets_explicitly("regex", "") => (
            "the operator omits an empty `regex`, so the default `(.*)` matches every value".to_owned(),
            "write `regex: ^$` to match only an empty value".to_owned(),
        ),
        _ if rule.pattern.is_empty() => {
            ("without `regex`, the default `(.*)` matches every value".to_owned(), "set `regex`".to_owned())
        }
        sources => {
            let names = join_words("and", sources.iter().map(|name| code_span(name)));
            let mut why = format!("`regex` matches {matches} that {names} can have here");
            if let [source] = sources
                && let crate::flow::Values::Known(values) = labels.get(source)
                && values.len() <= 4
            {
                let values = join_words(
                    "or",
                    values.iter().map(|value| match value.as_str() {
                        "" => "empty".to_owned(),
                        value => code_span(value),
                    }),
                );
                why = format!("`regex` matches {matches} of {names}, which is {values} here");
            }
            let help = match is_keep && has_doubled_backslash(rule) {
                true => "write a single backslash: in YAML, only double quotes need two",
                false => "correct `regex`, or remove the rule",
            };
            (why, help.to_owned())
        }
    };
    place.finding(Code::DropsEverything, format!("the rule drops every {noun}: {why}")).help(help)
}

/// Finding for a `keep` rule without an expression.
pub(super) fn keeps_everything(place: &Place<'_, '_>) -> Diagnostic {
    let noun = place.subject.noun();
    if place.sets_explicitly("regex", "") {
        let message = format!(
            "the rule keeps every {noun}: the operator omits an empty `regex`, so the default `(.*)` matches every value"
        );
        return place.finding(Code::IneffectiveRule, message).help("write `regex: ^$` to match only an empty value");
    }
    let message = format!("the rule keeps every {noun}: without `regex`, the default `(.*)` matches every value");
    place.finding(Code::IneffectiveRule, message).help("set `regex`, or remove the rule").severity(Severity::Note)
}

/// Finding for a rule that depends on labels that are never set.
pub(super) fn never_set(
    place: &Place<'_, '_>,
    labels: &LabelSet<'_>,
    missing: &[&str],
    matching: Matching,
) -> Diagnostic {
    let (rule, noun) = (place.rule, place.subject.noun());
    let names = join_words("or", missing.iter().map(|name| code_span(name)));
    let effect = match rule.action {
        RelabelAction::Keep => format!("drops every {noun}"),
        RelabelAction::Drop => "drops nothing".to_owned(),
        RelabelAction::HashMod => format!("writes the same value for every {noun}"),
        _ if matching == Matching::Never => "never matches".to_owned(),
        _ => format!("leaves {} without a value", code_span(&rule.target)),
    };
    let message = format!("no {noun} has the label {names} at this point, so the rule {effect}");
    let finding = place.finding(Code::NeverSetLabel, message);
    match missing.first().and_then(|name| suggestion(place.subject, labels, name)) {
        Some(help) => finding.help(help),
        None => finding.help("use labels that are set, or remove the rule"),
    }
}

/// Returns help for a label that is never set.
fn suggestion(subject: Subject, labels: &LabelSet<'_>, name: &str) -> Option<String> {
    if !subject.is_target() {
        let is_target_label = name.starts_with("__") && name != "__name__";
        return is_target_label.then(|| {
            "copy the label in `relabelings`, or use a label such as `namespace` or `pod`: labels that start with `__` exist only before \
             the scrape"
                .to_owned()
        });
    }
    if name == "__name__" {
        return Some("use `metricRelabelings`: a target has no metric name".to_owned());
    }
    if name.starts_with("__meta_kubernetes_node_") || name.starts_with("__meta_kubernetes_namespace_") {
        return Some("use a label of the target, or remove the rule: the operator does not attach the metadata of nodes and namespaces".to_owned());
    }
    let Phase::Discovered(role) = labels.phase else {
        return name
            .starts_with("__meta_")
            .then(|| "use a label from `labels`, or remove the rule: static targets have no other labels".to_owned());
    };
    if name == "instance" {
        return Some("use `__address__`: `instance` is set after the rules".to_owned());
    }
    if let Some(suggestion) = suggest_label(role, name) {
        return Some(format!("did you mean `{suggestion}`?"));
    }
    let known_names = discovered_names(role);
    let nearest = closest(name, known_names.iter().map(String::as_str))?;
    Some(format!("did you mean `{nearest}`?"))
}

/// Finding for a `labelmap` rule that matches no name.
pub(super) fn maps_nothing(place: &Place<'_, '_>, prefix: &str) -> Diagnostic {
    let noun = place.subject.noun();
    let message = format!("no {noun} has a label that starts with {}, so the rule copies nothing", code_span(prefix));
    let help = match place.subject.is_target() {
        true => "correct `regex`, or remove the rule",
        false => "use `relabelings`: labels that start with `__` exist only before the scrape",
    };
    place.finding(Code::NeverSetLabel, message).help(help)
}

/// Finding for a `labeldrop` rule that matches only labels that never exist.
pub(super) fn drops_no_label(place: &Place<'_, '_>, names: &[String]) -> Diagnostic {
    let name_list = join_words("or", names.iter().take(3).map(|name| code_span(name)));
    let message =
        format!("no {} has the label {name_list} at this point, so the rule removes nothing", place.subject.noun());
    let help = match names.iter().any(|name| name == "instance") && place.subject.is_target() {
        true => "use `metricRelabelings`: `instance` is set after the rules for targets",
        false => "correct `regex`, or remove the rule",
    };
    place.finding(Code::IneffectiveRule, message).help(help)
}

/// Finding for an expression that never matches because of a doubled backslash.
pub(super) fn doubled_backslash(place: &Place<'_, '_>) -> Diagnostic {
    let names = join_words("and", place.rule.sources.iter().map(|name| code_span(name)));
    let message = format!("the rule never matches: `regex` requires a backslash, which {names} cannot contain");
    place.finding(Code::IneffectiveRule, message).help("write a single backslash: in YAML, only double quotes need two")
}

/// Finding for a rule that can drop only samples that the agent adds after the rules.
pub(super) fn drops_report(place: &Place<'_, '_>) -> Diagnostic {
    let message = "the rule drops nothing: the agent adds `up` and the `scrape_…` metrics after the rules".to_owned();
    let finding = place.finding(Code::IneffectiveRule, message);
    finding.help("use `writeRelabelConfigs` in the MetricsInstance").severity(Severity::Note)
}

/// Finding for a rule that writes a label that the operator overwrites.
pub(super) fn overwritten_label(place: &Place<'_, '_>, label: &str) -> Diagnostic {
    let message = format!(
        "the rule has no effect: after it, the operator sets {} to the namespace of the resource",
        code_span(label)
    );
    place
        .finding(Code::IneffectiveRule, message)
        .help("write a different label: `enforcedNamespaceLabel` in the GrafanaAgent reserves this one")
}

/// Finding for a sample rule that the operator omits because the rule writes a reserved label.
pub(super) fn omitted_rule(origin: Origin<'_>, label: &str) -> Diagnostic {
    let message = format!("the operator omits this rule because the rule writes {}", code_span(label));
    origin
        .diagnostic_below(&FieldPath::new(), Code::IneffectiveRule, message)
        .help("write a different label: `enforcedNamespaceLabel` in the GrafanaAgent reserves this one")
}

/// Finding for a `labelmap` rule that copies a label to the empty name.
pub(super) fn empty_label_name(place: &Place<'_, '_>, name: Option<&str>) -> Diagnostic {
    let replacement = code_span(&place.rule.replacement);
    let why = match name {
        None => format!("`regex` has no group for {replacement}"),
        Some(name) => format!("{replacement} is empty for {}", code_span(name)),
    };
    let consequence = match place.subject {
        Subject::LogTarget => "so Loki rejects the logs",
        Subject::Target | Subject::AlloyTarget | Subject::Sample => "so every scrape fails",
        Subject::SentSample => "so the receiver rejects the samples",
    };
    let message = format!("the rule copies labels to an empty name, {consequence}: {why}");
    place.finding(Code::EmptyLabelName, message).help("put a group around the part of the name to keep, such as `(.+)`")
}

/// Finding for a reference to a group that the expression does not have.
pub(super) fn missing_group(place: &Place<'_, '_>, group: &str) -> Diagnostic {
    let quoted = code_span(&format!("${group}"));
    let message = format!("{quoted} is always empty: `regex` has no such group");
    let digits = group.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
    let help = match (digits, digits.len() < group.len()) {
        ("", _) | (_, false) => "put a capture group, such as `(.+)`, around the part of `regex` to copy".to_owned(),
        (digits, true) => {
            let rest = group.get(digits.len()..).unwrap_or_default();
            format!("write `${{{digits}}}{rest}`: without braces, the name of the group is `{group}`")
        }
    };
    place.finding(Code::MissingGroup, message).help(help)
}

/// Finding for a rule that makes scrapes fail, because it removes a label or writes an unsuitable value to it.
pub(super) fn failing_scrape(place: &Place<'_, '_>, problem: &Problem) -> Diagnostic {
    let consequence = match place.subject {
        Subject::Target | Subject::AlloyTarget => "the agent cannot scrape any target",
        Subject::LogTarget => "the agent reads no logs",
        Subject::Sample => "every scrape fails",
        Subject::SentSample => "the receiver rejects the samples",
    };
    let (why, help) = match problem {
        Problem::Removed(name) => {
            let help = match place.rule.action {
                RelabelAction::LabelKeep => format!("add `{name}` to `regex`"),
                RelabelAction::LabelDrop => format!("exclude `{name}` from `regex`"),
                _ => format!("write a value to `{name}`"),
            };
            (format!("the rule removes `{name}`"), help)
        }
        Problem::Scheme(scheme) => {
            (format!("the rule sets `__scheme__` to {}", code_span(scheme)), "use `http` or `https`".to_owned())
        }
        Problem::Address => (
            "the rule writes a slash to `__address__`".to_owned(),
            "write only host and port; use `scheme` and `path`, or write `__scheme__` and `__metrics_path__`"
                .to_owned(),
        ),
        Problem::MetricName(c) => (
            format!("the rule writes {} to `__name__`", code_span(&c.to_string())),
            "use only letters, digits, `_` and `:`".to_owned(),
        ),
    };
    let finding = place.finding(Code::FailingScrape, format!("{why}, so {consequence}")).help(help);
    match place.subject {
        Subject::SentSample => finding.severity(Severity::Warning),
        _ => finding,
    }
}
