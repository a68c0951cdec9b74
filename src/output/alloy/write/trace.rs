//! Statements in components, with their spans in the configuration and their sources.

use std::borrow::Cow;
use std::ops::Range;

use super::catalog::{self, ArgumentSpec, ArgumentType, BodySpec, ValueLocation};
use super::layout::LayoutEvent;
use super::origins::{ComponentPath, ComponentSource, Name};
use crate::output::agent::PartSource;
use crate::plan::{ConfigKind, Plan};

/// Component within a configuration.
pub struct Component<'p> {
    pub kind: &'static str,
    pub label: String,
    /// The component, its statements and the entries of objects in output order. Each element follows the element that
    /// encloses it.
    pub elements: Vec<Element<'p>>,
}

/// Element of a component.
pub struct Element<'p> {
    /// Index of the enclosing element, or `None` for the component itself.
    pub parent: Option<usize>,
    /// Name of the statement, or key of the object entry.
    pub name: Cow<'static, str>,
    /// Index among the blocks with this name, if there may be several.
    pub number: Option<usize>,
    /// Byte range in the configuration.
    pub bytes: Range<usize>,
    /// Source of the element, or `None` if the enclosing element implies it.
    pub source: Option<PartSource<'p>>,
    /// Key of the element in the agent's configuration, from which the source field is derived, or `None` if the key is
    /// the same as the element's name.
    pub key: Option<ValueLocation>,
    /// Whether the element is a block copied as lines. Each line is an attribute with a source field of the same name.
    pub has_lines: bool,
}

/// Recorder of the elements of one component.
pub struct ElementRecorder<'m, 'p> {
    component_source: ComponentSource<'m, 'p>,
    plan: &'p Plan<'p>,
    part: ConfigKind,
    kind: &'static str,
    elements: Vec<Element<'p>>,
    open: Vec<OpenElement>,
}

/// Element that is being written.
struct OpenElement {
    element: usize,
    spec: Option<&'static BodySpec>,
    /// Name of the last block inside the element, and the number of consecutive blocks with that name.
    last: (&'static str, usize),
}

impl<'m, 'p> ElementRecorder<'m, 'p> {
    pub fn new(component_source: ComponentSource<'m, 'p>, plan: &'p Plan<'p>, part: ConfigKind) -> Self {
        Self { component_source, plan, part, kind: "", elements: Vec::new(), open: Vec::new() }
    }

    /// Returns the component, with the given label.
    pub fn finish(mut self, label: &str) -> Component<'p> {
        if let ComponentSource::Key(_) = self.component_source {
            // The remaining parts of the component come from the value of a Secret.
            self.elements.truncate(1);
        }
        Component { kind: self.kind, label: label.to_owned(), elements: self.elements }
    }

    /// Starts an element. `number` is its index among the blocks with this name.
    fn start(&mut self, name: Cow<'static, str>, number: usize, at: usize) {
        let parent = self.open.last().map(|open| open.element);
        let enclosing_element = parent.and_then(|parent| self.elements.get(parent));
        let enclosing_name =
            enclosing_element.map(|element| (element.name.as_ref(), element.number.unwrap_or_default()));
        let path: [Name<'_>; 2] = [enclosing_name.unwrap_or_default(), (name.as_ref(), number)];
        // Only elements at the first two levels have their own source fields.
        let path = path.get(2usize.saturating_sub(self.open.len())..).filter(|_| self.open.len() <= path.len());
        let source = path.and_then(|path| {
            self.component_source.source(ComponentPath { plan: self.plan, part: self.part, component: self.kind, path })
        });
        let parent_argument = self.open.last().and_then(|open| open.spec?.argument_for(&name));
        let (spec, key) = match parent {
            None => (catalog::spec(&name), Some(ValueLocation::Nowhere)),
            Some(_) => (parent_argument.and_then(ArgumentSpec::spec), parent_argument.map(|argument| argument.key)),
        };
        let kind = parent_argument.map(|argument| argument.kind);
        let is_one_of_several = matches!(kind, Some(ArgumentType::Block { repeated: true, .. }));
        self.open.push(OpenElement { element: self.elements.len(), spec, last: ("", 0) });
        self.elements.push(Element {
            parent,
            number: is_one_of_several.then_some(number),
            bytes: at..at,
            has_lines: false,
            source,
            key,
            name,
        });
    }

    fn block(&mut self, name: &'static str, at: usize) {
        // All stages are numbered together.
        let (family, _) = name.split_once('.').unwrap_or((name, ""));
        let number = self.open.last_mut().map_or(0, |enclosing| {
            let (last_family, count) = enclosing.last;
            let number = if last_family == family { count } else { 0 };
            enclosing.last = (family, number + 1);
            number
        });
        self.start(name.into(), number, at);
    }

    /// Records that an element starts or ends at this byte offset.
    pub fn record(&mut self, seen: LayoutEvent<'_>, at: usize) {
        match seen {
            LayoutEvent::Attribute(name) => self.start(name.into(), 0, at),
            LayoutEvent::Block(name) => {
                if self.open.is_empty() {
                    self.kind = name;
                }
                self.block(name, at);
            }
            LayoutEvent::Lines(name, lines) => {
                let mut next_start = at;
                for block in lines.split("\n\n") {
                    let start = next_start + block.len() - block.trim_start().len();
                    let end = next_start + block.trim_end().len();
                    next_start += block.len() + 2;
                    self.block(name, start);
                    self.record(LayoutEvent::End, end);
                    if let Some(element) = self.elements.last_mut() {
                        element.has_lines = true;
                    }
                }
            }
            LayoutEvent::Entry(key) => self.start(key.to_owned().into(), 0, at),
            LayoutEvent::End => {
                let open_element = self.open.pop();
                if let Some(element) = open_element.and_then(|open| self.elements.get_mut(open.element)) {
                    element.bytes.end = at;
                }
            }
        }
    }
}
