//! Findings at the placeholders of a template: one mistake a file, which is that it was not rendered.

use std::collections::BTreeSet;

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::source::{Sources, Span};
use crate::yaml::Templater;

/// Puts the finding that a file is a template in the place of errors at its placeholders; where there is one, also of warnings.
pub fn gather_templates(sources: &Sources, diagnostics: &mut [Diagnostic]) {
    let source = |found: &Diagnostic| found.primary().map(|label| label.span.source);
    let is_error = |found: &&Diagnostic| {
        found.severity == Severity::Error && !found.code.fails_at_runtime() && templater(sources, found).is_some()
    };
    let templates = diagnostics
        .iter()
        .filter(|found| found.code == Code::UnrenderedTemplate || is_error(found));
    let known: BTreeSet<_> = templates.filter_map(source).collect();
    for found in diagnostics.iter_mut() {
        let is_of_template = source(found).is_some_and(|source| known.contains(&source));
        if let Some((templater, at)) = templater(sources, found).filter(|_| is_of_template) {
            *found = templater.finding(at);
        }
    }
}

/// The language of the value at the first place of a finding, and the place.
fn templater(sources: &Sources, found: &Diagnostic) -> Option<(&'static Templater, Span)> {
    let at = found.primary()?.span;
    let text = sources.get(at.source)?.text.as_str();
    let value = text.get(at.bytes()).filter(|value| !value.contains('\n'))?;
    let templater = Templater::of(value)?;
    (found.code != Code::UnrenderedTemplate).then_some((templater, at))
}
