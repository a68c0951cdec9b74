//! Answers to requests about a position or a file.

use lsp_types::{
    DocumentSymbolParams, GotoDefinitionParams, Position, Range, ReferenceParams, TextDocumentPositionParams, Uri,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::diagnostics::Locations;
use super::symbols::symbols;
use super::text::offset;
use super::uri::{canonical_path, to_path};
use crate::compile::CompileOptions;
use crate::diagnostic::Diagnostic;
use crate::insight::links::{DefinitionLink, links_at};
use crate::insight::resolved::{ResolvedInput, resolve};
use crate::source::{Source, SourceId, Sources, Span};

/// Data used to answer requests.
pub(super) struct Answers<'a> {
    pub(super) places: Locations<'a>,
    pub(super) findings: &'a [Diagnostic],
    /// Function that returns the findings after their fixes have been tried.
    pub(super) tried_findings: &'a dyn Fn() -> &'a [Diagnostic],
    pub(super) options: &'a CompileOptions,
}

pub(super) type Answer = Result<Value, &'static str>;

impl Answers<'_> {
    /// Returns the answer to a request, or `None` if the method is unknown.
    pub(super) fn answer(&self, method: &str, params: Value) -> Option<Answer> {
        Some(match method {
            "textDocument/codeAction" => answer_with(params, |params| self.actions(&params)),
            "textDocument/definition" => answer_with(params, |params| self.definition(&params)),
            "textDocument/references" => answer_with(params, |params| self.references(&params)),
            "textDocument/hover" => answer_with(params, |params| self.hover(&params)),
            "textDocument/documentSymbol" => answer_with(params, |params| self.symbols(&params)),
            "textDocument/diagnostic" => answer_with(params, |params| self.diagnostics(&params)),
            _ => return None,
        })
    }

    /// Returns the source of a document.
    pub(super) fn source(&self, uri: &Uri) -> Option<SourceId> {
        let path = canonical_path(&to_path(uri)?);
        let mut all_sources = self.places.sources.iter();
        let has_path = |source: &Source| source.path.as_deref().map(canonical_path).as_ref() == Some(&path);
        all_sources.find(|(_, source)| has_path(source)).map(|(id, _)| id)
    }

    /// Returns an empty span at a position.
    pub(super) fn cursor_span(&self, at: &TextDocumentPositionParams) -> Option<Span> {
        let id = self.source(&at.text_document.uri)?;
        Some(self.span(id, Range::new(at.position, at.position)))
    }

    pub(super) fn span(&self, id: SourceId, range: Range) -> Span {
        let text = self.places.sources.get(id).map_or("", |source| source.text.as_str());
        let offset = |position: Position| offset(text, position, self.places.encoding);
        Span::new(id, offset(range.start), offset(range.end))
    }

    /// Resolves the input, and passes the result to `answer`.
    pub(super) fn with_resolved<T>(&self, answer: impl FnOnce(ResolvedInput<'_>) -> T) -> T {
        resolve(self.places.sources, Vec::new(), self.options, answer)
    }

    fn diagnostics(&self, params: &Value) -> Value {
        let uri = params.pointer("/textDocument/uri").and_then(Value::as_str);
        let files = self.places.by_file(self.findings);
        let items = uri.and_then(|uri| files.get(uri)).cloned().unwrap_or_default();
        json!({ "kind": "full", "items": items })
    }

    fn definition(&self, params: &GotoDefinitionParams) -> Value {
        self.link_ends(&params.text_document_position_params, |link| (link.from, link.to))
    }

    fn references(&self, params: &ReferenceParams) -> Value {
        self.link_ends(&params.text_document_position, |link| (link.to, link.from))
    }

    /// Returns the locations that the links at a position lead to.
    fn link_ends(&self, at: &TextDocumentPositionParams, ends: fn(&DefinitionLink) -> (Span, Span)) -> Value {
        let Some(at) = self.cursor_span(at) else {
            return Value::Null;
        };
        let links = self.with_resolved(|input| links_at(&input, at));
        let to_edited = |(from, to)| (self.places.sources.to_edit(from), self.places.sources.to_edit(to));
        let links = links.iter().map(ends).map(to_edited).filter(|(from, _)| contains(*from, at));
        let mut ends: Vec<_> = links.map(|(_, to)| to).collect();
        ends.sort();
        ends.dedup();
        json!(self.places.locations(&ends))
    }

    fn symbols(&self, params: &DocumentSymbolParams) -> Value {
        let id = self.source(&params.text_document.uri);
        json!(id.map(|id| symbols(&self.places, id)))
    }
}

fn answer_with<P: DeserializeOwned>(params: Value, answer: impl FnOnce(P) -> Value) -> Answer {
    serde_json::from_value(params).map(answer).map_err(|_| "the parameters are not valid")
}

/// Whether a span in a file is part of an object: of the object itself, or of a file that it was built from.
pub(super) fn is_in_object(sources: &Sources, object: Span, at: Span) -> bool {
    contains(sources.to_edit(object), at) || sources.is_built_from(object, &[at.source])
}

pub(super) fn contains(outer: Span, inner: Span) -> bool {
    outer.source == inner.source && outer.start <= inner.start && inner.end <= outer.end
}
