//! The lines of scrape jobs of metrics. Most relabelling rules of a job are those of its neighbours: such a rule is written
//! once, and copied from then on.

use std::mem;
use std::ops::Range;

use super::metrics;
use crate::plan::{RelabelRule, ScrapeJob};
use crate::resolve::SecretStore;
use crate::yaml::{self, Style, Value};

/// Indentation of the items of `scrape_configs`.
pub(super) const JOB_INDENT: usize = 12;

/// Indentation of a relabelling rule of a job.
const RULE_INDENT: usize = 16;

/// The keys of lists of rules in the order in which a job has them.
const METRIC_RULES: &str = "\n              metric_relabel_configs:";
const RULES: &str = "\n              relabel_configs:";

/// An empty list behind such a key.
const EMPTY: &str = " []";

/// Appends the lines of a scrape job of metrics.
pub fn append_job(lines: &mut String, job: &Value<'_>) {
    yaml::append_item(lines, job, Style::V3, JOB_INDENT);
}

/// Number of rules of the job before among which the next one is looked for.
const AHEAD: usize = 3;

/// The lines of jobs, one behind the other.
pub(super) struct JobLines<'j> {
    secrets: &'j SecretStore<'j, 'j>,
    lines: String,
    /// The rules of the job before, and where they are in the lines.
    before: Vec<(&'j RelabelRule<'j>, Range<usize>)>,
    /// Of these, the one behind the last one that this job has, too.
    next: usize,
    /// The rules of this job.
    rules: Vec<(&'j RelabelRule<'j>, Range<usize>)>,
    /// The lines of a job without its rules.
    outline: String,
}

impl<'j> JobLines<'j> {
    /// The lines of these jobs.
    pub(super) fn of(jobs: &'j [ScrapeJob<'j>], secrets: &'j SecretStore<'j, 'j>) -> String {
        let mut lines = Self {
            secrets,
            lines: String::new(),
            before: Vec::new(),
            next: 0,
            rules: Vec::new(),
            outline: String::new(),
        };
        jobs.iter().for_each(|job| lines.job(job));
        lines.lines
    }

    fn job(&mut self, job: &'j ScrapeJob<'j>) {
        let mut outline = mem::take(&mut self.outline);
        outline.clear();
        append_job(&mut outline, &metrics::job_outline(job, self.secrets).into());
        let mut rest = outline.as_str();
        for (key, rules) in [(METRIC_RULES, &job.metric_relabelings), (RULES, &job.relabelings)] {
            // A value of several lines is indented by more than a key.
            let place = (!rules.is_empty()).then(|| rest.find(key)).flatten();
            let split = place.and_then(|place| rest.split_at_checked(place + key.len()));
            if let Some((before, after)) = split {
                self.lines.push_str(before);
                self.lines.push('\n');
                rules.iter().for_each(|rule| self.rule(rule));
                // The next key has the line break in front of it.
                self.lines.pop();
                rest = after.strip_prefix(EMPTY).unwrap_or(after);
            }
        }
        self.lines.push_str(rest);
        self.outline = outline;
        mem::swap(&mut self.before, &mut self.rules);
        self.rules.clear();
        self.next = 0;
    }

    fn rule(&mut self, rule: &'j RelabelRule<'j>) {
        let start = self.lines.len();
        let mut ahead = self.before.iter().enumerate().skip(self.next).take(AHEAD);
        match ahead.find(|(_, (before, _))| is_written_as(before, rule)) {
            Some((place, (_, written))) => {
                self.next = place + 1;
                self.lines.extend_from_within(written.clone());
            }
            None => {
                let rule = metrics::relabel_config(rule).into();
                yaml::append_item(&mut self.lines, &rule, Style::V3, RULE_INDENT);
            }
        }
        self.rules.push((rule, start..self.lines.len()));
    }
}

/// Whether rules have the same lines; these do not show where a rule comes from.
fn is_written_as(a: &RelabelRule<'_>, b: &RelabelRule<'_>) -> bool {
    let RelabelRule {
        source_labels,
        separator,
        regex,
        modulus,
        target_label,
        replacement,
        action,
        origin: _,
    } = a;
    *target_label == b.target_label
        && *replacement == b.replacement
        && *regex == b.regex
        && *source_labels == b.source_labels
        && (*action, *separator, *modulus) == (b.action, b.separator, b.modulus)
}
