//! A job as one shard of an agent runs it: texts with their variables replaced, rules compiled.

use std::borrow::Cow;

use crate::api::ObjectRef;
use crate::diagnostic::FieldPath;
use crate::discovery::{Selectors, Watch};
use crate::go::duration;
use crate::go::envsubst::expand;
use crate::plan::{self, JobKind, Origin, RelabelRule, SHARD, ScrapeJob, Targets};
use crate::relabel::{Config, Refusal, Rule, Rules, Version};
use crate::resolve::AssetKey;
use crate::yaml::{self, Style, Value};

pub struct Job<'d> {
    pub name: String,
    pub kind: JobKind,
    /// The monitor, Probe or PodLogs that it is made from; `None` for an additional job.
    pub monitor: Option<ObjectRef<'d>>,
    /// The endpoint or the resource that it is made from; `None` for an additional job.
    pub origin: Option<Origin<'d>>,
    /// Where its targets come from.
    pub sources: Vec<JobSource<'d>>,
    /// The fields of discoveries that only a live cluster or another service can answer.
    pub unknown: Vec<String>,
    /// Labels that a target has before the first rule unless discovery sets them.
    pub defaults: Vec<(Cow<'static, str>, String)>,
    /// The parameters of the URL.
    pub params: Vec<(String, Vec<String>)>,
    pub rules: Vec<JobRule<'d>>,
    /// Why the agent refuses its configuration with this job: the rule, and what is wrong.
    pub refused: Option<(usize, Refusal)>,
    /// The version of Prometheus that runs it.
    pub version: Version,
}

/// A rule, and where it comes from.
#[derive(Clone, Debug)]
pub struct JobRule<'d> {
    pub rule: Rule<'d>,
    /// Where it comes from.
    pub origin: RuleOrigin<'d>,
    /// Whether it differs between shards.
    pub is_of_shard: bool,
}

/// What a rule is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// It keeps the objects that the selector selects.
    Selector,
    /// It keeps the port of the endpoint.
    Port,
    /// It is a relabeling of the resource or of an additional job.
    User,
    /// Anything else that the operator adds.
    Operator,
}

impl<'d> JobRule<'d> {
    /// The rule as the configuration has it.
    pub fn config(&self) -> &Config<'d> {
        self.rule.config()
    }

    /// The field of a resource that it comes from.
    pub fn field(&self) -> Option<Origin<'d>> {
        match &self.origin {
            RuleOrigin::Field(origin) => Some(*origin),
            RuleOrigin::Additional { .. } | RuleOrigin::Unknown => None,
        }
    }

    pub fn part(&self) -> Part {
        match &self.origin {
            RuleOrigin::Field(origin) => match origin.fields() {
                ("spec.selector" | "spec.targets.ingress.selector", _) => Part::Selector,
                (_, "port" | "targetPort") if self.rule.is_filter() => Part::Port,
                (field, key) if key == "relabelings" || is_relabeling(field) => Part::User,
                _ => Part::Operator,
            },
            RuleOrigin::Additional { .. } => Part::User,
            RuleOrigin::Unknown => Part::Operator,
        }
    }
}

fn is_relabeling(field: &str) -> bool {
    field == "spec.relabelings" || field.ends_with(".relabelingConfigs")
}

/// Where a rule comes from.
#[derive(Clone, Debug)]
pub enum RuleOrigin<'d> {
    /// A field of a resource.
    Field(Origin<'d>),
    /// The YAML of additional jobs.
    Additional {
        /// The key of the Secret that has it.
        secret: AssetKey<'d>,
        /// The field in the list of jobs.
        path: FieldPath<'static>,
        /// Its line in the text of the Secret, from 1.
        line: u32,
    },
    /// Nothing of the input.
    Unknown,
}

/// Where targets come from.
#[derive(Clone, Debug)]
pub enum JobSource<'d> {
    /// They are discovered.
    Watch {
        watch: Watch,
        /// The field that decides about the namespaces.
        origin: Option<Origin<'d>>,
    },
    /// They are listed.
    Static(StaticGroup),
}

/// Addresses and the labels that they all have.
#[derive(Clone, Debug, Default)]
pub struct StaticGroup {
    /// The addresses.
    pub targets: Vec<String>,
    pub labels: Vec<(String, String)>,
}

