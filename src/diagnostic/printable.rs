//! Text of the input made safe to print.

use std::borrow::Cow;

/// The text with a replacement character for each character that would steer a terminal or turn the direction of
/// writing, and for U+FFFE and U+FFFF, which are none; tabs and the letters of every script stay.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    if text.chars().any(steers) {
        Cow::Owned(text.chars().map(|c| if steers(c) { '\u{fffd}' } else { c }).collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// The same on one line.
pub(super) fn one_line(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    printable(&lines.join(" ")).into_owned()
}

fn steers(c: char) -> bool {
    let bidirectional = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    (c.is_control() && c != '\t') || bidirectional || matches!(c, '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_is_not_steered() {
        assert_eq!(printable("a\tb é 漢"), "a\tb é 漢");
        assert_eq!(printable("\u{1b}[31mred\u{202e}"), "\u{fffd}[31mred\u{fffd}");
        assert_eq!(one_line("a\n  b\r\n\nc"), "a b c");
    }
}
