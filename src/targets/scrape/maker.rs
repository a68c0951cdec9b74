//! Conversion of the jobs in a configuration to the jobs that a shard runs, to the extent that the jobs affect targets.
//! Additional jobs are free-form YAML.

use std::borrow::Cow;
use std::collections::HashSet;

use super::job::{Job, JobRule, JobSource, RuleOrigin, StaticGroup, UnknownReason, UnknownTargets};
use crate::diagnostic::FieldPath;
use crate::go::duration;
use crate::go::envsubst::expand;
use crate::go::reloader;
use crate::plan::{AdditionalJobs, JobKind, SCRAPE_INTERVAL, SCRAPE_TIMEOUT, SHARD, ScrapeJob};
use crate::resolve::SecretStore;
use crate::targets::discovery::{DiscoveryRole, DiscoveryWatch, RoleSelectors};
use crate::targets::relabel::{Config, PrometheusVersion, RuleCompiler, RuleError};
use crate::yaml::{self, LibraryStyle, Mapping, Value};

/// Fields of a Promtail job that read logs without discovery, in the order in which Promtail looks for them
/// (`NewTargetManagers`).
const RECEIVERS: &[&str] = &[
    "journal",
    "syslog",
    "gcplog",
    "loki_push_api",
    "windows_events",
    "kafka",
    "azure_event_hubs",
    "gelf",
    "cloudflare",
    "heroku_drain",
];

/// Context shared by the jobs of one shard of an agent. It determines the values of variables.
pub(super) struct JobMaker<'m, 'd> {
    pub(super) shard: u32,
    /// Number of shards.
    pub(super) shards: u32,
    /// Namespace of the agent.
    pub(super) namespace: &'d str,
    pub(super) interval: &'d str,
    pub(super) timeout: &'d str,
    /// Agent's API server, or empty for the API server of the agent's cluster.
    pub(super) api_server: &'d str,
    /// Whether Alloy discovers the agent's monitors itself and runs their jobs as Prometheus does.
    pub(super) is_watched: bool,
    pub(super) rules: &'m mut RuleCompiler,
}

/// Whether a string differs between shards. Most strings contain no variables.
fn refers_to_shard(text: &str) -> bool {
    text.contains('$') && (text.contains(SHARD) || text.contains("${SHARD"))
}

