//! Queries in the `query_config` of the `mssql` integration (`CollectorConfig.UnmarshalYAML` in sql_exporter). Keys
//! that sql_exporter does not recognize are reported elsewhere.

use std::collections::HashMap;

use crate::check::integrations::setting::{is_blank, known, missing, missing_choice, refuse, text};
use crate::check::walk::{Json, Step, Walk};

/// Checks a collector's queries. If there are none, the integration uses its default queries.
pub fn check<'v>(config: Json<'v>, walk: &mut Walk<'v>) {
    if !config.is_mapping() {
        return;
    }
    if config.set("metrics").is_none_or(Json::is_empty) {
        missing(
            walk,
            &[Step::Key("metrics")],
            "`query_config` needs `metrics`",
            "set `metrics`, or remove `query_config`",
        );
    }
    for (i, query) in config.list("queries").enumerate() {
        walk.below(Step::Key("queries"), |walk| {
            walk.below(Step::Index(i), |walk| {
                needs(query, "a query", &["query_name", "query"], walk);
            })
        });
    }
    let names: Option<Vec<_>> = config.list("queries").map(|query| text(query, "query_name", "")).collect();
    let mut columns = HashMap::new();
    for (i, metric) in config.list("metrics").enumerate() {
        let is_found = |name: &str| names.as_ref().is_none_or(|names| names.iter().any(|known| known == name));
        walk.below(Step::Key("metrics"), |walk| {
            walk.below(Step::Index(i), |walk| {
                check_metric(metric, walk);
                let name = text(metric, "query_ref", "").filter(|name| !name.is_empty());
                if name.as_ref().is_some_and(|name| !is_found(name)) {
                    refuse(
                        walk,
                        &[Step::Key("query_ref")],
                        "refers to an unknown query",
                        "use the `query_name` of an item in `queries`",
                    );
                }
                let query = name.unwrap_or_else(|| format!("\0{i}").into());
                check_columns(metric, &query, &mut columns, walk);
            })
        });
    }
}

fn needs<'v>(value: Json<'v>, what: &str, keys: &[&'static str], walk: &mut Walk<'v>) {
    for key in keys.iter().filter(|key| is_blank(value, key, "")) {
        missing(walk, &[Step::Key(key)], &format!("{what} needs `{key}`"), &format!("set `{key}`"));
    }
}

/// Checks a single metric (`MetricConfig.UnmarshalYAML`).
fn check_metric<'v>(metric: Json<'v>, walk: &mut Walk<'v>) {
    needs(metric, "a metric", &["metric_name", "type", "help"], walk);
    let kind = text(metric, "type", "").filter(|kind| !kind.is_empty()).map(|kind| kind.to_lowercase());
    if kind.is_some_and(|kind| !matches!(kind.as_str(), "counter" | "gauge")) {
        refuse(walk, &[Step::Key("type")], "is neither `counter` nor `gauge`", "use `counter` or `gauge`");
    }
    match (is_blank(metric, "query", ""), is_blank(metric, "query_ref", "")) {
        (true, true) => missing_choice(walk, "a metric needs `query` or `query_ref`", "set one of the two"),
        (false, false) if text(metric, "query_ref", "").is_some() => {
            refuse(walk, &[Step::Key("query_ref")], "cannot be combined with `query`", "keep one of the two");
        }
        _ => {}
    }
    let values = metric.list("values").count();
    let is_static = metric.set("static_value").is_some();
    if values == 0 && !is_static {
        missing(walk, &[], "a metric needs `values`", "set `values` to the columns that contain the values");
    } else if values > 0 && is_static {
        refuse(walk, &[Step::Key("static_value")], "cannot be combined with `values`", "keep one of the two");
    }
    let label = text(metric, "value_label", "");
    if values > 1 {
        match label.as_deref() {
            Some("") => missing(walk, &[], "a metric with several `values` needs `value_label`", "set `value_label`"),
            Some("job" | "target") => reserved(&[Step::Key("value_label")], walk),
            _ => {}
        }
    }
    let mut seen = Vec::new();
    for (i, key) in metric.list("key_labels").enumerate() {
        let at = [Step::Key("key_labels"), Step::Index(i)];
        let Some(key) = key.scalar().and_then(known) else {
            continue;
        };
        match &*key {
            "" => refuse(walk, &at, "contains an empty label", "remove it"),
            "job" | "target" => reserved(&at, walk),
            key if label.as_deref() == Some(key) => {
                refuse(walk, &at, "contains the label that `value_label` sets", "use a different label");
            }
            key if seen.iter().any(|other| other == key) => {
                refuse(walk, &at, "contains the same label twice", "remove one of them");
            }
            _ => seen.push(key),
        }
    }
}

fn reserved<'v>(at: &[Step<'v>], walk: &mut Walk<'v>) {
    refuse(walk, at, "contains a reserved label", "use a name other than `job` or `target`");
}

/// Reports a column that is both a key and a value in one query (`setColumnType`).
fn check_columns<'v>(
    metric: Json<'v>,
    query: &str,
    columns: &mut HashMap<(String, String), bool>,
    walk: &mut Walk<'v>,
) {
    for (list, is_key) in [("key_labels", true), ("values", false)] {
        for (i, column) in metric.list(list).enumerate() {
            let Some(column) = column.scalar().and_then(known) else {
                continue;
            };
            let first = *columns.entry((query.to_owned(), column.into_owned())).or_insert(is_key);
            if first != is_key {
                let at = [Step::Key(list), Step::Index(i)];
                refuse(walk, &at, "contains a column that is both a key and a value", "use a different column");
            }
        }
    }
}
