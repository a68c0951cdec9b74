//! Admitted resources → hierarchies: what each agent selects, and the values that it refers to.

mod agents;
mod child_selectors;
mod concealed;
mod diagnostics;
pub mod explain;
mod hierarchy;
mod inlined;
mod missing;
mod namespaces;
mod placeholder;
pub mod references;
mod requirements;
mod sanitized_keys;
mod secret_mode;
mod secret_store;
mod selection;
mod selector;
mod selector_text;
mod values;

pub use agents::agent_selector;
pub use hierarchy::{Hierarchy, LogsHierarchy, MetricsHierarchy};
pub use inlined::{InlinedValue, inlined_values};
pub use secret_mode::{KeyTemplate, Remote, SecretMode, Store};
pub use secret_store::{AssetKey, AssetKind, SecretStore};
pub use selector::{Condition, InvalidSelector, Requirement, Selector, SelectorPath};

pub use namespaces::Namespaces;
pub use selection::{ChildSelector, ParentSelector, Scope};
pub use values::agent_use;

use missing::Alternatives;
use rayon::prelude::*;
use selection::select;

use crate::api::{GrafanaAgent, LogsInstance, MetricsInstance, Resource, Resources, ServiceMonitor};
use crate::diagnostic::{Diagnostic, Warned};

/// Which agents are compiled, and how.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Only agents with these labels (`--agent-selector`).
    pub agent_selector: Option<String>,
    /// What is done where a value is missing (`--missing-secrets`).
    pub missing_secrets: MissingSecrets,
    /// How the values of Secrets get to the agent (`--secrets`).
    pub secrets: SecretMode,
}

/// What is done where the Secret, ConfigMap or key that a field refers to is not in the input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissingSecrets {
    /// It is an error.
    #[default]
    Error,
    /// It is a warning, and a token that names the value stands in for it.
    Placeholder,
}

/// The hierarchy of every agent that is not paused, by namespace and name of the agent (the operator's
/// `buildHierarchy`).
pub fn resolve<'h, 'd>(resources: &'h Resources<'d>, options: &Options) -> Warned<Vec<Hierarchy<'h, 'd>>> {
    let mut diagnostics = Vec::new();
    let agents = agents::to_compile(resources, options, &mut diagnostics);
    let input = Input {
        resources,
        namespaces: Namespaces::new(resources),
        alternatives: Alternatives::new(resources),
        options,
    };
    let resolved: Vec<_> = agents
        .into_par_iter()
        .map(|agent| {
            let mut diagnostics = Vec::new();
            let hierarchy = input.hierarchy(agent, &mut diagnostics);
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

/// What hierarchies are made of.
struct Input<'h, 'd, 'o> {
    resources: &'h Resources<'d>,
    namespaces: Namespaces<'d>,
    alternatives: Alternatives<'h, 'd>,
    options: &'o Options,
}

impl<'h, 'd> Input<'h, 'd, '_> {
    fn hierarchy(
        &self,
        agent: &'h Resource<'d, GrafanaAgent<'d>>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Hierarchy<'h, 'd> {
        let (resources, spec) = (self.resources, &agent.spec);
        let selected = select(
            agent,
            &spec.metrics_instances(),
            &resources.metrics_instances,
            &self.namespaces,
            diagnostics,
        );
        let metrics = selected.into_iter();
        let metrics = metrics
            .map(|instance| self.metrics(agent, instance, diagnostics))
            .collect();
        let selected = select(
            agent,
            &spec.logs_instances(),
            &resources.logs_instances,
            &self.namespaces,
            diagnostics,
        );
        let logs = selected.into_iter();
        let logs = logs.map(|instance| self.logs(instance, diagnostics)).collect();
        let mut hierarchy = Hierarchy {
            agent,
            metrics,
            logs,
            integrations: select(
                agent,
                &spec.integrations(),
                &resources.integrations,
                &self.namespaces,
                diagnostics,
            ),
            secrets: SecretStore::default(),
        };
        requirements::check(&hierarchy, diagnostics);
        let lookup = values::ValueLookup::new(resources, &self.alternatives, self.options, diagnostics);
        hierarchy.secrets = lookup.of_hierarchy(&hierarchy);
        if let SecretMode::External(_) = self.options.secrets {
            diagnostics.extend(inlined::refused(&hierarchy));
        }
        hierarchy
    }

    fn metrics(
        &self,
        agent: &Resource<'d, GrafanaAgent<'d>>,
        instance: &'h Resource<'d, MetricsInstance<'d>>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> MetricsHierarchy<'h, 'd> {
        let (resources, namespaces, spec) = (self.resources, &self.namespaces, &instance.spec);
        let service_monitors = spec.service_monitors();
        let mut selected = select(
            instance,
            &service_monitors,
            &resources.service_monitors,
            namespaces,
            diagnostics,
        );
        selected.retain(|monitor| may_access_files(agent, monitor, diagnostics));
        let pod_monitors = spec.pod_monitors();
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
            probes: select(instance, &spec.probes(), &resources.probes, namespaces, diagnostics),
        }
    }

    fn logs(
        &self,
        instance: &'h Resource<'d, LogsInstance<'d>>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> LogsHierarchy<'h, 'd> {
        let children = &self.resources.pod_logs;
        LogsHierarchy {
            instance,
            pod_logs: select(
                instance,
                &instance.spec.pod_logs(),
                children,
                &self.namespaces,
                diagnostics,
            ),
        }
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
