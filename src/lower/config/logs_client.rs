//! Where logs are sent (`client.libsonnet`).

use super::assets::Assets;
use super::fields::Fields;
use super::origin::{Site, Trace};
use super::{auth, external_labels, tls};
use crate::api::{GrafanaAgent, LogsBackoffConfig, LogsClient, LogsInstance, Resource};
use crate::resolve::Hierarchy;
use crate::yaml::Value;

/// The clients of an instance, or else those of the agent, each with the Secrets of the resource it stands in.
pub(super) fn all<'d>(
    hierarchy: &Hierarchy<'d, 'd>,
    instance: &'d Resource<'d, LogsInstance<'d>>,
    trace: Trace<'_, 'd>,
) -> Vec<Value<'d>> {
    let agent = hierarchy.agent;
    let shared = agent.spec.logs.clients.as_slice();
    let (namespace, clients, site) = match instance.spec.clients.as_slice() {
        [] => (
            agent.meta.namespace,
            shared,
            trace.resource(agent).at("spec.logs.clients"),
        ),
        clients => (
            instance.meta.namespace,
            clients,
            trace.resource(instance).at("spec.clients"),
        ),
    };
    let assets = Assets::new(&hierarchy.secrets, namespace);
    let labels = trace.resource(agent);
    let clients = clients.iter().enumerate();
    clients
        .map(|(i, c)| client(agent, c, assets, labels).origin(site.item(i).mark()).into())
        .collect()
}

/// A client; `site` is the agent.
fn client<'d>(
    agent: &Resource<'d, GrafanaAgent<'d>>,
    client: &LogsClient<'d>,
    assets: Assets<'_, 'd>,
    site: Site<'_, 'd>,
) -> Fields<'d> {
    let (tls, oauth2) = (client.tls_config.as_ref(), client.oauth2.as_ref());
    let basic_auth = client.basic_auth.as_ref();
    Fields::new()
        .always("url", client.url)
        .option("tls_config", tls.map(|tls| tls::config(tls, assets)))
        .text("proxy_url", client.proxy_url)
        .text("tenant_id", client.tenant_id)
        .text("timeout", client.timeout)
        .text("batchwait", client.batch_wait)
        .number("batchsize", client.batch_size as f64)
        .option("basic_auth", basic_auth.map(|auth| auth::basic_auth(auth, assets)))
        .option("oauth2", oauth2.map(|oauth2| auth::oauth2(oauth2, assets)))
        .text("bearer_token", client.bearer_token)
        .text("bearer_token_file", client.bearer_token_file)
        .option("backoff_config", client.backoff_config.as_ref().map(backoff))
        .object("external_labels", external_labels::of_logs(agent, client, site))
}

fn backoff<'d>(config: &LogsBackoffConfig<'d>) -> Fields<'d> {
    Fields::new()
        .text("min_period", config.min_period)
        .text("max_period", config.max_period)
        .number("max_retries", config.max_retries as f64)
}
