//! Parsing and canonicalization of quantities (`500m`, `1Gi`).
//!
//! The rules are those in apimachinery's `pkg/api/resource`: `ParseQuantity` and `Quantity.CanonicalizeBytes`. Go has
//! two representations, an `int64` and a big decimal, which agree with one exception: a string that fits in the `int64`
//! and looks canonical is kept as is (`29.628`, `+1024`).

use std::cmp::Ordering;

/// Number of decimal digits that always fit in an `int64` (`maxInt64Factors`).
const MAX_INT64_DIGITS: usize = 18;

/// Maximum binary quantity. Larger quantities are capped.
const MAX_BINARY_VALUE: &str = "9223372036854775807";

/// Notation of a quantity, which is preserved in its canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum QuantityNotation {
    DecimalExponent,
    BinarySi,
    DecimalSi,
}

/// Reason why a string is not a quantity, in Go's words.
pub type QuantityError = &'static str;

/// Error for a string that contains characters other than digits and suffix characters.
const INVALID_FORMAT: QuantityError =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const NO_DIGITS: QuantityError = "unable to parse numeric part of quantity";
const UNKNOWN_SUFFIX: QuantityError = "unable to parse quantity's suffix";

/// Returns the canonical form of a quantity, as returned by the API server.
///
/// # Errors
///
/// Fails if the string is not a quantity.
pub fn canonicalize(text: &str) -> Result<String, QuantityError> {
    Quantity::read(text).map(|quantity| quantity.canonical)
}

/// Returns the canonical form of a resource amount, as returned by the API server: fractions are rounded up to
/// thousandths (`SetDefaults_ResourceList`).
///
/// # Errors
///
/// Fails if the string is not a quantity.
pub fn canonicalize_amount(text: &str) -> Result<String, QuantityError> {
    let exact = Quantity::read(text)?;
    let rounded = exact.amount.clone().round_up(-3);
    Ok(if rounded == exact.amount {
        exact.canonical
    } else {
        format_canonical(exact.is_negative, &rounded, exact.format)
    })
}

/// Compares two quantities by value.
///
/// # Errors
///
/// Fails if either string is not a quantity.
pub fn compare(a: &str, b: &str) -> Result<Ordering, QuantityError> {
    let (a, b) = (Quantity::read(a)?, Quantity::read(b)?);
    let is_negative = |quantity: &Quantity| quantity.is_negative && !quantity.amount.is_zero();
    Ok(match (is_negative(&a), is_negative(&b)) {
        (false, false) => a.amount.cmp(&b.amount),
        (true, true) => b.amount.cmp(&a.amount),
        (a, b) => b.cmp(&a),
    })
}

/// Returns the absolute amount, rounded up to an integer, or `None` if it is out of range.
///
/// # Errors
///
/// Fails if the string is not a quantity.
pub fn round_up(text: &str) -> Result<Option<u128>, QuantityError> {
    Ok(Quantity::read(text)?.amount.round_up(0).to_integer())
}

struct Quantity {
    canonical: String,
    is_negative: bool,
    amount: Decimal,
    format: QuantityNotation,
}

