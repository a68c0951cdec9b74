//! The lines of scrape jobs. Most relabelling rules of a job are those of its neighbours: such a rule is written
//! once, and copied from then on.

use super::hidden::hide;
use super::{logs, metrics};
use crate::plan::{LogsJob, RelabelRule, ScrapeJob, Secrets};
use crate::resolve::SecretStore;
use crate::target::shares::{Rules, each_share};
use crate::yaml::{self, Style, Value};

/// Indentation of the items of `scrape_configs`.
pub const JOB_INDENT: usize = 12;

/// Indentation of a relabelling rule of a job.
const RULE_INDENT: usize = 16;

/// A job with lists of relabelling rules.
pub(super) trait Job {
    /// The job with an empty list in the place of each list of rules.
    fn outline<'v>(&'v self, secrets: &'v SecretStore<'v, 'v>) -> Value<'v>;

    fn rules(&self, key: &str) -> &[RelabelRule<'_>];
}

impl Job for ScrapeJob<'_> {
    fn outline<'v>(&'v self, secrets: &'v SecretStore<'v, 'v>) -> Value<'v> {
        metrics::job_outline(self, secrets).into()
    }

    fn rules(&self, key: &str) -> &[RelabelRule<'_>] {
        match key {
            "metric_relabel_configs" => &self.metric_relabelings,
            "relabel_configs" => &self.relabelings,
            _ => &[],
        }
    }
}

impl Job for LogsJob<'_> {
    fn outline<'v>(&'v self, secrets: &'v SecretStore<'v, 'v>) -> Value<'v> {
        logs::job_outline(self, secrets).into()
    }

    fn rules(&self, key: &str) -> &[RelabelRule<'_>] {
        match key {
            "relabel_configs" => &self.relabelings,
            _ => &[],
        }
    }
}

/// Appends the lines of a scrape job.
pub fn append_job(lines: &mut String, job: &Value<'_>) {
    yaml::append_item(lines, job, Style::V3, JOB_INDENT);
}

/// Passes on the lines of these jobs, several at a time. Says whether anything in them is hidden.
pub(super) fn each_of(
    jobs: impl Iterator<Item = impl Job + Sync>,
    store: &SecretStore<'_, '_>,
    secrets: Secrets,
    pass: &mut dyn FnMut(&str),
) -> bool {
    let mut has_hidden = false;
    each_share(
        jobs,
        |share| lines(share, store, secrets),
        |_, (lines, hides)| {
            has_hidden |= hides;
            pass(&lines);
        },
    );
    has_hidden
}

/// The lines of these jobs, and whether anything in them is hidden.
fn lines(jobs: &[impl Job], store: &SecretStore<'_, '_>, secrets: Secrets) -> (String, bool) {
    let (mut lines, mut known, mut has_hidden) = (String::new(), Rules::default(), false);
    for job in jobs {
        let mut outline = job.outline(store);
        has_hidden |= hide(&mut outline, secrets, store);
        yaml::append_item_with(&mut lines, &outline, Style::V3, JOB_INDENT, &mut |key, lines| {
            let rules = job.rules(key);
            if !rules.is_empty() {
                lines.push('\n');
            }
            for rule in rules {
                known.append(lines, rule, |lines| {
                    let mut rule = metrics::relabel_config(rule).into();
                    has_hidden |= hide(&mut rule, secrets, store);
                    yaml::append_item(lines, &rule, Style::V3, RULE_INDENT);
                });
            }
            !rules.is_empty()
        });
        known.end_job();
    }
    (lines, has_hidden)
}
