//! Logs: `discovery.kubernetes` → `discovery.relabel` → `loki.source.file` → `loki.process` → `loki.write`.

use std::borrow::Cow;

use super::additional::{OTHER_SOURCES, discoveries};
use super::environment::env;
use super::free_form::{converted, mapping, text};
use super::http::Password;
use super::loss::Loss;
use super::metrics::{filled, rule, yaml_rules};
use super::origins::Made;
use super::stages;
use super::syntax::{Body, Expression, Statement};
use super::writer::{Group, Writer};
use crate::diagnostic::{Code, FieldPath};
use crate::plan::{LogsInstance, LogsJob, LogsReceiver, Origin};
use crate::target::agent::{DATA_DIRECTORY, stages as stages_of_agent};
use crate::yaml::{Mapping, Value};

/// A job between its targets and what it sends to.
struct Pipeline<'v, 'p> {
    label: String,
    targets: Expression<'v>,
    rules: Vec<Body<'v>>,
    stages: Vec<Statement<'v>>,
    source: Body<'v>,
    made: Made<'v, 'p>,
}

impl<'p> Writer<'p, '_> {
    /// An instance, with its jobs or without. The receivers of logs that it sends to are returned.
    pub(super) fn logs(&mut self, instance: &'p LogsInstance<'p>, with_jobs: bool) -> Expression<'static> {
        let meta = &instance.resource.meta;
        let name = format!("{}/{}", meta.namespace, meta.name);
        let prefix = format!("logs_{name}");
        let labels: Vec<_> = instance
            .receivers
            .iter()
            .map(|_| self.label("loki.write", &prefix))
            .collect();
        let receivers = labels
            .iter()
            .map(|label| Expression::Export("loki.write", label.clone().into(), "receiver"));
        let receivers: Expression<'static> = receivers.collect();
        if with_jobs {
            for job in instance.jobs() {
                self.logs_job(&job, instance, &prefix, &receivers);
            }
        }
        let origin = Origin::of(instance.resource).at("spec.additionalScrapeConfigs");
        if let Some(additional) = &instance.additional {
            let made = Made::Key(additional.secret);
            for (number, job) in additional.jobs.iter().flatten().enumerate() {
                let at = FieldPath::new().index(number);
                mapping(job)
                    .into_iter()
                    .for_each(|job| self.additional_logs(job, instance, &prefix, &receivers, (&at, made)));
            }
            self.report_lost(additional, origin);
        }
        for (receiver, label) in instance.receivers.iter().zip(&labels) {
            self.loki_write(receiver, label);
        }
        self.flush();
        receivers
    }

    fn loki_write(&mut self, receiver: &'p LogsReceiver<'p>, label: &str) {
        let spec = receiver.spec;
        let backoff = spec.backoff_config.as_ref();
        let endpoint = Body::new()
            .with("url", spec.url)
            .with_text("batch_wait", spec.batch_wait)
            .with_option("batch_size", filled(spec.batch_size).map(|size| size as f64))
            .with_text("remote_timeout", spec.timeout)
            .with_text("min_backoff_period", backoff.map_or("", |backoff| backoff.min_period))
            .with_text("max_backoff_period", backoff.map_or("", |backoff| backoff.max_period))
            .with_option(
                "max_backoff_retries",
                backoff.and_then(|b| filled(b.max_retries)).map(|n| n as f64),
            )
            .with_text("tenant_id", spec.tenant_id);
        let endpoint = self.client(endpoint, &receiver.http, Password::Value);
        let labels = self.external_labels(receiver.external_labels);
        let body = Body::new()
            .with_block("endpoint", endpoint)
            .with("external_labels", labels);
        self.put(Group::Receivers, "loki.write", label, body, Made::Client(receiver));
    }

    fn logs_job(&mut self, job: &LogsJob<'p>, instance: &'p LogsInstance<'p>, prefix: &str, to: &Expression<'static>) {
        let label = self.label("loki.source.file", &format!("{prefix}_{}", job.name));
        let body = self.kubernetes(&job.discovery).with_block("selectors", on_this_node());
        let targets = self.discovery("discovery.kubernetes", &label, body, Made::Discovery(&job.discovery));
        let of_agent = stages_of_agent(job.stages);
        let mut lost = Vec::new();
        let stages = stages::blocks(&of_agent, &FieldPath::new(), &mut |path| lost.push(path));
        let (numbers, stages): (Vec<_>, _) = stages.into_iter().unzip();
        let pipeline = Pipeline {
            label,
            targets,
            rules: job.relabelings.iter().map(rule).collect(),
            stages,
            source: Body::new(),
            made: Made::LogsJob {
                job,
                instance,
                stages: &numbers,
            },
        };
        self.logs_pipeline(pipeline, instance, to);
        let origin = job.origin.at("spec.pipelineStages");
        self.losses.extend(lost.into_iter().map(|below| Loss {
            code: Code::LostSetting,
            origin,
            message: format!("Alloy does not support `{below}` of the stages"),
            below,
            help: "remove it once nothing runs the agent any more",
        }));
    }

    fn additional_logs(
        &mut self,
        yaml: &'p Mapping<'p>,
        instance: &'p LogsInstance<'p>,
        prefix: &str,
        to: &Expression<'static>,
        (at, made): (&FieldPath<'static>, Made<'p, 'p>),
    ) {
        let name = text(yaml, "job_name");
        let label = self.label("loki.source.file", &format!("{prefix}_{name}"));
        let mut is_other = false;
        for (key, _) in yaml.iter().filter(|(key, _)| OTHER_SOURCES.contains(key)) {
            self.lost_in_text.push((Code::NotCollected, at.key((*key).to_owned())));
            is_other = true;
        }
        let targets = self.yaml_targets(yaml, &label, &[on_this_node()], (at, made));
        if is_other && targets == Expression::List(Vec::new()) {
            return;
        }
        let mut lost = Vec::new();
        let stages = match yaml.get("pipeline_stages") {
            Some(Value::Sequence(stages)) => {
                let path = FieldPath::new().key("pipeline_stages");
                stages::blocks(stages, &path, &mut |path| lost.push(path))
            }
            _ => Vec::new(),
        };
        let stages: Vec<_> = stages.into_iter().map(|(_, stage)| stage).collect();
        let mut other = vec![
            "job_name",
            "static_configs",
            "relabel_configs",
            "pipeline_stages",
            "journal",
        ];
        other.extend(OTHER_SOURCES);
        other.extend(discoveries(yaml).map(|(key, ..)| key));
        let source = converted("loki.source.file", yaml, &other);
        self.lose_in_text(at, source.unknown);
        self.lose_in_text(at, lost);
        if let Some(journal) = yaml.get("journal").and_then(mapping) {
            self.journal(
                journal,
                &label,
                yaml_rules(yaml, "relabel_configs"),
                stages,
                to.clone(),
                (at, made),
            );
            return;
        }
        let pipeline = Pipeline {
            label,
            targets,
            rules: yaml_rules(yaml, "relabel_configs"),
            stages,
            source: source.body,
            made,
        };
        self.logs_pipeline(pipeline, instance, to);
    }

    fn journal(
        &mut self,
        yaml: &'p Mapping<'p>,
        label: &str,
        rules: Vec<Body<'p>>,
        stages: Vec<Statement<'p>>,
        to: Expression<'static>,
        (at, made): (&FieldPath<'static>, Made<'p, 'p>),
    ) {
        let forward_to = self.process(label, stages, to.clone(), made);
        let converted = converted("loki.source.journal", yaml, &[]);
        self.lose_in_text(&at.key("journal"), converted.unknown);
        let mut body = converted.body.with("forward_to", forward_to);
        if !rules.is_empty() {
            let relabel = Body::new()
                .with("forward_to", Expression::List(Vec::new()))
                .with_blocks("rule", rules);
            self.put(Group::Sources, "loki.relabel", label, relabel, made);
            body = body.with(
                "relabel_rules",
                Expression::Export("loki.relabel", label.to_owned().into(), "rules"),
            );
        }
        self.put(Group::Sources, "loki.source.journal", label, body, made);
    }

    /// Writes the stages of a job; what comes before them sends to what is returned.
    fn process(
        &mut self,
        label: &str,
        stages: Vec<Statement<'_>>,
        to: Expression<'static>,
        made: Made<'_, 'p>,
    ) -> Expression<'static> {
        if stages.is_empty() {
            return to;
        }
        let mut body = Body::new().with("forward_to", to);
        body.0.extend(stages);
        self.put(Group::Sources, "loki.process", label, body, made);
        [Expression::Export("loki.process", label.to_owned().into(), "receiver")]
            .into_iter()
            .collect()
    }

    fn logs_pipeline(&mut self, pipeline: Pipeline<'_, 'p>, instance: &'p LogsInstance<'p>, to: &Expression<'static>) {
        let meta = &instance.resource.meta;
        let (label, made) = (pipeline.label.as_str(), pipeline.made);
        let forward_to = self.process(label, pipeline.stages, to.clone(), made);
        let mut targets = pipeline.targets;
        if !pipeline.rules.is_empty() {
            let body = Body::new().with("targets", targets).with_blocks("rule", pipeline.rules);
            self.put(Group::Sources, "discovery.relabel", label, body, made);
            targets = Expression::Export("discovery.relabel", label.to_owned().into(), "output");
        }
        let sync_period = instance
            .resource
            .spec
            .target_config
            .as_ref()
            .map_or("", |config| config.sync_period);
        let file_match = Body::new().with("enabled", true).with_text("sync_period", sync_period);
        let positions = format!("{DATA_DIRECTORY}/{}/{}.yml", meta.namespace, meta.name);
        let body = pipeline
            .source
            .with("targets", targets)
            .with("forward_to", forward_to)
            .with_block("file_match", file_match)
            .with("legacy_positions_file", Cow::Owned(positions));
        self.put(Group::Sources, "loki.source.file", label, body, made);
    }
}

/// The pods of the node that the pod runs on: the agent discovers no others.
fn on_this_node<'v>() -> Body<'v> {
    let node = Expression::Call(
        "coalesce",
        vec![env("HOSTNAME"), Expression::Name("constants.hostname")],
    );
    let field = Expression::Sum(vec!["spec.nodeName=".into(), node]);
    Body::new().with("role", "pod").with("field", field)
}
