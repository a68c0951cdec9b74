//! Walk that follows extracted values and labels through the stages of a log pipeline.
//!
//! A stage reads extracted values. At the start of each pipeline, including those of `cri`, `docker` and `match`,
//! Promtail copies the labels of the line to the extracted values (`Pipeline.Run`).

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::backslash::{has_doubled_escape, requires_backslash};
use super::stage_diagnostics::{self as diagnostics, StagePlace};
use super::time_format::{FormatProblem, find_problem};
use crate::api::{DropStage, MatchStage, PipelineStage, TimestampStage};
use crate::diagnostic::Diagnostic;
use crate::flow::{Expression, ExpressionCache, LabelSet, Values, alphabet};
use crate::go::envsubst::has_variable;
use crate::go::log_selector::{LabelMatcher, MatchOperator, parse_matchers};
use crate::go::regexp::Piece;
use crate::go::template;
use crate::plan::{Origin, ScrapeJob, Stages};

/// Label that a `tenant` stage sets (`ReservedLabelTenantID`).
const TENANT_LABEL: &str = "__tenant_id__";

/// Values that a stage can read.
#[derive(Clone)]
struct Line {
    /// Names of the extracted values.
    extracted: BTreeSet<String>,
    /// Whether there may be extracted values with unknown names.
    has_unknown_values: bool,
    /// Labels of the line, including labels that may be missing.
    labels: BTreeMap<String, Values>,
    /// Whether the line may have labels with unknown names.
    has_unknown_labels: bool,
    /// Extracted value that each label was last set to by a `labels` stage.
    label_sources: BTreeMap<String, String>,
}

impl Line {
    /// Returns the state of a line before the first stage, for a target with these labels (`targetSyncer.sync`).
    fn from_target(targets: &LabelSet<'_>) -> Self {
        let known_labels = targets.names().filter(|(name, values)| !name.starts_with("__") && !values.is_missing());
        let mut labels: BTreeMap<_, _> = known_labels.map(|(name, values)| (name.to_owned(), values.clone())).collect();
        labels.insert("filename".to_owned(), Values::unknown(alphabet::ANY, false));
        let mut line = Self {
            extracted: BTreeSet::new(),
            has_unknown_values: false,
            labels,
            has_unknown_labels: targets.has_unknown_names(),
            label_sources: BTreeMap::new(),
        };
        line.start_pipeline();
        line
    }

    fn start_pipeline(&mut self) {
        self.extracted.extend(self.labels.keys().cloned());
        self.has_unknown_values |= self.has_unknown_labels;
    }

    fn lacks_value(&self, name: &str) -> bool {
        !self.has_unknown_values && !self.extracted.contains(name) && !has_variable(name)
    }

    fn label(&self, name: &str) -> Values {
        match self.labels.get(name) {
            Some(values) => values.clone(),
            None if self.has_unknown_labels => Values::unknown(alphabet::ANY, true),
            None => Values::missing(),
        }
    }

    fn extract<'n>(&mut self, names: impl IntoIterator<Item = &'n str>) {
        self.extracted.extend(names.into_iter().map(str::to_owned));
    }

    /// Sets a label that lines may have.
    fn set_label(&mut self, name: &str) {
        self.labels.insert(name.to_owned(), Values::unknown(alphabet::ANY, true));
    }

    /// Marks a label as possibly missing, or every label if the name contains a variable.
    fn make_optional(&mut self, name: &str) {
        for (_, values) in self.labels.iter_mut().filter(|(label, _)| *label == name || has_variable(name)) {
            *values = values.clone().or(Values::missing());
        }
    }

    /// Adds the values and labels of a line that passed additional stages.
    fn merge(&mut self, mut other: Self) {
        let names: BTreeSet<_> = self.labels.keys().chain(other.labels.keys()).cloned().collect();
        let merged_values = |name: String| {
            let values = self.label(&name).or(other.label(&name));
            (name, values)
        };
        self.labels = names.into_iter().map(merged_values).collect();
        self.extracted.append(&mut other.extracted);
        self.has_unknown_values |= other.has_unknown_values;
        self.has_unknown_labels |= other.has_unknown_labels;
        self.label_sources.append(&mut other.label_sources);
    }
}

/// Checks the stages of a PodLogs resource. `targets` contains the labels after the last rule.
pub(super) fn check(
    job: &ScrapeJob<'_>,
    stages: Stages<'_>,
    targets: &LabelSet<'_>,
    expressions: &mut ExpressionCache,
    findings: &mut Vec<Diagnostic>,
) {
    let mut line = Line::from_target(targets);
    let mut reader = StageChecker { origin: job.origin.at("spec.pipelineStages"), index: None, expressions, findings };
    let _ = reader.check_stages(stages, &mut line);
}

