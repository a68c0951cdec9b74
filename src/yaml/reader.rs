//! Reader for the documents in an input, which also finds the parts that could not be parsed.

use std::collections::HashMap;
use std::ops::Range;

use super::alias_budget::AliasBudget;
use super::chunk::{Chunk, Chunks};
use super::diagnostics;
use super::document::Document;
use super::event::Event;
use super::json::{JsonError, JsonReader, may_be_json, start_of_yaml};
use super::limits::{ExceededLimit, Limits, MAX_TEXT};
use super::parser::Parser;
use super::pruning::FieldFilter;
use super::simple::read_simple;
use super::syntax_error::{Mistake, SyntaxError};
use super::tree::{TextKind, TreeBuilder};
use crate::diagnostic::bound::Bound;
use crate::diagnostic::{Code, Diagnostic, Severity, Warned};
use crate::source::{BYTE_ORDER_MARK, SourceId, Sources, Span};

/// Reads all non-empty documents in an input. Errors in one document do not hide errors in other documents: a document
/// that is not YAML is omitted, and a document with a minor mistake (a duplicate key) is kept.
///
/// The rules are those of kubectl: a file is split at `---` lines (or is a stream of JSON), and each part is read by
/// `Unmarshal` in sigs.k8s.io/yaml v1.4.0, which consists of go-yaml v2 and the conversion to JSON.
///
/// Input in the simple style of most manifests is read by `read_simple`, and all other input by [`read_with_parser`],
/// with the same result.
pub fn read<'s>(source: SourceId, text: &'s str, limits: &Limits) -> Warned<Vec<Document<'s>>> {
    read_pruned(source, text, limits, &AliasBudget::new(limits, text.len() as u64), None)
}

/// Like [`read`], but keeps only those fields of objects that `keep` returns. `alias_budget` is the budget shared by
/// all inputs.
pub fn read_pruned<'s>(
    source: SourceId,
    text: &'s str,
    limits: &Limits,
    alias_budget: &AliasBudget,
    keep: Option<FieldFilter>,
) -> Warned<Vec<Document<'s>>> {
    let simple_documents = read_simple(source, text, limits, alias_budget, keep);
    simple_documents.unwrap_or_else(|| read_as(TextKind::Manifests, source, text, limits, alias_budget, keep))
}

/// Like [`read`], but always uses the parser.
pub fn read_with_parser<'s>(source: SourceId, text: &'s str, limits: &Limits) -> Warned<Vec<Document<'s>>> {
    read_as(TextKind::Manifests, source, text, limits, &AliasBudget::new(limits, text.len() as u64), None)
}

/// Reads the documents in the value of a field or Secret key, as `Unmarshal` in sigs.k8s.io/yaml v1.4.0 decodes it into
/// an untyped value.
pub fn read_value<'s>(source: SourceId, text: &'s str, limits: &Limits) -> Warned<Vec<Document<'s>>> {
    read_as(TextKind::Value, source, text, limits, &AliasBudget::from_value(text), None)
}

pub(super) fn read_as<'s>(
    kind: TextKind,
    source: SourceId,
    text: &'s str,
    limits: &Limits,
    alias_budget: &AliasBudget,
    keep: Option<FieldFilter>,
) -> Warned<Vec<Document<'s>>> {
    let mut reader = Reader {
        source,
        text,
        limits,
        tree: TreeBuilder::new(source, text, kind, limits, alias_budget, keep),
        count: 0,
        documents: Vec::new(),
        diagnostics: Vec::new(),
        bound: Bound::default(),
    };
    // If a limit ends reading, it is reported at the position where it is exceeded.
    let _: Result<(), LimitExceeded> = match kind {
        _ if text.len() > MAX_TEXT => reader.report_exceeded(ExceededLimit::Text, 0),
        TextKind::Manifests => reader.read_file(),
        TextKind::Value => reader.read_value(),
    };
    Warned { output: reader.documents, diagnostics: reader.diagnostics }
}

/// Error for an exceeded limit that ended reading and has been reported.
struct LimitExceeded;

/// Reason why a document cannot be read.
enum ReadFailure {
    Syntax(SyntaxError),
    /// A limit, and the range at which it is exceeded.
    Limit(ExceededLimit, Range<usize>),
}

impl From<SyntaxError> for ReadFailure {
    fn from(error: SyntaxError) -> Self {
        Self::Syntax(error)
    }
}

struct Reader<'s, 'l> {
    source: SourceId,
    text: &'s str,
    limits: &'l Limits,
    tree: TreeBuilder<'s, 'l>,
    /// Number of documents read so far.
    count: usize,
    documents: Vec<Document<'s>>,
    diagnostics: Vec<Diagnostic>,
    bound: Bound,
}

