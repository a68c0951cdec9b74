//! Scrape jobs stored as YAML in a Secret (`additionalScrapeConfigs`).
//!
//! Reports a job that the agent rejects: a job without `job_name`, with the name of another job, with a field of the
//! wrong type, or with any error that a monitor's job can have. The operator copies the YAML, and the agent then
//! rejects its entire configuration. For example, the agent rejects a list that contains `- job_name: a` twice.

use std::borrow::Cow;
use std::collections::HashSet;

use super::copied::EQUAL_ACTION;
use super::discovery;
use super::http_client::{check_client, report_invalid};
use super::relabel::CONFIGURED;
use super::{target_labels, times};
use crate::check::decode::{Decoder, Document};
use crate::check::field::LABEL_NAMES;
use crate::check::variables::Expansion;
use crate::check::walk::Expect::With;
use crate::check::walk::{Json, Rows, RuleContext, Step, Walk};
use crate::diagnostic::Code;
use crate::plan::{EmbeddedYaml, JobName};
use crate::programs::types::{LATER_SCRAPE_JOB, LOGS_JOB, SCRAPE_JOB};
use crate::source::{SourceId, Span};
use crate::yaml::{self, Node, NodeValue};

/// Checks the jobs in the Secret that an instance refers to. Each finding has an additional label at the Secret.
/// Planning already reports YAML that is not a list, and the operator omits nulls. `logs_rows` contains the rules for
/// logs jobs.
pub fn check_jobs<'v>(selector: Json<'v>, logs_rows: Rows, walk: &mut Walk<'v>) {
    let key = walk.secret_key(selector);
    let Some((key, written)) = key.and_then(|key| Some((key, walk.context.hierarchy?.secrets.text(&key)?))) else {
        return;
    };
    let Some(head) = walk.context.head else { return };
    let text = match walk.context.hierarchy {
        Some(hierarchy) if walk.context.is_for_agent() => Expansion::new(hierarchy).yaml(&written),
        _ => Cow::Borrowed(&*written),
    };
    let yaml = EmbeddedYaml::read(head.root.span().source, &text);
    let Some(root) = yaml.document.as_ref().map(yaml::Document::root) else {
        return;
    };
    let metrics = walk.context.metrics;
    let unsharded = metrics.map(|_| find_unsharded_jobs(head.root.span().source, &written, walk)).unwrap_or_default();
    let context = RuleContext { is_secret: true, ..walk.context };
    let names = metrics.into_iter().flat_map(|metrics| metrics.children()).flat_map(JobName::for_resource);
    let generated_names: HashSet<_> = names.map(|name| name.to_string()).collect();
    let mut seen_names = HashSet::new();
    let secrets = walk.context.hierarchy.map(|hierarchy| &hierarchy.secrets);
    // Expanding a variable shifts the text after it.
    let is_written = *text == *written;
    let label = |place: Option<Span>| {
        let part = place.filter(|_| is_written).map_or(0..0, Span::bytes);
        Some((secrets?.span(&key, part)?, "the jobs are defined here"))
    };
    walk.check_embedded_yaml(Json::Read(root), context, &label, |walk| {
        let decoder = Decoder::new(Document::Secret(&yaml), true);
        for (i, node) in root.items().enumerate() {
            let job = Json::Read(node);
            walk.enter(Step::Index(i), |walk| match metrics {
                _ if job.is_null() => {}
                None => {
                    walk.check_rows(NAMED_JOB, job);
                    walk.check_rows(LOGS_ROWS, job);
                    decoder.check_job(LOGS_JOB, job, walk);
                    // A job without an equivalent in Alloy is omitted with a warning.
                    if walk.context.is_for_agent() {
                        walk.check_rows(logs_rows, job);
                    }
                }
                Some(_) => {
                    walk.check_rows(NAMED_JOB, job);
                    let name = job.text("job_name");
                    let is_duplicate = !name.is_empty() && !seen_names.insert(name);
                    if is_duplicate || generated_names.contains(name) {
                        let message = match generated_names.contains(name) {
                            true => "the operator creates a job with the same `job_name`",
                            false => "an earlier job has the same `job_name`",
                        };
                        let help = "give the job a different name";
                        walk.report_with_code(Code::DuplicateJob, &[Step::Key("job_name")], message, help);
                    }
                    if unsharded.contains(&i) {
                        let message = "each shard scrapes every target of this job";
                        let help = "add the rules with `$(SHARDS)` and `$(SHARD)` from the operator's manual, or use a GrafanaAgent with one shard for the job";
                        walk.report_with_code(Code::UnshardedProbe, &[], message, help);
                    }
                    let name = if walk.context.is_for_agent() { SCRAPE_JOB } else { LATER_SCRAPE_JOB };
                    decoder.check_job(name, job, walk);
                    walk.check_rows(JOB, job);
                }
            });
        }
    });
}

/// Returns the indices of the jobs whose rules do not depend on the shard, or an empty set if there is only one shard.
/// `text` contains the jobs with their variables.
fn find_unsharded_jobs(source: SourceId, text: &str, walk: &Walk<'_>) -> Vec<usize> {
    let shards = walk.context.hierarchy.map_or(1, |hierarchy| hierarchy.agent.spec.metrics.shard_count());
    if shards <= 1 {
        return Vec::new();
    }
    let yaml = EmbeddedYaml::read(source, text);
    let jobs = yaml.document.as_ref().map(yaml::Document::root).into_iter().flat_map(Node::items);
    let names_shard = |job: Node<'_>| ["$(SHARD)", "${SHARD}"].into_iter().any(|variable| job.raw().contains(variable));
    let unsharded = jobs.enumerate().filter(|(_, job)| job.value() == NodeValue::Mapping && !names_shard(*job));
    unsharded.map(|(i, _)| i).collect()
}

const NAMED_JOB: Rows = &[("", With(check_name))];
/// Rules for a Promtail job.
pub const LOGS_ROWS: Rows = &[("relabel_configs[]", CONFIGURED), ("", With(discovery::check))];
/// Rules for a job (`ScrapeConfig.Validate`).
pub const JOB: Rows = &[
    ("", With(|job, walk| times::check(job, ["scrape_interval", "scrape_timeout"], walk))),
    ("relabel_configs|metric_relabel_configs[]", CONFIGURED),
    ("relabel_configs|metric_relabel_configs[]", EQUAL_ACTION),
    ("", With(check_client)),
    ("", With(discovery::check)),
    ("", With(check_static_targets)),
    ("", With(target_labels::check_job)),
];

fn check_name<'v>(job: Json<'v>, walk: &mut Walk<'v>) {
    if !job.is_mapping() {
        report_invalid("a scrape configuration must be a mapping", &[], walk);
    } else if !job.has("job_name") {
        report_invalid("a scrape configuration needs a `job_name`", &[], walk);
    }
}

fn check_static_targets<'v>(job: Json<'v>, walk: &mut Walk<'v>) {
    let has_rules = job.list("relabel_configs").next().is_some();
    walk.for_each("static_configs[]", job, |walk, group| {
        let mut targets = group.list("targets").filter_map(Json::as_str);
        if !has_rules && targets.any(|target| target.contains('/')) {
            let message = "a target must be a host and port, not a URL or path";
            report_invalid(message, &[Step::Key("targets")], walk);
        }
        walk.check_row("labels", &LABEL_NAMES, group);
    });
}
