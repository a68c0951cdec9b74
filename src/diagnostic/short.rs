//! `short`: one line a diagnostic, as compilers write it.

use std::fmt::Write;

use super::Diagnostic;
use super::elsewhere::help_and_elsewhere;
use crate::printable::Text;
use crate::source::Sources;

pub(super) fn render(diagnostics: &[&Diagnostic], sources: &Sources) -> String {
    let mut out = Text::default();
    for diagnostic in diagnostics {
        out.line(line(diagnostic, sources));
    }
    out.into_string()
}

/// `file:line:column: error[code]: message (help; what is elsewhere: file:line:column)`.
pub(super) fn line(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let mut out = String::new();
    if let Some(place) = diagnostic.primary().and_then(|label| sources.place(label.span)) {
        let _ = write!(out, "{}:{}:{}: ", place.file, place.start.line, place.start.column);
    }
    let severity = diagnostic.severity.as_str();
    let _ = write!(out, "{severity}[{}]: {}", diagnostic.code, diagnostic.message);
    if let Some(more) = help_and_elsewhere(diagnostic, sources) {
        let _ = write!(out, " ({more})");
    }
    out
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::format::sample;
    use crate::diagnostic::{MessageFormat, render};

    #[test]
    fn one_line_each() {
        let sources = sample::sources();
        let text = render(MessageFormat::Short, &sample::diagnostics(&sources), &sources, true);
        let expected = "\
a,b/one.yaml:3:9: error[duplicate-resource]: `y` stands twice (rename one, \"y\" & so on; second: two.yaml:1:7)
a,b/one.yaml:5:1: warning[paused-agent]: `x` is odd: 100%
error[no-input]: `<dir>` is\\nempty
";
        assert_eq!(text, expected);
    }
}
