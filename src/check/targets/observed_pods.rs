//! Facts that an export shows about the pods of a job's targets: pods that have finished, static pods, and the format
//! of their logs.

use super::pod_diagnostics::{self as diagnostics, LogFormat, PodName};
use crate::diagnostic::Diagnostic;
use crate::plan::Origin;
use crate::targets::observed::{ClusterObject, ObservedKind, ObservedObjects};
use crate::targets::scrape::{CollectedTarget, TargetState};
use crate::yaml::Node;

/// Pods of a job's targets.
#[derive(Default)]
pub(super) struct ObservedPods<'d> {
    /// First pod that has finished, with its phase.
    finished: Option<(PodName<'d>, &'d str)>,
    /// First static pod whose logs are not read, because its log files have a different path.
    mirror_pod: Option<PodName<'d>>,
    /// First pod for each log format. A pod's container runtime determines the format.
    runtimes: [Option<PodName<'d>>; 2],
}

impl LogFormat {
    /// Returns the format of a runtime, such as `containerd`, or `None` if the runtime is unknown.
    fn from_runtime(runtime: &str) -> Option<Self> {
        match runtime {
            "containerd" | "cri-o" => Some(LogFormat::Cri),
            "docker" => Some(LogFormat::Docker),
            _ => None,
        }
    }
}

impl<'d> ObservedPods<'d> {
    /// Adds the pod of a target.
    pub(super) fn add(&mut self, target: &CollectedTarget<'_, 'd>, objects: &ObservedObjects<'d>) {
        let has_label = |label: &str| !target.discovered.get(label).is_empty();
        let is_pod = has_label("__meta_kubernetes_pod_name") && !has_label("__meta_kubernetes_endpoints_name");
        let Some(pod) = target.object.filter(|_| !target.is_potential && is_pod) else { return };
        let Some(pod) = objects.find(ObservedKind::Pod, pod.namespace, pod.name) else { return };
        let runtime = runtime(pod, objects);
        let name = PodName { namespace: pod.namespace, name: pod.name, runtime };
        match target.state {
            TargetState::Active { .. } => {
                let phase = pod.status("phase");
                if matches!(phase, "Succeeded" | "Failed") {
                    self.finished.get_or_insert((name, phase));
                }
            }
            TargetState::StaticPod { .. } => {
                self.mirror_pod.get_or_insert(name);
            }
            TargetState::Read { .. } => {
                if let Some(format) = LogFormat::from_runtime(runtime)
                    && let Some(first) = self.runtimes.get_mut(format as usize)
                {
                    first.get_or_insert(name);
                }
            }
            _ => {}
        }
    }

    /// Returns the findings about the job's pods.
    pub(super) fn findings(self, origin: Origin<'d>) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        diagnostics.extend(self.finished.map(|(pod, phase)| diagnostics::finished_pod(origin, pod, phase)));
        diagnostics.extend(self.mirror_pod.map(|pod| diagnostics::unread_static_pod(origin, pod)));
        let (format, pod) = match self.runtimes {
            [Some(pod), None] => (LogFormat::Cri, pod),
            [None, Some(pod)] => (LogFormat::Docker, pod),
            // Pods with both formats may need a stage for each.
            _ => return diagnostics,
        };
        let stages = origin.node().and_then(|root| root.at("spec.pipelineStages"));
        let mut stages = stages.into_iter().flat_map(Node::items).peekable();
        if stages.peek().is_none() {
            diagnostics.push(diagnostics::missing_format_stage(origin, format, pod));
        }
        let wrong = wrong_stage(stages, format);
        diagnostics.extend(wrong.map(|(index, stage)| diagnostics::wrong_format(origin, (index, stage), format, pod)));
        diagnostics
    }
}

/// Returns the container runtime of a pod, according to its status or its node; empty if unknown.
fn runtime<'d>(pod: &ClusterObject<'d>, objects: &ObservedObjects<'d>) -> &'d str {
    let ids = pod.body.part("status").items("containerStatuses");
    let mut runtimes =
        ids.filter_map(|status| status.text("containerID").split_once("://")).map(|(runtime, _)| runtime);
    if let Some(runtime) = runtimes.next() {
        return runtime;
    }
    let node = objects.find(ObservedKind::Node, "", pod.node());
    let version = node.map(|node| node.body.part("status").part("nodeInfo").text("containerRuntimeVersion"));
    version.and_then(|version| version.split_once("://")).map_or("", |(runtime, _)| runtime)
}

/// Returns the index and name of the first stage that cannot parse lines in this format, or `None` if an earlier stage
/// may have converted the lines.
fn wrong_stage<'d>(stages: impl Iterator<Item = Node<'d>>, format: LogFormat) -> Option<(usize, &'static str)> {
    for (index, stage) in stages.enumerate() {
        let get = |name: &str| stage.get(name).filter(|value| !value.is_null());
        if ["output", "replace", "match", "pack", "template"].iter().any(|name| get(name).is_some()) {
            return None;
        }
        let reads_line = |stage: Node<'_>| stage.get("source").and_then(Node::as_str).unwrap_or_default().is_empty();
        match format {
            LogFormat::Cri if get("cri").is_some() => return None,
            LogFormat::Cri if get("docker").is_some() => return Some((index, "docker")),
            LogFormat::Cri if get("json").is_some_and(reads_line) => return Some((index, "json")),
            LogFormat::Docker if get("docker").is_some() => return None,
            LogFormat::Docker if get("cri").is_some() => return Some((index, "cri")),
            LogFormat::Cri | LogFormat::Docker => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn finds_the_first_stage_that_cannot_parse_lines() {
        for (stages, cri_finding, docker_finding) in [
            ("[{cri: {}}, {json: {}}]", None, Some((0, "cri"))),
            ("[{docker: {}}]", Some((0, "docker")), None),
            ("[{labels: {a: b}}, {docker: {}}]", Some((1, "docker")), None),
            ("[{json: {expressions: {a: b}}}, {cri: {}}]", Some((0, "json")), Some((1, "cri"))),
            ("[{json: {source: a}}]", None, None),
            ("[{match: {selector: '{a=\"b\"}', stages: [{cri: {}}]}}, {json: {}}]", None, None),
            ("[{regex: {expression: '(?P<a>.*)'}}, {output: {source: a}}, {docker: {}}]", None, None),
            ("[{docker: null, cri: {}}]", None, Some((0, "cri"))),
            ("[]", None, None),
        ] {
            let documents = testing::documents(stages);
            let wrong_stage_for = |format| wrong_stage(documents[0].root().items(), format);
            assert_eq!(
                (wrong_stage_for(LogFormat::Cri), wrong_stage_for(LogFormat::Docker)),
                (cri_finding, docker_finding),
                "{stages}"
            );
        }
    }
}
