//! Labels that the agent's targets have before any rule, and Alloy's only behind them.

use std::borrow::Cow;

use super::environment::replacement;
use super::syntax::{Body, Expression};
use super::values;
use crate::plan::RelabelRule;

/// A rule, as far as labels are concerned.
pub(super) trait Rule {
    /// The labels that it reads.
    fn reads(&self) -> impl Iterator<Item = &str>;
    /// The label that it writes.
    fn writes(&self) -> Option<&str>;
}

impl Rule for RelabelRule<'_> {
    fn reads(&self) -> impl Iterator<Item = &str> {
        self.source_labels.iter()
    }

    fn writes(&self) -> Option<&str> {
        self.target_label.as_deref()
    }
}

impl Rule for Body<'_> {
    fn reads(&self) -> impl Iterator<Item = &str> {
        let labels = match self.attribute("source_labels") {
            Some(Expression::List(labels)) => labels.as_slice(),
            _ => &[],
        };
        labels.iter().filter_map(Expression::text)
    }

    fn writes(&self) -> Option<&str> {
        self.attribute("target_label")?.text()
    }
}

/// Rules that set the labels which the agent's targets have from the beginning and which one of these rules reads: Alloy sets
/// them behind the rules.
pub(super) fn presets<'r, R: Rule + 'r>(
    rules: impl Iterator<Item = &'r R>,
    job_name: &str,
    scrape: &Body<'_>,
) -> Vec<Body<'static>> {
    let mut written = Vec::new();
    let mut read = Vec::new();
    for (i, rule) in rules.enumerate() {
        let target = rule.writes();
        // The first rule of each job of the operator copies `job` to a label that hardly any rule reads.
        if i > 0 || target != Some(COPY_OF_JOB) {
            for label in rule.reads() {
                let label = if label == COPY_OF_JOB { "job" } else { label };
                if is_preset(label) && !written.contains(&label) && !read.contains(&label) {
                    read.push(label);
                }
            }
        }
        written.extend(target.filter(|target| is_preset(target)));
    }
    let value = |label: &str| -> Option<Cow<'_, str>> {
        let attribute = |name| scrape.attribute(name).and_then(Expression::text);
        let or = |name, default| Some(Cow::Borrowed(attribute(name).unwrap_or(default)));
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
                    Expression::List(values) => Some(values.first()?.text()?.into()),
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
    read.iter().filter_map(preset).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The labels that are set before these rules, each of which has the labels that it reads and the one that it writes.
    fn set(rules: &[(&[&str], &str)]) -> Vec<String> {
        let body = |(reads, writes): &(&[&str], &str)| {
            Body::new()
                .with(
                    "source_labels",
                    Expression::texts(reads.iter().map(|label| (*label).to_owned())),
                )
                .with("target_label", (*writes).to_owned())
        };
        let rules: Vec<_> = rules.iter().map(body).collect();
        let presets = presets(rules.iter(), "a", &Body::new());
        presets
            .iter()
            .filter_map(|rule| Some(rule.writes()?.to_owned()))
            .collect()
    }

    #[test]
    fn labels_are_set_that_are_read_before_they_are_written() {
        let copy: (&[&str], &str) = (&["job"], COPY_OF_JOB);
        assert!(set(&[copy, (&["other"], "x")]).is_empty());
        assert_eq!(set(&[copy, (&["job"], "x")]), ["job"]);
        assert_eq!(set(&[copy, (&[COPY_OF_JOB], "x")]), ["job"]);
        assert!(set(&[copy, (&["other"], "job"), (&["job"], "x")]).is_empty());
        assert_eq!(set(&[(&["job"], "job"), (&["job"], "x")]), ["job"]);
        assert_eq!(
            set(&[copy, (&["__scheme__", "__metrics_path__"], "x")]),
            ["__scheme__", "__metrics_path__"]
        );
    }
}
