//! Renders hierarchies into manifests and agent configurations.

use std::collections::BTreeMap;

use flate2::Compression;
use rayon::prelude::*;

use super::diagnostics;
use crate::api::Resource;
use crate::budget::{Budget, BudgetExhausted};
use crate::diagnostic::bound::{Bound, limit_findings};
use crate::diagnostic::{Diagnostic, Warned, distinct};
use crate::manifest::{self, AgentName, AgentObjects, ConfigHolder, Object, ObjectRole, Objects, Packing};
use crate::output::{Target, Variables, agent, alloy};
use crate::plan::{ConfigKind, Plan, SecretRepresentation};
use crate::printable::ByteSize;
use crate::resolve::Hierarchy;

/// Default maximum total size of rendered manifests.
pub const MAX_OUTPUT_SIZE: ByteSize = ByteSize(1 << 30);

/// Remaining budgets, shared by agents that are rendered in parallel.
struct Budgets {
    /// Budget for the bytes of manifests.
    output: Budget,
    /// Budget for repeated parts of Alloy configurations.
    repeated: Budget,
}

/// The operator's flags and limits on the output.
#[derive(Clone, Debug)]
pub struct RenderOptions {
    pub manifest: manifest::ManifestOptions,
    /// Namespace and name of the Service and Endpoints for the kubelets (`--kubelet-service`).
    pub kubelet_service: Option<(String, String)>,
    /// Maximum number of shards per agent.
    pub max_shards: i32,
    /// Maximum total size of rendered manifests.
    pub max_output_size: ByteSize,
    /// Whether configurations are also written in a form without secrets, for display.
    pub masks: bool,
}

impl Default for RenderOptions {
    fn default() -> Self {
        Self {
            manifest: manifest::ManifestOptions::default(),
            kubelet_service: None,
            max_shards: 1000,
            max_output_size: MAX_OUTPUT_SIZE,
            masks: false,
        }
    }
}

/// Objects of the agents, including secret values, and the plans they were generated from.
#[derive(Default)]
pub struct RenderedAgents<'h> {
    pub objects: Objects,
    /// Plan of each agent, or `None` if the agent was not rendered.
    pub(super) plans: Vec<Option<Plan<'h>>>,
}

/// Renders the objects for all agents and for the kubelets.
pub fn objects<'h>(
    hierarchies: &'h [Hierarchy<'h, 'h>],
    nodes: &[Resource<'_, ()>],
    options: &RenderOptions,
) -> Warned<RenderedAgents<'h>> {
    let budgets = Budgets { output: Budget::new(options.max_output_size.0), repeated: alloy::repetitions() };
    if options.manifest.config_kind == ConfigHolder::ConfigMap && options.manifest.target.inlines_secrets() {
        let diagnostics = vec![diagnostics::values_in_config_map(options.manifest.target.file())];
        let output = RenderedAgents::default();
        return Warned { output, diagnostics };
    }
    let agent = |hierarchy: &'h Hierarchy<'h, 'h>| {
        let mut diagnostics: Vec<Diagnostic> = Vec::new();
        let result = manifests(hierarchy, options, &budgets, &mut diagnostics);
        let rendered_agent = result.map_err(|failed| diagnostics.push(*failed)).ok();
        limit_findings(&mut diagnostics);
        (rendered_agent, diagnostics)
    };
    let agents: Vec<_> = hierarchies.par_iter().map(agent).collect();
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    let (mut output, mut plans) = (Objects::default(), Vec::new());
    let mut writers = BTreeMap::new();
    let mut bound_accounts = Bound::default();
    for (hierarchy, (agent_rendering, agent_diagnostics)) in hierarchies.iter().zip(agents) {
        diagnostics.extend(agent_diagnostics);
        let agent_rendering = agent_rendering.unwrap_or_default();
        output.agents.push(AgentObjects {
            agent: AgentName::new(&hierarchy.agent.meta),
            objects: agent_rendering.objects,
            has_external_values: false,
            variables: agent_rendering.variables,
            may_be_misread: agent_rendering.may_be_misread,
        });
        plans.push(agent_rendering.plan);
        bound_accounts.keep(&mut diagnostics);
    }
    for (hierarchy, agent) in hierarchies.iter().zip(&output.agents) {
        for object in &agent.objects {
            let key = (object.kind(), object.namespace(), object.name());
            if let Some(first) = writers.insert(key, hierarchy.agent) {
                diagnostics.push(diagnostics::duplicate_object(object, first, hierarchy.agent));
            }
        }
    }
    // Agents that share instances, and different configurations of an agent, produce the same findings.
    diagnostics = distinct(diagnostics);
    output.others = kubelet_objects(nodes, options).report_to(&mut diagnostics);
    let objects = output;
    let output = RenderedAgents { objects, plans };
    Warned { output, diagnostics }
}