impl Quantity {
    /// Parses a quantity (`parseQuantityString`), rounds it up to nanos and caps binary quantities. A binary quantity
    /// below 1 becomes decimal.
    fn read(text: &str) -> Result<Self, QuantityError> {
        if text.is_empty() {
            return Err(INVALID_FORMAT);
        }
        let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
        let digits = unsigned.trim_start_matches('0');
        let (whole, rest) = split_digits(digits);
        let (fraction, suffix) = match rest.strip_prefix('.') {
            Some(rest) => split_digits(rest),
            None => ("", rest),
        };
        check_suffix(suffix)?;
        let (exponent, format) = interpret_suffix(suffix).ok_or(UNKNOWN_SUFFIX)?;
        // A quantity without digits is zero if it fits in 64 bits, and rejected otherwise.
        let has_digits = digits.len() < unsigned.len() || !whole.is_empty() || !fraction.is_empty();
        let whole = if whole.is_empty() { "0" } else { whole };
        let digits = format!("{whole}{fraction}");
        let scale = exponent - fraction.len() as i64;
        let is_int64 = match format {
            QuantityNotation::BinarySi => fraction.is_empty() && 15 - whole.len() as i64 - exponent * 3 / 10 > 0,
            QuantityNotation::DecimalExponent | QuantityNotation::DecimalSi => {
                digits.len() <= MAX_INT64_DIGITS && scale >= -9
            }
        };
        if !is_int64 && !has_digits {
            return Err(NO_DIGITS);
        }
        // A quantity that fits in an `int64` is written unchanged if it looks canonical.
        let is_kept = match format {
            QuantityNotation::BinarySi => digits.parse::<i64>().is_ok_and(|value| value & 7 != 0),
            QuantityNotation::DecimalExponent | QuantityNotation::DecimalSi => {
                scale % 3 == 0 && !digits.ends_with("000") && !digits.starts_with('0')
            }
        };
        let amount = match format {
            QuantityNotation::BinarySi => Decimal::new(digits, -(fraction.len() as i64)).times(1 << exponent),
            QuantityNotation::DecimalExponent | QuantityNotation::DecimalSi => Decimal::new(digits, scale),
        };
        let amount = amount.round_up(-9);
        let amount = match format {
            QuantityNotation::BinarySi => amount.min(Decimal::new(MAX_BINARY_VALUE, 0)),
            QuantityNotation::DecimalExponent | QuantityNotation::DecimalSi => amount,
        };
        let negative = text.starts_with('-');
        Ok(Self {
            canonical: match is_int64 && is_kept {
                true => text.to_owned(),
                false => format_canonical(negative, &amount, format),
            },
            is_negative: negative,
            amount,
            format,
        })
    }
}

fn split_digits(text: &str) -> (&str, &str) {
    text.split_at(text.bytes().take_while(u8::is_ascii_digit).count())
}

/// Checks that a suffix consists of letters, a sign and digits, in that order.
fn check_suffix(suffix: &str) -> Result<(), QuantityError> {
    let rest = suffix.trim_start_matches(|c| "eEinumkKMGTP".contains(c));
    let rest = rest.strip_prefix(['-', '+']).unwrap_or(rest);
    let is_suffix = rest.bytes().all(|b| b.is_ascii_digit());
    is_suffix.then_some(()).ok_or(INVALID_FORMAT)
}

/// Suffixes for 10^-9, 10^-6, and so on.
const DECIMAL_SUFFIXES: [&str; 10] = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"];
/// Suffixes for 2^10, 2^20, and so on.
const BINARY_SUFFIXES: [&str; 6] = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

/// Returns the exponent of a suffix and the format (`suffixHandler.interpret`). The base is 2 for a binary suffix, and
/// 10 otherwise.
fn interpret_suffix(suffix: &str) -> Option<(i64, QuantityNotation)> {
    let place = |table: &[&str]| table.iter().position(|candidate| *candidate == suffix).map(|place| place as i64);
    if let Some(place) = place(&DECIMAL_SUFFIXES) {
        return Some((place * 3 - 9, QuantityNotation::DecimalSi));
    }
    if let Some(place) = place(&BINARY_SUFFIXES) {
        return Some((place * 10 + 10, QuantityNotation::BinarySi));
    }
    let exponent: i64 = suffix.strip_prefix(['e', 'E'])?.parse().ok()?;
    // Go truncates the exponent to an int32.
    #[allow(clippy::cast_possible_truncation)]
    Some((i64::from(exponent as i32), QuantityNotation::DecimalExponent))
}

/// Formats a quantity canonically (`Quantity.CanonicalizeBytes`).
fn format_canonical(negative: bool, amount: &Decimal, format: QuantityNotation) -> String {
    if amount.is_zero() {
        return "0".to_owned();
    }
    let sign = if negative { "-" } else { "" };
    if format == QuantityNotation::BinarySi
        && let Some(mut whole) = amount.to_integer().filter(|whole| *whole >= 1024)
    {
        let mut suffixes = BINARY_SUFFIXES.iter();
        let mut suffix = "";
        while whole % 1024 == 0 {
            whole /= 1024;
            suffix = suffixes.next().copied().unwrap_or_default();
        }
        return format!("{sign}{whole}{suffix}");
    }
    let zeros = amount.exponent().rem_euclid(3);
    let exponent = amount.exponent() - zeros;
    let digits = String::from_utf8_lossy(&amount.digits);
    let zeros = "00".get(..zeros as usize).unwrap_or_default();
    let suffix = match format {
        QuantityNotation::DecimalExponent if exponent == 0 => String::new(),
        QuantityNotation::DecimalExponent => format!("e{exponent}"),
        // Go writes no suffix if the exponent is greater than the exponent of the largest suffix.
        QuantityNotation::BinarySi | QuantityNotation::DecimalSi => {
            let place = usize::try_from(exponent / 3 + 3).unwrap_or(usize::MAX);
            DECIMAL_SUFFIXES.get(place).copied().unwrap_or_default().to_owned()
        }
    };
    format!("{sign}{digits}{zeros}{suffix}")
}

