//! Mappings in the `mapping_config` of the `statsd` integration (`MetricMapper.InitFromYAMLString` in statsd_exporter).

use std::sync::LazyLock;

use regex::Regex;

use crate::check::field::REGEX;
use crate::check::integrations::setting::{REQUIRED_KEY, text};
use crate::check::walk::Expect::{AtMostOne, Help, In, Is, OneOf, With};
use crate::check::walk::{Json, Rows, Step, Walk};
use crate::go::text::pattern;

/// Rules for a mapping configuration. Unknown keys are ignored, and an empty string selects a default.
pub const ROWS: Rows = &[
    ("defaults", In(TYPES)),
    ("mappings[]", In(TYPES)),
    ("mappings[].action", OneOf("|map|drop")),
    ("mappings[].match_metric_type", OneOf("counter|gauge|observer|timer")),
    ("mappings[].name", REQUIRED_KEY),
    (
        "mappings[].name",
        Help("use only letters, digits, `_` and references such as `${1}`", &Is(is_name, "is not a valid metric name")),
    ),
    ("mappings[]", AtMostOne("histogram_options.buckets|buckets")),
    ("mappings[]", AtMostOne("summary_options.quantiles|quantiles")),
    ("", With(check_mappings)),
];

/// Rules for the enumerations that occur both in mappings and in their defaults.
const TYPES: Rows = &[("match_type", OneOf("|glob|regex")), ("observer_type|timer_type", OneOf("|histogram|summary"))];

/// Pattern for metric names, which may contain references such as `$1`.
static NAME: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:[a-zA-Z_]|\$\{?[0-9]+\}?)(?:[a-zA-Z0-9_]|\$\{?[0-9]+\}?)*$"));

/// Pattern for statsd metric names, which may contain `*`.
static GLOB: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"^(?:\*|[a-zA-Z_][a-zA-Z0-9_\-]*)(?:\.\*|\.[a-zA-Z0-9_][a-zA-Z0-9_\-]*)*$"));

fn is_name(name: &str) -> bool {
    NAME.is_match(name)
}

/// Checks the settings of mappings that depend on the defaults.
fn check_mappings<'v>(config: Json<'v>, walk: &mut Walk<'v>) {
    let defaults = config.non_null("defaults").unwrap_or(Json::NULL);
    walk.for_each("mappings[]", config, |walk, mapping| {
        for (key, _) in mapping.at("labels").into_iter().flat_map(Json::entries).filter(|(key, _)| !is_label(key)) {
            walk.report(&[Step::Key("labels"), Step::Key(key)], "is not a valid label name").help =
                "use two or more letters, digits or `_`, and do not start with a digit".to_owned();
        }
        let kind = mapping.non_null("match_type").or_else(|| defaults.non_null("match_type"));
        match kind.map(|kind| kind.as_str().unwrap_or_default()) {
            Some("regex") => walk.check_row("match", &REGEX, mapping),
            None | Some("" | "glob") if text(mapping, "match", "").is_some_and(|glob| !GLOB.is_match(&glob)) => {
                walk.report_field("match", "is not a valid statsd metric pattern").help =
                    "use dot-separated parts, each of which is a name or `*`, or set `match_type: regex`".to_owned();
            }
            _ => {}
        }
        check_observer(mapping, defaults, walk);
    });
}

/// Whether the exporter accepts a label name. It requires at least two characters.
fn is_label(name: &str) -> bool {
    let mut bytes = name.bytes();
    let is_first = bytes.next().is_some_and(|byte| byte == b'_' || byte.is_ascii_alphabetic());
    is_first && name.len() > 1 && bytes.all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}

/// Reports options that do not belong to the mapping's observer type.
fn check_observer<'v>(mapping: Json<'v>, defaults: Json<'v>, walk: &mut Walk<'v>) {
    // An empty type means `summary`.
    let observer = |value: Json<'v>| {
        let observer_type = value.non_null("observer_type").or_else(|| value.non_null("timer_type"));
        observer_type.and_then(Json::as_str).map(|kind| if kind.is_empty() { "summary" } else { kind })
    };
    let observer = observer(mapping).or_else(|| observer(defaults)).unwrap_or_default();
    let options = match observer {
        "histogram" => "summary_options",
        "summary" => "histogram_options",
        _ => return,
    };
    if mapping.non_null(options).is_some() {
        walk.report_field(options, format!("cannot be combined with the observer type `{observer}`")).help =
            format!("remove `{options}`, or change `observer_type`");
    }
}
