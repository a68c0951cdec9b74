//! The `metrics` section: settings shared by all instances, the instances, and their jobs (`metrics.libsonnet`).

use super::fields::{self, DATA_DIRECTORY, FieldsBuilder, params, secret_map, texts};
use super::http::{CredentialFormat, value};
use super::stages;
use crate::plan::{
    Discovery, ExternalLabels, MetricsInstance, Plan, RelabelRule, RemoteWriteClient, ScrapeJob, TargetSource,
};
use crate::resolve::SecretStore;
use crate::yaml::{Mapping, Value};

/// Returns the section without its instances. `with_replica` determines whether it contains the replica label.
pub(super) fn shared_section<'v>(plan: &'v Plan<'v>, with_replica: bool) -> FieldsBuilder<'v> {
    let metrics = &plan.agent.spec.metrics;
    let replica = plan.external_labels.replica.filter(|_| with_replica);
    let labels = ExternalLabels { replica, ..plan.external_labels };
    let global = FieldsBuilder::new()
        .object("external_labels", external_labels(plan, labels))
        .text("scrape_interval", metrics.scrape_interval)
        .text("scrape_timeout", metrics.scrape_timeout)
        .list("remote_write", receivers(&plan.receivers, plan.secrets));
    FieldsBuilder::new().always("wal_directory", DATA_DIRECTORY).always("global", global)
}

/// Returns the labels to add to all samples and logs that are sent.
pub(super) fn external_labels<'v>(plan: &Plan<'v>, labels: ExternalLabels<'v>) -> Mapping<'v> {
    let values = labels.values(&plan.agent.meta).into_iter();
    values.map(|(label, value)| (label.into(), value.into())).collect()
}

pub(super) fn instance<'v>(
    plan: &'v Plan<'v>,
    instance: &'v MetricsInstance<'v>,
    jobs: Option<Vec<Value<'v>>>,
) -> FieldsBuilder<'v> {
    let spec = &instance.resource.spec;
    FieldsBuilder::new()
        .always("name", instance.resource.meta.full_name())
        .text("wal_truncate_frequency", spec.wal_truncate_frequency)
        .text("min_wal_time", spec.min_wal_time)
        .text("max_wal_time", spec.max_wal_time)
        .text("remote_flush_deadline", spec.remote_flush_deadline)
        .flag("write_stale_on_shutdown", spec.write_stale_on_shutdown == Some(true))
        .list("remote_write", receivers(&instance.receivers, plan.secrets))
        .option("scrape_configs", jobs)
}

fn receivers<'v>(receivers: &'v [RemoteWriteClient<'v>], secrets: &'v SecretStore<'v, 'v>) -> Vec<Value<'v>> {
    receivers.iter().map(|receiver| remote_write(receiver, secrets).into()).collect()
}

/// Returns the fields of a remote write (`remote_write.libsonnet`).
pub(in crate::output) fn remote_write<'v>(
    receiver: &'v RemoteWriteClient<'v>,
    secrets: &'v SecretStore<'v, 'v>,
) -> FieldsBuilder<'v> {
    let spec = receiver.spec;
    let sigv4 = spec.sigv4.as_ref().map(|config| {
        let value = |selector| value(&receiver.http.secret(selector), secrets);
        FieldsBuilder::new()
            .text("region", config.region)
            .text("profile", config.profile)
            .text("role_arn", config.role_arn)
            .option("access_key", config.access_key.as_ref().map(value))
            .option("secret_key", config.secret_key.as_ref().map(value))
    });
    FieldsBuilder::new()
        .always("url", spec.url)
        .text("name", spec.name)
        .text("remote_timeout", spec.remote_timeout)
        .object("headers", secret_map(&spec.headers))
        .list("write_relabel_configs", rules(&receiver.relabelings))
        .option("sigv4", sigv4)
        .nested_fields("queue_config", spec.queue_config.as_ref())
        .nested_fields("metadata_config", spec.metadata_config.as_ref())
        .client(receiver.http, secrets, CredentialFormat::File)
}

/// Returns the fields of a remote write as a value.
pub fn receiver<'v>(receiver: &'v RemoteWriteClient<'v>, secrets: &'v SecretStore<'v, 'v>) -> Value<'v> {
    remote_write(receiver, secrets).into()
}

