//! Block collections: line breaks and indentation (Go's `emitterc.go`).

use std::fmt::Write as _;

use super::key_order::{self, KeyedValue};
use super::layout::Layout;
use super::presentation::LibraryStyle;
use super::presentation::{Presentation, StringPresentation};
use crate::diagnostic::Step;
use crate::go::number;
use crate::yaml::Value;

/// Maximum length of a simple key in bytes. Longer keys are written as `? key` (`yaml_emitter_check_simple_key`).
const MAX_SIMPLE_KEY_LENGTH: usize = 128;

/// Initial capacity for entries, which is sufficient for most items (scrape jobs).
const ENTRIES: usize = 32;

/// Text that precedes a node on its line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Prefix {
    /// None, because the node is the entire document.
    Root,
    /// `-`
    Item,
    /// `key:`, before the key's value.
    Value,
    /// The `:` after `? key`, on a separate line, or `?` itself.
    Explicit,
}

/// Writer that appends one document to the output.
pub(super) struct Writer<'o, 'v> {
    pub(super) out: &'o mut String,
    pub(super) style: LibraryStyle,
    /// Start of the current line in `out`.
    pub(super) line_start: usize,
    /// Sorted entries of the mappings being written. The innermost mapping is last.
    entries: Vec<KeyedValue<'v>>,
    /// Layout in which the span of each node is recorded.
    layout: Option<&'o mut Layout<'v>>,
    pub(super) items: Option<&'o mut ListItems<'o>>,
}

/// Function that, given the key of an empty list in the outermost mapping, appends a line break and the lines of the
/// list's items. Returns whether there are any items.
pub(super) type ListItems<'f> = dyn FnMut(&str, &mut String) -> bool + 'f;

impl<'o, 'v> Writer<'o, 'v> {
    pub(super) fn new(out: &'o mut String, style: LibraryStyle, layout: Option<&'o mut Layout<'v>>) -> Self {
        let line_start = out.len();
        Self { out, style, line_start, entries: Vec::with_capacity(ENTRIES), layout, items: None }
    }

    pub(super) fn write_document(&mut self, value: &'v Value<'_>) {
        self.write_node(value, Prefix::Root, 0);
        self.leave();
        self.end_line();
    }

    /// Writes a list item on separate lines. The list is indented by `indent`.
    pub(super) fn write_whole_item(&mut self, item: &'v Value<'_>, indent: usize) {
        self.write_item(0, item, Prefix::Value, indent);
        self.end_line();
    }

    /// Writes the items of the list at a key if the caller supplies them.
    fn write_supplied_items(&mut self, key: &str) -> bool {
        let is_written = self.items.as_mut().is_some_and(|items| items(key, self.out));
        if is_written {
            self.out.pop();
        }
        is_written
    }

    fn enter(&mut self, step: Step<'v>) {
        if let Some(layout) = &mut self.layout {
            layout.enter(step, self.out.len());
        }
    }

    fn leave(&mut self) {
        let end = self.end();
        if let Some(layout) = &mut self.layout {
            layout.leave(end);
        }
    }

    fn end_line(&mut self) {
        if !self.is_at_line_start() {
            self.out.push('\n');
        }
    }

    /// Writes a node in a collection that is indented by `indent`.
    fn write_node(&mut self, value: &'v Value<'_>, prefix: Prefix, indent: usize) {
        match value {
            Value::Sequence(items) if !items.is_empty() => return self.write_sequence(items, prefix, indent),
            Value::Mapping(mapping) if !mapping.is_empty() => {
                return self.write_mapping(mapping.iter(), prefix, indent);
            }
            Value::Secret(secret) => {
                let start = self.out.len() + usize::from(prefix != Prefix::Root);
                self.write_node(&secret.value, prefix, indent);
                let end = self.end();
                if let Some(layout) = &mut self.layout {
                    layout.record_secret(secret, start..end);
                }
                return;
            }
            _ => {}
        }
        if prefix != Prefix::Root {
            self.out.push(' ');
        }
        match value {
            Value::Null => self.out.push_str("null"),
            Value::Bool(true) => self.out.push_str("true"),
            Value::Bool(false) => self.out.push_str("false"),
            // Writing to a string cannot fail.
            Value::Int(number) => drop(write!(self.out, "{number}")),
            Value::Float(number) if self.style == LibraryStyle::V3 => number::push_number(self.out, *number),
            Value::Float(number) => number::push_from_json(self.out, *number),
            Value::String(text) => self.write_string(text, prefix, indent),
            Value::Sequence(_) => self.out.push_str("[]"),
            Value::Mapping(_) | Value::Secret(_) => self.out.push_str("{}"),
        }
    }

    fn write_string(&mut self, text: &str, prefix: Prefix, indent: usize) {
        let decoded;
        let text = match self.style {
            LibraryStyle::Kubernetes if text.contains(NEXT_LINE) => {
                decoded = read_back_from_json(text);
                &decoded
            }
            _ => text,
        };
        let scalar = StringPresentation::new(text, self.style);
        self.write_scalar(text, scalar.presentation, Some(self.scalar_indent(prefix, indent)));
    }

