//! Scalars resolved by the YAML 1.1 rules of go-yaml v2 (`resolve` in `resolve.go`), as Kubernetes reads them.

use std::borrow::Cow;

use super::base64;
use super::text;
use super::time::is_timestamp;

/// A resolved scalar, before it becomes JSON.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar<'s> {
    Null,
    Bool(bool),
    Int(i64),
    /// An integer too large for `Int`.
    Uint(u64),
    Float(f64),
    String(Cow<'s, str>),
}

/// Resolves an untagged plain scalar.
pub fn resolve_plain(text: Cow<'_, str>) -> Scalar<'_> {
    resolve_untyped(&text).unwrap_or(Scalar::String(text))
}

/// Resolves a tagged scalar, regardless of the namespace of the tag. Quotes have no effect on tagged scalars.
///
/// # Errors
///
/// Returns a description of the problem with the scalar.
pub fn resolve_tagged<'s>(tag: &str, text: Cow<'s, str>) -> Result<Scalar<'s>, String> {
    match tag {
        "binary" => decode_binary(&text).ok_or_else(|| "found invalid base64 after the tag `!!binary`".to_owned()),
        "timestamp" if is_timestamp(&text) => Ok(Scalar::String(text)),
        "bool" | "int" | "float" | "null" | "timestamp" => match (tag, resolve_plain(text)) {
            ("float", Scalar::Int(i)) => Ok(Scalar::Float(i as f64)),
            ("bool", scalar @ Scalar::Bool(_))
            | ("int", scalar @ (Scalar::Int(_) | Scalar::Uint(_)))
            | ("float", scalar @ Scalar::Float(_))
            | ("null", scalar @ Scalar::Null) => Ok(scalar),
            (tag, scalar) => Err(format!("found {} after the tag `!!{tag}`", kind_name(&scalar))),
        },
        _ => Ok(Scalar::String(text)),
    }
}

fn kind_name(scalar: &Scalar<'_>) -> &'static str {
    match scalar {
        Scalar::Null => "null",
        Scalar::Bool(_) => "a boolean",
        Scalar::Int(_) | Scalar::Uint(_) => "a whole number",
        Scalar::Float(_) => "a number",
        Scalar::String(_) => "a string",
    }
}

/// Resolves a plain scalar, or returns `None` if it is a string. The first byte rules out most strings.
fn resolve_untyped(text: &str) -> Option<Scalar<'static>> {
    match text.as_bytes() {
        [] => Some(Scalar::Null),
        [b'0'..=b'9' | b'+' | b'-', ..] => parse_special_float(text).or_else(|| parse_number(text)),
        [b'.', ..] => parse_special_float(text).or_else(|| parse_dotted_float(text)),
        [b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' | b'~', ..] => parse_word(text),
        _ => None,
    }
}

fn parse_word(text: &str) -> Option<Scalar<'static>> {
    match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => Some(Scalar::Bool(true)),
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => {
            Some(Scalar::Bool(false))
        }
        "~" | "null" | "Null" | "NULL" => Some(Scalar::Null),
        _ => None,
    }
}

fn parse_special_float(text: &str) -> Option<Scalar<'static>> {
    match text {
        ".nan" | ".NaN" | ".NAN" => Some(Scalar::Float(f64::NAN)),
        ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => Some(Scalar::Float(f64::INFINITY)),
        "-.inf" | "-.Inf" | "-.INF" => Some(Scalar::Float(f64::NEG_INFINITY)),
        _ => None,
    }
}

/// Parses a number that starts with a digit or a sign: first as a Go integer, then as a decimal fraction.
fn parse_number(text: &str) -> Option<Scalar<'static>> {
    let plain = remove_underscores(text);
    parse_integer(&plain).or_else(|| parse_decimal(&plain)).or_else(|| parse_signed_binary(&plain))
}

/// Parses a binary number whose sign follows the prefix, which go-yaml also accepts.
fn parse_signed_binary(text: &str) -> Option<Scalar<'static>> {
    let digits = text.strip_prefix("0b")?;
    if !digits.starts_with(['+', '-']) {
        return None;
    }
    i64::from_str_radix(digits, 2).ok().map(Scalar::Int)
}

fn remove_underscores(text: &str) -> Cow<'_, str> {
    if text.contains('_') { Cow::Owned(text.replace('_', "")) } else { Cow::Borrowed(text) }
}

/// Port of `strconv.ParseInt` followed by `strconv.ParseUint`, in base 0: a prefix or a leading zero determines the
/// base. Only a number written without a sign can be a `Uint`.
fn parse_integer(text: &str) -> Option<Scalar<'static>> {
    let (negative, digits) = match text.as_bytes() {
        [b'-', ..] => (true, text.get(1..)?),
        [b'+', ..] => (false, text.get(1..)?),
        _ => (false, text),
    };
    let (digits, radix) = split_radix(digits)?;
    if !digits.bytes().all(|b| (b as char).is_digit(radix)) {
        return None;
    }
    let size = u64::from_str_radix(digits, radix).ok()?;
    match (negative, i64::try_from(size)) {
        (false, Ok(i)) => Some(Scalar::Int(i)),
        (false, Err(_)) if !text.starts_with('+') => Some(Scalar::Uint(size)),
        (false, Err(_)) => None,
        (true, _) => 0i64.checked_sub_unsigned(size).map(Scalar::Int),
    }
}

