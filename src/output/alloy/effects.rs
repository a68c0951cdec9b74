//! Effects of relabeling rules on labels, regardless of how the rules are represented.

use std::cell::OnceCell;
use std::collections::HashMap;

use regex::Regex;

use super::syntax::{Body, Expression};
use crate::plan::RelabelRule;

/// Relabeling rule. Unset settings have Prometheus' defaults.
pub(super) trait RuleSettings {
    /// Returns the labels whose values are joined.
    fn source_labels(&self) -> impl Iterator<Item = &str>;
    /// Returns the value of another setting, if set.
    fn setting(&self, name: &str) -> Option<&str>;

    /// Returns the label that the rule writes or compares.
    fn target_label(&self) -> Option<&str> {
        self.setting("target_label")
    }

    /// Returns the action, if set.
    fn action(&self) -> Option<&str> {
        self.setting("action")
    }

    /// Whether the rule has this action.
    fn is(&self, action: &str) -> bool {
        self.action().unwrap_or("replace").eq_ignore_ascii_case(action)
    }

    /// Returns the regular expression, or `None` if it matches everything or is not valid.
    fn regex(&self) -> Option<Regex> {
        let regex = self.setting("regex").filter(|regex| !ANYTHING.contains(regex))?;
        Regex::new(&format!("^(?s:{regex})$")).ok()
    }

    /// Returns a test for whether the rule's expression matches a label name.
    fn matcher(&self) -> NameMatcher<'_> {
        NameMatcher { pattern: self.setting("regex").filter(|regex| !ANYTHING.contains(regex)), regex: OnceCell::new() }
    }

    fn matches_anything(&self) -> bool {
        self.setting("regex").is_none_or(|regex| ANYTHING.contains(&regex))
    }

    /// Whether a rule that copies labels copies each label to itself.
    fn is_identity(&self) -> bool {
        let is_whole = self.matches_anything() || self.setting("regex") == Some("(.+)");
        is_whole && self.setting("replacement").is_none_or(|to| to == "$1" || to == "${1}")
    }

    /// Whether the rule removes a label by name.
    fn removes(&self, label: &str) -> bool {
        self.removed([label]).is_some()
    }

    /// Returns the first of these labels that the rule removes by name.
    fn removed<'l>(&self, labels: impl IntoIterator<Item = &'l str>) -> Option<&'l str> {
        let removes_matching = self.is("labeldrop");
        if !removes_matching && !self.is("labelkeep") {
            return None;
        }
        let matcher = self.matcher();
        labels.into_iter().find(|label| matcher.is_match(label) == removes_matching)
    }
}

/// Test for label names. Many jobs share a few expressions, which are slow to compile, so an expression is compiled
/// only if its literal prefix matches a name.
pub(super) struct NameMatcher<'r> {
    /// Regular expression, or `None` if it matches everything.
    pattern: Option<&'r str>,
    regex: OnceCell<Option<Regex>>,
}

impl NameMatcher<'_> {
    /// Whether the expression matches `name`. An invalid expression matches nothing.
    pub(super) fn is_match(&self, name: &str) -> bool {
        let Some(pattern) = self.pattern else { return true };
        if !name.starts_with(literal_start(pattern)) {
            return false;
        }
        let compile = || Regex::new(&format!("^(?s:{pattern})$")).ok();
        self.regex.get_or_init(compile).as_ref().is_some_and(|regex| regex.is_match(name))
    }
}

/// Returns a literal prefix of everything that `pattern` matches, not necessarily the longest.
fn literal_start(pattern: &str) -> &str {
    let end = pattern.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let (start, rest) = pattern.split_at(end.unwrap_or(pattern.len()));
    match rest.chars().next() {
        _ if rest.contains('|') => "",
        // The last character may occur any number of times.
        Some('*' | '+' | '?' | '{') => start.get(..start.len().saturating_sub(1)).unwrap_or_default(),
        _ => start,
    }
}

/// Expressions that match every string.
const ANYTHING: [&str; 2] = ["(.*)", ".*"];

impl RuleSettings for RelabelRule<'_> {
    fn source_labels(&self) -> impl Iterator<Item = &str> {
        self.source_labels.iter()
    }

    fn target_label(&self) -> Option<&str> {
        self.target_label.as_deref()
    }

    fn action(&self) -> Option<&str> {
        Some(self.action).filter(|action| !action.is_empty())
    }

    fn setting(&self, name: &str) -> Option<&str> {
        match name {
            "regex" => self.regex.as_deref(),
            "replacement" => self.replacement.as_deref(),
            _ => None,
        }
    }
}

