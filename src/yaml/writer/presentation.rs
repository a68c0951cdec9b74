//! Presentation of strings: plain, quoted or literal.

use std::sync::LazyLock;

use regex::Regex;

use crate::go::text::pattern;
use crate::go::{scalar, time};

/// Style of one of Go's two YAML libraries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LibraryStyle {
    /// `yaml.Marshal` in `gopkg.in/yaml.v3` v3.0.1, as the operator writes `agent.yml`: 4 spaces, indented lists, no
    /// folded lines.
    V3,
    /// `yaml.Marshal` in `sigs.k8s.io/yaml` v1.4.0, as in `kubectl get -o yaml`: JSON first, then go-yaml v2 with 2
    /// spaces, unindented lists, and lines folded after column 80.
    Kubernetes,
}

impl LibraryStyle {
    /// Returns the indentation per level (`best_indent` in Go's `emitterc.go`).
    pub(super) fn indentation(self) -> usize {
        match self {
            LibraryStyle::V3 => 4,
            LibraryStyle::Kubernetes => 2,
        }
    }

    /// Whether lines are folded (`best_width`).
    pub(super) fn folds_lines(self) -> bool {
        self == LibraryStyle::Kubernetes
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presentation {
    Plain,
    SingleQuoted,
    DoubleQuoted,
    Literal,
}

/// Presentation chosen for a string (`stringv` in Go's `encode.go`, then `yaml_emitter_select_scalar_style`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StringPresentation {
    pub(super) presentation: Presentation,
    /// Whether the string contains a line break, even an escaped one, so that it cannot be a simple key.
    pub(super) multiline: bool,
}

impl StringPresentation {
    pub(super) fn new(text: &str, style: LibraryStyle) -> Self {
        if is_word(text) {
            return Self { presentation: Presentation::Plain, multiline: false };
        }
        let features = Features::new(text);
        let presentation = if text.contains('\n') {
            features.literal(style)
        } else if is_not_a_string(text, style) {
            Presentation::DoubleQuoted
        } else {
            features.choose_quoting(text)
        };
        Self { presentation, multiline: features.line_break }
    }
}

/// Whether a string is trivially plain: printable ASCII that has no special meaning in YAML and does not start like a
/// keyword or number (`resolveTable` in Go's `resolve.go`). This check is sufficient for most strings.
fn is_word(text: &str) -> bool {
    let class = |byte: u8| CLASSES.get(usize::from(byte)).copied().unwrap_or_default();
    let starts = match text.bytes().next().map_or(0, class) {
        first if first & STARTS_KNOWN_WORD != 0 => text.len() > MAX_KNOWN_WORD_LENGTH,
        first => first & STARTS_WORD != 0,
    };
    starts && text.bytes().fold(IN_WORD, |all, byte| all & class(byte)) != 0
}

const IN_WORD: u8 = 1;
const STARTS_WORD: u8 = 2;
const STARTS_KNOWN_WORD: u8 = 4;

/// Length of `false`, the longest keyword.
const MAX_KNOWN_WORD_LENGTH: usize = 5;

/// Classes of each byte. A table lookup is faster than a series of comparisons.
#[expect(clippy::indexing_slicing, reason = "evaluated at compile time")]
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = b'!';
    while byte <= b'~' {
        classes[byte as usize] = match byte {
            b':' | b'#' => 0,
            b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' => IN_WORD | STARTS_KNOWN_WORD,
            b'a'..=b'z' | b'A'..=b'Z' | b'$' | b'(' | b')' | b'/' | b';'..=b'=' | b'\\' | b'^' | b'_' => {
                IN_WORD | STARTS_WORD
            }
            _ => IN_WORD,
        };
        byte += 1;
    }
    classes
};

/// Results of `yaml_emitter_analyze_scalar` for a string.
#[derive(Clone, Copy, Default)]
struct Features {
    indicator: bool,
    line_break: bool,
    tab: bool,
    /// Whether the string contains an unprintable character.
    special: bool,
    /// Whether the string starts or ends with a space or line break.
    has_outer_space: bool,
    trailing_space: bool,
    break_space: bool,
    space_break: bool,
}

impl Features {
    fn new(text: &str) -> Self {
        let mut traits = Self {
            indicator: text.starts_with("---") || text.starts_with("..."),
            has_outer_space: text.starts_with(is_space_or_break) || text.ends_with(is_space_or_break),
            trailing_space: text.ends_with(' '),
            ..Self::default()
        };
        let mut previous = None;
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            let blank_follows = chars.peek().is_none_or(|next| matches!(next, ' ' | '\t'));
            traits.indicator |= is_indicator(c, previous, blank_follows);
            traits.tab |= c == '\t';
            traits.special |= c != '\t' && !is_printable(c);
            traits.line_break |= is_break(c);
            traits.break_space |= c == ' ' && previous.is_some_and(is_break);
            traits.space_break |= is_break(c) && previous == Some(' ');
            previous = Some(c);
        }
        traits
    }

    /// Returns the presentation of a string that contains a line feed.
    fn literal(self, style: LibraryStyle) -> Presentation {
        let special = self.special || self.tab && style == LibraryStyle::Kubernetes;
        if self.trailing_space || self.space_break || special {
            Presentation::DoubleQuoted
        } else {
            Presentation::Literal
        }
    }

    /// Returns the presentation of a string that contains no line feed and would be read as a string even without
    /// quotes.
    fn choose_quoting(self, text: &str) -> Presentation {
        if self.break_space || self.space_break || self.tab || self.special {
            Presentation::DoubleQuoted
        } else if text.is_empty() || self.has_outer_space || self.line_break || self.indicator {
            Presentation::SingleQuoted
        } else {
            Presentation::Plain
        }
    }
}

