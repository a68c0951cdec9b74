//! Formatting of long names and lists of names for use in sentences.

use std::borrow::Cow;
use std::fmt::Display;

/// Joins strings as in `a`, `a and b` or `a, b and c`, with `word` before the last string.
pub fn join_words(word: &str, texts: impl IntoIterator<Item: ToString>) -> String {
    let texts: Vec<_> = texts.into_iter().map(|text| text.to_string()).collect();
    match texts.as_slice() {
        [rest @ .., last] if !rest.is_empty() => format!("{} {word} {last}", rest.join(", ")),
        texts => texts.concat(),
    }
}

/// Returns the first `most` names in backticks, followed by the number of remaining names, if any.
pub fn first_of(most: usize, names: impl ExactSizeIterator<Item: Display>) -> String {
    let more = names.len().saturating_sub(most);
    let shown: Vec<_> = names.take(most).map(|name| format!("`{name}`")).collect();
    match more {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Like `first_of`, but puts `and` before the last name of a complete list.
pub fn format_list(most: usize, names: impl ExactSizeIterator<Item: Display>) -> String {
    match names.len() {
        count if count > most => first_of(most, names),
        _ => join_words("and", names.map(|name| format!("`{name}`"))),
    }
}

/// Truncates text to at most `most` characters, and appends `…` if it was longer.
pub fn truncate(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most).and_then(|(end, _)| text.get(..end)) {
        Some(start) => Cow::Owned(format!("{start}…")),
        None => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins_names_into_a_sentence() {
        let all = ["a", "b", "c"].map(str::to_owned);
        for (count, expected) in [(0, ""), (1, "a"), (2, "a and b"), (3, "a, b and c")] {
            assert_eq!(join_words("and", &all[..count]), expected);
        }
        for (most, expected) in
            [(1, "`a` and 2 more"), (2, "`a`, `b` and 1 more"), (3, "`a`, `b`, `c`"), (4, "`a`, `b`, `c`")]
        {
            assert_eq!(first_of(most, all.iter()), expected);
            let expected = expected.replace("`b`, `c`", "`b` and `c`");
            assert_eq!(format_list(most, all.iter()), expected);
        }
        for (text, expected) in [("", ""), ("ab", "ab"), ("éé", "éé"), ("abc", "ab…"), ("ééé", "éé…")] {
            assert_eq!(truncate(text, 2), expected);
        }
    }
}
