//! Answers to requests about a place or a file.

use lsp_types::{
    CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeLens, CodeLensParams, Command, DocumentSymbolParams,
    GotoDefinitionParams, Hover, HoverContents, HoverParams, MarkupContent, MarkupKind, Position, Range,
    ReferenceParams, TextDocumentPositionParams, Uri,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::diagnostics::Places;
use super::symbols::symbols;
use super::text::offset;
use super::uri::{real, to_path};
use crate::api::{Kind, ObjectRef, Relation};
use crate::compile::Options;
use crate::diagnostic::{Code, Diagnostic, Edit, FieldPath, Fix};
use crate::insight::catalogue::Located;
use crate::insight::links::{PlaceLink, links, selected};
use crate::insight::resolved::{Resolved, resolve};
use crate::insight::why::{Explainer, Patch, Remedy};
use crate::printable::{counted, printable};
use crate::source::{Source, SourceId, Span};

/// What questions are answered from.
pub(super) struct Answers<'a> {
    pub(super) places: Places<'a>,
    pub(super) found: &'a [Diagnostic],
    pub(super) options: &'a Options,
}

type Answer = Result<Value, String>;

impl Answers<'_> {
    /// The answer to a request; `None` to one that nobody answers.
    pub(super) fn to(&self, method: &str, params: Value) -> Option<Answer> {
        Some(match method {
            "textDocument/codeAction" => with(params, |params| self.actions(&params)),
            "textDocument/definition" => with(params, |params| self.definition(&params)),
            "textDocument/references" => with(params, |params| self.references(&params)),
            "textDocument/hover" => with(params, |params| self.hover(&params)),
            "textDocument/documentSymbol" => with(params, |params| self.symbols(&params)),
            "textDocument/codeLens" => with(params, |params| self.lenses(&params)),
            "textDocument/diagnostic" => with(params, |params| self.diagnostics(&params)),
            _ => return None,
        })
    }

    /// The source of a document.
    fn source(&self, uri: &Uri) -> Option<SourceId> {
        let path = real(&to_path(uri)?);
        let mut all = self.places.sources.iter();
        let is_meant = |source: &Source| source.path.as_deref().map(real).as_ref() == Some(&path);
        all.find(|(_, source)| is_meant(source)).map(|(id, _)| id)
    }

    /// The place of a position.
    fn at(&self, at: &TextDocumentPositionParams) -> Option<Span> {
        let id = self.source(&at.text_document.uri)?;
        Some(self.span(id, Range::new(at.position, at.position)))
    }

    fn span(&self, id: SourceId, range: Range) -> Span {
        let text = self.places.sources.get(id).map_or("", |source| source.text.as_str());
        let offset = |position: Position| offset(text, position, self.places.encoding);
        Span::new(id, offset(range.start), offset(range.end))
    }

    /// What the input is made of, for an answer.
    fn resolved<T>(&self, answer: impl FnOnce(Resolved<'_>) -> T) -> T {
        resolve(self.places.sources, Vec::new(), self.options, answer)
    }

    fn diagnostics(&self, params: &Value) -> Value {
        let uri = params.pointer("/textDocument/uri").and_then(Value::as_str);
        let files = self.places.by_file(self.found);
        let items = uri.and_then(|uri| files.get(uri)).cloned().unwrap_or_default();
        json!({ "kind": "full", "items": items })
    }

    fn actions(&self, params: &CodeActionParams) -> Value {
        let Some(id) = self.source(&params.text_document.uri) else {
            return json!([]);
        };
        let asked = self.span(id, params.range);
        let is_wanted = |kind: &CodeActionKind| {
            let only = params.context.only.as_ref();
            only.is_none_or(|only| only.iter().any(|wanted| kind.as_str().starts_with(wanted.as_str())))
        };
        let mut actions = Vec::new();
        if is_wanted(&CodeActionKind::QUICKFIX) {
            for found in self.found.iter().filter(|found| is_about(found, asked)) {
                actions.extend(found.fix.as_ref().and_then(|fix| self.places.action(found, fix)));
                if matches!(found.code, Code::Unselected | Code::SelectsNothing) {
                    actions.extend(self.selection(found, asked));
                }
            }
        }
        if is_wanted(&CodeActionKind::SOURCE_FIX_ALL) {
            actions.extend(self.fix_all(id));
        }
        let actions: Vec<_> = actions.into_iter().map(CodeActionOrCommand::CodeAction).collect();
        json!(actions)
    }

    /// What gets a resource selected that nothing selects.
    fn selection(&self, found: &Diagnostic, asked: Span) -> Option<lsp_types::CodeAction> {
        let place = places(found).find(|place| touches(*place, asked))?;
        self.resolved(|input| {
            let catalogue = input.catalogue();
            let is_child = |located: &&Located<'_>| Relation::to(located.object.kind).is_some();
            let mut targets = catalogue.iter().filter(is_child);
            let target = targets.find(|located| holds(located, place)).copied()?;
            let explainer = Explainer::new(input.graph(), &input.options.resolve).ok()?;
            let why = explainer.explain(vec![target]).next()?;
            let remedy = Remedy::of(&why.nearest()?);
            let of_patch = |patch: &Patch<'_>| patch.edits(catalogue.located(&patch.object)?.root);
            let edits: Vec<Vec<Edit>> = remedy.patches.iter().map(of_patch).collect::<Option<_>>()?;
            let is_whole = remedy.by_hand.is_empty() && !edits.is_empty();
            let fix = Fix::certain(
                "change what `agentctl why` names, so that it is selected",
                edits.concat(),
            )
            .likely();
            self.places.action(found, &fix).filter(|_| is_whole)
        })
    }

    /// All certain fixes of a file.
    fn fix_all(&self, id: SourceId) -> Option<lsp_types::CodeAction> {
        let fixes = self.found.iter().filter_map(|found| found.fix.as_ref());
        let is_here = |fix: &&Fix| fix.is_certain() && fix.edits.iter().all(|edit| edit.span.source == id);
        let fixes: Vec<_> = fixes.filter(is_here).collect();
        let fix = Fix::of_all(fixes.iter().copied())?;
        Some(lsp_types::CodeAction {
            title: format!("agentctl: fix {}", counted(fixes.len(), "finding")),
            kind: Some(CodeActionKind::SOURCE_FIX_ALL),
            edit: Some(self.places.workspace_edit(&fix.edits)?),
            ..lsp_types::CodeAction::default()
        })
    }

    fn definition(&self, params: &GotoDefinitionParams) -> Value {
        self.ways(&params.text_document_position_params, |link| (link.from, link.to))
    }

    fn references(&self, params: &ReferenceParams) -> Value {
        self.ways(&params.text_document_position, |link| (link.to, link.from))
    }

    /// Where the ways lead that begin at a place.
    fn ways(&self, at: &TextDocumentPositionParams, ends: fn(&PlaceLink<'_>) -> (Span, Span)) -> Value {
        let Some(at) = self.at(at) else {
            return Value::Null;
        };
        self.resolved(|input| {
            let links = links(input.graph());
            let ways = links.iter().map(ends).filter(|(from, _)| contains(*from, at));
            let mut ends: Vec<_> = ways.map(|(_, to)| to).collect();
            ends.sort();
            ends.dedup();
            json!(self.places.locations(&ends))
        })
    }

    /// On a finding, what its code means; on the name of a resource, what selects it.
    fn hover(&self, params: &HoverParams) -> Value {
        let Some(at) = self.at(&params.text_document_position_params) else {
            return Value::Null;
        };
        let is_here = |found: &&Diagnostic| found.primary().is_some_and(|label| contains(label.span, at));
        let pages = self
            .found
            .iter()
            .find(is_here)
            .map(|found| found.code.page().to_owned());
        let selected = self.resolved(|input| {
            let catalogue = input.catalogue();
            let target = catalogue.iter().find(|located| holds(located, at))?;
            let name = FieldPath::of("metadata.name").locate(target.root);
            contains(name, at).then(|| selection(target, &input))
        });
        let value = [selected, pages]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join("\n\n---\n\n");
        match value.is_empty() {
            true => Value::Null,
            false => json!(Hover {
                contents: HoverContents::Markup(MarkupContent {
                    kind: MarkupKind::Markdown,
                    value,
                }),
                range: None,
            }),
        }
    }

    fn symbols(&self, params: &DocumentSymbolParams) -> Value {
        let id = self.source(&params.text_document.uri);
        json!(id.map(|id| symbols(&self.places, id)))
    }

    /// How many instances or agents select each resource of a file.
    fn lenses(&self, params: &CodeLensParams) -> Value {
        let Some(id) = self.source(&params.text_document.uri) else {
            return Value::Null;
        };
        self.resolved(|input| {
            let links = selected(input.graph());
            let catalogue = input.catalogue();
            let here = catalogue.in_sources(&[id]);
            let names = here.iter().filter_map(|located| {
                let relation = Relation::to(located.object.kind)?;
                let mut parents: Vec<_> = of(&links, located.object).collect();
                parents.sort();
                parents.dedup();
                let place = FieldPath::of("metadata.name").locate(located.root);
                Some((place, selected_by(relation.parent, parents.len())))
            });
            let names: Vec<_> = names.collect();
            let ranges = self.places.ranges(names.iter().map(|(place, _)| *place));
            let lenses = names.into_iter().map(|(place, title)| CodeLens {
                range: ranges.get(place),
                command: Some(Command::new(title, String::new(), None)),
                data: None,
            });
            json!(lenses.collect::<Vec<_>>())
        })
    }
}

/// What selects a resource, in Markdown.
fn selection(target: &Located<'_>, input: &Resolved<'_>) -> String {
    let links = selected(input.graph());
    let mut parents: Vec<_> = of(&links, target.object).collect();
    parents.sort();
    parents.dedup();
    let mut lines = vec![format!("**{}**", named(target.object))];
    for parent in &parents {
        let above: Vec<_> = of(&links, *parent).map(named).collect();
        let through = if above.is_empty() {
            String::new()
        } else {
            format!(", of {}", above.join(" and "))
        };
        lines.push(format!("- selected by {}{through}", named(*parent)));
    }
    if parents.is_empty() && Relation::to(target.object.kind).is_some() {
        let is_refused = "- the API server refuses it, so nothing can select it";
        lines.push(
            if target.refused {
                is_refused
            } else {
                "- nothing selects it"
            }
            .to_owned(),
        );
    }
    lines.dedup();
    lines.join("\n")
}

fn selected_by(kind: Kind, count: usize) -> String {
    format!("selected by {count} {}", kind.counted(count))
}

fn named(object: ObjectRef<'_>) -> String {
    printable(&object.to_string()).replace(['*', '[', '<'], "")
}

/// The parents that select an object.
fn of<'l, 'd>(links: &'l [PlaceLink<'d>], object: ObjectRef<'d>) -> impl Iterator<Item = ObjectRef<'d>> + 'l {
    links
        .iter()
        .filter(move |link| link.object == object)
        .map(|link| link.by)
}

fn with<P: DeserializeOwned>(params: Value, answer: impl FnOnce(P) -> Value) -> Answer {
    serde_json::from_value(params)
        .map(answer)
        .map_err(|problem| problem.to_string())
}

/// Whether a finding is at a place, or its fix is.
fn is_about(found: &Diagnostic, asked: Span) -> bool {
    let edits = found.fix.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span);
    places(found).chain(edits).any(|place| touches(place, asked))
}

/// The place of a finding, and the others where the same mistake shows.
fn places(found: &Diagnostic) -> impl Iterator<Item = Span> {
    let also = found.also.iter().map(|also| also.label.span);
    found.primary().map(|label| label.span).into_iter().chain(also)
}

fn touches(span: Span, asked: Span) -> bool {
    span.source == asked.source && span.start <= asked.end && asked.start <= span.end
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.source == inner.source && outer.start <= inner.start && inner.end <= outer.end
}

fn holds(located: &Located<'_>, at: Span) -> bool {
    contains(located.root.span(), at)
}
