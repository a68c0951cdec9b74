//! Version order (`CompareKubeAwareVersionStrings` in apimachinery).

use std::cmp::Reverse;

/// Stability of a version, from lowest to highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stability {
    /// Any string that is not a Kubernetes version.
    Unknown,
    Alpha,
    Beta,
    Stable,
}

impl Stability {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Stability::Unknown => "not a Kubernetes version",
            Stability::Alpha => "alpha",
            Stability::Beta => "beta",
            Stability::Stable => "stable",
        }
    }
}

/// Returns the sort key for a version such as `v1`, `v2beta1` or `foo`. The preferred version has the greatest key.
pub(super) fn rank(version: &str) -> (Stability, i64, i64, Reverse<&str>) {
    match parse(version) {
        Some((stability, major, minor)) => (stability, major, minor, Reverse("")),
        None => (Stability::Unknown, 0, 0, Reverse(version)),
    }
}

/// Parses a version: `v`, a number and, for unstable versions, `alpha` or `beta` followed by another number. Returns
/// `None` if a number exceeds Go's `int`.
fn parse(text: &str) -> Option<(Stability, i64, i64)> {
    let rest = text.strip_prefix('v')?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (major, rest) = rest.split_at_checked(digits)?;
    let major = number(major)?;
    if rest.is_empty() {
        return Some((Stability::Stable, major, 0));
    }
    let alpha = rest.strip_prefix("alpha").map(|minor| (Stability::Alpha, minor));
    let (stability, minor) = alpha.or_else(|| rest.strip_prefix("beta").map(|minor| (Stability::Beta, minor)))?;
    Some((stability, major, number(minor)?))
}

fn number(text: &str) -> Option<i64> {
    let digits = text.bytes().all(|b| b.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests the example in the documentation for `versionPriority`.
    #[test]
    fn sorts_versions_as_documented() {
        let sorted = ["v10", "v2", "v1", "v11beta2", "v10beta3", "v3beta1", "v12alpha1", "v11alpha2", "foo1", "foo10"];
        for pair in sorted.windows(2) {
            assert!(rank(pair[0]) > rank(pair[1]), "{} before {}", pair[0], pair[1]);
        }
    }

    #[test]
    fn rejects_invalid_versions() {
        for text in ["v", "1", "v1alpha", "v1gamma1", "v1beta1x", "v1beta+1", "v+1", "v99999999999999999999", "V1"] {
            assert_eq!(rank(text).0, Stability::Unknown, "{text}");
        }
        assert_eq!(rank("v01"), rank("v1"));
    }
}
