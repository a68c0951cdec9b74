//! Conversions of bytes, names and paths, as in Go programs.

use std::borrow::Cow;

use regex::Regex;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// Compiles a regular expression that is part of the program.
#[expect(clippy::expect_used, reason = "a test uses each of them")]
pub fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern of this program is valid")
}

/// Converts bytes to a string as Go does: each byte that is not valid UTF-8 becomes one U+FFFD, whereas Rust replaces
/// each maximal invalid sequence.
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

/// Returns a label name with every character other than letters, digits and `_` replaced with `_`
/// (`SanitizeLabelName`).
pub fn label_name(name: &str) -> Cow<'_, str> {
    if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return Cow::Borrowed(name);
    }
    let mut label = String::with_capacity(name.len());
    label.extend(name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }));
    Cow::Owned(label)
}

/// Whether a character is a letter (`unicode.IsLetter`).
pub fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || !c.is_ascii() && c.general_category_group() == GeneralCategoryGroup::Letter
}

/// Whether a character is a decimal digit (`unicode.IsDigit`).
pub fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || !c.is_ascii() && c.general_category() == GeneralCategory::DecimalNumber
}

/// Maximum length of a DNS label.
const MAX_LABEL: usize = 63;

/// Converts any string to a DNS label: lowercase, with each run of other characters replaced with one `-`
/// (`clientutil.SanitizeVolumeName`).
pub fn volume_name(name: &str) -> String {
    let mut label = String::with_capacity(name.len());
    let mut in_run = false;
    // Go maps each character to exactly one lowercase character.
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

/// Joins an absolute `directory` and `name` like Go's `path.Join`, resolving `.`, `..` and empty elements.
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
    fn replaces_each_invalid_byte() {
        assert_eq!(from_bytes(b"a\xe2\x82b\xff"), "a\u{fffd}\u{fffd}b\u{fffd}");
        assert_eq!(from_bytes("ä".as_bytes()), "ä");
    }

    #[test]
    fn recognizes_unicode_letters_and_digits() {
        for (characters, letter, digit) in
            [("aZéª漢ǅ", true, false), ("09٣९", false, true), ("_-²Ⅷ½\u{301}😀", false, false)]
        {
            for c in characters.chars() {
                assert_eq!((is_letter(c), is_digit(c)), (letter, digit), "{c:?}");
            }
        }
    }

    #[test]
    fn sanitizes_label_names() {
        for (name, expected) in [("aZ_9", "aZ_9"), ("a-b.c/é", "a_b_c__"), ("", "")] {
            assert_eq!(label_name(name), expected);
        }
    }

    #[test]
    fn converts_names_to_dns_labels() {
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
    fn joins_and_cleans_paths() {
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
