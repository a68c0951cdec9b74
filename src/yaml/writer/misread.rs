//! Texts that go-yaml v3 writes in a form that is read back otherwise, by itself too.

use super::presentation::{Presentation, Scalar};
use super::style::Style;

/// What becomes of a text that is written in the style of the operator and read again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misread {
    /// It is announced as indented by 4, but its lines are indented by 2, or there is a tab where its first line is looked for: nothing
    /// reads the document, or a text without the spaces at the starts of its lines is read.
    Indentation,
    /// Its first line break is lost.
    FirstLineBreak,
}

/// What is read for a text of several lines where that is another text. `in_item` tells whether it is an item of a list, or
/// is under a key of one (`yaml_emitter_write_literal_scalar`, `yaml_emitter_write_block_scalar_hints`).
pub fn misread(text: &str, in_item: bool) -> Option<Misread> {
    let starts_with_tab = text.starts_with('\t');
    if !text.starts_with([' ', '\n', '\t']) || Scalar::of(text, Style::V3).presentation != Presentation::Literal {
        None
    } else if starts_with_tab || in_item && text.contains(|c| c != '\n') {
        Some(Misread::Indentation)
    } else {
        text.starts_with('\n').then_some(Misread::FirstLineBreak)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::{Mapping, Value, write};

    /// The text as serde_yaml reads it under a key of an item, and under one further down.
    fn read_back(text: &str) -> [Option<String>; 2] {
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
    fn it_tells_what_is_not_read_back() {
        let texts = [
            " a\nb",
            "  a\n  b",
            "    a\n    b",
            "\na",
            "\n a\nb",
            " a\n",
            "\n",
            "\n\n",
            "a\n b",
            "a\n",
            "  \na",
            "\ta\nb",
            "a",
            " a",
        ];
        for text in texts {
            let [item, nested] = read_back(text);
            assert_eq!(misread(text, true).is_some(), item.as_deref() != Some(text), "{text:?}");
            assert_eq!(
                misread(text, false).is_some(),
                nested.as_deref() != Some(text),
                "{text:?}"
            );
        }
        assert_eq!(misread("\n", true), Some(Misread::FirstLineBreak));
        assert_eq!(misread("\na", true), Some(Misread::Indentation));
    }
}