/// Returns a metrics job or a logs job (`logs.libsonnet`).
pub fn job<'v>(job: &'v ScrapeJob<'v>, secrets: &'v SecretStore<'v, 'v>) -> Value<'v> {
    job_with(job, secrets, rules).into()
}

/// Returns a scrape job whose lists of relabeling rules have not been filled in yet.
pub(super) fn job_outline<'v>(job: &'v ScrapeJob<'v>, secrets: &'v SecretStore<'v, 'v>) -> FieldsBuilder<'v> {
    job_with(job, secrets, |_| Vec::new())
}

/// Initial capacity for a job's fields.
const JOB_FIELDS: usize = 16;

fn job_with<'v>(
    job: &'v ScrapeJob<'v>,
    secrets: &'v SecretStore<'v, 'v>,
    rules: impl Fn(&'v [RelabelRule<'v>]) -> Vec<Value<'v>>,
) -> FieldsBuilder<'v> {
    let fields = FieldsBuilder(Mapping::with_capacity(JOB_FIELDS))
        .always("job_name", job.name.text())
        .option("honor_labels", job.honor_labels)
        .option("honor_timestamps", job.honor_timestamps);
    let fields = match &job.targets {
        TargetSource::Discovered(discovery) => {
            fields.always("kubernetes_sd_configs", vec![kubernetes_sd(discovery, secrets).into()])
        }
        TargetSource::Static { config, namespace, .. } => {
            let mut labels = params(&config.labels);
            labels.set("namespace", *namespace);
            let config = FieldsBuilder::new().texts("targets", &config.r#static).always("labels", labels);
            fields.always("static_configs", vec![config.into()])
        }
    };
    let params = job.params.iter().map(|&(name, values)| (name.into(), string_list(name, values)));
    let metric_rules = (!job.metric_relabelings.is_empty()).then(|| rules(&job.metric_relabelings));
    fields
        .text("scrape_interval", job.interval)
        .text("scrape_timeout", job.timeout)
        .text("metrics_path", job.path)
        .object("params", params.collect())
        .text("scheme", job.scheme)
        .client(job.http, secrets, CredentialFormat::Plain)
        .always("relabel_configs", rules(&job.relabelings))
        .option("metric_relabel_configs", metric_rules)
        .option("sample_limit", job.sample_limit.map(|limit| limit as f64))
        .option("target_limit", job.target_limit.map(|limit| limit as f64))
        .list("pipeline_stages", job.stages.map(stages::all_stages).unwrap_or_default())
}

/// Returns the values of a URL parameter.
fn string_list<'v>(name: &str, values: &[&'v str]) -> Value<'v> {
    Value::Sequence(values.iter().map(|&value| fields::param(name, value)).collect())
}

/// Returns the service discovery for a job's targets (`kube_sd_config.libsonnet`).
pub(in crate::output) fn kubernetes_sd<'v>(
    discovery: &Discovery<'v>,
    secrets: &'v SecretStore<'v, 'v>,
) -> FieldsBuilder<'v> {
    let namespaces = discovery.namespaces.names();
    let fields = FieldsBuilder::new()
        .always("role", discovery.role.as_str())
        .option("namespaces", namespaces.map(|names| FieldsBuilder::new().always("names", texts(names))));
    match discovery.api_server {
        None => fields,
        Some((host, http)) => fields.text("api_server", host).client(http, secrets, CredentialFormat::Header),
    }
}

/// Returns relabeling rules, in order (`relabel_config.libsonnet`).
pub(super) fn rules<'v>(rules: &'v [RelabelRule<'v>]) -> Vec<Value<'v>> {
    rules.iter().map(|rule| relabel_config(rule).into()).collect()
}

pub(super) fn relabel_config<'v>(rule: &'v RelabelRule<'v>) -> FieldsBuilder<'v> {
    let labels: Vec<Value<'v>> = rule.source_labels.iter().map(Value::from).collect();
    // Target labels are not secret unless they become request parameters.
    let param = rule.target_label.as_deref().and_then(|label| label.strip_prefix("__param_"));
    let replacement = rule.replacement.as_deref().map(|text| match param {
        Some(name) => fields::param(name, text),
        None => text.into(),
    });
    FieldsBuilder::new()
        .list("source_labels", labels)
        .text("separator", rule.separator)
        .option("regex", rule.regex.as_deref())
        .number("modulus", rule.modulus as f64)
        .option("target_label", rule.target_label.as_deref())
        .option("replacement", replacement)
        .text("action", rule.action)
}
