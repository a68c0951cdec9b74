//! The jobs of a configuration → jobs as a shard runs them: as much of them as decides about targets. Additional ones are free form.

use std::borrow::Cow;
use std::collections::HashSet;

use super::job::{Job, JobRule, JobSource, RuleOrigin, StaticGroup};
use crate::diagnostic::FieldPath;
use crate::discovery::{Role, Selectors, Watch};
use crate::go::duration;
use crate::go::envsubst::expand;
use crate::plan::{AdditionalJobs, JobKind, SHARD, ScrapeJob};
use crate::relabel::{Config, Refusal, Rules};
use crate::resolve::SecretStore;
use crate::yaml::{self, Mapping, Style, Value};

/// What texts of a configuration become on the way to one shard of an agent, and what all jobs of it share.
pub(super) struct JobMaker<'m, 'd> {
    pub(super) shard: u32,
    /// The namespace of the agent.
    pub(super) namespace: &'d str,
    pub(super) interval: &'d str,
    pub(super) timeout: &'d str,
    pub(super) rules: &'m mut Rules,
}

/// Prometheus' defaults for all jobs (`DefaultGlobalConfig`).
const INTERVAL: &str = "1m";
const TIMEOUT: &str = "10s";

/// Whether a text differs between shards. Most have no variable.
fn names_shard(text: &str) -> bool {
    text.contains('$') && (text.contains(SHARD) || text.contains("${SHARD"))
}

impl<'d> JobMaker<'_, 'd> {
    /// A job of a configuration: one that is `planned` for a monitor or PodLogs, or an additional one. `origin` says where a rule
    /// comes from, by its number.
    pub(super) fn job(
        &mut self,
        kind: JobKind,
        job: &Value<'_>,
        planned: Option<&ScrapeJob<'d>>,
        origin: &dyn Fn(usize) -> RuleOrigin<'d>,
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
                    let origin = planned.and_then(ScrapeJob::discovery).map(|discovery| discovery.origin);
                    once.for_each(|watch| match self.watch_of(watch) {
                        Some(watch) => sources.push(JobSource::Watch { watch, origin }),
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
            JobKind::Metrics => self.defaults(&name, job),
            JobKind::Logs => Vec::new(),
        };
        let rules = job.items("relabel_configs").iter().enumerate();
        let rules = rules.map(|(number, rule)| (self.config(rule), origin(number), has_shard(rule)));
        let rules: Vec<_> = rules.collect();
        let (rules, refused) = self.compile(rules);
        Job {
            name,
            kind,
            monitor: planned.map(|job| job.name.object),
            origin: planned.map(|job| job.origin),
            sources,
            unknown,
            defaults,
            params,
            rules,
            refused,
            version: self.rules.version(),
        }
    }

    /// A text as the shard reads it: the config-reloader replaces `$(SHARD)`, and the agent its variables.
    fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let is_replaced = |pair: &[u8]| matches!(pair, [b'$', b'$' | b'(' | b'{']);
        if !text.contains('$') || !text.as_bytes().windows(2).any(is_replaced) {
            return Cow::Borrowed(text);
        }
        let shard = self.shard.to_string();
        let text = text.replace(SHARD, &shard);
        Cow::Owned(expand(&text, &|name| (name == "SHARD").then(|| shard.clone())).into_owned())
    }

    /// The text that the agent reads for a value.
    fn value(&self, value: &Value<'_>) -> String {
        match value.as_str() {
            Some(text) => self.text(text).into_owned(),
            None if *value == Value::Null => String::new(),
            None => yaml::write(value, Style::V3).trim_end().to_owned(),
        }
    }

    /// The labels that a target has by the settings of its job (`PopulateLabels`, with the defaults of `ScrapeConfig.Validate`).
    fn defaults(&self, name: &str, job: &Value<'_>) -> Vec<(Cow<'static, str>, String)> {
        let or = |text: String, default: &str| if text.is_empty() { default.to_owned() } else { text };
        let field = |key: &str, default: &str| or(self.value_of(job, key), default);
        let shared = |text: &str, default: &str| or(self.text(text).into_owned(), default);
        let nanoseconds = |text: &str| duration::of_prometheus(text).filter(|duration| *duration > 0);
        let written = |text: &str| nanoseconds(text).map_or_else(|| text.to_owned(), duration::to_prometheus);
        let interval = field("scrape_interval", &shared(self.interval, INTERVAL));
        let timeout = match self.value_of(job, "scrape_timeout") {
            own if !own.is_empty() && own != "0s" => own,
            _ => {
                let shared = shared(self.timeout, TIMEOUT);
                let is_longer = nanoseconds(&shared) > nanoseconds(&interval);
                if is_longer { interval.clone() } else { shared }
            }
        };
        vec![
            ("job".into(), name.to_owned()),
            ("__scrape_interval__".into(), written(&interval)),
            ("__scrape_timeout__".into(), written(&timeout)),
            ("__metrics_path__".into(), field("metrics_path", "/metrics")),
            ("__scheme__".into(), field("scheme", "http")),
        ]
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
            selectors.add(role, &labels, &fields)?;
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

    /// Compiles rules up to the first that the agent refuses.
    fn compile(
        &mut self,
        configs: Vec<(Config<'d>, RuleOrigin<'d>, bool)>,
    ) -> (Vec<JobRule<'d>>, Option<(usize, Refusal)>) {
        let mut compiled = Vec::with_capacity(configs.len());
        for (config, origin, is_of_shard) in configs {
            match self.rules.rule(config) {
                Ok(rule) => compiled.push(JobRule {
                    rule,
                    origin,
                    is_of_shard,
                }),
                Err(refusal) => {
                    let place = compiled.len();
                    return (compiled, Some((place, refusal)));
                }
            }
        }
        (compiled, None)
    }
}

/// The field of a rule in the list of jobs.
pub(super) fn rule_path(job: usize, rule: usize) -> FieldPath<'static> {
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
