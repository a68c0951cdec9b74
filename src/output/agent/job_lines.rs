//! Lines of scrape jobs. Most relabeling rules of a job are the same as those of neighboring jobs, so they are
//! formatted once and then copied.

use super::hidden::hide;
use super::metrics;
use super::text_facts::TextFacts;
use crate::output::shares::{SharedRules, for_each_share};
use crate::plan::{Instance, RelabelRule, ScrapeJob, SecretRepresentation};
use crate::resolve::SecretStore;
use crate::yaml::{self, LibraryStyle, Value};

/// Indentation of the items of `scrape_configs`.
pub const JOB_INDENT: usize = 12;

/// Indentation of a job's relabeling rules.
const RULE_INDENT: usize = 16;

fn rules_for_key<'j>(job: &'j ScrapeJob<'_>, key: &str) -> &'j [RelabelRule<'j>] {
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

/// Calls `pass` with batches of an instance's job lines, and returns facts about these lines.
pub(super) fn for_each_batch(
    instance: Instance<'_, '_>,
    store: &SecretStore<'_, '_>,
    secrets: SecretRepresentation,
    pass: &mut dyn FnMut(&str),
) -> TextFacts {
    let mut facts = TextFacts::default();
    for_each_share(
        instance,
        |jobs| lines(&jobs, store, secrets),
        |(lines, job_facts)| {
            facts.merge(job_facts);
            pass(&lines);
        },
    );
    facts
}

/// Returns the lines of `jobs`, along with facts about the lines.
fn lines(jobs: &[ScrapeJob<'_>], store: &SecretStore<'_, '_>, secrets: SecretRepresentation) -> (String, TextFacts) {
    let mut lines = String::with_capacity(jobs.len() * yaml::ITEM_BYTES);
    let (mut shared_rules, mut facts) = (SharedRules::default(), TextFacts::default());
    for job in jobs {
        let start = lines.len();
        let mut outline = metrics::job_outline(job, store).into();
        facts.has_hidden |= hide(&mut outline, secrets, store);
        yaml::append_item_with(&mut lines, &outline, LibraryStyle::V3, JOB_INDENT, &mut |key, lines| {
            let rules = rules_for_key(job, key);
            if !rules.is_empty() {
                lines.push('\n');
            }
            for rule in rules {
                shared_rules.append(lines, rule, |lines| {
                    let mut rule = metrics::relabel_config(rule).into();
                    facts.has_hidden |= hide(&mut rule, secrets, store);
                    yaml::append_item(lines, &rule, LibraryStyle::V3, RULE_INDENT);
                });
            }
            !rules.is_empty()
        });
        shared_rules.end_job();
        facts.add(lines.get(start..).unwrap_or_default());
    }
    (lines, facts)
}
