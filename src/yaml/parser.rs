//! Parser that converts the tokens of a document to events, like the parser of go-yaml v2 (`parserc.go`).

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use super::event::{Event, ScalarStyle, StructureStyle};
use super::scanner::{Scanner, Token, TokenKind};
use super::syntax_error::{Mistake, SyntaxError};

/// Namespace of the tags that YAML defines.
const NAMESPACE: &str = "tag:yaml.org,2002:";

/// Parser state, which determines the part of a document to parse next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    FirstDocument,
    NextDocument,
    /// The content of a document that starts without `---`.
    ImplicitContent,
    DocumentContent,
    DocumentEnd,
    BlockItem,
    /// An item of a list that is not indented more than the list's key.
    IndentlessItem,
    BlockKey,
    BlockValue,
    FlowItem {
        is_first: bool,
    },
    /// The key of a single-pair mapping in a flow sequence, such as `[key: value]`.
    PairKey,
    PairValue,
    PairEnd,
    FlowKey {
        is_first: bool,
    },
    FlowValue,
    /// The empty value of a key without a colon.
    FlowNoValue,
    End,
}

/// An event and its range in the source.
type Spanned<'s> = (Event<'s>, Range<usize>);

type ParseResult<'s> = Result<Spanned<'s>, SyntaxError>;

/// Parser for text with one or more documents.
#[derive(Debug)]
pub(super) struct Parser<'s> {
    scanner: Scanner<'s>,
    state: State,
    /// States to return to after the enclosing nodes.
    states: Vec<State>,
    /// Open brackets, with their offsets.
    brackets: Vec<(char, usize)>,
    /// Whether the last document ended with a `...` line.
    is_ended: bool,
    anchors: HashMap<&'s str, usize>,
    anchor_count: usize,
    tag_prefixes: Vec<(&'s str, Cow<'s, str>)>,
    text: &'s str,
    /// End of the last quoted string or closing bracket.
    value_end: usize,
    is_quoted: bool,
}

impl<'s> Parser<'s> {
    /// Creates a parser for the text from `start` to the end of `text`. `is_file` is true if Kubernetes reads the text
    /// from a file, line by line.
    pub(super) fn new(text: &'s str, start: usize, is_file: bool) -> Self {
        Self {
            scanner: Scanner::new(text, start, is_file),
            state: State::FirstDocument,
            states: Vec::new(),
            brackets: Vec::new(),
            is_ended: false,
            anchors: HashMap::new(),
            anchor_count: 0,
            tag_prefixes: Vec::new(),
            text,
            value_end: start,
            is_quoted: false,
        }
    }

