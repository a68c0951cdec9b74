//! Stages of a log pipeline (`stages.libsonnet`): the fields of the resource under the agent's names, without empty
//! fields.

use serde_json::{Map, Value as Json};

use super::fields::non_empty_fields;
use crate::api::PipelineStage;
use crate::plan::{Stages, bucket};
use crate::yaml::{Mapping, Value};

/// Pipeline stages in output order.
const STAGES: &str = "docker cri regex json replace template pack timestamp output labelDrop labelAllow labels limit metrics \
    multiline tenant match drop";

/// Metric fields that are nested in `config` in the agent's configuration.
const CONFIG_FIELDS: [&str; 5] = ["action", "buckets", "countEntryBytes", "matchAll", "value"];

/// Returns the stages of a pipeline, in order.
pub(in crate::output) fn all_stages<'s>(stages: Stages<'_>) -> Vec<Value<'s>> {
    stages.iter().map(|spec| stage(spec, stages)).collect()
}

/// Converts a stage to the agent's format. `around` is the list that contains the stage.
fn stage<'s>(spec: &PipelineStage<'_>, around: Stages<'_>) -> Value<'s> {
    let mut stage = Mapping::new();
    let mut spec = serde_json::to_value(spec).unwrap_or_default();
    for name in STAGES.split(' ') {
        let value: Value<'s> = match (name, spec.get_mut(name).map(Json::take)) {
            ("labels" | "metrics", Some(Json::Object(entries))) if entries.is_empty() => continue,
            ("labels", Some(labels)) => labels.into(),
            ("metrics", Some(Json::Object(metrics))) => {
                let metrics = metrics.into_iter().map(|(name, spec)| (name.into(), metric(spec).into()));
                metrics.collect::<Mapping<'_>>().into()
            }
            ("match", Some(Json::Object(fields))) => match_stage(fields, around).into(),
            // An empty `expressions` object is written only if it comes from nested stages in a YAML string. In the
            // resource's own stages, `omitempty` has already removed it.
            ("json", Some(Json::Object(mut fields))) => {
                let is_omitted = |value: &&Json| value.as_object().is_some_and(Map::is_empty) && !around.is_nested();
                let expressions = fields.remove("expressions").filter(|value| !value.is_null() && !is_omitted(&value));
                let mut json = non_empty_fields(name, fields);
                expressions.into_iter().for_each(|value| json.push("expressions", value));
                json.into()
            }
            (_, Some(Json::Object(fields))) => non_empty_fields(name, fields).into(),
            (_, Some(Json::Array(items))) if !items.is_empty() => Value::from(Json::Array(items)),
            _ => continue,
        };
        stage.push(name.to_lowercase(), value);
    }
    stage.into()
}

/// Returns a `match` stage with its selector and the stages for selected lines.
fn match_stage<'s>(mut fields: Map<String, Json>, around: Stages<'_>) -> Mapping<'s> {
    let text = fields.remove("stages").unwrap_or_default();
    let mut stage = non_empty_fields("match", fields);
    if let Some(text) = text.as_str().filter(|text| !text.is_empty()) {
        stage.push("stages", around.with_nested_stages(text, all_stages).unwrap_or_default());
    }
    stage
}

/// Returns a metric that is extracted from log lines. Non-numeric buckets have already been reported during planning.
fn metric<'s>(spec: Json) -> Mapping<'s> {
    let Json::Object(fields) = spec else {
        return Mapping::new();
    };
    let (mut config, mut fields): (Map<_, _>, Map<_, _>) =
        fields.into_iter().partition(|(name, _)| CONFIG_FIELDS.contains(&name.as_str()));
    let buckets = config.remove("buckets").unwrap_or_default();
    let buckets = buckets.as_array().into_iter().flatten();
    let buckets: Vec<_> = buckets.filter_map(|text| bucket(text.as_str()?)).map(Value::Float).collect();
    let mut config = non_empty_fields("metrics", config);
    if !buckets.is_empty() {
        config.push("buckets", buckets);
    }
    if let Some(Json::String(name)) = fields.get_mut("type") {
        *name = metric_type(name).to_owned();
    }
    let mut metric = non_empty_fields("metrics", fields);
    metric.push("config", config);
    metric
}

/// Returns the agent's spelling of a metric type. An unknown type is returned unchanged.
fn metric_type(name: &str) -> &str {
    ["Counter", "Gauge", "Histogram"].into_iter().find(|known| known.eq_ignore_ascii_case(name)).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metric_types_are_case_insensitive() {
        for (name, expected) in [("COUNTER", "Counter"), ("hiSTogram", "Histogram"), ("gau", "gau"), ("", "")] {
            assert_eq!(metric_type(name), expected);
        }
    }
}
