//! `metrics`: metrics made from lines.

use std::collections::BTreeMap;

use super::Site;
use crate::api::MetricsStage;
use crate::lower::config::diagnostics;
use crate::lower::config::fields::Fields;
use crate::yaml::{Mapping, Value};

/// The metrics by name.
pub(super) fn all<'s>(specs: &'s BTreeMap<&'s str, MetricsStage<'s>>, site: &mut Site<'_, '_>) -> Mapping<'s> {
    specs
        .iter()
        .map(|(&name, spec)| (name.into(), metrics_stage(name, spec, site).into()))
        .collect()
}

fn metrics_stage<'s>(name: &str, spec: &MetricsStage<'s>, site: &mut Site<'_, '_>) -> Fields<'s> {
    let config = Fields::new()
        .flag("match_all", spec.match_all == Some(true))
        .flag("count_entry_bytes", spec.count_entry_bytes == Some(true))
        .text("value", spec.value)
        .always("action", spec.action)
        .list("buckets", buckets(name, spec, site));
    Fields::new()
        .always("type", metric_type(spec.r#type))
        .text("description", spec.description)
        .text("prefix", spec.prefix)
        .text("source", spec.source)
        .text("max_idle_duration", spec.max_idle_duration)
        .always("config", config)
}

/// The type as the agent writes it; one that it does not know is passed on.
fn metric_type(name: &str) -> &str {
    ["Counter", "Gauge", "Histogram"]
        .into_iter()
        .find(|known| known.eq_ignore_ascii_case(name))
        .unwrap_or(name)
}

fn buckets<'s>(name: &str, spec: &MetricsStage<'s>, site: &mut Site<'_, '_>) -> Vec<Value<'s>> {
    let mut buckets = Vec::with_capacity(spec.buckets.len());
    for (i, text) in spec.buckets.iter().enumerate() {
        match json_number(text) {
            Some(number) => buckets.push(Value::Float(number)),
            None => {
                let path = site.field(|path| {
                    path.push_key("metrics");
                    path.push_key(name.to_owned());
                    path.push_key("buckets");
                    path.push_index(i);
                });
                site.diagnostics
                    .push(diagnostics::invalid_bucket(site.pod_logs, &path, text));
            }
        }
    }
    buckets
}

/// A number as JSON has it (`std.parseJson`). serde_json checks the form, the standard library rounds correctly.
fn json_number(text: &str) -> Option<f64> {
    serde_json::from_str::<f64>(text).ok()?;
    text.trim_ascii().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_json_numbers() {
        let cases = [
            ("1", Some(1.0)),
            ("-2.5e3", Some(-2500.0)),
            (" 0.1\n", Some(0.1)),
            ("1000000", Some(1e6)),
            ("+Inf", None),
            ("01", None),
            (".5", None),
            ("1.", None),
            ("0x1", None),
            ("1 2", None),
            ("1e400", None),
            ("null", None),
            ("\"1\"", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(json_number(text), expected, "{text:?}");
        }
    }

    #[test]
    fn metric_types_are_found_in_any_case() {
        for (name, expected) in [
            ("COUNTER", "Counter"),
            ("hiSTogram", "Histogram"),
            ("gau", "gau"),
            ("", ""),
        ] {
            assert_eq!(metric_type(name), expected);
        }
    }
}
