//! The string that the agent reads of a string that the operator wrote: go-yaml 3 writes some strings of several lines so that no
//! parser reads them back.

use std::borrow::Cow;

use memchr::memchr2_iter;

use super::presentation::{Presentation, Scalar, Style};

/// What is read of a string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadBack<'t> {
    Same,
    /// Another string.
    Other(Cow<'t, str>),
    /// Nothing: the document cannot be parsed.
    Unreadable,
}

/// The string that go-yaml 2 reads of a string that go-yaml 3 wrote (`yaml_emitter_write_literal_scalar`,
/// `yaml_emitter_write_block_scalar_hints`, `yaml_emitter_increase_indent`). `in_item` tells whether it is an item of a list, or is under a
/// key of one.
///
/// A string that starts with a line break loses it on the line of the indicator. One that starts with a line break or a space is
/// announced as indented by 4, but in a list its lines are indented by 2: the parser strips two spaces more from each line, and the string
/// ends at a line without them. One that starts with a tab has it where the parser looks for the indentation.
pub fn read_back(text: &str, in_item: bool) -> ReadBack<'_> {
    if !text.starts_with([' ', '\n', '\t']) || Scalar::of(text, Style::V3).presentation != Presentation::Literal {
        return ReadBack::Same;
    }
    if text.starts_with('\t') {
        return ReadBack::Unreadable;
    }
    let without_break = text.strip_prefix('\n');
    let body = without_break.unwrap_or(text);
    if in_item && body.contains(|c| c != '\n') {
        stripped(body).map_or(ReadBack::Unreadable, |read| ReadBack::Other(read.into()))
    } else {
        without_break.map_or(ReadBack::Same, |read| ReadBack::Other(read.into()))
    }
}

/// Whether lines may hold a string that is not read as it is: one with its indentation announced, or a tab. Most have none.
pub fn may_be_misread(lines: &str) -> bool {
    let bytes = lines.as_bytes();
    memchr2_iter(b'|', b'\t', bytes).any(|at| bytes.get(at) == Some(&b'\t') || bytes.get(at + 1) == Some(&b'4'))
}

/// The lines without the two spaces that the parser strips; `None` if it cannot read on where the string ends.
fn stripped(body: &str) -> Option<String> {
    let mut read = String::new();
    let mut lines = body.split('\n').enumerate();
    let ends_at = lines.find(|(number, line)| {
        let inner = if line.is_empty() {
            Some("")
        } else {
            line.strip_prefix("  ")
        };
        if let Some(inner) = inner {
            read.push_str(if *number == 0 { "" } else { "\n" });
            read.push_str(inner);
        }
        inner.is_none()
    });
    let Some((_, line)) = ends_at else { return Some(read) };
    // Only comments may follow there.
    let mut others = std::iter::once(line).chain(lines.map(|(_, line)| line));
    let is_comment = |line: &str| line.is_empty() || line.trim_start_matches(' ').starts_with('#');
    others.all(is_comment).then(|| {
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

    /// The string as serde_yaml reads it under a key of an item, and under one further down.
    fn parsed(text: &str) -> [Option<String>; 2] {
        let nested: Mapping<'_> = [("k".into(), text.into())].into_iter().collect();
        let item: Mapping<'_> = [("n".into(), nested.into())].into_iter().collect();
        [[("n".into(), text.into())].into_iter().collect(), item].map(|item: Mapping<'_>| {
            let written = write(&Value::Sequence(vec![item.into()]), Style::V3);
            let read: serde_yaml::Value = serde_yaml::from_str(&written).ok()?;
            let value = &read[0]["n"];
            Some(value.as_str().or_else(|| value["k"].as_str())?.to_owned())
        })
    }

    #[test]
    fn strings_are_read_back_as_a_parser_reads_them() {
        let starts = [
            "", " ", "  ", "    ", "\n", "\n\n", "\n ", "\n  ", "\t", " \t", "\n\t", "  \t", "#", "\n#", " #", "- ",
        ];
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
                    let written = write(&Value::Sequence(vec![text.as_str().into()]), Style::V3);
                    assert!(read.as_ref() == Some(&text) || may_be_misread(&written), "{text:?}");
                }
            }
        }
    }
}
