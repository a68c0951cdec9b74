//! Allowances: what the author of a resource says is meant as it stands.

use super::setting::{Level, SettingError, code};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::yaml::{Node, each_object};

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
    /// The allowances in the annotations of an object, or of a list, where they are for every item, and of its items.
    pub fn collect(root: Node<'_>, out: &mut Vec<Allowance>, diagnostics: &mut Vec<Diagnostic>) {
        each_object(root, &mut |found| Self::of_object(found.root(), out, diagnostics));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Source, Sources};
    use crate::yaml::{Limits, read};

    #[test]
    fn a_list_allows_for_its_items_and_they_for_themselves() {
        let text = "apiVersion: v1\nkind: List\nmetadata: {annotations: {agentctl.dev/allow: paused-agent}}\n\
                    items:\n- apiVersion: v1\n  kind: Secret\n  metadata: {annotations: {agentctl.dev/allow: \
                    duplicate-item}}\n";
        let id = Sources::default().add(Source::new("x.yaml", "", true));
        let documents = read(id, text, &Limits::default()).output;
        let (mut found, mut diagnostics) = (Vec::new(), Vec::new());
        Allowance::collect(documents[0].root(), &mut found, &mut diagnostics);
        let codes: Vec<_> = found.iter().map(|allowance| allowance.code).collect();
        assert_eq!(codes, [Code::PausedAgent, Code::DuplicateItem]);
        assert!(found[0].resource.end >= found[1].resource.end);
        assert_eq!(diagnostics, []);
    }
}
