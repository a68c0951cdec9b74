//! `logs`: the instances, and their jobs (`logs.libsonnet`).

use super::fields::Fields;
use super::http::Spelling;
use super::metrics::{external_labels, kubernetes_sd, rules};
use super::stages;
use crate::api::LogsBackoffConfig;
use crate::plan::{LogsInstance, LogsJob, LokiClient, Plan};
use crate::resolve::SecretStore;
use crate::yaml::Value;

/// An instance with these jobs; a list of none is written too.
pub(super) fn instance<'v>(
    plan: &'v Plan<'v>,
    instance: &'v LogsInstance<'v>,
    jobs: Option<Vec<Value<'v>>>,
) -> Fields<'v> {
    let target_config = instance.resource.spec.target_config.as_ref();
    let clients = instance
        .receivers
        .iter()
        .map(|receiver| client(plan, receiver, Spelling::Plain).into());
    Fields::new()
        .always("name", instance.resource.meta.full_name())
        .list("clients", clients.collect())
        .option("scrape_configs", jobs)
        .option(
            "target_config",
            target_config.map(|config| Fields::new().text("sync_period", config.sync_period)),
        )
}

/// `client.libsonnet`.
pub(in crate::target) fn client<'v>(
    plan: &'v Plan<'v>,
    receiver: &'v LokiClient<'v>,
    spelling: Spelling,
) -> Fields<'v> {
    let spec = receiver.spec;
    Fields::new()
        .always("url", spec.url)
        .text("tenant_id", spec.tenant_id)
        .text("timeout", spec.timeout)
        .text("batchwait", spec.batch_wait)
        .number("batchsize", spec.batch_size as f64)
        .option("backoff_config", spec.backoff_config.as_ref().map(backoff))
        .object("external_labels", external_labels(plan, receiver.external_labels))
        .client(receiver.http, plan.secrets, spelling)
}

fn backoff<'v>(config: &LogsBackoffConfig<'v>) -> Fields<'v> {
    Fields::new()
        .text("min_period", config.min_period)
        .text("max_period", config.max_period)
        .number("max_retries", config.max_retries as f64)
}

/// A job that reads the logs of pods.
pub(super) fn job<'v>(job: &'v LogsJob<'v>, secrets: &'v SecretStore<'v, 'v>) -> Fields<'v> {
    job_with(job, secrets, rules(&job.relabelings))
}

/// The same with an empty list of relabelling rules.
pub(super) fn job_outline<'v>(job: &'v LogsJob<'v>, secrets: &'v SecretStore<'v, 'v>) -> Fields<'v> {
    job_with(job, secrets, Vec::new())
}

fn job_with<'v>(job: &'v LogsJob<'v>, secrets: &'v SecretStore<'v, 'v>, rules: Vec<Value<'v>>) -> Fields<'v> {
    Fields::new()
        .always("job_name", job.name.to_string())
        .always(
            "kubernetes_sd_configs",
            vec![kubernetes_sd(&job.discovery, secrets).into()],
        )
        .list("pipeline_stages", stages::all(job.stages))
        .always("relabel_configs", rules)
}
