//! Values that the operator writes into the agent's configuration.

use std::borrow::Cow;

use super::references::{Reference, Usage};
use super::{Hierarchy, diagnostics};
use crate::api::Head;
use crate::diagnostic::{Diagnostic, FieldPath};

/// A credential of the configuration, and the field that refers to it. It has no `Debug`: it holds a secret value.
pub struct InlinedValue<'h, 'd> {
    /// The resource with the field.
    pub referrer: &'h Head<'d>,
    /// The field.
    pub path: FieldPath<'static>,
    /// The value.
    pub text: Cow<'h, str>,
}

/// All credentials that the configurations of a hierarchy hold; additional scrape configurations are none.
pub fn inlined_values<'h, 'd>(hierarchy: &Hierarchy<'h, 'd>) -> Vec<InlinedValue<'h, 'd>> {
    let fields = hierarchy
        .references()
        .filter(|(_, reference)| reference.usage == Usage::Value);
    let values = fields.filter_map(|(referrer, reference)| {
        let text = hierarchy.secrets.text(&reference.key(referrer.meta.namespace))?;
        Some(InlinedValue {
            referrer: referrer.head(),
            path: reference.path,
            text,
        })
    });
    values.collect()
}

/// A finding for every field whose value is written into a configuration (`--secrets=external`).
pub fn refused(hierarchy: &Hierarchy<'_, '_>) -> Vec<Diagnostic> {
    let is_inlined = |reference: &Reference<'_>| reference.usage.is_needed() && !reference.selector.name.is_empty();
    let fields = hierarchy.references().filter(|(_, reference)| is_inlined(reference));
    fields
        .map(|(referrer, reference)| diagnostics::inlined_secret(&referrer, &reference))
        .collect()
}
