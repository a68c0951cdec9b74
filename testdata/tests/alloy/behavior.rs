//! Compares the behavior of `agent.yml` and `config.alloy`.
//!
//! Random rules from monitors and additional jobs are applied to random targets and samples, both as the agent applies
//! them (`PopulateLabels` and `report` in Prometheus 2.48) and as Alloy's components do. Both must produce the same
//! requests and series, including the series that each scrape reports about itself. Jobs with the findings
//! `changed-label` or `early-limit` are skipped. `changed-scrape` has two causes: a rule that removes a scrape setting,
//! and a rule that makes a metric name invalid. For each cause, jobs with this finding must differ for some targets.
//!
//! `AGENTCTL_BEHAVIORS=50000 cargo test --test all alloy_behavior` tests that many targets; `AGENTCTL_SEED=7` tests
//! different ones.

mod configuration;
mod generate;

use std::collections::{BTreeMap, BTreeSet};
use std::env;

use agentctl::targets::relabel::{CompiledRule, Config, Labels, RuleCompiler, relabel};
use serde_json::{Value, json};

use crate::support;
use crate::support::mutate::Random;
use configuration::{Alloy, Job, Pipeline, Scrape};

/// Default number of targets, number of targets per job, and number of jobs per batch.
const DEFAULT_TARGETS: usize = 2_000;
const TARGETS_PER_JOB: usize = 20;
const JOBS_PER_BATCH: usize = 50;

/// Series that a scrape reports about itself.
const REPORTS: [&str; 5] = [
    "up",
    "scrape_duration_seconds",
    "scrape_samples_post_metric_relabeling",
    "scrape_samples_scraped",
    "scrape_series_added",
];

/// The request to a target and the labels of each resulting series, or `None` if the target is not scraped.
type Behavior = Option<(String, BTreeSet<String>)>;

/// Names of the jobs for which a finding reports a difference between the agent and Alloy.
#[derive(Default)]
struct Findings {
    /// Jobs that may behave differently because of a limit or a changed label.
    differing_settings: BTreeSet<String>,
    /// Jobs that differ only in the exposed `job` label.
    differ_by_job: BTreeSet<String>,
    /// Jobs with targets or series that exist only in Alloy, each with the cause of this difference.
    gain: BTreeMap<String, Cause>,
}

/// Cause of a `changed-scrape` finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cause {
    RemovedSetting,
    InvalidName,
}

#[test]
fn alloy_scrapes_the_same_targets_and_samples() {
    let count = env::var("AGENTCTL_BEHAVIORS").map_or(DEFAULT_TARGETS, |number| number.parse().unwrap());
    let mut random = Random::new(env::var("AGENTCTL_SEED").map_or(33, |number| number.parse().unwrap()));
    let (mut compared_count, mut differing_count, mut sent_count) = (0, 0, 0);
    let mut gained: BTreeMap<Cause, usize> = BTreeMap::new();
    while compared_count < count {
        let manifests = generate::manifests(&mut random, JOBS_PER_BATCH);
        let (agent, _) = render(&manifests, "agent", "agent.yml");
        let (alloy, findings) = render(&manifests, "alloy", "config.alloy");
        let alloy = Alloy::read(&alloy);
        let jobs = configuration::jobs_of_agent(&agent);
        assert_eq!(jobs.len(), JOBS_PER_BATCH);
        for job in jobs {
            if findings.differing_settings.contains(&job.name) {
                differing_count += 1;
                continue;
            }
            let pipeline = alloy.scrape(&job.name, &job.instance);
            for _ in 0..TARGETS_PER_JOB {
                let is_pod = job.name.starts_with("podMonitor/");
                let discovered = generate::target(&mut random, is_pod);
                let target = job.listed.clone().unwrap_or(discovered);
                let mut samples = generate::samples(&mut random);
                if findings.differ_by_job.contains(&job.name) {
                    samples.iter_mut().for_each(|sample| drop(sample.remove("job")));
                }
                let expected = agent_behavior(&job, &target, &samples);
                let actual = alloy_behavior(&pipeline, &target, &samples);
                if let Some(cause) = findings.gain.get(&job.name) {
                    *gained.entry(*cause).or_default() += usize::from(actual != expected);
                    continue;
                }
                assert_eq!(actual, expected, "{target:?}\n{samples:?}\n{}", manifest_of(&manifests, &job.name));
                sent_count += expected.map_or(0, |(_, series)| series.len());
                compared_count += 1;
            }
        }
    }
    println!(
        "{compared_count} targets and {sent_count} series are the same; {differing_count} jobs with a finding; others: {gained:?}"
    );
    for cause in [Cause::RemovedSetting, Cause::InvalidName] {
        assert!(gained.get(&cause).is_some_and(|count| *count > 0), "{cause:?}: {gained:?}");
    }
    assert!(sent_count > compared_count, "only {sent_count} series");
}

/// Returns the manifest that a job is generated from.
fn manifest_of<'m>(manifests: &'m str, job: &str) -> &'m str {
    let name = format!("\"name\":\"{}\"", job.split('/').nth(2).unwrap_or(job));
    manifests.lines().find(|line| line.contains(&name)).unwrap_or_default()
}

