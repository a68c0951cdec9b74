//! Case conversion that maps each character to exactly one character, as in Go. Rust, in contrast, applies the full
//! Unicode mappings (`ß` → `SS`).

/// Converts a string to lowercase (`strings.ToLower`).
pub fn to_lower(text: &str) -> String {
    text.chars().map(lower_char).collect()
}

/// Converts a string to uppercase (`strings.ToUpper`).
pub fn to_upper(text: &str) -> String {
    text.chars().map(upper_char).collect()
}

/// Port of Go's `unicode.ToLower`.
fn lower_char(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    let mut mapped = c.to_lowercase();
    match (mapped.next(), mapped.next()) {
        (Some(character), None) => character,
        // Only `İ` maps to two characters. Go drops the combining dot.
        _ => 'i',
    }
}

/// Port of Go's `unicode.ToUpper`.
fn upper_char(c: char) -> char {
    let mut mapped = c.to_uppercase();
    match (mapped.next(), mapped.next()) {
        (Some(character), None) => character,
        _ => upper_first_of_several(c),
    }
}

/// Returns the uppercase form of a character that the full Unicode mapping would expand to several characters. Go uses
/// the title case of Greek vowels with iota subscript and leaves all other characters unchanged.
fn upper_first_of_several(c: char) -> char {
    let offset = match u32::from(c) {
        0x1f80..=0x1f87 | 0x1f90..=0x1f97 | 0x1fa0..=0x1fa7 => 8,
        0x1fb3 | 0x1fc3 | 0x1ff3 => 9,
        _ => 0,
    };
    char::from_u32(u32::from(c) + offset).unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_the_case_of_each_character_separately() {
        for (text, expected_lower, expected_upper) in [
            ("Straße", "straße", "STRAßE"),
            ("ΌΣΟΣ", "όσοσ", "ΌΣΟΣ"),
            ("İIıi", "iiıi", "İIII"),
            ("ﬁŉǰΐ", "ﬁŉǰΐ", "ﬁŉǰΐ"),
            ("ᾀᾳ", "ᾀᾳ", "ᾈᾼ"),
            ("ǅ", "ǆ", "Ǆ"),
            ("K", "k", "K"),
        ] {
            assert_eq!((to_lower(text).as_str(), to_upper(text).as_str()), (expected_lower, expected_upper), "{text}");
        }
    }
}
