//! Numbers as people read them, and bars in a terminal.

/// With a comma between thousands.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A part of a whole in percent; 0 of nothing.
pub(super) fn percent(part: u64, whole: u64) -> String {
    let share = if whole == 0 { 0.0 } else { part as f64 / whole as f64 };
    format!("{:.1} %", share * 100.0)
}

const WIDTH: u64 = 40;
const EIGHTHS: [char; 7] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/// A bar as long as `value` is to `longest`, in eighths of a character.
pub(super) fn bar(value: u64, longest: u64) -> String {
    let eighths = u128::from(value) * u128::from(WIDTH * 8) / u128::from(longest.max(1));
    let eighths = usize::try_from(eighths).unwrap_or_default();
    let mut bar = "█".repeat(eighths / 8);
    bar.extend((eighths % 8).checked_sub(1).and_then(|i| EIGHTHS.get(i)));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_told_apart() {
        for (number, expected) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), expected);
        }
    }

    #[test]
    fn nothing_of_nothing_is_nothing() {
        assert_eq!(percent(0, 0), "0.0 %");
        assert_eq!(percent(1, 3), "33.3 %");
    }

    #[test]
    fn bars_are_in_proportion() {
        assert_eq!(bar(0, 10), "");
        assert_eq!(bar(10, 10), "█".repeat(40));
        assert_eq!(bar(1, 2), "█".repeat(20));
        assert_eq!(bar(1, 64), "▋");
        assert_eq!(bar(0, 0), "");
    }
}
