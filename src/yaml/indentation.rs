//! Suggestions for incorrectly indented lines, for which the parser reports "mapping values are not allowed in this
//! context".

use crate::diagnostic::{Code, Diagnostic, display_key};
use crate::source::{SourceId, Span};

/// Number of preceding lines to search for a line with the same indentation.
const MAX_SEARCHED_LINES: usize = 200;

/// A line of the form `key: value`.
#[derive(Clone, Copy)]
struct KeyLine<'t> {
    key: &'t str,
    /// Offset of the key in the source.
    start: usize,
    /// Column of the key, after the dashes of list items.
    column: usize,
    has_value: bool,
}

impl<'t> KeyLine<'t> {
    /// Parses the line that starts at offset `start`, or returns `None` if it has no key.
    fn parse(line: &'t str, start: usize) -> Option<Self> {
        let mut key = line.trim_start_matches(' ');
        while let Some(item) = key.strip_prefix("- ") {
            key = item.trim_start_matches(' ');
        }
        let column = line.len() - key.len();
        let (key, value) = key.split_once(':')?;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
        let is_key =
            !key.is_empty() && key.chars().all(is_plain) && (value.trim().is_empty() || value.starts_with(' '));
        let value = value.split(" #").next().unwrap_or_default().trim();
        is_key.then_some(Self {
            key,
            start: start + column,
            column,
            has_value: !value.is_empty() && !value.starts_with(['|', '>', '{', '[', '"', '\'', '&', '*', '!']),
        })
    }
}

/// Returns a finding for a key that is indented more deeply than the preceding key, which already has a value. `offset`
/// is the position at which the parser stopped. If lines before the preceding key have the deeper indentation, the
/// preceding key is the mistake.
pub(super) fn check_depth(source: SourceId, text: &str, offset: usize) -> Option<Diagnostic> {
    let start = text.get(..offset)?.rfind('\n').map_or(0, |end| end + 1);
    let deep_line = KeyLine::parse(text.get(start..)?.lines().next()?, start)?;
    // A second colon in the line is a different mistake.
    if offset != deep_line.start + deep_line.key.len() {
        return None;
    }
    let mut end = start;
    let lines_above = text.get(..start)?.split_inclusive('\n').rev().map(|line| {
        end -= line.len();
        (line.trim_end(), end)
    });
    let is_filled = |(line, _): &(&str, usize)| !line.trim_start().is_empty() && !line.trim_start().starts_with('#');
    let mut lines_above =
        lines_above.take(MAX_SEARCHED_LINES).filter(is_filled).map(|(line, start)| KeyLine::parse(line, start));
    let previous_line = lines_above.next()??;
    if !previous_line.has_value || previous_line.column >= deep_line.column {
        return None;
    }
    let is_between = lines_above
        .map_while(|line| line)
        .take_while(|line| line.column >= previous_line.column)
        .any(|line| line.column == deep_line.column);
    let (wrong_line, reference_line) = if is_between { (previous_line, deep_line) } else { (deep_line, previous_line) };
    let (name, reference) = (display_key(wrong_line.key), display_key(reference_line.key));
    let message = match is_between {
        true => format!("`{name}` is indented less than the lines around it"),
        false => format!("`{name}` is indented more than `{reference}` above it, which already has a value"),
    };
    let help = match reference_line.column {
        0 => format!("remove the spaces before `{name}` to align it with `{reference}`"),
        1 => format!("indent `{name}` by 1 space, like `{reference}`"),
        column => format!("indent `{name}` by {column} spaces, like `{reference}`"),
    };
    let span = |line: KeyLine<'_>| Span::new(source, line.start, line.start + line.key.len());
    let finding = Diagnostic::new(Code::YamlSyntax, message).label(span(wrong_line), "");
    Some(finding.label(span(reference_line), "compare with this line").help(help))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Source, Sources};

    /// Returns the message, help and line for `text`, where `§` marks the position at which the parser stops.
    fn explain_error(text: &str) -> Option<(String, String, u32)> {
        let offset = text.find('§').unwrap();
        let text = text.replace('§', "");
        let id = Sources::default().add(Source::new("x.yaml", text.as_str(), true));
        let finding = check_depth(id, &text, offset)?;
        let line = text[..finding.labels[0].span.start as usize].matches('\n').count() + 1;
        Some((finding.message, finding.help.unwrap(), line as u32))
    }

    #[test]
    fn reports_the_incorrectly_indented_line() {
        let deeper_message = |key: &str, above: &str, spaces: &str, line| {
            let message = format!("`{key}` is indented more than `{above}` above it, which already has a value");
            Some((message, format!("indent `{key}` {spaces}, like `{above}`"), line))
        };
        let between_message = |key: &str, other: &str, spaces: &str, line| {
            let message = format!("`{key}` is indented less than the lines around it");
            Some((message, format!("indent `{key}` {spaces}, like `{other}`"), line))
        };
        for (text, expected) in [
            (
                "spec:\n  a:\n  - port: x\n  interval: 15s\n    path§: /m\n",
                between_message("interval", "path", "by 4 spaces", 4),
            ),
            ("spec:\n  a: 1\n    b§: 2\n", deeper_message("b", "a", "by 2 spaces", 3)),
            (
                "a: 1\n  b§: 2\n",
                Some((
                    "`b` is indented more than `a` above it, which already has a value".to_owned(),
                    "remove the spaces before `b` to align it with `a`".to_owned(),
                    2,
                )),
            ),
            ("- a: 1\n    b§: 2\n", deeper_message("b", "a", "by 2 spaces", 2)),
            ("x:\n  a: 1\n\n  # note\n    b§: 2\n", deeper_message("b", "a", "by 2 spaces", 5)),
            ("x:\n  y:\n    a: 1\n  b: 2\n    c§: 3\n", between_message("b", "c", "by 4 spaces", 4)),
            ("x:\n    a: 1\n  y:\n    z: 2\n      c§: 3\n", deeper_message("c", "z", "by 4 spaces", 5)),
            // Other mistakes: a second colon, a preceding block scalar, or a quoted value.
            ("a: b§: c\n", None),
            ("a: |\n  x\n    b§: 2\n", None),
            ("a: \"x\"\n  b§: 2\n", None),
            ("b§: 2\n", None),
        ] {
            assert_eq!(explain_error(text), expected, "{text}");
        }
    }
}
