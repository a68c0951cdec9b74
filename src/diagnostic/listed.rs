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

/// Returns the first `max_count` names in backticks, followed by the number of remaining names, if any.
pub fn first_of(max_count: usize, names: impl ExactSizeIterator<Item: Display>) -> String {
    let omitted_count = names.len().saturating_sub(max_count);
    let shown_names: Vec<_> = names.take(max_count).map(|name| format!("`{name}`")).collect();
    match omitted_count {
        0 => shown_names.join(", "),
        omitted_count => format!("{} and {omitted_count} more", shown_names.join(", ")),
    }
}

/// Like `first_of`, but puts `and` before the last name of a complete list.
pub fn format_list(max_count: usize, names: impl ExactSizeIterator<Item: Display>) -> String {
    match names.len() {
        count if count > max_count => first_of(max_count, names),
        _ => join_words("and", names.map(|name| format!("`{name}`"))),
    }
}

/// Truncates text to at most `max_chars` characters, and appends `…` if it was longer.
pub fn truncate(text: &str, max_chars: usize) -> Cow<'_, str> {
    match text.char_indices().nth(max_chars).and_then(|(end, _)| text.get(..end)) {
        Some(start) => Cow::Owned(format!("{start}…")),
        None => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins_names_into_a_sentence() {
        let all_names = ["a", "b", "c"].map(str::to_owned);
        for (count, expected) in [(0, ""), (1, "a"), (2, "a and b"), (3, "a, b and c")] {
            assert_eq!(join_words("and", &all_names[..count]), expected);
        }
        for (most, expected) in
            [(1, "`a` and 2 more"), (2, "`a`, `b` and 1 more"), (3, "`a`, `b`, `c`"), (4, "`a`, `b`, `c`")]
        {
            assert_eq!(first_of(most, all_names.iter()), expected);
            let expected = expected.replace("`b`, `c`", "`b` and `c`");
            assert_eq!(format_list(most, all_names.iter()), expected);
        }
        for (text, expected) in [("", ""), ("ab", "ab"), ("éé", "éé"), ("abc", "ab…"), ("ééé", "éé…")] {
            assert_eq!(truncate(text, 2), expected);
        }
    }
}
