//! Which kind selects which: the one list of parents and children.

use super::{AnyResource, Kind, LabelSelector};

/// A kind that selects resources of another, with the two fields that decide.
#[derive(Debug, PartialEq, Eq)]
pub struct Relation {
    /// The kind that selects.
    pub parent: Kind,
    /// The kind that is selected; no kind is selected by two others.
    pub child: Kind,
    /// The parent's field with the label selector. Where it is missing, nothing is selected.
    pub labels: &'static str,
    /// The parent's field with the namespace selector. Where it is missing, only the parent's own namespace counts.
    pub namespaces: &'static str,
}

/// Every relation; parents are selected further up in the list than they select.
pub static RELATIONS: [Relation; 7] = [
    Relation {
        parent: Kind::GrafanaAgent,
        child: Kind::MetricsInstance,
        labels: "spec.metrics.instanceSelector",
        namespaces: "spec.metrics.instanceNamespaceSelector",
    },
    Relation {
        parent: Kind::GrafanaAgent,
        child: Kind::LogsInstance,
        labels: "spec.logs.instanceSelector",
        namespaces: "spec.logs.instanceNamespaceSelector",
    },
    Relation {
        parent: Kind::GrafanaAgent,
        child: Kind::Integration,
        labels: "spec.integrations.selector",
        namespaces: "spec.integrations.namespaceSelector",
    },
    Relation {
        parent: Kind::MetricsInstance,
        child: Kind::ServiceMonitor,
        labels: "spec.serviceMonitorSelector",
        namespaces: "spec.serviceMonitorNamespaceSelector",
    },
    Relation {
        parent: Kind::MetricsInstance,
        child: Kind::PodMonitor,
        labels: "spec.podMonitorSelector",
        namespaces: "spec.podMonitorNamespaceSelector",
    },
    Relation {
        parent: Kind::MetricsInstance,
        child: Kind::Probe,
        labels: "spec.probeSelector",
        namespaces: "spec.probeNamespaceSelector",
    },
    Relation {
        parent: Kind::LogsInstance,
        child: Kind::PodLogs,
        labels: "spec.podLogsSelector",
        namespaces: "spec.podLogsNamespaceSelector",
    },
];

/// The label selector and the namespace selector of a parent.
pub type Selectors<'h, 'd> = [&'h Option<LabelSelector<'d>>; 2];

impl Relation {
    /// The relation in which resources of a kind are selected.
    pub fn to(child: Kind) -> Option<&'static Relation> {
        RELATIONS.iter().find(|relation| relation.child == child)
    }

    /// The values of the two fields of a parent.
    pub fn selectors<'h, 'd>(&self, parent: AnyResource<'h, 'd>) -> Selectors<'h, 'd> {
        match (parent, self.child) {
            (AnyResource::GrafanaAgent(agent), Kind::MetricsInstance) => {
                let metrics = &agent.spec.metrics;
                [&metrics.instance_selector, &metrics.instance_namespace_selector]
            }
            (AnyResource::GrafanaAgent(agent), Kind::LogsInstance) => {
                let logs = &agent.spec.logs;
                [&logs.instance_selector, &logs.instance_namespace_selector]
            }
            (AnyResource::GrafanaAgent(agent), Kind::Integration) => {
                let integrations = &agent.spec.integrations;
                [&integrations.selector, &integrations.namespace_selector]
            }
            (AnyResource::MetricsInstance(instance), Kind::ServiceMonitor) => {
                let spec = &instance.spec;
                [&spec.service_monitor_selector, &spec.service_monitor_namespace_selector]
            }
            (AnyResource::MetricsInstance(instance), Kind::PodMonitor) => {
                let spec = &instance.spec;
                [&spec.pod_monitor_selector, &spec.pod_monitor_namespace_selector]
            }
            (AnyResource::MetricsInstance(instance), Kind::Probe) => {
                let spec = &instance.spec;
                [&spec.probe_selector, &spec.probe_namespace_selector]
            }
            (AnyResource::LogsInstance(instance), Kind::PodLogs) => {
                let spec = &instance.spec;
                [&spec.pod_logs_selector, &spec.pod_logs_namespace_selector]
            }
            _ => [&None, &None],
        }
    }
}