/// An unsigned decimal number of any length, with the operations that quantities need. Its digits have no leading or
/// trailing zeros, and zero has no digits. The exponent is stored separately, so that `1e2147483647` costs no more than
/// `1`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Decimal {
    /// Exponent of the first digit plus one, or `i64::MIN` for zero.
    magnitude: i64,
    /// ASCII digits. Numbers of equal magnitude are ordered like their digits.
    digits: Vec<u8>,
}

impl Decimal {
    /// Creates the number given by these ASCII digits times `10^exponent`.
    fn new(digits: impl Into<Vec<u8>>, mut exponent: i64) -> Self {
        let mut digits = digits.into();
        while digits.pop_if(|digit| *digit == b'0').is_some() {
            exponent += 1;
        }
        let zeros = digits.iter().take_while(|d| **d == b'0').count();
        digits.drain(..zeros);
        let magnitude = match digits.len() as i64 {
            0 => i64::MIN,
            length => exponent + length,
        };
        Self { magnitude, digits }
    }

    /// Returns the exponent of the last digit.
    fn exponent(&self) -> i64 {
        match self.digits.len() as i64 {
            0 => 0,
            length => self.magnitude - length,
        }
    }

    fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// Returns the product of this number and `factor`.
    fn times(mut self, factor: u64) -> Self {
        let exponent = self.exponent();
        let mut carry = 0_u128;
        for digit in self.digits.iter_mut().rev() {
            carry += u128::from(*digit - b'0') * u128::from(factor);
            *digit = b'0' + u8::try_from(carry % 10).unwrap_or_default();
            carry /= 10;
        }
        let mut digits = carry.to_string().into_bytes();
        digits.append(&mut self.digits);
        Self::new(digits, exponent)
    }

    /// Returns the smallest multiple of `10^exponent` that is at least this number.
    fn round_up(self, mut exponent: i64) -> Self {
        if self.is_zero() || self.exponent() >= exponent {
            return self;
        }
        let dropped_digits = usize::try_from(exponent - self.exponent()).unwrap_or(usize::MAX);
        let mut digits = self.digits;
        digits.truncate(digits.len().saturating_sub(dropped_digits));
        // The digits have no trailing zeros, so at least one dropped digit is not 0.
        while digits.pop_if(|digit| *digit == b'9').is_some() {
            exponent += 1;
        }
        match digits.last_mut() {
            Some(last) => *last += 1,
            None => digits.push(b'1'),
        }
        Self::new(digits, exponent)
    }

