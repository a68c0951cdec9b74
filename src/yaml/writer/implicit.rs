//! Which text would read as something else than a string if it stood without quotes.

use std::borrow::Cow;

use super::{Style, timestamp};

/// Whether Go's encoder quotes the text: `resolve` in `resolve.go` makes something else of it, or `isBase60Float` or
/// `isOldBool` in `encode.go` does. v2 and v3 agree but for [`has_octal_prefix`].
pub(super) fn is_not_a_string(text: &str, style: Style) -> bool {
    match text.as_bytes() {
        [] => true,
        [b'.', ..] => is_keyword(text) || is_fraction(text),
        [b'0'..=b'9' | b'+' | b'-', ..] => is_keyword(text) || is_numeric(text, style),
        [
            b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' | b'~',
            ..,
        ] => is_keyword(text),
        _ => false,
    }
}

#[rustfmt::skip]
fn is_keyword(text: &str) -> bool {
    text.len() <= 5 && matches!(
        text,
        "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON"
            | "n" | "N" | "no" | "No" | "NO" | "off" | "Off" | "OFF"
            | "true" | "True" | "TRUE" | "false" | "False" | "FALSE"
            | "~" | "null" | "Null" | "NULL"
            | ".nan" | ".NaN" | ".NAN" | ".inf" | ".Inf" | ".INF"
            | "+.inf" | "+.Inf" | "+.INF" | "-.inf" | "-.Inf" | "-.INF"
    )
}

fn is_numeric(text: &str, style: Style) -> bool {
    if !text.bytes().all(may_be_in_a_number) {
        return false;
    }
    let digits = match text.contains('_') {
        true => Cow::Owned(text.replace('_', "")),
        false => Cow::Borrowed(text),
    };
    is_integer(&digits)
        || is_float(&digits)
        || has_binary_prefix(&digits)
        || style == Style::V3 && has_octal_prefix(&digits)
        || is_base_60(text)
        || timestamp::is_timestamp(text)
}

fn may_be_in_a_number(byte: u8) -> bool {
    byte.is_ascii_hexdigit()
        || matches!(
            byte,
            b'+' | b'-' | b'.' | b',' | b':' | b' ' | b'_' | b'x' | b'X' | b'o' | b'O' | b't' | b'T' | b'Z'
        )
}

/// What `strconv.ParseInt` or `strconv.ParseUint` with base 0 accepts, in 64 bits.
fn is_integer(text: &str) -> bool {
    let (sign, unsigned) = split_sign(text);
    let (radix, digits) = match unsigned.as_bytes() {
        [b'0', b'b' | b'B', _, ..] => (2, unsigned.get(2..)),
        [b'0', b'o' | b'O', _, ..] => (8, unsigned.get(2..)),
        [b'0', b'x' | b'X', _, ..] => (16, unsigned.get(2..)),
        [b'0', _, ..] => (8, unsigned.get(1..)),
        _ => (10, Some(unsigned)),
    };
    is_in_64_bits(sign, digits.unwrap_or_default(), radix)
}

/// Signed digits after `0b`: `strconv.ParseInt(text[2:], 2, 64)` accepts them.
fn has_binary_prefix(text: &str) -> bool {
    is_signed_after(text, "0b", 2)
}

/// Signed digits after `0o`, in v3 only.
fn has_octal_prefix(text: &str) -> bool {
    is_signed_after(text, "0o", 8)
}

fn is_signed_after(text: &str, prefix: &str, radix: u32) -> bool {
    text.strip_prefix(prefix).is_some_and(|rest| {
        let (sign, digits) = split_sign(rest);
        is_in_64_bits(sign, digits, radix)
    })
}

fn is_in_64_bits(sign: Option<char>, digits: &str, radix: u32) -> bool {
    // Rust takes a second sign.
    if !digits.starts_with(|c: char| c.is_ascii_hexdigit()) {
        return false;
    }
    let limit = match sign {
        None => u64::MAX,
        Some('-') => i64::MIN.unsigned_abs(),
        Some(_) => i64::MAX.unsigned_abs(),
    };
    u64::from_str_radix(digits, radix).is_ok_and(|value| value <= limit)
}

fn split_sign(text: &str) -> (Option<char>, &str) {
    match text.strip_prefix(['+', '-']) {
        Some(rest) => (text.chars().next(), rest),
        None => (None, text),
    }
}

/// `yamlStyleFloat`, and in the range of a double.
fn is_float(text: &str) -> bool {
    let (_, unsigned) = split_sign(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let mantissa_fits = match mantissa.split_once('.') {
        None => is_digits(mantissa),
        Some(("", fraction)) => is_digits(fraction),
        Some((whole, fraction)) => is_digits(whole) && (fraction.is_empty() || is_digits(fraction)),
    };
    mantissa_fits && exponent.is_none_or(|exponent| is_digits(split_sign(exponent).1)) && is_finite(text)
}

/// What `strconv.ParseFloat` accepts of text that starts with a point: underscores stand between digits.
fn is_fraction(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_digit = |at: Option<&u8>| at.is_some_and(u8::is_ascii_digit);
    let underscores_fit = bytes
        .iter()
        .enumerate()
        .all(|(i, byte)| *byte != b'_' || i > 0 && is_between(bytes, i, is_digit));
    underscores_fit && is_float(&text.replace('_', ""))
}

/// Whether the neighbours of `at` satisfy `test`.
fn is_between(bytes: &[u8], at: usize, test: impl Fn(Option<&u8>) -> bool) -> bool {
    test(bytes.get(at.wrapping_sub(1))) && test(bytes.get(at + 1))
}

fn is_finite(text: &str) -> bool {
    text.parse::<f64>().is_ok_and(f64::is_finite)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A number of YAML 1.1 in base 60 (`base60float`): `190:20:30.15`.
fn is_base_60(text: &str) -> bool {
    let (_, unsigned) = split_sign(text);
    let Some((first, rest)) = unsigned.split_once(':') else {
        return false;
    };
    let (places, fraction) = rest.split_once('.').unwrap_or((rest, ""));
    let is_place = |place: &str| match place.as_bytes() {
        [b'0'..=b'9'] => true,
        [tens, ones] => (b'0'..=b'5').contains(tens) && ones.is_ascii_digit(),
        _ => false,
    };
    let is_digit_or_underscore = |byte: u8| byte.is_ascii_digit() || byte == b'_';
    first.starts_with(|c: char| c.is_ascii_digit())
        && first.bytes().all(is_digit_or_underscore)
        && places.split(':').all(is_place)
        && fraction.bytes().all(is_digit_or_underscore)
}