impl RuleSettings for Body<'_> {
    fn source_labels(&self) -> impl Iterator<Item = &str> {
        let labels = match self.attribute("source_labels") {
            Some(Expression::List(labels)) => labels.as_slice(),
            _ => &[],
        };
        labels.iter().filter_map(Expression::text)
    }

    fn setting(&self, name: &str) -> Option<&str> {
        self.attribute(name)?.text()
    }
}

/// Series that a scrape reports about itself (`addReportSample` in Prometheus' `scrape.go`).
const REPORTS: &str = "up scrape_body_size_bytes scrape_duration_seconds scrape_sample_limit scrape_samples_post_metric_relabeling \
    scrape_samples_scraped scrape_series_added scrape_timeout_seconds";

/// Regular expression for the names of these series.
pub(super) const REPORT_NAMES: &str = "up|scrape_(body_size_bytes|duration_seconds|sample_limit|\
                                       samples_post_metric_relabeling|samples_scraped|series_added|timeout_seconds)";

/// Whether a metric relabeling rule may drop or change the series that a scrape reports about itself. Any rule may,
/// unless it keeps or drops series only by name and leaves these series alone.
pub(super) fn touches_reports(rule: &impl RuleSettings, known: &mut Verdicts) -> bool {
    let (keeps, drops) = (rule.is("keep"), rule.is("drop"));
    if !(keeps || drops) || !rule.source_labels().eq(["__name__"]) {
        return true;
    }
    let verdict = || match rule.regex() {
        Some(regex) if keeps => REPORTS.split(' ').any(|name| !regex.is_match(name)),
        Some(regex) => REPORTS.split(' ').any(|name| regex.is_match(name)),
        None => drops || !rule.matches_anything(),
    };
    let key = (keeps, rule.setting("regex").unwrap_or_default().to_owned());
    *known.entry(key).or_insert_with(verdict)
}

/// Results of [`touches_reports`] for rules that keep or drop by name, keyed by expression. Thousands of jobs may share
/// one expression, which is slow to compile.
pub(super) type Verdicts = HashMap<(bool, String), bool>;

/// Presence of the `job` label after relabeling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JobLabel {
    Kept,
    /// No target has the label.
    Removed,
    /// A target lacks the label if the labels that its value is taken from are empty.
    MayBeEmpty,
}

impl JobLabel {
    /// Returns the presence of the label after `rules`, given that all targets have the label beforehand.
    pub(super) fn after<'r, R: RuleSettings + 'r>(rules: impl Iterator<Item = &'r R>) -> Self {
        rules.fold(JobLabel::Kept, |job, rule| job.and(rule))
    }

    /// Returns the presence of the label after `rules`, and the index of the rule that removes it, or `None` if the
    /// label is kept.
    pub(super) fn lost_by<R: RuleSettings>(rules: &[R]) -> Option<(Self, usize)> {
        let (mut job, mut by) = (JobLabel::Kept, 0);
        for (number, rule) in rules.iter().enumerate() {
            let behind = job.and(rule);
            if job != behind || rule.target_label() == Some("job") {
                by = number;
            }
            job = behind;
        }
        (job != JobLabel::Kept).then_some((job, by))
    }

    fn and(self, rule: &impl RuleSettings) -> Self {
        if rule.removes("job") {
            return JobLabel::Removed;
        }
        let may_name_job = |to: &str| to == "job" || to.contains('$');
        if self == JobLabel::Removed && rule.is("labelmap") && rule.setting("replacement").is_none_or(may_name_job) {
            return JobLabel::MayBeEmpty;
        }
        if rule.target_label() != Some("job") {
            return self;
        }
        let of_job = |label: &str| match self {
            _ if label != "job" => None,
            JobLabel::Kept => Some(true),
            JobLabel::Removed => Some(false),
            JobLabel::MayBeEmpty => None,
        };
        match RuleValue::written(rule, &of_job) {
            None => self,
            Some((RuleValue::Filled, true)) => JobLabel::Kept,
            Some((RuleValue::Empty, true)) => JobLabel::Removed,
            Some((RuleValue::Filled, false)) if self == JobLabel::Kept => JobLabel::Kept,
            Some((RuleValue::Empty, false)) if self == JobLabel::Removed => JobLabel::Removed,
            Some(_) => JobLabel::MayBeEmpty,
        }
    }
}

