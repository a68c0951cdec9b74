//! Escaping of characters that are not displayed as themselves, and of lines that CI systems interpret as commands.

use std::borrow::Cow;

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// Escapes each character that is not displayed as itself, as in `\n` or `\u{202e}`: control characters, line breaks,
/// direction marks, invisible characters, and characters without a standard appearance. Tabs and the letters and marks
/// of all scripts are kept.
pub fn printable(text: &str) -> Cow<'_, str> {
    if is_plain(text, b'\t') || !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match is_hidden(c) {
            true => escaped.extend(c.escape_default()),
            false => escaped.push(c),
        }
    }
    Cow::Owned(escaped)
}

/// Whether a string consists only of printable ASCII characters and the byte `also`. This check is fast, and it
/// succeeds for most strings.
pub(super) fn is_plain(text: &str, also: u8) -> bool {
    let is_plain = |plain: bool, &byte: &u8| plain & (matches!(byte, b' '..=b'~') | (byte == also));
    text.as_bytes().iter().fold(true, is_plain)
}

/// Whether a character is not displayed as itself. The appearance of private-use characters depends on the font, and
/// unassigned characters may be given any meaning in the future, so neither kind has a standard appearance.
pub(super) fn is_hidden(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control() && c != '\t';
    }
    is_default_ignorable(c)
        || matches!(
            c.general_category(),
            GeneralCategory::Control
                | GeneralCategory::Format
                | GeneralCategory::LineSeparator
                | GeneralCategory::ParagraphSeparator
                | GeneralCategory::PrivateUse
                | GeneralCategory::Unassigned
        )
}

/// Whether a character is an invisible filler, joiner or variation selector. These are the code points that have the
/// `Default_Ignorable_Code_Point` property in `DerivedCoreProperties.txt` but are not covered by the general category.
fn is_default_ignorable(c: char) -> bool {
    matches!(
        c,
        '\u{34f}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{ffa0}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Escapes the first character of each sequence that a CI system would interpret as a command. GitHub accepts
/// `::name::` at the start of a line, optionally after spaces, and `##[name]` anywhere. Azure and TeamCity accept
/// `##vso[…]` and `##teamcity[…]`, respectively.
pub fn escape_commands(line: &str) -> Cow<'_, str> {
    let first_byte = line.bytes().find(|byte| !matches!(byte, b' ' | b'\t'));
    // A command is possible only if the first character after spaces and tabs is a colon or may itself be whitespace.
    let may_start_command = first_byte.is_some_and(|first| first == b':' || !first.is_ascii_graphic());
    let start = if may_start_command { line.trim_start() } else { "" };
    if !start.starts_with("::") && !line.contains("##") {
        return Cow::Borrowed(line);
    }
    let command = start.starts_with("::").then_some(line.len() - start.len());
    let mut escaped = String::with_capacity(line.len() + 16);
    for (at, c) in line.char_indices() {
        match c {
            ':' if Some(at) == command => escaped.push_str("\\u{3a}"),
            '#' if opens_command(line.get(at..).unwrap_or_default()) => escaped.push_str("\\u{23}"),
            c => escaped.push(c),
        }
    }
    Cow::Owned(escaped)
}

/// Whether a string starts like `##[`, `##vso[` or `##teamcity[`.
pub(super) fn opens_command(text: &str) -> bool {
    let name = text.strip_prefix("##").unwrap_or_default();
    name.trim_start_matches(|c: char| c.is_ascii_alphabetic()).starts_with('[')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_escapes_letters_of_any_script() {
        for text in ["", "a\tb ~", "é e\u{301} 漢 한 ไทย עברית 😀 ✓ │ …", "\u{fffd}"] {
            assert!(matches!(printable(text), Cow::Borrowed(same) if same == text), "{text}");
        }
    }

    #[test]
    fn accepts_lines_without_hidden_characters_or_commands() {
        for (lines, expected) in [
            ("a: b\n\t- c # d\n", true),
            ("a\n  ::add-mask::b", false),
            ("a ##[b]", false),
            ("a\u{1b}", false),
            ("é", true),
        ] {
            let is_unchanged = |line| matches!(escape_commands(&printable(line)), Cow::Borrowed(same) if same == line);
            assert_eq!(lines.lines().all(is_unchanged), expected, "{lines}");
        }
    }

    #[test]
    fn escapes_hidden_characters() {
        for (text, expected) in [
            ("a\r\nb", r"a\r\nb"),
            ("\u{1b}[31mred\u{7f}\u{9b}", r"\u{1b}[31mred\u{7f}\u{9b}"),
            ("\u{85}\u{2028}\u{2029}", r"\u{85}\u{2028}\u{2029}"),
            ("\u{61c}\u{200e}\u{200f}", r"\u{61c}\u{200e}\u{200f}"),
            ("\u{202a}\u{202e}\u{2066}\u{2069}", r"\u{202a}\u{202e}\u{2066}\u{2069}"),
            ("\u{ad}\u{200b}\u{200d}\u{2060}\u{feff}", r"\u{ad}\u{200b}\u{200d}\u{2060}\u{feff}"),
            ("\u{34f}\u{3164}\u{fe0f}\u{e0100}", r"\u{34f}\u{3164}\u{fe0f}\u{e0100}"),
            ("\u{e0001}\u{e0041}", r"\u{e0001}\u{e0041}"),
            ("\u{e000}\u{f8ff}\u{fdd0}\u{ffff}", r"\u{e000}\u{f8ff}\u{fdd0}\u{ffff}"),
        ] {
            assert_eq!(printable(text), expected);
        }
    }

    #[test]
    fn escapes_the_first_character_of_commands() {
        for (line, expected) in [
            ("a::b", "a::b"),
            (": a", ": a"),
            ("## a", "## a"),
            ("::error::x", r"\u{3a}:error::x"),
            (" \u{3000}\t::error::x", " \u{3000}\t\\u{3a}:error::x"),
            ("a ##[add-mask]b", r"a \u{23}#[add-mask]b"),
            ("###[x] ##vso[y] ##", r"#\u{23}#[x] \u{23}#vso[y] ##"),
            ("::a ::b:: ##[c]", r"\u{3a}:a ::b:: \u{23}#[c]"),
            ("a:: ##vso2[b] #[c]", "a:: ##vso2[b] #[c]"),
            ("\t :a::b", "\t :a::b"),
        ] {
            assert_eq!(escape_commands(line), expected);
        }
    }
}
