//! What is rendered, agent by agent.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::api::Resources;
use crate::compile::Options;
use crate::diagnostic::{Diagnostic, Warned};
use crate::lower;
use crate::lower::manifest::Object;
use crate::resolve::Hierarchy;

/// Namespace and name of an agent.
pub type AgentKey = (String, String);

/// The objects of each agent, and those of none.
#[derive(Default)]
pub struct Rendering {
    /// By namespace and name of the agent.
    pub agents: BTreeMap<AgentKey, Vec<Object>>,
    /// The Service and Endpoints of the kubelets.
    pub others: Vec<Object>,
}

impl Rendering {
    /// Renders hierarchies as they are delivered (`--secrets`); what is found on the way goes to `diagnostics`.
    pub fn new(
        resources: &Resources<'_>,
        hierarchies: Vec<Hierarchy<'_, '_>>,
        options: &Options,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let of_agents = lower::Options {
            kubelet_service: None,
            ..options.lower.clone()
        };
        let rendered: Vec<_> = hierarchies
            .into_par_iter()
            .map(|hierarchy| {
                let meta = &hierarchy.agent.meta;
                let key = (meta.namespace.to_owned(), meta.name.to_owned());
                let hierarchy = vec![hierarchy];
                let Warned { output, diagnostics } = lower::lower(&hierarchy, &[], &of_agents);
                let mode = &options.resolve.secrets;
                let objects = lower::deliver(output, hierarchy, resources, mode, &of_agents);
                ((key, objects), diagnostics)
            })
            .collect();
        let mut agents = BTreeMap::new();
        for ((key, objects), found) in rendered {
            agents.insert(key, objects);
            diagnostics.extend(found);
        }
        let others = lower::lower(&[], &resources.nodes, &options.lower);
        diagnostics.extend(others.diagnostics);
        Self {
            agents,
            others: others.output,
        }
    }
}