/// Value that a rule writes to its label.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RuleValue {
    Filled,
    Empty,
    Unknown,
}

/// Labels that are never empty on a target that has them.
const FILLED: [&str; 10] = [
    "__address__",
    "__scheme__",
    "__metrics_path__",
    "__meta_kubernetes_namespace",
    "__meta_kubernetes_pod_name",
    "__meta_kubernetes_pod_node_name",
    "__meta_kubernetes_pod_uid",
    "__meta_kubernetes_service_name",
    "__meta_kubernetes_ingress_name",
    "__meta_kubernetes_node_name",
];

/// Whether a label has a value on every target or on none, or `None` if unknown.
pub(super) type IsFilled<'f> = dyn Fn(&str) -> Option<bool> + 'f;

impl RuleValue {
    /// Returns the value that a rule writes to its target label, and whether it does so on every target.
    pub(super) fn written(rule: &impl RuleSettings, is_filled: &IsFilled<'_>) -> Option<(Self, bool)> {
        if rule.is("hashmod") {
            return Some((RuleValue::Filled, true));
        }
        if rule.is("replace") {
            let is_some =
                rule.setting("regex") == Some("(.+)") && RuleValue::copied(rule, is_filled) == RuleValue::Filled;
            return Some((RuleValue::replaced(rule, is_filled), rule.matches_anything() || is_some));
        }
        let changes_case = rule.is("lowercase") || rule.is("uppercase");
        changes_case.then(|| (RuleValue::copied(rule, is_filled), true))
    }

    /// Returns the value that results from a rule's replacement.
    fn replaced(rule: &impl RuleSettings, is_filled: &IsFilled<'_>) -> Self {
        let replacement = rule.setting("replacement").unwrap_or("$1");
        match (replacement, rule.setting("regex")) {
            ("", _) => RuleValue::Empty,
            // The replacement is the entire match, which is not empty.
            ("$1" | "${1}", Some("(.+)")) => RuleValue::Filled,
            ("$1" | "${1}", _) if rule.matches_anything() => RuleValue::copied(rule, is_filled),
            (text, _) if !text.starts_with('$') => RuleValue::Filled,
            _ => RuleValue::Unknown,
        }
    }

