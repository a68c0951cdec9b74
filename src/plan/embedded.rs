//! YAML text inside a field or a Secret, as `sigs.k8s.io/yaml` unmarshals it.

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::source::{LineIndex, SourceId, Span};
use crate::yaml::{Document, Limits, read_value};

/// The first document of a text; the others are ignored.
pub struct EmbeddedYaml<'t> {
    /// The document; `None` where the text holds none.
    pub document: Option<Document<'t>>,
    /// What makes the text useless.
    pub(super) error: Option<Finding>,
    /// What is probably not meant.
    pub(super) warnings: Vec<Finding>,
    lines: LineIndex,
    text: &'t str,
}

/// What was found in a text.
pub(super) struct Finding {
    pub(super) code: Code,
    /// The message, which may hold names out of the text.
    pub(super) message: String,
    /// The line of the text, from 1.
    pub(super) line: u32,
}

impl<'t> EmbeddedYaml<'t> {
    /// Reads a text; `source` is the input that it came from.
    pub fn read(source: SourceId, text: &'t str) -> Self {
        let read = read_value(source, text, &Limits::default());
        let mut documents = read.output.into_iter();
        let mut embedded = Self {
            document: documents.next(),
            error: None,
            warnings: Vec::new(),
            lines: LineIndex::new(text),
            text,
        };
        let end = embedded.document.as_ref().map_or(u32::MAX, |d| d.root().span().end);
        for diagnostic in read.diagnostics {
            embedded.note(diagnostic, end);
        }
        if let Some(second) = documents.next() {
            let finding = Finding {
                code: Code::IgnoredDocument,
                message: "found a second document, of which nothing is used".to_owned(),
                line: embedded.line(second.root().span()),
            };
            embedded.warnings.push(finding);
        }
        embedded
    }

    /// The line of a place in the text, from 1.
    pub fn line(&self, span: Span) -> u32 {
        self.lines.position(self.text, span.start as usize).line
    }

    /// Takes over what was found in the first document, which ends at `end`. Go allows duplicate keys there.
    fn note(&mut self, diagnostic: Diagnostic, end: u32) {
        let Some(label) = diagnostic.primary().filter(|label| label.span.start <= end) else {
            return;
        };
        let is_error = diagnostic.severity == Severity::Error && diagnostic.code != Code::DuplicateKey;
        let finding = Finding {
            code: diagnostic.code,
            line: self.line(label.span),
            message: diagnostic.message,
        };
        if !is_error {
            self.warnings.push(finding);
        } else if self.error.is_none() {
            self.error = Some(finding);
        }
    }
}
