//! YAML embedded in a field or Secret, as `sigs.k8s.io/yaml` unmarshals it.

use std::ops::Range;

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::source::{LineIndex, SourceId, Span};
use crate::yaml::{Document, Limits, read_value};

/// First document in a YAML string. Other documents are ignored.
pub struct EmbeddedYaml<'t> {
    /// The document, or `None` if the string contains no documents.
    pub document: Option<Document<'t>>,
    /// Error that makes the string unusable.
    pub(super) error: Option<EmbeddedProblem>,
    /// Valid parts of the string that are probably mistakes.
    pub(super) warnings: Vec<EmbeddedProblem>,
    lines: LineIndex,
    text: &'t str,
}

/// A problem in the YAML string.
pub(super) struct EmbeddedProblem {
    pub(super) code: Code,
    /// Message, which may contain names from the string.
    pub(super) message: String,
    /// Line in the string, starting at 1.
    pub(super) line: u32,
    /// Byte range of the problem in the string, or of its line if the problem's range is empty.
    pub(super) bytes: Range<usize>,
}

impl<'t> EmbeddedYaml<'t> {
    /// Parses a string from the input `source`.
    pub fn read(source: SourceId, text: &'t str) -> Self {
        let parsed = read_value(source, text, &Limits::default());
        let mut documents = parsed.output.into_iter();
        let mut embedded =
            Self { document: documents.next(), error: None, warnings: Vec::new(), lines: LineIndex::new(text), text };
        let end = embedded.document.as_ref().map_or(u32::MAX, |d| d.root().span().end);
        for diagnostic in parsed.diagnostics {
            embedded.record_problem(diagnostic, end);
        }
        if let Some(second_document) = documents.next() {
            let message = "found a second document, which is ignored".to_owned();
            let finding = embedded.problem(Code::IgnoredDocument, message, second_document.root().span());
            embedded.warnings.push(finding);
        }
        embedded
    }

    /// Returns the line of a span in the string, starting at 1.
    pub fn line(&self, span: Span) -> u32 {
        self.lines.position(self.text, span.start as usize).line
    }

    fn problem(&self, code: Code, message: String, span: Span) -> EmbeddedProblem {
        let position = self.lines.position(self.text, span.start as usize);
        let bytes = span.bytes();
        let is_filled = self.text.get(bytes.clone()).is_some_and(|text| !text.trim().is_empty());
        let line = || {
            let (start, text) = self.lines.line(self.text, position.line)?;
            let indent = text.len() - text.trim_start().len();
            Some(start + indent..start + text.trim_end().len())
        };
        let bytes = if is_filled { bytes } else { line().unwrap_or_default() };
        EmbeddedProblem { code, message, line: position.line, bytes }
    }

    /// Records a finding if it is in the first document, which ends at `end`. A duplicate key causes only a warning,
    /// because Go accepts it.
    fn record_problem(&mut self, diagnostic: Diagnostic, end: u32) {
        let Some(label) = diagnostic.primary().filter(|label| label.span.start <= end) else {
            return;
        };
        let is_error = diagnostic.severity == Severity::Error && diagnostic.code != Code::DuplicateKey;
        let span = label.span;
        let finding = self.problem(diagnostic.code, diagnostic.message, span);
        if !is_error {
            self.warnings.push(finding);
        } else if self.error.is_none() {
            self.error = Some(finding);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn reads_only_the_first_document_and_allows_duplicate_keys() {
        let source = testing::source_id();
        for (text, is_useless, warnings) in [
            ("a: 1\nb: 2\n", false, [].as_slice()),
            ("", false, &[]),
            ("a: 1\n\na: 2\n", false, &[(Code::DuplicateKey, 3)]),
            ("a: 1\n---\nb: 2\n", false, &[(Code::IgnoredDocument, 3)]),
            ("a: 1\n---\nb: 2\nb: 3\n", false, &[(Code::IgnoredDocument, 3)]),
            ("a: [\n", true, &[]),
            ("a: 1\na: [\n", true, &[]),
        ] {
            let yaml = EmbeddedYaml::read(source, text);
            assert_eq!(yaml.error.is_some(), is_useless, "{text:?}");
            let warning_codes: Vec<_> = yaml.warnings.iter().map(|finding| (finding.code, finding.line)).collect();
            if !is_useless {
                assert_eq!(warning_codes, warnings, "{text:?}");
            }
        }
        let broken_yaml = EmbeddedYaml::read(source, "a: 1\n\nb: ]\n");
        assert_eq!(broken_yaml.error.map(|error| error.line), Some(3));
    }
}
