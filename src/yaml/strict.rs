//! Input that the parser (YAML 1.2) accepts, but that go-yaml v2 (YAML 1.1) rejects or reads differently.
//!
//! The checks are limited to those that are cheap and relevant to real files.

use std::borrow::Cow;
use std::ops::Range;

use granit_parser::{Event, ScalarStyle, StructureStyle, YamlVersion};

use super::block_scalar;

/// Message and help for input that go-yaml would reject.
pub(super) type YamlRejection = (Cow<'static, str>, &'static str);

const fn refusal(found: &'static str, help: &'static str) -> YamlRejection {
    (Cow::Borrowed(found), help)
}

/// A tab used as indentation.
pub(super) const TAB: YamlRejection = refusal("found a tab used as indentation", "indent with spaces");
// In a flow collection, go-yaml ends a plain scalar at a `?`, treats a `:` before a value as the colon of a key, and
// treats a `:` between a key and a bracket or comma as part of the key.
const QUESTION_MARK: YamlRejection = refusal("found `?` in an unquoted value inside brackets", "quote the value");
const LEADING_COLON: YamlRejection = refusal("found `:` before an unquoted value inside brackets", "quote the value");
const TIGHT_COLON: YamlRejection =
    refusal("expected a space after the `:` of a key", "put a space after the `:`, or quote the value");
const SLASH: YamlRejection =
    refusal("found `\\/`, which Kubernetes accepts only in JSON", "write `/` without the backslash");
/// Error for an anchor name that contains a character at which go-yaml would end the name.
const ANCHOR_NAME: YamlRejection = refusal(
    "found an anchor name with characters other than letters, digits, `-` and `_`",
    "rename the anchor and its aliases",
);

/// Checks the events of an input.
#[derive(Debug, Default)]
pub(super) struct Strict<'s> {
    text: &'s str,
    /// Tabs used as indentation: at the start of a line, or after spaces on a line that is blank or contains only a
    /// comment.
    tabs: Vec<usize>,
    /// Number of tabs already processed.
    passed: usize,
    /// Tabs found since the end of the last document.
    found: Vec<usize>,
    has_tabs: bool,
    /// Whether the input is decoded as JSON, which supports `\/`.
    is_json: bool,
    given_up: bool,
    flow_depth: usize,
    flow_start: usize,
    open: Vec<OpenCollection>,
}

/// A collection whose end has not been reached yet.
#[derive(Clone, Copy, Debug)]
struct OpenCollection {
    is_mapping: bool,
    /// Column of its keys or dashes; `None` for a flow collection.
    column: Option<usize>,
}

impl<'s> Strict<'s> {
    pub(super) fn new(text: &'s str, is_json: bool) -> Self {
        let has_tabs = text.contains('\t');
        let tabs = if has_tabs { indenting_tabs(text) } else { Vec::new() };
        Self { text, tabs, has_tabs, is_json, ..Self::default() }
    }

    /// Checks an event, and returns the reason go-yaml rejects it, if any.
    pub(super) fn event(&mut self, event: &Event<'_>, at: &Range<usize>) -> Option<YamlRejection> {
        if let Some(anchor) = self.odd_anchor(event, at) {
            return Some(anchor);
        }
        match event {
            Event::DocumentStart(_, version) => {
                if std::mem::take(&mut self.given_up) {
                    self.tabs_before(at.start);
                }
                let version = version.filter(|version| *version != YamlVersion::new(1, 1));
                version.map(|YamlVersion { major, minor }| {
                    let found = format!("found YAML version {major}.{minor}, expected 1.1");
                    (found.into(), "remove the `%YAML` directive")
                })
            }
            Event::SequenceStart(style, ..) => self.open(*style, false, at),
            Event::MappingStart(style, ..) => self.open(*style, true, at),
            Event::SequenceEnd | Event::MappingEnd => {
                self.close(at);
                None
            }
            Event::Scalar(text, ScalarStyle::Plain, ..) if self.flow_depth > 0 => self.flow_scalar(text, at),
            Event::Scalar(_, style @ (ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted), ..) => {
                if self.flow_depth == 0 {
                    self.allow_from(at, 0);
                }
                self.indentation(at).or_else(|| self.slash(*style, at))
            }
            Event::Scalar(_, ScalarStyle::Literal | ScalarStyle::Folded, ..) => self.block_scalar(at),
            Event::Scalar(..) => {
                self.allow_around_plain(at);
                self.indentation(at)
            }
            Event::Alias(_) => self.indentation(at),
            _ => None,
        }
    }

