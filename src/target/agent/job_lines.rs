//! The lines of scrape jobs. Most relabelling rules of a job are those of its neighbours: such a rule is written
//! once, and copied from then on.

use std::mem;

use super::{logs, metrics};
use crate::plan::{LogsJob, RelabelRule, ScrapeJob};
use crate::resolve::SecretStore;
use crate::target::shares::{Rules, each_share};
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

/// A job with lists of relabelling rules.
pub(super) trait Job {
    /// The job with an empty list in the place of each list of rules.
    fn outline<'v>(&'v self, secrets: &'v SecretStore<'v, 'v>) -> Value<'v>;

    /// The rules under [`METRIC_RULES`] and [`RULES`].
    fn rules(&self) -> [&[RelabelRule<'_>]; 2];
}

impl Job for ScrapeJob<'_> {
    fn outline<'v>(&'v self, secrets: &'v SecretStore<'v, 'v>) -> Value<'v> {
        metrics::job_outline(self, secrets).into()
    }

    fn rules(&self) -> [&[RelabelRule<'_>]; 2] {
        [&self.metric_relabelings, &self.relabelings]
    }
}

impl Job for LogsJob<'_> {
    fn outline<'v>(&'v self, secrets: &'v SecretStore<'v, 'v>) -> Value<'v> {
        logs::job_outline(self, secrets).into()
    }

    fn rules(&self) -> [&[RelabelRule<'_>]; 2] {
        [&[], &self.relabelings]
    }
}

/// Appends the lines of a scrape job.
pub fn append_job(lines: &mut String, job: &Value<'_>) {
    yaml::append_item(lines, job, Style::V3, JOB_INDENT);
}

/// The lines of jobs, one behind the other.
pub(super) struct JobLines<'j> {
    secrets: &'j SecretStore<'j, 'j>,
    lines: String,
    rules: Rules<'j>,
    /// The lines of a job without its rules.
    outline: String,
}

impl<'j> JobLines<'j> {
    /// Passes on the lines of these jobs, several at a time.
    pub(super) fn each_of(
        jobs: impl Iterator<Item = impl Job + Sync>,
        secrets: &SecretStore<'_, '_>,
        pass: &mut dyn FnMut(&str),
    ) {
        each_share(jobs, |share| JobLines::of(share, secrets), |_, lines| pass(&lines));
    }

    /// The lines of these jobs.
    fn of(jobs: &'j [impl Job], secrets: &'j SecretStore<'j, 'j>) -> String {
        let mut lines = Self {
            secrets,
            lines: String::new(),
            rules: Rules::default(),
            outline: String::new(),
        };
        jobs.iter().for_each(|job| lines.job(job));
        lines.lines
    }

    fn job(&mut self, job: &'j impl Job) {
        let mut outline = mem::take(&mut self.outline);
        outline.clear();
        append_job(&mut outline, &job.outline(self.secrets));
        let mut rest = outline.as_str();
        for (key, rules) in [METRIC_RULES, RULES].into_iter().zip(job.rules()) {
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
        self.rules.end_job();
    }

    fn rule(&mut self, rule: &'j RelabelRule<'j>) {
        self.rules.append(&mut self.lines, rule, |lines| {
            let rule = metrics::relabel_config(rule).into();
            yaml::append_item(lines, &rule, Style::V3, RULE_INDENT);
        });
    }
}
