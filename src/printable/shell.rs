//! Quoting of words in command lines that users can copy.

use std::borrow::Cow;

/// Quotes `word`, if necessary, so that a shell interprets it as a single word.
pub fn quote_for_shell(word: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./+@%,=:".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.into(),
        false => format!("'{}'", word.replace('\'', "'\\''")).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_words_that_a_shell_would_split() {
        for (word, expected) in [
            ("--output-dir=a/b", "--output-dir=a/b"),
            ("", "''"),
            ("a b", "'a b'"),
            ("$(touch x)", "'$(touch x)'"),
            ("it's", r"'it'\''s'"),
        ] {
            assert_eq!(quote_for_shell(word), expected, "{word}");
        }
    }
}
