//! Labels that the agent sets on targets before applying any rule, but that Alloy sets only after the rules.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::flow::{ExpressionCache, FlowRule, SCRAPE_LABELS};
use crate::output::alloy::write::environment::replacement;
use crate::output::alloy::write::syntax::{Body, Expression};
use crate::output::alloy::write::target_rules::job_copy;
use crate::output::alloy::write::values;
use crate::plan::{RelabelAction, RelabelRule, SCRAPE_INTERVAL, SCRAPE_TIMEOUT};
use crate::yaml::SecretSource;

/// Returns rules that set the labels that `rules` read and that Alloy, unlike the agent, sets only after relabeling. As
/// in the agent (`PopulateLabels`), a target's own labels are kept unless the job's parameters override them.
pub fn presets(
    rules: &[RelabelRule<'_>],
    expressions: &mut ExpressionCache,
    job_name: &str,
    scrape: &Body<'_>,
    targets: &Expression<'_>,
) -> Vec<Body<'static>> {
    let mut own_labels = BTreeSet::new();
    collect_own_labels(targets, &mut own_labels);
    let params = match scrape.attribute("params") {
        Some(Expression::Object(params)) => params.as_slice(),
        _ => &[],
    };
    let mut written_labels = Vec::new();
    let mut read_labels: Vec<Cow<'_, str>> = Vec::new();
    let job_copy = job_copy(rules);
    // The first rule copies `job` before any rule writes it, so rules that read the copy depend on the preset value of
    // `job`.
    read_labels.extend(job_copy.filter(|copy| copy.is_read).map(|_| "job".into()));
    for rule in rules.iter().skip(usize::from(job_copy.is_some())) {
        let (action, target) = (rule.parse_action(), rule.target_label.as_deref().unwrap_or_default());
        let mut record_read = |label: &str| {
            if is_preset(label) && !written_labels.contains(&label) && !read_labels.iter().any(|other| other == label) {
                read_labels.push(label.to_owned().into());
            }
        };
        rule.source_labels.iter().for_each(&mut record_read);
        if action.is_some_and(RelabelAction::compares) {
            record_read(target);
        }
        if action == Some(RelabelAction::LabelMap)
            && let Some(map) = FlowRule::new(rule, expressions).filter(|rule| !rule.is_identity())
        {
            let params = params.iter().map(|(name, _)| format!("{PARAM}{name}").into());
            let labels = SCRAPE_LABELS.map(Cow::Borrowed).into_iter().chain(params);
            labels.filter(|label| map.maps(label)).for_each(|label| record_read(&label));
        }
        let always_writes = match action {
            Some(RelabelAction::Replace) => matches!(rule.regex.as_deref(), None | Some("(.*)" | ".*")),
            Some(RelabelAction::HashMod | RelabelAction::Lowercase | RelabelAction::Uppercase) => true,
            _ => false,
        };
        if always_writes && is_preset(target) {
            written_labels.push(target);
        }
    }
    let params_of_targets =
        own_labels.iter().filter(|label| label.starts_with(PARAM) && !read_labels.iter().any(|read| read == **label));
    let params_of_targets: Vec<_> = params_of_targets.map(|label| Cow::Owned((*label).to_owned())).collect();
    read_labels.extend(params_of_targets);
    let value = |label: &str| -> Option<Expression<'static>> {
        let text_or = |name, default| scrape.attribute(name).and_then(Expression::text).unwrap_or(default);
        let text = |text: &str| (!text.is_empty()).then(|| replacement(text).into());
        let time = |name, default| {
            let time = text_or(name, default);
            text(&values::nanoseconds(time).map_or_else(|| time.to_owned(), values::format_prometheus))
        };
        match label {
            "job" => text(job_name),
            "__scheme__" => text(text_or("scheme", "http")),
            "__metrics_path__" => text(text_or("metrics_path", "/metrics")),
            "__scrape_interval__" => time("scrape_interval", SCRAPE_INTERVAL),
            "__scrape_timeout__" => time("scrape_timeout", SCRAPE_TIMEOUT),
            _ => {
                let name = label.strip_prefix(PARAM)?;
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
        let rule = Body::new().with("target_label", label.to_string()).with("replacement", value(label)?);
        Some(match own_labels.contains(label.as_ref()) && !label.starts_with(PARAM) {
            true => rule.with("source_labels", Expression::texts([label.to_string()])).with("regex", "^$"),
            false => rule,
        })
    };
    read_labels.iter().filter_map(preset).collect()
}

/// Prefix of the labels that contain URL parameters.
const PARAM: &str = "__param_";

/// Collects the labels that the configuration lists for its targets.
fn collect_own_labels<'e>(targets: &'e Expression<'_>, labels: &mut BTreeSet<&'e str>) {
    match targets {
        Expression::List(targets) | Expression::Call(_, targets) => {
            targets.iter().for_each(|target| collect_own_labels(target, labels));
        }
        Expression::Object(target) => labels.extend(target.iter().map(|(name, _)| name.as_ref())),
        _ => {}
    }
}

