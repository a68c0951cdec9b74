//! Strings that the agent reads differently from how the operator wrote them. The reason is that go-yaml 3 writes some
//! multi-line strings in a form that no parser reads back correctly.

use std::borrow::Cow;

use memchr::memchr3_iter;

use super::presentation::{LibraryStyle, Presentation, StringPresentation};

/// Result of reading back a string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadBack<'t> {
    Same,
    /// String that differs from the written string.
    Other(Cow<'t, str>),
    /// The document cannot be parsed.
    Unreadable,
}

/// Returns the string that go-yaml 2 reads for a string written by go-yaml 3 (`yaml_emitter_write_literal_scalar`,
/// `yaml_emitter_write_block_scalar_hints`, `yaml_emitter_increase_indent`). `in_item` indicates whether the string is
/// a list item, or the value of a key in a list item.
///
/// A leading line break is lost, because it ends the line of the indicator. If a string starts with a line break or a
/// space, its header declares an indentation of 4, but in a list its lines are indented by 2. The parser then strips
/// two more spaces from each line, and the string ends at the first line without them. A string with a leading tab
/// cannot be read, because the tab is at a position where the parser expects indentation.
pub fn read_back(text: &str, in_item: bool) -> ReadBack<'_> {
    if !text.starts_with([' ', '\n', '\t'])
        || StringPresentation::new(text, LibraryStyle::V3).presentation != Presentation::Literal
    {
        return ReadBack::Same;
    }
    if text.starts_with('\t') {
        return ReadBack::Unreadable;
    }
    let without_break = text.strip_prefix('\n');
    let body = without_break.unwrap_or(text);
    if in_item && body.contains(|c| c != '\n') {
        strip_indent(body).map_or(ReadBack::Unreadable, |read| ReadBack::Other(read.into()))
    } else {
        without_break.map_or(ReadBack::Same, |read| ReadBack::Other(read.into()))
    }
}

/// Whether lines may contain a string that is read differently: a string with an explicit indentation, or a tab. Most
/// lines contain neither.
pub fn may_be_misread(lines: &str) -> bool {
    let bytes = lines.as_bytes();
    memchr3_iter(b'|', b'\t', b'<', bytes).any(|at| match bytes.get(at) {
        Some(b'|') => bytes.get(at + 1) == Some(&b'4'),
        Some(b'<') => bytes.get(at + 1..at + 3).is_some_and(|next| next == b"<:"),
        _ => true,
    })
}

/// Returns the lines without the two spaces that the parser strips, or `None` if the parser cannot continue after the
/// end of the string.
fn strip_indent(body: &str) -> Option<String> {
    let mut read = String::new();
    let mut lines = body.split('\n').enumerate();
    let ends_at = lines.find(|(number, line)| {
        let inner = if line.is_empty() { Some("") } else { line.strip_prefix("  ") };
        if let Some(inner) = inner {
            read.push_str(if *number == 0 { "" } else { "\n" });
            read.push_str(inner);
        }
        inner.is_none()
    });
    let Some((_, line)) = ends_at else { return Some(read) };
    // Only comments may follow.
    let mut following_lines = std::iter::once(line).chain(lines.map(|(_, line)| line));
    let is_comment = |line: &str| line.is_empty() || line.trim_start_matches(' ').starts_with('#');
    following_lines.all(is_comment).then(|| {
        let content = read.trim_end_matches('\n').len();
        read.truncate(content);
        if content > 0 && body.ends_with('\n') {
            read.push('\n');
        }
        read
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::{Mapping, Value, write};

    /// Returns the string as serde_yaml reads it, both as the value of a key in a list item and as the value of a
    /// nested key.
    fn parsed(text: &str) -> [Option<String>; 2] {
        let nested: Mapping<'_> = [("k".into(), text.into())].into_iter().collect();
        let item: Mapping<'_> = [("n".into(), nested.into())].into_iter().collect();
        [[("n".into(), text.into())].into_iter().collect(), item].map(|item: Mapping<'_>| {
            let written = write(&Value::Sequence(vec![item.into()]), LibraryStyle::V3);
            let read: serde_yaml::Value = serde_yaml::from_str(&written).ok()?;
            let value = &read[0]["n"];
            Some(value.as_str().or_else(|| value["k"].as_str())?.to_owned())
        })
    }

    #[test]
    fn reads_back_strings_like_a_parser() {
        let starts =
            ["", " ", "  ", "    ", "\n", "\n\n", "\n ", "\n  ", "\t", " \t", "\n\t", "  \t", "#", "\n#", " #", "- "];
        let inner = [
            "a",
            "a\nb",
            "a\n b",
            "a\n  b",
            "  a\n  b",
            "a: b\n",
            "#a\n#b",
            "#a\n  b",
            "",
            "a\n",
            "a\n\n",
            "a\n\n  b\n",
            "#a\n",
        ];
        for start in starts {
            for inner in inner {
                let text = format!("{start}{inner}");
                for (read, in_item) in parsed(&text).into_iter().zip([true, false]) {
                    let expected = match read_back(&text, in_item) {
                        ReadBack::Same => Some(text.clone()),
                        ReadBack::Other(read) => Some(read.into_owned()),
                        ReadBack::Unreadable => None,
                    };
                    assert_eq!(read, expected, "{text:?} in_item: {in_item}");
                    let written = write(&Value::Sequence(vec![text.as_str().into()]), LibraryStyle::V3);
                    assert!(read.as_ref() == Some(&text) || may_be_misread(&written), "{text:?}");
                }
            }
        }
    }
}
