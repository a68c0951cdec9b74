//! Rendering state for an agent's objects.

use super::metadata::ManifestOptions;
use super::object::Object;
use super::program::Program;
use crate::budget::Budget;
use crate::resolve::Hierarchy;

/// An agent and the objects rendered so far.
pub(super) struct AgentRendering<'b, 'h, 'd> {
    pub(super) hierarchy: &'b Hierarchy<'h, 'd>,
    pub(super) options: &'b ManifestOptions,
    pub(super) budget: &'b Budget,
    pub(super) program: Program,
    pub(super) objects: Vec<Object>,
}

impl AgentRendering<'_, '_, '_> {
    pub(super) fn name(&self) -> &str {
        self.hierarchy.agent.meta.name
    }
}
