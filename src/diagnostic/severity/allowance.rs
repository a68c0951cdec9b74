//! Allowances: what the author of a resource says is meant as it stands.

use std::collections::BTreeMap;

use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, Span};

/// The annotation that holds codes, separated by commas.
pub const ALLOW_ANNOTATION: &str = "agentctl.dev/allow";

/// A code that is not reported for one resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Which rule.
    pub code: Code,
    /// The text of the resource.
    pub resource: Span,
    /// The place of the allowance.
    pub place: Span,
    /// Whether the resource is a list, which allows it for its items.
    pub of_list: bool,
}

impl Allowance {
    /// Path of the annotation that allows codes.
    pub fn path() -> String {
        format!("metadata.annotations[{ALLOW_ANNOTATION}]")
    }

    /// It allows nothing.
    pub(super) fn unused(&self) -> Diagnostic {
        let message = format!("`{}` is allowed, but not found in this resource", self.code);
        Diagnostic::new(Code::UnusedAllowance, message)
            .label(self.place, "")
            .path(Self::path())
            .help("take the code out of the annotation")
    }

    fn key(&self) -> (Code, SourceId, u32) {
        (self.code, self.resource.source, self.resource.start)
    }
}

/// What is allowed of each code, by where the resource starts, with where it ends and whether anything was found in it.
type ByPlace = BTreeMap<(Code, SourceId, u32), (u32, bool)>;

/// The allowances of top-level objects, and of those in lists.
pub(super) struct Allowed {
    objects: ByPlace,
    lists: ByPlace,
}

impl Allowed {
    pub(super) fn new(allowances: &[Allowance]) -> Self {
        let those = |of_list| {
            let those = allowances.iter().filter(move |a| a.of_list == of_list);
            those.map(|a| (a.key(), (a.resource.end, false))).collect()
        };
        Self {
            objects: those(false),
            lists: those(true),
        }
    }

    /// Whether a resource allows what was found in it, which is noted.
    pub(super) fn covers(&mut self, diagnostic: &Diagnostic) -> bool {
        let Some(Span { source, start, .. }) = diagnostic.primary().map(|label| label.span) else {
            return false;
        };
        let (first, last) = ((diagnostic.code, source, 0), (diagnostic.code, source, start));
        let mut covered = false;
        for places in [&mut self.objects, &mut self.lists] {
            let above = places.range_mut(first..=last).rev().map(|(_, found)| found);
            // One may end where the next one starts.
            for (_, used) in above.take_while(|(end, _)| start <= *end) {
                *used = true;
                covered = true;
            }
        }
        covered
    }

    /// Whether an allowance allowed anything.
    pub(super) fn is_used(&self, allowance: &Allowance) -> bool {
        let places = match allowance.of_list {
            true => &self.lists,
            false => &self.objects,
        };
        places.get(&allowance.key()).is_some_and(|&(_, used)| used)
    }
}
