//! Resolution of admitted resources into hierarchies: the resources that each agent selects, and the values that they
//! refer to.

mod agents;
mod diagnostics;
pub mod explain;
mod hierarchy;
mod input;
mod job_cost;
mod label_values;
mod missing;
pub mod references;
mod requirements;
mod secret_mode;
mod secret_store;
mod selection;
mod selections;
mod selector;
mod unused_copies;
mod values;

pub use agents::{ResolveOptions, agent_selector, is_requested, read_agent_selector};
pub use diagnostics::misspelled_namespace;
pub use hierarchy::{Hierarchy, LogsHierarchy, MetricsHierarchy, placeholder};
pub use job_cost::JobLimit;
pub use secret_mode::{KeyTemplate, MissingSecrets, Remote, RemoteRef, SecretMode, Store, remote_ref};
pub use secret_store::{AssetKey, SecretStore};
pub use selector::{Condition, Requirement, Selector, parse_selector};
pub use unused_copies::{downgrade_unused_copies, downgrade_unused_duplicates};
pub use values::{InlinedValue, inlined_values, unknown_rights};

pub use selection::{Namespaces, ParentSelector, SearchedNamespaces, SelectorScope};
pub use selections::{Selected, Selections};

use input::ResolveInput;
use missing::Alternatives;
use rayon::prelude::*;

use crate::api::{
    GrafanaAgent, Kind, MetricsInstance, RELATIONS, Relation, Resource, ResourceHeader, Resources, ServiceMonitor,
};
use crate::diagnostic::bound::Bound;
use crate::diagnostic::{Diagnostic, Warned};

/// Returns the hierarchy of every agent that is not paused, sorted by the agent's namespace and name (the operator's
/// `buildHierarchy`).
pub fn resolve<'h, 'd>(resources: &'h Resources<'d>, options: &ResolveOptions) -> Warned<Vec<Hierarchy<'h, 'd>>> {
    resolve_selected(resources, &Selections::new(resources), options)
}

/// Like [`resolve`], for selections that are already known.
pub fn resolve_selected<'h, 'd>(
    resources: &'h Resources<'d>,
    selections: &Selections<'d>,
    options: &ResolveOptions,
) -> Warned<Vec<Hierarchy<'h, 'd>>> {
    let mut diagnostics = Vec::new();
    let agents = agents::select_agents(resources, options, &mut diagnostics);
    let survey = job_cost::ResourceCosts::new(resources);
    if let Err(job_limit_finding) = job_cost::check(resources, selections, &agents, &survey, options.max_jobs) {
        diagnostics.push(*job_limit_finding);
        let output = Vec::new();
        return Warned { output, diagnostics };
    }
    let input = ResolveInput {
        resources,
        selections,
        references: survey.references,
        alternatives: Alternatives::new(resources),
        options,
    };
    let resolved_hierarchies: Vec<_> = agents
        .into_par_iter()
        .map(|agent| {
            let mut diagnostics = Vec::new();
            let hierarchy = input.hierarchy(agent, &mut diagnostics);
            Bound::default().reduce_and_keep(&mut diagnostics, |findings| resources.rejected_fields.retain(findings));
            (hierarchy, diagnostics)
        })
        .collect();
    let (mut output, mut bound_accounts) = (Vec::new(), Bound::default());
    for (hierarchy, findings) in resolved_hierarchies {
        output.push(hierarchy);
        diagnostics.extend(findings);
        bound_accounts.reduce_and_keep(&mut diagnostics, |findings| resources.rejected_fields.retain(findings));
    }
    Warned { output, diagnostics }
}