    /// Returns the unprocessed indentation tabs before `end`.
    pub(super) fn tabs_before(&mut self, end: usize) -> Vec<usize> {
        self.pass(end, usize::MAX);
        std::mem::take(&mut self.found)
    }

    /// Marks the document as abandoned, so that its tabs are ignored.
    pub(super) fn give_up(&mut self) {
        self.flow_depth = 0;
        self.given_up = true;
        self.found.clear();
    }

    fn open(&mut self, style: StructureStyle, is_mapping: bool, at: &Range<usize>) -> Option<YamlRejection> {
        let is_block = self.flow_depth == 0 && style == StructureStyle::Block;
        let column = is_block.then(|| self.column_of(is_mapping, at.start));
        self.open.push(OpenCollection { is_mapping, column });
        if is_block {
            return None;
        }
        if self.flow_depth == 0 {
            self.flow_start = at.start;
        }
        let refusal = self.indentation(at);
        self.flow_depth += 1;
        refusal
    }

    fn close(&mut self, at: &Range<usize>) {
        self.open.pop();
        if self.flow_depth == 1 {
            self.allow_from(&(self.flow_start..at.end), 0);
        }
        self.flow_depth = self.flow_depth.saturating_sub(1);
    }

    fn flow_scalar(&self, text: &str, at: &Range<usize>) -> Option<YamlRejection> {
        if at.is_empty() {
            None
        } else if text.contains('?') {
            Some(QUESTION_MARK)
        } else if text.starts_with(':') {
            Some(LEADING_COLON)
        } else {
            let behind = self.text.as_bytes().get(at.end..);
            let tight = matches!(behind, Some([b':', b',' | b'[' | b']' | b'{' | b'}', ..]));
            tight.then_some(TIGHT_COLON)
        }
    }

    /// Checks a block scalar. go-yaml determines the indentation from the first line, and does not allow tabs in it.
    fn block_scalar(&mut self, at: &Range<usize>) -> Option<YamlRejection> {
        if !self.has_tabs {
            return None;
        }
        self.allow_from(at, self.column(at.start));
        let content = self.text.get(at.clone())?.trim_start_matches([' ', '\r', '\n']);
        let guessed = !block_scalar::has_indentation(self.text, at.start);
        (guessed && content.starts_with('\t')).then_some(TAB)
    }

    /// Checks for a tab before the first node on a line, or between it and the preceding dash.
    fn indentation(&self, at: &Range<usize>) -> Option<YamlRejection> {
        if !self.has_tabs || self.flow_depth > 0 {
            return None;
        }
        let before = self.text.get(..at.start)?;
        let line = before.rfind('\n').map_or(0, |end| end + 1);
        let prefix = before.get(line..)?;
        let indents = prefix.bytes().all(|b| matches!(b, b' ' | b'\t' | b'-')) && !prefix.starts_with("---");
        // A tab at the very start of a line is found separately.
        let tab = prefix.find('\t').is_some_and(|at| at > 0);
        (indents && tab).then_some(TAB)
    }

    /// Checks for an escaped slash, which YAML 1.1 does not support.
    fn slash(&self, style: ScalarStyle, at: &Range<usize>) -> Option<YamlRejection> {
        let quoted = self.text.get(at.clone())?;
        if self.is_json || style != ScalarStyle::DoubleQuoted || !quoted.contains("\\/") {
            return None;
        }
        let mut escaped = false;
        let is_escaped_slash = |c| {
            let found = escaped && c == '/';
            escaped = !escaped && c == '\\';
            found
        };
        quoted.chars().any(is_escaped_slash).then_some(SLASH)
    }