fn is_space_or_break(c: char) -> bool {
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

/// Whether a character is a YAML 1.1 line break (`is_break`).
pub(super) fn is_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether a character does not need to be escaped (`is_printable`). All characters outside the basic multilingual
/// plane are escaped.
pub(super) fn is_printable(c: char) -> bool {
    matches!(c, '\n' | ' '..='~' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fefe}' | '\u{ff00}'..='\u{fffd}')
}

/// Whether Go's encoder quotes a string because it would otherwise not be read as a string (`stringv` in `encode.go`).
/// This is the case if the string resolves to a different type, or is a base-60 number or a time in YAML 1.1. v2 and v3
/// differ only in [`has_octal_prefix`], because v3 still quotes the booleans that it no longer reads (`isOldBool`).
fn is_not_a_string(text: &str, style: LibraryStyle) -> bool {
    let starts_a_number = text.starts_with(|c: char| matches!(c, '0'..='9' | '+' | '-'));
    if starts_a_number && !text.bytes().all(may_be_in_a_number) {
        return false;
    }
    !matches!(scalar::resolve_plain(text.into()), scalar::Scalar::String(_))
        || starts_a_number && (is_base_60(text) || time::is_timestamp(text))
        || style == LibraryStyle::V3 && has_octal_prefix(text)
}

fn may_be_in_a_number(byte: u8) -> bool {
    byte.is_ascii_hexdigit() || b"+-.,: _xXoOtTZiInN".contains(&byte)
}

/// Whether a string consists of `0o` and octal digits. Only v3 reads them with a sign
/// (`strconv.ParseInt(text[2:], 8, 64)`).
fn has_octal_prefix(text: &str) -> bool {
    let digits = text.strip_prefix("0o").map(|digits| digits.replace('_', ""));
    digits.is_some_and(|digits| i64::from_str_radix(&digits, 8).is_ok())
}

/// Whether a string is a YAML 1.1 base-60 number (`base60float`): `190:20:30.15`.
fn is_base_60(text: &str) -> bool {
    static NUMBER: LazyLock<Regex> = LazyLock::new(|| pattern(r"^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$"));
    text.contains(':') && NUMBER.is_match(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_text_that_yaml_reads_as_another_type() {
        for (text, v3, kubernetes) in [
            ("", true, true),
            ("y", true, true),
            ("Off", true, true),
            ("yess", false, false),
            ("~", true, true),
            ("<<", false, false),
            ("=", false, false),
            ("0o17", true, true),
            ("0o-17", true, false),
            ("0o-18", false, false),
            ("0b-1", true, true),
            ("089", true, true),
            ("0x", false, false),
            ("-", false, false),
            ("+.inf", true, true),
            (".nan", true, true),
            (".1_0", true, true),
            ("._1", false, false),
            ("1e400", false, false),
            ("18446744073709551615", true, true),
            ("30s", false, false),
            ("10.0.0.1:9090", false, false),
            ("1:2", true, true),
            ("1:2.5_", true, true),
            ("1:60", false, false),
            ("_1:2", false, false),
            ("2001-12-14", true, true),
            ("2001-13-14", false, false),
        ] {
            assert_eq!(is_not_a_string(text, LibraryStyle::V3), v3, "{text}");
            assert_eq!(is_not_a_string(text, LibraryStyle::Kubernetes), kubernetes, "{text}");
        }
    }

    #[test]
    fn quotes_line_breaks_with_adjacent_spaces() {
        for (text, expected) in [
            ("a b", Presentation::Plain),
            ("a\u{2028}b", Presentation::SingleQuoted),
            ("a\u{2029}b", Presentation::SingleQuoted),
            ("a\u{2028} b", Presentation::DoubleQuoted),
            ("a \u{2028}b", Presentation::DoubleQuoted),
            ("a\tb", Presentation::DoubleQuoted),
            ("a\u{85}b", Presentation::DoubleQuoted),
            ("a\rb", Presentation::DoubleQuoted),
            (" a", Presentation::SingleQuoted),
            ("a ", Presentation::SingleQuoted),
            ("a: b", Presentation::SingleQuoted),
            ("a #b", Presentation::SingleQuoted),
        ] {
            assert_eq!(StringPresentation::new(text, LibraryStyle::V3).presentation, expected, "{text:?}");
        }
    }
}