impl<'h, 'd> ResolveInput<'h, '_, 'd, '_> {
    fn hierarchy(
        &self,
        agent: &'h Resource<'d, GrafanaAgent<'d>>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Hierarchy<'h, 'd> {
        let resources = self.resources;
        let metrics = self.select(agent, Kind::MetricsInstance, &resources.metrics_instances, diagnostics);
        let metrics = metrics.into_iter();
        let metrics = metrics.map(|instance| self.metrics(agent, instance, diagnostics)).collect();
        let logs = self.select(agent, Kind::LogsInstance, &resources.logs_instances, diagnostics);
        let logs = logs.into_iter();
        let logs = logs.map(|instance| LogsHierarchy {
            instance,
            pod_logs: self.select(instance, Kind::PodLogs, &resources.pod_logs, diagnostics),
        });
        let logs = logs.collect();
        let mut hierarchy = Hierarchy {
            agent,
            metrics,
            logs,
            integrations: self.select(agent, Kind::Integration, &resources.integrations, diagnostics),
            references: Vec::new(),
            secrets: SecretStore::default(),
        };
        hierarchy.references = hierarchy.find_references(&self.references);
        requirements::check(&hierarchy, diagnostics);
        hierarchy.secrets = values::look_up(&hierarchy, self, diagnostics);
        if let SecretMode::External(remote) = &self.options.secrets {
            diagnostics.extend(match remote.reads_files {
                true => values::unknown_jobs(&hierarchy),
                false => values::report_uninsertable(&hierarchy, resources, remote),
            });
        }
        hierarchy
    }

    fn metrics(
        &self,
        agent: &Resource<'d, GrafanaAgent<'d>>,
        instance: &'h Resource<'d, MetricsInstance<'d>>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> MetricsHierarchy<'h, 'd> {
        let resources = self.resources;
        let mut service_monitors =
            self.select(instance, Kind::ServiceMonitor, &resources.service_monitors, diagnostics);
        service_monitors.retain(|monitor| may_access_files(agent, monitor, diagnostics));
        let selections = self.selections;
        let monitors = RELATIONS.iter().filter(|relation| relation.parent == Kind::MetricsInstance);
        let searched_namespaces = |relation: &Relation| {
            let selected_children = selections.for_parent(instance, relation.child)?;
            Some((relation.child, selected_children.selector.searched_namespaces(&selections.namespaces)?))
        };
        MetricsHierarchy {
            instance,
            searched: monitors.filter_map(searched_namespaces).collect(),
            service_monitors,
            pod_monitors: self.select(instance, Kind::PodMonitor, &resources.pod_monitors, diagnostics),
            probes: self.select(instance, Kind::Probe, &resources.probes, diagnostics),
        }
    }

    /// Returns the children of a given kind that a parent selects, sorted by namespace and name (the operator's
    /// `hierarchy.List`). An invalid selector is reported and selects nothing.
    fn select<C>(
        &self,
        parent: &ResourceHeader<'d>,
        kind: Kind,
        children: &'h [Resource<'d, C>],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Vec<&'h Resource<'d, C>> {
        let Some(selected_children) = self.selections.for_parent(parent, kind) else {
            return Vec::new();
        };
        let invalid_selectors = selected_children.selector.invalid_selectors();
        diagnostics
            .extend(invalid_selectors.map(|(field, invalid)| diagnostics::invalid_selector(parent, field, invalid)));
        selected_children.indices.iter().filter_map(|&i| children.get(i)).collect()
    }
}

/// Whether a ServiceMonitor is kept. The agent may deny ServiceMonitors access to files (`filterServiceMonitors`).
fn may_access_files<'d>(
    agent: &Resource<'d, GrafanaAgent<'d>>,
    monitor: &Resource<'d, ServiceMonitor<'d>>,
    diagnostics: &mut Vec<Diagnostic>,
) -> bool {
    if !agent.spec.metrics.arbitrary_fs_access_through_sms.deny {
        return true;
    }
    let denied_field = monitor.spec.fields_with_files().next();
    if let Some((i, field)) = denied_field {
        diagnostics.push(diagnostics::file_system_access_denied(agent, monitor, i, field));
    }
    denied_field.is_none()
}

#[cfg(test)]
pub(crate) mod tests;
