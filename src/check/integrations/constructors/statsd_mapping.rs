//! Mappings in the `mapping_config` of the `statsd` integration (`MetricMapper.InitFromYAMLString` in statsd_exporter).

use std::sync::LazyLock;

use regex::Regex;

use super::patterns;
use crate::check::integrations::setting::{known, missing, refuse, text};
use crate::check::walk::{Expect::With, Json, Rows, Step, Walk, any_of};
use crate::go::text::pattern;

/// Checks a mapping configuration. Unknown keys are ignored.
pub fn check<'v>(mappings: Json<'v>, walk: &mut Walk<'v>) {
    walk.rows(MAPPINGS, mappings);
    let defaults = mappings.set("defaults").unwrap_or(Json::NULL);
    let items = mappings.list("mappings").enumerate();
    walk.below(Step::Key("mappings"), |walk| {
        for (i, mapping) in items.filter(|(_, mapping)| mapping.is_mapping() || mapping.is_null()) {
            walk.below(Step::Index(i), |walk| check_mapping(mapping, defaults, walk));
        }
    });
}

const MAPPINGS: Rows = &[
    ("defaults", With(words)),
    ("mappings[]", With(words)),
    ("mappings[].action", With(|value, walk| word("map|drop", value, walk))),
    ("mappings[].match_metric_type", With(|value, walk| word("counter|gauge|observer|timer", value, walk))),
];

/// Checks the enumerations that occur both in mappings and in their defaults.
fn words<'v>(value: Json<'v>, walk: &mut Walk<'v>) {
    for (key, words) in
        [("match_type", "glob|regex"), ("observer_type", "histogram|summary"), ("timer_type", "histogram|summary")]
    {
        if let Some(value) = value.set(key) {
            walk.below(Step::Key(key), |walk| word(words, value, walk));
        }
    }
}

/// Checks that a string is one of `words`. An empty string selects the default, except for a metric type.
fn word<'v>(words: &str, value: Json<'v>, walk: &mut Walk<'v>) {
    let Some(text) = value.scalar().and_then(known) else {
        return;
    };
    let is_default = text.is_empty() && walk.last_key() != "match_metric_type";
    if !is_default && !words.split('|').any(|word| word == text) {
        let words = any_of(words);
        refuse(walk, &[], format!("is not {words}"), format!("use {words}"));
    }
}

/// Pattern for metric names, which may contain references such as `$1`.
static NAME: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:[a-zA-Z_]|\$\{?[0-9]+\}?)(?:[a-zA-Z0-9_]|\$\{?[0-9]+\}?)*$"));

/// Pattern for statsd metric names, which may contain `*`.
static GLOB: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:\*|[a-zA-Z_][a-zA-Z0-9_\-]*)(?:\.\*|\.[a-zA-Z0-9_][a-zA-Z0-9_\-]*)*$"));

fn check_mapping<'v>(mapping: Json<'v>, defaults: Json<'v>, walk: &mut Walk<'v>) {
    for (key, _) in mapping.at("labels").into_iter().flat_map(Json::entries) {
        if !is_label(key) {
            let help = "use two or more letters, digits or `_`, and do not start with a digit";
            refuse(walk, &[Step::Key("labels"), Step::Key(key)], "is not a valid label name", help);
        }
    }
    match text(mapping, "name", "") {
        Some(name) if name.is_empty() => missing(walk, &[Step::Key("name")], "a mapping needs `name`", "set `name`"),
        Some(name) if !NAME.is_match(&name) => {
            let help = "use only letters, digits, `_` and references such as `${1}`";
            refuse(walk, &[Step::Key("name")], "is set to an invalid metric name", help);
        }
        _ => {}
    }
    let kind = mapping.set("match_type").or_else(|| defaults.set("match_type"));
    match kind.map(|kind| kind.as_str().unwrap_or_default()) {
        Some("regex") => walk.each("match", mapping, |walk, pattern| patterns::regex(pattern, walk)),
        None | Some("" | "glob") if text(mapping, "match", "").is_some_and(|glob| !GLOB.is_match(&glob)) => {
            let help = "use dot-separated parts, each of which is a name or `*`, or set `match_type: regex`";
            refuse(walk, &[Step::Key("match")], "is not a valid statsd metric pattern", help);
        }
        _ => {}
    }
    combined(mapping, defaults, walk);
}

/// Whether the exporter accepts a label name. It requires at least two characters.
fn is_label(name: &str) -> bool {
    let mut bytes = name.bytes();
    let is_first = bytes.next().is_some_and(|byte| byte == b'_' || byte.is_ascii_alphabetic());
    is_first && name.len() > 1 && bytes.all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}

/// Reports mapping options that cannot be combined.
fn combined<'v>(mapping: Json<'v>, defaults: Json<'v>, walk: &mut Walk<'v>) {
    let set = |path: &str| mapping.set(path).is_some();
    for (old, options, new) in [
        ("quantiles", "summary_options", "summary_options.quantiles"),
        ("buckets", "histogram_options", "histogram_options.buckets"),
    ] {
        if set(old) && set(new) {
            let problem = format!("cannot be combined with `{options}.{old}`");
            refuse(walk, &[Step::Key(old)], problem, format!("remove `{old}`, and keep `{options}.{old}`"));
        }
    }
    // An empty type means `summary`.
    let observer = |value: Json<'v>| {
        let own = value.set("observer_type").or_else(|| value.set("timer_type"));
        own.and_then(Json::as_str).map(|kind| if kind.is_empty() { "summary" } else { kind })
    };
    let observer = observer(mapping).or_else(|| observer(defaults));
    let options = match observer {
        Some("histogram") => "summary_options",
        Some("summary") => "histogram_options",
        _ => return,
    };
    if set(options) {
        let problem = format!("cannot be combined with the observer type `{}`", observer.unwrap_or_default());
        refuse(walk, &[Step::Key(options)], problem, format!("remove `{options}`, or change `observer_type`"));
    }
}
