//! Labels that the agent's targets have before any rule, and Alloy's only behind them.

use std::borrow::Cow;

use super::environment::replacement;
use super::syntax::{Body, Expression};
use super::values;

/// The rules, behind such as set the labels that the agent's targets have from the beginning and that a rule reads: Alloy
/// sets them behind the rules.
pub(super) fn with_presets<'v>(rules: Vec<Body<'v>>, job_name: &str, scrape: &Body<'v>) -> Vec<Body<'v>> {
    let mut written = Vec::new();
    let mut read = Vec::new();
    for (i, rule) in rules.iter().enumerate() {
        let target = attribute(rule, "target_label");
        // The first rule of each job of the operator copies `job` to a label that hardly any rule reads.
        let is_copy_of_job = i == 0 && target == Some(COPY_OF_JOB);
        if let Some(Expression::List(labels)) = rule.attribute("source_labels").filter(|_| !is_copy_of_job) {
            for label in labels {
                let Expression::String(label) = label else { continue };
                let label = if label == COPY_OF_JOB { "job" } else { label };
                if is_preset(label) && !written.contains(&label) && !read.contains(&label) {
                    read.push(label);
                }
            }
        }
        written.extend(target.filter(|target| is_preset(target)));
    }
    let value = |label: &str| -> Option<Cow<'_, str>> {
        let or = |name, default| Some(Cow::Borrowed(attribute(scrape, name).unwrap_or(default)));
        let of_prometheus = |name, default| {
            let time = or(name, default)?;
            Some(values::nanoseconds(&time).map_or(time, |time| values::of_prometheus(time).into()))
        };
        match label {
            "job" => Some(job_name.into()),
            "__scheme__" => or("scheme", "http"),
            "__metrics_path__" => or("metrics_path", "/metrics"),
            "__scrape_interval__" => of_prometheus("scrape_interval", "1m"),
            "__scrape_timeout__" => of_prometheus("scrape_timeout", "10s"),
            _ => {
                let Some(Expression::Object(params)) = scrape.attribute("params") else {
                    return None;
                };
                let name = label.strip_prefix("__param_")?;
                let (_, values) = params.iter().find(|(param, _)| param == name)?;
                match values {
                    Expression::List(values) => match values.first()? {
                        Expression::String(value) => Some(Cow::Borrowed(value.as_ref())),
                        _ => None,
                    },
                    _ => None,
                }
            }
        }
    };
    let preset = |label: &&str| {
        let value = value(label).filter(|value| !value.is_empty())?;
        Some(
            Body::new()
                .with("target_label", (*label).to_owned())
                .with("replacement", replacement(&value)),
        )
    };
    let presets: Vec<_> = read.iter().filter_map(preset).collect();
    presets.into_iter().chain(rules).collect()
}

/// The label to which the first rule of each job of the operator copies `job`.
const COPY_OF_JOB: &str = "__tmp_prometheus_job_name";

/// Whether the agent sets this label before the rules.
fn is_preset(label: &str) -> bool {
    const LABELS: [&str; 5] = [
        "job",
        "__scheme__",
        "__metrics_path__",
        "__scrape_interval__",
        "__scrape_timeout__",
    ];
    LABELS.contains(&label) || label.starts_with("__param_")
}

/// The text of an attribute.
fn attribute<'b>(body: &'b Body<'_>, name: &str) -> Option<&'b str> {
    match body.attribute(name)? {
        Expression::String(text) => Some(text),
        _ => None,
    }
}