    fn write_sequence(&mut self, items: &'v [Value<'_>], prefix: Prefix, indent: usize) {
        let indent = match (self.style, prefix) {
            (LibraryStyle::Kubernetes, Prefix::Value) => indent,
            _ => self.inner_indent(prefix, indent),
        };
        for (i, item) in items.iter().enumerate() {
            self.write_item(i, item, prefix, indent);
        }
    }

    /// Writes an item in a list that is indented by `indent`.
    fn write_item(&mut self, index: usize, item: &'v Value<'_>, prefix: Prefix, indent: usize) {
        self.start_line(index == 0 && prefix != Prefix::Value, indent);
        self.enter(Step::Index(index));
        self.out.push('-');
        self.write_node(item, Prefix::Item, indent);
        self.leave();
    }

    fn write_mapping(&mut self, entries: impl Iterator<Item = KeyedValue<'v>>, prefix: Prefix, indent: usize) {
        let indent = self.inner_indent(prefix, indent);
        let first = self.entries.len();
        self.entries.extend(entries);
        if let Some(entries) = self.entries.get_mut(first..) {
            key_order::sort(entries, self.style);
        }
        let mut next = first;
        while let Some(&(key, value)) = self.entries.get(next) {
            self.start_line(next == first && prefix != Prefix::Value, indent);
            self.enter(Step::Key(key));
            let prefix = self.write_key(key, indent);
            match value {
                // The caller supplies items only for the outermost mapping, because keys in nested mappings are
                // arbitrary.
                Value::Sequence(items) if first == 0 && items.is_empty() && self.write_supplied_items(key) => {}
                _ => self.write_node(value, prefix, indent),
            }
            self.leave();
            next += 1;
        }
        self.entries.truncate(first);
    }

    /// Writes a key with its `:`.
    fn write_key(&mut self, key: &str, indent: usize) -> Prefix {
        let scalar = StringPresentation::new(key, self.style);
        if key.len() <= MAX_SIMPLE_KEY_LENGTH && !scalar.multiline {
            self.write_scalar(key, scalar.presentation, None);
            self.out.push(':');
            return Prefix::Value;
        }
        self.out.push_str("? ");
        self.write_scalar(key, scalar.presentation, Some(self.scalar_indent(Prefix::Explicit, indent)));
        self.start_line(false, indent);
        self.out.push(':');
        Prefix::Explicit
    }

    /// Writes a string with the given presentation. `lines` is the indentation of continuation lines, or `None` if the
    /// string must stay on a single line.
    fn write_scalar(&mut self, text: &str, presentation: Presentation, lines: Option<usize>) {
        match presentation {
            Presentation::Plain => self.write_plain(text, lines),
            Presentation::SingleQuoted => self.write_single_quoted(text, lines),
            Presentation::DoubleQuoted => self.write_double_quoted(text, lines),
            Presentation::Literal => self.write_literal(text, lines.unwrap_or_default()),
        }
    }

    /// Returns the indentation of a nested collection (`yaml_emitter_increase_indent`). v3 adds 2 after a dash, and
    /// otherwise advances to the next multiple of 4.
    fn inner_indent(&self, prefix: Prefix, indent: usize) -> usize {
        match (self.style, prefix) {
            (_, Prefix::Root) => 0,
            (_, Prefix::Item) | (LibraryStyle::Kubernetes, _) => indent + 2,
            (LibraryStyle::V3, _) => (indent / 4 + 1) * 4,
        }
    }

    /// Returns the indentation of a scalar's lines.
    fn scalar_indent(&self, prefix: Prefix, indent: usize) -> usize {
        match prefix {
            Prefix::Root => self.style.indentation(),
            _ => self.inner_indent(prefix, indent),
        }
    }

    /// Moves to column `indent` on a new line, or on the current line after the indicator of the enclosing collection.
    #[inline]
    pub(super) fn start_line(&mut self, on_this_line: bool, indent: usize) {
        if !on_this_line && !self.is_at_line_start() {
            self.break_line('\n');
        }
        let column = self.out.len() - self.line_start;
        self.indent(indent.saturating_sub(column));
    }

    /// Returns the offset after the last character, excluding a line break that is already written by a literal.
    fn end(&self) -> usize {
        self.out.len() - usize::from(self.is_at_line_start() && !self.out.is_empty())
    }

    fn is_at_line_start(&self) -> bool {
        self.out.len() == self.line_start
    }

    pub(super) fn break_line(&mut self, with: char) {
        self.out.push(with);
        self.line_start = self.out.len();
    }

    fn indent(&mut self, mut width: usize) {
        const SPACES: &str = "                                                                ";
        while let Some(rest) = width.checked_sub(SPACES.len()) {
            self.out.push_str(SPACES);
            width = rest;
        }
        self.out.push_str(SPACES.get(..width).unwrap_or_default());
    }
}

/// A YAML 1.1 line break that JSON does not escape.
const NEXT_LINE: char = '\u{85}';

/// Returns a string as it is read back from JSON: next-line characters are folded, as in any double-quoted scalar
/// (`yaml_parser_scan_flow_scalar`). Adjacent spaces are removed. A single next-line character becomes a space, and a
/// run of n such characters becomes n - 1 line feeds.
fn read_back_from_json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((line, after)) = rest.split_once(NEXT_LINE) {
        out.push_str(line.trim_end_matches(' '));
        rest = after.trim_start_matches(' ');
        let mut further = 0;
        while let Some(next) = rest.strip_prefix(NEXT_LINE) {
            rest = next.trim_start_matches(' ');
            further += 1;
        }
        match further {
            0 => out.push(' '),
            _ => out.extend(std::iter::repeat_n('\n', further)),
        }
    }
    out.push_str(rest);
    out
}
