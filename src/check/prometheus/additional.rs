//! Scrape jobs stored as YAML in a Secret (`additionalScrapeConfigs`).
//!
//! Reports a job that the agent rejects: a job without `job_name`, with the name of another job, with a field of the
//! wrong type, or with any error that a monitor's job can have. The operator copies the YAML, and the agent then
//! rejects its entire configuration. For example, the agent rejects a list that contains `- job_name: a` twice.

use std::borrow::Cow;
use std::collections::HashSet;

use super::copied::EQUAL_ACTION;
use super::discovery;
use super::http_client::{client, invalid, time};
use super::relabel::CONFIGURED;
use super::{target_labels, times};
use crate::api::find;
use crate::check::field::LABEL_NAMES;
use crate::check::variables::Expansion;
use crate::check::walk::Expect::With;
use crate::check::walk::{Json, Rows, RuleContext, Step, Walk};
use crate::diagnostic::{Code, suggest};
use crate::go::units::is_base2_bytes;
use crate::output::agent::keys::{DISCOVERY_FIELDS, FIELDS, LATER, LOG_FIELDS, LOGS, is_discovery};
use crate::plan::{EmbeddedYaml, JobName};
use crate::source::{SourceId, Span};
use crate::yaml::{Document, GoType, GoYaml, Node, NodeValue};

/// Checks the jobs in the Secret that an instance refers to. Each finding has an additional label at the Secret.
/// Planning already reports YAML that is not a list, and the operator omits nulls. `of_logs` contains the rules for
/// logs jobs.
pub fn jobs<'v>(selector: Json<'v>, of_logs: Rows, walk: &mut Walk<'v>) {
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
    let Some(root) = yaml.document.as_ref().map(Document::root) else {
        return;
    };
    let metrics = walk.context.metrics;
    let unsharded = metrics.map(|_| unsharded(head.root.span().source, &written, walk)).unwrap_or_default();
    let context = RuleContext { is_secret: true, ..walk.context };
    let names = metrics.into_iter().flat_map(|metrics| metrics.children()).flat_map(JobName::for_resource);
    let generated: HashSet<_> = names.map(|name| name.to_string()).collect();
    let mut seen = HashSet::new();
    let secret = walk.context.resources.and_then(|all| find(&all.secrets, key.namespace, key.name));
    // Expanded variables move the text after them.
    let is_written = *text == *written;
    let label = |place: Option<Span>| {
        let part = place.filter(|_| is_written).map_or(0..0, Span::bytes);
        Some((secret?.value_part(key.key, part)?, "the jobs are defined here"))
    };
    walk.text_here(Json::Read(root), context, &label, |walk| {
        for (i, node) in root.items().enumerate() {
            let job = Json::Read(node);
            walk.below(Step::Index(i), |walk| match metrics {
                _ if job.is_null() => {}
                None => {
                    walk.rows(NAMED, job);
                    walk.rows(OF_LOGS, job);
                    if let Json::Read(node) = job {
                        fields(&yaml, node, LOGS, walk);
                    }
                    // A job without an equivalent in Alloy is omitted with a warning.
                    if walk.context.is_for_agent() {
                        walk.rows(of_logs, job);
                    }
                }
                Some(_) => {
                    walk.rows(NAMED, job);
                    let name = job.text("job_name");
                    let is_again = !name.is_empty() && !seen.insert(name);
                    if is_again || generated.contains(name) {
                        let message = match generated.contains(name) {
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
                    form(&yaml, job, walk);
                    walk.rows(JOB, job);
                }
            });
        }
    });
}

/// Returns the numbers of the jobs whose rules do not depend on the shard, if there are several shards. `text` contains
/// the jobs with their variables.
fn unsharded(source: SourceId, text: &str, walk: &Walk<'_>) -> Vec<usize> {
    let shards = walk.context.hierarchy.map_or(1, |hierarchy| hierarchy.agent.spec.metrics.shard_count());
    if shards <= 1 {
        return Vec::new();
    }
    let yaml = EmbeddedYaml::read(source, text);
    let jobs = yaml.document.as_ref().map(Document::root).into_iter().flat_map(Node::items);
    let names_shard = |job: Node<'_>| ["$(SHARD)", "${SHARD}"].into_iter().any(|variable| job.raw().contains(variable));
    let unsharded = jobs.enumerate().filter(|(_, job)| job.value() == NodeValue::Mapping && !names_shard(*job));
    unsharded.map(|(i, _)| i).collect()
}

const NAMED: Rows = &[("", With(name))];
/// Rules for a Promtail job.
pub const OF_LOGS: Rows = &[("relabel_configs[]", CONFIGURED), ("", With(discovery::check))];
/// Rules for a job (`ScrapeConfig.Validate`).
pub const JOB: Rows = &[
    ("scrape_interval|scrape_timeout", With(time)),
    ("", With(|job, walk| times::check(job, ["scrape_interval", "scrape_timeout"], walk))),
    ("body_size_limit", With(size)),
    ("relabel_configs|metric_relabel_configs[]", CONFIGURED),
    ("relabel_configs|metric_relabel_configs[]", EQUAL_ACTION),
    ("", With(client)),
    ("", With(discovery::check)),
    ("", With(static_targets)),
    ("", With(target_labels::of_job)),
];

/// Checks a job's fields, and whether the agent can decode them. go-yaml is strict (`yaml.UnmarshalStrict`).
fn form<'v>(yaml: &EmbeddedYaml<'_>, job: Json<'v>, walk: &mut Walk<'v>) {
    if let Json::Read(node) = job {
        fields(yaml, node, "", walk);
    }
}

