//! Go string, character and number literals.

/// Returns the bytes of a double-quoted string literal, or `None` if Go rejects it (`strconv.Unquote`).
pub fn unquote(literal: &str) -> Option<Vec<u8>> {
    let mut rest = literal.strip_prefix('"')?.strip_suffix('"')?;
    let mut bytes = Vec::with_capacity(rest.len());
    while !rest.is_empty() {
        let (character, after) = parse_character(rest, '"')?;
        bytes.extend(character.bytes());
        rest = after;
    }
    Some(bytes)
}

/// Whether Go accepts a character literal.
pub fn is_character(literal: &str) -> bool {
    let after_quote = literal.strip_prefix('\'');
    after_quote.and_then(|unquoted| parse_character(unquoted, '\'')).is_some_and(|(_, rest)| rest == "'")
}

/// Returns a double-quoted string literal (`strconv.Quote`).
pub fn quote(text: &str) -> String {
    let mut result = String::with_capacity(text.len() + 2);
    result.push('"');
    for c in text.chars() {
        match c {
            '"' => result.push_str("\\\""),
            '\\' => result.push_str("\\\\"),
            '\n' => result.push_str("\\n"),
            '\r' => result.push_str("\\r"),
            '\t' => result.push_str("\\t"),
            '\u{7}' => result.push_str("\\a"),
            '\u{8}' => result.push_str("\\b"),
            '\u{b}' => result.push_str("\\v"),
            '\u{c}' => result.push_str("\\f"),
            c if c.is_ascii_control() => result.push_str(&format!("\\x{:02x}", u32::from(c))),
            c if is_printable(c) => result.push(c),
            c if u32::from(c) < 0x1_0000 => result.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => result.push_str(&format!("\\U{:08x}", u32::from(c))),
        }
    }
    result.push('"');
    result
}

/// Whether Go prints a character as is (`strconv.IsPrint`): letters, marks, numbers, punctuation, symbols and the ASCII
/// space.
fn is_printable(c: char) -> bool {
    use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};
    let is_hidden = matches!(c.general_category_group(), GeneralCategoryGroup::Other | GeneralCategoryGroup::Separator);
    c == ' ' || !is_hidden
}

/// A character in a literal, or a byte from an escape sequence.
#[derive(Clone, Copy)]
enum Character {
    Byte(u8),
    Char(char),
}

impl Character {
    fn bytes(self) -> impl Iterator<Item = u8> {
        let mut buffer = [0; 4];
        let length = match self {
            Self::Byte(byte) => {
                buffer = [byte, 0, 0, 0];
                1
            }
            Self::Char(c) => c.encode_utf8(&mut buffer).len(),
        };
        buffer.into_iter().take(length)
    }
}

/// Parses the first character inside quotes and returns it with the rest of the text (`strconv.UnquoteChar`).
fn parse_character(text: &str, quote: char) -> Option<(Character, &str)> {
    let mut characters = text.chars();
    let first = characters.next().filter(|c| *c != quote && *c != '\n')?;
    if first != '\\' {
        return Some((Character::Char(first), characters.as_str()));
    }
    let kind = characters.next()?;
    let rest = characters.as_str();
    let simple_escape = |byte| Some((Character::Byte(byte), rest));
    match kind {
        'a' => simple_escape(7),
        'b' => simple_escape(8),
        'f' => simple_escape(12),
        'n' => simple_escape(b'\n'),
        'r' => simple_escape(b'\r'),
        't' => simple_escape(b'\t'),
        'v' => simple_escape(11),
        '\\' => simple_escape(b'\\'),
        c if c == quote => Some((Character::Char(c), rest)),
        'x' => {
            let (code, rest) = parse_digits(rest, 2, 16)?;
            Some((Character::Byte(u8::try_from(code).ok()?), rest))
        }
        'u' | 'U' => {
            let (code, rest) = parse_digits(rest, if kind == 'u' { 4 } else { 8 }, 16)?;
            Some((Character::Char(char::from_u32(code)?), rest))
        }
        '0'..='7' => {
            let (code, rest) = parse_digits(text.get(1..)?, 3, 8)?;
            Some((Character::Byte(u8::try_from(code).ok()?), rest))
        }
        _ => None,
    }
}

fn parse_digits(text: &str, length: usize, base: u32) -> Option<(u32, &str)> {
    let (digits, rest) = text.split_at_checked(length)?;
    let is_number = digits.chars().all(|c| c.is_digit(base));
    let code = u32::from_str_radix(digits, base).ok().filter(|_| is_number)?;
    Some((code, rest))
}

/// Whether a string is a number that fits in 64 bits, as templates parse it (`strconv.ParseUint`, `ParseInt` and
/// `ParseFloat`).
pub fn is_number(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    is_integer(unsigned) || (text.contains(['.', 'e', 'E', 'p', 'P']) && is_float(unsigned))
}

