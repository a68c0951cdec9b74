//! Labels that the agent's targets have before any rule, and Alloy's only behind them.

use std::borrow::Cow;

use super::effects::Rule;
use super::environment::replacement;
use super::syntax::{Body, Expression};
use super::values;
use crate::yaml::SecretSource;

/// Rules that set the labels which the agent's targets have from the beginning and which one of these rules reads: Alloy sets
/// them behind the rules.
pub(super) fn presets<'r, R: Rule + 'r>(
    rules: impl Iterator<Item = &'r R>,
    job_name: &str,
    scrape: &Body<'_>,
) -> Vec<Body<'static>> {
    let params = match scrape.attribute("params") {
        Some(Expression::Object(params)) => params.as_slice(),
        _ => &[],
    };
    let mut written = Vec::new();
    let mut read: Vec<Cow<'_, str>> = Vec::new();
    for (i, rule) in rules.enumerate() {
        let target = rule.target_label();
        let mut reads = |label: Cow<'r, str>| {
            if is_preset(&label) && !written.contains(&label.as_ref()) && !read.contains(&label) {
                read.push(label);
            }
        };
        // The first rule of each job of the operator copies `job` to a label that hardly any rule reads.
        if i > 0 || target != Some(COPY_OF_JOB) {
            let labels = rule.source_labels();
            labels.for_each(|label| reads(if label == COPY_OF_JOB { "job" } else { label }.into()));
        }
        if rule.is("keepequal") || rule.is("dropequal") {
            target.into_iter().for_each(|label| reads(label.into()));
        }
        if rule.is("labelmap") && !rule.is_identity() {
            let regex = rule.regex();
            let params = params.iter().map(|(name, _)| format!("__param_{name}").into());
            let labels = LABELS.map(Cow::Borrowed).into_iter().chain(params);
            let is_copied = |label: &Cow<'_, str>| match &regex {
                Some(regex) => regex.is_match(label),
                None => rule.matches_anything(),
            };
            labels.filter(is_copied).for_each(&mut reads);
        }
        if always_writes(rule) {
            written.extend(target.filter(|target| is_preset(target)));
        }
    }
    let value = |label: &str| -> Option<Expression<'static>> {
        let or = |name, default| scrape.attribute(name).and_then(Expression::text).unwrap_or(default);
        let text = |text: &str| (!text.is_empty()).then(|| replacement(text).into());
        let time = |name, default| {
            let time = or(name, default);
            text(&values::nanoseconds(time).map_or_else(|| time.to_owned(), values::of_prometheus))
        };
        match label {
            "job" => text(job_name),
            "__scheme__" => text(or("scheme", "http")),
            "__metrics_path__" => text(or("metrics_path", "/metrics")),
            "__scrape_interval__" => time("scrape_interval", "1m"),
            "__scrape_timeout__" => time("scrape_timeout", "10s"),
            _ => {
                let name = label.strip_prefix("__param_")?;
                let (_, values) = params.iter().find(|(param, _)| param == name)?;
                match values {
                    Expression::List(values) => match values.first()? {
                        Expression::Secret(SecretSource::Credential(number)) => {
                            Some(Expression::Secret(SecretSource::Credential(*number)))
                        }
                        value => text(value.text()?),
                    },
                    _ => None,
                }
            }
        }
    };
    let preset = |label: &Cow<'_, str>| {
        let rule = Body::new().with("target_label", label.to_string());
        Some(rule.with("replacement", value(label)?))
    };
    read.iter().filter_map(preset).collect()
}

/// The label to which the first rule of each job of the operator copies `job`.
const COPY_OF_JOB: &str = "__tmp_prometheus_job_name";

/// The labels that the agent sets before the rules, besides those for parameters.
const LABELS: [&str; 5] = [
    "job",
    "__scheme__",
    "__metrics_path__",
    "__scrape_interval__",
    "__scrape_timeout__",
];

/// Whether the agent sets this label before the rules.
fn is_preset(label: &str) -> bool {
    LABELS.contains(&label) || label.starts_with("__param_")
}

/// Whether a rule writes its label on every target.
fn always_writes(rule: &impl Rule) -> bool {
    rule.is("replace") && rule.matches_anything()
        || ["lowercase", "uppercase", "hashmod"]
            .iter()
            .any(|action| rule.is(action))
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
            .filter_map(|rule| Some(rule.target_label()?.to_owned()))
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

    #[test]
    fn labels_are_set_that_rules_copy_or_compare() {
        let params = Expression::Object(vec![("target".into(), Expression::texts(["x"]))]);
        let scrape = Body::new().with("params", params);
        let copy = |regex| Body::new().with("regex", regex).with("action", "labelmap");
        let compare = |action| Body::new().with("target_label", "job").with("action", action);
        let sometimes = Body::new()
            .with("source_labels", Expression::texts(["a"]))
            .with("regex", "b")
            .with("target_label", "job");
        let read = Body::new().with("source_labels", Expression::texts(["job"]));
        for (rules, expected) in [
            (vec![copy("__param_(.+)")], ["__param_target"].as_slice()),
            (vec![copy("(job)"), copy("__(scheme)__")], &["job", "__scheme__"]),
            (vec![copy("__meta_(.+)")], &[]),
            (vec![copy("(.*)"), copy("(.+)")], &[]),
            (
                vec![copy("(.+)").with("replacement", "a_$1")],
                &[
                    "job",
                    "__scheme__",
                    "__metrics_path__",
                    "__scrape_interval__",
                    "__scrape_timeout__",
                    "__param_target",
                ],
            ),
            (vec![compare("keepequal")], &["job"]),
            (vec![compare("DropEqual")], &["job"]),
            (vec![sometimes, read], &["job"]),
        ] {
            let presets = presets(rules.iter(), "a", &scrape);
            let set: Vec<_> = presets.iter().filter_map(Rule::target_label).collect();
            assert_eq!(set, expected);
        }
    }
}
