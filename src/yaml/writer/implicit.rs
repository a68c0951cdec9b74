//! Which text would be read as something other than a string without quotes.

use super::style::Style;
use crate::go::scalar::{self, Scalar};
use crate::go::time;

/// Whether Go's encoder quotes the text (`stringv` in `encode.go`): the reader resolves it to something else, or YAML 1.1
/// has a number in base 60 or a time there. v2 and v3 agree but for [`has_octal_prefix`]: the booleans that v3 no longer
/// reads it still quotes (`isOldBool`).
pub(super) fn is_not_a_string(text: &str, style: Style) -> bool {
    let starts_a_number = text.starts_with(|c: char| matches!(c, '0'..='9' | '+' | '-'));
    if starts_a_number && !text.bytes().all(may_be_in_a_number) {
        return false;
    }
    !matches!(scalar::resolve_plain(text.into()), Scalar::String(_))
        || starts_a_number && (is_base_60(text) || time::is_timestamp(text))
        || style == Style::V3 && has_octal_prefix(text)
}

fn may_be_in_a_number(byte: u8) -> bool {
    byte.is_ascii_hexdigit() || b"+-.,: _xXoOtTZiInN".contains(&byte)
}

/// Octal digits with a sign after `0o`, which v3 alone reads (`strconv.ParseInt(text[2:], 8, 64)`).
fn has_octal_prefix(text: &str) -> bool {
    let digits = text.strip_prefix("0o").map(|digits| digits.replace('_', ""));
    digits.is_some_and(|digits| i64::from_str_radix(&digits, 8).is_ok())
}

/// A number of YAML 1.1 in base 60 (`base60float`): `190:20:30.15`.
fn is_base_60(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_string_is_known() {
        for (text, v3, kubernetes) in [
            ("", true, true),
            ("y", true, true),
            ("Off", true, true),
            ("yess", false, false),
            ("~", true, true),
            ("<<", false, false),
            ("=", false, false),
            ("0o17", true, true),
            ("0o-17", true, false),
            ("0o-18", false, false),
            ("0b-1", true, true),
            ("089", true, true),
            ("0x", false, false),
            ("-", false, false),
            ("+.inf", true, true),
            (".nan", true, true),
            (".1_0", true, true),
            ("._1", false, false),
            ("1e400", false, false),
            ("18446744073709551615", true, true),
            ("30s", false, false),
            ("10.0.0.1:9090", false, false),
            ("1:2", true, true),
            ("1:2.5_", true, true),
            ("1:60", false, false),
            ("_1:2", false, false),
            ("2001-12-14", true, true),
            ("2001-13-14", false, false),
        ] {
            assert_eq!(is_not_a_string(text, Style::V3), v3, "{text}");
            assert_eq!(is_not_a_string(text, Style::Kubernetes), kubernetes, "{text}");
        }
    }
}
