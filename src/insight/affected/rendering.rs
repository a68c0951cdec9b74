//! What is rendered, agent by agent.

use std::collections::BTreeMap;

use crate::api::Resources;
use crate::compile::{Bundle, Options};
use crate::diagnostic::Diagnostic;
use crate::lower::{self, Lowered};
use crate::pods::{AgentName, Object};
use crate::resolve::Hierarchy;

/// The objects of each agent, and those of none.
#[derive(Default)]
pub struct Rendering {
    /// By agent.
    pub agents: BTreeMap<AgentName, Vec<Object>>,
    /// The Service and Endpoints of the kubelets.
    pub others: Vec<Object>,
}

impl Rendering {
    /// Renders hierarchies as they are delivered (`--secrets`); what is found on the way goes to `diagnostics`.
    pub fn new(
        resources: &Resources<'_>,
        hierarchies: &[Hierarchy<'_, '_>],
        options: &Options,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let lowered = lower::lower(hierarchies, &resources.nodes, &options.lower);
        diagnostics.extend(lowered.diagnostics);
        let mode = &options.resolve.secrets;
        let delivered = lower::deliver(lowered.output, hierarchies, resources, mode, &options.lower);
        diagnostics.extend(delivered.diagnostics);
        let Lowered { agents, others } = delivered.output;
        let names = hierarchies.iter().map(|hierarchy| AgentName::of(&hierarchy.agent.meta));
        Self {
            agents: names.zip(agents).collect(),
            others,
        }
    }
}

impl From<Bundle> for Rendering {
    fn from(bundle: Bundle) -> Self {
        let mut objects = bundle.objects.into_iter();
        let agents = bundle.agents.into_iter().zip(bundle.counts);
        let agents = agents.map(|(agent, count)| (agent, objects.by_ref().take(count).collect()));
        Self {
            agents: agents.collect(),
            others: objects.collect(),
        }
    }
}
