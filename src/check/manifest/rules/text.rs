//! Syntaxes that only fields of pods have. Each function returns what is wrong, as the rest of a sentence that starts with
//! the field.

use std::sync::LazyLock;

use regex::Regex;

use crate::go::syntax;
use crate::go::text::pattern;

/// `validatePathNoBacksteps`.
pub(super) fn no_backsteps(path: &str) -> Option<String> {
    path.split('/')
        .any(|part| part == "..")
        .then(|| "must not contain `..`".to_owned())
}

/// `validateLocalDescendingPath`.
pub(super) fn descending(path: &str) -> Option<String> {
    if path.starts_with('/') {
        return Some("must be a relative path".to_owned());
    }
    no_backsteps(path)
}

/// `validateLocalNonReservedPath`.
pub(super) fn not_reserved(path: &str) -> Option<String> {
    descending(path).or_else(|| path.starts_with("..").then(|| "must not start with `..`".to_owned()))
}

/// A reference of an image as the kubelet reads it (`reference.ParseNormalizedNamed` of distribution v0.5.0), which the API server does
/// not look at.
pub(super) fn image_reference(text: &str) -> Option<String> {
    const REGISTRY: &str = r"(?:[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?|\[[a-fA-F0-9:]+\])(?::[0-9]+)?";
    const PART: &str = r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*";
    const TAG: &str = r"[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,127}";
    const DIGEST: &str = r"[a-zA-Z][a-zA-Z0-9+._-]*:[0-9a-fA-F]{32,}";
    static IMAGE: LazyLock<Regex> = LazyLock::new(|| {
        pattern(&format!(
            "^(?:{REGISTRY}/)?{PART}(?:/{PART})*(?::{TAG})?(?:@{DIGEST})?$"
        ))
    });
    if text.is_empty() || text.trim() != text {
        return None;
    }
    mismatch(text, &IMAGE, "is not a valid image name").map(|problem| match text {
        _ if text.contains(char::is_whitespace) => "must not contain a blank".to_owned(),
        _ if IMAGE.is_match(&text.to_lowercase()) => "must be in lower case".to_owned(),
        _ => problem,
    })
}

/// `IsEnvVarName`.
pub(super) fn variable_name(name: &str) -> Option<String> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    if name.bytes().any(|byte| !is_part(byte)) || name.starts_with(|c: char| c.is_ascii_digit()) || name.is_empty() {
        return Some("must consist of letters, digits, `_`, `-` and `.`, and must not start with a digit".to_owned());
    }
    (name == "." || name.starts_with("..")).then(|| "must not be `.` or start with `..`".to_owned())
}

/// `IsHTTPHeaderName`.
pub(super) fn header_name(name: &str) -> Option<String> {
    let is_valid = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    (!is_valid).then(|| "must consist of letters, digits and `-`".to_owned())
}

/// `ValidateCSIDriverName`.
pub(super) fn driver_name(name: &str) -> Option<String> {
    match name.len() {
        ..=63 => syntax::subdomain(&name.to_ascii_lowercase()),
        length => Some(format!("must have at most 63 characters, not {length}")),
    }
}

/// The key of an annotation, whose prefix may have capitals (`ValidateAnnotations`).
pub(super) fn annotation_key(key: &str) -> Option<String> {
    syntax::qualified_name(&key.to_lowercase())
}

/// The name of a StatefulSet: its pods have it, with a hash of up to 10 characters, in the label
/// `controller-revision-hash`, which has 63 characters at most. The API server takes longer names.
pub(super) fn stateful_set_name(name: &str) -> Option<String> {
    const MAX: usize = 52;
    let length = name.len();
    (length > MAX).then(|| format!("must have at most {MAX} characters for its pods to be created, not {length}"))
}