/// Renders the manifests and returns the configuration and its findings.
fn render(manifests: &str, target: &str, file: &str) -> (String, Findings) {
    let args = ["render", "-", "-o", "json", "--target", target, "--message-format", "json"];
    let run = support::run(support::root(), args, manifests.as_bytes());
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    let list: Value = serde_json::from_str(&run.stdout).unwrap();
    let configuration = list["items"].as_array().unwrap().iter().find_map(|object| object["data"][file].as_str());
    let mut findings = Findings::default();
    for line in run.stderr.lines() {
        let Ok(finding) = serde_json::from_str::<Value>(line) else {
            continue;
        };
        let job = job_of(finding["resource"].as_str().unwrap_or_default());
        match finding["code"].as_str().zip(finding["message"].as_str()) {
            Some(("changed-label", message)) if message.contains("targets expose themselves") => {
                findings.differ_by_job.insert(job);
            }
            Some(("changed-scrape", message)) if message.contains("metric name") => {
                findings.gain.insert(job, Cause::InvalidName);
            }
            Some(("changed-scrape", message)) if message.contains("this rule removes `__") => {
                findings.gain.insert(job, Cause::RemovedSetting);
            }
            Some(("changed-label" | "changed-scrape" | "early-limit", _)) => {
                findings.differing_settings.insert(job);
            }
            _ => {}
        }
    }
    (crate::alloy::expected::decode_configuration(configuration.unwrap()), findings)
}

/// Returns the name of the only job that a resource generates.
fn job_of(resource: &str) -> String {
    let (kind, name) = resource.split_once('/').unwrap_or_default();
    match kind {
        "ServiceMonitor" => format!("serviceMonitor/{name}/0"),
        "PodMonitor" => format!("podMonitor/{name}/0"),
        "Probe" => format!("probe/{name}"),
        _ => name.rsplit('/').next().unwrap_or_default().to_owned(),
    }
}

/// Applies the agent's two rule lists, one to the target and one to its samples.
fn agent_behavior(job: &Job, target: &BTreeMap<String, String>, samples: &[BTreeMap<String, String>]) -> Behavior {
    let mut labels = labels(target);
    set_defaults(&mut labels, &job.scrape);
    for (name, value) in &job.scrape.params {
        labels.set(format!("__param_{name}"), value.clone());
    }
    if relabel(&job.rules, &mut labels).is_some() {
        return None;
    }
    let address = with_port(labels.get("__address__"), labels.get("__scheme__"))?;
    labels.set("__address__", address);
    // `PopulateLabels` rejects a target without a scrape interval or a scrape timeout.
    if labels.get("__scrape_interval__").is_empty() || labels.get("__scrape_timeout__").is_empty() {
        return None;
    }
    let (request, labels) = build_request(labels, &job.scrape.params);
    let relabel_sample = |mut sample| match relabel(&job.sample_rules, &mut sample) {
        None => Some(sample),
        Some(_) => None,
    };
    let samples = samples
        .iter()
        .filter_map(|sample| relabel_sample(merge_target_labels(sample, &labels, job.scrape.honors_labels)));
    let mut samples = apply_sample_limit(job.sample_limit, samples.collect());
    // A single series without a valid name makes the scrape fail.
    if samples.iter().any(|sample| !is_metric_name(sample.get("__name__"))) {
        samples.clear();
    }
    let reports = REPORTS.iter().map(|name| report_series(name, &labels));
    Some((request, samples.into_iter().chain(reports).filter_map(|series| format_series(&series)).collect()))
}

/// Applies Alloy's rules: the rules before the scrape, and then the rules for each output.
fn alloy_behavior(
    pipeline: &Pipeline,
    target: &BTreeMap<String, String>,
    samples: &[BTreeMap<String, String>],
) -> Behavior {
    let Pipeline { rules, scrape, outlets, sample_limit } = pipeline;
    let mut labels = labels(target);
    if relabel_any_name(rules, &mut labels).is_some() {
        return None;
    }
    let names: Vec<_> = labels.iter().map(|(name, _)| name.to_owned()).collect();
    assert!(names.iter().all(|name| is_label_name(name)), "{names:?}");
    set_defaults(&mut labels, scrape);
    for (name, value) in &scrape.params {
        labels.set_default(format!("__param_{name}"), value.clone());
    }
    if labels.get("__address__").is_empty() {
        return None;
    }
    let (request, labels) = build_request(labels, &scrape.params);
    let samples = samples.iter().map(|sample| merge_target_labels(sample, &labels, scrape.honors_labels));
    let scraped_samples: Vec<_> = apply_sample_limit(*sample_limit, samples.collect())
        .into_iter()
        .chain(REPORTS.iter().map(|name| report_series(name, &labels)))
        .collect();
    let mut series = BTreeSet::new();
    for outlet in outlets {
        for sample in &scraped_samples {
            let mut kept = sample.clone();
            if relabel(outlet, &mut kept).is_none() {
                series.extend(format_series(&kept));
            }
        }
    }
    Some((request, series))
}

