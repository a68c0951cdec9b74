//! Metrics extracted from log lines.

use super::common::{NOT_EMPTY, report_invalid, stage};
use super::types::{check_types, has_type};
use crate::check::field::SECONDS;
use crate::check::walk::Expect::{self, As};
use crate::check::walk::{Json, Walk, is_among, list_alternatives};
use crate::diagnostic::Code;
use crate::yaml::NodeValue;

const METRIC_FIELDS: &str = "description string,max_idle_duration string,prefix string,source string,type string";
const CONFIG_FIELDS: &str = "action string,count_entry_bytes bool,match_all bool,value string";
/// Checks the metrics in a stage (`validateMetricsConfig`).
pub fn check<'v>(metrics: Json<'v>, walk: &mut Walk<'v>) {
    static IDLE: Expect = As(Code::InvalidDuration, &SECONDS);
    if !metrics.is_mapping() {
        return report_invalid("the stage must be a mapping of metrics", &[], walk);
    }
    for (_, metric) in metrics.entries().filter(|(_, metric)| !metric.is_null()) {
        if check_types(METRIC_FIELDS, false, metric, walk) {
            walk.check_row("max_idle_duration", &NOT_EMPTY_STAGE, metric);
            walk.check_row("max_idle_duration", &IDLE, metric);
            check_collector(metric, walk);
        }
    }
}

/// Checks a collector (`NewCounters`, `NewGauges`, `NewHistograms`).
fn check_collector<'v>(metric: Json<'v>, walk: &mut Walk<'v>) {
    let kind = metric.text("type").to_ascii_lowercase();
    let known_actions = match kind.as_str() {
        "counter" => "inc|add",
        "gauge" => "set|inc|dec|add|sub",
        "histogram" => "",
        _ => return report_invalid("`type` must be `counter`, `gauge` or `histogram`", &[], walk),
    };
    let config = metric.get("config").unwrap_or(Json::NULL);
    if !config.is_null() && !check_types(CONFIG_FIELDS, false, config, walk) {
        return;
    }
    if known_actions.is_empty() {
        let buckets = config.get("buckets").unwrap_or(Json::NULL);
        let is_list = matches!(buckets.value(), NodeValue::Null | NodeValue::Sequence);
        if !is_list || !buckets.items().all(|bucket| has_type("float", false, bucket)) {
            report_invalid("`buckets` must be a list of numbers", &[], walk);
        }
        return;
    }
    let action = config.text("action").to_ascii_lowercase();
    if !is_among(&action, known_actions) {
        return report_invalid(
            format!("the `action` of a `{kind}` metric must be {}", list_alternatives(known_actions)),
            &[],
            walk,
        );
    }
    let matches_all = config.is_true("match_all");
    if kind == "counter" && matches_all && config.non_null("value").is_some() {
        report_invalid("`match_all` and `value` cannot be combined", &[], walk);
    }
    if kind == "counter" && config.is_true("count_entry_bytes") && !(matches_all && action == "add") {
        report_invalid("`count_entry_bytes` needs `match_all: true` and the `add` action", &[], walk);
    }
}

static NOT_EMPTY_STAGE: Expect = stage(&NOT_EMPTY);