    /// Returns the number as an integer, or `None` if it is out of range.
    fn to_integer(&self) -> Option<u128> {
        let scale = 10_u128.checked_pow(u32::try_from(self.exponent()).ok()?)?;
        let digits = str::from_utf8(&self.digits).ok()?;
        digits.parse::<u128>().ok()?.checked_mul(scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonicalizes_quantities_like_go() {
        let cases: serde_json::Value = serde_json::from_str(include_str!("../../testdata/gostyle/cases.json")).unwrap();
        let cases = cases["quantities"].as_array().unwrap();
        assert_eq!(cases.len(), 400);
        for case in cases {
            let text = case["text"].as_str().unwrap();
            match canonicalize(text) {
                Ok(canonical) => assert_eq!(case["canonical"].as_str(), Some(canonical.as_str()), "{text}"),
                Err(error) => assert_eq!(case["error"].as_str(), Some(error), "{text}"),
            }
        }
    }

    #[test]
    fn compares_quantities_with_different_suffixes() {
        use Ordering::{Equal, Greater, Less};
        for (a, b, expected) in [
            ("1", "1000m", Equal),
            ("1Gi", "1G", Greater),
            ("0.5", "600m", Less),
            ("-1", "0", Less),
            ("-1", "-2", Greater),
            ("-0", "0", Equal),
            ("1e3", "1k", Equal),
        ] {
            assert_eq!(compare(a, b), Ok(expected), "{a} {b}");
        }
        assert!(compare("1x", "1").is_err());
    }

    #[test]
    fn rounds_up_resource_amounts() {
        for (text, expected) in [
            ("100u", "1m"),
            ("0.0015", "2m"),
            ("-100u", "-1m"),
            ("1.5", "1500m"),
            ("29.628", "29.628"),
            ("1Gi", "1Gi"),
            ("1.1Ki", "1126400m"),
        ] {
            assert_eq!(canonicalize_amount(text), Ok(expected.to_owned()), "{text}");
        }
        assert!(canonicalize_amount("1x").is_err());
    }

    #[test]
    fn canonicalizes_unusual_quantities() {
        let long_quantity = format!("{}.5", "9".repeat(300));
        let cases = [
            ("+", Ok("0")),
            (".", Ok("0")),
            (".Ki", Ok("0")),
            (".Ei", Err(NO_DIGITS)),
            (".e-20", Err(NO_DIGITS)),
            ("0.e-20", Ok("0")),
            ("", Err(INVALID_FORMAT)),
            ("1e", Err(UNKNOWN_SUFFIX)),
            ("1e99999999999999999999", Err(UNKNOWN_SUFFIX)),
            ("1e-2147483648", Ok("1e-9")),
            ("1234567890123456789e2147483646", Ok("1234567890123456789e2147483646")),
            ("é", Err(INVALID_FORMAT)),
            ("1é", Err(INVALID_FORMAT)),
            ("Ei", Err(NO_DIGITS)),
            (".5e-20", Ok("1e-9")),
            ("5e-20", Ok("1e-9")),
            // An `int64` keeps its sign. A number with too many digits for an `int64` does not.
            ("+12345678901Ki", Ok("+12345678901Ki")),
            ("+123456789013Ki", Ok("123456789013Ki")),
            ("+11Ti", Ok("+11Ti")),
            ("+101Ti", Ok("101Ti")),
            ("+8Ki", Ok("8Ki")),
            ("+9.0Ki", Ok("9Ki")),
            ("+123456789012345678", Ok("+123456789012345678")),
            ("+1234567890123456789", Ok("1234567890123456789")),
            ("+1n", Ok("+1n")),
            ("+1.001u", Ok("+1.001u")),
            ("+1.001n", Ok("2n")),
            ("+1.5", Ok("1500m")),
            ("+0.500", Ok("500m")),
            ("+1000", Ok("1k")),
            ("+100e3", Ok("+100e3")),
        ];
        for (text, expected) in cases {
            assert_eq!(canonicalize(text), expected.map(str::to_owned), "{text}");
        }
        assert_eq!(canonicalize(&long_quantity), Ok(format!("{}500m", "9".repeat(300))));
        assert_eq!(canonicalize(&format!("{long_quantity}Mi")), Ok("9223372036854775807".to_owned()));
    }

    fn decimal_text(number: &Decimal) -> String {
        let zeros = number.exponent().rem_euclid(3);
        let digits = String::from_utf8(number.digits.clone()).unwrap();
        format!("{digits}{}e{}", "0".repeat(zeros as usize), number.exponent() - zeros)
    }

    fn number(whole: &str, fraction: &str) -> Decimal {
        Decimal::new(format!("{whole}{fraction}"), -(fraction.len() as i64))
    }

    #[test]
    fn rounds_up_any_dropped_digit() {
        for (whole, fraction, exponent, expected) in [
            ("0", "0000000001", -9, "1e-9"),
            ("0", "9999999999", -9, "1e0"),
            ("1", "5", 0, "2e0"),
            ("1", "50", -1, "1500e-3"),
            ("0", "0", -9, "e0"),
            ("123", "", 3, "1e3"),
        ] {
            assert_eq!(decimal_text(&number(whole, fraction).round_up(exponent)), expected, "{whole}.{fraction}");
        }
    }

    #[test]
    fn multiplies_quantities() {
        assert_eq!(number("1", "5").times(1 << 30).to_integer(), Some(1_610_612_736));
        assert_eq!(decimal_text(&number("0", "25").times(4)), "1e0");
    }

    #[test]
    fn compares_quantities_by_value() {
        let ascending_quantities = ["0", "0.09", "0.1", "0.11", "1", "9", "10", "10.5", "1024"];
        let numbers: Vec<_> = ascending_quantities
            .iter()
            .map(|n| n.split_once('.').map_or_else(|| number(n, ""), |(w, f)| number(w, f)))
            .collect();
        assert!(numbers.is_sorted());
    }
}
