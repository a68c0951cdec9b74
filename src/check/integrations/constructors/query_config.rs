//! Queries in the `query_config` of the `mssql` integration (`CollectorConfig.UnmarshalYAML` in sql_exporter). Keys
//! that sql_exporter does not recognize are reported elsewhere.

use std::collections::HashMap;

use crate::check::integrations::setting::{REQUIRED_KEY, is_blank, text};
use crate::check::walk::Expect::{self, As, AtLeastOne, AtMostOne, Help, In, Is, With};
use crate::check::walk::{Json, Rows, Step, Walk};
use crate::diagnostic::Code;

/// Rules for a collector. An integration without collectors uses its default queries.
pub const ROWS: Rows = &[
    ("metrics", REQUIRED_KEY),
    ("queries[].query_name|query", REQUIRED_KEY),
    ("metrics[]", In(METRIC)),
    ("", With(check_references)),
];

/// Rules for a metric (`MetricConfig.UnmarshalYAML`).
const METRIC: Rows = &[
    ("metric_name|type|help", REQUIRED_KEY),
    ("type", Is(|kind| matches!(&*kind.to_lowercase(), "counter" | "gauge"), "is neither `counter` nor `gauge`")),
    ("", As(Code::MissingIntegrationKey, &AtLeastOne("query|query_ref"))),
    ("", AtMostOne("query|query_ref")),
    ("", As(Code::MissingIntegrationKey, &AtLeastOne("values|static_value"))),
    ("", AtMostOne("values|static_value")),
    ("key_labels[]", LABEL_VALUES_HELP),
    ("", With(check_labels)),
];

/// Expects a label that the exporter does not set itself.
const LABEL_VALUES_HELP: Expect = Help(
    "use a name other than `job` or `target`",
    &Is(|label| !matches!(label, "job" | "target"), "is a reserved label"),
);

/// Checks the labels of a metric against each other.
fn check_labels<'v>(metric: Json<'v>, walk: &mut Walk<'v>) {
    if metric.list("values").count() > 1 {
        walk.check_row("value_label", &LABEL_VALUES_HELP, metric);
        if is_blank(metric, "value_label", "") {
            let report = walk.report(&[], "has several `values`, but no `value_label`");
            (report.code, report.help) = (Code::MissingIntegrationKey, "set `value_label`".to_owned());
        }
    }
    let label = text(metric, "value_label", "");
    let mut seen_labels = Vec::new();
    for (i, key) in metric.list("key_labels").enumerate() {
        let Some(key) = key.constant_text() else { continue };
        let (problem, help) = match &*key {
            "" => ("is empty", "remove it"),
            key if label.as_deref() == Some(key) => ("is the label that `value_label` sets", "use a different label"),
            key if seen_labels.iter().any(|other| other == key) => ("occurs more than once", "remove one of them"),
            _ => {
                seen_labels.push(key);
                continue;
            }
        };
        walk.report(&[Step::Key("key_labels"), Step::Index(i)], problem).help = help.to_owned();
    }
}

/// Checks the queries and columns that the metrics refer to.
fn check_references<'v>(config: Json<'v>, walk: &mut Walk<'v>) {
    let names: Option<Vec<_>> = config.list("queries").map(|query| text(query, "query_name", "")).collect();
    let is_query = |name: &str| names.as_ref().is_none_or(|names| names.iter().any(|candidate| candidate == name));
    let (mut columns, mut number) = (HashMap::new(), 0);
    walk.for_each("metrics[]", config, |walk, metric| {
        let name = text(metric, "query_ref", "").filter(|name| !name.is_empty());
        if name.as_ref().is_some_and(|name| !is_query(name)) {
            walk.report_field("query_ref", "refers to an unknown query").help =
                "use the `query_name` of an item in `queries`".to_owned();
        }
        number += 1;
        check_columns(metric, &name.unwrap_or_else(|| format!("\0{number}").into()), &mut columns, walk);
    });
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
            let Some(column) = column.constant_text() else {
                continue;
            };
            let first_is_key = *columns.entry((query.to_owned(), column.into_owned())).or_insert(is_key);
            if first_is_key != is_key {
                let at = [Step::Key(list), Step::Index(i)];
                walk.report(&at, "is a column that is both a key and a value").help =
                    "use a different column".to_owned();
            }
        }
    }
}
