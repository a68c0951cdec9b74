//! The kinds agentctl reads.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A kind of resource that takes part in a compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// The root of a hierarchy: one deployment of agents.
    GrafanaAgent,
    /// A set of scrape jobs with its own remote writes.
    MetricsInstance,
    /// A set of log sources with its own clients.
    LogsInstance,
    /// An integration of the agent, such as `node_exporter`.
    Integration,
    /// Logs of pods.
    PodLogs,
    /// Metrics of the pods behind a Service.
    ServiceMonitor,
    /// Metrics of pods.
    PodMonitor,
    /// Metrics of a prober about static targets or ingresses.
    Probe,
    /// Core `Secret`.
    Secret,
    /// Core `ConfigMap`.
    ConfigMap,
    /// Core `Namespace`: its labels decide namespace selectors.
    Namespace,
    /// Core `Node`: its addresses go into the kubelet Endpoints.
    Node,
}

impl Kind {
    /// Every kind.
    pub const ALL: &'static [Kind] = &[
        Kind::GrafanaAgent,
        Kind::MetricsInstance,
        Kind::LogsInstance,
        Kind::Integration,
        Kind::PodLogs,
        Kind::ServiceMonitor,
        Kind::PodMonitor,
        Kind::Probe,
        Kind::Secret,
        Kind::ConfigMap,
        Kind::Namespace,
        Kind::Node,
    ];

    /// The kind of an object with this `apiVersion` and `kind`.
    pub fn of(api_version: &str, kind: &str) -> Option<Kind> {
        Kind::ALL
            .iter()
            .copied()
            .find(|k| k.as_str() == kind && k.api_version() == api_version)
    }

    /// The facts about each kind, one row each.
    fn row(self) -> Row {
        match self {
            Kind::GrafanaAgent => ("GrafanaAgent", GRAFANA, &["grafanaagents"]),
            Kind::MetricsInstance => ("MetricsInstance", GRAFANA, &["metricsinstances"]),
            Kind::LogsInstance => ("LogsInstance", GRAFANA, &["logsinstances"]),
            Kind::Integration => ("Integration", GRAFANA, &["integrations"]),
            Kind::PodLogs => ("PodLogs", GRAFANA, &["podlogs"]),
            Kind::ServiceMonitor => ("ServiceMonitor", COREOS, &["servicemonitors", "smon"]),
            Kind::PodMonitor => ("PodMonitor", COREOS, &["podmonitors", "pmon"]),
            Kind::Probe => ("Probe", COREOS, &["probes", "prb"]),
            Kind::Secret => ("Secret", CORE, &["secrets"]),
            Kind::ConfigMap => ("ConfigMap", CORE, &["configmaps", "cm"]),
            Kind::Namespace => ("Namespace", CORE, &["namespaces", "ns"]),
            Kind::Node => ("Node", CORE, &["nodes", "no"]),
        }
    }

    /// The name, as `kind:` has it.
    pub fn as_str(self) -> &'static str {
        self.row().0
    }

    /// Group and version, as `apiVersion:` has them.
    pub fn api_version(self) -> &'static str {
        self.row().1
    }

    /// The plural and the short names (`spec.names` of the CustomResourceDefinitions, and kubectl's own names of the core
    /// kinds). The Go tools derive the singular from the kind.
    pub fn names(self) -> &'static [&'static str] {
        self.row().2
    }

    /// The name of the kind for this number of objects.
    pub fn counted(self, count: usize) -> String {
        let suffix = if count == 1 || self == Kind::PodLogs { "" } else { "s" };
        format!("{self}{suffix}")
    }

    /// Whether it is one of the operator's eight kinds, which a CustomResourceDefinition describes.
    pub fn is_custom(self) -> bool {
        self.api_version() != CORE
    }

    /// Whether its objects hold data that others refer to by key.
    pub fn is_data(self) -> bool {
        matches!(self, Kind::Secret | Kind::ConfigMap)
    }

    /// Whether its objects live in a namespace.
    pub fn is_namespaced(self) -> bool {
        !matches!(self, Kind::Namespace | Kind::Node)
    }
}

const GRAFANA: &str = "monitoring.grafana.com/v1alpha1";
const COREOS: &str = "monitoring.coreos.com/v1";
const CORE: &str = "v1";

/// Name, group and version, plural and short names.
type Row = (&'static str, &'static str, &'static [&'static str]);

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_found_by_its_own_group_only() {
        assert_eq!(Kind::of("monitoring.coreos.com/v1", "Probe"), Some(Kind::Probe));
        assert_eq!(Kind::of("monitoring.coreos.com/v1alpha1", "Probe"), None);
        assert_eq!(Kind::of("v1", "Secret"), Some(Kind::Secret));
        for &kind in Kind::ALL {
            assert_eq!(Kind::of(kind.api_version(), kind.as_str()), Some(kind));
        }
    }
}
