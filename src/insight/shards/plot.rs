//! Bars in a terminal.

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
    fn bars_are_in_proportion() {
        assert_eq!(bar(0, 10), "");
        assert_eq!(bar(10, 10), "█".repeat(40));
        assert_eq!(bar(1, 2), "█".repeat(20));
        assert_eq!(bar(1, 64), "▋");
        assert_eq!(bar(0, 0), "");
    }
}
