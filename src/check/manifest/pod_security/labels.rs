//! Namespace labels that set Pod Security policies (`PolicyToEvaluate` in `k8s.io/pod-security-admission/api`).

use crate::api::Resource;
use crate::diagnostic::{Code, Diagnostic, FieldPath, Severity};
use crate::source::Span;

/// A Pod Security Standards level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SecurityLevel {
    Privileged,
    Baseline,
    Restricted,
}

impl SecurityLevel {
    const ALL: [SecurityLevel; 3] = [SecurityLevel::Privileged, SecurityLevel::Baseline, SecurityLevel::Restricted];

    pub(super) fn as_str(self) -> &'static str {
        match self {
            SecurityLevel::Privileged => "privileged",
            SecurityLevel::Baseline => "baseline",
            SecurityLevel::Restricted => "restricted",
        }
    }
}

/// The API server's response to a pod that violates a level.
#[derive(Debug)]
pub(super) struct SecurityMode {
    pub(super) label: &'static str,
    /// Severity of a violation: a warning if the API server warns, or a note if it only writes to its audit log.
    pub(super) severity: Severity,
    /// Verb that describes the response in messages.
    pub(super) verb: &'static str,
}

const fn mode(label: &'static str, severity: Severity, verb: &'static str) -> SecurityMode {
    SecurityMode { label, severity, verb }
}

/// Pod Security modes, strictest first.
static MODES: [SecurityMode; 3] = [
    mode("pod-security.kubernetes.io/enforce", Severity::Error, "rejects"),
    mode("pod-security.kubernetes.io/warn", Severity::Warning, "warns about"),
    mode("pod-security.kubernetes.io/audit", Severity::Note, "logs"),
];

/// Pod Security policy that a Namespace sets.
#[derive(Clone, Copy)]
pub(super) struct SecurityPolicy {
    pub(super) mode: &'static SecurityMode,
    pub(super) level: SecurityLevel,
    /// Minor version of the standards that the policy uses.
    pub(super) minor: u32,
    pub(super) span: Span,
}

/// Minor version later than all versions that changed a control.
const LATEST: u32 = u32::MAX - 1;

/// Returns a Namespace's policies, strictest mode first. Reports invalid labels, because the API server rejects a
/// Namespace that has any.
pub(super) fn policies(namespace: &Resource<'_, ()>, findings: &mut Vec<Diagnostic>) -> Vec<SecurityPolicy> {
    let mut policies = Vec::new();
    for mode in &MODES {
        let label = mode.label;
        let version_label = format!("{label}-version");
        let labels = &namespace.meta.labels;
        let minor = labels.get(&version_label).map_or(Some(LATEST), parse_minor);
        let named = |text| SecurityLevel::ALL.into_iter().find(|level| level.as_str() == text);
        let level = labels.get(label).map(named);
        if minor.is_none() {
            let expected = "`latest` or a version such as `v1.30`";
            findings.push(invalid_label(namespace, &version_label, expected));
        }
        if level == Some(None) {
            findings.push(invalid_label(namespace, label, "`privileged`, `baseline` or `restricted`"));
        }
        if let (Some(Some(level)), Some(minor)) = (level, minor) {
            let span = namespace.locate(&path(label));
            policies.push(SecurityPolicy { mode, level, minor, span });
        }
    }
    policies
}

/// Parses the minor version in `latest` or `v1.30` (`ParseVersion`).
fn parse_minor(text: &str) -> Option<u32> {
    if text == "latest" {
        return Some(LATEST);
    }
    let minor = text.strip_prefix("v1.")?;
    let is_number = minor.bytes().all(|byte| byte.is_ascii_digit()) && (minor == "0" || !minor.starts_with('0'));
    // A number too large for a `u32` is later than every version.
    is_number
        .then_some(minor)
        .filter(|minor| !minor.is_empty())
        .map(|minor| minor.parse().unwrap_or(LATEST).min(LATEST))
}

fn path(label: &str) -> FieldPath<'_> {
    FieldPath::parse("metadata.labels").key(label)
}

fn invalid_label(namespace: &Resource<'_, ()>, label: &str, expected: &str) -> Diagnostic {
    let value = namespace.meta.labels.get(label).unwrap_or_default();
    let message = format!("Kubernetes rejects the Namespace: the label `{label}` must be {expected}, but is `{value}`");
    namespace.finding(Code::InvalidPodSecurityLabel, &path(label), message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_versions_of_labels() {
        for (text, expected) in [
            ("latest", Some(LATEST)),
            ("v1.0", Some(0)),
            ("v1.30", Some(30)),
            ("v1.99999999999", Some(LATEST)),
            ("v1.030", None),
            ("v1.", None),
            ("v1.30.1", None),
            ("1.30", None),
            ("v2.0", None),
            ("", None),
        ] {
            assert_eq!(parse_minor(text), expected, "{text}");
        }
    }
}
