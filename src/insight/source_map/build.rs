//! The entries of a map, from the origins of a configuration and the layout of its text.

use super::entry::{ConfigurationPlace, Entry, InputPlace};
use super::refine::Field;
use crate::api::Kind;
use crate::diagnostic::FieldPath;
use crate::insight::target::Catalogue;
use crate::source::{LineIndex, Sources};
use crate::target::agent::{Configuration, Source};
use crate::yaml::{Layout, Node, Step};

/// An entry for each part whose origin is known, and for each field of it that the resource has a field for.
pub(super) fn entries<'d>(
    text: &str,
    layout: &Layout<'_>,
    configuration: &Configuration<'_, 'd>,
    catalogue: &Catalogue<'_, 'd>,
    sources: &'d Sources,
) -> Vec<Entry<'d>> {
    let lines = LineIndex::new(text);
    let mut fields: Vec<Option<Field<'d>>> = Vec::with_capacity(layout.nodes.len());
    let mut entries = Vec::new();
    for (number, laid) in layout.nodes.iter().enumerate() {
        let path = layout.path(number);
        let made_from = configuration.origin(&path).and_then(|origin| field(origin, catalogue));
        let is_made = made_from.is_some();
        let refined = || {
            let (parent, step) = laid.parent?;
            fields.get(parent)?.as_ref()?.step(step)
        };
        let field = made_from.or_else(refined);
        if let Some(source) = field.as_ref().and_then(|field| input_place(field, sources)) {
            let start = lines.position(text, laid.bytes.start);
            entries.push(Entry {
                config: ConfigurationPlace {
                    path: written(&path).to_string(),
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
        fields.push(field);
    }
    entries
}

/// The field of an origin. Of a key of a Secret that stands in `stringData`, that one counts.
fn field<'d>((object, path): Source<'d>, catalogue: &Catalogue<'_, 'd>) -> Option<Field<'d>> {
    let root = catalogue.root(&object)?;
    let plain = || {
        let key = path.last_key().filter(|_| object.kind == Kind::Secret)?;
        let path = FieldPath::of("stringData").key(key.to_owned());
        path.find(root).map(|_| path)
    };
    let path = plain().unwrap_or(path);
    Some(Field::new(object, root, path))
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

fn written(path: &[Step<'_>]) -> FieldPath<'static> {
    let mut written = FieldPath::new();
    for step in path {
        written.push(*step);
    }
    written
}