/// Like [`relabel`], except that rules may set any label, because Alloy accepts any UTF-8 label name.
fn relabel_any_name(rules: &[CompiledRule<'static>], labels: &mut Labels<'static>) -> Option<usize> {
    for (i, rule) in rules.iter().enumerate() {
        let expanded = expand_target_label(rule, labels);
        if relabel(std::slice::from_ref(rule), labels).is_some() {
            return Some(i);
        }
        if let Some((name, value)) = expanded {
            labels.set(name, value);
        }
    }
    None
}

/// Returns the label that a rule sets, or `None` if its target label does not refer to regex groups.
fn expand_target_label(rule: &CompiledRule<'static>, labels: &Labels<'static>) -> Option<(String, String)> {
    let config = rule.config();
    if config.action.as_deref().is_some_and(|action| action != "replace") || !config.target_label.contains('$') {
        return None;
    }
    let expand = |replacement: Option<std::borrow::Cow<'static, str>>| {
        let config = Config {
            source_labels: config.source_labels.clone(),
            separator: config.separator.clone(),
            regex: config.regex.clone(),
            modulus: 0,
            target_label: "expanded".into(),
            replacement,
            action: None,
        };
        let mut labels = labels.clone();
        labels.remove("expanded");
        relabel(&[RuleCompiler::default().rule(config).unwrap()], &mut labels);
        labels.get("expanded").to_owned()
    };
    let (name, value) = (expand(Some(config.target_label.clone())), expand(config.replacement.clone()));
    (!name.is_empty() && !value.is_empty()).then_some((name, value))
}

fn is_label_name(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_digit()) && name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric())
}

fn is_metric_name(name: &str) -> bool {
    !name.is_empty() && is_label_name(&name.replace(':', "_"))
}

fn labels(pairs: &BTreeMap<String, String>) -> Labels<'static> {
    let mut labels = Labels::default();
    for (name, value) in pairs {
        labels.set(name.clone(), value.clone());
    }
    labels
}

fn set_defaults(labels: &mut Labels<'static>, scrape: &Scrape) {
    labels.set_default("job", scrape.job.clone());
    labels.set_default("__scrape_interval__", "1m");
    labels.set_default("__scrape_timeout__", "10s");
    labels.set_default("__metrics_path__", scrape.path.clone());
    labels.set_default("__scheme__", scrape.scheme.clone());
}

/// Returns an address with its port or the scheme's default port, or `None` if the address is empty.
fn with_port(address: &str, scheme: &str) -> Option<String> {
    match (address.rsplit_once(':'), scheme) {
        _ if address.is_empty() => None,
        (Some(_), _) => Some(address.to_owned()),
        (None, "https") => Some(format!("{address}:443")),
        (None, _) => Some(format!("{address}:80")),
    }
}

/// Returns the URL that a scrape requests, and the remaining labels.
fn build_request(mut labels: Labels<'static>, params: &BTreeMap<String, String>) -> (String, Labels<'static>) {
    let scheme = labels.get("__scheme__").to_owned();
    let address = labels.get("__address__").to_owned();
    labels.set_default("instance", address.clone());
    let mut params = params.clone();
    for (name, value) in labels.iter() {
        if let Some(name) = name.strip_prefix("__param_") {
            params.insert(name.to_owned(), value.to_owned());
        }
    }
    let port = with_port(&address, &scheme).unwrap_or_default();
    let url = json!([scheme, port, labels.get("__metrics_path__"), params]).to_string();
    labels.retain(|name| !name.starts_with("__"));
    (url, labels)
}

/// Returns a sample with the labels of its target (`mutateSampleLabels` in Prometheus).
fn merge_target_labels(
    sample: &BTreeMap<String, String>,
    target: &Labels<'static>,
    honors_labels: bool,
) -> Labels<'static> {
    let mut merged_labels = labels(sample);
    for (name, value) in target.iter() {
        let sample_value = merged_labels.get(name).to_owned();
        match (sample_value.is_empty(), honors_labels) {
            (true, _) => merged_labels.set(name.to_owned(), value.to_owned()),
            (false, true) => {}
            (false, false) => {
                merged_labels.set(format!("exported_{name}"), sample_value);
                merged_labels.set(name.to_owned(), value.to_owned());
            }
        }
    }
    merged_labels
}

/// Returns all of a scrape's samples, or none if there are more than `limit`.
fn apply_sample_limit(limit: u64, samples: Vec<Labels<'static>>) -> Vec<Labels<'static>> {
    match limit {
        0 => samples,
        limit if samples.len() as u64 <= limit => samples,
        _ => Vec::new(),
    }
}

fn report_series(name: &str, target: &Labels<'static>) -> Labels<'static> {
    let mut labels = target.clone();
    labels.set("__name__", name.to_owned());
    labels
}

/// Formats a series as text, or returns `None` if it has no name.
fn format_series(series: &Labels<'_>) -> Option<String> {
    let text = || format!("{:?}", series.iter().collect::<Vec<_>>());
    (!series.get("__name__").is_empty()).then(text)
}
