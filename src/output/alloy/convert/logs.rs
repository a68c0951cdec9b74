//! Logs: `discovery.kubernetes` → `discovery.relabel` → `loki.source.file` → `loki.process` → `loki.write`.

use super::additional::{discoveries, is_other_source};
use super::free_form::{agent_body, convert_body, entries, scalar, text};
use super::http::with_tls_of_oauth2;
use super::metrics::discovery_name;
use super::rules::{rule_blocks, target_rule_bodies, yaml_rules};
use super::stages;
use super::target_labels::set;
use crate::diagnostic::{Code, FieldPath};
use crate::output::agent::{CredentialFormat, DATA_DIRECTORY, loki_client, stages as stages_of_agent};
use crate::output::alloy::losses::loss::TextLoss;
use crate::output::alloy::write::environment::env;
use crate::output::alloy::write::labels::{JobLabelParts, identity_label, job_labels};
use crate::output::alloy::write::origins::ComponentSource;
use crate::output::alloy::write::syntax::{Body, Expression, Statement};
use crate::output::alloy::write::target_rules::{count_ineffective, with_guards};
use crate::output::alloy::write::writer::{ComponentGroup, Writer};
use crate::plan::{LogsInstance, LokiClient, Origin, ScrapeJob};
use crate::programs::types::{LOGS_JOB, is_field};
use crate::yaml::Value;

/// Compression formats that Promtail and Alloy read.
const COMPRESSION_FORMATS: [&str; 3] = ["gz", "z", "bz2"];

/// Keys of an additional job that are not arguments of `loki.source.file`.
const OWN_KEYS: &str = "job_name static_configs relabel_configs pipeline_stages journal";

static NO_SOURCE: TextLoss = TextLoss::new(
    Code::NotCollected,
    "Alloy has no component for {}",
    "collect these logs with a separate configuration, or keep an agent for them",
);
static NO_FORMAT: TextLoss = TextLoss::new(
    Code::LostSetting,
    "neither Alloy nor the agent reads any lines, because {} sets no supported format",
    "set `format` to `gz`, `z` or `bz2`",
);

/// Log job, from its targets to its receivers.
struct LogPipeline<'v, 'p> {
    label: LogJobLabels,
    targets: Expression<'v>,
    rules: Vec<Body<'v>>,
    stages: Vec<Statement<'v>>,
    source: Body<'v>,
    component_source: ComponentSource<'v, 'p>,
}

/// Labels of the components for a log job.
struct LogJobLabels {
    /// Label of the component that stores positions.
    source: String,
    /// Label of all other components.
    other: String,
}

