//! The selectors of agents and instances, by what they select.

use super::selection::ChildSelector;
use crate::api::{GrafanaAgent, LogsInstance, MetricsInstance};

impl<'d> GrafanaAgent<'d> {
    /// What selects its MetricsInstances.
    pub fn metrics_instances(&self) -> ChildSelector<'_, 'd> {
        ChildSelector {
            labels: self.metrics.instance_selector.as_ref(),
            labels_path: "spec.metrics.instanceSelector",
            namespaces: self.metrics.instance_namespace_selector.as_ref(),
            namespaces_path: "spec.metrics.instanceNamespaceSelector",
        }
    }

    /// What selects its LogsInstances.
    pub fn logs_instances(&self) -> ChildSelector<'_, 'd> {
        ChildSelector {
            labels: self.logs.instance_selector.as_ref(),
            labels_path: "spec.logs.instanceSelector",
            namespaces: self.logs.instance_namespace_selector.as_ref(),
            namespaces_path: "spec.logs.instanceNamespaceSelector",
        }
    }

    /// What selects its Integrations.
    pub fn integrations(&self) -> ChildSelector<'_, 'd> {
        ChildSelector {
            labels: self.integrations.selector.as_ref(),
            labels_path: "spec.integrations.selector",
            namespaces: self.integrations.namespace_selector.as_ref(),
            namespaces_path: "spec.integrations.namespaceSelector",
        }
    }
}

impl<'d> MetricsInstance<'d> {
    /// What selects its ServiceMonitors.
    pub fn service_monitors(&self) -> ChildSelector<'_, 'd> {
        ChildSelector {
            labels: self.service_monitor_selector.as_ref(),
            labels_path: "spec.serviceMonitorSelector",
            namespaces: self.service_monitor_namespace_selector.as_ref(),
            namespaces_path: "spec.serviceMonitorNamespaceSelector",
        }
    }

    /// What selects its PodMonitors.
    pub fn pod_monitors(&self) -> ChildSelector<'_, 'd> {
        ChildSelector {
            labels: self.pod_monitor_selector.as_ref(),
            labels_path: "spec.podMonitorSelector",
            namespaces: self.pod_monitor_namespace_selector.as_ref(),
            namespaces_path: "spec.podMonitorNamespaceSelector",
        }
    }

    /// What selects its Probes.
    pub fn probes(&self) -> ChildSelector<'_, 'd> {
        ChildSelector {
            labels: self.probe_selector.as_ref(),
            labels_path: "spec.probeSelector",
            namespaces: self.probe_namespace_selector.as_ref(),
            namespaces_path: "spec.probeNamespaceSelector",
        }
    }
}

impl<'d> LogsInstance<'d> {
    /// What selects its PodLogs.
    pub fn pod_logs(&self) -> ChildSelector<'_, 'd> {
        ChildSelector {
            labels: self.pod_logs_selector.as_ref(),
            labels_path: "spec.podLogsSelector",
            namespaces: self.pod_logs_namespace_selector.as_ref(),
            namespaces_path: "spec.podLogsNamespaceSelector",
        }
    }
}
