//! Additional scrape jobs, which are free form: as much of them as decides about targets.

use std::borrow::Cow;
use std::collections::HashSet;

use super::job::{Job, JobMaker, JobSource, RuleOrigin, StaticGroup, names_shard};
use crate::diagnostic::FieldPath;
use crate::discovery::{Role, Selectors, Watch};
use crate::plan::{AdditionalJobs, JobKind};
use crate::relabel::Config;
use crate::resolve::SecretStore;
use crate::yaml::{self, Mapping, Style, Value};

impl<'d> JobMaker<'_, 'd> {
    /// An additional job, the one at `index` of its list, with the lines of its rules.
    pub fn additional(
        &mut self,
        kind: JobKind,
        from: &AdditionalJobs<'d>,
        index: usize,
        job: &Value<'_>,
        lines: &[u32],
    ) -> Job<'d> {
        let name = self.value_of(job, "job_name");
        let mut sources = Vec::new();
        let mut unknown = Vec::new();
        for (key, value) in fields(job).filter(|(key, _)| key.ends_with("_configs") && *key != "relabel_configs") {
            match key {
                "static_configs" => {
                    items(value).for_each(|group| sources.push(JobSource::Static(self.group(group, kind))))
                }
                // The same discovery twice runs once (`registerProviders`).
                "kubernetes_sd_configs" => {
                    let mut seen = HashSet::new();
                    let once = items(value).filter(|watch| seen.insert(yaml::write(&meaning(watch), Style::V3)));
                    once.for_each(|watch| match self.watch_of(watch) {
                        Some(watch) => sources.push(JobSource::Watch { watch, origin: None }),
                        None => unknown.push(key.to_owned()),
                    });
                }
                _ if key.ends_with("_sd_configs") => unknown.push(key.to_owned()),
                _ => {}
            }
        }
        let params = job.get("params").map(fields).into_iter().flatten();
        let params = params.map(|(name, values)| {
            (
                self.text(name).into_owned(),
                items(values).map(|value| self.value(value)).collect(),
            )
        });
        let params = params.collect();
        let defaults = match kind {
            JobKind::Metrics => {
                let field = |name: &str| self.value_of(job, name);
                let (scheme, path) = (field("scheme"), field("metrics_path"));
                self.defaults(
                    &name,
                    &scheme,
                    &path,
                    &field("scrape_interval"),
                    &field("scrape_timeout"),
                )
            }
            JobKind::Logs => Vec::new(),
        };
        let rules = job.get("relabel_configs").map(items).into_iter().flatten().enumerate();
        let rules = rules.map(|(number, rule)| {
            let origin = RuleOrigin::Additional {
                secret: from.secret,
                path: rule_path(index, number),
                line: lines.get(number).copied().unwrap_or(1),
            };
            (self.config(rule), origin, has_shard(rule))
        });
        let rules: Vec<_> = rules.collect();
        let (rules, refused) = self.compile(rules);
        Job {
            name,
            kind,
            monitor: None,
            origin: None,
            sources,
            unknown,
            defaults,
            params,
            rules,
            refused,
            version: self.rules.version(),
        }
    }

    fn value_of(&self, of: &Value<'_>, key: &str) -> String {
        of.get(key).map(|value| self.value(value)).unwrap_or_default()
    }

    /// Addresses and labels. Promtail reads a group without addresses as one target.
    fn group(&self, group: &Value<'_>, kind: JobKind) -> StaticGroup {
        let mut targets: Vec<_> = group.items("targets").iter().map(|target| self.value(target)).collect();
        if targets.is_empty() && kind == JobKind::Logs {
            targets.push("localhost".to_owned());
        }
        let labels = group.get("labels").map(fields).into_iter().flatten();
        StaticGroup {
            targets,
            labels: labels
                .map(|(name, value)| (name.to_owned(), self.value(value)))
                .collect(),
        }
    }

    /// What is watched; `None` for what cannot be read.
    fn watch_of(&self, config: &Value<'_>) -> Option<Watch> {
        let role = Role::of(&self.value_of(config, "role"))?;
        let namespaces = config.get("namespaces");
        let names = namespaces
            .map(|namespaces| namespaces.items("names"))
            .unwrap_or_default();
        let mut names: Vec<_> = names.iter().map(|name| self.value(name)).collect();
        let flag = |of: Option<&Value<'_>>, key: &str| matches!(of.and_then(|of| of.get(key)), Some(Value::Bool(true)));
        if flag(namespaces, "own_namespace") {
            names.push(self.namespace.to_owned());
        }
        let mut selectors = Selectors::default();
        for selector in config.items("selectors") {
            let role = Role::of(&self.value_of(selector, "role"))?;
            let (labels, fields) = (self.value_of(selector, "label"), self.value_of(selector, "field"));
            selectors.add(role, &labels, &fields).ok()?;
        }
        // The empty name stands for all namespaces.
        let is_limited = !names.is_empty() && !names.iter().any(String::is_empty);
        Some(Watch {
            role,
            namespaces: is_limited.then_some(names),
            attach_node: flag(config.get("attach_metadata"), "node"),
            selectors,
        })
    }

    fn config(&self, rule: &Value<'_>) -> Config<'static> {
        // A text of which the agent's variables leave nothing is null, and so not set.
        let text = |key: &str| {
            let value = rule.get(key).filter(|value| **value != Value::Null)?;
            let text = self.value(value);
            let is_gone = text.is_empty() && value.as_str().is_some_and(|text| !text.is_empty());
            (!is_gone).then_some(Cow::Owned(text))
        };
        Config {
            source_labels: rule
                .items("source_labels")
                .iter()
                .map(|label| self.value(label).into())
                .collect(),
            separator: text("separator"),
            regex: text("regex"),
            modulus: match rule.get("modulus") {
                Some(Value::Float(number)) if *number >= 0.0 => *number as u64,
                Some(Value::String(text)) => self.text(text).parse().unwrap_or_default(),
                _ => 0,
            },
            target_label: text("target_label").unwrap_or_default(),
            replacement: text("replacement"),
            action: text("action"),
        }
    }
}

