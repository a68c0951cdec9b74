//! Scrape jobs in `agent.yml` and pipelines in `config.alloy`.

use std::borrow::Cow;
use std::collections::BTreeMap;

use agentctl::targets::relabel::{CompiledRule, Config, RuleCompiler};
use serde_json::Value;

/// Settings that determine the requests of a scrape.
pub(super) struct Scrape {
    pub(super) job: String,
    pub(super) path: String,
    pub(super) scheme: String,
    pub(super) params: BTreeMap<String, String>,
    pub(super) honors_labels: bool,
}

/// A scrape job in `agent.yml`.
pub(super) struct Job {
    pub(super) name: String,
    /// Name of the instance, without the namespace.
    pub(super) instance: String,
    pub(super) sample_limit: u64,
    /// Static target, if any.
    pub(super) listed: Option<BTreeMap<String, String>>,
    pub(super) scrape: Scrape,
    pub(super) rules: Vec<CompiledRule<'static>>,
    pub(super) sample_rules: Vec<CompiledRule<'static>>,
}

/// Returns the scrape jobs of all instances in an agent configuration.
pub(super) fn jobs_of_agent(text: &str) -> Vec<Job> {
    let agent: Value = serde_yaml::from_str(text).unwrap();
    let string_or = |value: &Value, default: &str| value.as_str().unwrap_or(default).to_owned();
    let instances = agent["metrics"]["configs"].as_array().unwrap().iter();
    let jobs = instances.flat_map(|instance| {
        let jobs = instance["scrape_configs"].as_array().into_iter().flatten();
        jobs.map(|job| Job {
            name: string_or(&job["job_name"], ""),
            instance: string_or(&instance["name"], "").trim_start_matches("m/").to_owned(),
            sample_limit: job["sample_limit"].as_f64().unwrap_or_default() as u64,
            listed: job["static_configs"].get(0).map(static_target),
            scrape: Scrape {
                job: string_or(&job["job_name"], ""),
                path: string_or(&job["metrics_path"], "/metrics"),
                scheme: string_or(&job["scheme"], "http"),
                params: first_values(&job["params"]),
                honors_labels: job["honor_labels"] == true,
            },
            rules: rules_of_yaml(&job["relabel_configs"]),
            sample_rules: rules_of_yaml(&job["metric_relabel_configs"]),
        })
    });
    jobs.collect()
}

/// Returns the only target in a static group, including its labels.
fn static_target(group: &Value) -> BTreeMap<String, String> {
    let labels = group["labels"].as_object().into_iter().flatten();
    let labels = labels.map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned()));
    let address = ("__address__".to_owned(), group["targets"][0].as_str().unwrap().to_owned());
    labels.chain([address]).collect()
}

/// Returns the first value of each parameter.
fn first_values(params: &Value) -> BTreeMap<String, String> {
    let params = params.as_object().into_iter().flatten();
    params.map(|(name, values)| (name.clone(), values[0].as_str().unwrap().to_owned())).collect()
}

fn rules_of_yaml(rules: &Value) -> Vec<CompiledRule<'static>> {
    let rules = rules.as_array().into_iter().flatten();
    rules.map(|rule| compile_rule(|key| rule.get(key).cloned())).collect()
}

/// Compiles a rule from its settings, which have the same names in YAML and in Alloy's language.
fn compile_rule(setting: impl Fn(&str) -> Option<Value>) -> CompiledRule<'static> {
    // The rules are tested as they apply to shard 0.
    let text = |key| setting(key).map(|value| Cow::from(value.as_str().unwrap().replace("$(SHARD)", "0")));
    let sources = setting("source_labels").unwrap_or_default();
    let sources = sources.as_array().into_iter().flatten();
    let config = Config {
        source_labels: sources.map(|label| label.as_str().unwrap().to_owned().into()).collect(),
        separator: text("separator"),
        regex: text("regex"),
        modulus: setting("modulus").map_or(0, |modulus| modulus.as_f64().unwrap() as u64),
        target_label: text("target_label").unwrap_or_default(),
        replacement: text("replacement"),
        action: text("action"),
    };
    RuleCompiler::default().rule(config).unwrap()
}

/// A component, or a block inside one.
#[derive(Default)]
struct Block {
    kind: String,
    label: String,
    attributes: BTreeMap<String, String>,
    blocks: Vec<Block>,
}

/// An Alloy configuration.
pub(super) struct Alloy(Vec<Block>);

