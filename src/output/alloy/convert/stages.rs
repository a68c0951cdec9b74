//! Stages of a log pipeline, converted from the agent's format to that of `loki.process`.
//!
//! Four of the agent's defaults equal Alloy's, although `alloy convert` writes other values: `max_idle_duration` in
//! metrics, `max_wait_time` and `max_lines` in `multiline`, and `ingest_timestamp` in `pack`. Three differ, although
//! `alloy convert` omits them: `prefix` in metrics, `trim_newlines` in `multiline`, and `action_on_duplicate_timestamp`
//! in `timestamp`.

use super::free_form::{convert_body, entries, scalar, text};
use crate::diagnostic::{Code, FieldPath};
use crate::go::template;
use crate::output::alloy::losses::loss::{LOST_SETTING, TextLoss, TextLosses};
use crate::output::alloy::write::catalog::{ArgumentType, spec as catalog_spec};
use crate::output::alloy::write::syntax::{Block, Body, Expression, Statement, expression};
use crate::yaml::Value;

static INVALID_TEMPLATE: TextLoss = TextLoss::new(
    Code::InvalidStage,
    "Alloy omits a stage, because {} is not a valid template",
    "correct the template: with the current one, the agent does not change any lines",
);
static METRIC_LABELS: TextLoss = TextLoss::new(
    Code::ChangedLabel,
    "Alloy labels the metrics of {} differently than the agent does",
    "change the queries that use the `logs_config` label",
);

/// Returns the blocks for stages, each with the index of its stage.
pub fn blocks<'v>(
    stages: &'v [Value<'_>],
    path: &FieldPath<'static>,
    lost: &mut TextLosses,
) -> Vec<(usize, Statement<'v>)> {
    let stages = stages.iter().enumerate();
    let stages = stages.flat_map(|(i, stage)| entries(stage).map(move |(name, config)| (i, name, config)));
    let block = |(i, name, config): (usize, &'v str, &'v Value<'_>)| {
        let path = path.index(i).key(name.to_owned());
        let block = block(name, config, &path, lost).map_err(|loss| lost.push(loss));
        Some((i, Statement::Block(block.ok()?)))
    };
    stages.filter_map(block).collect()
}

/// Returns the block for a stage, or the reason why there is none.
fn block<'v>(
    name: &str,
    config: &'v Value<'_>,
    path: &FieldPath<'static>,
    lost: &mut TextLosses,
) -> Result<Block<'v>, (&'static TextLoss, FieldPath<'static>)> {
    let name = match name {
        "labeldrop" => "label_drop",
        "labelallow" => "label_keep",
        name => name,
    };
    let arguments = catalog_spec("stage").map_or(&[][..], |spec| &spec.arguments);
    let argument = arguments
        .iter()
        .find(|a| a.name.strip_prefix("stage.") == Some(name))
        .ok_or_else(|| (&LOST_SETTING, path.clone()))?;
    let mut convert_plain = |yaml: &'v Value<'_>, other: &[&str]| {
        let (body, unknown_keys) = convert_body(argument.kind.body(), yaml, other);
        lost.extend(unknown_keys.iter().map(|key| (&LOST_SETTING, path.join(key))));
        body
    };
    let body = match (name, config) {
        ("labels" | "static_labels" | "structured_metadata" | "label_drop" | "label_keep", _) => {
            Body::new().with("values", expression(config))
        }
        ("metrics", Value::Mapping(metrics)) => {
            lost.push((&METRIC_LABELS, path.clone()));
            let metrics = metrics.iter().filter_map(|(name, yaml)| metric(name, yaml, path, lost));
            Body(metrics.collect())
        }
        ("match", _) => {
            let body = convert_plain(config, &["stages"]);
            let inner_stages = blocks(config.items("stages"), &path.key("stages"), lost);
            body.with_statements(inner_stages.into_iter().map(|(_, stage)| stage))
        }
        ("drop", _) => {
            let is_set = |key| config.get(key).is_some_and(|value| *value != Value::Null);
            // Alloy treats an empty string as unset.
            let is_empty = |key| is_set(key) && scalar(config.get(key).unwrap_or(&Value::Null)) == "".into();
            let names = match config.get("source") {
                Some(Value::Sequence(names)) => names.iter().filter_map(as_text).collect(),
                _ => vec![text(config, "source")],
            };
            // Alloy splits the string at each comma (`splitSource`).
            let source = names.join(",");
            let is_other_source =
                is_set("source") && (source.is_empty() || !source.split(',').eq(names.iter().copied()));
            let (expression, other_keys) = match (is_empty("expression"), is_empty("value")) {
                (true, _) => (Some(".*"), &["source", "expression"][..]),
                (false, true) if !is_set("expression") => (Some("^$"), &["source"][..]),
                _ => (None, &["source"][..]),
            };
            let body = convert_plain(config, other_keys).with("source", source).with_option("expression", expression);
            let has_other_separator = is_empty("separator") && names.len() > 1;
            let lost_keys = [("source", is_other_source), ("separator", has_other_separator)];
            let lost_keys = lost_keys.into_iter().filter(|(_, is_lost)| *is_lost);
            lost.extend(lost_keys.map(|(key, _)| (&LOST_SETTING, path.key(key))));
            match config.get("longer_than").map(|size| ArgumentType::Size.read(scalar(size))) {
                Some(size) if size == "0B".into() => drop_non_empty_lines(body, path, lost),
                _ => body,
            }
        }
        // If a template is invalid, the agent skips the stage, whereas Alloy does not start.
        ("replace", _) if template::check(text(config, "replace")).is_err() => {
            return Err((&INVALID_TEMPLATE, path.key("replace")));
        }
        _ => convert_plain(config, &[]),
    };
    Ok(Block::new(argument.name, "", body))
}

