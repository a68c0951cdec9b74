//! The formats diagnostics are written in, and the one way to write them.

use super::{Diagnostic, github, human, json, junit, order, sarif, short};
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

/// The text of all diagnostics: by source, line and column, the worst first where these are equal, each once.
///
/// It is empty, or ends in a line break. `color` matters to the reports for people only.
pub fn render(format: MessageFormat, diagnostics: &[Diagnostic], sources: &Sources, color: bool) -> String {
    let ordered = order::in_order(diagnostics);
    match format {
        MessageFormat::Human => human::render(&ordered, sources, color),
        MessageFormat::Short => short::render(&ordered, sources),
        MessageFormat::Json => json::render(&ordered, sources),
        MessageFormat::Github => github::render(&ordered, sources),
        MessageFormat::Sarif => sarif::render(&ordered, sources),
        MessageFormat::Junit => junit::render(&ordered, sources),
    }
}

/// Diagnostics and sources for the tests of the formats.
#[cfg(test)]
pub(super) mod sample {
    use crate::diagnostic::{Code, Diagnostic, Severity};
    use crate::source::{Source, SourceId, Sources, Span};

    pub(in crate::diagnostic) const FIRST: &str = "kind: Probe\nmetadata:\n  name: é x\n  uid: y\nspec: {}\n";
    pub(in crate::diagnostic) const SECOND: &str = "kind: Probe\n";

    /// The span of `word` in the source of this number.
    pub(in crate::diagnostic) fn span(sources: &Sources, index: usize, word: &str) -> Span {
        let (id, source) = sources.iter().nth(index).unwrap();
        let start = source.text.find(word).unwrap();
        Span::new(id, start, start + word.len())
    }

    fn id(sources: &Sources, index: usize) -> SourceId {
        sources.iter().nth(index).unwrap().0
    }

    pub(in crate::diagnostic) fn sources() -> Sources {
        let mut sources = Sources::default();
        sources.add(Source::new("a,b/one.yaml", FIRST, true));
        sources.add(Source::new("two.yaml", SECOND, true));
        sources
    }

    /// Three findings out of order, one of them twice: a warning, an error over two files, and one without a place.
    pub(in crate::diagnostic) fn diagnostics(sources: &Sources) -> Vec<Diagnostic> {
        let start = FIRST.find("spec").unwrap();
        let warning = Diagnostic::new(Code::PausedAgent, "`x` is odd: 100%")
            .label(Span::new(id(sources, 0), start, start + 8), "")
            .severity(Severity::Warning);
        vec![
            Diagnostic::new(Code::NoInput, "`<dir>` is\nempty"),
            warning.clone(),
            Diagnostic::new(Code::DuplicateResource, "`y` stands twice")
                .label(span(sources, 0, "é x"), "first")
                .label(span(sources, 1, "Probe"), "second")
                .resource("Probe/default/y")
                .path("metadata.name")
                .help("rename one, \"y\" & so on"),
            warning,
        ]
    }
}
