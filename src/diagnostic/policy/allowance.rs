//! Allowances: what the author of a resource says is meant as it stands.

use std::collections::BTreeMap;

use super::setting::{Level, SettingError, code};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, Span};
use crate::yaml::Node;

/// The annotation that holds codes, separated by commas.
pub const ALLOW_ANNOTATION: &str = "agentctl.dev/allow";

/// A code that is not reported for one resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Which rule.
    pub code: Code,
    /// The text of the resource.
    pub resource: Span,
    /// Where the allowance stands.
    pub place: Span,
}

impl Allowance {
    /// The allowances in the annotations of an object, and of the items of a list.
    pub fn collect(root: Node<'_>, out: &mut Vec<Allowance>, diagnostics: &mut Vec<Diagnostic>) {
        if root.get("metadata").and_then(|node| node.get("annotations")).is_some() {
            Self::of_object(root, out, diagnostics);
        } else if let Some(items) = root.get("items") {
            for item in items.items() {
                Self::collect(item, out, diagnostics);
            }
        }
    }

    fn of_object(root: Node<'_>, out: &mut Vec<Allowance>, diagnostics: &mut Vec<Diagnostic>) {
        let annotations = root.get("metadata").and_then(|node| node.get("annotations"));
        let Some(value) = annotations.and_then(|node| node.get(ALLOW_ANNOTATION)) else {
            return;
        };
        let names = value.as_str().unwrap_or_default().split(',').map(str::trim);
        for name in names.filter(|name| !name.is_empty()) {
            match code(name, Level::Allow) {
                Ok(code) => out.push(Allowance {
                    code,
                    resource: root.span(),
                    place: value.span(),
                }),
                Err(error) => diagnostics.push(in_annotation(&error, value.span())),
            }
        }
    }

    /// It allows nothing.
    pub(super) fn unused(&self) -> Diagnostic {
        let message = format!("`{}` is allowed, but not found in this resource", self.code);
        Diagnostic::new(Code::UnusedAllowance, message)
            .label(self.place, "")
            .path(path())
            .help("take the code out of the annotation")
    }

    fn key(&self) -> (Code, SourceId, u32) {
        (self.code, self.resource.source, self.resource.start)
    }
}

/// What is allowed of each code, by where the resource starts, with where it ends and whether anything was found in it.
/// No resource stands in another.
pub(super) struct Allowed(BTreeMap<(Code, SourceId, u32), (u32, bool)>);

impl Allowed {
    pub(super) fn new(allowances: &[Allowance]) -> Self {
        let allowed = allowances.iter().map(|a| (a.key(), (a.resource.end, false)));
        Self(allowed.collect())
    }

    /// Whether a resource allows what was found in it, which is noted.
    pub(super) fn covers(&mut self, diagnostic: &Diagnostic) -> bool {
        let Some(Span { source, start, .. }) = diagnostic.primary().map(|label| label.span) else {
            return false;
        };
        let (first, last) = ((diagnostic.code, source, 0), (diagnostic.code, source, start));
        let above = self.0.range_mut(first..=last).rev().map(|(_, found)| found);
        let mut covered = false;
        // One may end where the next one starts.
        for (_, used) in above.take_while(|(end, _)| start <= *end) {
            *used = true;
            covered = true;
        }
        covered
    }

    /// Whether an allowance allowed anything.
    pub(super) fn is_used(&self, allowance: &Allowance) -> bool {
        self.0.get(&allowance.key()).is_some_and(|&(_, used)| used)
    }
}

fn in_annotation(error: &SettingError, span: Span) -> Diagnostic {
    error.at(span).path(path())
}

fn path() -> String {
    format!("metadata.annotations[{ALLOW_ANNOTATION}]")
}