/// Returns the value of an integer literal (`strconv.ParseInt` with base 0), or `None` if Go rejects it or it does not
/// fit in 64 bits.
pub fn parse_integer(text: &str) -> Option<i64> {
    let (is_negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let value = i128::from(parse_unsigned_integer(unsigned)?);
    i64::try_from(if is_negative { -value } else { value }).ok()
}

/// Whether `strconv.ParseUint` with base 0 accepts a string.
fn is_integer(text: &str) -> bool {
    parse_unsigned_integer(text).is_some()
}

/// Returns the value of an unsigned integer (`strconv.ParseUint` with base 0), or `None` if Go rejects it.
fn parse_unsigned_integer(text: &str) -> Option<u64> {
    let lowercase = text.to_ascii_lowercase();
    let bases = [("0x", 16), ("0b", 2), ("0o", 8), ("0", 8)];
    let digits_and_base = bases.into_iter().find_map(|(prefix, base)| Some((lowercase.strip_prefix(prefix)?, base)));
    let (digits, base) = match digits_and_base {
        Some(("", 8)) if lowercase == "0" => ("0", 10),
        Some(digits_and_base) => digits_and_base,
        None => (lowercase.as_str(), 10),
    };
    let digits = digits.replace('_', "");
    let is_number = has_valid_underscores(&lowercase) && digits.chars().all(|c| c.is_digit(base));
    u64::from_str_radix(&digits, base).ok().filter(|_| is_number)
}

/// Whether each underscore in a lowercase number separates two digits (`underscoreOK`).
fn has_valid_underscores(number: &str) -> bool {
    let (digits, base) = match number.split_at_checked(2) {
        // A base prefix counts as a digit.
        Some(("0x", rest)) => (format!("0{rest}"), 16),
        Some(("0b" | "0o", rest)) => (format!("0{rest}"), 10),
        _ => (number.to_owned(), 10),
    };
    let mut runs = digits.split(|c: char| !c.is_digit(base) && c != '_');
    runs.all(|run| !run.starts_with('_') && !run.ends_with('_') && !run.contains("__"))
}

/// Whether `strconv.ParseFloat` accepts a string that is not a word such as `inf`.
fn is_float(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    if !has_valid_underscores(&lower) {
        return false;
    }
    let lower = lower.replace('_', "");
    if let Some(hexadecimal) = lower.strip_prefix("0x") {
        let Some((mantissa, exponent)) = hexadecimal.split_once('p') else {
            return false;
        };
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let digits = mantissa.replace('.', "");
        let is_hexadecimal = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_hexdigit());
        return is_hexadecimal && mantissa.matches('.').count() < 2 && exponent.parse::<i32>().is_ok();
    }
    lower.parse::<f64>().is_ok_and(f64::is_finite)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_valid_strings() {
        for (literal, expected) in [
            (r#""""#, &b""[..]),
            (r#""aé""#, "aé".as_bytes()),
            (r#""\a\b\f\n\r\t\v\\\"""#, b"\x07\x08\x0c\n\r\t\x0b\\\""),
            (r#""\x41\101\u00e9\U0001F600""#, "AAé😀".as_bytes()),
            (r#""\xff\377""#, b"\xff\xff"),
        ] {
            assert_eq!(unquote(literal).as_deref(), Some(expected), "{literal}");
        }
    }

    #[test]
    fn rejects_invalid_strings() {
        for literal in [
            "",
            "\"",
            "a",
            "\"a",
            "\"\n\"",
            r#""a"b""#,
            r#""\d""#,
            r#""\'""#,
            r#""\x4""#,
            r#""\400""#,
            r#""\18""#,
            r#""\ud800""#,
            r#""\U00110000""#,
            r#""\""#,
            r#""\u+123""#,
        ] {
            assert_eq!(unquote(literal), None, "{literal}");
        }
    }

    #[test]
    fn recognizes_characters_and_numbers() {
        for (literal, expected) in
            [("'a'", true), (r"'\''", true), (r"'\n'", true), ("''", false), ("'ab'", false), (r#"'\"'"#, false)]
        {
            assert_eq!(is_character(literal), expected, "{literal}");
        }
        for number in [
            "0",
            "1",
            "+1",
            "-7",
            "0x1F",
            "0b1",
            "017",
            "0o17",
            "0x_1_f",
            ".5",
            "1.",
            "1e3",
            "1.5e-3",
            "0x1p-2",
            "089.5",
            "18446744073709551615",
            "0_1",
            ".1_000",
            "1_1.000",
            "1e1_0",
            "0x_1.8p1_0",
        ] {
            assert!(is_number(number), "{number}");
        }
        for number in [
            "",
            ".",
            "089",
            "08_1",
            "1_.5",
            "1._5",
            "1e_5",
            "1__0.5",
            "0x1p_1",
            "0x_",
            "0x",
            "1e",
            "0x1.5",
            "18446744073709551616",
            "_1",
            "1_",
            "1e999",
            "0b2",
        ] {
            assert!(!is_number(number), "{number}");
        }
    }
}
