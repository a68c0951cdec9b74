//! Findings at the placeholders of a template: one mistake a file, which is that it was not rendered.

use std::collections::BTreeMap;

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::source::{SourceId, Sources, Span};
use crate::yaml::Templater;

/// Puts the finding that a file is a template in the place of errors at its placeholders; where there is one, also of warnings, and
/// of findings that repeat a placeholder.
pub fn gather_templates(sources: &Sources, diagnostics: &mut [Diagnostic]) {
    let source = |found: &Diagnostic| found.primary().map(|label| label.span.source);
    let is_error = |found: &Diagnostic| {
        found.severity == Severity::Error && !found.code.fails_at_runtime() && templater(sources, found).is_some()
    };
    let mut known: BTreeMap<SourceId, Span> = BTreeMap::new();
    for found in diagnostics.iter() {
        if let Some(label) = found.primary()
            && (found.code == Code::UnrenderedTemplate || is_error(found))
        {
            known.entry(label.span.source).or_insert(label.span);
        }
    }
    for found in diagnostics.iter_mut() {
        let Some(first) = source(found).and_then(|source| known.get(&source)) else {
            continue;
        };
        let repeated = || Some((repeated(found)?, *first));
        if let Some((templater, at)) = templater(sources, found).or_else(repeated) {
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

/// The language of a placeholder that a message repeats, perhaps from another place than its own.
fn repeated(found: &Diagnostic) -> Option<&'static Templater> {
    let is_other = found.code != Code::UnrenderedTemplate;
    is_other.then(|| Templater::named_in(&found.message)).flatten()
}