fn split_radix(digits: &str) -> Option<(&str, u32)> {
    match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => Some((digits.get(2..)?, 16)),
        [b'0', b'o' | b'O', ..] => Some((digits.get(2..)?, 8)),
        [b'0', b'b' | b'B', ..] => Some((digits.get(2..)?, 2)),
        [b'0', _, ..] => Some((digits.get(1..)?, 8)),
        _ => Some((digits, 10)),
    }
}

/// Parses a decimal number. Numbers that overflow are treated as strings, as are Rust's names for special floats.
fn parse_decimal(text: &str) -> Option<Scalar<'static>> {
    let value: f64 = text.parse().ok()?;
    value.is_finite().then_some(Scalar::Float(value))
}

/// Parses a number that starts with a dot (`strconv.ParseFloat`). An underscore is allowed only between digits.
fn parse_dotted_float(text: &str) -> Option<Scalar<'static>> {
    let bytes = text.as_bytes();
    let digit = |at: Option<&u8>| at.is_some_and(u8::is_ascii_digit);
    let is_well_formed = bytes
        .iter()
        .enumerate()
        .filter(|&(_, &b)| b == b'_')
        .all(|(i, _)| digit(bytes.get(i + 1)) && digit(i.checked_sub(1).and_then(|i| bytes.get(i))));
    if is_well_formed { parse_decimal(&remove_underscores(text)) } else { None }
}

/// Decodes a binary scalar. Each byte that is not valid UTF-8 is replaced, as in JSON.
fn decode_binary(text: &str) -> Option<Scalar<'static>> {
    let bytes = base64::decode(text)?;
    Some(Scalar::String(Cow::Owned(text::from_bytes(&bytes).into_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolves_plain_scalars_like_go() {
        for (text, expected) in [
            ("", "Null"),
            ("~", "Null"),
            ("Null", "Null"),
            ("y", "Bool(true)"),
            ("OFF", "Bool(false)"),
            ("oN", "String(\"oN\")"),
            (".NaN", "Float(NaN)"),
            (".inf", "Float(inf)"),
            ("+.INF", "Float(inf)"),
            ("-.Inf", "Float(-inf)"),
            ("0x1F", "Int(31)"),
            ("-0o17", "Int(-15)"),
            ("017", "Int(15)"),
            ("0B101", "Int(5)"),
            ("0b-101", "Int(-5)"),
            ("0b+1", "Int(1)"),
            ("0", "Int(0)"),
            ("1_000", "Int(1000)"),
            ("-9223372036854775808", "Int(-9223372036854775808)"),
            ("-9223372036854775809", "Float(-9.223372036854776e18)"),
            ("+9223372036854775807", "Int(9223372036854775807)"),
            ("+9223372036854775808", "Float(9.223372036854776e18)"),
            ("9223372036854775808", "Uint(9223372036854775808)"),
            ("18446744073709551616", "Float(1.8446744073709552e19)"),
            ("089", "Float(89.0)"),
            ("1e3", "Float(1000.0)"),
            ("-1.5E+3", "Float(-1500.0)"),
            ("+.5e-1", "Float(0.05)"),
            ("1.", "Float(1.0)"),
            (".5_5", "Float(0.55)"),
        ] {
            assert_eq!(format!("{:?}", resolve_plain(text.into())), expected, "{text}");
        }
        for text in [
            ".", "+.", "-", "+-1", "++1", "1e", "1e+", "1e1.5", "1.2.3", "1e400", "0x", "0xg", "0x+1", "0b2", "0b-2",
            "0o8", "._5", ".5_", ".5__5", ".e1", "infinity", "nan", "+inf", "-NaN", "1.e", "1 2", "é",
        ] {
            assert_eq!(resolve_plain(text.into()), Scalar::String(text.into()), "{text}");
        }
    }

    #[test]
    fn resolves_tagged_scalars_by_their_tag() {
        for (tag, text, expected) in [
            ("int", "1", Ok("Int(1)")),
            ("int", "18446744073709551615", Ok("Uint(18446744073709551615)")),
            ("int", "1.5", Err("found a number after the tag `!!int`")),
            ("int", "x", Err("found a string after the tag `!!int`")),
            ("float", "1", Ok("Float(1.0)")),
            ("float", "1.5", Ok("Float(1.5)")),
            ("float", "~", Err("found null after the tag `!!float`")),
            ("bool", "yes", Ok("Bool(true)")),
            ("bool", "1", Err("found a whole number after the tag `!!bool`")),
            ("bool", "18446744073709551615", Err("found a whole number after the tag `!!bool`")),
            ("null", "~", Ok("Null")),
            ("null", "no", Err("found a boolean after the tag `!!null`")),
            ("timestamp", "2001-01-01", Ok("String(\"2001-01-01\")")),
            ("timestamp", "1", Err("found a whole number after the tag `!!timestamp`")),
            ("binary", "aGk=", Ok("String(\"hi\")")),
            ("binary", "*", Err("found invalid base64 after the tag `!!binary`")),
            ("str", "1", Ok("String(\"1\")")),
            ("x", "", Ok("String(\"\")")),
        ] {
            let actual = resolve_tagged(tag, text.into()).map(|scalar| format!("{scalar:?}"));
            assert_eq!(actual, expected.map(str::to_owned).map_err(str::to_owned), "{tag} {text}");
        }
    }
}
