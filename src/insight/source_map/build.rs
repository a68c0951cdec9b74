//! The entries of a map, from the marks of the lowering and the layout of the text.

use super::entry::{ConfigurationPlace, Entry, InputPlace};
use super::refine::Field;
use crate::api::Kind;
use crate::diagnostic::FieldPath;
use crate::insight::target::Catalogue;
use crate::lower::config::{Origin, Parts};
use crate::source::{LineIndex, Sources};
use crate::yaml::{Laid, Layout, Node, Step};

/// What is known of a node of the configuration.
struct Known<'p, 'd> {
    /// What the lowering knows of the node and what is in it.
    parts: Option<&'p Parts<'d>>,
    /// The field that the node comes from.
    field: Option<Field<'d>>,
}

/// An entry for each part whose origin was recorded, and for each field of it that the resource has a field for.
pub(super) fn entries<'d>(
    text: &str,
    layout: &Layout<'_>,
    parts: &Parts<'d>,
    catalogue: &Catalogue<'_, 'd>,
    sources: &'d Sources,
) -> Vec<Entry<'d>> {
    let lines = LineIndex::new(text);
    let mut known: Vec<Known<'_, 'd>> = Vec::with_capacity(layout.nodes.len());
    let mut entries = Vec::new();
    for laid in &layout.nodes {
        let around = laid.parent.and_then(|(parent, step)| Some((known.get(parent)?, step)));
        let parts = match around {
            Some((around, step)) => around.parts.and_then(|parts| parts.step(step)),
            None => Some(parts),
        };
        let recorded = parts.and_then(|parts| field(parts.origin.as_ref()?, catalogue));
        let is_made = recorded.is_some();
        let refined = || around.and_then(|(around, step)| around.field.as_ref()?.step(step));
        let field = recorded.or_else(refined);
        if let Some(source) = field.as_ref().and_then(|field| input_place(field, sources)) {
            let start = lines.position(text, laid.bytes.start);
            entries.push(Entry {
                config: ConfigurationPlace {
                    path: path(layout, laid).to_string(),
                    line: start.line,
                    end_line: lines.position(text, laid.bytes.end).line,
                },
                source,
                is_made,
                parent: laid
                    .parent
                    .map(|(parent, step)| (parent, matches!(step, Step::Index(_)))),
                indent: start.column as usize - 1,
            });
        }
        known.push(Known { parts, field });
    }
    entries
}

/// The field of an origin. Of a key of a Secret that stands in `stringData`, that one counts.
fn field<'d>(origin: &Origin<'d>, catalogue: &Catalogue<'_, 'd>) -> Option<Field<'d>> {
    let root = catalogue.root(&origin.object)?;
    let plain = || {
        let key = origin.path.last_key().filter(|_| origin.object.kind == Kind::Secret)?;
        let path = FieldPath::of("stringData").key(key.to_owned());
        path.find(root).map(|_| path)
    };
    let path = plain().unwrap_or_else(|| origin.path.clone());
    Some(Field::new(origin.object, root, path))
}

fn input_place<'d>(field: &Field<'d>, sources: &'d Sources) -> Option<InputPlace<'d>> {
    let span = field.path.locate(field.root);
    let source = sources.get(span.source)?;
    let end = field
        .value
        .map_or(span.end, |value| end(value, &source.text))
        .max(span.end);
    let line = source.position(span.start as usize).line;
    Some(InputPlace {
        file: &source.name,
        line,
        end_line: source.position(end as usize).line.max(line),
        resource: field.object,
        path: field.path.to_string(),
        is_set: field.value.is_some(),
    })
}

/// Where a value ends, without what is empty behind it.
fn end(value: Node<'_>, text: &str) -> u32 {
    let end = value.span().end;
    let text = text.get(..end as usize).unwrap_or_default();
    u32::try_from(text.trim_end().len()).unwrap_or(end)
}

/// The way to a node of the configuration.
fn path(layout: &Layout<'_>, laid: &Laid<'_>) -> FieldPath<'static> {
    let mut steps = Vec::new();
    let mut at = laid.parent;
    while let Some((parent, step)) = at {
        steps.push(step);
        at = layout.nodes.get(parent).and_then(|laid| laid.parent);
    }
    let mut path = FieldPath::new();
    for step in steps.into_iter().rev() {
        match step {
            Step::Key(key) => path.push_key(key.to_owned()),
            Step::Index(index) => path.push_index(index),
        }
    }
    path
}
