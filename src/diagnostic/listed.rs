//! Several names, or a long one, in a sentence.

use std::borrow::Cow;
use std::fmt::Display;

/// `a`, `a and b`, `a, b and c`, with this word before the last one.
pub fn joined(word: &str, texts: &[String]) -> String {
    match texts {
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
