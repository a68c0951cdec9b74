//! Allowances: what the author of a resource says is meant as it stands.

use super::setting::{Level, SettingError, code};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
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

    fn covers(&self, diagnostic: &Diagnostic) -> bool {
        let within = |span: Span| {
            let Span { source, start, end } = self.resource;
            span.source == source && (start..=end).contains(&span.start)
        };
        self.code == diagnostic.code && diagnostic.primary().is_some_and(|label| within(label.span))
    }
}

/// Whether a resource allows what was found in it; notes which allowances do.
pub(super) fn allowed(diagnostic: &Diagnostic, allowances: &[Allowance], used: &mut [bool]) -> bool {
    let mut allowed = false;
    for (_, used) in allowances.iter().zip(used).filter(|(a, _)| a.covers(diagnostic)) {
        *used = true;
        allowed = true;
    }
    allowed
}

fn in_annotation(error: &SettingError, span: Span) -> Diagnostic {
    error.at(span).path(path())
}

fn path() -> String {
    format!("metadata.annotations[{ALLOW_ANNOTATION}]")
}
