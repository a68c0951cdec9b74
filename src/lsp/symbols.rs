//! Outline of a document: its resources, their fields and their named list items.

use lsp_types::{DocumentSymbol, SymbolKind};

use super::diagnostics::Locations;
use super::text::Ranges;
use crate::printable::printable;
use crate::source::{SourceId, Span};
use crate::yaml::{self, Limits, Node};

/// Maximum depth of fields and list items to show.
const MAX_DEPTH: usize = 4;

pub(super) fn symbols(places: &Locations<'_>, id: SourceId) -> Vec<DocumentSymbol> {
    let Some(source) = places.sources.get(id) else {
        return Vec::new();
    };
    let documents = yaml::read(id, &source.text, &Limits::default()).output;
    let outline = documents.iter().map(|document| Outline::from_resource(document.root()));
    let outline: Vec<_> = outline.collect();
    let ranges = places.ranges(outline.iter().flat_map(Outline::spans));
    outline.iter().map(|item| item.symbol(&ranges)).collect()
}

struct Outline {
    name: String,
    kind: SymbolKind,
    span: Span,
    name_span: Span,
    children: Vec<Outline>,
}

impl Outline {
    fn from_resource(root: Node<'_>) -> Self {
        let name = [root.text("kind"), root.text("metadata.namespace"), root.text("metadata.name")];
        let name: Vec<_> = name.into_iter().filter(|part| !part.is_empty()).collect();
        let head = root.at("metadata.name").map_or(root.span(), Node::span);
        Self {
            name: printable_name(&name.join(" ")),
            kind: SymbolKind::CLASS,
            span: root.span(),
            name_span: clamp(head, root.span()),
            children: outline_below(root, MAX_DEPTH),
        }
    }

    fn spans(&self) -> Vec<Span> {
        let own_spans = [self.span, self.name_span];
        own_spans.into_iter().chain(self.children.iter().flat_map(Outline::spans)).collect()
    }

    fn symbol(&self, ranges: &Ranges) -> DocumentSymbol {
        #[expect(deprecated, reason = "the type requires this field")]
        DocumentSymbol {
            name: self.name.clone(),
            detail: None,
            kind: self.kind,
            tags: None,
            deprecated: None,
            range: ranges.get(self.span),
            selection_range: ranges.get(self.name_span),
            children: Some(self.children.iter().map(|child| child.symbol(ranges)).collect()),
        }
    }
}

/// Returns the fields of a mapping or the items of a list. The only values shown are names.
fn outline_below(node: Node<'_>, depth: usize) -> Vec<Outline> {
    if depth == 0 {
        return Vec::new();
    }
    let fields = node.entries().map(|entry| Outline {
        name: printable_name(entry.key),
        kind: SymbolKind::FIELD,
        span: entry.key_span.with(entry.key_span.start, entry.key_span.end.max(entry.value.span().end)),
        name_span: entry.key_span,
        children: outline_below(entry.value, depth - 1),
    });
    let items = node.items().enumerate().filter(|(_, item)| item.is_mapping());
    let items = items.map(|(number, item)| {
        let name = item.non_empty_str("name").or_else(|| item.non_empty_str("port"));
        Outline {
            name: name.map_or_else(|| number.to_string(), printable_name),
            kind: SymbolKind::ARRAY,
            span: item.span(),
            name_span: item.span(),
            children: outline_below(item, depth - 1),
        }
    });
    fields.chain(items).collect()
}

/// Returns a printable, non-empty form of a name.
fn printable_name(name: &str) -> String {
    match name {
        "" => "?".to_owned(),
        name => printable(name).into_owned(),
    }
}

/// Clamps `span` to `outer`.
fn clamp(span: Span, outer: Span) -> Span {
    let clamp_offset = |at: u32| at.clamp(outer.start, outer.end);
    outer.with(clamp_offset(span.start), clamp_offset(span.end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Source, Sources};
    use crate::yaml::{Limits, read};

    /// Formats an outline: each name with its children and the text of its span.
    fn outline(outlines: &[Outline], text: &str) -> String {
        let part = |span: Span| &text[span.start as usize..span.end as usize];
        let format_item = |item: &Outline| {
            let children = outline(&item.children, text);
            let head = match part(item.name_span) == item.name {
                true => String::new(),
                false => format!("@{}", part(item.name_span)),
            };
            assert!(part(item.span).contains(part(item.name_span)));
            match children.is_empty() {
                true => format!("{}{head}", item.name),
                false => format!("{}{head}({children})", item.name),
            }
        };
        outlines.iter().map(format_item).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn lists_fields_and_named_items_up_to_a_depth() {
        let mut sources = Sources::default();
        let id = sources.add(Source::new("x.yaml", "", true));
        for (text, depth, expected) in [
            ("a: {b: {c: {d: {e: 1}}}}", 0, ""),
            ("a: {b: {c: {d: {e: 1}}}}", 1, "a"),
            ("a: {b: {c: {d: {e: 1}}}}", MAX_DEPTH, "a(b(c(d)))"),
            ("a: [{b: {c: {d: 1}}}]", 3, "a(0@{b: {c: {d: 1}}}(b))"),
            (
                "a: [1, {name: web}, {port: p, x: 1}, {name: ''}, [y]]",
                2,
                "a(web@{name: web} p@{port: p, x: 1} 3@{name: ''})",
            ),
            ("a: [1, 2]\nb:\n'': 1", 2, "a b ?@''"),
            ("[1]", 2, ""),
            ("x", 2, ""),
        ] {
            let documents = read(id, text, &Limits::default()).output;
            let actual = outline_below(documents[0].root(), depth);
            assert_eq!(outline(&actual, text), expected, "{text}");
        }
    }

    #[test]
    fn names_resources_by_kind_namespace_and_name() {
        let mut sources = Sources::default();
        let id = sources.add(Source::new("x.yaml", "", true));
        for (text, name, head) in [
            ("kind: A\nmetadata: {name: c, namespace: b}", "A b c", "c"),
            ("kind: A\nmetadata: {name: c}", "A c", "c"),
            ("kind: A", "A", "kind: A"),
            ("a: b", "?", "a: b"),
        ] {
            let documents = read(id, text, &Limits::default()).output;
            let actual = Outline::from_resource(documents[0].root());
            let at = actual.name_span;
            assert_eq!((&*actual.name, &text[at.start as usize..at.end as usize]), (name, head));
            assert_eq!(
                actual.spans().len() - 2,
                2 * actual.children.iter().map(|child| child.spans().len() / 2).sum::<usize>()
            );
        }
    }

    #[test]
    fn clamps_spans_to_their_container() {
        let mut sources = Sources::default();
        let id = sources.add(Source::new("x.yaml", "", true));
        for (span, expected) in [((3, 4), (3, 4)), ((0, 9), (2, 6)), ((7, 9), (6, 6)), ((0, 1), (2, 2))] {
            let actual = clamp(Span::new(id, span.0, span.1), Span::new(id, 2, 6));
            assert_eq!((actual.start, actual.end), expected, "{span:?}");
        }
    }
}
