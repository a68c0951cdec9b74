//! Rules as table rows. A row has the rule's codes, the values that the rule applies to, the function or table that
//! checks them, and a source.

use std::collections::BTreeSet;

use super::conditions::Conditions;
use super::walk::Rows;
use crate::api::{Kind, ObjectRef, ResourceHeader, Resources};
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest;
use crate::resolve::{Hierarchy, Selections};
use crate::targets::scrape::Cluster;

/// Rules, grouped by family.
pub type Families = &'static [&'static [Rule]];

/// Input for rules that are checked before anything is rendered.
#[derive(Clone, Copy)]
pub struct RuleInput<'i, 'd> {
    pub families: Families,
    pub resources: &'i Resources<'d>,
    pub selections: &'i Selections<'d>,
    pub hierarchies: &'i [Hierarchy<'i, 'd>],
    pub conditions: Conditions<'i>,
    /// Monitors that Alloy discovers on its own.
    pub watched: &'i BTreeSet<ObjectRef<'d>>,
}

/// A rule in a family. If the rule is a table, it contains further rows, each with a field and an expectation.
#[cfg_attr(not(test), expect(dead_code, reason = "sources are for readers, and a test"))]
pub struct Rule {
    pub codes: &'static [Code],
    pub target: RuleTarget,
    /// Go function or document that the rule is based on.
    pub source: &'static str,
}

impl Rule {
    /// Returns the findings unchanged. In tests, panics if a finding has a code that the rule does not list. Tables are
    /// exempt, because they list no codes.
    pub fn assert_codes_listed(&self, findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let is_listed = |finding: &Diagnostic| self.codes.is_empty() || self.codes.contains(&finding.code);
        debug_assert!(findings.iter().all(is_listed), "{:?} lacks a code of {findings:?}", self.codes);
        findings
    }
}

/// Values that a rule applies to, and the function or table that checks them.
#[derive(Clone, Copy)]
pub enum RuleTarget {
    /// Each resource of one of the operator's kinds, once.
    Resource(fn(&RuleInput<'_, '_>, &ResourceHeader<'_>) -> Vec<Diagnostic>),
    /// The `spec` of each resource of a kind, once, even if nothing selects the resource.
    Spec(Kind, Rows),
    /// The `spec` of each resource of a kind, once per instance that selects it.
    SpecInInstance(Kind, Rows),
    /// Each agent with the resources it selects.
    Hierarchy(fn(&RuleInput<'_, '_>, &Hierarchy<'_, '_>) -> Vec<Diagnostic>),
    /// All resources, selections and hierarchies.
    RuleInput(fn(&RuleInput<'_, '_>) -> Vec<Diagnostic>),
    /// Cluster objects that targets are discovered from.
    Targets(for<'d> fn(&Resources<'d>, &'d [Hierarchy<'d, 'd>], Cluster<'_, 'd>) -> Vec<Diagnostic>),
    /// Rendered objects.
    Objects(fn(&Resources<'_>, &[Hierarchy<'_, '_>], &manifest::Objects) -> Vec<Diagnostic>),
}

/// Creates a rule that may report findings with `codes`.
pub const fn rule(codes: &'static [Code], target: RuleTarget, source: &'static str) -> Rule {
    Rule { codes, target, source }
}

/// Creates a rule that applies a table to the `spec` of each resource of a kind.
pub const fn table(kind: Kind, rows: Rows, source: &'static str) -> Rule {
    rule(&[], RuleTarget::Spec(kind, rows), source)
}

/// Creates a rule that applies a table to the parts of each resource's `spec` that depend on the selecting instance.
pub const fn table_in_instance(kind: Kind, rows: Rows, source: &'static str) -> Rule {
    rule(&[], RuleTarget::SpecInInstance(kind, rows), source)
}