impl<'p> Writer<'p, '_> {
    /// Writes an instance, with or without its jobs, and returns the receivers of its logs.
    pub fn logs(&mut self, instance: &'p LogsInstance<'p>, with_jobs: bool) -> Expression<'static> {
        let meta = &instance.resource.meta;
        let own_label = identity_label(&[meta.namespace, meta.name]);
        let name = |number| match number {
            0 => own_label.clone(),
            number => format!("{own_label}_client_{}", number + 1),
        };
        let labels: Vec<_> =
            (0..instance.receivers.len()).map(|number| self.label("loki.write", &name(number))).collect();
        let receivers = labels.iter().map(|label| Expression::Export("loki.write", label.clone().into(), "receiver"));
        let receivers: Expression<'static> = receivers.collect();
        // Shared components are written before the first job, so that each job can be written immediately instead of
        // being buffered until the end.
        let jobs = || with_jobs.then(|| instance.jobs()).into_iter().flatten();
        let job_label_parts: Vec<_> = jobs().map(|job| JobLabelParts::from_name(job.name)).collect();
        let names = job_labels(&job_label_parts);
        let named_jobs = jobs().zip(&names);
        let prepared_jobs: Vec<_> = named_jobs.map(|(job, name)| self.prepare_logs(&job, name, instance)).collect();
        let origin = Origin::new(instance.resource);
        self.for_each_additional(origin, &instance.additional_jobs, |writer, job, (at, component_source)| {
            writer.additional_logs(job, instance, &receivers, (&at, component_source));
        });
        for (receiver, label) in instance.receivers.iter().zip(&labels) {
            self.comment(format!("LogsInstance {}", meta.full_name()));
            self.loki_write(receiver, label);
        }
        self.open_jobs(ComponentGroup::Pipelines);
        for (job, prepared_job) in jobs().zip(prepared_jobs) {
            self.logs_job(&job, prepared_job, instance, &receivers);
        }
        self.flush();
        receivers
    }

    fn loki_write(&mut self, receiver: &'p LokiClient<'p>, label: &str) {
        let fields = loki_client(self.plan, receiver, CredentialFormat::Header).0;
        let endpoint = agent_body("write.EndpointOptions", &fields);
        let labels = self.external_labels(receiver.external_labels);
        let body = Body::new().with_block("endpoint", with_tls_of_oauth2(endpoint)).with("external_labels", labels);
        self.put_component(ComponentGroup::Receivers, "loki.write", label, body, ComponentSource::Client(receiver));
    }

    /// Writes the targets of a job, and returns them with the labels of the job's components.
    fn prepare_logs(
        &mut self,
        job: &ScrapeJob<'p>,
        name: &str,
        instance: &LogsInstance<'p>,
    ) -> (LogJobLabels, Expression<'static>) {
        let (meta, pods) = (&instance.resource.meta, job.name.object);
        let identity = identity_label(&[meta.namespace, meta.name, pods.namespace, pods.name]);
        let label = LogJobLabels {
            source: self.label("loki.source.file", &identity),
            other: self.label("discovery.relabel", name),
        };
        let targets = job.discovery().map(|discovery| {
            let body = self.kubernetes(discovery).with_block("selectors", pods_on_this_node());
            let component_source = ComponentSource::Discovery(discovery);
            self.discovery("discovery.kubernetes", &discovery_name(discovery), body, component_source)
        });
        (label, targets.unwrap_or(Expression::Null))
    }

    fn logs_job(
        &mut self,
        job: &ScrapeJob<'p>,
        (label, targets): (LogJobLabels, Expression<'static>),
        instance: &'p LogsInstance<'p>,
        to: &Expression<'static>,
    ) {
        let pods = job.name.object;
        self.comment(format!("{} {}/{}", pods.kind, pods.namespace, pods.name));
        let agent_stages = job.stages.map(stages_of_agent).unwrap_or_default();
        let mut lost_settings = Vec::new();
        let stages = stages::blocks(&agent_stages, &FieldPath::new(), &mut lost_settings);
        let (numbers, stages): (Vec<_>, _) = stages.into_iter().unzip();
        let pipeline = LogPipeline {
            label,
            targets,
            rules: target_rule_bodies(&job.relabelings),
            stages,
            source: Body::new(),
            component_source: ComponentSource::Job {
                job,
                presets: 0,
                unused: count_ineffective(&job.relabelings),
                logs: Some((instance, &numbers)),
            },
        };
        self.logs_pipeline(pipeline, instance, to);
        let origin = job.origin.at("spec.pipelineStages");
        // Invalid stages are not reported here, because `check` reports them for every `--target`.
        let reported_losses = lost_settings.into_iter().filter(|(loss, _)| loss.code != Code::InvalidStage);
        for (loss, loss_path) in reported_losses {
            let (message, help) = match loss.code {
                Code::ChangedLabel => (
                    "in Alloy, metrics from log lines have the labels `component_id` and `component_path` instead of `logs_config`",
                    "change the queries that use `logs_config`",
                ),
                _ => (
                    &*format!("Alloy does not support `{loss_path}` in pipeline stages"),
                    "remove the field once you no longer use the agent",
                ),
            };
            self.report_loss_below(loss.code, (origin, &loss_path), message, help);
        }
    }

    fn additional_logs(
        &mut self,
        yaml: &'p Value<'p>,
        instance: &'p LogsInstance<'p>,
        to: &Expression<'static>,
        (at, component_source): (&FieldPath<'static>, ComponentSource<'p, 'p>),
    ) {
        let (name, meta) = (text(yaml, "job_name"), &instance.resource.meta);
        let identity = identity_label(&[meta.namespace, meta.name, "additional", name]);
        let label = self.label("loki.source.file", &identity);
        // Promtail reads files if the job has any, or else the journal, or else another source (`NewTargetManagers`).
        let has_files =
            yaml.get("static_configs").is_some() || discoveries(yaml).any(|(key, ..)| !is_other_source(key));
        let journal = yaml.get("journal").filter(|_| !has_files);
        if !has_files && journal.is_none() {
            let other_sources = entries(yaml).filter(|(key, _)| is_other_source(key));
            let other_source_losses = other_sources.map(|(key, _)| (&NO_SOURCE, at.key((*key).to_owned())));
            let lost_count = self.lost_in_text.len();
            self.lost_in_text.extend(other_source_losses);
            if self.lost_in_text.len() > lost_count {
                return;
            }
        }
        // Without a format, Promtail skips compressed files, whereas Alloy does not start.
        let decompression = yaml.get("decompression");
        let is_unpacked = decompression.is_some_and(|settings| COMPRESSION_FORMATS.contains(&text(settings, "format")));
        let is_enabled = decompression.and_then(|settings| settings.get("enabled")) == Some(&Value::Bool(true));
        if is_enabled && !is_unpacked && journal.is_none() {
            self.lost_in_text.push((&NO_FORMAT, at.key("decompression")));
            return;
        }
        let targets = self.yaml_targets(yaml, &[pods_on_this_node()], (at, component_source));
        let mut handled_keys: Vec<_> = OWN_KEYS.split(' ').collect();
        handled_keys.extend(entries(yaml).map(|(key, _)| key).filter(|key| is_other_source(key)));
        handled_keys.extend(discoveries(yaml).map(|(key, ..)| key));
        let (mut source, mut unknown_keys) = convert_body("loki.source.file", yaml, &handled_keys);
        // Keys that Promtail does not recognize are removed, because `check` reports them for every `--target`.
        unknown_keys.retain(|key| is_field(LOGS_JOB, key));
        self.record_lost_keys(at, unknown_keys);
        if !is_unpacked {
            source.0.retain(|statement| statement.name() != "decompression");
        }
        let (stages, path) = (yaml.items("pipeline_stages"), at.key("pipeline_stages"));
        let stages = stages::blocks(stages, &path, &mut self.lost_in_text).into_iter();
        let stages = stages.map(|(_, stage)| stage).collect();
        let rules = with_guards(yaml_rules(yaml, "relabel_configs"));
        if let Some(journal) = journal {
            self.write_with_stages(&label, stages, to, component_source, |writer, forward_to| {
                writer.journal((journal, name), instance, &label, rules, forward_to, (at, component_source));
            });
            return;
        }
        let pipeline = LogPipeline {
            label: LogJobLabels { other: self.label("discovery.relabel", &label), source: label },
            targets,
            rules,
            stages,
            source,
            component_source,
        };
        self.logs_pipeline(pipeline, instance, to);
    }

    /// Writes the journal source. Alloy sets `job` to the component's name, even if `labels` contains `job`
    /// (`newTailerWithJournal`).
    fn journal(
        &mut self,
        (yaml, name): (&'p Value<'p>, &'p str),
        instance: &LogsInstance<'p>,
        label: &str,
        mut rules: Vec<Body<'p>>,
        forward_to: Expression<'static>,
        (at, component_source): (&FieldPath<'static>, ComponentSource<'p, 'p>),
    ) {
        let (body, unknown_keys) = convert_body("loki.source.journal", yaml, &[]);
        self.record_lost_keys(&at.key("journal"), unknown_keys);
        let job = yaml.get("labels").and_then(|labels| labels.get("job"));
        rules.insert(0, set("job", job.map_or("".into(), scalar)));
        let relabel = Body::new().with_blocks("rule", rules);
        self.put_component(ComponentGroup::Pipelines, "loki.relabel", label, relabel, component_source);
        let rules = Expression::Export("loki.relabel", label.to_owned().into(), "rules");
        let position = Body::new().with("file", positions(instance)).with("name", name);
        let body = body.with("forward_to", forward_to);
        let body = body.with("relabel_rules", rules).with_block("legacy_position", position);
        self.put_component(ComponentGroup::Pipelines, "loki.source.journal", label, body, component_source);
    }

    /// Calls `put` to write the components that precede the stages of a job. Then writes the component for any stages,
    /// which forwards to `to`.
    fn write_with_stages(
        &mut self,
        label: &str,
        stages: Vec<Statement<'_>>,
        to: &Expression<'static>,
        component_source: ComponentSource<'_, 'p>,
        put: impl FnOnce(&mut Self, Expression<'static>),
    ) {
        if stages.is_empty() {
            return put(self, to.clone());
        }
        let receiver = Expression::Export("loki.process", label.to_owned().into(), "receiver");
        put(self, Expression::List(vec![receiver]));
        let body = Body::new().with("forward_to", to.clone()).with_statements(stages);
        self.put_component(ComponentGroup::Pipelines, "loki.process", label, body, component_source);
    }

    fn logs_pipeline(
        &mut self,
        pipeline: LogPipeline<'_, 'p>,
        instance: &'p LogsInstance<'p>,
        to: &Expression<'static>,
    ) {
        let (LogJobLabels { source, other: label }, component_source) = (&pipeline.label, pipeline.component_source);
        let (targets, mut rules) = (pipeline.targets, pipeline.rules);
        if has_host(&targets) || rules.iter().any(|rule| rule.text("target_label") == Some(HOST)) {
            rules.extend(own_host_rules());
        }
        let targets = self.relabel(label, targets, rule_blocks(rules), component_source);
        let config = instance.resource.spec.target_config.as_ref();
        let file_match =
            Body::new().with("enabled", true).with_text("sync_period", config.map_or("", |config| config.sync_period));
        self.write_with_stages(label, pipeline.stages, to, component_source, |writer, forward_to| {
            let body = pipeline
                .source
                .with("targets", targets)
                .with("forward_to", forward_to)
                .with_block("file_match", file_match)
                .with("legacy_positions_file", positions(instance));
            writer.put_component(ComponentGroup::Pipelines, "loki.source.file", source, body, component_source);
        });
    }
}

/// Returns the path of the agent's positions file for an instance.
fn positions(instance: &LogsInstance<'_>) -> String {
    format!("{DATA_DIRECTORY}/{}.yml", instance.resource.meta.full_name())
}

/// Label that contains a target's host, which Promtail compares with its own host.
const HOST: &str = "__host__";

/// Whether any listed target has a host.
fn has_host(targets: &Expression<'_>) -> bool {
    match targets {
        Expression::List(items) | Expression::Call(_, items) => items.iter().any(has_host),
        Expression::Object(labels) => labels.iter().any(|(label, _)| label == HOST),
        _ => false,
    }
}

/// Returns rules that keep the targets on this host and targets without a host (`targetSyncer.sync` in Promtail).
fn own_host_rules<'v>() -> [Body<'v>; 3] {
    const OWN_HOST_LABEL: &str = "__tmp_own_host";
    let host_rule = || Body::new().with("source_labels", Expression::texts([HOST]));
    [
        Body::new().with("target_label", OWN_HOST_LABEL).with("replacement", hostname()),
        host_rule().with("regex", "").with("target_label", HOST).with("replacement", hostname()),
        host_rule().with("target_label", OWN_HOST_LABEL).with("action", "keepequal"),
    ]
}

/// Returns the expression for this host's name: the node name if the pod's environment sets it, and the host name
/// otherwise.
fn hostname<'v>() -> Expression<'v> {
    Expression::Call("coalesce", vec![env("HOSTNAME"), Expression::Name("constants.hostname")])
}

/// Returns the selector for pods on the same node as Alloy's own pod. The agent discovers only these pods.
fn pods_on_this_node<'v>() -> Body<'v> {
    let field = Expression::Sum(vec!["spec.nodeName=".into(), hostname()]);
    Body::new().with("role", "pod").with("field", field)
}
