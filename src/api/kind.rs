//! The kinds agentctl reads.

use std::fmt;

/// A kind of resource that takes part in a compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

    /// The name, as `kind:` has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::GrafanaAgent => "GrafanaAgent",
            Kind::MetricsInstance => "MetricsInstance",
            Kind::LogsInstance => "LogsInstance",
            Kind::Integration => "Integration",
            Kind::PodLogs => "PodLogs",
            Kind::ServiceMonitor => "ServiceMonitor",
            Kind::PodMonitor => "PodMonitor",
            Kind::Probe => "Probe",
            Kind::Secret => "Secret",
            Kind::ConfigMap => "ConfigMap",
            Kind::Namespace => "Namespace",
            Kind::Node => "Node",
        }
    }

    /// Group and version, as `apiVersion:` has them.
    pub fn api_version(self) -> &'static str {
        match self {
            Kind::GrafanaAgent | Kind::MetricsInstance | Kind::LogsInstance | Kind::Integration | Kind::PodLogs => {
                "monitoring.grafana.com/v1alpha1"
            }
            Kind::ServiceMonitor | Kind::PodMonitor | Kind::Probe => "monitoring.coreos.com/v1",
            Kind::Secret | Kind::ConfigMap | Kind::Namespace | Kind::Node => "v1",
        }
    }

    /// Whether it is one of the operator's eight kinds, which a CustomResourceDefinition describes.
    pub fn is_custom(self) -> bool {
        self.api_version() != "v1"
    }

    /// Whether its objects live in a namespace.
    pub fn is_namespaced(self) -> bool {
        !matches!(self, Kind::Namespace | Kind::Node)
    }
}

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
