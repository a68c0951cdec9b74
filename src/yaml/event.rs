//! Events of the parser, from which trees are built.

use std::borrow::Cow;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScalarStyle {
    Plain,
    SingleQuoted,
    DoubleQuoted,
    Literal,
    Folded,
}

/// Style of a list or mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StructureStyle {
    Block,
    Flow,
}

/// Event of the parser, which represents a part of a document.
#[derive(Debug)]
pub(super) enum Event<'s> {
    DocumentStart,
    DocumentEnd,
    StreamEnd,
    /// A scalar with its anchor (0 if it has none) and its tag. A tag in YAML's own namespace is represented by its
    /// suffix, such as `str`. Any other tag except `!` is represented by an empty string.
    Scalar(Cow<'s, str>, ScalarStyle, usize, Option<Cow<'s, str>>),
    SequenceStart(StructureStyle, usize),
    SequenceEnd,
    MappingStart(StructureStyle, usize),
    MappingEnd,
    /// An alias with the anchor it refers to.
    Alias(usize),
    /// An alias that refers to an unknown anchor.
    UnresolvedAlias,
}
