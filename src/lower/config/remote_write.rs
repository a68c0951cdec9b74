//! Where metrics are sent (`remote_write.libsonnet`).

use super::assets::Assets;
use super::fields::Fields;
use super::origin::Site;
use super::{auth, relabel, tls};
use crate::api::{MetadataConfig, QueueConfig, RemoteWrite, SigV4};
use crate::yaml::Value;

/// The receivers in this field of a resource; `assets` are those of its namespace.
pub(super) fn all<'d>(remote_writes: &[RemoteWrite<'d>], assets: Assets<'_, 'd>, site: Site<'_, 'd>) -> Vec<Value<'d>> {
    let remote_writes = remote_writes.iter().enumerate();
    remote_writes
        .map(|(i, rw)| remote_write(rw, assets, site.item(i)).into())
        .collect()
}

fn remote_write<'d>(rw: &RemoteWrite<'d>, assets: Assets<'_, 'd>, site: Site<'_, 'd>) -> Fields<'d> {
    let relabelings = relabel::configured(&rw.write_relabel_configs, site.key("writeRelabelConfigs"));
    Fields::new()
        .origin(site.mark())
        .always("url", rw.url)
        .text("name", rw.name)
        .text("remote_timeout", rw.remote_timeout)
        .text_map("headers", &rw.headers)
        .text("proxy_url", rw.proxy_url)
        .list("write_relabel_configs", relabelings.map(Value::from).collect())
        .option("tls_config", rw.tls_config.as_ref().map(|tls| tls::config(tls, assets)))
        .option(
            "basic_auth",
            rw.basic_auth
                .as_ref()
                .map(|auth| auth::basic_auth_with_file(auth, assets)),
        )
        .option("oauth2", rw.oauth2.as_ref().map(|oauth2| auth::oauth2(oauth2, assets)))
        .option("authorization", auth::bearer(rw.bearer_token, rw.bearer_token_file))
        .option("sigv4", rw.sigv4.as_ref().map(|config| sigv4(config, assets)))
        .option("queue_config", rw.queue_config.as_ref().map(queue))
        .option("metadata_config", rw.metadata_config.as_ref().map(metadata))
}

fn sigv4<'d>(config: &SigV4<'d>, assets: Assets<'_, 'd>) -> Fields<'d> {
    Fields::new()
        .text("region", config.region)
        .text("profile", config.profile)
        .text("role_arn", config.role_arn)
        .option("access_key", config.access_key.as_ref().map(|key| assets.value(key)))
        .option("secret_key", config.secret_key.as_ref().map(|key| assets.value(key)))
}

fn queue<'d>(config: &QueueConfig<'d>) -> Fields<'d> {
    Fields::new()
        .number("capacity", config.capacity as f64)
        .number("max_shards", config.max_shards as f64)
        .number("min_shards", config.min_shards as f64)
        .number("max_samples_per_send", config.max_samples_per_send as f64)
        .text("batch_send_deadline", config.batch_send_deadline)
        .text("min_backoff", config.min_backoff)
        .text("max_backoff", config.max_backoff)
}

fn metadata<'d>(config: &MetadataConfig<'d>) -> Fields<'d> {
    Fields::new()
        .always("send", config.send)
        .text("send_interval", config.send_interval)
}