impl<'d> JobMaker<'_, 'd> {
    /// Converts a job. `planned` is the planned job of a monitor or PodLogs, or `None` for an additional job. `origin`
    /// returns the origin of a rule by its index.
    pub(super) fn job(
        &mut self,
        kind: JobKind,
        job: &Value<'_>,
        planned: Option<&ScrapeJob<'d>>,
        origin: &dyn Fn(usize) -> RuleOrigin<'d>,
    ) -> Job<'d> {
        let name = self.format_setting(job, "job_name");
        let mut sources = Vec::new();
        let mut unknown = Vec::new();
        for (key, value) in fields(job).filter(|(key, _)| key.ends_with("_configs") && *key != "relabel_configs") {
            match key {
                "static_configs" => {
                    items(value).for_each(|group| sources.push(JobSource::Static(self.group(group, kind))))
                }
                // Identical discovery configurations run only once (`registerProviders`).
                "kubernetes_sd_configs" => {
                    let mut seen = HashSet::new();
                    let once = items(value)
                        .filter(|watch| seen.insert(yaml::write(&without_defaults(watch), LibraryStyle::V3)));
                    let origin = planned.and_then(ScrapeJob::discovery).map(|discovery| discovery.origin);
                    once.for_each(|watch| match self.discovery_watch(watch, planned.is_some()) {
                        Ok(watch) => sources.push(JobSource::Watch { watch, origin }),
                        Err(reason) => unknown.push(UnknownTargets { field: key.to_owned(), reason }),
                    });
                }
                _ if key.ends_with("_sd_configs") => {
                    unknown.push(UnknownTargets { field: key.to_owned(), reason: UnknownReason::OtherService })
                }
                _ => {}
            }
        }
        // Promtail ignores these fields if the job discovers targets.
        if kind == JobKind::Logs && sources.is_empty() && unknown.is_empty() {
            let is_set = |field: &&str| job.get(field).is_some_and(|value| *value != Value::Null);
            let receivers = RECEIVERS.iter().copied().find(is_set).into_iter();
            unknown.extend(
                receivers.map(|field| UnknownTargets { field: field.to_owned(), reason: UnknownReason::Receiver }),
            );
        }
        let params = job.get("params").map(fields).into_iter().flatten();
        let params = params.map(|(name, values)| {
            (self.text(name).into_owned(), items(values).map(|value| self.value(value)).collect())
        });
        let params = params.collect();
        let defaults = match kind {
            JobKind::Metrics => self.defaults(&name, job),
            JobKind::Logs => Vec::new(),
        };
        let rules = job.items("relabel_configs").iter().enumerate();
        let rules = rules.map(|(number, rule)| (self.config(rule), origin(number), depends_on_shard(rule)));
        let rules: Vec<_> = rules.collect();
        let (rules, refused) = self.compile(rules);
        Job {
            name,
            kind,
            monitor: planned.map(|job| job.name.object),
            index: None,
            origin: planned.map(|job| job.origin),
            sources,
            unknown,
            defaults,
            params,
            rules,
            refused,
            version: self.rules.version(),
            restores_settings: self.rules.version() == PrometheusVersion::V3 && !(self.is_watched && planned.is_some()),
        }
    }

    /// Returns a string as read by the shard: the config-reloader replaces `$(SHARD)` and `$(SHARDS)`, and the agent
    /// replaces its own variables.
    fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let is_replaced = |pair: &[u8]| matches!(pair, [b'$', b'$' | b'(' | b'{']);
        if !text.contains('$') || !text.as_bytes().windows(2).any(is_replaced) {
            return Cow::Borrowed(text);
        }
        let variable = |name: &str| match name {
            "SHARD" => Some(self.shard.to_string()),
            "SHARDS" => Some(self.shards.to_string()),
            _ => None,
        };
        let reloaded = reloader::expand(text, &variable).map_or(Cow::Borrowed(text), Cow::Owned);
        Cow::Owned(expand(&reloaded, &variable).into_owned())
    }

    /// Converts a value to the string that the agent reads.
    fn value(&self, value: &Value<'_>) -> String {
        match value.as_str() {
            Some(text) => self.text(text).into_owned(),
            None if *value == Value::Null => String::new(),
            None => yaml::write(value, LibraryStyle::V3).trim_end().to_owned(),
        }
    }

    /// Returns the labels that a job's settings add to its targets (`PopulateLabels`, with the defaults of
    /// `ScrapeConfig.Validate`).
    fn defaults(&self, name: &str, job: &Value<'_>) -> Vec<(Cow<'static, str>, String)> {
        let or = |text: String, default: &str| if text.is_empty() { default.to_owned() } else { text };
        let shared = |text: &str, default: &str| or(self.text(text).into_owned(), default);
        // Prometheus, unlike Alloy, does not replace an empty string with the default.
        let field = |key: &str, default: &str| match job.get(key) {
            Some(value) if *value != Value::Null && self.rules.version() == PrometheusVersion::V2 => self.value(value),
            _ => or(self.format_setting(job, key), default),
        };
        let nanoseconds = duration::parse_prometheus;
        let written = |text: &str| nanoseconds(text).map_or_else(|| text.to_owned(), duration::to_prometheus);
        // An empty string counts as unset.
        let own_setting = |key: &str| {
            Some(self.format_setting(job, key)).filter(|text| !text.is_empty() && nanoseconds(text) != Some(0))
        };
        let interval = own_setting("scrape_interval").unwrap_or_else(|| shared(self.interval, SCRAPE_INTERVAL));
        let timeout = own_setting("scrape_timeout").unwrap_or_else(|| {
            let shared = shared(self.timeout, SCRAPE_TIMEOUT);
            let is_longer = nanoseconds(&shared) > nanoseconds(&interval);
            if is_longer { interval.clone() } else { shared }
        });
        vec![
            ("job".into(), name.to_owned()),
            ("__scrape_interval__".into(), written(&interval)),
            ("__scrape_timeout__".into(), written(&timeout)),
            ("__metrics_path__".into(), field("metrics_path", "/metrics")),
            ("__scheme__".into(), field("scheme", "http")),
        ]
    }

    fn format_setting(&self, settings: &Value<'_>, key: &str) -> String {
        settings.get(key).map(|value| self.value(value)).unwrap_or_default()
    }

    /// Returns the addresses and labels of a group. Promtail treats a group without addresses as a single target.
    fn group(&self, group: &Value<'_>, kind: JobKind) -> StaticGroup {
        let mut targets: Vec<_> = group.items("targets").iter().map(|target| self.value(target)).collect();
        if targets.is_empty() && kind == JobKind::Logs {
            targets.push("localhost".to_owned());
        }
        let labels = group.get("labels").map(fields).into_iter().flatten();
        StaticGroup { targets, labels: labels.map(|(name, value)| (name.to_owned(), self.value(value))).collect() }
    }

    /// Returns the watch for a discovery, or the reason why its targets are unknown. A planned job watches the API
    /// server of its agent.
    fn discovery_watch(&self, config: &Value<'_>, is_planned: bool) -> Result<DiscoveryWatch, UnknownReason> {
        if !is_planned {
            self.check_cluster(config)?;
        }
        self.watch(config).ok_or(UnknownReason::Rejected)
    }

    /// Checks that a discovery uses the agent's own API server, whose objects are in the input.
    fn check_cluster(&self, config: &Value<'_>) -> Result<(), UnknownReason> {
        let api_server = self.format_setting(config, "api_server");
        let is_own = api_server == self.api_server || is_in_cluster(&api_server);
        match is_own || api_server.is_empty() {
            false => Err(UnknownReason::ApiServer),
            true if !self.format_setting(config, "kubeconfig_file").is_empty() => Err(UnknownReason::Kubeconfig),
            true => Ok(()),
        }
    }

    /// Returns the watch for a discovery, or `None` if the discovery is invalid.
    fn watch(&self, config: &Value<'_>) -> Option<DiscoveryWatch> {
        let role = DiscoveryRole::from_name(&self.format_setting(config, "role"))?;
        let namespaces = config.get("namespaces");
        let names = namespaces.map(|namespaces| namespaces.items("names")).unwrap_or_default();
        let mut names: Vec<_> = names.iter().map(|name| self.value(name)).collect();
        let flag = |settings: Option<&Value<'_>>, key: &str| {
            matches!(settings.and_then(|settings| settings.get(key)), Some(Value::Bool(true)))
        };
        if flag(namespaces, "own_namespace") {
            names.push(self.namespace.to_owned());
        }
        let mut selectors = RoleSelectors::default();
        for selector in config.items("selectors") {
            let role = DiscoveryRole::from_name(&self.format_setting(selector, "role"))?;
            let (labels, fields) = (self.format_setting(selector, "label"), self.format_setting(selector, "field"));
            selectors.add(role, &labels, &fields)?;
        }
        // An empty name selects all namespaces.
        let is_limited = !names.is_empty() && !names.iter().any(String::is_empty);
        Some(DiscoveryWatch {
            role,
            namespaces: is_limited.then_some(names),
            attach_node: flag(config.get("attach_metadata"), "node"),
            selectors,
        })
    }

    fn config(&self, rule: &Value<'_>) -> Config<'static> {
        // The operator omits null, but the agent reads a string that is empty after variable replacement as null. For
        // null, the agent's YAML library sets the empty string instead of the default.
        let text = |key: &str| {
            let value = rule.get(key).filter(|value| **value != Value::Null)?;
            Some(Cow::Owned(self.value(value)))
        };
        Config {
            source_labels: rule.items("source_labels").iter().map(|label| self.value(label).into()).collect(),
            separator: text("separator"),
            regex: text("regex"),
            modulus: match rule.get("modulus") {
                Some(Value::Float(number)) => *number as u64,
                Some(Value::String(text)) => self.text(text).parse().unwrap_or_default(),
                _ => 0,
            },
            target_label: text("target_label").unwrap_or_default(),
            replacement: text("replacement"),
            action: text("action"),
        }
    }

    /// Compiles rules up to the first rule that the agent rejects.
    fn compile(
        &mut self,
        configs: Vec<(Config<'d>, RuleOrigin<'d>, bool)>,
    ) -> (Vec<JobRule<'d>>, Option<(usize, RuleError)>) {
        let mut compiled = Vec::with_capacity(configs.len());
        for (config, origin, is_of_shard) in configs {
            match self.rules.rule(config) {
                Ok(rule) => compiled.push(JobRule { rule, origin, is_of_shard }),
                Err(refusal) => {
                    let place = compiled.len();
                    return (compiled, Some((place, refusal)));
                }
            }
        }
        (compiled, None)
    }
}