/// A name in iSCSI (`validateISCSIVolumeSource`).
pub(super) fn iscsi_name(name: &str) -> Option<String> {
    static IQN: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"^iqn\.[0-9]{4}-[0-9]{2}\.[[:alnum:].-]+:[^,;*&$|\t\n\x0c\r ]+$"));
    static EUI: LazyLock<Regex> = LazyLock::new(|| pattern("^eui.[[:alnum:]]{16}$"));
    static NAA: LazyLock<Regex> = LazyLock::new(|| pattern("^naa.[[:alnum:]]{32}$"));
    let pattern = match name.get(..3) {
        Some("iqn") => &IQN,
        Some("eui") => &EUI,
        Some("naa") => &NAA,
        _ => return Some("must start with `iqn`, `eui` or `naa`".to_owned()),
    };
    mismatch(
        name,
        pattern,
        "must be a name of iSCSI, such as `iqn.2024-01.com.example:disk`",
    )
}

/// `IsValidSysctlName`, with the `/` that newer versions allow as well.
pub(super) fn sysctl_name(name: &str) -> Option<String> {
    static SYSCTL: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$"));
    if name.len() > 253 {
        return Some("must have at most 253 characters".to_owned());
    }
    mismatch(name, &SYSCTL, "must be a name such as `net.core.somaxconn`")
}

/// The user of a container on Windows (`validateWindowsSecurityContextOptions`).
pub(super) fn windows_user(name: &str) -> Option<String> {
    static DOMAIN: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r#"^(?:[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}|[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*)$"#,
        )
    });
    let (domain, user) = match name.split_once('\\') {
        Some((domain, user)) => (Some(domain), user),
        None => (None, name),
    };
    let problem = if name.chars().any(|c| c.is_ascii_control()) {
        "must not contain control characters"
    } else if user.is_empty() {
        "must have a user"
    } else if user.len() > 104 {
        "must have a user of at most 104 characters"
    } else if user.trim_matches(['.', ' ']).is_empty() || user.contains(|c| r#""/\:;|=,+*?<>@[]"#.contains(c)) {
        "must have a user that consists of more than dots and blanks, without any of `\"/\\:;|=,+*?<>@[]`"
    } else {
        let domain = domain?;
        let is_long = domain.len() >= 256;
        return mismatch(domain, &DOMAIN, "must have a domain that is a NetBIOS or DNS name")
            .or_else(|| is_long.then(|| "must have a domain of less than 256 characters".to_owned()));
    };
    Some(problem.to_owned())
}

fn mismatch(text: &str, pattern: &Regex, problem: &str) -> Option<String> {
    (!pattern.is_match(text)).then(|| problem.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_and_invalid_texts() {
        let cases: [(syntax::Syntax, &[&str], &[&str]); 7] = [
            (
                image_reference,
                &[
                    "",
                    // The API server refuses these.
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
            (not_reserved, &["a", "a/b", "a..", ""], &["/a", "..", "..a", "a/../b"]),
            (
                variable_name,
                &["a", "A.b-c_9", ".a"],
                &["", ".", "1a", "a=b", "..a", "ä"],
            ),
            (driver_name, &["csi.example.com", "A.b"], &["a_b", "-a"]),
            (
                iscsi_name,
                &["iqn.2001-04.com.example:storage", "eui.0123456789abcdef"],
                &["", "é", "iqn.x", "iqn.2001-04.com.example:a b", "eui.1", "naa.1"],
            ),
            (
                sysctl_name,
                &["net.core.somaxconn", "net/core"],
                &["", "A", "a b", "a..b"],
            ),
            (
                windows_user,
                &["user", r"domain\user", r"example.com\user"],
                &["", r"a\b\c", r"\", "...", "a@b", "a\nb", r".a\user", r"a:b\user"],
            ),
        ];
        for (syntax, valid, invalid) in cases {
            assert!(valid.iter().all(|text| syntax(text).is_none()), "{valid:?}");
            assert!(invalid.iter().all(|text| syntax(text).is_some()), "{invalid:?}");
        }
    }
}
