//! Releases of the operator, and the changes between them.
//!
//! The table is based on `git diff` between the tags in grafana/agent, limited to `pkg/operator` (later
//! `static/operator`), the CustomResourceDefinitions, and the libraries whose types both of these use. The Jsonnet
//! templates are the same in all releases.

use std::fmt;
use std::str::FromStr;

/// A release of the operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OperatorVersion {
    minor: u8,
    patch: u8,
}

/// Last patch release of each minor version.
const RELEASES: [OperatorVersion; 11] = [
    version(34, 3),
    version(35, 4),
    version(36, 2),
    version(37, 4),
    version(38, 1),
    version(39, 2),
    version(40, 5),
    version(41, 1),
    version(42, 0),
    version(43, 4),
    version(44, 8),
];

/// Releases whose default agent version differs from their own, because `defaults.go` was not updated.
const OLDER_AGENTS: [(OperatorVersion, OperatorVersion); 3] =
    [(version(35, 1), version(35, 0)), (version(40, 4), version(40, 3)), (version(44, 1), version(44, 0))];

const fn version(minor: u8, patch: u8) -> OperatorVersion {
    OperatorVersion { minor, patch }
}

/// Releases that introduced changes.
impl OperatorVersion {
    /// First release whose GrafanaAgents support `configReloaderVersion` and `configReloaderImage`.
    pub const WITH_RELOADER_FIELDS: Self = version(35, 0);
    /// First release whose containers support `resizePolicy` (Kubernetes 1.27).
    pub const WITH_RESIZE_POLICY: Self = version(35, 0);
    /// First release whose relabeling supports the `keepequal` and `dropequal` actions (prometheus-operator v0.66.0).
    pub const WITH_EQUALITY_ACTIONS: Self = version(36, 0);
    /// First release that requires an endpoint's `scheme` to be `http` or `https` (prometheus-operator v0.66.0).
    pub const WITH_CHECKED_SCHEME: Self = version(36, 0);
    /// First release whose default config reloader is v0.67.1 instead of v0.62.0.
    pub const WITH_NEW_RELOADER: Self = version(36, 1);
    /// First release whose containers support `restartPolicy` (Kubernetes 1.28).
    pub const WITH_CONTAINER_RESTART_POLICY: Self = version(37, 0);
    /// First release that sets the `AGENT_DEPLOY_MODE` variable in containers.
    pub const WITH_DEPLOY_MODE: Self = version(38, 0);
    /// First release whose config reloader runs without privileges instead of as root.
    pub const WITH_RESTRICTED_RELOADER: Self = version(38, 0);
    /// First release that sorts the addresses in the kubelet Endpoints.
    pub const WITH_SORTED_ENDPOINTS: Self = version(40, 0);
}

impl OperatorVersion {
    /// First supported release. The selectors of earlier releases contain the operator version (`podSelectorLabels`),
    /// so each release replaced the workloads of the previous release.
    pub const FIRST: Self = version(34, 0);
    /// Last release.
    pub const LAST: Self = version(44, 8);

    /// Agent version that the operator runs by default (`DefaultAgentVersion`).
    pub fn default_agent_version(self) -> Self {
        let older_agent = OLDER_AGENTS.iter().find(|(operator, _)| *operator == self);
        older_agent.map_or(self, |(_, agent)| *agent)
    }

    /// Returns the release that sets this version label on pods (`SanitizeVolumeName`), or `None` if the label is not
    /// valid.
    pub fn from_label(label: &str) -> Option<Self> {
        label.replace('-', ".").parse().ok()
    }

    /// Returns all supported releases in order.
    pub fn all() -> impl Iterator<Item = Self> {
        RELEASES.into_iter().flat_map(|last| (0..=last.patch).map(move |patch| version(last.minor, patch)))
    }
}

impl Default for OperatorVersion {
    fn default() -> Self {
        Self::LAST
    }
}

impl fmt::Display for OperatorVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v0.{}.{}", self.minor, self.patch)
    }
}

impl FromStr for OperatorVersion {
    type Err = String;

