//! Reads documents from an input, and returns the parts that could not be parsed.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use granit_parser::{Event, Parser, ScalarStyle, StrInput};

use super::alias_budget::AliasBudget;
use super::document::Document;
use super::limits::{Exceeded, Limits, MAX_TEXT};
use super::pruning::FieldFilter;
use super::simple::read_simple;
use super::strict::{Strict, TAB};
use super::tree::{TextKind, TreeBuilder};
use super::{block_scalar, diagnostics};
use crate::diagnostic::bound::Bound;
use crate::diagnostic::{Code, Diagnostic, Severity, Warned};
use crate::source::{SourceId, Sources, Span};

/// Reads all non-empty documents in an input. Errors in one document do not hide the others: a document that is not
/// YAML is omitted, and one with a minor mistake (a duplicate key) is kept.
///
/// The rules are those of `Unmarshal` in sigs.k8s.io/yaml v1.4.0: go-yaml v2, followed by the conversion to JSON.
///
/// Input in the simple style of most manifests is read by `read_simple`, and all other input by [`read_with_library`],
/// with the same result.
pub fn read<'s>(source: SourceId, text: &'s str, limits: &Limits) -> Warned<Vec<Document<'s>>> {
    read_pruned(source, text, limits, &AliasBudget::new(limits, text.len() as u64), None)
}

/// Like [`read`], but keeps only those fields of objects that `keep` returns. `aliases` is the budget of all inputs.
pub fn read_pruned<'s>(
    source: SourceId,
    text: &'s str,
    limits: &Limits,
    aliases: &AliasBudget,
    keep: Option<FieldFilter>,
) -> Warned<Vec<Document<'s>>> {
    let simple = read_simple(source, text, limits, aliases, keep);
    simple.unwrap_or_else(|| read_as(TextKind::Manifests, source, text, limits, aliases, keep))
}

/// Like [`read`], but always uses the library's parser.
pub fn read_with_library<'s>(source: SourceId, text: &'s str, limits: &Limits) -> Warned<Vec<Document<'s>>> {
    read_as(TextKind::Manifests, source, text, limits, &AliasBudget::new(limits, text.len() as u64), None)
}

/// Reads the documents in the value of a field or Secret key, as `Unmarshal` in sigs.k8s.io/yaml v1.4.0 reads it into
/// an untyped value.
pub fn read_value<'s>(source: SourceId, text: &'s str, limits: &Limits) -> Warned<Vec<Document<'s>>> {
    read_as(TextKind::Value, source, text, limits, &AliasBudget::of_value(text), None)
}

pub(super) fn read_as<'s>(
    kind: TextKind,
    source: SourceId,
    text: &'s str,
    limits: &Limits,
    aliases: &AliasBudget,
    keep: Option<FieldFilter>,
) -> Warned<Vec<Document<'s>>> {
    // Input that starts with a brace is decoded as JSON (`GuessJSONStream` in apimachinery).
    let is_json = kind == TextKind::Manifests && text.trim_start().starts_with('{');
    let mut reader = Reader {
        source,
        text,
        kind,
        is_json,
        limits,
        tree: TreeBuilder::new(source, text, kind, limits, aliases, keep),
        count: 0,
        document_start: 0,
        strict: Strict::new(text, is_json),
        documents: Vec::new(),
        diagnostics: Vec::new(),
        bound: Bound::default(),
    };
    if text.len() > MAX_TEXT {
        let start = Span::new(source, 0, 0);
        reader.diagnostics.push(diagnostics::exceeded(Exceeded::Text, limits, start));
    } else {
        reader.report_line_break();
        reader.stream();
    }
    Warned { output: reader.documents, diagnostics: reader.diagnostics }
}

type Events<'s> = Parser<'s, StrInput<'s>>;

/// Reason a document ends early.
enum EarlyEnd {
    /// The document is not YAML or exceeds a limit, but the next one may be valid.
    Document(Box<Diagnostic>),
    Stream,
}