    /// Returns the next event.
    pub(super) fn next(&mut self) -> ParseResult<'s> {
        match self.state {
            State::FirstDocument => self.parse_document_start(true),
            State::NextDocument => self.parse_document_start(false),
            State::ImplicitContent => self.parse_node(true, false),
            State::DocumentContent => self.parse_document_content(),
            State::DocumentEnd => self.parse_document_end(),
            State::BlockItem => self.parse_block_item(),
            State::IndentlessItem => self.parse_indentless_item(),
            State::BlockKey => self.parse_block_key(),
            State::BlockValue => self.parse_block_value(),
            State::FlowItem { is_first } => self.parse_flow_item(is_first),
            State::PairKey => self.parse_pair_key(),
            State::PairValue => self.parse_pair_value(),
            State::PairEnd => self.parse_pair_end(),
            State::FlowKey { is_first } => self.parse_flow_key(is_first),
            State::FlowValue => self.parse_flow_value(),
            State::FlowNoValue => {
                self.state = State::FlowKey { is_first: false };
                let at = self.start()?;
                Ok(empty_scalar(at))
            }
            State::End => {
                let at = self.start()?;
                Ok((Event::StreamEnd, at..at))
            }
        }
    }

    /// Returns the offset of any content after the end of a document, and whether the document ends with a `...` line.
    /// This includes content that cannot be parsed.
    pub(super) fn parse_rest(&mut self) -> Option<(usize, bool)> {
        loop {
            let (rest_start, is_end) = match self.scanner.peek() {
                Err(error) => (error.at, false),
                Ok(Token { kind: TokenKind::StreamEnd, .. }) => return None,
                Ok(token) => (token.start, matches!(token.kind, TokenKind::DocumentEnd)),
            };
            if !is_end {
                return Some((rest_start, self.is_ended));
            }
            self.is_ended = true;
            self.scanner.take();
        }
    }

    /// Returns the offset of the opening quote of the first string that may lack its closing quote, and the offset of
    /// the key that the string appears to contain.
    pub(super) fn swallowed_key(&self) -> Option<(usize, usize)> {
        self.scanner.swallowed_key()
    }

    fn kind(&mut self) -> Result<&TokenKind<'s>, SyntaxError> {
        Ok(&self.scanner.peek()?.kind)
    }

    /// Returns the start of the next token.
    fn start(&mut self) -> Result<usize, SyntaxError> {
        Ok(self.scanner.peek()?.start)
    }

    /// Takes the next token and returns its range.
    fn take(&mut self) -> Result<Range<usize>, SyntaxError> {
        let token = self.scanner.peek()?;
        let range = token.start..token.end;
        self.scanner.take();
        Ok(range)
    }

    fn error(&mut self, mistake: Mistake) -> ParseResult<'s> {
        let at = self.start()?;
        Err(SyntaxError::new(mistake, at))
    }

    /// Returns to the collection that contains the node that has just ended.
    fn pop_state(&mut self) {
        self.state = self.states.pop().unwrap_or(State::End);
    }

    fn parse_document_start(&mut self, is_first: bool) -> ParseResult<'s> {
        while !is_first && matches!(self.kind()?, TokenKind::DocumentEnd) {
            self.scanner.take();
        }
        let at = self.start()?;
        let is_implicit = match self.kind()? {
            TokenKind::StreamEnd => {
                self.state = State::End;
                return Ok((Event::StreamEnd, at..at));
            }
            TokenKind::VersionDirective(..) | TokenKind::TagDirective { .. } | TokenKind::DocumentStart => false,
            _ => is_first,
        };
        self.anchors.clear();
        self.parse_directives()?;
        self.states.push(State::DocumentEnd);
        if is_implicit {
            self.state = State::ImplicitContent;
            return Ok((Event::DocumentStart, at..at));
        }
        if !matches!(self.kind()?, TokenKind::DocumentStart) {
            return self.error(Mistake::MissingDocumentStart);
        }
        self.take()?;
        self.state = State::DocumentContent;
        Ok((Event::DocumentStart, at..at))
    }

    fn parse_directives(&mut self) -> Result<(), SyntaxError> {
        self.tag_prefixes.clear();
        let mut has_version = false;
        loop {
            let at = self.start()?;
            match self.kind()? {
                TokenKind::VersionDirective(..) if has_version => {
                    return Err(SyntaxError::new(Mistake::Directive, at));
                }
                TokenKind::VersionDirective(1, 1) => has_version = true,
                TokenKind::VersionDirective(major, minor) => {
                    return Err(SyntaxError::new(Mistake::Version(*major, *minor), at));
                }
                TokenKind::TagDirective { handle, prefix } => {
                    let prefix = (*handle, prefix.clone());
                    if self.tag_prefixes.iter().any(|(handle, _)| *handle == prefix.0) {
                        return Err(SyntaxError::new(Mistake::Directive, at));
                    }
                    self.tag_prefixes.push(prefix);
                }
                _ => return Ok(()),
            }
            self.scanner.take();
        }
    }

    fn parse_document_content(&mut self) -> ParseResult<'s> {
        let is_empty = matches!(
            self.kind()?,
            TokenKind::VersionDirective(..)
                | TokenKind::TagDirective { .. }
                | TokenKind::DocumentStart
                | TokenKind::DocumentEnd
                | TokenKind::StreamEnd
        );
        if is_empty {
            self.pop_state();
            let at = self.start()?;
            return Ok(empty_scalar(at));
        }
        self.parse_node(true, false)
    }

    fn parse_document_end(&mut self) -> ParseResult<'s> {
        self.is_ended = matches!(self.kind()?, TokenKind::DocumentEnd);
        let at = self.start()?;
        if self.is_ended {
            self.scanner.take();
        }
        self.state = State::NextDocument;
        Ok((Event::DocumentEnd, at..at))
    }

    /// Parses a node. `is_indentless` is true if the node may be a list that is not indented more than its key.
    fn parse_node(&mut self, is_block: bool, is_indentless: bool) -> ParseResult<'s> {
        if let TokenKind::Alias(name) = self.kind()? {
            let name = *name;
            let event = self.anchors.get(name).map_or(Event::UnresolvedAlias, |anchor| Event::Alias(*anchor));
            self.pop_state();
            return Ok((event, self.take()?));
        }
        let properties = self.parse_properties()?;
        let token = self.scanner.peek()?;
        let at = token.start..token.end;
        let anchor = properties.anchor;
        let (event, state) = match &token.kind {
            TokenKind::Scalar(..) => return self.parse_scalar(properties),
            TokenKind::BlockEntry if is_indentless => {
                (Event::SequenceStart(StructureStyle::Block, anchor), State::IndentlessItem)
            }
            TokenKind::FlowSequenceStart => {
                self.brackets.push(('[', at.start));
                (Event::SequenceStart(StructureStyle::Flow, anchor), State::FlowItem { is_first: true })
            }
            TokenKind::FlowMappingStart => {
                self.brackets.push(('{', at.start));
                (Event::MappingStart(StructureStyle::Flow, anchor), State::FlowKey { is_first: true })
            }
            TokenKind::BlockSequenceStart if is_block => {
                (Event::SequenceStart(StructureStyle::Block, anchor), State::BlockItem)
            }
            TokenKind::BlockMappingStart if is_block => {
                (Event::MappingStart(StructureStyle::Block, anchor), State::BlockKey)
            }
            _ if properties.end.is_some() => {
                self.pop_state();
                let end = properties.end.unwrap_or(at.start);
                return Ok((Event::Scalar(Cow::Borrowed(""), ScalarStyle::Plain, anchor, properties.tag), end..end));
            }
            _ => return self.add_missing_node(),
        };
        if state != State::IndentlessItem {
            self.scanner.take();
        }
        self.state = state;
        Ok((event, at))
    }

    fn parse_scalar(&mut self, properties: Properties<'s>) -> ParseResult<'s> {
        self.pop_state();
        match self.scanner.take() {
            Some(Token { kind: TokenKind::Scalar(text, style), start, end, .. }) => {
                if matches!(style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted) {
                    (self.value_end, self.is_quoted) = (end, true);
                }
                Ok((Event::Scalar(text, style, properties.anchor, properties.tag), start..end))
            }
            _ => self.add_missing_node(),
        }
    }

    fn add_missing_node(&mut self) -> ParseResult<'s> {
        let open_bracket = self.brackets.last().copied();
        let mistake = match (self.kind()?, open_bracket) {
            (TokenKind::StreamEnd | TokenKind::DocumentStart | TokenKind::DocumentEnd, Some((open, at))) => {
                return Err(SyntaxError::new(Mistake::UnclosedBracket(open), at));
            }
            (TokenKind::FlowSequenceEnd, Some((open, _))) => Mistake::MismatchedBrackets(open, ']'),
            (TokenKind::FlowMappingEnd, Some((open, _))) => Mistake::MismatchedBrackets(open, '}'),
            (TokenKind::FlowSequenceEnd | TokenKind::FlowMappingEnd, None) => Mistake::UnopenedBracket,
            (TokenKind::BlockEntry, Some(_)) => Mistake::ItemInBrackets,
            (TokenKind::Value, Some(_)) => Mistake::ColonInBrackets,
            _ => Mistake::ExpectedValue,
        };
        self.error(mistake)
    }

    /// Parses an anchor and a tag, in any order.
    fn parse_properties(&mut self) -> Result<Properties<'s>, SyntaxError> {
        let mut properties = Properties { anchor: 0, tag: None, end: None };
        for _ in 0..2 {
            let token = self.scanner.peek()?;
            let (start, end) = (token.start, token.end);
            match &token.kind {
                TokenKind::Anchor(name) if properties.anchor == 0 => {
                    self.anchor_count += 1;
                    self.anchors.insert(name, self.anchor_count);
                    properties.anchor = self.anchor_count;
                }
                TokenKind::Tag { handle, suffix } if properties.tag.is_none() => {
                    let (handle, suffix) = (*handle, suffix.clone());
                    let tag = self.tag(handle, suffix);
                    properties.tag = Some(tag.ok_or(SyntaxError::new(Mistake::UndefinedTagHandle, start))?);
                }
                _ => break,
            }
            properties.end = Some(end);
            self.scanner.take();
        }
        Ok(properties)
    }

    /// Removes YAML's own namespace from a tag. Returns an empty string for other tags except `!`, or `None` if the
    /// handle is undefined.
    fn tag(&self, handle: &str, suffix: Cow<'s, str>) -> Option<Cow<'s, str>> {
        let defined_prefix = self.tag_prefixes.iter().find(|(defined, _)| *defined == handle);
        let prefix = match (handle, defined_prefix) {
            ("", _) => "",
            (_, Some((_, prefix))) => prefix,
            ("!", None) => "!",
            ("!!", None) => NAMESPACE,
            _ => return None,
        };
        if prefix == NAMESPACE {
            return Some(suffix);
        }
        if prefix.is_empty() && suffix == "!" {
            return Some(suffix);
        }
        let tag = format!("{prefix}{suffix}");
        let core_tag = tag.strip_prefix(NAMESPACE);
        Some(Cow::Owned(core_tag.unwrap_or_default().to_owned()))
    }

    /// Returns the error for a token at a position where a block collection should continue.
    fn misplaced_token(&mut self, expected: Mistake) -> ParseResult<'s> {
        let mistake = match self.kind()? {
            TokenKind::FlowSequenceEnd | TokenKind::FlowMappingEnd => Mistake::UnopenedBracket,
            TokenKind::Value => Mistake::MissingKey,
            _ => expected,
        };
        let at = self.start()?;
        Err(SyntaxError::new(self.find_text_after_value(at).unwrap_or(mistake), at))
    }

    /// Returns the mistake if the token at `offset` follows a complete value on the same line.
    fn find_text_after_value(&self, offset: usize) -> Option<Mistake> {
        let text_between = self.text.get(self.value_end..offset)?;
        let is_after_value = self.value_end > 0 && !text_between.contains('\n') && text_between.trim().is_empty();
        is_after_value.then_some(if self.is_quoted { Mistake::TextAfterQuote } else { Mistake::TextAfterBracket })
    }

    fn end(&mut self, event: Event<'s>) -> ParseResult<'s> {
        self.pop_state();
        Ok((event, self.take()?))
    }

    fn parse_block_item(&mut self) -> ParseResult<'s> {
        match self.kind()? {
            TokenKind::BlockEntry => {}
            TokenKind::BlockEnd => return self.end(Event::SequenceEnd),
            _ => return self.misplaced_token(Mistake::ExpectedItem),
        }
        let dash = self.take()?;
        if matches!(self.kind()?, TokenKind::BlockEntry | TokenKind::BlockEnd) {
            return Ok(empty_scalar(dash.end));
        }
        self.states.push(State::BlockItem);
        self.parse_node(true, false)
    }

    fn parse_indentless_item(&mut self) -> ParseResult<'s> {
        if !matches!(self.kind()?, TokenKind::BlockEntry) {
            self.pop_state();
            let at = self.start()?;
            return Ok((Event::SequenceEnd, at..at));
        }
        let dash = self.take()?;
        if matches!(self.kind()?, TokenKind::BlockEntry | TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd) {
            return Ok(empty_scalar(dash.end));
        }
        self.states.push(State::IndentlessItem);
        self.parse_node(true, false)
    }

    fn parse_block_key(&mut self) -> ParseResult<'s> {
        match self.kind()? {
            TokenKind::Key => {}
            TokenKind::BlockEnd => return self.end(Event::MappingEnd),
            _ => return self.misplaced_token(Mistake::ExpectedKey),
        }
        let key = self.take()?;
        if matches!(self.kind()?, TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd) {
            self.state = State::BlockValue;
            return Ok(empty_scalar(key.end));
        }
        self.states.push(State::BlockValue);
        self.parse_node(true, true)
    }

    fn parse_block_value(&mut self) -> ParseResult<'s> {
        self.state = State::BlockKey;
        if !matches!(self.kind()?, TokenKind::Value) {
            let at = self.start()?;
            return Ok(empty_scalar(at));
        }
        let colon = self.take()?;
        if matches!(self.kind()?, TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd) {
            return Ok(empty_scalar(colon.start));
        }
        self.states.push(State::BlockKey);
        self.parse_node(true, true)
    }

    /// Ends the flow collection at its closing bracket.
    fn close(&mut self, event: Event<'s>) -> ParseResult<'s> {
        self.brackets.pop();
        (self.value_end, self.is_quoted) = (self.scanner.peek()?.end, false);
        self.end(event)
    }

    /// Consumes the comma between two entries.
    fn take_comma(&mut self, missing: Mistake) -> Result<(), SyntaxError> {
        let (open_bracket, opened_at) = self.brackets.last().copied().unwrap_or_default();
        let mistake = match (self.kind()?, open_bracket) {
            (TokenKind::FlowEntry, _) => {
                self.scanner.take();
                return Ok(());
            }
            (TokenKind::StreamEnd | TokenKind::DocumentStart | TokenKind::DocumentEnd, _) => {
                return Err(SyntaxError::new(Mistake::UnclosedBracket(open_bracket), opened_at));
            }
            (TokenKind::FlowSequenceEnd, '{') => Mistake::MismatchedBrackets(open_bracket, ']'),
            (TokenKind::FlowMappingEnd, '[') => Mistake::MismatchedBrackets(open_bracket, '}'),
            (TokenKind::BlockEntry, _) => Mistake::ItemInBrackets,
            (TokenKind::Key, _) => Mistake::QuestionMarkInBrackets,
            _ => missing,
        };
        let at = self.start()?;
        let is_after_value =
            self.find_text_after_value(at).filter(|text_mistake| *text_mistake == Mistake::TextAfterQuote);
        Err(SyntaxError::new(is_after_value.unwrap_or(mistake), at))
    }

    fn parse_flow_item(&mut self, is_first: bool) -> ParseResult<'s> {
        if !is_first && !matches!(self.kind()?, TokenKind::FlowSequenceEnd) {
            self.take_comma(Mistake::MissingCommaInList)?;
        }
        match self.kind()? {
            TokenKind::FlowSequenceEnd => self.close(Event::SequenceEnd),
            TokenKind::Key => {
                self.state = State::PairKey;
                let at = self.take()?;
                Ok((Event::MappingStart(StructureStyle::Flow, 0), at))
            }
            _ => {
                self.states.push(State::FlowItem { is_first: false });
                self.parse_node(false, false)
            }
        }
    }

    fn parse_pair_key(&mut self) -> ParseResult<'s> {
        if matches!(self.kind()?, TokenKind::Value | TokenKind::FlowEntry | TokenKind::FlowSequenceEnd) {
            // go-yaml also skips the token.
            self.state = State::PairValue;
            let at = self.take()?;
            return Ok(empty_scalar(at.end));
        }
        self.states.push(State::PairValue);
        self.parse_node(false, false)
    }

    fn parse_pair_value(&mut self) -> ParseResult<'s> {
        self.state = State::PairEnd;
        if matches!(self.kind()?, TokenKind::Value) {
            let colon = self.take()?;
            if matches!(self.kind()?, TokenKind::FlowEntry | TokenKind::FlowSequenceEnd) {
                return Ok(empty_scalar(colon.start));
            }
            self.states.push(State::PairEnd);
            return self.parse_node(false, false);
        }
        let at = self.start()?;
        Ok(empty_scalar(at))
    }

    fn parse_pair_end(&mut self) -> ParseResult<'s> {
        self.state = State::FlowItem { is_first: false };
        let at = self.start()?;
        Ok((Event::MappingEnd, at..at))
    }

    fn parse_flow_key(&mut self, is_first: bool) -> ParseResult<'s> {
        if !is_first && !matches!(self.kind()?, TokenKind::FlowMappingEnd) {
            self.take_comma(Mistake::MissingCommaInMapping)?;
        }
        match self.kind()? {
            TokenKind::FlowMappingEnd => self.close(Event::MappingEnd),
            TokenKind::Key => {
                self.scanner.take();
                if matches!(self.kind()?, TokenKind::Value | TokenKind::FlowEntry | TokenKind::FlowMappingEnd) {
                    self.state = State::FlowValue;
                    let at = self.start()?;
                    return Ok(empty_scalar(at));
                }
                self.states.push(State::FlowValue);
                self.parse_node(false, false)
            }
            _ => {
                self.states.push(State::FlowNoValue);
                self.parse_node(false, false)
            }
        }
    }

    fn parse_flow_value(&mut self) -> ParseResult<'s> {
        self.state = State::FlowKey { is_first: false };
        if matches!(self.kind()?, TokenKind::Value) {
            let colon = self.take()?;
            if matches!(self.kind()?, TokenKind::FlowEntry | TokenKind::FlowMappingEnd) {
                return Ok(empty_scalar(colon.start));
            }
            self.states.push(State::FlowKey { is_first: false });
            return self.parse_node(false, false);
        }
        let at = self.start()?;
        Ok(empty_scalar(at))
    }
}

/// Anchor (0 if there is none) and tag of a node, and the end offset of the last of them.
struct Properties<'s> {
    anchor: usize,
    tag: Option<Cow<'s, str>>,
    end: Option<usize>,
}

/// Returns the event for an omitted value.
fn empty_scalar<'s>(offset: usize) -> Spanned<'s> {
    (Event::Scalar(Cow::Borrowed(""), ScalarStyle::Plain, 0, None), offset..offset)
}
