//! Selection relations between kinds, in a single table of parents and children.

use super::{AnyResource, Kind, LabelSelector};

/// A kind that selects resources of a different kind, with the two fields that determine the selection.
#[derive(Debug, PartialEq, Eq)]
pub struct Relation {
    /// Kind that selects.
    pub parent: Kind,
    /// Kind that is selected. Each kind is selected by at most one other kind.
    pub child: Kind,
    /// The parent's label selector field. If it is missing, nothing is selected.
    pub labels: &'static str,
    /// The parent's namespace selector field. If it is missing, only the parent's own namespace is searched.
    pub namespaces: &'static str,
}

macro_rules! relations {
    ($($parent:ident($is:ident) => $child:ident {
        $labels:literal: $labels_of:expr,
        $namespaces:literal: $namespaces_of:expr,
    })+) => {
        /// All relations. The relation that selects a kind comes before the relations in which that kind is the parent.
        pub static RELATIONS: &[Relation] = &[$(Relation {
            parent: Kind::$parent,
            child: Kind::$child,
            labels: $labels,
            namespaces: $namespaces,
        }),+];

        impl Relation {
            /// Returns a parent's label selector and namespace selector.
            pub fn selectors<'h, 'd>(&self, parent: AnyResource<'h, 'd>) -> Selectors<'h, 'd> {
                match (parent, self.child) {
                    $((AnyResource::$parent($is), Kind::$child) => [&$labels_of, &$namespaces_of],)+
                    _ => [&None, &None],
                }
            }
        }
    };
}

relations! {
    GrafanaAgent(agent) => MetricsInstance {
        "spec.metrics.instanceSelector": agent.spec.metrics.instance_selector,
        "spec.metrics.instanceNamespaceSelector": agent.spec.metrics.instance_namespace_selector,
    }
    GrafanaAgent(agent) => LogsInstance {
        "spec.logs.instanceSelector": agent.spec.logs.instance_selector,
        "spec.logs.instanceNamespaceSelector": agent.spec.logs.instance_namespace_selector,
    }
    GrafanaAgent(agent) => Integration {
        "spec.integrations.selector": agent.spec.integrations.selector,
        "spec.integrations.namespaceSelector": agent.spec.integrations.namespace_selector,
    }
    MetricsInstance(instance) => ServiceMonitor {
        "spec.serviceMonitorSelector": instance.spec.service_monitor_selector,
        "spec.serviceMonitorNamespaceSelector": instance.spec.service_monitor_namespace_selector,
    }
    MetricsInstance(instance) => PodMonitor {
        "spec.podMonitorSelector": instance.spec.pod_monitor_selector,
        "spec.podMonitorNamespaceSelector": instance.spec.pod_monitor_namespace_selector,
    }
    MetricsInstance(instance) => Probe {
        "spec.probeSelector": instance.spec.probe_selector,
        "spec.probeNamespaceSelector": instance.spec.probe_namespace_selector,
    }
    LogsInstance(instance) => PodLogs {
        "spec.podLogsSelector": instance.spec.pod_logs_selector,
        "spec.podLogsNamespaceSelector": instance.spec.pod_logs_namespace_selector,
    }
}

/// A parent's label selector and namespace selector.
pub type Selectors<'h, 'd> = [&'h Option<LabelSelector<'d>>; 2];

impl Relation {
    /// Returns the relation that selects resources of this kind, or `None` if there is none.
    pub fn for_child(child: Kind) -> Option<&'static Relation> {
        RELATIONS.iter().find(|relation| relation.child == child)
    }
}
