//! The formats in which findings are written.

mod excerpt;
mod group;
mod human;
mod junit;
mod lines;
mod mask;
mod sarif;

pub use group::grouped;

use std::cmp::Reverse;

use crate::diagnostic::Diagnostic;
use crate::source::Sources;

/// How diagnostics are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum MessageFormat {
    /// Reports with the lines in question, for people
    Human,
    /// One line a diagnostic: `file:line:column: error[code]: message (help)`
    Short,
    /// One JSON object a line
    Json,
    /// Annotations of GitHub Actions
    Github,
    /// One SARIF 2.1.0 document
    Sarif,
    /// One JUnit document
    Junit,
}

impl MessageFormat {
    /// Whether programs read it.
    pub fn is_data(self) -> bool {
        !matches!(self, MessageFormat::Human | MessageFormat::Short)
    }
}

/// The text of all diagnostics: by source, line and column, the worst first where these are equal; those with one cause as one.
///
/// It is empty, or ends in a line break. `color` matters to the reports for people only.
pub fn render(format: MessageFormat, diagnostics: &[Diagnostic], sources: &Sources, color: bool) -> String {
    let grouped = grouped(diagnostics.to_vec());
    let ordered = in_order(&grouped);
    match format {
        MessageFormat::Human => human::render(&ordered, sources, color),
        MessageFormat::Short => lines::short(&ordered, sources),
        MessageFormat::Json => lines::json(&ordered, sources),
        MessageFormat::Github => lines::github(&ordered, sources),
        MessageFormat::Sarif => sarif::render(&ordered, sources),
        MessageFormat::Junit => junit::render(&ordered, sources),
    }
}

/// At most so many findings, the most severe ones; and how many are left out. The findings are [`grouped`].
pub fn limited(mut diagnostics: Vec<Diagnostic>, most: usize) -> (Vec<Diagnostic>, usize) {
    let left_out = diagnostics.len().saturating_sub(most);
    if left_out > 0 {
        diagnostics.sort_by(|a, b| (Reverse(a.severity), key(a)).cmp(&(Reverse(b.severity), key(b))));
        diagnostics.truncate(most);
    }
    (diagnostics, left_out)
}

/// The text of findings that are [`grouped`], where people read it with a last line that says what was `done` and counts them.
pub fn render_with_end(
    format: MessageFormat,
    diagnostics: &[Diagnostic],
    sources: &Sources,
    color: bool,
    done: &str,
) -> String {
    let ordered = in_order(diagnostics);
    let end = format!("{done}: {}\n", human::summary(&ordered));
    match format {
        MessageFormat::Human => human::reports(&ordered, sources, color) + &end,
        MessageFormat::Short => lines::short(&ordered, sources) + &end,
        _ => render(format, diagnostics, sources, color),
    }
}

/// By source, place and severity, the worst first; those without a place last; identical ones once.
fn in_order(diagnostics: &[Diagnostic]) -> Vec<&Diagnostic> {
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

/// Diagnostics and sources for the tests of the formats.
#[cfg(test)]
mod sample {
    use crate::diagnostic::{Code, Diagnostic, Severity};
    use crate::source::{Source, SourceId, Sources, Span};

    pub(super) const FIRST: &str = "kind: Probe\nmetadata:\n  name: é x\n  uid: y\nspec: {}\n";
    pub(super) const SECOND: &str = "kind: Probe\n";

    /// The span of `word` in the source of this number.
    pub(super) fn span(sources: &Sources, index: usize, word: &str) -> Span {
        let (id, source) = sources.iter().nth(index).unwrap();
        let start = source.text.find(word).unwrap();
        Span::new(id, start, start + word.len())
    }

    fn id(sources: &Sources, index: usize) -> SourceId {
        sources.iter().nth(index).unwrap().0
    }

    pub(super) fn sources() -> Sources {
        let mut sources = Sources::default();
        sources.add(Source::new("a,b/one.yaml", FIRST, true));
        sources.add(Source::new("two.yaml", SECOND, true));
        sources
    }

    /// Three findings out of order, one of them twice: a warning, an error over two files, and one without a place.
    pub(super) fn diagnostics(sources: &Sources) -> Vec<Diagnostic> {
        let start = FIRST.find("spec").unwrap();
        let warning = Diagnostic::new(Code::PausedAgent, "`x` is odd: 100%")
            .label(Span::new(id(sources, 0), start, start + 8), "")
            .severity(Severity::Warning);
        vec![
            Diagnostic::new(Code::NoInput, "`<dir>` is\nempty"),
            warning.clone(),
            Diagnostic::new(Code::DuplicateResource, "`y` is defined twice")
                .label(span(sources, 0, "é x"), "first")
                .label(span(sources, 1, "Probe"), "second")
                .resource("Probe/default/y")
                .path("metadata.name")
                .help("rename one, \"y\" & so on"),
            warning,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::{Code, Severity};
    use crate::source::Span;

    #[test]
    fn of_too_many_the_most_severe_are_kept() {
        let severities = [Severity::Warning, Severity::Error, Severity::Note, Severity::Error];
        let found: Vec<_> = (severities.iter().zip(["a", "b", "c", "d"]))
            .map(|(&severity, message)| Diagnostic::new(Code::NoInput, message).severity(severity))
            .collect();
        let messages = |most| {
            let (kept, left_out) = limited(found.clone(), most);
            (kept.into_iter().map(|d| d.message).collect::<String>(), left_out)
        };
        assert_eq!(messages(4), ("abcd".to_owned(), 0));
        assert_eq!(messages(3), ("bda".to_owned(), 1));
    }

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
