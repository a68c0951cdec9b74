//! Text that Go programs make of bytes, names and paths.

use std::borrow::Cow;

use regex::Regex;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// An expression that is part of the program.
#[expect(clippy::expect_used, reason = "a test uses each of them")]
pub fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern of this program is valid")
}

/// Go's conversion of bytes to runes: one U+FFFD for each byte that starts no character, where Rust's has one for each
/// maximal part of a character.
pub fn from_bytes(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    Cow::Owned(text)
}

/// The name of a label with `_` for every character but letters, digits and `_` (`SanitizeLabelName`).
pub fn label_name(name: &str) -> Cow<'_, str> {
    let is_other = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    match name.contains(is_other) {
        true => Cow::Owned(name.replace(is_other, "_")),
        false => Cow::Borrowed(name),
    }
}

/// Whether a character is a letter (`unicode.IsLetter`).
pub fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || !c.is_ascii() && c.general_category_group() == GeneralCategoryGroup::Letter
}

/// Whether a character is a decimal digit (`unicode.IsDigit`).
pub fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || !c.is_ascii() && c.general_category() == GeneralCategory::DecimalNumber
}

/// The greatest length of a DNS label.
const MAX_LABEL: usize = 63;

/// A DNS label made from any text: lower case, runs of other characters become one `-`
/// (`clientutil.SanitizeVolumeName`).
pub fn volume_name(name: &str) -> String {
    let mut label = String::with_capacity(name.len());
    let mut in_run = false;
    // Go lowers each character to one character.
    for c in name.chars().filter_map(|c| c.to_lowercase().next()) {
        let allowed = c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if allowed {
            label.push(c);
        } else if !in_run {
            label.push('-');
        }
        in_run = !allowed;
    }
    label.truncate(MAX_LABEL);
    label.trim_matches('-').to_owned()
}

/// `directory/name` without `.`, `..` and empty elements, which Go's `path.Join` resolves. `directory` is absolute.
pub fn join_path(directory: &str, name: &str) -> String {
    let mut elements = Vec::new();
    for element in directory.split('/').chain(name.split('/')) {
        match element {
            "" | "." => {}
            ".." => drop(elements.pop()),
            element => elements.push(element),
        }
    }
    format!("/{}", elements.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stray_byte_becomes_one_replacement_character() {
        assert_eq!(from_bytes(b"a\xe2\x82b\xff"), "a\u{fffd}\u{fffd}b\u{fffd}");
        assert_eq!(from_bytes("ä".as_bytes()), "ä");
    }

    #[test]
    fn letters_and_digits_are_those_of_unicode() {
        for (characters, letter, digit) in [
            ("aZéª漢ǅ", true, false),
            ("09٣९", false, true),
            ("_-²Ⅷ½\u{301}😀", false, false),
        ] {
            for c in characters.chars() {
                assert_eq!((is_letter(c), is_digit(c)), (letter, digit), "{c:?}");
            }
        }
    }

    #[test]
    fn other_characters_of_a_label_name_become_underscores() {
        for (name, expected) in [("aZ_9", "aZ_9"), ("a-b.c/é", "a_b_c__"), ("", "")] {
            assert_eq!(label_name(name), expected);
        }
    }

    #[test]
    fn names_become_labels() {
        let cases = [
            ("secret-Tls.Cert", "secret-tls-cert"),
            ("secret-a..b__c", "secret-a-b-c"),
            ("secret-a.-b", "secret-a--b"),
            ("v0.44.8", "v0-44-8"),
            ("-x-", "x"),
            ("a09z_A", "a09z-a"),
            ("\u{130}\u{212a}ä", "ik"),
            ("", ""),
        ];
        for (name, label) in cases {
            assert_eq!(volume_name(name), label, "{name}");
        }
        assert_eq!(volume_name(&format!("{}.x", "a".repeat(62))), "a".repeat(62));
        assert_eq!(volume_name(&"a".repeat(70)).len(), 63);
    }

    #[test]
    fn paths_are_cleaned() {
        let cases = [
            ("c", "/a/b/c"),
            ("", "/a/b"),
            ("../c", "/a/c"),
            ("./c", "/a/b/c"),
            (".c/..d", "/a/b/.c/..d"),
            ("c//./d/", "/a/b/c/d"),
            ("../../../c", "/c"),
        ];
        for (name, path) in cases {
            assert_eq!(join_path("/a/b", name), path, "{name}");
        }
    }
}
