//! String formats that occur only in pod fields. Each function returns the problem, worded to follow the field in a
//! message.

use std::sync::LazyLock;

use regex::Regex;

use crate::go::syntax;
use crate::go::text::pattern;

/// Port of Kubernetes' `validatePathNoBacksteps`.
pub(super) fn backsteps_problem(path: &str) -> Option<String> {
    path.split('/').any(|part| part == "..").then(|| "must not contain `..`".to_owned())
}

/// Port of Kubernetes' `validateLocalDescendingPath`.
pub(super) fn relative_path_problem(path: &str) -> Option<String> {
    if path.starts_with('/') {
        return Some("must be a relative path".to_owned());
    }
    backsteps_problem(path)
}

/// Port of Kubernetes' `validateLocalNonReservedPath`.
pub(super) fn reserved_path_problem(path: &str) -> Option<String> {
    relative_path_problem(path).or_else(|| path.starts_with("..").then(|| "must not start with `..`".to_owned()))
}

/// Checks an image reference as the kubelet does (`reference.ParseNormalizedNamed` in distribution v0.5.0). The API
/// server does not check it.
pub(super) fn image_reference_problem(text: &str) -> Option<String> {
    const REGISTRY: &str = r"(?:[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?|\[[a-fA-F0-9:]+\])(?::[0-9]+)?";
    const PART: &str = r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*";
    const TAG: &str = r"[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,127}";
    const DIGEST: &str = r"[a-zA-Z][a-zA-Z0-9+._-]*:[0-9a-fA-F]{32,}";
    static IMAGE: LazyLock<Regex> =
        LazyLock::new(|| pattern(&format!("^(?:{REGISTRY}/)?{PART}(?:/{PART})*(?::{TAG})?(?:@{DIGEST})?$")));
    if text.is_empty() || text.trim() != text {
        return None;
    }
    pattern_problem(text, &IMAGE, "is not a valid image name").map(|problem| match text {
        _ if text.contains(char::is_whitespace) => "must not contain whitespace".to_owned(),
        _ if IMAGE.is_match(&text.to_lowercase()) => "must be lowercase".to_owned(),
        _ => problem,
    })
}

/// Returns the minor version in a Grafana Agent v0 image tag, or `None` for any other image.
pub(super) fn agent_minor(image: &str) -> Option<u32> {
    let (image, _digest) = image.split_once('@').unwrap_or((image, ""));
    let (name, tag) = image.rsplit_once(":v0.")?;
    let is_agent = name == "grafana/agent" || name.ends_with("/grafana/agent");
    tag.split('.').next().filter(|_| is_agent)?.parse().ok()
}

/// Port of Kubernetes' `GetDeletionCostFromPodAnnotations`.
pub(super) fn deletion_cost_problem(cost: &str) -> Option<String> {
    let has_valid_start = cost == "0" || cost.starts_with(|c| matches!(c, '-' | '1'..='9'));
    let is_valid = has_valid_start && cost.parse::<i32>().is_ok();
    (!is_valid).then(|| "must be a 32-bit integer without a plus sign or leading zeros".to_owned())
}

/// Port of Kubernetes' `IsEnvVarName`.
pub(super) fn variable_name_problem(name: &str) -> Option<String> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    if name.bytes().any(|byte| !is_part(byte)) || name.starts_with(|c: char| c.is_ascii_digit()) || name.is_empty() {
        return Some("must consist of letters, digits, `_`, `-` and `.`, and must not start with a digit".to_owned());
    }
    (name == "." || name.starts_with("..")).then(|| "must not be `.` or start with `..`".to_owned())
}

/// Port of Kubernetes' `IsHTTPHeaderName`.
pub(super) fn header_name_problem(name: &str) -> Option<String> {
    let is_valid = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    (!is_valid).then(|| "must consist of letters, digits and `-`".to_owned())
}

/// Port of Kubernetes' `ValidateCSIDriverName`.
pub(super) fn driver_name_problem(name: &str) -> Option<String> {
    match name.len() {
        ..=63 => syntax::subdomain(&name.to_ascii_lowercase()),
        length => Some(format!("must have at most 63 characters (found {length})")),
    }
}

