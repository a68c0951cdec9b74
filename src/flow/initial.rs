//! Labels that targets and samples have before the first rule.

use super::label_set::{LabelSet, Phase};
use super::values::{Values, alphabet};
use crate::plan::{ExternalLabels, JobKind, ScrapeJob, TargetSource};

/// Labels with scrape settings that targets have before the first rule, in addition to the labels with parameters.
pub const SCRAPE_LABELS: [&str; 5] =
    ["job", "__scheme__", "__metrics_path__", "__scrape_interval__", "__scrape_timeout__"];

/// Names of the samples that a scrape adds after the sample rules (`addReportSample` in Prometheus' `scrape.go`).
pub const REPORTED_SAMPLES: [&str; 8] = [
    "up",
    "scrape_body_size_bytes",
    "scrape_duration_seconds",
    "scrape_sample_limit",
    "scrape_samples_post_metric_relabeling",
    "scrape_samples_scraped",
    "scrape_series_added",
    "scrape_timeout_seconds",
];

/// Returns the labels that the targets of any job have before the first rule (`PopulateLabels`).
pub fn unknown_target_labels() -> LabelSet<'static> {
    let mut labels = LabelSet::new(Phase::Unknown);
    for name in SCRAPE_LABELS.into_iter().chain(["__address__"]) {
        labels.set(name, Values::unknown(alphabet::VISIBLE, false));
    }
    labels
}

/// Returns the labels that a job's targets have before the first rule (`PopulateLabels`).
pub fn target_labels<'j>(job: &'j ScrapeJob<'_>) -> LabelSet<'j> {
    let mut labels = match &job.targets {
        TargetSource::Discovered(discovery) => {
            let mut labels = LabelSet::new(Phase::Discovered(discovery.role));
            if let Some(names) = discovery.namespaces.names() {
                labels.set("__meta_kubernetes_namespace", Values::known(names.iter().copied()));
            }
            labels.set("__address__", Values::unknown(alphabet::VISIBLE, false));
            labels
        }
        TargetSource::Static { config, namespace, .. } => {
            let mut labels = LabelSet::new(Phase::Listed);
            labels.set("namespace", Values::known([*namespace]));
            for (name, value) in config.labels.iter() {
                let values = Values::known([value]);
                let is_namespace = name == "namespace";
                labels.set(name, if is_namespace { values.or(Values::known([*namespace])) } else { values });
            }
            labels.set("__address__", Values::known(config.r#static.iter().copied()));
            labels
        }
    };
    labels.set("job", Values::known([job.name.text()]));
    if job.kind() == JobKind::Metrics {
        let or_default = |text: &'j str, default: &'static str| if text.is_empty() { default } else { text };
        labels.set("__scheme__", Values::known([or_default(job.scheme, "http")]));
        labels.set("__metrics_path__", Values::known([or_default(job.path, "/metrics")]));
        labels.set("__scrape_interval__", Values::unknown(alphabet::VISIBLE, false));
        labels.set("__scrape_timeout__", Values::unknown(alphabet::VISIBLE, false));
        for (name, values) in &job.params {
            let value = values.first().copied().unwrap_or_default();
            labels.set(format!("__param_{name}"), Values::known([value]));
        }
    }
    labels
}

/// Returns the labels that a job's samples have before the first rule (`mutateSampleLabels`).
pub fn sample_labels<'t>(job: &ScrapeJob<'_>, targets: &'t LabelSet<'_>) -> LabelSet<'t> {
    let mut labels = LabelSet::new(Phase::Sample);
    // A sample's own labels take precedence if the job honors them.
    if job.honor_labels != Some(true) {
        let known_labels = targets.names().filter(|(name, values)| !name.starts_with("__") && !values.may_be_missing());
        known_labels.for_each(|(name, values)| labels.set(name, values.clone()));
        if targets.get("instance").is_missing() {
            labels.set("instance", Values::unknown(alphabet::ANY, false));
        }
    }
    labels
}

/// Returns the labels that samples have when they are sent (`QueueManager.Append`).
pub fn sent_labels<'d>(external: ExternalLabels<'d>) -> LabelSet<'d> {
    let mut labels = LabelSet::new(Phase::Sample);
    let names = external.user.iter().map(|(name, _)| name).chain(external.agent).chain(external.replica);
    names.for_each(|name| labels.set(name, Values::unknown(alphabet::ANY, false)));
    for name in ["job", "instance"] {
        labels.set(name, Values::unknown(alphabet::ANY, false));
    }
    labels
}