/// Adds a condition that matches non-empty lines, because the agent drops such lines if the size is 0. Alloy treats 0
/// as unset and does not start without a condition.
fn drop_non_empty_lines<'v>(body: Body<'v>, path: &FieldPath<'static>, lost: &mut TextLosses) -> Body<'v> {
    let is_set = |name| body.attribute(name).is_some_and(|value| *value != "".into());
    if ["source", "expression"].into_iter().any(is_set) {
        lost.push((&LOST_SETTING, path.key("longer_than")));
        return body;
    }
    body.with("expression", "(?s).")
}

fn as_text<'v>(value: &'v Value<'_>) -> Option<&'v str> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

/// Returns the block for a metric, or `None` if both the agent and Alloy reject it. The name of the block is the
/// metric's type, and the block also contains the metric's `config`.
fn metric<'v>(
    name: &'v str,
    yaml: &'v Value<'_>,
    path: &FieldPath<'static>,
    lost: &mut TextLosses,
) -> Option<Statement<'v>> {
    let common_keys = ["type", "config", "name", "action", "prefix"];
    let block = match text(yaml, "type").to_ascii_lowercase().as_str() {
        "counter" => "metric.counter",
        "gauge" => "metric.gauge",
        "histogram" => "metric.histogram",
        _ => return None,
    };
    let config = yaml.get("config");
    let flag = |key| config.and_then(|config| config.get(key)) == Some(&Value::Bool(true));
    // The agent ignores the case of the action.
    let action = config.map(|config| text(config, "action").to_ascii_lowercase());
    let action = Expression::from(action.unwrap_or_default());
    if flag("count_entry_bytes") && !(flag("match_all") && action == "add".into()) {
        return None;
    }
    let spec = catalog_spec("metric")?.argument(block)?.kind.body();
    let argument = catalog_spec(spec)?.argument("action");
    if argument.is_some_and(|argument| !argument.accepts(&action)) {
        return None;
    }
    let mut body = convert_body(spec, yaml, &common_keys).0;
    if let Some(config) = config {
        body.0.extend(convert_body(spec, config, &common_keys).0.0);
    }
    // The agent uses its default for an empty prefix as well.
    let default_prefix = || catalog_spec(spec)?.argument("prefix")?.agent_default.clone();
    let prefix = Some(text(yaml, "prefix")).filter(|prefix| !prefix.is_empty()).map(Expression::from);
    body = body.with_option("action", argument.map(|_| action)).with_option("prefix", prefix.or_else(default_prefix));
    // The agent compares an empty string, whereas Alloy treats it as unset.
    let is_empty = |yaml: &Value<'_>, key| matches!(yaml.get(key), Some(Value::String(text)) if text.is_empty());
    let path = path.key(name.to_owned());
    if is_empty(yaml, "source") && !flag("match_all") {
        lost.push((&LOST_SETTING, path.key("source")));
    }
    if config.is_some_and(|config| is_empty(config, "value")) {
        lost.push((&LOST_SETTING, path.key("config").key("value")));
    }
    Some(Statement::Block(Block::new(block, "", body.with("name", name))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drop_stages_match_empty_values() {
        for (yaml, expected) in [
            ("{source: a, value: ''}", Some("^$")),
            ("{source: a, value: b}", None),
            ("{source: a}", None),
            ("{source: a, expression: b}", Some("b")),
            ("{source: a, expression: ''}", Some(".*")),
            ("{expression: ''}", Some(".*")),
        ] {
            let stages = [stage("drop", yaml)];
            let blocks = blocks(&stages, &FieldPath::new(), &mut Vec::new());
            let [(_, Statement::Block(block))] = &blocks[..] else { panic!("{yaml}") };
            let actual = block.body.attribute("expression").and_then(Expression::text);
            assert_eq!(actual, expected, "{yaml}");
        }
    }

    fn stage(name: &str, yaml: &str) -> Value<'static> {
        let config: serde_json::Value = serde_yaml::from_str(yaml).unwrap();
        Value::from(serde_json::json!({ name: config }))
    }

    /// Returns the paths of the settings in a stage that are lost.
    fn lost_settings(name: &str, yaml: &str) -> Vec<String> {
        let mut lost = Vec::new();
        blocks(&[stage(name, yaml)], &FieldPath::new(), &mut lost);
        let lost = lost.iter().filter(|(loss, _)| loss.code == Code::LostSetting);
        lost.map(|(_, path)| path.to_string()).collect()
    }

    #[test]
    fn reports_sources_that_alloy_reads_differently() {
        for (yaml, expected) in [
            ("{source: a, value: b}", &[][..]),
            ("{source: ~, expression: b}", &[]),
            ("{source: [a, b], value: b}", &[]),
            ("{source: 'a,b'}", &["[0].drop.source"]),
            ("{source: [a, 'b,c']}", &["[0].drop.source"]),
            ("{source: '', expression: b}", &["[0].drop.source"]),
            ("{source: [], expression: b}", &["[0].drop.source"]),
            ("{source: [a, b], value: b, separator: ''}", &["[0].drop.separator"]),
        ] {
            assert_eq!(lost_settings("drop", yaml), expected, "{yaml}");
        }
    }

    #[test]
    fn treats_empty_settings_of_metrics_as_the_agent_does() {
        for (yaml, lost, prefix) in [
            ("{type: gauge, config: {action: inc}}", &[][..], "promtail_custom_"),
            ("{type: gauge, prefix: '', config: {action: inc}}", &[], "promtail_custom_"),
            ("{type: counter, prefix: a_, config: {action: inc}}", &[], "a_"),
            ("{type: counter, source: '', config: {action: inc}}", &["[0].metrics.m.source"], "promtail_custom_"),
            ("{type: counter, source: '', config: {action: inc, match_all: true}}", &[], "promtail_custom_"),
            (
                "{type: histogram, config: {value: '', buckets: [1]}}",
                &["[0].metrics.m.config.value"],
                "promtail_custom_",
            ),
        ] {
            let yaml = format!("{{m: {yaml}}}");
            assert_eq!(lost_settings("metrics", &yaml), lost, "{yaml}");
            let stages = [stage("metrics", &yaml)];
            let blocks = blocks(&stages, &FieldPath::new(), &mut Vec::new());
            let [(_, Statement::Block(block))] = &blocks[..] else { panic!("{yaml}") };
            let [Statement::Block(metric)] = &block.body.0[..] else { panic!("{yaml}") };
            assert_eq!(metric.body.text("prefix"), Some(prefix), "{yaml}");
        }
    }
}
