//! How a string is presented: plain, in which quotes, or as a literal.

use super::implicit;
use super::style::Style;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presentation {
    Plain,
    SingleQuoted,
    DoubleQuoted,
    Literal,
}

/// What is decided about a string (`stringv` in Go's `encode.go`, then `yaml_emitter_select_scalar_style`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Scalar {
    pub(super) presentation: Presentation,
    /// Whether it has a line break, be it escaped: then it is not a simple key.
    pub(super) multiline: bool,
}

impl Scalar {
    pub(super) fn of(text: &str, style: Style) -> Self {
        let presentation = match Shape::of(text) {
            Shape::Word => Presentation::Plain,
            Shape::Line if implicit::is_not_a_string(text, style) => Presentation::DoubleQuoted,
            Shape::Line if is_plain_line(text) => Presentation::Plain,
            Shape::Line => Presentation::SingleQuoted,
            Shape::Other => return Self::analyzed(text, style),
        };
        Self {
            presentation,
            multiline: false,
        }
    }

    fn analyzed(text: &str, style: Style) -> Self {
        let features = Features::of(text);
        let presentation = if text.contains('\n') {
            features.literal(style)
        } else if implicit::is_not_a_string(text, style) {
            Presentation::DoubleQuoted
        } else {
            features.plain(text)
        };
        Self {
            presentation,
            multiline: features.line_break,
        }
    }
}

/// A quick look at the bytes, enough for nearly all text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Letters and marks that mean nothing to YAML, and no word or number it knows.
    Word,
    /// Printable ASCII.
    Line,
    Other,
}

impl Shape {
    fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let seen = bytes.iter().fold(0, |seen, &byte| seen | class(byte));
        if seen & OTHER != 0 {
            return Self::Other;
        }
        let starts_a_word = bytes.first().is_some_and(|&first| class(first) & NOT_FIRST == 0);
        if starts_a_word && seen & IN_CONTEXT == 0 {
            Self::Word
        } else {
            Self::Line
        }
    }
}

/// Not printable ASCII.
const OTHER: u8 = 1;
/// ` `, `:` and `#`: their meaning depends on their neighbours.
const IN_CONTEXT: u8 = 2;
/// Starts an indicator, a number, or a word that may be no string (`resolveTable` in Go's `resolve.go`).
const NOT_FIRST: u8 = 4;

#[expect(clippy::indexing_slicing, reason = "the compiler evaluates it")]
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            0..b' ' | 0x7F.. => OTHER,
            b' ' | b':' | b'#' => IN_CONTEXT | NOT_FIRST,
            b',' | b'[' | b']' | b'{' | b'}' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\'' | b'"' | b'%' | b'@' | b'`' => {
                NOT_FIRST
            }
            b'?' | b'-' | b'+' | b'.' | b'~' | b'0'..=b'9' => NOT_FIRST,
            b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' => NOT_FIRST,
            _ => 0,
        };
        byte += 1;
    }
    classes
};

fn class(byte: u8) -> u8 {
    CLASSES.get(usize::from(byte)).copied().unwrap_or(OTHER)
}

/// Whether printable ASCII text on one line needs no quotes in a block (`yaml_emitter_analyze_scalar`).
fn is_plain_line(text: &str) -> bool {
    let bytes = text.as_bytes();
    let starts = match bytes {
        [] => return false,
        [b'-', b'-', b'-', ..] | [b'.', b'.', b'.', ..] => false,
        [b'?' | b':' | b'-', rest @ ..] => rest.first().is_some_and(|&next| next != b' '),
        [first, ..] => !b"#,[]{}&*!|>'\"%@` ".contains(first),
    };
    starts
        && !matches!(bytes.last(), Some(b' ' | b':'))
        && !bytes.windows(2).any(|pair| matches!(pair, [b':', b' '] | [b' ', b'#']))
}

/// What `yaml_emitter_analyze_scalar` finds out.
#[derive(Clone, Copy, Default)]
struct Features {
    indicator: bool,
    line_break: bool,
    tab: bool,
    /// Something that is not printable.
    special: bool,
    /// A space or line break at the beginning or end.
    loose_end: bool,
    trailing_space: bool,
    break_space: bool,
    space_break: bool,
}

impl Features {
    fn of(text: &str) -> Self {
        let mut found = Self {
            indicator: text.starts_with("---") || text.starts_with("..."),
            loose_end: text.starts_with(is_loose) || text.ends_with(is_loose),
            trailing_space: text.ends_with(' '),
            ..Self::default()
        };
        let mut previous = None;
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            let blank_follows = chars.peek().is_none_or(|next| matches!(next, ' ' | '\t'));
            found.indicator |= is_indicator(c, previous, blank_follows);
            found.tab |= c == '\t';
            found.special |= c != '\t' && !is_printable(c);
            found.line_break |= is_break(c);
            found.break_space |= c == ' ' && previous.is_some_and(is_break);
            found.space_break |= is_break(c) && previous == Some(' ');
            previous = Some(c);
        }
        found
    }

    /// The presentation of text with a line feed, and of the same as a key.
    fn literal(self, style: Style) -> Presentation {
        let special = self.special || self.tab && style == Style::Kubernetes;
        if self.trailing_space || self.space_break || special {
            Presentation::DoubleQuoted
        } else {
            Presentation::Literal
        }
    }

    /// The presentation of text without a line feed that reads as a string.
    fn plain(self, text: &str) -> Presentation {
        if self.break_space || self.space_break || self.tab || self.special {
            Presentation::DoubleQuoted
        } else if text.is_empty() || self.loose_end || self.line_break || self.indicator {
            Presentation::SingleQuoted
        } else {
            Presentation::Plain
        }
    }
}

fn is_loose(c: char) -> bool {
    c == ' ' || is_break(c)
}

fn is_indicator(c: char, previous: Option<char>, blank_follows: bool) -> bool {
    match (previous, c) {
        (None, '#' | ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%' | '@' | '`') => true,
        (None, '?' | '-') | (_, ':') => blank_follows,
        (Some(before), '#') => matches!(before, ' ' | '\t' | '\0') || is_break(before),
        _ => false,
    }
}

/// A line break of YAML 1.1 (`is_break`).
pub(super) fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// What need not be escaped (`is_printable`): nothing beyond the basic plane.
pub(super) fn is_printable(c: char) -> bool {
    matches!(c, '\n' | ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}')
}