/// Whether a URL refers to the API server of the cluster in which a pod runs, regardless of the cluster.
fn is_in_cluster(url: &str) -> bool {
    let host = url.strip_prefix("https://").unwrap_or_default();
    let host = host.trim_end_matches('/');
    let host = host.strip_suffix(":443").unwrap_or(host);
    let host = host.strip_suffix(".cluster.local").unwrap_or(host);
    matches!(host, "kubernetes.default.svc" | "kubernetes.default" | "kubernetes")
}

/// Returns the path to a rule in the list of jobs.
pub(super) fn rule_path(job: usize, rule: usize) -> FieldPath<'static> {
    FieldPath::new().index(job).key("relabel_configs").index(rule)
}

/// Returns the line numbers of each job's rules in the Secret's value.
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

/// Returns a discovery without the fields whose values are Prometheus' defaults. Two discoveries are equal if their
/// remaining fields are equal, because Prometheus compares discoveries after decoding (`SDConfig`).
fn without_defaults<'v>(config: &Value<'v>) -> Value<'v> {
    let Value::Mapping(mapping) = config else {
        return config.clone();
    };
    let fields = mapping.iter().map(|(key, value)| (key, without_defaults(value)));
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
pub(super) fn depends_on_shard(value: &Value<'_>) -> bool {
    match value {
        Value::String(text) => refers_to_shard(text),
        Value::Sequence(items) => items.iter().any(depends_on_shard),
        Value::Mapping(mapping) => mapping.iter().any(|(key, value)| refers_to_shard(key) || depends_on_shard(value)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compares_discoveries_semantically() {
        let role = || ("role", Value::from("pod"));
        let discovery = |fields: Vec<(&'static str, Value<'static>)>| {
            let fields = fields.into_iter().map(|(key, value)| (key.into(), value));
            without_defaults(&fields.collect::<Mapping<'_>>().into())
        };
        let plain = discovery(vec![role()]);
        let namespaces = Value::from([("own_namespace", Value::Bool(false))]);
        for (key, value, is_same) in [
            ("follow_redirects", Value::Bool(true), true),
            ("follow_redirects", Value::Bool(false), false),
            ("attach_metadata", Value::from([("node", Value::Bool(false))]), true),
            ("attach_metadata", Value::from([("node", Value::Bool(true))]), false),
            ("namespaces", namespaces, true),
            ("namespaces", Value::from([("own_namespace", Value::Bool(true))]), false),
            ("bearer_token", Value::from(""), true),
            ("bearer_token", Value::Null, true),
            ("bearer_token", Value::from("x"), false),
            ("proxy_url", Value::from(""), false),
            ("enable_http2", Value::Bool(true), true),
            ("enable_http2", Value::Bool(false), false),
            ("other", Value::Bool(false), true),
            ("other", Value::Bool(true), false),
            ("other", Value::Float(0.0), false),
            ("namespaces", Mapping::new().into(), true),
            ("attach_metadata", Mapping::new().into(), true),
            ("tls_config", Mapping::new().into(), true),
            ("tls_config", Value::from([("ca", Value::Null)]), true),
            ("basic_auth", Mapping::new().into(), false),
            ("api_server", Value::from(""), false),
        ] {
            assert_eq!(discovery(vec![role(), (key, value)]) == plain, is_same, "{key}");
        }
    }

    /// Converts JSON to the job that a shard runs.
    fn make_job(kind: JobKind, interval: &str, timeout: &str, job: serde_json::Value) -> Job<'static> {
        let mut rules = RuleCompiler::default();
        let (interval, timeout) = (interval.to_owned().leak(), timeout.to_owned().leak());
        let mut maker = JobMaker {
            shard: 2,
            shards: 3,
            namespace: "own",
            interval,
            timeout,
            api_server: "https://own.example",
            is_watched: false,
            rules: &mut rules,
        };
        maker.job(kind, &Value::from(job), None, &|_| RuleOrigin::Operator)
    }

    #[test]
    fn replaces_shard_variables() {
        let mut rules = RuleCompiler::default();
        let maker = JobMaker {
            shard: 2,
            shards: 3,
            namespace: "own",
            interval: "",
            timeout: "",
            api_server: "https://own.example",
            is_watched: false,
            rules: &mut rules,
        };
        for (text, expected, differs) in [
            ("a", "a", false),
            ("a$1", "a$1", false),
            ("a$(SHARD)", "a2", true),
            ("a${SHARD}", "a2", true),
            ("a${SHARD:-x}", "a2", true),
            ("a$$(b)", "a$(b)", false),
            ("a${OTHER}b", "ab", false),
            ("a${OTHER:-x}b", "axb", false),
            ("SHARD", "SHARD", false),
        ] {
            assert_eq!(maker.text(text), expected, "{text}");
            assert_eq!(refers_to_shard(text), differs, "{text}");
        }
        for (value, expected) in [
            (serde_json::json!("$(SHARD)"), "2"),
            (serde_json::json!(null), ""),
            (serde_json::json!(5), "5"),
            (serde_json::json!(true), "true"),
        ] {
            assert_eq!(maker.value(&value.into()), expected);
        }
        for (value, expected) in [
            (serde_json::json!("a"), false),
            (serde_json::json!([{"a": "$(SHARD)"}]), true),
            (serde_json::json!({"$(SHARD)": "a"}), true),
            (serde_json::json!({"a": ["b", 5]}), false),
        ] {
            assert_eq!(depends_on_shard(&value.into()), expected);
        }
    }

    /// An unset timeout never exceeds the interval (`ScrapeConfig.Validate`).
    #[test]
    fn jobs_without_intervals_use_the_defaults() {
        for (shared, own, expected) in [
            (["", ""], serde_json::json!({}), ["1m", "10s"]),
            (["30s", "20s"], serde_json::json!({}), ["30s", "20s"]),
            (["30s", "40s"], serde_json::json!({}), ["30s", "30s"]),
            (["5s", ""], serde_json::json!({}), ["5s", "5s"]),
            (["10s", ""], serde_json::json!({}), ["10s", "10s"]),
            (["30s", "20s"], serde_json::json!({"scrape_interval": "15s"}), ["15s", "15s"]),
            (["30s", "20s"], serde_json::json!({"scrape_timeout": "25s"}), ["30s", "25s"]),
            (["30s", "20s"], serde_json::json!({"scrape_timeout": "90s"}), ["30s", "1m30s"]),
            (["30s", "20s"], serde_json::json!({"scrape_timeout": "0s"}), ["30s", "20s"]),
            (["30s", "20s"], serde_json::json!({"scrape_interval": "0s", "scrape_timeout": "0"}), ["30s", "20s"]),
            (["", ""], serde_json::json!({"scrape_interval": "0ms"}), ["1m", "10s"]),
            (["0", ""], serde_json::json!({}), ["0s", "0s"]),
            (["x", "20s"], serde_json::json!({}), ["x", "x"]),
            (["60s", "0s"], serde_json::json!({}), ["1m", "0s"]),
        ] {
            let job = make_job(JobKind::Metrics, shared[0], shared[1], own.clone());
            let default_value = |name: &str| job.defaults.iter().find(|(known, _)| known == name).unwrap().1.clone();
            let actual = [default_value("__scrape_interval__"), default_value("__scrape_timeout__")];
            assert_eq!(actual, expected, "{shared:?} {own}");
            assert_eq!([default_value("__metrics_path__"), default_value("__scheme__")], ["/metrics", "http"]);
        }
        assert_eq!(make_job(JobKind::Logs, "", "", serde_json::json!({})).defaults, []);
    }

    /// Expected values are from promtool.
    #[test]
    fn empty_scheme_and_path_override_the_defaults() {
        for (job, expected) in [
            (serde_json::json!({}), ["/metrics", "http"]),
            (serde_json::json!({"scheme": null}), ["/metrics", "http"]),
            (serde_json::json!({"scheme": "https", "metrics_path": "m"}), ["m", "https"]),
            (serde_json::json!({"scheme": "", "metrics_path": ""}), ["", ""]),
            (serde_json::json!({"scheme": "${GONE}"}), ["/metrics", ""]),
            (serde_json::json!({"metrics_path": 5.0}), ["5", "http"]),
        ] {
            let made = make_job(JobKind::Metrics, "", "", job.clone());
            let default_value = |name: &str| made.defaults.iter().find(|(known, _)| known == name).unwrap().1.clone();
            assert_eq!([default_value("__metrics_path__"), default_value("__scheme__")], expected, "{job}");
        }
    }

    #[test]
    fn reads_discoveries_and_static_targets() {
        let job = make_job(
            JobKind::Metrics,
            "",
            "",
            serde_json::json!({
                "job_name": "a",
                "params": {"$(SHARD)": ["x", "y"]},
                "static_configs": [{"targets": ["a:1", "$(SHARD):2"], "labels": {"l": "$(SHARD)"}}, {"labels": {"m": "n"}}],
                "kubernetes_sd_configs": [
                    {"role": "pod"},
                    {"role": "pod", "follow_redirects": true},
                    {"role": "node", "namespaces": {"names": ["b"], "own_namespace": true}, "attach_metadata": {"node": true}},
                    {"role": "service", "namespaces": {"names": ["b", ""]}},
                    {"role": "pods"},
                    {"role": "pod", "selectors": [{"role": "pod", "label": "a in b"}]},
                ],
                "dns_sd_configs": [],
                "metric_relabel_configs": [],
                "relabel_configs": [{"action": "keep", "regex": "$(SHARD)"}, {"action": "drop"}, {"action": "no"}, {"action": "keep"}],
            }),
        );
        assert_eq!(job.name, "a");
        assert_eq!(job.params, [("2".to_owned(), vec!["x".to_owned(), "y".to_owned()])]);
        let shown = job.sources.iter().map(|source| match source {
            JobSource::Static(group) => format!("{:?} {:?}", group.targets, group.labels),
            JobSource::Watch { watch, .. } => format!("{:?} {:?} {}", watch.role, watch.namespaces, watch.attach_node),
        });
        assert_eq!(
            shown.collect::<Vec<_>>(),
            [
                "Pod None false",
                r#"Node Some(["b", "own"]) true"#,
                "Service None false",
                r#"["a:1", "2:2"] [("l", "2")]"#,
                r#"[] [("m", "n")]"#,
            ]
        );
        let unknown: Vec<_> = job.unknown.iter().map(ToString::to_string).collect();
        let rejected =
            "targets of `kubernetes_sd_configs` are unknown offline: the API server rejects `role` or `selectors`";
        assert_eq!(unknown, ["targets of `dns_sd_configs` are unknown offline", rejected, rejected],);
        let are_of_shard: Vec<_> = job.rules.iter().map(|rule| rule.is_of_shard).collect();
        assert_eq!((are_of_shard, job.refused), (vec![true, false], Some((2, RuleError::RelabelAction))));
        // Promtail treats a group without addresses as a single target.
        let logs = make_job(
            JobKind::Logs,
            "",
            "",
            serde_json::json!({"static_configs": [{"labels": {"m": "n"}}, {"targets": ["a"]}]}),
        );
        let targets = logs.sources.iter().map(|source| match source {
            JobSource::Static(group) => group.targets.concat(),
            JobSource::Watch { .. } => String::new(),
        });
        assert_eq!(targets.collect::<Vec<_>>(), ["localhost", "a"]);
    }

    #[test]
    fn jobs_without_discovery_have_unknown_targets() {
        for (kind, job, expected) in [
            (
                JobKind::Logs,
                serde_json::json!({"journal": {}}),
                Some("`journal` reads logs without discovering targets"),
            ),
            (
                JobKind::Logs,
                serde_json::json!({"journal": null, "syslog": {}, "kafka": {}}),
                Some("`syslog` reads logs without discovering targets"),
            ),
            (JobKind::Logs, serde_json::json!({"journal": {}, "static_configs": [{}]}), None),
            (
                JobKind::Logs,
                serde_json::json!({"journal": {}, "docker_sd_configs": [{}]}),
                Some("targets of `docker_sd_configs` are unknown offline"),
            ),
            (JobKind::Logs, serde_json::json!({}), None),
            (JobKind::Metrics, serde_json::json!({"journal": {}}), None),
        ] {
            let shown = job.to_string();
            let unknown: Vec<_> = make_job(kind, "", "", job).unknown.iter().map(ToString::to_string).collect();
            assert_eq!(unknown, Vec::from_iter(expected.map(str::to_owned)), "{shown}");
        }
    }

    #[test]
    fn discoveries_in_other_clusters_are_unknown() {
        for (discovery, expected) in [
            (serde_json::json!({"role": "pod"}), None),
            (serde_json::json!({"role": "pod", "api_server": "https://own.example"}), None),
            (serde_json::json!({"role": "pod", "api_server": "https://kubernetes.default.svc:443/"}), None),
            (serde_json::json!({"role": "pod", "api_server": "https://kubernetes.default.svc.cluster.local"}), None),
            (serde_json::json!({"role": "pod", "api_server": "https://east.example"}), Some(UnknownReason::ApiServer)),
            (serde_json::json!({"role": "pod", "kubeconfig_file": "/etc/kubeconfig"}), Some(UnknownReason::Kubeconfig)),
            (serde_json::json!({"role": "pod", "api_server": "", "kubeconfig_file": ""}), None),
        ] {
            let shown = discovery.to_string();
            let job = make_job(JobKind::Metrics, "", "", serde_json::json!({"kubernetes_sd_configs": [discovery]}));
            let actual = job.unknown.first().map(|unknown| unknown.reason);
            assert_eq!((actual, job.sources.len()), (expected, usize::from(expected.is_none())), "{shown}");
        }
    }

    #[test]
    fn reads_rules_like_the_agent() {
        let config = |rule: serde_json::Value| {
            let job = make_job(JobKind::Metrics, "", "", serde_json::json!({"relabel_configs": [rule]}));
            job.rules[0].config().clone()
        };
        let empty = Config::default();
        assert_eq!(config(serde_json::json!({})), empty);
        assert_eq!(config(serde_json::json!({"regex": null, "replacement": null})), empty);
        let set = Config {
            separator: Some("".into()),
            regex: Some("".into()),
            replacement: Some("".into()),
            ..Config::default()
        };
        for text in ["", "${GONE}"] {
            let rule = serde_json::json!({"separator": text, "regex": text, "replacement": text, "target_label": text});
            assert_eq!(config(rule), set, "{text}");
        }
        for (modulus, expected) in [
            (serde_json::json!(3.0), 3),
            (serde_json::json!(0.0), 0),
            (serde_json::json!(-1.0), 0),
            (serde_json::json!("4"), 4),
            (serde_json::json!("$(SHARD)"), 2),
            (serde_json::json!("$(SHARDS)"), 3),
            (serde_json::json!("${SHARDS}"), 3),
            (serde_json::json!("x"), 0),
            (serde_json::json!([5]), 0),
        ] {
            assert_eq!(config(serde_json::json!({"modulus": modulus})).modulus, expected, "{modulus}");
        }
    }
}
