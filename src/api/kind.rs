//! Kinds that agentctl reads.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Calls the macro `$make` with the table of kinds. Each row contains a kind's summary, its name, its list in
/// `Resources`, the type of its specification, its group and version, and its plural and short names. All kind-specific
/// code is generated from this table.
macro_rules! kinds {
    ($make:ident) => {
        $make! {
            /// A deployment of agents: the root of a hierarchy of resources.
            GrafanaAgent { agents: GrafanaAgent<'d>, GRAFANA_API_VERSION, ["grafanaagents"] }
            /// A set of scrape jobs with its own remote writes.
            MetricsInstance { metrics_instances: MetricsInstance<'d>, GRAFANA_API_VERSION, ["metricsinstances"] }
            /// A set of log sources with its own clients.
            LogsInstance { logs_instances: LogsInstance<'d>, GRAFANA_API_VERSION, ["logsinstances"] }
            /// An integration of the agent, such as `node_exporter`.
            Integration { integrations: Integration<'d>, GRAFANA_API_VERSION, ["integrations"] }
            /// A selection of pods to collect logs from, and the processing of the logs.
            PodLogs { pod_logs: PodLogs<'d>, GRAFANA_API_VERSION, ["podlogs"] }
            /// A selection of Services to scrape, and the scrape settings.
            ServiceMonitor { service_monitors: ServiceMonitor<'d>, COREOS_API_VERSION, ["servicemonitors", "smon"] }
            /// A selection of pods to scrape, and the scrape settings.
            PodMonitor { pod_monitors: PodMonitor<'d>, COREOS_API_VERSION, ["podmonitors", "pmon"] }
            /// A selection of static targets or Ingresses to probe, and the probe settings.
            Probe { probes: Probe<'d>, COREOS_API_VERSION, ["probes", "prb"] }
            /// Core `Secret`.
            Secret { secrets: SecretData<'d>, CORE_API_VERSION, ["secrets"] }
            /// Core `ConfigMap`.
            ConfigMap { config_maps: SecretData<'d>, CORE_API_VERSION, ["configmaps", "cm"] }
            /// Core `Namespace`: its labels are matched by namespace selectors.
            Namespace { namespaces: (), CORE_API_VERSION, ["namespaces", "ns"] }
            /// Core `Node`: its addresses are listed in the kubelet Endpoints.
            Node { nodes: (), CORE_API_VERSION, ["nodes", "no"] }
        }
    };
}
pub(in crate::api) use kinds;

struct KindProperties {
    summary: &'static str,
    name: &'static str,
    api_version: &'static str,
    names: &'static [&'static str],
}

macro_rules! kind {
    ($(#[doc = $summary:literal] $kind:ident { $list:ident: $spec:ty, $version:ident, [$($name:literal),+] })+) => {
        /// A kind of resource that the compiler uses.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum Kind {
            $(#[doc = $summary] $kind,)+
        }

        impl Kind {
            /// Every kind.
            pub const ALL: &'static [Kind] = &[$(Kind::$kind),+];

            fn row(self) -> &'static KindProperties {
                match self {
                    $(Kind::$kind => &KindProperties {
                        summary: $summary,
                        name: stringify!($kind),
                        api_version: $version,
                        names: &[$($name),+],
                    },)+
                }
            }
        }
    };
}
kinds!(kind);

impl Kind {
    /// Returns the kind with this `apiVersion` and `kind`, or `None` if agentctl does not use it.
    pub fn from_type(api_version: &str, kind: &str) -> Option<Kind> {
        Kind::ALL.iter().copied().find(|k| k.as_str() == kind && k.api_version() == api_version)
    }

    /// Returns a one-sentence summary of the kind.
    pub fn summary(self) -> &'static str {
        self.row().summary.trim_start()
    }

    /// Returns the name of the kind, as written in `kind:`.
    pub fn as_str(self) -> &'static str {
        self.row().name
    }

    /// Returns the group and version of the kind, as written in `apiVersion:`.
    pub fn api_version(self) -> &'static str {
        self.row().api_version
    }

    /// Returns the API group; empty for core kinds.
    pub fn group(self) -> &'static str {
        self.api_version().rsplit_once('/').map_or("", |(group, _)| group)
    }

    /// Returns the version, such as `v1alpha1`.
    pub fn version(self) -> &'static str {
        self.api_version().rsplit('/').next().unwrap_or_default()
    }

    /// Returns the plural name, as used in URLs.
    pub fn plural(self) -> &'static str {
        self.names().first().copied().unwrap_or_default()
    }

    /// Returns the plural and short names: `spec.names` in the CustomResourceDefinitions, and kubectl's names for the
    /// core kinds. Go tools derive the singular name from the kind.
    pub fn names(self) -> &'static [&'static str] {
        self.row().names
    }

    /// Returns the kind in the plural, such as `ServiceMonitors`.
    pub fn plural_kind(self) -> String {
        let suffix = if self == Kind::PodLogs { "" } else { "s" };
        format!("{self}{suffix}")
    }

    /// Returns the name of the kind, in the plural unless `count` is 1.
    pub fn name_for_count(self, count: usize) -> String {
        if count == 1 { self.to_string() } else { self.plural_kind() }
    }

    /// Whether the kind is one of the eight kinds defined by the operator's CustomResourceDefinitions.
    pub fn is_custom(self) -> bool {
        self.api_version() != CORE_API_VERSION
    }

    /// Whether the kind belongs to prometheus-operator. Grafana Agent Operator also reads these kinds.
    pub fn is_prometheus_kind(self) -> bool {
        self.api_version() == COREOS_API_VERSION
    }

    /// Whether objects of this kind contain data that other objects refer to by key.
    pub fn is_data(self) -> bool {
        matches!(self, Kind::Secret | Kind::ConfigMap)
    }

    /// Returns the scope of the kind, as written in CustomResourceDefinitions.
    pub fn scope(self) -> &'static str {
        if self.is_namespaced() { "Namespaced" } else { "Cluster" }
    }

    /// Whether objects of this kind are namespaced.
    pub fn is_namespaced(self) -> bool {
        !matches!(self, Kind::Namespace | Kind::Node)
    }
}

const GRAFANA_API_VERSION: &str = "monitoring.grafana.com/v1alpha1";
const COREOS_API_VERSION: &str = "monitoring.coreos.com/v1";
const CORE_API_VERSION: &str = "v1";

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_kinds_by_their_group() {
        assert_eq!(Kind::from_type("monitoring.coreos.com/v1", "Probe"), Some(Kind::Probe));
        assert_eq!(Kind::from_type("monitoring.coreos.com/v1alpha1", "Probe"), None);
        assert_eq!(Kind::from_type("v1", "Secret"), Some(Kind::Secret));
        for &kind in Kind::ALL {
            assert_eq!(Kind::from_type(kind.api_version(), kind.as_str()), Some(kind));
            let summary = kind.summary();
            assert!(summary.ends_with('.') && !summary.starts_with(' '), "{summary}");
        }
    }

    #[test]
    fn kinds_have_the_names_of_their_definitions() {
        for (kind, group, version, plural, is_custom, is_of_prometheus, is_data, scope) in [
            (Kind::PodLogs, "monitoring.grafana.com", "v1alpha1", "podlogs", true, false, false, "Namespaced"),
            (Kind::Probe, "monitoring.coreos.com", "v1", "probes", true, true, false, "Namespaced"),
            (Kind::Secret, "", "v1", "secrets", false, false, true, "Namespaced"),
            (Kind::ConfigMap, "", "v1", "configmaps", false, false, true, "Namespaced"),
            (Kind::Namespace, "", "v1", "namespaces", false, false, false, "Cluster"),
            (Kind::Node, "", "v1", "nodes", false, false, false, "Cluster"),
        ] {
            let names = (kind.group(), kind.version(), kind.plural(), kind.is_custom());
            assert_eq!(names, (group, version, plural, is_custom), "{kind}");
            let properties = (kind.is_prometheus_kind(), kind.is_data(), kind.scope(), kind.is_namespaced());
            assert_eq!(properties, (is_of_prometheus, is_data, scope, scope == "Namespaced"), "{kind}");
        }
        for (kind, count, expected) in [
            (Kind::Probe, 0, "Probes"),
            (Kind::Probe, 1, "Probe"),
            (Kind::Probe, 2, "Probes"),
            (Kind::PodLogs, 1, "PodLogs"),
            (Kind::PodLogs, 2, "PodLogs"),
        ] {
            assert_eq!(kind.name_for_count(count), expected);
        }
    }
}