/// Checks the name of an iSCSI target or initiator (`validateISCSIVolumeSource`).
pub(super) fn iscsi_name_problem(name: &str) -> Option<String> {
    const HELP: &str = "such as `iqn.2001-04.com.example:storage`";
    static IQN: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"iqn\.[0-9]{4}-[0-9]{2}\.[[:alnum:].-]+:[^,;*&$|\t\n\f\r ]+$"));
    static EUI: LazyLock<Regex> = LazyLock::new(|| pattern("^eui.[[:alnum:]]{16}$"));
    static NAA: LazyLock<Regex> = LazyLock::new(|| pattern("^naa.[[:alnum:]]{32}$"));
    match name.get(..3) {
        Some("iqn") => pattern_problem(name, &IQN, &format!("must have a date, a domain and an identifier, {HELP}")),
        Some("eui") => pattern_problem(name, &EUI, "must be `eui.` followed by 16 letters and digits"),
        Some("naa") => pattern_problem(name, &NAA, "must be `naa.` followed by 32 letters and digits"),
        _ => Some("must start with `iqn.`, `eui.` or `naa.`".to_owned()),
    }
}

/// Checks an annotation key. Its prefix may contain capital letters (`ValidateAnnotations`).
pub(super) fn annotation_key_problem(key: &str) -> Option<String> {
    syntax::qualified_name(&key.to_lowercase())
}

/// Checks a StatefulSet's name. Its pods have the `controller-revision-hash` label, which is limited to 63 characters
/// and contains the name and a hash of up to 10 characters. The API server nevertheless accepts longer names.
pub(super) fn stateful_set_name_problem(name: &str) -> Option<String> {
    const MAX_LENGTH: usize = 52;
    let length = name.len();
    (length > MAX_LENGTH)
        .then(|| format!("must have at most {MAX_LENGTH} characters, or no pods can be created (found {length})"))
}

/// Port of Kubernetes' `IsValidSysctlName`, including the `/` that newer versions allow.
pub(super) fn sysctl_name_problem(name: &str) -> Option<String> {
    static SYSCTL: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$"));
    if name.len() > 253 {
        return Some("must have at most 253 characters".to_owned());
    }
    pattern_problem(name, &SYSCTL, "must be a name such as `net.core.somaxconn`")
}

fn pattern_problem(text: &str, pattern: &Regex, problem: &str) -> Option<String> {
    (!pattern.is_match(text)).then(|| problem.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_version_from_the_image() {
        for (image, expected) in [
            ("grafana/agent:v0.23.0", Some(23)),
            ("mirror:5000/grafana/agent:v0.9", Some(9)),
            ("docker.io/grafana/agent:v0.24.0-rc.1@sha256:00", Some(24)),
            ("grafana/agent", None),
            ("grafana/agent:latest", None),
            ("grafana/agent:v1.0.0", None),
            ("grafana/agent:v0.", None),
            ("other/agent:v0.1.0", None),
            ("xgrafana/agent:v0.1.0", None),
        ] {
            assert_eq!(agent_minor(image), expected, "{image}");
        }
    }

    #[test]
    fn distinguishes_valid_and_invalid_strings() {
        let cases: [(syntax::Syntax, &[&str], &[&str]); 5] = [
            (
                image_reference_problem,
                &[
                    "",
                    // The API server already rejects these references.
                    " a",
                    "a\n",
                    "busybox",
                    "grafana/agent:v0.44.2",
                    "localhost:5000/a/b__c:Latest",
                    "Registry.example.com/a-b.c_d",
                    "a:b@sha256:0123456789abcdef0123456789abcdef",
                    "[::1]:5000/a",
                ],
                &[
                    "A B",
                    "grafana/agent v1",
                    "Grafana/Agent",
                    "Agent",
                    "a:",
                    "a:b:c",
                    "a@sha256:1",
                    "a//b",
                    "https://a/b",
                    "a___b",
                ],
            ),
            (reserved_path_problem, &["a", "a/b", "a..", ""], &["/a", "..", "..a", "a/../b"]),
            (variable_name_problem, &["a", "A.b-c_9", ".a"], &["", ".", "1a", "a=b", "..a", "ä"]),
            (driver_name_problem, &["csi.example.com", "A.b"], &["a_b", "-a"]),
            (sysctl_name_problem, &["net.core.somaxconn", "net/core"], &["", "A", "a b", "a..b"]),
        ];
        for (syntax, valid, invalid) in cases {
            assert!(valid.iter().all(|text| syntax(text).is_none()), "{valid:?}");
            assert!(invalid.iter().all(|text| syntax(text).is_some()), "{invalid:?}");
        }
    }
}
