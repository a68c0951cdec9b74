//! Metrics made from lines (`validateMetricsConfig`, `validateCounterConfig`, `validateGaugeConfig` of Promtail).

use crate::api::MetricsStage;
use crate::check::diagnostics;
use crate::check::place::Place;
use crate::check::prometheus::duration;
use crate::diagnostic::Diagnostic;

const SECOND: i64 = 1_000_000_000;

/// Checks one metric.
pub fn check(spec: &MetricsStage<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    let idle_at = at.key("maxIdleDuration");
    if duration::check_go(spec.max_idle_duration, &idle_at, found).is_some_and(|idle| idle < SECOND) {
        let shown = spec.max_idle_duration;
        found.push(diagnostics::duration_too_short(&idle_at, shown, "a second or more"));
    }
    match spec.r#type.to_ascii_lowercase().as_str() {
        "counter" => counter(spec, at, found),
        "gauge" => action(spec, &["set", "inc", "dec", "add", "sub"], at, found),
        "histogram" => buckets(spec, &at.key("buckets"), found),
        _ => {
            let message = format!("found `{}`, expected `counter`, `gauge` or `histogram`", spec.r#type);
            let help = "use one of these types";
            found.push(diagnostics::invalid_stage(&at.key("type"), message, help));
        }
    }
}

fn action(spec: &MetricsStage<'_>, known: &[&str], at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    if !known.iter().any(|name| name.eq_ignore_ascii_case(spec.action)) {
        let list = known
            .iter()
            .map(|name| format!("`{name}`"))
            .collect::<Vec<_>>()
            .join(", ");
        let message = format!(
            "found `{}` as the action of a {}, expected one of {list}",
            spec.action, spec.r#type
        );
        found.push(diagnostics::invalid_stage(
            &at.key("action"),
            message,
            "use one of these actions",
        ));
    }
}

fn counter(spec: &MetricsStage<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    action(spec, &["inc", "add"], at, found);
    let matches_all = spec.match_all == Some(true);
    if matches_all && !spec.value.is_empty() {
        let message = "`matchAll` and `value` exclude each other";
        found.push(diagnostics::invalid_stage(
            &at.key("matchAll"),
            message,
            "keep one of them",
        ));
    }
    if spec.count_entry_bytes == Some(true) && (!matches_all || !spec.action.eq_ignore_ascii_case("add")) {
        let message = "`countEntryBytes` needs `matchAll: true` and the action `add`";
        let help = "set both, or remove `countEntryBytes`";
        found.push(diagnostics::invalid_stage(&at.key("countEntryBytes"), message, help));
    }
}

/// The library that makes the histogram panics where buckets do not rise. What is no number is reported elsewhere.
fn buckets(spec: &MetricsStage<'_>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    let numbers = spec.buckets.iter().map(|bucket| bucket.trim().parse::<f64>());
    let Ok(numbers) = numbers.collect::<Result<Vec<_>, _>>() else {
        return;
    };
    if !numbers.is_sorted_by(|one, next| one < next) {
        found.push(diagnostics::unsorted_buckets(at));
    }
}
