//! The `logs` section with its instances (`logs.libsonnet`).

use super::fields::FieldsBuilder;
use super::http::CredentialFormat;
use super::metrics::external_labels;
use crate::plan::{LogsInstance, LokiClient, Plan};
use crate::yaml::Value;

pub(super) fn instance<'v>(
    plan: &'v Plan<'v>,
    instance: &'v LogsInstance<'v>,
    jobs: Option<Vec<Value<'v>>>,
) -> FieldsBuilder<'v> {
    let clients = instance.receivers.iter().map(|receiver| client(plan, receiver, CredentialFormat::Plain).into());
    FieldsBuilder::new()
        .always("name", instance.resource.meta.full_name())
        .list("clients", clients.collect())
        .option("scrape_configs", jobs)
        .nested_fields("target_config", instance.resource.spec.target_config.as_ref())
}

/// Returns the fields of a client (`client.libsonnet`).
pub(in crate::output) fn client<'v>(
    plan: &'v Plan<'v>,
    receiver: &'v LokiClient<'v>,
    spelling: CredentialFormat,
) -> FieldsBuilder<'v> {
    let spec = receiver.spec;
    FieldsBuilder::new()
        .always("url", spec.url)
        .text("tenant_id", spec.tenant_id)
        .text("timeout", spec.timeout)
        .text("batchwait", spec.batch_wait)
        .number("batchsize", spec.batch_size as f64)
        .nested_fields("backoff_config", spec.backoff_config.as_ref())
        .object("external_labels", external_labels(plan, receiver.external_labels))
        .client(receiver.http, plan.secrets, spelling)
}
