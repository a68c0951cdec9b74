//! Hierarchies → manifests and the agent's configuration.

mod deliver;
mod diagnostics;

pub use deliver::deliver;

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::api::{NodeAddresses, Resource};
use crate::byte_size::ByteSize;
use crate::diagnostic::{Diagnostic, Warned, distinct};
use crate::plan::{Part, Plan};
use crate::pods::{self, Budget, Configurations, ManifestError, Object, Packing};
use crate::resolve::Hierarchy;
use crate::target::agent;

/// How many bytes all manifests together may have, unless something else is asked for.
pub const MAX_OUTPUT_SIZE: ByteSize = ByteSize(1 << 30);

/// The operator's flags, and the limits of the output.
#[derive(Clone, Debug)]
pub struct Options {
    /// Options of all manifests.
    pub manifest: pods::Options,
    /// Namespace and name of the kubelet Service and Endpoints (`--kubelet-service`).
    pub kubelet_service: Option<(String, String)>,
    /// Most shards an agent may have.
    pub max_shards: i32,
    /// How many bytes all manifests together may have.
    pub max_output_size: ByteSize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            manifest: pods::Options::default(),
            kubelet_service: None,
            max_shards: 1000,
            max_output_size: MAX_OUTPUT_SIZE,
        }
    }
}

/// What hierarchies are lowered to.
#[derive(Debug, Default)]
pub struct Lowered {
    /// The objects of each hierarchy, in the order in which the operator creates them.
    pub agents: Vec<Vec<Object>>,
    /// The Service and Endpoints of the kubelets.
    pub others: Vec<Object>,
}

impl Lowered {
    /// All objects: agent by agent, the others behind them.
    pub fn objects(&self) -> impl Iterator<Item = &Object> {
        self.agents.iter().flatten().chain(&self.others)
    }
}

/// The objects of all agents, and those of the kubelets.
pub fn lower(
    hierarchies: &[Hierarchy<'_, '_>],
    nodes: &[Resource<'_, NodeAddresses<'_>>],
    options: &Options,
) -> Warned<Lowered> {
    let budget = Budget::new(options.max_output_size);
    let agents: Vec<_> = hierarchies
        .par_iter()
        .map(|hierarchy| lower_agent(hierarchy, options, &budget))
        .collect();
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    let mut output = Lowered::default();
    for agent in agents {
        diagnostics.extend(agent.diagnostics);
        output.agents.push(agent.output);
    }
    let mut writers = BTreeMap::new();
    for (hierarchy, objects) in hierarchies.iter().zip(&output.agents) {
        for object in objects {
            let key = (object.kind(), object.namespace(), object.name());
            if let Some(first) = writers.insert(key, hierarchy.agent) {
                diagnostics.push(diagnostics::duplicate_object(object, first, hierarchy.agent));
            }
        }
    }
    // Agents, and the configurations of one, share instances, and so their mistakes.
    diagnostics = distinct(diagnostics);
    if let Some((namespace, name)) = &options.kubelet_service {
        match pods::kubelet(namespace, name, &nodes.iter().collect::<Vec<_>>()) {
            Ok(objects) => output.others = objects,
            Err(unknown) => diagnostics.extend(unknown.into_iter().map(diagnostics::node_without_address)),
        }
    }
    Warned { output, diagnostics }
}

fn lower_agent(hierarchy: &Hierarchy<'_, '_>, options: &Options, budget: &Budget) -> Warned<Vec<Object>> {
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    let agent = hierarchy.agent;
    if let Some(shards) = agent.spec.metrics.shards.filter(|&shards| shards > options.max_shards) {
        diagnostics.push(diagnostics::too_many_shards(agent, shards, options.max_shards));
        return Warned {
            output: Vec::new(),
            diagnostics,
        };
    }
    let objects = configurations(hierarchy, &mut diagnostics)
        .and_then(|configurations| pods::manifests(hierarchy, configurations, &options.manifest, budget));
    let output = objects.unwrap_or_else(|error| {
        diagnostics.push(match error {
            ManifestError::Size => diagnostics::output_too_large(options.max_output_size),
            error => diagnostics::manifest_failed(agent, &error),
        });
        Vec::new()
    });
    Warned { output, diagnostics }
}

/// The agent's configurations.
fn configurations(
    hierarchy: &Hierarchy<'_, '_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Configurations, ManifestError> {
    let plan = Plan::new(hierarchy, &Part::of(hierarchy), diagnostics);
    let packed = |part| plan.parts.contains(&part).then(|| packed(&plan, part)).transpose();
    Ok(Configurations {
        metrics: packed(Part::Metrics)?,
        logs: packed(Part::Logs)?,
        integrations: packed(Part::Integrations { all_nodes: false })?,
        node_integrations: packed(Part::Integrations { all_nodes: true })?,
    })
}

fn packed(plan: &Plan<'_>, part: Part) -> Result<Vec<u8>, ManifestError> {
    let mut packing = Packing::default();
    agent::write(plan, part, &mut |piece| packing.push(piece));
    Ok(packing.finish()?)
}
