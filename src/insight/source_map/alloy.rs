//! The parts of `config.alloy` in the order of its text.

use std::ops::Range;
use std::rc::Rc;

use super::agent::Lines;
use super::map::{Passage, SourceMap, count};
use super::refine::{Field, Fields};
use super::traced::Traced;
use crate::diagnostic::FieldPath;
use crate::source::Sources;
use crate::target::alloy::{Component, Element, Way, Writing, write_traced};
use crate::yaml::{Node, Step};

impl<'d> SourceMap<'_, 'd> {
    /// Passes on the parts of `config.alloy`, and its lines. Says whether anything is masked.
    pub(super) fn each_passage_of_alloy(&self, writing: Writing, pass: &mut dyn FnMut(Passage<'_, 'd>)) -> bool {
        let mut fields = Fields::new(self.catalogue);
        let agent = (self.plan.agent.object_ref(), FieldPath::new());
        if let Some(field) = &fields.of(&agent) {
            pass(Passage::Part(&Traced {
                line: 1,
                end_line: &|| self.lines(),
                indent: 0,
                is_news: true,
                field,
                base: "",
                path: &[],
                sources: self.sources,
            }));
        }
        let mut above = 0;
        let written = write_traced(&self.plan, self.part, writing, &mut |text, components| {
            let mut lines = Lines::new(text, above, None);
            for component in components {
                each_element(component, &mut fields, &mut lines, self.sources, pass);
            }
            pass(Passage::Lines(text));
            above += count(text);
        });
        written.has_masked
    }
}

/// What is known of an element.
struct Known<'d> {
    field: Option<Rc<Field<'d>>>,
    /// What the last block in it was made from.
    last_made: Option<Rc<Field<'d>>>,
}

fn each_element<'d>(
    component: &Component<'_>,
    fields: &mut Fields<'_, 'd>,
    lines: &mut Lines<'_>,
    sources: &'d Sources,
    pass: &mut dyn FnMut(Passage<'_, 'd>),
) {
    let mut known: Vec<Known<'d>> = Vec::with_capacity(component.elements.len());
    let base = name(component);
    let mut path = Vec::new();
    let mut pass = |(bytes, path): (&Range<usize>, &[Step<'_>]), field: &Field<'d>, is_news| {
        let indent = lines.advance(bytes.start);
        pass(Passage::Part(&Traced {
            line: lines.line(bytes.start),
            end_line: &|| lines.line(bytes.end),
            indent,
            is_news,
            field,
            base: &base,
            path,
            sources,
        }));
        lines.text
    };
    for element in &component.elements {
        let made_from = element.field.and_then(|field| fields.of(&field.source()));
        let is_made = made_from.is_some();
        let around = element.parent.and_then(|parent| known.get_mut(parent));
        let field = made_from.or_else(|| inner(around.as_ref()?.field.as_ref()?, element));
        let is_news = match (element.number, around) {
            (Some(_), Some(around)) if is_made => {
                let is_news = around.last_made != field;
                around.last_made.clone_from(&field);
                is_news
            }
            (_, Some(around)) => is_made && around.field != field,
            (_, None) => is_made,
        };
        if let Some(field) = &field {
            steps(component, element, &mut path);
            let text = pass((&element.bytes, &path), field, is_news);
            if element.has_lines && field.value.is_some_and(Node::is_mapping) {
                for (name, bytes) in attributes(text, &element.bytes) {
                    if let Some(field) = field.step(Step::Key(name)) {
                        path.push(Step::Key(name));
                        pass((&bytes, &path), &field, false);
                        path.pop();
                    }
                }
            }
        }
        let last_made = None;
        known.push(Known { field, last_made });
    }
}

/// The names of the attributes in a block that has each on a line, and where they are.
fn attributes<'t>(text: &'t str, block: &Range<usize>) -> impl Iterator<Item = (&'t str, Range<usize>)> {
    let mut next = block.start;
    let lines = text.get(block.clone()).unwrap_or_default().split('\n');
    lines.filter_map(move |line| {
        let end = next + line.len();
        next = end + 1;
        let attribute = line.trim_start_matches('\t');
        let (name, _) = attribute.split_once(' ')?;
        (attribute.len() < line.len() && name != "}").then_some((name, end - attribute.len()..end))
    })
}

/// What Alloy calls a component.
fn name(component: &Component<'_>) -> String {
    match component.label.as_str() {
        "" => component.kind.to_owned(),
        label => format!("{}.{label}", component.kind),
    }
}

/// The way to an element from its component.
fn steps<'c>(component: &'c Component<'_>, element: &'c Element<'_>, steps: &mut Vec<Step<'c>>) {
    steps.clear();
    let mut next = Some(element);
    while let Some(element) = next
        && let Some(parent) = element.parent
    {
        steps.extend(element.number.map(Step::Index));
        steps.push(Step::Key(&element.name));
        next = component.elements.get(parent);
    }
    steps.reverse();
}

/// The field of an element in one that was made from this field.
fn inner<'d>(around: &Rc<Field<'d>>, element: &Element<'_>) -> Option<Rc<Field<'d>>> {
    let at = |keys: &str| {
        let mut keys = keys.split('.');
        let first = around.step(Step::Key(keys.next()?))?;
        keys.try_fold(first, |field, key| field.step(Step::Key(key)))
    };
    let field = match element.way {
        Way::Same => Rc::clone(around),
        Way::Keys(keys) => keys.split('|').find_map(at)?,
        Way::Name => around.step(Step::Key(&element.name))?,
        Way::None => return None,
    };
    let item = element.number.and_then(|number| field.step(Step::Index(number)));
    Some(item.unwrap_or(field))
}
