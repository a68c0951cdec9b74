//! `PodMonitor`: metrics of pods.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Endpoint, LabelSelector, NamespaceSelector};

/// `spec` of a PodMonitor.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct PodMonitor<'d> {
    /// The label of the pod that names the job.
    pub job_label: &'d str,
    /// Labels of the pod to copy.
    pub pod_target_labels: Vec<&'d str>,
    /// What is scraped; each is a job.
    pub pod_metrics_endpoints: Vec<Endpoint<'d>>,
    /// Which pods, by label.
    pub selector: LabelSelector<'d>,
    /// In which namespaces pods are looked for.
    pub namespace_selector: NamespaceSelector<'d>,
    /// The most samples a scrape may return.
    pub sample_limit: u64,
    /// The most targets of a job.
    pub target_limit: u64,
    /// The most labels of a sample; accepted, and ignored by the operator.
    pub label_limit: u64,
    /// The longest name of a label; accepted, and ignored by the operator.
    pub label_name_length_limit: u64,
    /// The longest value of a label; accepted, and ignored by the operator.
    pub label_value_length_limit: u64,
}
