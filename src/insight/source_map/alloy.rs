//! The parts of `config.alloy` in the order of its text.

use std::rc::Rc;

use super::agent::Lines;
use super::map::{Passage, SourceMap, count};
use super::refine::{Field, Fields};
use super::traced::Traced;
use crate::api::Kind;
use crate::diagnostic::FieldPath;
use crate::secrecy::MASK;
use crate::source::Sources;
use crate::target::alloy::{Component, Element, Way, write_traced};
use crate::yaml::Step;

/// The component with a file, whose label is that of the key and not of what is in it.
const FILE: &str = "local.file";

impl<'d> SourceMap<'_, 'd> {
    /// Passes on the parts of `config.alloy`, for which credentials may have files of their own, and its lines.
    pub(super) fn each_passage_of_alloy(&self, has_files: bool, pass: &mut dyn FnMut(Passage<'_, 'd>)) {
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
        write_traced(&self.plan, self.part, has_files, &mut |text, components| {
            let mut lines = Lines::new(text, above, None);
            for component in components {
                each_element(component, &mut fields, &mut lines, self.sources, pass);
            }
            pass(Passage::Lines(text));
            above += count(text);
        });
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
    lines: &mut Lines<'_, '_, '_>,
    sources: &'d Sources,
    pass: &mut dyn FnMut(Passage<'_, 'd>),
) {
    let mut known: Vec<Known<'d>> = Vec::with_capacity(component.elements.len());
    let base = name(component);
    for element in &component.elements {
        let made_from = element.source.as_deref().and_then(|source| fields.of(source));
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
            let indent = lines.advance(element.bytes.start);
            pass(Passage::Part(&Traced {
                line: lines.line(element.bytes.start),
                end_line: &|| lines.line(element.bytes.end),
                indent,
                is_news,
                field,
                base: &base,
                path: &path(component, element),
                sources,
            }));
        }
        let last_made = None;
        known.push(Known { field, last_made });
    }
}

/// What Alloy calls a component. What was made from a scrape job in a Secret is called after text of that Secret, which is not
/// shown.
fn name(component: &Component<'_>) -> String {
    let source = component.elements.first().and_then(|element| element.source.as_ref());
    let is_secret = source.is_some_and(|source| source.0.kind == Kind::Secret) && component.kind != FILE;
    match (component.label.as_str(), is_secret) {
        ("", _) => component.kind.to_owned(),
        (_, true) => format!("{}.{MASK}", component.kind),
        (label, false) => format!("{}.{label}", component.kind),
    }
}

/// The way to an element from its component.
fn path<'c>(component: &'c Component<'_>, element: &'c Element<'_>) -> Vec<Step<'c>> {
    let mut steps = Vec::new();
    let mut next = Some(element);
    while let Some(element) = next
        && let Some(parent) = element.parent
    {
        steps.extend(element.number.map(Step::Index));
        steps.push(Step::Key(&element.name));
        next = component.elements.get(parent);
    }
    steps.reverse();
    steps
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
