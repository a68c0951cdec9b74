//! Findings that prevent an agent from starting, which leaves it without targets.

use std::collections::BTreeSet;

use crate::api::ObjectRef;
use crate::diagnostic::{Code, Diagnostic, ObjectKey, Severity};
use crate::plan::JobKind;
use crate::resolve::Hierarchy;

/// Codes of rules that the agent applies when it reads its configuration (`config.Load` with its defaults and
/// `Validate`, and the nested relabeling, discovery and pipeline configurations). Such an error stops all jobs in the
/// configuration.
///
/// The list excludes errors that stop only one instance, such as `keepequal` (`RejectedRelabelAction`). For these,
/// targets are shown as Prometheus would find them.
const STOPPING_CODES: &[Code] = &[
    Code::ConflictingAuthentication,
    Code::ConflictingRelabeling,
    Code::DuplicateJob,
    Code::DuplicateReceiver,
    Code::IncompleteAuthentication,
    Code::IncompleteCertificate,
    Code::IncompleteRelabeling,
    Code::InvalidDuration,
    Code::InvalidLabelName,
    Code::InvalidLogLevel,
    Code::InvalidLogSelector,
    Code::InvalidQueue,
    Code::InvalidRegex,
    Code::InvalidScrapeJob,
    Code::InvalidStage,
    Code::InvalidUrl,
    Code::MisreadText,
    Code::MisreadVariable,
    Code::ReservedHeader,
    Code::TimeoutAboveInterval,
    Code::UnknownRelabelAction,
    Code::UnknownScrapeField,
];

/// A configuration that an agent rejects.
pub struct Rejection<'d> {
    /// Agent that rejects the configuration.
    pub agent: ObjectRef<'d>,
    /// Type of the configuration: metrics or logs.
    pub kind: JobKind,
    /// First error in the configuration.
    pub finding: Diagnostic,
}

impl Rejection<'_> {
    /// Whether this is the configuration of type `kind` for `agent`, which has the form `namespace/name`.
    pub fn is_for(&self, agent: &str, kind: JobKind) -> bool {
        self.kind == kind && agent.split_once('/') == Some((self.agent.namespace, self.agent.name))
    }
}

/// Whether a rule can report a finding that stops an agent. This is always assumed for tables, because they list no
/// codes.
pub(super) fn may_stop_agent(codes: &[Code]) -> bool {
    codes.is_empty() || codes.iter().any(|code| STOPPING_CODES.contains(code))
}

/// Returns the configurations that agents reject because of these findings, each with its first error.
pub(super) fn collect_rejections<'d>(
    mut findings: Vec<Diagnostic>,
    hierarchies: &[Hierarchy<'_, 'd>],
) -> Vec<Rejection<'d>> {
    findings.retain(|diagnostic| diagnostic.severity == Severity::Error && STOPPING_CODES.contains(&diagnostic.code));
    let mut rejections = Vec::new();
    for hierarchy in hierarchies {
        for kind in [JobKind::Metrics, JobKind::Logs] {
            let members = member_keys(hierarchy, kind);
            let agent = hierarchy.agent.object_ref();
            let mut rejecting_findings = findings.iter().filter(|diagnostic| {
                let resource = diagnostic.resource.as_ref();
                resource.is_some_and(|resource| match *resource == ObjectKey::from(agent) {
                    true => belongs_to_kind(diagnostic.path.as_deref().unwrap_or_default(), kind),
                    false => members.contains(resource),
                })
            });
            rejections.extend(rejecting_findings.next().map(|finding| Rejection {
                agent,
                kind,
                finding: finding.clone(),
            }));
        }
    }
    rejections
}

/// Returns the resources, except for the agent, that a configuration is generated from.
fn member_keys(hierarchy: &Hierarchy<'_, '_>, kind: JobKind) -> BTreeSet<ObjectKey> {
    let mut members = BTreeSet::new();
    match kind {
        JobKind::Metrics => {
            for metrics in &hierarchy.metrics {
                members.insert(metrics.instance.object_ref().into());
                members.extend(metrics.children().map(|child| child.object_ref().into()));
            }
        }
        JobKind::Logs => {
            for logs in &hierarchy.logs {
                members.insert(logs.instance.object_ref().into());
                members.extend(logs.children().map(|child| child.object_ref().into()));
            }
        }
    }
    members
}

/// Whether a GrafanaAgent's field belongs to the configuration of type `kind`, rather than to the other type or to
/// integrations.
fn belongs_to_kind(path: &str, kind: JobKind) -> bool {
    let other_fields: &[&str] = match kind {
        JobKind::Metrics => &["spec.logs", "spec.integrations"],
        JobKind::Logs => &["spec.metrics", "spec.integrations"],
    };
    !other_fields
        .iter()
        .any(|other| path == *other || path.strip_prefix(other).is_some_and(|rest| rest.starts_with('.')))
}
