//! Admitted resources → hierarchies: what each agent selects, and the values that it refers to.

mod agents;
mod diagnostics;
mod hierarchy;
mod inlined;
mod namespaces;
mod references;
mod requirements;
mod secret_store;
mod selection;
mod selector;
mod selector_text;
mod values;

pub use hierarchy::{Hierarchy, LogsHierarchy, MetricsHierarchy};
pub use inlined::{InlinedValue, inlined_values};
pub use secret_store::{AssetKey, AssetKind, SecretStore};
pub use selector::{Condition, InvalidSelector, Requirement, Selector, SelectorPath};

use namespaces::Namespaces;
use rayon::prelude::*;
use selection::{ChildSelector, select};

use crate::api::{GrafanaAgent, LogsInstance, MetricsInstance, Resource, Resources, ServiceMonitor};
use crate::diagnostic::{Diagnostic, Warned};

/// Which agents are compiled.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Only agents with these labels (`--agent-selector`).
    pub agent_selector: Option<String>,
}

/// The hierarchy of every agent that is not paused, by namespace and name of the agent (the operator's
/// `buildHierarchy`).
pub fn resolve<'h, 'd>(resources: &'h Resources<'d>, options: &Options) -> Warned<Vec<Hierarchy<'h, 'd>>> {
    let mut diagnostics = Vec::new();
    let agents = agents::to_compile(resources, options, &mut diagnostics);
    let namespaces = Namespaces::new(resources);
    let resolved: Vec<_> = agents
        .into_par_iter()
        .map(|agent| {
            let mut diagnostics = Vec::new();
            let hierarchy = hierarchy_of(agent, resources, &namespaces, &mut diagnostics);
            (hierarchy, diagnostics)
        })
        .collect();
    let mut output = Vec::new();
    for (hierarchy, found) in resolved {
        output.push(hierarchy);
        diagnostics.extend(found);
    }
    Warned { output, diagnostics }
}

fn hierarchy_of<'h, 'd>(
    agent: &'h Resource<'d, GrafanaAgent<'d>>,
    resources: &'h Resources<'d>,
    namespaces: &Namespaces<'d>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Hierarchy<'h, 'd> {
    let spec = &agent.spec;
    let metrics_instances = ChildSelector {
        labels: spec.metrics.instance_selector.as_ref(),
        labels_path: "spec.metrics.instanceSelector",
        namespaces: spec.metrics.instance_namespace_selector.as_ref(),
        namespaces_path: "spec.metrics.instanceNamespaceSelector",
    };
    let logs_instances = ChildSelector {
        labels: spec.logs.instance_selector.as_ref(),
        labels_path: "spec.logs.instanceSelector",
        namespaces: spec.logs.instance_namespace_selector.as_ref(),
        namespaces_path: "spec.logs.instanceNamespaceSelector",
    };
    let integrations = ChildSelector {
        labels: spec.integrations.selector.as_ref(),
        labels_path: "spec.integrations.selector",
        namespaces: spec.integrations.namespace_selector.as_ref(),
        namespaces_path: "spec.integrations.namespaceSelector",
    };
    let mut hierarchy = Hierarchy {
        agent,
        metrics: select(
            agent,
            &metrics_instances,
            &resources.metrics_instances,
            namespaces,
            diagnostics,
        )
        .into_iter()
        .map(|instance| metrics_hierarchy(agent, instance, resources, namespaces, diagnostics))
        .collect(),
        logs: select(
            agent,
            &logs_instances,
            &resources.logs_instances,
            namespaces,
            diagnostics,
        )
        .into_iter()
        .map(|instance| logs_hierarchy(instance, resources, namespaces, diagnostics))
        .collect(),
        integrations: select(agent, &integrations, &resources.integrations, namespaces, diagnostics),
        secrets: SecretStore::default(),
    };
    requirements::check(&hierarchy, diagnostics);
    hierarchy.secrets = values::ValueLookup::new(resources, diagnostics).of_hierarchy(&hierarchy);
    hierarchy
}

fn metrics_hierarchy<'h, 'd>(
    agent: &Resource<'d, GrafanaAgent<'d>>,
    instance: &'h Resource<'d, MetricsInstance<'d>>,
    resources: &'h Resources<'d>,
    namespaces: &Namespaces<'d>,
    diagnostics: &mut Vec<Diagnostic>,
) -> MetricsHierarchy<'h, 'd> {
    let spec = &instance.spec;
    let service_monitors = ChildSelector {
        labels: spec.service_monitor_selector.as_ref(),
        labels_path: "spec.serviceMonitorSelector",
        namespaces: spec.service_monitor_namespace_selector.as_ref(),
        namespaces_path: "spec.serviceMonitorNamespaceSelector",
    };
    let pod_monitors = ChildSelector {
        labels: spec.pod_monitor_selector.as_ref(),
        labels_path: "spec.podMonitorSelector",
        namespaces: spec.pod_monitor_namespace_selector.as_ref(),
        namespaces_path: "spec.podMonitorNamespaceSelector",
    };
    let probes = ChildSelector {
        labels: spec.probe_selector.as_ref(),
        labels_path: "spec.probeSelector",
        namespaces: spec.probe_namespace_selector.as_ref(),
        namespaces_path: "spec.probeNamespaceSelector",
    };
    let mut selected = select(
        instance,
        &service_monitors,
        &resources.service_monitors,
        namespaces,
        diagnostics,
    );
    selected.retain(|monitor| may_access_files(agent, monitor, diagnostics));
    MetricsHierarchy {
        instance,
        service_monitors: selected,
        pod_monitors: select(
            instance,
            &pod_monitors,
            &resources.pod_monitors,
            namespaces,
            diagnostics,
        ),
        probes: select(instance, &probes, &resources.probes, namespaces, diagnostics),
    }
}

fn logs_hierarchy<'h, 'd>(
    instance: &'h Resource<'d, LogsInstance<'d>>,
    resources: &'h Resources<'d>,
    namespaces: &Namespaces<'d>,
    diagnostics: &mut Vec<Diagnostic>,
) -> LogsHierarchy<'h, 'd> {
    let pod_logs = ChildSelector {
        labels: instance.spec.pod_logs_selector.as_ref(),
        labels_path: "spec.podLogsSelector",
        namespaces: instance.spec.pod_logs_namespace_selector.as_ref(),
        namespaces_path: "spec.podLogsNamespaceSelector",
    };
    LogsHierarchy {
        instance,
        pod_logs: select(instance, &pod_logs, &resources.pod_logs, namespaces, diagnostics),
    }
}

/// Whether a ServiceMonitor stays although the agent may deny it access to files (`filterServiceMonitors`).
fn may_access_files<'d>(
    agent: &Resource<'d, GrafanaAgent<'d>>,
    monitor: &Resource<'d, ServiceMonitor<'d>>,
    diagnostics: &mut Vec<Diagnostic>,
) -> bool {
    if !agent.spec.metrics.arbitrary_fs_access_through_sms.deny {
        return true;
    }
    let denied = monitor.spec.endpoints.iter().enumerate().find(|(_, e)| e.names_files());
    if let Some((i, endpoint)) = denied {
        diagnostics.push(diagnostics::file_system_access_denied(agent, monitor, i, endpoint));
    }
    denied.is_none()
}
