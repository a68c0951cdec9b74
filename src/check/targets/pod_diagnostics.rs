//! Findings about a job's pods, based on a cluster export.

use crate::diagnostic::{Code, Diagnostic, FieldPath};
use crate::plan::Origin;

/// Namespace and name of a pod, and its container runtime if known.
#[derive(Clone, Copy)]
pub(super) struct PodName<'d> {
    pub namespace: &'d str,
    pub name: &'d str,
    pub runtime: &'d str,
}

/// Format in which a container runtime writes log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LogFormat {
    /// Lines of containerd and CRI-O, which start with a time, the stream and a flag.
    Cri,
    /// Docker's lines, each of which is a JSON object.
    Docker,
}

fn finding_at(origin: Origin<'_>, code: Code, message: String) -> Diagnostic {
    origin.diagnostic_below(&FieldPath::new(), code, message)
}

fn full_name(pod: PodName<'_>) -> String {
    format!("{}/{}", pod.namespace, pod.name)
}

/// Finding for a pod that has finished and is still scraped.
pub(super) fn finished_pod(origin: Origin<'_>, pod: PodName<'_>, phase: &str) -> Diagnostic {
    let phase = phase.to_ascii_lowercase();
    let message = format!("pod `{}` has {phase}, but is still scraped", full_name(pod));
    finding_at(origin, Code::FinishedTarget, message)
        .help("set `filterRunning: true`: without it, the operator keeps pods that have finished")
}

/// Finding for a static pod whose logs are not read.
pub(super) fn unread_static_pod(origin: Origin<'_>, pod: PodName<'_>) -> Diagnostic {
    let message = format!(
        "the logs of static pod `{}` are never read: their directory is named after the annotation `kubernetes.io/config.hash`, not \
         after the pod's UID",
        full_name(pod)
    );
    finding_at(origin.at("spec.selector"), Code::NeverRead, message).help(
        "add a rule for static pods: `{sourceLabels: [__meta_kubernetes_pod_annotation_kubernetes_io_config_hash, \
         __meta_kubernetes_pod_container_name], separator: /, regex: (.+)/(.+), replacement: /var/log/pods/*$1/$2/*.log, targetLabel: \
         __path__}`",
    )
}

impl LogFormat {
    /// Describes the lines in this format.
    fn describe(self) -> &'static str {
        match self {
            LogFormat::Cri => "start with a time, the stream and a flag",
            LogFormat::Docker => "are JSON objects",
        }
    }

    /// Returns the stage that parses this format.
    fn stage(self) -> &'static str {
        match self {
            LogFormat::Cri => "cri: {}",
            LogFormat::Docker => "docker: {}",
        }
    }
}

/// Finding for a stage that cannot parse the lines that the container runtime writes.
pub(super) fn wrong_format(
    origin: Origin<'_>,
    (index, stage): (usize, &str),
    format: LogFormat,
    pod: PodName<'_>,
) -> Diagnostic {
    let help = match stage {
        "json" => format!("add `{}` before this stage", format.stage()),
        _ => format!("use `{}` instead", format.stage()),
    };
    let message = format!("the `{stage}` stage parses no line: {}", lines(format, pod));
    finding_at(origin.at("spec.pipelineStages").item(index), Code::WrongFormat, message).help(help)
}

/// Finding for a pipeline without a stage that parses the lines.
pub(super) fn missing_format_stage(origin: Origin<'_>, format: LogFormat, pod: PodName<'_>) -> Diagnostic {
    let message = format!("no stage parses the lines: {}", lines(format, pod));
    finding_at(origin.at("spec.pipelineStages"), Code::WrongFormat, message)
        .help(format!("add the stage `{}`", format.stage()))
}

/// Describes a pod's log lines.
fn lines(format: LogFormat, pod: PodName<'_>) -> String {
    format!("pod `{}` runs on {}, whose lines {}", full_name(pod), pod.runtime, format.describe())
}