/// The field of a rule in the list of jobs.
fn rule_path(job: usize, rule: usize) -> FieldPath<'static> {
    FieldPath::new().index(job).key("relabel_configs").index(rule)
}

/// The lines of the rules of each job in the text of the Secret.
pub(super) fn lines(from: &AdditionalJobs<'_>, secrets: &SecretStore<'_, '_>) -> Vec<Vec<u32>> {
    let jobs = from.jobs.iter().flatten();
    let count = |job: &Value<'_>| job.items("relabel_configs").len();
    let paths: Vec<_> = jobs
        .clone()
        .enumerate()
        .flat_map(|(index, job)| (0..count(job)).map(move |rule| rule_path(index, rule)))
        .collect();
    let mut lines = match paths.is_empty() {
        true => Vec::new(),
        false => from.lines(secrets, paths.iter()),
    }
    .into_iter();
    jobs.map(|job| lines.by_ref().take(count(job)).collect()).collect()
}

/// A discovery without the fields that say what Prometheus takes anyway; the others decide whether two are the same (`SDConfig`, which is
/// compared as decoded).
fn meaning<'v>(config: &Value<'v>) -> Value<'v> {
    let Value::Mapping(mapping) = config else {
        return config.clone();
    };
    let fields = mapping.iter().map(|(key, value)| (key, meaning(value)));
    let fields = fields.filter(|(key, value)| match value {
        Value::Null => false,
        Value::Bool(value) => *value != matches!(*key, "follow_redirects" | "enable_http2"),
        Value::String(text) => !text.is_empty() || matches!(*key, "api_server" | "proxy_url"),
        Value::Mapping(_) => {
            *value != Value::Mapping(Mapping::new()) || !matches!(*key, "namespaces" | "attach_metadata" | "tls_config")
        }
        _ => true,
    });
    let fields: Mapping<'v> = fields.map(|(key, value)| (key.to_owned().into(), value)).collect();
    fields.into()
}

fn fields<'v>(value: &'v Value<'_>) -> impl Iterator<Item = (&'v str, &'v Value<'v>)> + use<'v> {
    let mapping = match value {
        Value::Mapping(mapping) => Some(mapping),
        _ => None,
    };
    mapping.into_iter().flat_map(|mapping| mapping.iter())
}

fn items<'v>(value: &'v Value<'_>) -> impl Iterator<Item = &'v Value<'v>> + use<'v> {
    let items: &[Value<'v>] = match value {
        Value::Sequence(items) => items,
        _ => &[],
    };
    items.iter()
}

/// Whether a value differs between shards.
pub(super) fn has_shard(value: &Value<'_>) -> bool {
    match value {
        Value::String(text) => names_shard(text),
        Value::Sequence(items) => items.iter().any(has_shard),
        Value::Mapping(mapping) => mapping.iter().any(|(key, value)| names_shard(key) || has_shard(value)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discoveries_are_the_same_by_what_they_mean() {
        let role = || ("role", Value::from("pod"));
        let of = |fields: Vec<(&'static str, Value<'static>)>| {
            let fields = fields.into_iter().map(|(key, value)| (key.into(), value));
            meaning(&fields.collect::<Mapping<'_>>().into())
        };
        let plain = of(vec![role()]);
        let namespaces = Value::from([("own_namespace", Value::Bool(false))]);
        for (key, value, is_same) in [
            ("follow_redirects", Value::Bool(true), true),
            ("follow_redirects", Value::Bool(false), false),
            ("attach_metadata", Value::from([("node", Value::Bool(false))]), true),
            ("attach_metadata", Value::from([("node", Value::Bool(true))]), false),
            ("namespaces", namespaces, true),
            ("namespaces", Value::from([("own_namespace", Value::Bool(true))]), false),
            ("bearer_token", Value::from(""), true),
            ("api_server", Value::from(""), false),
        ] {
            assert_eq!(of(vec![role(), (key, value)]) == plain, is_same, "{key}");
        }
    }
}