/// Whether the agent sets this label before applying the rules.
fn is_preset(label: &str) -> bool {
    SCRAPE_LABELS.contains(&label) || label.starts_with(PARAM)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::alloy::write::target_rules::COPY_OF_JOB;
    use crate::output::alloy::write::target_rules::relabel_rule;

    fn presets(rules: &[Body<'_>], job_name: &str, scrape: &Body<'_>, targets: &Expression<'_>) -> Vec<Body<'static>> {
        let rules: Vec<_> = rules.iter().map(relabel_rule).collect();
        super::presets(&rules, &mut ExpressionCache::default(), job_name, scrape, targets)
    }

    fn labels(presets: &[Body<'_>]) -> Vec<String> {
        presets.iter().map(|rule| relabel_rule(rule).target_label.unwrap().into_owned()).collect()
    }

    /// Returns the labels that must be set before `rules`. Each rule consists of the labels it reads and the label it
    /// writes.
    fn set(rules: &[(&[&str], &str)]) -> Vec<String> {
        let body = |(reads, writes): &(&[&str], &str)| {
            Body::new()
                .with("source_labels", Expression::texts(reads.iter().map(|label| (*label).to_owned())))
                .with("target_label", (*writes).to_owned())
        };
        let rules: Vec<_> = rules.iter().map(body).collect();
        labels(&presets(&rules, "a", &Body::new(), &Expression::Null))
    }

    #[test]
    fn keeps_target_labels_except_parameters() {
        let target = |label: &str| Expression::Object(vec![(label.to_owned().into(), "own".into())]);
        let targets = Expression::List(["job", "__scheme__", "__param_q", "__param_r"].map(target).to_vec());
        let rule =
            Body::new().with("source_labels", Expression::texts(["job", "__metrics_path__"])).with("target_label", "x");
        let params = vec![("q".into(), Expression::List(vec!["a".into()]))];
        let scrape = Body::new().with("params", Expression::Object(params));
        let presets = presets(std::slice::from_ref(&rule), "a", &scrape, &targets);
        assert_eq!(labels(&presets), ["job", "__metrics_path__", "__param_q"]);
        assert_eq!(
            presets.iter().map(|rule| rule.attribute("regex").is_some()).collect::<Vec<_>>(),
            [true, false, false]
        );
    }

    #[test]
    fn sets_labels_that_rules_read_before_writing() {
        let copy: (&[&str], &str) = (&["job"], COPY_OF_JOB);
        assert!(set(&[copy, (&["other"], "x")]).is_empty());
        assert_eq!(set(&[copy, (&["job"], "x")]), ["job"]);
        assert_eq!(set(&[copy, (&[COPY_OF_JOB], "x")]), ["job"]);
        assert_eq!(set(&[copy, (&["other"], "job"), (&[COPY_OF_JOB], "x")]), ["job"]);
        assert_eq!(set(&[(&[COPY_OF_JOB], "x")]), [""; 0]);
        assert_eq!(set(&[copy, (&["__param_x"], "x")]), [""; 0]);
        assert!(set(&[copy, (&["other"], "job"), (&["job"], "x")]).is_empty());
        assert_eq!(set(&[(&["job"], "job"), (&["job"], "x")]), ["job"]);
        assert_eq!(set(&[copy, (&["__scheme__", "__metrics_path__"], "x")]), ["__scheme__", "__metrics_path__"]);
    }

    #[test]
    fn sets_labels_to_the_same_values_as_the_agent() {
        let secret = || Expression::Secret(SecretSource::Credential(7));
        let params = Expression::Object(vec![
            ("first".into(), Expression::texts(["a$b", "other"])),
            ("second".into(), Expression::texts(["second"])),
            ("hidden".into(), [secret()].into_iter().collect()),
            ("none".into(), Expression::texts([""; 0])),
            ("empty".into(), Expression::texts(["", "x"])),
            ("text".into(), "x".into()),
        ]);
        let all_settings = Body::new()
            .with("params", params)
            .with("scheme", "https")
            .with("metrics_path", "/$(SHARD)/$1")
            .with("scrape_interval", "1h30m0s")
            .with("scrape_timeout", "soon");
        let empty_settings = Body::new().with("scheme", "").with("scrape_timeout", "");
        let value = |scrape: &Body<'_>, job: &str, label: &'static str| {
            let rule = Body::new().with("source_labels", Expression::texts([label]));
            let presets = presets(std::slice::from_ref(&rule), job, scrape, &Expression::Null);
            assert!(presets.len() < 2, "{label}");
            let preset = presets.first()?;
            assert_eq!(relabel_rule(preset).target_label.as_deref(), Some(label));
            preset.attribute("replacement").cloned()
        };
        for (label, default, set) in [
            ("job", Some("a$$$$1"), Some("a$$$$1".into())),
            ("__scheme__", Some("http"), Some("https".into())),
            ("__metrics_path__", Some("/metrics"), Some("/$(SHARD)/$$$$1".into())),
            ("__scrape_interval__", Some("1m"), Some("1h30m".into())),
            ("__scrape_timeout__", Some("10s"), Some("soon".into())),
            ("__param_first", None, Some("a$$$$b".into())),
            ("__param_second", None, Some("second".into())),
            ("__param_hidden", None, Some(secret())),
            ("__param_none", None, None),
            ("__param_empty", None, None),
            ("__param_text", None, None),
            ("__param_other", None, None),
            ("__address__", None, None),
        ] {
            assert_eq!(value(&Body::new(), "a$1", label), default.map(Expression::from), "{label}");
            assert_eq!(value(&all_settings, "a$1", label), set, "{label}");
        }
        for label in ["job", "__scheme__", "__scrape_timeout__"] {
            assert_eq!(value(&empty_settings, "", label), None, "{label}");
        }
    }

    #[test]
    fn sets_labels_that_rules_copy_or_compare() {
        let params = Expression::Object(vec![("target".into(), Expression::texts(["x"]))]);
        let scrape = Body::new().with("params", params);
        let copy_labels = |regex| Body::new().with("regex", regex).with("action", "labelmap");
        let compare_label = |action| Body::new().with("target_label", "job").with("action", action);
        let sometimes_written =
            Body::new().with("source_labels", Expression::texts(["a"])).with("regex", "b").with("target_label", "job");
        let reading_rule = Body::new().with("source_labels", Expression::texts(["job"]));
        let writing_rule = |action| {
            let copied_label = Body::new().with("source_labels", Expression::texts(["a"]));
            copied_label.with("target_label", "job").with("action", action)
        };
        for (rules, expected) in [
            (vec![copy_labels("__param_(.+)")], ["__param_target"].as_slice()),
            (vec![copy_labels("(job)"), copy_labels("__(scheme)__")], &["job", "__scheme__"]),
            (vec![copy_labels("__meta_(.+)")], &[]),
            (vec![copy_labels("(.*)"), copy_labels("(.+)")], &[]),
            (
                vec![copy_labels("(.+)").with("replacement", "a_$1")],
                &[
                    "job",
                    "__scheme__",
                    "__metrics_path__",
                    "__scrape_interval__",
                    "__scrape_timeout__",
                    "__param_target",
                ],
            ),
            (vec![compare_label("keepequal")], &["job"]),
            (vec![compare_label("DropEqual")], &["job"]),
            (vec![compare_label("keep")], &[]),
            (vec![copy_labels("(")], &[]),
            (vec![sometimes_written, reading_rule.clone()], &["job"]),
            (vec![writing_rule("lowercase"), reading_rule.clone()], &[]),
            (vec![writing_rule("UpperCase"), reading_rule.clone()], &[]),
            (vec![writing_rule("hashmod"), reading_rule.clone()], &[]),
            (vec![writing_rule("labelkeep"), reading_rule], &["job"]),
        ] {
            assert_eq!(labels(&presets(&rules, "a", &scrape, &Expression::Null)), expected);
        }
    }
}