impl Alloy {
    /// Parses a configuration in the `alloy fmt` layout, in which each statement starts on a new line.
    pub(super) fn read(text: &str) -> Self {
        let mut open_blocks = vec![Block::default()];
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let line = line.trim();
            if let Some((name, value)) = line.split_once(" = ") {
                let mut value = value.to_owned();
                let end = match value.as_str() {
                    "{" => Some("}"),
                    "[{" => Some("}]"),
                    _ => None,
                };
                if let Some(end) = end {
                    for line in lines.by_ref().map(str::trim) {
                        value += line;
                        if line == end {
                            break;
                        }
                    }
                }
                let attributes = &mut open_blocks.last_mut().unwrap().attributes;
                attributes.insert(name.trim().to_owned(), value);
            } else if let Some(header) = line.strip_suffix(" {") {
                let (kind, label) = header.split_once(' ').unwrap_or((header, ""));
                open_blocks.push(Block {
                    kind: kind.to_owned(),
                    label: label.trim_matches('"').to_owned(),
                    ..Block::default()
                });
            } else if line == "}" {
                let block = open_blocks.pop().unwrap();
                open_blocks.last_mut().unwrap().blocks.push(block);
            }
        }
        assert_eq!(open_blocks.len(), 1);
        Self(open_blocks.pop().unwrap().blocks)
    }

    fn component(&self, kind: &str, label: &str) -> &Block {
        let matching = self.0.iter().find(|block| block.kind == kind && block.label == label);
        matching.unwrap_or_else(|| panic!("there is no {kind} {label}"))
    }

    /// Returns the pipeline for one of an instance's jobs.
    pub(super) fn scrape(&self, job: &str, instance: &str) -> Pipeline {
        let name = format!("\"{job}\"");
        let mut scrapes = self.0.iter().filter(|block| block.kind == "prometheus.scrape");
        let scrape = scrapes.find(|block| block.attributes["job_name"] == name).unwrap();
        let text =
            |name: &str, default: &str| scrape.attributes.get(name).map_or(default.to_owned(), |text| string(text));
        let targets = &scrape.attributes["targets"];
        let rules = targets.strip_prefix("discovery.relabel.").and_then(|rest| rest.strip_suffix(".output"));
        let receives = format!("prometheus.remote_write.m_{instance}.receiver");
        let receivers = scrape.attributes["forward_to"].trim_matches(['[', ']']).split(", ");
        let outlets = receivers.map(|receiver| match receiver.strip_prefix("prometheus.relabel.") {
            Some(rest) => {
                let relabel = self.component("prometheus.relabel", rest.strip_suffix(".receiver").unwrap());
                assert_eq!(relabel.attributes["forward_to"], format!("[{receives}]"));
                relabel.rules()
            }
            None => {
                assert_eq!(receiver, receives);
                Vec::new()
            }
        });
        Pipeline {
            rules: rules.map_or_else(Vec::new, |label| self.component("discovery.relabel", label).rules()),
            outlets: outlets.collect(),
            sample_limit: scrape.attributes.get("sample_limit").map_or(0, |limit| limit.parse().unwrap()),
            scrape: Scrape {
                job: job.to_owned(),
                path: text("metrics_path", "/metrics"),
                scheme: text("scheme", "http"),
                params: scrape.attributes.get("params").map_or_else(BTreeMap::new, |params| params_of(params)),
                honors_labels: scrape.attributes.get("honor_labels").is_some_and(|value| value == "true"),
            },
        }
    }
}

/// A scrape, with the rules before and after it.
pub(super) struct Pipeline {
    pub(super) rules: Vec<CompiledRule<'static>>,
    pub(super) scrape: Scrape,
    pub(super) outlets: Vec<Vec<CompiledRule<'static>>>,
    pub(super) sample_limit: u64,
}

impl Block {
    fn rules(&self) -> Vec<CompiledRule<'static>> {
        let rules = self.blocks.iter().filter(|block| block.kind == "rule");
        rules.map(|rule| compile_rule(|key| rule.attributes.get(key).map(|value| read(value)))).collect()
    }
}

fn read(value: &str) -> Value {
    match value {
        "sys.env(\"SHARD\")" => "0".into(),
        value => serde_json::from_str(value).unwrap_or_else(|_| panic!("{value}")),
    }
}

fn string(text: &str) -> String {
    read(text).as_str().unwrap().to_owned()
}

/// Parses parameters such as `{job = ["p"],module = ["x"],}`.
fn params_of(text: &str) -> BTreeMap<String, String> {
    let entries = text.trim_matches(['{', '}']).split("],");
    let entries = entries.filter_map(|entry| entry.split_once("= ["));
    entries.map(|(name, value)| (name.trim().to_owned(), string(value))).collect()
}
