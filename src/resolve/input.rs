use super::missing::Alternatives;
use super::references::References;
use super::{ResolveOptions, Selections};
use crate::api::Resources;

/// Input for building hierarchies.
pub struct ResolveInput<'h, 's, 'd, 'o> {
    pub resources: &'h Resources<'d>,
    pub selections: &'s Selections<'d>,
    /// References in all resources that agents and instances can select.
    pub references: References<'d>,
    pub alternatives: Alternatives<'h, 'd>,
    pub options: &'o ResolveOptions,
}