/// Error for a stage that drops every line, so that later stages do nothing.
struct AllLinesDropped;

struct StageChecker<'f, 'd> {
    origin: Origin<'d>,
    /// Index of the top-level stage that contains the current stages, or `None` if they are at the top level.
    index: Option<usize>,
    expressions: &'f mut ExpressionCache,
    findings: &'f mut Vec<Diagnostic>,
}

impl<'d> StageChecker<'_, 'd> {
    fn check_stages(&mut self, stages: Stages<'_>, line: &mut Line) -> Result<(), AllLinesDropped> {
        for (i, stage) in stages.iter().enumerate() {
            let place =
                StagePlace { origin: self.origin.item(self.index.unwrap_or(i)), is_nested: self.index.is_some() };
            self.check_stage(stage, place, line)?;
            if let Some(nested) = &stage.r#match {
                let outer_index = self.index;
                self.index = Some(outer_index.unwrap_or(i));
                let result = self.check_match_stage(nested, stages, place, line);
                self.index = outer_index;
                result?;
            }
        }
        Ok(())
    }

    fn report_unread(&mut self, place: StagePlace<'d>, kind: &'static str, name: &str, line: &Line) -> bool {
        let is_unread = !name.is_empty() && line.lacks_value(name);
        if is_unread {
            let finding = match line.labels.contains_key(name) {
                true => {
                    let source = line.label_sources.get(name).filter(|source| line.extracted.contains(*source));
                    diagnostics::reads_label(place, kind, name, source.map(String::as_str))
                }
                false => diagnostics::never_extracted(place, kind, name, &line.extracted),
            };
            self.findings.push(finding);
        }
        is_unread
    }

    fn check_stage(
        &mut self,
        stage: &PipelineStage<'_>,
        place: StagePlace<'d>,
        line: &mut Line,
    ) -> Result<(), AllLinesDropped> {
        if stage.docker.is_some() || stage.cri.is_some() {
            line.start_pipeline();
            let cri_fields: &[&str] = if stage.cri.is_some() { &["time", "stream", "flags", "content"] } else { &[] };
            let docker_fields: &[&str] = if stage.docker.is_some() { &["output", "stream", "timestamp"] } else { &[] };
            line.extract(cri_fields.iter().chain(docker_fields).copied());
            line.set_label("stream");
        }
        if let Some(json) = &stage.json {
            self.report_unread(place, "json", json.source, line);
            // The values count as extracted even if this stage never extracts them, so that stages that read them cause
            // no further findings.
            line.extract(json.expressions.iter().flat_map(|all| all.keys()));
        }
        if let Some(regex) = &stage.regex {
            self.report_unread(place, "regex", regex.source, line);
            self.check_expression(place, "regex", regex.expression, line);
        }
        if let Some(replace) = &stage.replace {
            self.report_unread(place, "replace", replace.source, line);
            self.check_expression(place, "replace", replace.expression, line);
            line.extract([replace.source].into_iter().filter(|source| !source.is_empty()));
        }
        if let Some(template) = &stage.template {
            if needs_value(template.template) {
                self.report_unread(place, "template", template.source, line);
            }
            line.extract([template.source]);
        }
        if let Some(timestamp) = &stage.timestamp
            && !self.report_unread(place, "timestamp", timestamp.source, line)
        {
            self.check_timestamp(place, timestamp);
        }
        if let Some(output) = &stage.output {
            self.report_unread(place, "output", output.source, line);
        }
        if let Some(tenant) = &stage.tenant {
            self.report_unread(place, "tenant", tenant.source, line);
            if !tenant.label.is_empty() && !has_variable(tenant.label) && line.label(tenant.label).is_missing() {
                self.findings.push(diagnostics::missing_label(place, "tenant", tenant.label, line.labels.keys()));
            }
            line.set_label(TENANT_LABEL);
            if !tenant.value.is_empty() && !has_variable(tenant.value) {
                line.labels.insert(TENANT_LABEL.to_owned(), Values::known([tenant.value]));
            }
        }
        if let Some(pack) = &stage.pack {
            for name in &pack.labels {
                // The stage removes a label only if a value with the same name is extracted.
                if !self.report_unread(place, "pack", name, line) {
                    line.make_optional(name);
                }
            }
        }
        for (name, metric) in stage.metrics.iter().flatten() {
            // Promtail counts lines without a value only for counters.
            let counts_all_lines = metric.r#type.eq_ignore_ascii_case("counter") && metric.match_all == Some(true);
            if !counts_all_lines {
                let source = if metric.source.is_empty() { name } else { metric.source };
                self.report_unread(place, "metrics", source, line);
            }
        }
        for (label, source) in stage.labels.iter() {
            let source = if source.is_empty() { label } else { source };
            self.report_unread(place, "labels", source, line);
            line.set_label(label);
            line.label_sources.insert((*label).to_owned(), (*source).to_owned());
        }
        for label in &stage.label_drop {
            line.make_optional(label);
            line.labels.remove(*label);
        }
        if !stage.label_allow.is_empty() {
            let kept = stage.label_allow.iter().map(|label| ((*label).to_owned(), line.label(label)));
            line.labels = kept.filter(|(_, values)| !values.is_missing()).collect();
            line.has_unknown_labels = stage.label_allow.iter().any(|label| has_variable(label));
        }
        if let Some(multiline) = &stage.multiline {
            self.check_backslashes(place, "multiline", multiline.first_line);
        }
        match &stage.drop {
            Some(drop) => self.check_drop_stage(place, drop, line),
            None => Ok(()),
        }
    }

    /// Extracts the named groups of an expression, and reports an expression that lacks the groups required by its
    /// stage.
    fn check_expression(&mut self, place: StagePlace<'d>, kind: &'static str, expression: &str, line: &mut Line) {
        let compiled = (!has_variable(expression)).then(|| self.compile_unanchored(expression)).flatten();
        let Some(matcher) = compiled else {
            line.has_unknown_values = true;
            return;
        };
        let names: Vec<_> = matcher.matcher.group_names().map(str::to_owned).collect();
        if kind == "regex" && names.is_empty() || kind == "replace" && !matcher.matcher.has_groups() {
            self.findings.push(diagnostics::missing_groups(place, kind));
        } else {
            self.check_backslashes(place, kind, expression);
        }
        line.extracted.extend(names);
    }

    /// Compiles an expression that may match part of a line.
    fn compile_unanchored(&mut self, expression: &str) -> Option<Rc<Expression>> {
        self.expressions.get(&format!("(?:{expression})"))
    }

    /// Reports an expression that matches only lines with a backslash because an escape sequence is doubled.
    fn check_backslashes(&mut self, place: StagePlace<'d>, kind: &'static str, expression: &str) {
        if !has_doubled_escape(expression) || has_variable(expression) {
            return;
        }
        let compiled = self.expressions.get(&unanchored_expression(expression));
        if compiled.is_some_and(|compiled| requires_backslash(&compiled)) {
            self.findings.push(diagnostics::doubled_backslash(place, kind));
        }
    }

    fn check_timestamp(&mut self, place: StagePlace<'d>, timestamp: &TimestampStage<'_>) {
        let formats = [timestamp.format].into_iter().chain(timestamp.fallback_formats.iter().copied());
        if formats.clone().any(|format| format.is_empty() || has_variable(format)) {
            return;
        }
        let problems: Option<Vec<_>> = formats.map(find_problem).collect();
        let Some(problems) = problems else { return };
        let never_parse_all = problems.iter().all(|problem| matches!(problem, FormatProblem::NeverParsed(_)));
        match problems.first() {
            Some(FormatProblem::NeverParsed(wrong)) if never_parse_all => {
                self.findings.push(diagnostics::never_parsed(place, timestamp.format, wrong));
            }
            Some(FormatProblem::NoDate) if problems.len() == 1 => {
                self.findings.push(diagnostics::missing_date(place, timestamp.format));
            }
            _ => {}
        }
    }

    /// Checks a `drop` stage (`dropStage.shouldDrop`).
    fn check_drop_stage(
        &mut self,
        place: StagePlace<'d>,
        drop: &DropStage<'_>,
        line: &Line,
    ) -> Result<(), AllLinesDropped> {
        let texts = [drop.source, drop.expression, drop.value];
        if texts.into_iter().any(has_variable) || drop.source.contains(',') {
            return Ok(());
        }
        let has_other_conditions = !drop.older_than.is_empty() || !drop.longer_than.is_empty();
        let never_matches = !drop.source.is_empty() && line.lacks_value(drop.source);
        let compiled = (!drop.expression.is_empty())
            .then(|| self.expressions.get(&unanchored_expression(drop.expression)))
            .flatten();
        if never_matches {
            let matches_empty = compiled.is_some_and(|expression| expression.matcher.is_match(""));
            if !matches_empty {
                self.report_unread(place, "drop", drop.source, line);
                return Ok(());
            }
            if has_other_conditions {
                return Ok(());
            }
            self.findings.push(diagnostics::drop_without_source(place, drop.source));
            return Err(AllLinesDropped);
        }
        if drop.source.is_empty()
            && !has_other_conditions
            && compiled.is_some_and(|e| e.must_match(&[Piece::Any { alphabet: alphabet::ANY, is_filled: true }]))
        {
            self.findings.push(diagnostics::drop_of_every_line(place));
            return Err(AllLinesDropped);
        }
        self.check_backslashes(place, "drop", drop.expression);
        Ok(())
    }

    fn check_match_stage(
        &mut self,
        stage: &MatchStage<'_>,
        enclosing_stages: Stages<'_>,
        place: StagePlace<'d>,
        line: &mut Line,
    ) -> Result<(), AllLinesDropped> {
        let known_matchers = parse_matchers(stage.selector).filter(|_| !has_variable(stage.selector));
        // An unknown selector may match some lines, as with a filter.
        let (matchers, has_filters) = known_matchers.unwrap_or((Vec::new(), true));
        let mut always_matches = !has_filters;
        for matcher in &matchers {
            let (may_match, must_match) = self.matches(matcher, &line.label(&matcher.label));
            if !may_match {
                let labels = line.labels.keys();
                let is_missing = line.label(&matcher.label).is_missing();
                self.findings.push(diagnostics::never_matches(place, matcher, is_missing, labels));
                // The nested stages never run, but their values count as extracted, so that stages that read them cause
                // no further findings.
                let count_before = self.findings.len();
                if stage.action != "drop" {
                    self.check_follow_nested(stage, enclosing_stages, line);
                }
                self.findings.truncate(count_before);
                return Ok(());
            }
            always_matches &= must_match;
        }
        if stage.action == "drop" {
            if always_matches {
                self.findings.push(diagnostics::matches_every_line(place));
                return Err(AllLinesDropped);
            }
            return Ok(());
        }
        self.check_follow_nested(stage, enclosing_stages, line);
        Ok(())
    }

    /// Follows the stages that are nested in a `match` stage, which may or may not run.
    fn check_follow_nested(&mut self, stage: &MatchStage<'_>, enclosing_stages: Stages<'_>, line: &mut Line) {
        let mut nested_line = line.clone();
        nested_line.start_pipeline();
        let all_dropped = enclosing_stages
            .with_nested_stages(stage.stages, |stages| self.check_stages(stages, &mut nested_line).is_err());
        if all_dropped.is_none() {
            nested_line.labels.clear();
            (nested_line.has_unknown_values, nested_line.has_unknown_labels) = (true, true);
        }
        line.merge(nested_line);
    }

    /// Returns whether a matcher may match a label with these values, and whether it always does.
    fn matches(&mut self, matcher: &LabelMatcher, values: &Values) -> (bool, bool) {
        let is_negated = matches!(matcher.operator, MatchOperator::NotEqual | MatchOperator::DoesNotMatch);
        let is_expression = matches!(matcher.operator, MatchOperator::Matches | MatchOperator::DoesNotMatch);
        let expression = is_expression.then(|| self.expressions.get(&matcher.value)).flatten();
        let (mut may_match, mut must_match) = (false, true);
        for piece in values.pieces() {
            let (may_hold, must_hold) = match (piece, &expression) {
                _ if is_expression && expression.is_none() => (true, false),
                (Piece::Text(text), None) => (text == matcher.value, text == matcher.value),
                (Piece::Text(text), Some(expression)) => {
                    let matches = expression.matcher.is_match(text);
                    (matches, matches)
                }
                (Piece::Any { is_filled, .. }, None) => (!(is_filled && matcher.value.is_empty()), false),
                (piece, Some(expression)) => (expression.may_match(&[piece]), expression.must_match(&[piece])),
            };
            may_match |= if is_negated { !must_hold } else { may_hold };
            must_match &= if is_negated { !may_hold } else { must_hold };
        }
        (may_match, must_match)
    }
}

