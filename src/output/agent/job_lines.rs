//! Lines of scrape jobs. Most of a job's relabeling rules are the same as those of the neighboring jobs, so they are
//! written once and then copied.

use super::hidden::hide;
use super::metrics;
use crate::output::shares::{SharedRules, for_each_share};
use crate::plan::{RelabelRule, ScrapeJob, SecretRepresentation};
use crate::resolve::SecretStore;
use crate::yaml::{self, LibraryStyle, Value};

/// Indentation of the items of `scrape_configs`.
pub const JOB_INDENT: usize = 12;

/// Indentation of a job's relabeling rules.
const RULE_INDENT: usize = 16;

/// Returns the relabeling rules at `key` in a job.
fn rules_at<'j>(job: &'j ScrapeJob<'_>, key: &str) -> &'j [RelabelRule<'j>] {
    match key {
        "metric_relabel_configs" => &job.metric_relabelings,
        "relabel_configs" => &job.relabelings,
        _ => &[],
    }
}

/// Appends the lines of a scrape job.
pub fn append_job(lines: &mut String, job: &Value<'_>) {
    yaml::append_item(lines, job, LibraryStyle::V3, JOB_INDENT);
}

/// Passes the lines of `jobs` to a callback in batches, and returns whether anything in them is hidden.
pub(super) fn each_of<'d>(
    jobs: impl Iterator<Item = ScrapeJob<'d>>,
    store: &SecretStore<'_, '_>,
    secrets: SecretRepresentation,
    pass: &mut dyn FnMut(&str),
) -> bool {
    let mut has_hidden = false;
    for_each_share(
        jobs,
        |share| lines(share, store, secrets),
        |_, (lines, hides)| {
            has_hidden |= hides;
            pass(&lines);
        },
    );
    has_hidden
}

/// Returns the lines of `jobs`, and whether anything in them is hidden.
fn lines(jobs: &[ScrapeJob<'_>], store: &SecretStore<'_, '_>, secrets: SecretRepresentation) -> (String, bool) {
    let (mut lines, mut known, mut has_hidden) = (String::new(), SharedRules::default(), false);
    for job in jobs {
        let mut outline = metrics::job_outline(job, store).into();
        has_hidden |= hide(&mut outline, secrets, store);
        yaml::append_item_with(&mut lines, &outline, LibraryStyle::V3, JOB_INDENT, &mut |key, lines| {
            let rules = rules_at(job, key);
            if !rules.is_empty() {
                lines.push('\n');
            }
            for rule in rules {
                known.append(lines, rule, |lines| {
                    let mut rule = metrics::relabel_config(rule).into();
                    has_hidden |= hide(&mut rule, secrets, store);
                    yaml::append_item(lines, &rule, LibraryStyle::V3, RULE_INDENT);
                });
            }
            !rules.is_empty()
        });
        known.end_job();
    }
    (lines, has_hidden)
}
