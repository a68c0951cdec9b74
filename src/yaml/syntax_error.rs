//! Reasons why Kubernetes cannot parse a document.

/// A mistake, and the offset at which it is reported.
#[derive(Clone, Copy, Debug)]
pub(super) struct SyntaxError {
    pub(super) mistake: Mistake,
    pub(super) at: usize,
}

impl SyntaxError {
    pub(super) fn new(mistake: Mistake, offset: usize) -> Self {
        Self { mistake, at: offset }
    }
}

/// A mistake in the syntax of YAML or JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mistake {
    /// A character that is not allowed anywhere, such as a control character.
    ForbiddenCharacter(char),
    /// A character that cannot start a token.
    UnexpectedCharacter(char),
    /// A tab used as indentation.
    Tab,
    /// A line or key without a colon.
    MissingColon,
    /// A colon where no mapping can start.
    MisplacedColon,
    /// The `-` of a list item where no list can start.
    MisplacedItem,
    /// A `?` where no mapping can start.
    MisplacedQuestionMark,
    /// A line that is aligned with the keys of a mapping but contains no key.
    ExpectedKey,
    /// A line that is aligned with the items of a list but is not an item.
    ExpectedItem,
    /// A missing value, or other content where a value is expected.
    ExpectedValue,
    /// A closing bracket without an opening one.
    UnopenedBracket,
    /// The end of the document inside brackets that start with this character.
    UnclosedBracket(char),
    /// Brackets that are opened with the first character and closed with the second.
    MismatchedBrackets(char, char),
    /// Two entries in braces without a comma between them.
    MissingCommaInMapping,
    /// Two items in square brackets without a comma between them.
    MissingCommaInList,
    /// A `-` list item inside brackets.
    ItemInBrackets,
    /// A `?` in a plain scalar inside brackets.
    QuestionMarkInBrackets,
    /// A `:` at the start of a plain scalar inside brackets.
    ColonInBrackets,
    UnclosedQuote,
    /// A quoted string that contains the next key.
    QuoteAcrossKeys,
    /// A `---` or `...` line inside a quoted string.
    MarkerInQuotes,
    TextAfterQuote,
    TextAfterBracket,
    UnknownEscape,
    /// The escape sequence `\/`, which is valid only in JSON.
    EscapedSlash,
    ShortEscape,
    /// An escape sequence for a surrogate or for a code point that does not exist.
    InvalidCodePoint,
    /// Text after the indicator of a block scalar.
    BlockScalarHeader,
    MissingName,
    AnchorName,
    /// A colon without a key.
    MissingKey,
    Tag,
    UndefinedTagHandle,
    Directive,
    /// A `%YAML` directive with a version other than 1.1.
    Version(u8, u8),
    /// A directive that is not followed by `---`.
    MissingDocumentStart,
    /// Text that is not JSON after several JSON objects.
    ExpectedJson,
}