/// Returns the fields that the program recognizes in the struct at `place`; empty if the struct is unknown.
fn fields_of(place: &str, is_agent: bool) -> impl Iterator<Item = &'static (GoType, Vec<&'static str>)> {
    let discoveries = is_agent.then_some(&*DISCOVERY_FIELDS).into_iter().flatten();
    let is_later = place.is_empty() && !is_agent;
    let structs = FIELDS.iter().chain(discoveries).chain(&*LOG_FIELDS);
    let structs = structs.filter(move |(known, _)| *known == place || is_later && *known == LATER);
    structs.flat_map(|(_, fields)| fields.iter())
}

/// Checks that the fields in a struct are known and have the right types. All unknown fields are reported in one
/// finding, at the first of them.
fn fields<'v>(yaml: &EmbeddedYaml<'_>, node: Node<'v>, place: &str, walk: &mut Walk<'v>) {
    let is_agent = walk.context.is_for_agent();
    let known: Vec<_> = fields_of(place, is_agent).collect();
    if known.is_empty() {
        return;
    }
    let mut unknown = Vec::new();
    for entry in node.entries().filter(|entry| !entry.value.is_null()) {
        let mut types = known.iter().filter(|(_, names)| names.contains(&entry.key));
        let discoveries = GoType::List(Box::new(GoType::Struct("discovery".into())));
        let go_type = match types.next() {
            Some((go_type, _)) => go_type,
            None if place.is_empty() && is_discovery(entry.key) => &discoveries,
            None => {
                unknown.push(entry);
                continue;
            }
        };
        if fits(go_type, entry.key, entry.value, walk) {
            walk.below(Step::Key(entry.key), |walk| structs(yaml, entry.key, entry.value, walk));
        }
    }
    let [first, others @ ..] = unknown.as_slice() else {
        return;
    };
    let line = yaml.line(first.value.span());
    let message = match others.len() {
        0 => format!("the agent does not recognize the field on line {line} of the Secret's value"),
        others => format!(
            "the agent does not recognize {} fields, the first of which is on line {line} of the Secret's value",
            others + 1
        ),
    };
    let mut names: Vec<_> = known.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    names.sort_unstable();
    let meant = suggest::closest(first.key, names);
    let help = match meant {
        Some(known) => format!("did you mean `{known}`?"),
        None if others.is_empty() => "remove the field".to_owned(),
        None => "remove these fields".to_owned(),
    };
    // A key is shown only if it is a misspelled field, because any other key may be a secret value.
    let path = [Step::Key(first.key)];
    let path = if meant.is_some() { &path[..] } else { &[] };
    walk.report_with_code(Code::UnknownScrapeField, path, message, help);
}

/// Checks the struct in a field, or each struct in a list.
fn structs<'v>(yaml: &EmbeddedYaml<'_>, key: &str, value: Node<'v>, walk: &mut Walk<'v>) {
    match value.value() {
        NodeValue::Mapping => fields(yaml, value, key, walk),
        NodeValue::Sequence => {
            for (i, item) in value.items().enumerate().filter(|(_, item)| item.value() == NodeValue::Mapping) {
                walk.below(Step::Index(i), |walk| fields(yaml, item, &format!("{key}[]"), walk));
            }
        }
        _ => {}
    }
}

/// Returns whether the agent can decode a value, and everything in it, as this type; if not, reports the value. A
/// variable may represent any value.
fn fits(go_type: &GoType, name: &str, value: Node<'_>, walk: &mut Walk<'_>) -> bool {
    let is_variable = |value: Node<'_>| matches!(value.value(), NodeValue::String(text) if text.contains('$'));
    let misfits =
        |go_type: &GoType, value: Node<'_>| go_type.misfit(value.value(), GoYaml::V2).is_some() && !is_variable(value);
    let is_wrong = misfits(go_type, value)
        || match go_type {
            GoType::List(item) => value.items().any(|value| misfits(item, value)),
            GoType::Map(of) => value.entries().any(|entry| {
                let is_wrong = misfits(of, entry.value);
                is_wrong || matches!(&**of, GoType::List(item) if entry.value.items().any(|value| misfits(item, value)))
            }),
            _ => false,
        };
    if is_wrong {
        invalid(format!("`{name}` must be {}", go_type.expected()), &[], walk);
    }
    !is_wrong
}

fn name<'v>(job: Json<'v>, walk: &mut Walk<'v>) {
    if !job.is_mapping() {
        invalid("a scrape configuration must be a mapping", &[], walk);
    } else if !job.has("job_name") {
        invalid("a scrape configuration needs a `job_name`", &[], walk);
    }
}

fn size<'v>(size: Json<'v>, walk: &mut Walk<'v>) {
    if size.scalar().is_some_and(|size| !is_base2_bytes(&size)) {
        invalid("`body_size_limit` must be a size such as `10MB`", &[], walk);
    }
}

fn static_targets<'v>(job: Json<'v>, walk: &mut Walk<'v>) {
    let has_rules = job.list("relabel_configs").next().is_some();
    walk.each("static_configs[]", job, |walk, group| {
        let mut targets = group.list("targets").filter_map(Json::as_str);
        if !has_rules && targets.any(|target| target.contains('/')) {
            let message = "a target must be a host and port, not a URL or path";
            invalid(message, &[Step::Key("targets")], walk);
        }
        walk.row("labels", &LABEL_NAMES, group);
    });
}
