//! Byte sizes in human-readable form.

use std::fmt;
use std::str::FromStr;

/// A number of bytes, such as `512MiB`, `1GiB` or `1000 bytes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ByteSize(pub u64);

const UNITS: [(&str, u32); 3] = [("GiB", 30), ("MiB", 20), ("KiB", 10)];

impl fmt::Display for ByteSize {
    /// Writes the size in the largest unit in which it is an integer.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_whole = |&&(_, shift): &&(&str, u32)| self.0 > 0 && self.0.is_multiple_of(1 << shift);
        match UNITS.iter().find(is_whole) {
            Some((unit, shift)) => write!(f, "{}{unit}", self.0 >> shift),
            None => write!(f, "{} bytes", self.0),
        }
    }
}

impl FromStr for ByteSize {
    type Err = String;

    /// Parses an integer with one of the units `KiB`, `MiB` and `GiB`, their short forms (`Ki`, …), or no unit.
    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (number, unit) = text.split_at(digits);
        let unit = unit.trim();
        let is_unit = |&&(name, _): &&(&str, u32)| unit == name || Some(unit) == name.strip_suffix('B');
        let shift = match UNITS.iter().find(is_unit) {
            Some(&(_, shift)) => Some(shift),
            None => matches!(unit, "" | "B" | "bytes").then_some(0),
        };
        let number = number.parse::<u64>().ok();
        number
            .zip(shift)
            .and_then(|(number, shift)| number.checked_mul(1 << shift))
            .map(Self)
            .ok_or_else(|| "expected a number of bytes such as 1000, 64MiB or 2GiB".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_and_formats_sizes() {
        for (text, bytes, written) in [
            ("0", 0, "0 bytes"),
            ("1000", 1000, "1000 bytes"),
            ("1000 bytes", 1000, "1000 bytes"),
            ("1024", 1024, "1KiB"),
            ("64Mi", 64 << 20, "64MiB"),
            ("64 MiB", 64 << 20, "64MiB"),
            ("2048MiB", 2 << 30, "2GiB"),
            ("1GiB", 1 << 30, "1GiB"),
        ] {
            assert_eq!(text.parse(), Ok(ByteSize(bytes)), "{text}");
            assert_eq!(ByteSize(bytes).to_string(), written);
        }
        for text in ["", "MiB", "-1", "1MB", "1.5GiB", "99999999999GiB"] {
            assert!(text.parse::<ByteSize>().is_err(), "{text}");
        }
    }
}