struct Reader<'s, 'l> {
    source: SourceId,
    text: &'s str,
    kind: TextKind,
    is_json: bool,
    limits: &'l Limits,
    tree: TreeBuilder<'s, 'l>,
    /// Number of documents so far.
    count: usize,
    document_start: usize,
    strict: Strict<'s>,
    documents: Vec<Document<'s>>,
    diagnostics: Vec<Diagnostic>,
    bound: Bound,
}

impl<'s> Reader<'s, '_> {
    fn stream(&mut self) {
        let options = granit_parser::options! {
            emit_unresolved_aliases: true,
            emit_comments: false,
            flow_nesting_limit: self.limits.max_depth,
            block_nesting_limit: self.limits.max_depth,
        };
        let mut events = Parser::new_from_str_with_options(self.text, options);
        loop {
            match self.document(&mut events) {
                Ok(()) => {}
                Err(EarlyEnd::Stream) => return,
                Err(EarlyEnd::Document(diagnostic)) => {
                    self.strict.give_up();
                    let stuck = self.diagnostics.last() == Some(&*diagnostic);
                    self.diagnostics.push(*diagnostic);
                    if stuck || !matches!(events.proceed_next_document(), Ok(true)) {
                        return;
                    }
                }
            }
        }
    }

    fn document(&mut self, events: &mut Events<'s>) -> Result<(), EarlyEnd> {
        let result = self.fill(events);
        let complete = self.documents.len();
        self.tree.finish(&mut self.documents, &mut self.diagnostics);
        self.bound.keep(&mut self.diagnostics);
        if result.is_err() {
            self.documents.truncate(complete);
        }
        result
    }

    fn fill(&mut self, events: &mut Events<'s>) -> Result<(), EarlyEnd> {
        loop {
            let (mut event, span) = match events.next_event() {
                None => return Err(EarlyEnd::Stream),
                Some(Ok(event)) => event,
                Some(Err(error)) => {
                    let diagnostic = diagnostics::syntax(self.source, self.text, &error, self.limits);
                    return Err(EarlyEnd::Document(Box::new(diagnostic)));
                }
            };
            let mut at = span.byte_range().unwrap_or_default();
            if let Some(refusal) = self.strict.event(&event, &at) {
                let at = Span::new(self.source, at.start, at.end);
                self.diagnostics.push(diagnostics::refused(refusal, at));
            }
            match &mut event {
                Event::DocumentEnd => {
                    self.report_tabs(at.end);
                    return Ok(());
                }
                Event::StreamEnd => {
                    self.report_tabs(self.text.len());
                    return Err(EarlyEnd::Stream);
                }
                Event::Scalar(text, ScalarStyle::Literal | ScalarStyle::Folded, ..) => {
                    self.end_block_scalar(text, &at);
                    // The parser's span includes the following line breaks; this span includes the indicator and the
                    // text.
                    at.end = at.start + self.text.get(at.clone()).map_or(0, |text| text.trim_end().len());
                    at.start = block_scalar::indicator(self.text, at.start).unwrap_or(at.start);
                }
                _ => {}
            }
            let begins = matches!(event, Event::DocumentStart(..));
            let at = Span::new(self.source, at.start, at.end);
            let exceeded = |limit| EarlyEnd::Document(Box::new(diagnostics::exceeded(limit, self.limits, at)));
            self.tree.event(event, at).map_err(exceeded)?;
            if let Err(limit) = self.measure(begins, at) {
                let diagnostic = diagnostics::exceeded(limit, self.limits, at);
                self.diagnostics.push(diagnostic);
                return Err(EarlyEnd::Stream);
            }
        }
    }

    /// Counts documents and their bytes, and stops if a limit is exceeded.
    fn measure(&mut self, begins: bool, at: Span) -> Result<(), Exceeded> {
        if begins {
            self.count += 1;
            self.document_start = at.start as usize;
            if self.count > self.limits.max_documents {
                return Err(Exceeded::Documents);
            }
        }
        let size = (at.end as usize).saturating_sub(self.document_start);
        if size as u64 > self.limits.max_document_size.0 {
            return Err(Exceeded::DocumentSize);
        }
        Ok(())
    }

    /// Corrects the end of a block scalar. The parser adds a line break to the last line of an input that has none,
    /// unless that line is blank. Kubernetes always adds one to a file, and never to a value.
    fn end_block_scalar(&self, content: &mut Cow<'_, str>, at: &Range<usize>) {
        let blank = content.trim_matches('\n').is_empty();
        let lines = blank.then(|| block_scalar::blank_lines(self.text, at)).flatten();
        match (self.kind, lines) {
            (TextKind::Manifests, Some(lines)) => *content = Cow::Owned("\n".repeat(lines.lines().count())),
            (TextKind::Value, Some(lines)) => *content = Cow::Owned("\n".repeat(lines.matches('\n').count())),
            (TextKind::Manifests, None) if block_scalar::keeps_last_line(self.text, at) => content.to_mut().push('\n'),
            (TextKind::Value, None) if block_scalar::is_cut_off(self.text, at) && content.ends_with('\n') => {
                content.to_mut().pop();
            }
            _ => {}
        }
    }

    /// Reports the first character that is a line break only in YAML 1.1 (`is_break` in go-yaml's `yamlprivateh.go`).
    /// In JSON, these characters are ordinary.
    fn report_line_break(&mut self) {
        let is_break = |&(_, c): &(usize, char)| matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}');
        let found = match self.text.is_ascii() || self.is_json {
            true => None,
            false => self.text.char_indices().find(is_break),
        };
        if let Some((start, character)) = found {
            let at = Span::new(self.source, start, start + character.len_utf8());
            self.diagnostics.push(diagnostics::line_break(character, at));
        }
    }

    fn report_tabs(&mut self, end: usize) {
        for tab in self.strict.tabs_before(end) {
            let at = Span::new(self.source, tab, tab + 1);
            self.diagnostics.push(diagnostics::refused(TAB, at));
        }
    }
}