    /// Parses `v0.40.3` or `0.40.3`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (first, last) = (Self::FIRST, Self::LAST);
        let numbers: Option<Vec<u32>> = text.strip_prefix('v').unwrap_or(text).split('.').map(parse_number).collect();
        let Some(&[major, minor, patch]) = numbers.as_deref() else {
            return Err(format!("expected a release from {first} to {last}"));
        };
        if (major, minor) < (0, first.minor.into()) {
            return Err(format!(
                "before {first}, the operator puts its own version into workload selectors; expected a release \
                 from {first} to {last}"
            ));
        }
        let matching_release = RELEASES.iter().find(|last| (major, minor) == (0, last.minor.into()));
        match (matching_release, u8::try_from(patch)) {
            (None, _) => Err(format!("the last release of the operator is {last}")),
            (Some(last), Ok(patch)) if patch <= last.patch => Ok(version(last.minor, patch)),
            (Some(last), _) => Err(format!("the last release of v0.{} is {last}", last.minor)),
        }
    }
}

/// Parses a number without a sign or leading zeros.
fn parse_number(text: &str) -> Option<u32> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    text.parse().ok().filter(|_| is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFFERENCES: [OperatorVersion; 9] = [
        OperatorVersion::WITH_RELOADER_FIELDS,
        OperatorVersion::WITH_RESIZE_POLICY,
        OperatorVersion::WITH_EQUALITY_ACTIONS,
        OperatorVersion::WITH_CHECKED_SCHEME,
        OperatorVersion::WITH_NEW_RELOADER,
        OperatorVersion::WITH_CONTAINER_RESTART_POLICY,
        OperatorVersion::WITH_DEPLOY_MODE,
        OperatorVersion::WITH_RESTRICTED_RELOADER,
        OperatorVersion::WITH_SORTED_ENDPOINTS,
    ];

    #[test]
    fn parses_every_release() {
        let releases: Vec<_> = OperatorVersion::all().collect();
        assert_eq!((releases.first(), releases.last()), (Some(&OperatorVersion::FIRST), Some(&OperatorVersion::LAST)));
        assert!(releases.is_sorted());
        for version in releases {
            let text = version.to_string();
            assert_eq!(text.parse(), Ok(version));
            assert_eq!(text.trim_start_matches('v').parse(), Ok(version));
            assert_eq!(OperatorVersion::from_label(&text.replace('.', "-")), Some(version));
        }
    }

    #[test]
    fn rejects_other_versions_with_a_reason() {
        let rejection_reason = |text: &str| text.parse::<OperatorVersion>().unwrap_err();
        for text in
            ["", "v", "0.40", "v0.40.3-rc.0", "vv0.40.3", "0.40.3.1", "v0.40.03", "v+0.40.3", "v0.99999999999.1"]
        {
            assert_eq!(rejection_reason(text), "expected a release from v0.34.0 to v0.44.8", "{text}");
        }
        assert!(rejection_reason("v0.33.2").starts_with("before v0.34.0, "));
        assert_eq!(rejection_reason("0.40.6"), "the last release of v0.40 is v0.40.5");
        assert_eq!(rejection_reason("0.40.300"), "the last release of v0.40 is v0.40.5");
        assert_eq!(rejection_reason("v0.45.0"), "the last release of the operator is v0.44.8");
        assert_eq!(rejection_reason("v1.0.0"), "the last release of the operator is v0.44.8");
    }

    #[test]
    fn table_of_release_differences_is_sorted_and_valid() {
        assert!(DIFFERENCES.is_sorted());
        let releases: Vec<_> = OperatorVersion::all().collect();
        assert!(DIFFERENCES.iter().all(|since| releases.contains(since)));
        assert_eq!(version(40, 4).default_agent_version(), version(40, 3));
        assert_eq!(version(40, 5).default_agent_version(), version(40, 5));
    }

    #[test]
    fn documentation_lists_every_difference() {
        let page = include_str!("../../docs/operator-versions.md");
        let rows = page.lines().filter_map(|line| line.strip_prefix("| v")?.split(' ').next());
        let table = DIFFERENCES.iter().map(ToString::to_string);
        assert_eq!(rows.map(|since| format!("v{since}")).collect::<Vec<_>>(), table.collect::<Vec<_>>());
        for (operator, agent) in OLDER_AGENTS {
            assert!(page.contains(&format!("{operator} runs {agent}")), "{operator}");
        }
    }
}
