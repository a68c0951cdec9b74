//! The order in which diagnostics are shown.

use std::cmp::Reverse;

use super::Diagnostic;

/// By source, place and severity, the worst first; those without a place last; identical ones once.
pub(super) fn in_order(diagnostics: &[Diagnostic]) -> Vec<&Diagnostic> {
    let mut ordered: Vec<_> = diagnostics.iter().collect();
    ordered.sort_by(|a, b| key(a).cmp(&key(b)));
    ordered.dedup();
    ordered
}

/// Covers every field, so that identical diagnostics come to stand side by side.
fn key(diagnostic: &Diagnostic) -> impl Ord + '_ {
    let start = diagnostic.primary().map(|label| (label.span.source, label.span.start));
    let what = (diagnostic.code, &diagnostic.message, &diagnostic.help);
    let about = (&diagnostic.resource, &diagnostic.path, &diagnostic.labels);
    (start.is_none(), start, Reverse(diagnostic.severity), what, about)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::format::sample;
    use crate::diagnostic::{Code, Severity};
    use crate::source::Span;

    #[test]
    fn identical_ones_are_shown_once_and_the_worst_first() {
        let sources = sample::sources();
        let (id, _) = sources.iter().next().unwrap();
        let at = |start, severity| {
            Diagnostic::new(Code::NoInput, "m")
                .label(Span::new(id, start, 9), "")
                .severity(severity)
        };
        let found = [
            Diagnostic::new(Code::NoInput, "nowhere"),
            at(3, Severity::Error),
            at(2, Severity::Note),
            at(2, Severity::Error),
            at(3, Severity::Error),
            at(2, Severity::Warning),
        ];
        let order: Vec<_> = in_order(&found)
            .into_iter()
            .map(|d| (d.primary().map(|label| label.span.start), d.severity))
            .collect();
        let expected = [
            (Some(2), Severity::Error),
            (Some(2), Severity::Warning),
            (Some(2), Severity::Note),
            (Some(3), Severity::Error),
            (None, Severity::Error),
        ];
        assert_eq!(order, expected);
    }
}