/// Returns the Service and Endpoints for the kubelets, if they are requested and each Node has an address.
pub fn kubelet_objects(nodes: &[Resource<'_, ()>], options: &RenderOptions) -> Warned<Vec<Object>> {
    let Some((namespace, name)) = &options.kubelet_service else { return Warned::default() };
    match manifest::kubelet(namespace, name, &nodes.iter().collect::<Vec<_>>()) {
        Ok(output) => Warned { output, diagnostics: Vec::new() },
        Err(unknown) => {
            let diagnostics = unknown.into_iter().map(diagnostics::node_without_address).collect();
            Warned { output: Vec::new(), diagnostics }
        }
    }
}

/// All output rendered for a single agent.
#[derive(Default)]
struct RenderedAgent<'h> {
    objects: Vec<Object>,
    variables: Vec<(ConfigKind, Variables)>,
    may_be_misread: bool,
    plan: Option<Plan<'h>>,
}

fn manifests<'h>(
    hierarchy: &'h Hierarchy<'h, 'h>,
    options: &RenderOptions,
    budgets: &Budgets,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<RenderedAgent<'h>, Box<Diagnostic>> {
    let (budget, max_shards) = (&budgets.output, options.max_shards);
    if let Some(shards) = hierarchy.agent.spec.metrics.shards.filter(|&shards| shards > max_shards) {
        return Err(Box::new(diagnostics::too_many_shards(hierarchy.agent, shards, max_shards)));
    }
    if let Some(too_large) = manifest::too_large(hierarchy) {
        return Err(Box::new(diagnostics::pods_too_large(&too_large)));
    }
    let target = &options.manifest.target;
    let mut plan = Plan::new(hierarchy, &ConfigKind::non_empty_kinds(hierarchy), diagnostics);
    let mut values = manifest::values(&hierarchy.secrets);
    match target {
        Target::Agent => {}
        Target::Alloy(settings) => {
            alloy::spend_repetitions(&plan, &budgets.repeated)?;
            plan.take_credentials(settings.is_public);
            values.extend(alloy::files(&plan));
            diagnostics.extend(alloy::losses(&plan, settings.watcher()));
        }
    }
    limit_findings(diagnostics);
    let (mut configurations, mut variables, mut may_be_misread) = (Vec::new(), Vec::new(), false);
    for &config_kind in &plan.parts {
        let mut facts = RecordedFacts::default();
        let packed_result =
            pack_configuration(&plan, config_kind, SecretRepresentation::Values, options, budget, &mut facts);
        diagnostics.extend(facts.losses);
        configurations.push((config_kind, packed_result?));
        variables.push((config_kind, facts.variables));
        may_be_misread |= facts.may_be_misread;
    }
    let result = manifest::manifests(hierarchy, values, configurations, &options.manifest, budget);
    let manifest_objects = result.map_err(|BudgetExhausted| diagnostics::output_too_large(options.max_output_size))?;
    let masked_budget = Budget::new(options.max_output_size.0);
    let with_masked = |object: Object| match object.role() {
        ObjectRole::Configuration(part) if options.masks => {
            let configuration = self::pack_configuration(
                &plan,
                part,
                SecretRepresentation::Masked,
                options,
                &masked_budget,
                &mut RecordedFacts::default(),
            )?;
            Ok(object.with_masked(target.language(), configuration))
        }
        _ => Ok(object),
    };
    let objects = manifest_objects.into_iter().map(with_masked).collect::<Result<_, Box<_>>>()?;
    Ok(RenderedAgent { objects, variables, may_be_misread, plan: Some(plan) })
}

/// Facts recorded while a configuration is written.
#[derive(Default)]
pub(super) struct RecordedFacts {
    losses: Vec<Diagnostic>,
    variables: Variables,
    may_be_misread: bool,
}

/// Returns a configuration as stored in its Secret. Its size, after any compression, is charged to `budget`.
pub(super) fn pack_configuration(
    plan: &Plan<'_>,
    kind: ConfigKind,
    secrets: SecretRepresentation,
    options: &RenderOptions,
    budget: &Budget,
    facts: &mut RecordedFacts,
) -> Result<Vec<u8>, Box<Diagnostic>> {
    // Only `diff` uses masked text, and it decompresses the text again.
    let mut packing = Packing::new(match secrets.are_hidden() {
        true => Compression::fast(),
        false => Compression::default(),
    });
    match &options.manifest.target {
        Target::Agent => {
            let written_facts = agent::write(plan, kind, secrets, &mut |piece| packing.push(piece));
            (facts.variables, facts.may_be_misread) = (written_facts.variables, written_facts.may_be_misread);
        }
        Target::Alloy(settings) => {
            let written_facts = alloy::write(plan, kind, settings, secrets, &mut |piece| {
                facts.variables.add(piece, false);
                packing.push(piece);
            });
            facts.losses.extend(written_facts.losses);
        }
    }
    let is_within_budget = budget.spend(packing.packed_size());
    is_within_budget.map_err(|BudgetExhausted| Box::new(diagnostics::output_too_large(options.max_output_size)))?;
    let packed_bytes = packing.finish();
    packed_bytes.map_err(|error| Box::new(diagnostics::compression_failed(plan.agent, &error)))
}
