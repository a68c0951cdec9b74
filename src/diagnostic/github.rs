//! `github`: workflow commands that GitHub Actions shows at the lines of a pull request.

use std::fmt::Write;

use super::elsewhere::elsewhere;
use super::{Diagnostic, Severity};
use crate::printable::{printable, without_commands};
use crate::source::{Place, Sources};

pub(super) fn render(diagnostics: &[&Diagnostic], sources: &Sources) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        out.push_str(&command(diagnostic, sources));
        out.push('\n');
    }
    out
}

/// `::error file=F,line=L,endLine=L,col=C,endColumn=C,title=CODE::message`.
fn command(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let name = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let mut out = format!("::{name} ");
    if let Some(place) = diagnostic.primary().and_then(|label| sources.place(label.span)) {
        out.push_str(&properties(place));
    }
    let _ = write!(out, "title={}::{}", diagnostic.code, data(&diagnostic.message));
    if let Some(help) = &diagnostic.help {
        let _ = write!(out, "%0Ahelp: {}", data(help));
    }
    if let Some(others) = elsewhere(diagnostic, sources) {
        let _ = write!(out, "%0A{}", data(&others));
    }
    out
}

/// Columns are only understood within a line; the end column counts the last character, not the one behind it.
fn properties(place: Place<'_>) -> String {
    let file = property(place.file.strip_prefix("./").unwrap_or(place.file));
    let Place { start, end, .. } = place;
    let mut out = format!("file={file},line={},endLine={},", start.line, end.line);
    if start.line == end.line {
        let last = end.column.saturating_sub(1).max(start.column);
        let _ = write!(out, "col={},endColumn={last},", start.column);
    }
    out
}

/// `escapeData` of the runner's toolkit. Line breaks are not left to it: a text made printable has none.
fn data(text: &str) -> String {
    without_commands(&printable(text)).replace('%', "%25")
}

/// `escapeProperty` of the runner's toolkit.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::format::sample;
    use crate::diagnostic::{Code, Diagnostic, MessageFormat, render};

    #[test]
    fn one_command_each_with_its_escapes() {
        let sources = sample::sources();
        let text = render(MessageFormat::Github, &sample::diagnostics(&sources), &sources, true);
        let expected = "\
::error file=a%2Cb/one.yaml,line=3,endLine=3,col=9,endColumn=11,title=duplicate-resource::`y` stands twice%0Ahelp: rename one, \"y\" & so on%0Asecond: two.yaml:1:7
::warning file=a%2Cb/one.yaml,line=5,endLine=5,col=1,endColumn=8,title=paused-agent::`x` is odd: 100%25
::error title=no-input::`<dir>` is\\nempty
";
        assert_eq!(text, expected);
    }

    #[test]
    fn several_lines_have_no_columns() {
        let sources = sample::sources();
        let span = sample::span(&sources, 0, "metadata:\n  name");
        let found = [Diagnostic::new(Code::NotAnObject, "m").label(span, "")];
        let text = render(MessageFormat::Github, &found, &sources, true);
        assert_eq!(
            text,
            "::error file=a%2Cb/one.yaml,line=2,endLine=3,title=not-an-object::m\n"
        );
    }
}
