//! Findings about a document that is cut off by a syntax error.

use crate::diagnostic::{Code, Diagnostic};

/// Removes findings about a document that is cut off by a syntax error, because the parser can no longer tell where the
/// document ends. For example, an extra bracket turns the content of a document into a key.
pub fn drop_broken_off(text: &str, diagnostics: &mut Vec<Diagnostic>) {
    let end = |finding: &Diagnostic| finding.primary().map(|label| label.span.end as usize);
    let mistakes = diagnostics.iter().filter(|finding| finding.code == Code::YamlSyntax);
    let mistakes: Vec<_> = mistakes.filter_map(end).collect();
    let is_broken_off = |finding: &Diagnostic| {
        let start = end(finding).unwrap_or_default();
        let line = text.get(start..).and_then(|rest| rest.lines().next());
        let is_consequence = match finding.code {
            Code::NotAnObject => true,
            Code::UnrenderedTemplate | Code::YamlKey => line.is_some_and(|line| !line.contains("}}")),
            _ => false,
        };
        let mut between = mistakes.iter().filter_map(|mistake| text.get(start..*mistake));
        is_consequence && between.any(|between| !between.contains("\n---"))
    };
    if !mistakes.is_empty() {
        diagnostics.retain(|diagnostic| !is_broken_off(diagnostic));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;
    use crate::testing;

    /// Whether to keep a finding at `at` if there is a syntax error at `mistake`.
    fn is_kept(text: &str, code: Code, at: &str, mistake: Option<&str>) -> bool {
        let id = testing::source_id();
        let finding = |code, at: &str| {
            let start = text.find(at).unwrap();
            Diagnostic::new(code, "m").label(Span::new(id, start, start), "")
        };
        let mut diagnostics = vec![finding(code, at)];
        diagnostics.extend(mistake.map(|at| finding(Code::YamlSyntax, at)));
        let count_before = diagnostics.len();
        drop_broken_off(text, &mut diagnostics);
        diagnostics.len() == count_before
    }

    #[test]
    fn drops_findings_caused_by_syntax_errors() {
        let text = "first\nkey}} x\nlast ]\n---\nbehind\nend\n";
        for (code, at, mistake, expected) in [
            (Code::NotAnObject, "first", Some("]"), false),
            (Code::NotAnObject, "first", None, true),
            // The syntax error is in a different document.
            (Code::NotAnObject, "first", Some("end"), true),
            (Code::NotAnObject, "behind", Some("end"), false),
            (Code::NotAnObject, "behind", Some("]"), true),
            (Code::YamlKey, "first", Some("]"), false),
            (Code::UnrenderedTemplate, "first", Some("]"), false),
            // Findings about complete placeholders remain valid.
            (Code::YamlKey, "key", Some("]"), true),
            (Code::UnrenderedTemplate, "key", Some("]"), true),
            (Code::UnknownField, "first", Some("]"), true),
        ] {
            assert_eq!(is_kept(text, code, at, mistake), expected, "{code} {at} {mistake:?}");
        }
    }
}