impl<'s> Reader<'s, '_> {
    /// Reads manifests the way kubectl reads a file.
    fn read_file(&mut self) -> Result<(), LimitExceeded> {
        let start = match may_be_json(self.text) {
            true => self.read_json()?,
            false => Some(0),
        };
        let Some(start) = start else { return Ok(()) };
        self.report_line_break(start..self.text.len());
        for chunk in Chunks::new(self.text, start) {
            self.read_chunk(&chunk)?;
        }
        Ok(())
    }

    /// Reads JSON values. Returns the offset at which the input continues as YAML, if any. Kubernetes accepts YAML
    /// after at most one JSON value.
    fn read_json(&mut self) -> Result<Option<usize>, LimitExceeded> {
        let mut json = JsonReader::new(self.source, self.text);
        let mut values = 0;
        let mut end = 0;
        while json.has_more() {
            let start = json.at;
            self.count_document(start)?;
            let complete_documents = self.documents.len();
            let known_diagnostics = self.diagnostics.len();
            let result = json.read_value(&mut self.tree);
            self.tree.finish(&mut self.documents, &mut self.diagnostics);
            if let Err(error) = result {
                self.documents.truncate(complete_documents);
                self.diagnostics.truncate(known_diagnostics);
                let error = match error {
                    JsonError::Limit(limit, at) => return self.report_exceeded(limit, at).map(|()| None),
                    JsonError::Syntax(error) => error,
                };
                let yaml = if values <= 1 { start_of_yaml(self.text, end) } else { None };
                match yaml {
                    Some(_) => self.count -= 1,
                    None => self.diagnostics.push(diagnostics::syntax(self.source, self.text, error)),
                }
                return Ok(yaml);
            }
            self.bound.keep(&mut self.diagnostics);
            self.check_size(start..json.at)?;
            values += 1;
            end = json.at;
        }
        Ok(None)
    }

    /// Reads the part of a file that precedes the next `---` line.
    fn read_chunk(&mut self, chunk: &Chunk) -> Result<(), LimitExceeded> {
        self.count_document(chunk.start)?;
        if let Some(misplaced) = &chunk.misplaced {
            let misplaced_span = Span::new(self.source, misplaced.start, misplaced.end);
            self.diagnostics.push(diagnostics::text_after_separator(self.text, misplaced_span));
        }
        let content = chunk.content.clone();
        self.check_size(content.clone())?;
        let Some(text) = self.text.get(..content.end) else { return Ok(()) };
        if self.report_forbidden(content.clone()) {
            return Ok(());
        }
        let mark_length =
            text.get(content.start..).map_or(0, |text| text.len() - text.trim_start_matches('\u{feff}').len());
        let mut parser = Parser::new(text, content.start + mark_length, true);
        if self.read_document(&mut parser)?
            && let Some((at, is_ended)) = parser.parse_rest()
        {
            let ignored_rest = diagnostics::ignored_content(self.source, self.text, at, is_ended);
            // If the text starts with a brace, a stray bracket is more likely than a second resource.
            let severity = if may_be_json(self.text) { Severity::Warning } else { Severity::Error };
            self.diagnostics.push(ignored_rest.severity(severity));
        }
        Ok(())
    }

    /// Reads the documents in a value.
    fn read_value(&mut self) -> Result<(), LimitExceeded> {
        let whole_text = 0..self.text.len();
        self.report_line_break(whole_text.clone());
        if self.report_forbidden(whole_text) {
            return Ok(());
        }
        let mark_length = if self.text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let mut parser = Parser::new(self.text, mark_length, false);
        while self.read_document(&mut parser)? {}
        Ok(())
    }

    /// Reads a document. Returns whether there is a document.
    fn read_document(&mut self, parser: &mut Parser<'s>) -> Result<bool, LimitExceeded> {
        let result = self.build_tree(parser);
        let complete_documents = self.documents.len();
        self.tree.finish(&mut self.documents, &mut self.diagnostics);
        self.bound.keep(&mut self.diagnostics);
        match result {
            Ok(has_document) => return Ok(has_document),
            Err(ReadFailure::Limit(limit, at)) => {
                let event_span = Span::new(self.source, at.start, at.end);
                self.diagnostics.push(diagnostics::exceeded_limit(limit, self.limits, event_span));
            }
            Err(ReadFailure::Syntax(error)) => {
                let error = match parser.swallowed_key() {
                    Some((_, key)) => SyntaxError::new(Mistake::QuoteAcrossKeys, key),
                    None => error,
                };
                self.diagnostics.push(diagnostics::syntax(self.source, self.text, error));
            }
        }
        self.documents.truncate(complete_documents);
        Ok(false)
    }

    /// Builds the tree of a document. Returns whether there is a document.
    fn build_tree(&mut self, parser: &mut Parser<'s>) -> Result<bool, ReadFailure> {
        loop {
            let (event, at) = parser.next()?;
            match event {
                Event::DocumentEnd => return Ok(true),
                Event::StreamEnd => return Ok(false),
                _ => {}
            }
            let span = Span::new(self.source, at.start, at.end);
            self.tree.handle_event(event, span).map_err(|limit| ReadFailure::Limit(limit, at))?;
        }
    }

    /// Counts a document. Reports an error if there are too many documents.
    fn count_document(&mut self, start: usize) -> Result<(), LimitExceeded> {
        self.count += 1;
        if self.count > self.limits.max_documents {
            return self.report_exceeded(ExceededLimit::Documents, start);
        }
        Ok(())
    }

    fn check_size(&mut self, content: Range<usize>) -> Result<(), LimitExceeded> {
        if content.len() as u64 > self.limits.max_document_size.0 {
            return self.report_exceeded(ExceededLimit::DocumentSize, content.start);
        }
        Ok(())
    }

    /// Reports a limit that ends reading.
    fn report_exceeded(&mut self, limit: ExceededLimit, offset: usize) -> Result<(), LimitExceeded> {
        let offset = Span::new(self.source, offset, offset);
        self.diagnostics.push(diagnostics::exceeded_limit(limit, self.limits, offset));
        Err(LimitExceeded)
    }

    /// Reports the first character that YAML does not allow, and returns whether there is such a character
    /// (`yaml_parser_update_buffer` in go-yaml's `readerc.go`).
    fn report_forbidden(&mut self, range: Range<usize>) -> bool {
        let start = range.start;
        let text = self.text.get(range).unwrap_or_default();
        let is_plain = |byte: &u8| matches!(byte, b'\n' | b'\r' | b'\t' | b' '..=b'~');
        // Checking entire blocks without an early exit allows the compiler to use vector instructions.
        let is_ascii = |bytes: &[u8]| bytes.iter().fold(true, |plain, byte| plain & is_plain(byte));
        if text.as_bytes().chunks(1024).all(is_ascii) {
            return false;
        }
        let is_forbidden = |c: char| {
            matches!(c, '\u{fffe}' | '\u{ffff}') || c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{85}')
        };
        let Some((at, character)) = text.char_indices().find(|(_, c)| is_forbidden(*c)) else {
            return false;
        };
        let error = SyntaxError::new(Mistake::ForbiddenCharacter(character), start + at);
        self.diagnostics.push(diagnostics::syntax(self.source, self.text, error));
        true
    }

    /// Reports the first character that is a line break only in YAML 1.1 (`is_break` in go-yaml's `yamlprivateh.go`).
    /// In JSON, these characters are ordinary.
    fn report_line_break(&mut self, range: Range<usize>) {
        let start = range.start;
        let text = self.text.get(range).unwrap_or_default();
        let is_break = |&(_, c): &(usize, char)| matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}');
        let line_break = if text.is_ascii() { None } else { text.char_indices().find(is_break) };
        if let Some((at, character)) = line_break {
            let line_break_span = Span::new(self.source, start + at, start + at + character.len_utf8());
            self.diagnostics.push(diagnostics::line_break(character, line_break_span));
        }
    }
}

