//! What a rule is: a row that names its codes, where it looks, the function or table that judges, and its source.

use super::conditions::Conditions;
use super::walk::Rows;
use crate::api::{Kind, Resources};
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest;
use crate::resolve::{Hierarchy, Selections};
use crate::targets::scrape::Cluster;

/// The rules of each family.
pub type Families = &'static [&'static [Rule]];

/// What is checked before anything is rendered.
#[derive(Clone, Copy)]
pub struct Input<'i, 'd> {
    pub families: Families,
    pub resources: &'i Resources<'d>,
    pub selections: &'i Selections<'d>,
    pub hierarchies: &'i [Hierarchy<'i, 'd>],
    pub conditions: Conditions<'i>,
}

/// A rule of a family; a table has its own rows, each with a field and what is expected there.
#[cfg_attr(not(test), expect(dead_code, reason = "sources are for readers, and a test"))]
pub struct Rule {
    pub codes: &'static [Code],
    pub place: Place,
    /// The Go function, or the document.
    pub source: &'static str,
}

impl Rule {
    /// What was found; a row that does not list its code fails in every test that finds it. Tables have none of their own.
    pub fn judged(&self, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let is_listed = |found: &Diagnostic| self.codes.is_empty() || self.codes.contains(&found.code);
        debug_assert!(
            found.iter().all(is_listed),
            "{:?} lacks a code of {found:?}",
            self.codes
        );
        found
    }
}

/// Where a rule looks, and what judges there.
#[derive(Clone, Copy)]
pub enum Place {
    /// The `spec` of each resource of a kind that an agent selects, or none does, once.
    Spec(Kind, Rows),
    /// The same, once for each instance that selects it.
    SpecInInstance(Kind, Rows),
    /// Each agent with what it selects.
    Hierarchy(fn(&Input<'_, '_>, &Hierarchy<'_, '_>) -> Vec<Diagnostic>),
    /// All resources, selections and hierarchies.
    Input(fn(&Input<'_, '_>) -> Vec<Diagnostic>),
    /// The objects of a cluster that targets are found in.
    Targets(for<'d> fn(&Resources<'d>, &'d [Hierarchy<'d, 'd>], Cluster<'_, 'd>) -> Vec<Diagnostic>),
    /// The objects that are rendered.
    Objects(fn(&Resources<'_>, &[Hierarchy<'_, '_>], &manifest::Objects) -> Vec<Diagnostic>),
}

/// A row of a family.
pub const fn rule(codes: &'static [Code], place: Place, source: &'static str) -> Rule {
    Rule { codes, place, source }
}

/// A row for the `spec` of a kind, whose table has the codes.
pub const fn table(kind: Kind, rows: Rows, source: &'static str) -> Rule {
    rule(&[], Place::Spec(kind, rows), source)
}

/// The same for what depends on the instance that selects it.
pub const fn table_in_instance(kind: Kind, rows: Rows, source: &'static str) -> Rule {
    rule(&[], Place::SpecInInstance(kind, rows), source)
}