    fn copied(rule: &impl RuleSettings, is_filled: &IsFilled<'_>) -> Self {
        let is_filled = |label: &str| is_filled(label).or_else(|| FILLED.contains(&label).then_some(true));
        let mut sources = rule.source_labels();
        match (sources.next(), sources.next()) {
            (None, _) => RuleValue::Empty,
            _ if rule.source_labels().any(|label| is_filled(label) == Some(true)) => RuleValue::Filled,
            (Some(label), None) if is_filled(label) == Some(false) => RuleValue::Empty,
            _ => RuleValue::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(settings: &[(&'static str, &'static str)]) -> Body<'static> {
        settings.iter().fold(Body::new(), |body, (name, value)| match *name {
            "source" => body.with("source_labels", Expression::texts(value.split_whitespace())),
            name => body.with(name, *value),
        })
    }

    #[test]
    fn matches_names_as_the_compiled_expression_does() {
        let patterns =
            ["(.*)", "job", "jobs?", "jobs*", "job|pod", "jo.", "(?i)JOB", "job{1}", "__meta_(.+)", "x(", "", "job_.*"];
        for pattern in patterns {
            let rule = rule(&[("regex", pattern)]);
            for name in ["", "job", "jobs", "jo", "pod", "__meta_a", "jobss", "job_"] {
                let expected = rule.regex().map_or(rule.matches_anything(), |regex| regex.is_match(name));
                assert_eq!(rule.matcher().is_match(name), expected, "{pattern} {name}");
            }
        }
    }

    #[test]
    fn expression_matches_the_report_names() {
        let regex = Regex::new(&format!("^(?:{REPORT_NAMES})$")).unwrap();
        assert!(REPORTS.split(' ').all(|name| regex.is_match(name)));
        assert!(["up_", "my_up", "scrape_", "go_goroutines"].iter().all(|name| !regex.is_match(name)));
    }

    #[test]
    fn rules_that_match_names_may_not_touch_reports() {
        let name = ("source", "__name__");
        for (settings, touches) in [
            ([name, ("action", "keep"), ("regex", "my_.*")].as_slice(), true),
            (&[name, ("action", "keep"), ("regex", "my_.*|up|scrape_.*")], false),
            (&[name, ("action", "Keep")], false),
            (&[name, ("action", "keep"), ("regex", "(")], true),
            (&[name, ("action", "drop"), ("regex", "my_.*")], false),
            (&[name, ("action", "drop"), ("regex", "u.")], true),
            (&[name, ("action", "drop")], true),
            (&[("source", "__name__ le"), ("action", "drop"), ("regex", "my_.*")], true),
            (&[("source", "le"), ("action", "drop"), ("regex", "my_.*")], true),
            (&[("action", "labeldrop"), ("regex", "le")], true),
            (&[("target_label", "a"), ("replacement", "b")], true),
        ] {
            assert_eq!(touches_reports(&rule(settings), &mut Verdicts::new()), touches, "{settings:?}");
        }
    }

    #[test]
    fn literal_replacements_are_not_empty() {
        for (replacement, expected) in [("a", true), ("a$1", true), ("", false), ("$1", false), ("${1}", false)] {
            let rule = rule(&[("source", "le"), ("replacement", replacement)]);
            let is_text = RuleValue::replaced(&rule, &|_| None) == RuleValue::Filled;
            assert_eq!(is_text, expected, "{replacement}");
        }
        assert!(RuleValue::replaced(&rule(&[("source", "le")]), &|_| None) == RuleValue::Unknown);
    }

    #[test]
    fn rules_keep_or_remove_the_job() {
        let (drop, to) = (&[("action", "labeldrop"), ("regex", "jo.")], ("target_label", "job"));
        let name = ("source", "__meta_kubernetes_service_name");
        let label = ("source", "__meta_kubernetes_pod_label_app");
        for (rules, job) in [
            ([].as_slice(), JobLabel::Kept),
            (&[drop.as_slice()], JobLabel::Removed),
            (&[&[("action", "LabelKeep"), ("regex", "__.*")]], JobLabel::Removed),
            (&[&[("action", "labelkeep"), ("regex", "__.*|job")]], JobLabel::Kept),
            (&[&[to, ("replacement", "")]], JobLabel::Removed),
            (&[&[to]], JobLabel::Removed),
            (&[&[to, name]], JobLabel::Kept),
            (&[drop, &[to, name]], JobLabel::Kept),
            (&[drop, &[("action", "labelmap"), ("regex", "__param_(.+)")]], JobLabel::MayBeEmpty),
            (&[drop, &[("action", "labelmap"), ("replacement", "a")]], JobLabel::Removed),
            (&[&[("action", "labelmap"), ("regex", "__param_(.+)")]], JobLabel::Kept),
            (&[drop, &[to, ("replacement", "a")]], JobLabel::Kept),
            (&[drop, &[to, ("source", "job"), ("action", "lowercase")]], JobLabel::Removed),
            (&[drop, &[to, ("source", "job x")]], JobLabel::MayBeEmpty),
            (&[&[to, ("source", "job x")]], JobLabel::Kept),
            (&[drop, &[to, label, ("regex", "(.+)")]], JobLabel::MayBeEmpty),
            (&[&[to, label, ("regex", "(.+)")]], JobLabel::Kept),
            (&[&[to, label]], JobLabel::MayBeEmpty),
            (&[&[to, label, ("regex", "a(.*)")]], JobLabel::MayBeEmpty),
            (&[&[to, label], &[to, ("replacement", "a")]], JobLabel::Kept),
            (&[&[to, label, ("regex", "a"), ("replacement", "")]], JobLabel::MayBeEmpty),
            (&[drop, &[to, label, ("regex", "a"), ("replacement", "")]], JobLabel::Removed),
            (&[&[to, label, ("regex", "a"), ("replacement", "b")]], JobLabel::Kept),
            (&[drop, &[to, label, ("regex", "a"), ("replacement", "b")]], JobLabel::MayBeEmpty),
            (&[&[to, label, ("action", "lowercase")]], JobLabel::MayBeEmpty),
            (&[&[to, ("source", "__scheme__"), ("action", "uppercase")]], JobLabel::Kept),
            (&[&[to, label, ("action", "hashmod")]], JobLabel::Kept),
            (&[&[to, label, ("action", "keepequal")]], JobLabel::Kept),
        ] {
            let bodies: Vec<_> = rules.iter().map(|settings| rule(settings)).collect();
            assert_eq!(JobLabel::after(bodies.iter()), job, "{rules:?}");
        }
    }
}
