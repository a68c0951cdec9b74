//! `PodLogs`: logs of pods.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{LabelSelector, NamespaceSelector, PipelineStage, RelabelConfig};

/// `spec` of a PodLogs.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct PodLogs<'d> {
    /// The label of the pod that names the job.
    pub job_label: &'d str,
    /// Labels of the pod to copy.
    pub pod_target_labels: Vec<&'d str>,
    /// Which pods, by label.
    pub selector: LabelSelector<'d>,
    /// In which namespaces pods are looked for.
    pub namespace_selector: NamespaceSelector<'d>,
    /// What is done with a line.
    pub pipeline_stages: Vec<PipelineStage<'d>>,
    /// Relabelling of targets.
    pub relabelings: Vec<RelabelConfig<'d>>,
}
