//! Text output of `agentctl shards`.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::num::NonZeroU32;

use super::{Balance, ShardMoves, Sharding};
use crate::printable::{Screen, Text};

/// Maximum number of rows in a plot.
const MAX_ROWS: usize = 64;
/// Maximum number of columns in the table of moved targets.
const MAX_COLUMNS: u32 = 12;

/// Formats the balance as a plot, followed by the balance for other numbers of shards and the moved targets.
pub fn text(sharding: Sharding<'_>, series: Option<u64>, screen: Screen) -> Text {
    let Sharding { targets, shards, to } = sharding;
    let mut text = Text::for_screen(screen);
    push_balance(&mut text, targets.len(), &Balance::new(targets, shards, series));
    text.blank_line();
    match to {
        Some(to) => {
            push_balance(&mut text, targets.len(), &Balance::new(targets, to, series));
            text.blank_line();
            push_moves(&mut text, sharding, to);
        }
        None => push_other_balances(&mut text, sharding, series),
    }
    text
}

fn push_balance(text: &mut Text, targets: usize, balance: &Balance) {
    let count = balance.weights.len();
    let unit = match (balance.by_series, balance.largest_load()) {
        (true, _) => "series",
        (false, 1) => "target",
        (false, _) => "targets",
    };
    let heading = if balance.by_series { "series" } else { "targets" };
    let (targets, shards) = (format_count(targets as u64, "target"), format_count(count as u64, "shard"));
    text.item(format!("{targets} on {shards}"));
    text.blank_line();
    text.line(format!("{:>6}  {heading:>12}  {:>7}", "shard", "share"));
    let (total, largest_load) = (balance.total(), balance.largest_load());
    for (shard, &weight) in balance.weights.iter().enumerate().take(MAX_ROWS) {
        let (share, bar, weight) =
            (percent(weight, total), bar(weight, largest_load), with_thousands_separators(weight));
        text.line(format!("{shard:>6}  {weight:>12}  {share:>7}  {bar}").trim_end());
    }
    if count > MAX_ROWS {
        text.line(format!("{:>6}  and {} more", "…", count - MAX_ROWS));
    }
    text.blank_line();
    let (largest_load, excess) = (with_thousands_separators(largest_load), excess(balance));
    text.item(format!("fullest shard: {largest_load} {unit}, {excess} above an even share"));
}

fn push_moves(text: &mut Text, sharding: Sharding<'_>, to: NonZeroU32) {
    let (from, whole) = (sharding.shards, sharding.targets.len() as u64);
    let moves = ShardMoves::new(sharding.targets, from, to);
    let moved_count = moves.count_moved();
    text.item(format!(
        "from {from} to {}: {} of {} move ({})",
        format_count(to.get().into(), "shard"),
        with_thousands_separators(moved_count),
        format_count(whole, "target"),
        percent(moved_count, whole)
    ));
    if from.get().max(to.get()) > MAX_COLUMNS {
        return;
    }
    text.blank_line();
    let mut row = format!("{:>10}", "from \\ to");
    (0..to.get()).for_each(|shard| {
        let _ = write!(row, "{shard:>9}");
    });
    text.line(row);
    for old_shard in 0..from.get() {
        let mut row = format!("{old_shard:>10}");
        for new_shard in 0..to.get() {
            let _ = write!(row, "{:>9}", with_thousands_separators(moves.count(old_shard, new_shard)));
        }
        text.line(row);
    }
}

/// Appends the balance for one shard fewer, one shard more, half as many shards, and twice as many.
fn push_other_balances(text: &mut Text, sharding: Sharding<'_>, series: Option<u64>) {
    let Sharding { targets, shards, .. } = sharding;
    let now = shards.get();
    let other_counts = BTreeSet::from([now / 2, now - 1, now.saturating_add(1), now.saturating_mul(2)]);
    text.line(format!("{:>10}  {:>12}  {:>11}  {:>14}", "with", "fullest", "above even", "targets moved"));
    let other_counts = other_counts.into_iter().filter_map(NonZeroU32::new);
    for other_count in other_counts.filter(|other| *other != shards) {
        let balance = Balance::new(targets, other_count, series);
        let moved_count = ShardMoves::new(targets, shards, other_count).count_moved();
        text.line(format!(
            "{:>10}  {:>12}  {:>11}  {:>14}",
            format_count(other_count.get().into(), "shard"),
            with_thousands_separators(balance.largest_load()),
            excess(&balance),
            format!("{} ({})", with_thousands_separators(moved_count), percent(moved_count, targets.len() as u64))
        ));
    }
}

fn excess(balance: &Balance) -> String {
    format!("{:.1}%", balance.excess() * 100.0)
}

pub(super) fn format_count(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", with_thousands_separators(number))
}

