//! Several names, or a long one, in a sentence.

use std::borrow::Cow;
use std::fmt::Display;

/// `a`, `a and b`, `a, b and c`, with this word before the last one.
pub fn joined(word: &str, texts: impl IntoIterator<Item: ToString>) -> String {
    let texts: Vec<_> = texts.into_iter().map(|text| text.to_string()).collect();
    match texts.as_slice() {
        [rest @ .., last] if !rest.is_empty() => format!("{} {word} {last}", rest.join(", ")),
        texts => texts.concat(),
    }
}

/// The first `most` names in backticks, and how many more there are.
pub fn first_of(most: usize, names: impl ExactSizeIterator<Item: Display>) -> String {
    let more = names.len().saturating_sub(most);
    let shown: Vec<_> = names.take(most).map(|name| format!("`{name}`")).collect();
    match more {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// A text of at most this many characters; `…` is in place of the others.
pub fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most).and_then(|(end, _)| text.get(..end)) {
        Some(start) => Cow::Owned(format!("{start}…")),
        None => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_a_sentence() {
        let all = ["a", "b", "c"].map(str::to_owned);
        for (count, expected) in [(0, ""), (1, "a"), (2, "a and b"), (3, "a, b and c")] {
            assert_eq!(joined("and", &all[..count]), expected);
        }
        for (most, expected) in [
            (1, "`a` and 2 more"),
            (2, "`a`, `b` and 1 more"),
            (3, "`a`, `b`, `c`"),
            (4, "`a`, `b`, `c`"),
        ] {
            assert_eq!(first_of(most, all.iter()), expected);
        }
        for (text, expected) in [("", ""), ("ab", "ab"), ("éé", "éé"), ("abc", "ab…"), ("ééé", "éé…")] {
            assert_eq!(shortened(text, 2), expected);
        }
    }
}
