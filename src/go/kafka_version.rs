//! Validation of Kafka version numbers.

/// Whether a string is a version (`sarama.ParseKafkaVersion`): three numbers, or four numbers of which the first is
/// `0`.
pub fn is_valid(text: &str) -> bool {
    // `fmt.Sscanf` parses the numbers, and `uint` has 64 bits.
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()) && text.parse::<u64>().is_ok();
    let numbers = match text.strip_prefix('0') {
        Some(rest) => rest.strip_prefix('.').unwrap_or_default(),
        None => text,
    };
    text.len() >= 5 && numbers.split('.').count() == 3 && numbers.split('.').all(is_number)
}

#[cfg(test)]
mod tests {
    use super::is_valid;

    #[test]
    fn versions_have_three_numbers_or_four_if_the_first_is_0() {
        for version in
            ["2.0.0", "2.2.1", "1.10.2", "10.20.30", "0.11.0.2", "0.8.2.1", "2.00.007", "18446744073709551615.0.0"]
        {
            assert!(is_valid(version), "{version}");
        }
        let invalid_versions = "x|2|2.6|2.0|0.11.0|2.0.0.0||2.0.|00.1.2.3|2.0.0-a|+1.0.0|v2.2.1|2..11|0.1.+2.3|18446744073709551616.0.0|2.0.0 ";
        for version in invalid_versions.split('|') {
            assert!(!is_valid(version), "{version}");
        }
    }
}