/// Returns an anchored expression that matches every line with a match for another expression.
fn unanchored_expression(expression: &str) -> String {
    format!("(?s:.*)(?:{expression})(?s:.*)")
}

/// Whether a template always needs the current value. A template does not need it if a function or action can provide a
/// default.
fn needs_value(template: &str) -> bool {
    const DEFAULTS: [&str; 11] =
        ["if", "with", "range", "default", "or", "and", "not", "coalesce", "ternary", "empty", "eq"];
    let names = template::names(template);
    names.contains(&".Value") && !names.iter().any(|name| DEFAULTS.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_without_a_default_need_a_value() {
        for (template, expected) in [
            ("{{ ToUpper .Value }}", true),
            ("{{ if .Value }}x{{ end }}", false),
            ("{{ .Value | default \"x\" }}", false),
            ("{{ .namespace }}", false),
            ("{{ .ValueDate }}T00:00:00Z", false),
            ("{{ .app.Value }}{{ (.app).Value }}{{ $.app.Value }}", false),
            ("{{/* .Value */}}{{ print \".Value\" `.Value` }} .Value", false),
            ("{{ $.Value }}", true),
            ("{{ .default }} {{ print \"or\" (trim .Value) }} if", true),
        ] {
            assert_eq!(needs_value(template), expected, "{template}");
        }
    }
}
