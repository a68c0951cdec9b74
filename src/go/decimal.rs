//! Unsigned decimal numbers of any length, as many operations as quantities need.
//!
//! An exponent is kept beside the digits, so that `1e2147483647` costs no more than `1`.

use std::cmp::Ordering;

/// `digits × 10^exponent`; neither leading nor trailing zeros, no digits for zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    digits: Vec<u8>,
    exponent: i64,
}

impl Decimal {
    /// The number with these ASCII digits before and after the point.
    pub(super) fn new(whole: &str, fraction: &str) -> Self {
        let digits = whole
            .bytes()
            .chain(fraction.bytes())
            .map(|b| b.saturating_sub(b'0'))
            .collect();
        Self::trimmed(digits, -(fraction.len() as i64))
    }

    fn trimmed(mut digits: Vec<u8>, mut exponent: i64) -> Self {
        while digits.last() == Some(&0) {
            digits.pop();
            exponent += 1;
        }
        let zeros = digits.iter().take_while(|d| **d == 0).count();
        digits.drain(..zeros);
        if digits.is_empty() {
            exponent = 0;
        }
        Self { digits, exponent }
    }

    /// Whether it is 0.
    pub(super) fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// This number times `10^exponent`.
    pub(super) fn shifted(mut self, exponent: i64) -> Self {
        if !self.is_zero() {
            self.exponent += exponent;
        }
        self
    }

    /// This number times `factor`.
    pub(super) fn times(self, factor: u64) -> Self {
        let mut digits = self.digits;
        let mut carry = 0_u128;
        for digit in digits.iter_mut().rev() {
            carry += u128::from(*digit) * u128::from(factor);
            *digit = low_digit(carry);
            carry /= 10;
        }
        let mut high = Vec::new();
        while carry > 0 {
            high.push(low_digit(carry));
            carry /= 10;
        }
        high.reverse();
        high.append(&mut digits);
        Self::trimmed(high, self.exponent)
    }

    /// The smallest multiple of `10^exponent` that is not smaller.
    pub(super) fn rounded_up(self, exponent: i64) -> Self {
        if self.is_zero() || self.exponent >= exponent {
            return self;
        }
        let dropped = usize::try_from(exponent - self.exponent).unwrap_or(usize::MAX);
        let mut digits = self.digits;
        digits.truncate(digits.len().saturating_sub(dropped));
        // Without trailing zeros something other than 0 was dropped.
        for digit in digits.iter_mut().rev() {
            if *digit < 9 {
                *digit += 1;
                return Self::trimmed(digits, exponent);
            }
            *digit = 0;
        }
        digits.insert(0, 1);
        Self::trimmed(digits, exponent)
    }

    /// The number as an integer, if it is one that fits.
    pub(super) fn to_integer(&self) -> Option<u128> {
        let scale = 10_u128.checked_pow(u32::try_from(self.exponent).ok()?)?;
        let number = self
            .digits
            .iter()
            .try_fold(0_u128, |n, digit| n.checked_mul(10)?.checked_add(u128::from(*digit)))?;
        number.checked_mul(scale)
    }

    /// The digits and an exponent that is a multiple of three.
    pub(super) fn in_steps_of_three(&self) -> (String, i64) {
        let zeros = self.exponent.rem_euclid(3);
        let mut text: String = self.digits.iter().map(|digit| char::from(b'0' + digit)).collect();
        for _ in 0..zeros {
            text.push('0');
        }
        (text, self.exponent - zeros)
    }

    /// The exponent of the first digit, with one added.
    fn magnitude(&self) -> i64 {
        self.digits.len() as i64 + self.exponent
    }
}

fn low_digit(number: u128) -> u8 {
    u8::try_from(number % 10).unwrap_or_default()
}

impl From<i64> for Decimal {
    fn from(number: i64) -> Self {
        Self::new(&number.unsigned_abs().to_string(), "")
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.is_zero(), other.is_zero()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            // Digits of equal magnitude compare like text: neither has trailing zeros.
            (false, false) => self
                .magnitude()
                .cmp(&other.magnitude())
                .then_with(|| self.digits.cmp(&other.digits)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(number: &Decimal) -> String {
        let (digits, exponent) = number.in_steps_of_three();
        format!("{digits}e{exponent}")
    }

    #[test]
    fn rounds_up_whatever_is_dropped() {
        for (whole, fraction, exponent, expected) in [
            ("0", "0000000001", -9, "1e-9"),
            ("0", "9999999999", -9, "1e0"),
            ("1", "5", 0, "2e0"),
            ("1", "50", -1, "1500e-3"),
            ("0", "0", -9, "e0"),
            ("123", "", 3, "1e3"),
        ] {
            assert_eq!(
                text(&Decimal::new(whole, fraction).rounded_up(exponent)),
                expected,
                "{whole}.{fraction}"
            );
        }
    }

    #[test]
    fn multiplies() {
        assert_eq!(Decimal::new("1", "5").times(1 << 30).to_integer(), Some(1_610_612_736));
        assert_eq!(text(&Decimal::new("0", "25").times(4)), "1e0");
    }

    #[test]
    fn compares_by_value() {
        let order = ["0", "0.09", "0.1", "0.11", "1", "9", "10", "10.5", "1024"];
        let numbers: Vec<_> = order
            .iter()
            .map(|n| {
                n.split_once('.')
                    .map_or_else(|| Decimal::new(n, ""), |(w, f)| Decimal::new(w, f))
            })
            .collect();
        assert!(numbers.is_sorted());
    }
}
