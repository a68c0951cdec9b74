//! Tokens of a document.

use std::borrow::Cow;

use crate::yaml::event::ScalarStyle;

/// A token and its range in the source.
#[derive(Debug)]
pub(in crate::yaml) struct Token<'s> {
    pub kind: TokenKind<'s>,
    pub start: usize,
    pub end: usize,
    /// Number of brackets around the token, or `None` if the token is not a possible start of a key.
    pub(super) key: Option<usize>,
}

#[derive(Debug)]
pub(in crate::yaml) enum TokenKind<'s> {
    StreamEnd,
    VersionDirective(u8, u8),
    TagDirective {
        handle: &'s str,
        prefix: Cow<'s, str>,
    },
    DocumentStart,
    DocumentEnd,
    BlockSequenceStart,
    BlockMappingStart,
    BlockEnd,
    FlowSequenceStart,
    FlowSequenceEnd,
    FlowMappingStart,
    FlowMappingEnd,
    BlockEntry,
    FlowEntry,
    Key,
    Value,
    Alias(&'s str),
    Anchor(&'s str),
    /// A tag, with an empty handle if it is verbatim.
    Tag {
        handle: &'s str,
        suffix: Cow<'s, str>,
    },
    Scalar(Cow<'s, str>, ScalarStyle),
}
