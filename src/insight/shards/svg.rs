//! Shards as a picture.

use std::fmt::Write;

use super::text::{grouped, percent};
use super::{Balance, Moves, Sharding};

const WIDTH: f64 = 760.0;
const ROW: f64 = 22.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 150.0;

/// A bar a shard, before and after a change, and what moves: one file that needs nothing else.
pub fn svg(sharding: Sharding<'_>, series: Option<u64>) -> String {
    let now = Balance::of(sharding.targets, sharding.shards, series);
    let then = sharding.to.map(|to| Balance::of(sharding.targets, to, series));
    let fullest = then.iter().map(Balance::fullest).fold(now.fullest(), u64::max);
    let mut body = String::new();
    let mut y = 24.0;
    let mut plot = |balance: &Balance| {
        title(&mut body, y, &heading(sharding.targets.len(), balance));
        y = bars(&mut body, y + 14.0, balance, fullest) + 30.0;
    };
    plot(&now);
    then.iter().for_each(plot);
    if let Some(to) = sharding.to {
        let moved = Moves::of(sharding.targets, sharding.shards, to).moved();
        let whole = sharding.targets.len() as u64;
        let text = format!("{} targets move ({})", grouped(moved), percent(moved, whole));
        title(&mut body, y, &text);
        y += 24.0;
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {y}\" width=\"{WIDTH}\" height=\"{y}\" role=\"img\">\n\
         <title>Targets by shard</title>\n<style>{STYLE}</style>\n{body}</svg>\n"
    )
}

const STYLE: &str = "text{font:13px system-ui,sans-serif;fill:#24292f}.title{font-weight:600}.bar{fill:#3b78c4}\
    .even{stroke:#c4573b;stroke-dasharray:4 3}.end{text-anchor:end}\
    @media(prefers-color-scheme:dark){text{fill:#e6edf3}.bar{fill:#6aa3e8}.even{stroke:#f0886a}}";

fn heading(targets: usize, balance: &Balance) -> String {
    let series = match balance.by_series {
        true => format!("{} series of ", grouped(balance.total())),
        false => String::new(),
    };
    format!(
        "{series}{} targets on {} shards, fullest {:.1} % above even",
        grouped(targets as u64),
        grouped(balance.weights.len() as u64),
        balance.excess() * 100.0
    )
}

fn title(out: &mut String, y: f64, text: &str) {
    let _ = writeln!(out, "<text class=\"title\" x=\"16\" y=\"{y}\">{text}</text>");
}

/// The bars, and a line at an even share; where they end.
fn bars(out: &mut String, top: f64, balance: &Balance, fullest: u64) -> f64 {
    let scale = (WIDTH - LEFT - RIGHT) / fullest.max(1) as f64;
    let total = balance.total();
    for (shard, &weight) in balance.weights.iter().enumerate() {
        let y = top + ROW * shard as f64;
        let length = weight as f64 * scale;
        let _ = writeln!(
            out,
            "<text class=\"end\" x=\"{}\" y=\"{}\">{shard}</text>\
             <rect class=\"bar\" x=\"{LEFT}\" y=\"{}\" width=\"{length:.1}\" height=\"{}\" rx=\"2\"/>\
             <text class=\"end\" x=\"{}\" y=\"{}\">{} ({})</text>",
            LEFT - 10.0,
            y + 15.0,
            y + 3.0,
            ROW - 6.0,
            WIDTH - 16.0,
            y + 15.0,
            grouped(weight),
            percent(weight, total)
        );
    }
    let bottom = top + ROW * balance.weights.len() as f64;
    let even = LEFT + total as f64 / balance.weights.len().max(1) as f64 * scale;
    let _ = writeln!(
        out,
        "<line class=\"even\" x1=\"{even:.1}\" y1=\"{top}\" x2=\"{even:.1}\" y2=\"{bottom}\"/>"
    );
    bottom
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;
    use crate::insight::shards::ScrapeTarget;

    #[test]
    fn a_picture_as_a_whole() {
        let target = |i| ScrapeTarget {
            address: format!("10.0.0.{i}:9100"),
            series: None,
        };
        let targets: Vec<_> = (0..8).map(target).collect();
        for (series, to, expected) in [
            (
                None,
                NonZeroU32::new(2),
                r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 202" width="760" height="202" role="img">
<text class="title" x="16" y="24">8 targets on 1 shards, fullest 0.0 % above even</text>
<text class="end" x="54" y="53">0</text><rect class="bar" x="64" y="41" width="546.0" height="16" rx="2"/><text class="end" x="744" y="53">8 (100.0 %)</text>
<line class="even" x1="610.0" y1="38" x2="610.0" y2="60"/>
<text class="title" x="16" y="90">8 targets on 2 shards, fullest 0.0 % above even</text>
<text class="end" x="54" y="119">0</text><rect class="bar" x="64" y="107" width="273.0" height="16" rx="2"/><text class="end" x="744" y="119">4 (50.0 %)</text>
<text class="end" x="54" y="141">1</text><rect class="bar" x="64" y="129" width="273.0" height="16" rx="2"/><text class="end" x="744" y="141">4 (50.0 %)</text>
<line class="even" x1="337.0" y1="104" x2="337.0" y2="148"/>
<text class="title" x="16" y="178">4 targets move (50.0 %)</text>
</svg>
"#,
            ),
            (
                Some(5),
                None,
                r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 90" width="760" height="90" role="img">
<text class="title" x="16" y="24">40 series of 8 targets on 1 shards, fullest 0.0 % above even</text>
<text class="end" x="54" y="53">0</text><rect class="bar" x="64" y="41" width="546.0" height="16" rx="2"/><text class="end" x="744" y="53">40 (100.0 %)</text>
<line class="even" x1="610.0" y1="38" x2="610.0" y2="60"/>
</svg>
"#,
            ),
        ] {
            let sharding = Sharding {
                targets: &targets,
                shards: NonZeroU32::MIN,
                to,
            };
            let picture = svg(sharding, series);
            let lines = picture.split_inclusive('\n');
            let drawn: String = lines
                .filter(|line| !line.contains("<style>") && !line.contains("<title>"))
                .collect();
            assert_eq!(drawn, expected);
        }
    }

    #[test]
    fn every_shard_has_a_bar() {
        let target = |i| ScrapeTarget {
            address: format!("10.0.0.{i}:9100"),
            series: None,
        };
        let targets: Vec<_> = (0..100).map(target).collect();
        let sharding = Sharding {
            targets: &targets,
            shards: NonZeroU32::new(3).unwrap(),
            to: NonZeroU32::new(5),
        };
        let svg = svg(sharding, None);
        assert_eq!(svg.matches("<rect").count(), 8);
        assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    }
}