/// Formats a number with commas as thousands separators.
pub(super) fn with_thousands_separators(number: u64) -> String {
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

/// Formats `part` as a percentage of `whole`, or as 0 if `whole` is 0.
pub(super) fn percent(part: u64, whole: u64) -> String {
    let share = if whole == 0 { 0.0 } else { part as f64 / whole as f64 };
    format!("{:.1}%", share * 100.0)
}

const WIDTH: u64 = 40;
const EIGHTHS: [char; 7] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/// Draws a bar for `value`, with a resolution of one eighth of a character. The bar for `longest` has the maximum
/// length.
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
    use crate::insight::shards::{ScrapeTarget, ShardedAgent};

    #[test]
    fn separates_thousands() {
        for (number, expected) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(with_thousands_separators(number), expected);
        }
    }

    #[test]
    fn percentage_of_zero_is_zero() {
        assert_eq!(percent(0, 0), "0.0%");
        assert_eq!(percent(1, 3), "33.3%");
    }

    #[test]
    fn bars_are_proportional() {
        assert_eq!(bar(0, 10), "");
        assert_eq!(bar(10, 10), "█".repeat(40));
        assert_eq!(bar(1, 2), "█".repeat(20));
        assert_eq!(bar(1, 64), "▋");
        assert_eq!(bar(0, 0), "");
    }

    #[test]
    fn wraps_sentences_but_not_rows() {
        let screen = Screen { color: false, width: Some(30) };
        let agent = ShardedAgent {
            name: "monitoring/agent".to_owned(),
            shards: NonZeroU32::MIN,
            secrets: vec![("agent-config".to_owned(), 1 << 10)],
        };
        let expected =
            "GrafanaAgent monitoring/agent:\n  1 shard\n  Secret agent-config: 1,024\n    bytes, 0.1% of the\n";
        assert!(agent.text(screen).as_str().starts_with(expected), "{}", agent.text(screen).as_str());
        let targets = [ScrapeTarget { address: "a:1".to_owned(), series: None }];
        let sharding = Sharding { targets: &targets, shards: NonZeroU32::MIN, to: None };
        let actual = text(sharding, None, screen).into_string();
        assert!(actual.contains("\nfullest shard: 1 target, 0.0%\n  above an even share\n"), "{actual}");
        let row = format!("     0             1   100.0%  {}\n", bar(1, 1));
        assert!(actual.contains(&row), "{actual}");
    }

    fn render_text(targets: usize, shards: u32, to: Option<u32>) -> String {
        let targets =
            (0..targets).map(|number| ScrapeTarget { address: format!("10.0.0.{number}:9090"), series: None });
        let targets: Vec<_> = targets.collect();
        let sharding =
            Sharding { targets: &targets, shards: NonZeroU32::new(shards).unwrap(), to: to.and_then(NonZeroU32::new) };
        text(sharding, None, Screen::default()).into_string()
    }

    #[test]
    fn shows_moves_as_a_table_unless_too_wide() {
        for (from, to, expected) in [
            (1, 2, true),
            (2, 12, true),
            (12, 2, true),
            (12, 12, true),
            (2, 13, false),
            (13, 2, false),
            (13, 13, false),
        ] {
            let text = render_text(20, from, Some(to));
            let (_, table) = text.split_once(&format!("\nfrom {from} to {to} shards: ")).unwrap();
            let mut lines = table.lines().skip(2);
            assert_eq!(
                lines.next().is_some_and(|head| head.starts_with(" from \\ to        0        1")),
                expected,
                "{text}"
            );
            let rows: Vec<Vec<u64>> =
                lines.map(|row| row.split_whitespace().map(|n| n.parse().unwrap()).collect()).collect();
            assert_eq!(rows.len(), if expected { from as usize } else { 0 }, "{text}");
            assert!(rows.iter().enumerate().all(|(i, row)| row[0] == i as u64 && row.len() == to as usize + 1));
            let moved_count: u64 = rows
                .iter()
                .flat_map(|row| row[1..].iter().enumerate().filter(|(new, _)| *new as u64 != row[0]))
                .map(|(_, count)| count)
                .sum();
            let total: u64 = rows.iter().flat_map(|row| &row[1..]).sum();
            assert!(
                !expected || (total == 20 && table.starts_with(&format!("{moved_count} of 20 targets move"))),
                "{text}"
            );
        }
        assert!(render_text(20, 3, Some(3)).contains("\nfrom 3 to 3 shards: 0 of 20 targets move (0.0%)\n"));
        assert!(render_text(20, 3, Some(1)).contains("\nfrom 3 to 1 shard: "));
    }

    #[test]
    fn shows_some_rows_and_counts_the_rest() {
        for (shards, more) in [(64, None), (65, Some("     …  and 1 more")), (70, Some("     …  and 6 more"))] {
            let text = render_text(3, shards, None);
            assert_eq!(text.lines().find(|line| line.contains(" more")), more, "{text}");
            assert_eq!(
                text.lines().filter(|line| line.contains('%') && !line.contains('(') && !line.contains("even")).count(),
                64
            );
        }
    }

    #[test]
    fn compares_halved_neighboring_and_doubled_shard_counts() {
        for (shards, expected) in [
            (1, &["2 shards"][..]),
            (2, &["1 shard", "3 shards", "4 shards"]),
            (5, &["2 shards", "4 shards", "6 shards", "10 shards"]),
        ] {
            let text = render_text(9, shards, None);
            let (_, table) = text.split_once("targets moved\n").unwrap();
            let actual: Vec<_> = table.lines().map(|line| line[..10].trim()).collect();
            assert_eq!(actual, expected, "{text}");
        }
    }
}
