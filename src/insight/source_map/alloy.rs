//! Traversal of the parts of `config.alloy` in output order.

use std::ops::Range;
use std::rc::Rc;

use super::field::ResourceField;
use super::lines::SequenceLines;
use super::map::{Event, SourceMap};
use super::traced::Traced;
use super::walk::{ParentPart, Walk};
use crate::output::agent::PartSource;
use crate::output::alloy::{AlloySettings, Component, Element, ValueLocation, write_traced};
use crate::plan::{Origin, SecretRepresentation};
use crate::yaml::{Node, Step};

impl<'d> SourceMap<'_, 'd> {
    /// Passes the parts and lines of `config.alloy` to `pass`. Returns whether any secret is masked.
    pub(super) fn for_each_alloy_event(
        &self,
        settings: &AlloySettings,
        secrets: SecretRepresentation,
        pass: &mut dyn FnMut(Event<'_, 'd>),
    ) -> bool {
        let mut walk =
            Walk { catalog: self.catalog, sources: self.sources, part: self.part, previous_source: None, pass };
        let agent = PartSource::Field(Origin::new(self.plan.agent));
        if let Some(field) = &ResourceField::from_source(agent, self.catalog) {
            (walk.pass)(Event::Part(&Traced {
                lines: &SequenceLines::new("", 0, Vec::new()),
                bytes: &(0..0),
                is_open: true,
                needs_comment: true,
                field,
                base: "",
                path: &[],
                sources: self.sources,
                part: self.part,
            }));
        }
        let mut lines_above = 0;
        let was_written = write_traced(&self.plan, self.part, settings, secrets, &mut |text, components| {
            let mut lines = SequenceLines::new(text, lines_above, Vec::new());
            for component in components {
                for_each_element(component, &mut walk, &mut lines);
            }
            (walk.pass)(Event::Lines(text));
            lines_above += lines.count();
        });
        (walk.pass)(Event::End(lines_above));
        was_written.has_masked
    }
}

fn for_each_element<'w, 'd>(component: &Component<'w>, walk: &mut Walk<'w, 'd>, lines: &mut SequenceLines<'_>) {
    let mut known_parts: Vec<ParentPart<'d>> = Vec::with_capacity(component.elements.len());
    let base = name(component);
    let mut path = Vec::new();
    for element in &component.elements {
        let enclosing_part = element.parent.and_then(|parent| known_parts.get_mut(parent));
        let refine_field = |enclosing: &Rc<ResourceField<'d>>| element_field(enclosing, element);
        let (field, needs_comment) = walk.field(element.source, enclosing_part, element.number.is_some(), refine_field);
        if let Some(field) = &field {
            steps(component, element, &mut path);
            walk.part(lines, &element.bytes, (field, needs_comment), (&base, &path));
            if element.has_lines && field.value.is_some_and(Node::is_mapping) {
                for (name, bytes) in attributes(lines.text, &element.bytes) {
                    if let Some(field) = field.step(Step::Key(name)) {
                        path.push(Step::Key(name));
                        walk.part(lines, &bytes, (&field, false), (&base, &path));
                        path.pop();
                    }
                }
            }
        }
        known_parts.push(ParentPart { field, ..ParentPart::default() });
    }
}

/// Returns the names of the attributes in a block that contains one attribute per line, each with the attribute's
/// range.
fn attributes<'t>(text: &'t str, block: &Range<usize>) -> impl Iterator<Item = (&'t str, Range<usize>)> {
    let mut next_start = block.start;
    let lines = text.get(block.clone()).unwrap_or_default().split('\n');
    lines.filter_map(move |line| {
        let end = next_start + line.len();
        next_start = end + 1;
        let attribute = line.trim_start_matches('\t');
        let (name, _) = attribute.split_once(' ')?;
        (attribute.len() < line.len() && name != "}").then_some((name, end - attribute.len()..end))
    })
}

/// Returns the name that Alloy uses to refer to a component.
fn name(component: &Component<'_>) -> String {
    match component.label.as_str() {
        "" => component.kind.to_owned(),
        label => format!("{}.{label}", component.kind),
    }
}

/// Replaces `steps` with the path from a component to an element.
fn steps<'c>(component: &'c Component<'_>, element: &'c Element<'_>, steps: &mut Vec<Step<'c>>) {
    steps.clear();
    let mut next_element = Some(element);
    while let Some(element) = next_element
        && let Some(parent) = element.parent
    {
        steps.extend(element.number.map(Step::Index));
        steps.push(Step::Key(&element.name));
        next_element = component.elements.get(parent);
    }
    steps.reverse();
}

/// Returns the source field of an element whose parent comes from the `around` field.
fn element_field<'d>(around: &Rc<ResourceField<'d>>, element: &Element<'_>) -> Option<Rc<ResourceField<'d>>> {
    let field_at = |keys: &str| {
        let mut keys = keys.split('.');
        let first_field = around.step(Step::Key(keys.next()?))?;
        keys.try_fold(first_field, |field, key| field.step(Step::Key(key)))
    };
    let field = match element.key {
        Some(ValueLocation::Around) => Rc::clone(around),
        Some(ValueLocation::At(keys)) => keys.split('|').find_map(field_at)?,
        None => around.step(Step::Key(&element.name))?,
        Some(ValueLocation::Nowhere) => return None,
    };
    let item = element.number.and_then(|number| field.step(Step::Index(number)));
    Some(item.unwrap_or(field))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_attributes_that_start_a_line_of_the_block() {
        let text = "x\na {\n\tb = 1\n\tc {\n\t\td = [\n\t\t]\n\t}\n}\ny = 1\n";
        let start = text.find("a {").unwrap();
        let end = text.find("\ny").unwrap();
        let actual: Vec<_> = attributes(text, &(start..end)).map(|(name, bytes)| (name, &text[bytes])).collect();
        assert_eq!(actual, [("b", "b = 1"), ("c", "c {"), ("d", "d = [")]);
        assert_eq!(attributes(text, &(0..1)).count(), 0);
        assert_eq!(attributes(text, &(0..999)).count(), 0);
    }
}