/// Returns the text around each mistake that prevented a document from being read. The text extends from the preceding
/// document to the subsequent one.
pub fn unread_texts<'s, 'd>(
    sources: &'s Sources,
    documents: impl Iterator<Item = &'d Document<'d>>,
    diagnostics: &[Diagnostic],
) -> Vec<&'s str> {
    let mistakes = diagnostics.iter().filter(|finding| {
        matches!(finding.code, Code::YamlSyntax | Code::YamlLimit | Code::UnrenderedTemplate)
            && finding.severity > Severity::Note
    });
    let mut mistake_spans: Vec<_> = mistakes.filter_map(|found| Some(found.primary()?.span)).collect();
    if mistake_spans.is_empty() {
        return Vec::new();
    }
    mistake_spans.sort_unstable_by_key(|at| (at.source, at.start));
    let mut read_ranges: HashMap<_, Vec<_>> = HashMap::new();
    for span in documents.map(|document| document.root().span()) {
        read_ranges.entry(span.source).or_default().push((span.start, span.end));
    }
    let mut unread_texts = Vec::new();
    let mut covered_end = None;
    for mistake_span in mistake_spans {
        if covered_end.is_some_and(|(source, end)| source == mistake_span.source && mistake_span.start < end) {
            continue;
        }
        let source_ranges = read_ranges.get(&mistake_span.source).map_or(&[][..], Vec::as_slice);
        let next_range = source_ranges.partition_point(|(start, _)| *start <= mistake_span.start);
        let previous_range = next_range.checked_sub(1).and_then(|before| source_ranges.get(before));
        let start = previous_range.map_or(0, |(_, end)| *end);
        let end = source_ranges.get(next_range).map_or(u32::MAX, |(start, _)| *start);
        if previous_range.is_some() && mistake_span.start <= start {
            continue;
        }
        covered_end = Some((mistake_span.source, end));
        if let Some(source) = sources.get(mistake_span.source) {
            let end = source.text.len().min(end as usize);
            unread_texts.extend(source.text.get(start as usize..end));
        }
    }
    unread_texts
}

#[cfg(test)]
mod tests;
