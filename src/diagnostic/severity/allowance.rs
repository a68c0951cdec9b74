//! Allowances: findings that a resource's author accepts with an annotation.

use std::collections::BTreeMap;

use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, Span};

/// Annotation that lists the allowed codes, separated by commas.
pub const ALLOW_ANNOTATION: &str = "agentctl.dev/allow";

/// A code that is not reported for a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Code that is allowed for the resource.
    pub code: Code,
    pub resource: Span,
    /// Span of the allowance in the annotation.
    pub span: Span,
    /// Whether the resource is a list, whose allowance applies to its items.
    pub is_from_list: bool,
}

impl Allowance {
    /// Returns the field path of the annotation.
    pub fn path() -> String {
        format!("metadata.annotations[{ALLOW_ANNOTATION}]")
    }

    /// Finding for an allowance that has no effect.
    pub(super) fn unused_finding(&self) -> Diagnostic {
        let message = format!("`{}` is allowed, but does not occur in this resource", self.code);
        Diagnostic::new(Code::UnusedAllowance, message)
            .label(self.span, "")
            .path(Self::path())
            .help("remove the code from the annotation")
    }

    fn key(&self) -> (Code, SourceId, u32) {
        (self.code, self.resource.source, self.resource.start)
    }
}

/// Allowances by code, source and start of the resource. The values are the end of the resource and whether the
/// allowance was used.
type AllowancesByStart = BTreeMap<(Code, SourceId, u32), (u32, bool)>;

/// Allowances of top-level objects and of lists.
pub(super) struct AllowanceIndex {
    objects: AllowancesByStart,
    lists: AllowancesByStart,
}

impl AllowanceIndex {
    pub(super) fn new(allowances: &[Allowance]) -> Self {
        let allowances_by_start = |is_from_list| {
            let allowances_by_start = allowances.iter().filter(move |a| a.is_from_list == is_from_list);
            allowances_by_start.map(|a| (a.key(), (a.resource.end, false))).collect()
        };
        Self { objects: allowances_by_start(false), lists: allowances_by_start(true) }
    }

    /// Whether a resource allows a finding. Marks the allowance as used.
    pub(super) fn covers(&mut self, diagnostic: &Diagnostic) -> bool {
        let Some(Span { source, start, .. }) = diagnostic.primary().map(|label| label.span) else {
            return false;
        };
        let (first, last) = ((diagnostic.code, source, 0), (diagnostic.code, source, start));
        let mut is_covered = false;
        for places in [&mut self.objects, &mut self.lists] {
            let above = places.range_mut(first..=last).rev().map(|(_, allowance)| allowance);
            // A resource may end where the next one starts.
            for (_, used) in above.take_while(|(end, _)| start <= *end) {
                *used = true;
                is_covered = true;
            }
        }
        is_covered
    }

    /// Whether an allowance had any effect.
    pub(super) fn is_used(&self, allowance: &Allowance) -> bool {
        let places = match allowance.is_from_list {
            true => &self.lists,
            false => &self.objects,
        };
        places.get(&allowance.key()).is_some_and(|&(_, used)| used)
    }
}