    /// Checks the anchor name of a node or alias for characters that end the name in go-yaml
    /// (`yaml_parser_scan_anchor`).
    fn odd_anchor(&self, event: &Event<'_>, at: &Range<usize>) -> Option<YamlRejection> {
        let name = match event {
            Event::Alias(_) => self.text.get(at.clone())?.strip_prefix('*')?,
            Event::Scalar(_, _, anchor, _) | Event::SequenceStart(_, anchor, _) | Event::MappingStart(_, anchor, _)
                if *anchor > 0 =>
            {
                let before = self.text.get(..at.start)?;
                let mut words = before.rsplit(char::is_whitespace).filter(|word| !word.is_empty());
                let last = words.next()?;
                let anchor = if last.starts_with('!') { words.next()? } else { last };
                anchor.trim_start_matches(['-', '?', '[', '{', ',']).strip_prefix('&')?
            }
            _ => return None,
        };
        let is_odd = name.contains(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'));
        is_odd.then_some(ANCHOR_NAME)
    }

    /// Skips the tabs in a plain scalar and between it and the next token: go-yaml searches there for a continuation,
    /// and allows tabs that are indented more than the enclosing collection.
    fn allow_around_plain(&mut self, at: &Range<usize>) {
        if !self.has_tabs {
            return;
        }
        let behind = self.text.get(at.end..).unwrap_or_default();
        let end = at.end + behind.len() - behind.trim_start_matches([' ', '\t', '\r', '\n']).len();
        let around = self.open.last().and_then(|collection| collection.column);
        self.allow_from(&(at.start..end), around.map_or(0, |column| column + 1));
    }

    /// Records the tabs before `at`, and the tabs inside it that are before `column`.
    fn allow_from(&mut self, at: &Range<usize>, column: usize) {
        self.pass(at.start, usize::MAX);
        self.pass(at.end, column);
    }

    /// Returns the column of a collection that starts here. If the dashes of a list are not indented more than the
    /// preceding key, the parser reports that the list starts after its first dash.
    fn column_of(&self, is_mapping: bool, at: usize) -> usize {
        let column = self.column(at);
        let key = self.open.last().filter(|around| around.is_mapping && !is_mapping);
        let dash = key.and_then(|around| around.column).filter(|&key| {
            let line = self.text.get(at - column..at).unwrap_or_default();
            line.get(key..).is_some_and(|rest| rest.starts_with('-')) && line.trim_start().len() == line.len() - key
        });
        dash.unwrap_or(column)
    }

    fn column(&self, at: usize) -> usize {
        let before = self.text.get(..at).unwrap_or_default();
        before.rfind('\n').map_or(at, |line_break| at - line_break - 1)
    }

    /// Processes the tabs up to `end`, and records those before this column.
    fn pass(&mut self, end: usize, column: usize) {
        while let Some(&tab) = self.tabs.get(self.passed).filter(|&&tab| tab < end) {
            let before = self.text.as_bytes().get(tab.saturating_sub(column)..tab);
            if tab < column || before.is_some_and(|before| before.contains(&b'\n')) {
                self.found.push(tab);
            }
            self.passed += 1;
        }
    }
}

/// Returns the first tab of each line that starts with a tab, or that contains only spaces, tabs and possibly a
/// comment. If a node follows spaces and a tab, the node's event reports the tab.
fn indenting_tabs(text: &str) -> Vec<usize> {
    let mut tabs = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let column = line.len() - line.trim_start_matches(' ').len();
        let rest = line.get(column..).unwrap_or_default();
        let content = rest.trim_start();
        if rest.starts_with('\t') && (column == 0 || content.is_empty() || content.starts_with('#')) {
            tabs.push(start + column);
        }
        start += line.len();
    }
    tabs
}