/// What texts of a configuration become on the way to one shard of an agent, and what all jobs of it share.
pub struct JobMaker<'m, 'd> {
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
pub(super) fn names_shard(text: &str) -> bool {
    text.contains('$') && (text.contains(SHARD) || text.contains("${SHARD"))
}

impl<'d> JobMaker<'_, 'd> {
    /// A text as the shard reads it: the config-reloader replaces `$(SHARD)`, and the agent its variables.
    pub(super) fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let is_replaced = |pair: &[u8]| matches!(pair, [b'$', b'$' | b'(' | b'{']);
        if !text.contains('$') || !text.as_bytes().windows(2).any(is_replaced) {
            return Cow::Borrowed(text);
        }
        let shard = self.shard.to_string();
        let text = text.replace(SHARD, &shard);
        Cow::Owned(expand(&text, &|name| (name == "SHARD").then(|| shard.clone())).into_owned())
    }

    fn text_of(&self, text: &Cow<'d, str>) -> Cow<'d, str> {
        match text {
            Cow::Borrowed(text) => self.text(text),
            Cow::Owned(text) => Cow::Owned(self.text(text).into_owned()),
        }
    }

    /// The text that the agent reads for a value.
    pub(super) fn value(&self, value: &Value<'_>) -> String {
        match value {
            Value::String(text) => self.text(text).into_owned(),
            Value::Null => String::new(),
            other => yaml::write(other, Style::V3).trim_end().to_owned(),
        }
    }

    /// The job of a monitor or PodLogs.
    pub fn planned(&mut self, job: &ScrapeJob<'d>) -> Job<'d> {
        let source = match &job.targets {
            Targets::Discovered(discovery) => self.watch(discovery),
            Targets::Static { config, namespace, .. } => {
                let labels = config
                    .labels
                    .iter()
                    .map(|(name, value)| (name.to_owned(), self.text(value).into_owned()));
                let namespace = ("namespace".to_owned(), (*namespace).to_owned());
                JobSource::Static(StaticGroup {
                    targets: config
                        .r#static
                        .iter()
                        .map(|target| self.text(target).into_owned())
                        .collect(),
                    labels: labels.chain([namespace]).collect(),
                })
            }
        };
        let params = job.params.iter().map(|(name, values)| {
            let values = values.iter().map(|value| self.text(value).into_owned());
            (self.text(name).into_owned(), values.collect())
        });
        let params = params.collect();
        let name = job.name.to_string();
        let (rules, refused) = self.rules(&job.relabelings);
        Job {
            defaults: match job.kind() {
                JobKind::Metrics => self.defaults(&name, job.scheme, job.path, job.interval, job.timeout),
                JobKind::Logs => Vec::new(),
            },
            name,
            kind: job.kind(),
            monitor: Some(job.name.object),
            origin: Some(job.origin),
            sources: vec![source],
            unknown: Vec::new(),
            params,
            rules,
            refused,
            version: self.rules.version(),
        }
    }

    fn watch(&self, discovery: &plan::Discovery<'d>) -> JobSource<'d> {
        let names = discovery.namespaces.names();
        JobSource::Watch {
            watch: Watch {
                role: discovery.role,
                namespaces: names.map(|names| names.iter().map(|&name| name.to_owned()).collect()),
                attach_node: false,
                selectors: Selectors::default(),
            },
            origin: Some(discovery.origin),
        }
    }

    /// The labels that a target has by the settings of its job (`PopulateLabels`, with the defaults of `ScrapeConfig.Validate`).
    pub(super) fn defaults(
        &self,
        name: &str,
        scheme: &str,
        path: &str,
        interval: &str,
        timeout: &str,
    ) -> Vec<(Cow<'static, str>, String)> {
        let filled = |text: &str, default: &str| match self.text(text).as_ref() {
            "" => default.to_owned(),
            text => text.to_owned(),
        };
        let nanoseconds = |text: &str| duration::of_prometheus(text).filter(|duration| *duration > 0);
        let written = |text: &str| nanoseconds(text).map_or_else(|| text.to_owned(), duration::to_prometheus);
        let interval = filled(interval, &filled(self.interval, INTERVAL));
        let timeout = match (self.text(timeout), nanoseconds(&interval)) {
            (own, _) if !own.is_empty() && own != "0s" => own.into_owned(),
            (_, length) => {
                let shared = filled(self.timeout, TIMEOUT);
                let is_longer = nanoseconds(&shared) > length;
                if is_longer { interval.clone() } else { shared }
            }
        };
        vec![
            ("job".into(), name.to_owned()),
            ("__scrape_interval__".into(), written(&interval)),
            ("__scrape_timeout__".into(), written(&timeout)),
            ("__metrics_path__".into(), filled(path, "/metrics")),
            ("__scheme__".into(), filled(scheme, "http")),
        ]
    }

    fn rules(&mut self, rules: &[RelabelRule<'d>]) -> (Vec<JobRule<'d>>, Option<(usize, Refusal)>) {
        let configs = rules.iter().map(|rule| {
            // A field that is empty in the resource is missing in the configuration, and a text of which nothing is left is null.
            let optional = |text: Option<&Cow<'d, str>>| {
                let text = text.filter(|text| !text.is_empty()).map(|text| self.text_of(text));
                text.filter(|text| !text.is_empty())
            };
            let texts = [&rule.regex, &rule.replacement, &rule.target_label];
            let regex = rule.regex.as_ref();
            let config = Config {
                source_labels: match &rule.source_labels {
                    plan::Labels::Listed(labels) => labels.iter().map(|label| self.text(label)).collect(),
                    plan::Labels::One(label) => vec![self.text_of(label)],
                },
                separator: optional(Some(&rule.separator.into())),
                regex: optional(regex).or_else(|| regex.filter(|regex| regex.is_empty()).cloned()),
                modulus: rule.modulus,
                target_label: optional(rule.target_label.as_ref()).unwrap_or_default(),
                replacement: optional(rule.replacement.as_ref()),
                action: optional(Some(&rule.action.into())),
            };
            let origin = rule.origin.map_or(RuleOrigin::Unknown, RuleOrigin::Field);
            (
                config,
                origin,
                texts.into_iter().flatten().any(|text| names_shard(text)),
            )
        });
        let configs: Vec<_> = configs.collect();
        self.compile(configs)
    }

    /// Compiles rules up to the first that the agent refuses.
    pub(super) fn compile(
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
