//! Sizes in bytes, such as `8KB`.

use std::sync::LazyLock;

use regex::Regex;

use super::text::pattern;

/// Whether Loki accepts a string as a size (`flagext.ByteSize`): digits, followed by a case-insensitive unit.
pub fn is_byte_size(text: &str) -> bool {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let Some((digits, unit)) = text.split_at_checked(end) else {
        return false;
    };
    if digits.is_empty() {
        return text.is_empty();
    }
    let Ok(number) = digits.parse::<u64>() else {
        return false;
    };
    shift(&unit.trim().to_ascii_lowercase()).is_some_and(|shift| number <= u64::MAX >> shift)
}

/// Whether Prometheus accepts a string as a size (`units.ParseBase2Bytes`): numbers with the units `B`, `KiB`, `MiB`,
/// …, or `B`, `KB`, `MB`, ….
pub fn is_base2_bytes(text: &str) -> bool {
    static SUM: LazyLock<Regex> = LazyLock::new(|| {
        let number = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)";
        pattern(&format!("^(?:0|(?:{number}(?:B|[KMGTPE]iB))+|(?:{number}(?:B|[KMGTPE]B))+)$"))
    });
    SUM.is_match(text)
}

/// Returns the power of two that a unit represents.
fn shift(unit: &str) -> Option<u32> {
    Some(match unit {
        "" | "b" | "byte" => 0,
        "k" | "kb" | "kilo" | "kilobyte" | "kilobytes" => 10,
        "m" | "mb" | "mega" | "megabyte" | "megabytes" => 20,
        "g" | "gb" | "giga" | "gigabyte" | "gigabytes" => 30,
        "t" | "tb" | "tera" | "terabyte" | "terabytes" => 40,
        "p" | "pb" | "peta" | "petabyte" | "petabytes" => 50,
        "e" | "eb" => 60,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_byte_sizes() {
        let sizes = ["1byte", "1m", "3 gigabytes", "2tb", "2 petabytes", "15EB"];
        for size in ["8kb", "8KB", "8 Kb", "10", ""].into_iter().chain(sizes) {
            assert!(is_byte_size(size), "{size}");
        }
        for size in ["8KiB", "8.5KB", "kb", "-1", "16EB", "99999999999999999999", "8 x"] {
            assert!(!is_byte_size(size), "{size}");
        }
    }

    #[test]
    fn prometheus_units_are_case_sensitive() {
        for text in ["0", "10MB", "10MiB", "1.5GiB", "1MB512KB", "7B"] {
            assert!(is_base2_bytes(text), "{text}");
        }
        for text in ["", "5", "10x", "10mb", "10K", "1MB512KiB", "MB", "10 MB", "1MB5"] {
            assert!(!is_base2_bytes(text), "{text}");
        }
    }
}