/// Returns the text around each mistake that prevented a document from being read, from the preceding document to the
/// following one.
pub fn unread<'s, 'd>(
    sources: &'s Sources,
    documents: impl Iterator<Item = &'d Document<'d>>,
    diagnostics: &[Diagnostic],
) -> Vec<&'s str> {
    let mistakes = diagnostics.iter().filter(|found| {
        matches!(found.code, Code::YamlSyntax | Code::YamlLimit | Code::UnrenderedTemplate)
            && found.severity > Severity::Note
    });
    let mut places: Vec<_> = mistakes.filter_map(|found| Some(found.primary()?.span)).collect();
    if places.is_empty() {
        return Vec::new();
    }
    places.sort_unstable_by_key(|at| (at.source, at.start));
    let mut read: HashMap<_, Vec<_>> = HashMap::new();
    for span in documents.map(|document| document.root().span()) {
        read.entry(span.source).or_default().push((span.start, span.end));
    }
    let mut found = Vec::new();
    let mut covered = None;
    for at in places {
        if covered.is_some_and(|(source, end)| source == at.source && at.start < end) {
            continue;
        }
        let read = read.get(&at.source).map_or(&[][..], Vec::as_slice);
        let behind = read.partition_point(|(start, _)| *start <= at.start);
        let before = behind.checked_sub(1).and_then(|before| read.get(before));
        let start = before.map_or(0, |(_, end)| *end);
        let end = read.get(behind).map_or(u32::MAX, |(start, _)| *start);
        if before.is_some() && at.start <= start {
            continue;
        }
        covered = Some((at.source, end));
        if let Some(source) = sources.get(at.source) {
            let end = source.text.len().min(end as usize);
            found.extend(source.text.get(start as usize..end));
        }
    }
    found
}

#[cfg(test)]
mod tests;
