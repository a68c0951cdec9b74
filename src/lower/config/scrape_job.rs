//! A scrape job. ServiceMonitors, PodMonitors and Probes say what is in it; here it is written, in one place.

use super::assets::Assets;
use super::fields::{Fields, texts};
use super::kubernetes_sd::{Discovery, Role};
use super::relabel::{self, Relabelings};
use super::{auth, tls};
use crate::api::{
    BasicAuth, Endpoint, GrafanaAgent, KeySelector, Metrics, NamespaceSelector, ObjectMeta, RelabelConfig, Resource,
    TlsConfig,
};
use crate::resolve::SecretStore;
use crate::yaml::{Mapping, Value};

/// What an agent says of all its jobs.
#[derive(Clone, Copy)]
pub(super) struct JobRules<'a, 'd> {
    metrics: &'d Metrics<'d>,
    discovery: Discovery<'a, 'd>,
    store: &'a SecretStore<'d, 'd>,
}

/// A job as its resource describes it.
pub(super) struct ScrapeJob<'d> {
    pub(super) name: String,
    /// The namespace of the resource.
    pub(super) namespace: &'d str,
    pub(super) honor_labels: Option<bool>,
    pub(super) honor_timestamps: Option<bool>,
    pub(super) targets: Targets<'d>,
    pub(super) request: Request<'d>,
    pub(super) relabelings: Relabelings<'d>,
    pub(super) metric_relabelings: &'d [RelabelConfig<'d>],
    pub(super) sample_limit: Option<u64>,
    pub(super) target_limit: Option<u64>,
}

/// Where targets come from.
pub(super) enum Targets<'d> {
    /// They are discovered.
    Discovered(Role, &'d NamespaceSelector<'d>),
    /// They are listed: `static_configs`.
    Static(Value<'d>),
}

/// How a target is asked.
pub(super) struct Request<'d> {
    pub(super) interval: &'d str,
    pub(super) timeout: &'d str,
    pub(super) path: &'d str,
    pub(super) scheme: &'d str,
    pub(super) proxy_url: &'d str,
    pub(super) params: Mapping<'d>,
    pub(super) enable_http2: Option<bool>,
    pub(super) tls: Option<&'d TlsConfig<'d>>,
    pub(super) bearer_token: &'d KeySelector<'d>,
    pub(super) bearer_token_file: &'d str,
    pub(super) basic_auth: Option<&'d BasicAuth<'d>>,
}

/// A ServiceMonitor or PodMonitor, as far as they are alike.
pub(super) struct Monitor<'d> {
    /// The kind, as it stands in the name of a job.
    pub(super) prefix: &'static str,
    pub(super) meta: &'d ObjectMeta<'d>,
    pub(super) role: Role,
    pub(super) namespaces: &'d NamespaceSelector<'d>,
    pub(super) sample_limit: u64,
    pub(super) target_limit: u64,
}

impl<'a, 'd> JobRules<'a, 'd> {
    pub(super) fn new(agent: &'d Resource<'d, GrafanaAgent<'d>>, store: &'a SecretStore<'d, 'd>) -> Self {
        let metrics = &agent.spec.metrics;
        let assets = Assets::new(store, agent.meta.namespace);
        Self {
            metrics,
            discovery: Discovery::new(&agent.spec, assets, metrics.ignore_namespace_selectors),
            store,
        }
    }

    /// The job of an endpoint. `relabelings` are the monitor's own; here the endpoint's follow.
    pub(super) fn endpoint(
        &self,
        monitor: &Monitor<'d>,
        index: usize,
        endpoint: &'d Endpoint<'d>,
        relabelings: Relabelings<'d>,
    ) -> Value<'d> {
        let (namespace, name) = (monitor.meta.namespace, monitor.meta.name);
        self.job(ScrapeJob {
            name: format!("{}/{namespace}/{name}/{index}", monitor.prefix),
            namespace,
            honor_labels: Some(endpoint.honor_labels && !self.metrics.override_honor_labels),
            honor_timestamps: self.honor_timestamps(endpoint.honor_timestamps),
            targets: Targets::Discovered(monitor.role, monitor.namespaces),
            request: Request::of_endpoint(endpoint),
            relabelings: self.close(
                relabelings.endpoint(endpoint).configured(&endpoint.relabelings),
                namespace,
            ),
            metric_relabelings: &endpoint.metric_relabelings,
            sample_limit: limit(monitor.sample_limit, self.metrics.enforced_sample_limit),
            target_limit: limit(monitor.target_limit, self.metrics.enforced_target_limit),
        })
    }

    /// The job as it is written.
    pub(super) fn job(&self, job: ScrapeJob<'d>) -> Value<'d> {
        let assets = Assets::new(self.store, job.namespace);
        let fields = Fields::new()
            .always("job_name", job.name)
            .option("honor_labels", job.honor_labels)
            .option("honor_timestamps", job.honor_timestamps);
        let fields = match job.targets {
            Targets::Static(configs) => fields.always("static_configs", configs),
            Targets::Discovered(role, namespaces) => fields.always(
                "kubernetes_sd_configs",
                self.discovery.configs(role, namespaces, job.namespace),
            ),
        };
        job.request
            .write(fields, assets)
            .always("relabel_configs", job.relabelings)
            .list(
                "metric_relabel_configs",
                self.metric_relabelings(job.metric_relabelings),
            )
            .option("sample_limit", job.sample_limit.map(|limit| limit as f64))
            .option("target_limit", job.target_limit.map(|limit| limit as f64))
            .into()
    }

    /// Whether the target's time stamps are kept; left open where neither endpoint nor agent says so
    /// (`k8s.honorTimestamps`).
    pub(super) fn honor_timestamps(&self, honor: Option<bool>) -> Option<bool> {
        let is_overridden = self.metrics.override_honor_timestamps;
        if is_overridden { Some(false) } else { honor }
    }

    /// The agent's label for the namespace, behind all rules of a resource.
    pub(super) fn enforce_namespace(&self, relabelings: Relabelings<'d>, namespace: &'d str) -> Relabelings<'d> {
        relabelings.enforce_namespace(self.metrics.enforced_namespace_label, namespace)
    }

    fn close(&self, relabelings: Relabelings<'d>, namespace: &'d str) -> Relabelings<'d> {
        let shards = f64::from(self.metrics.shard_count());
        self.enforce_namespace(relabelings, namespace).shard(shards)
    }

    /// Rules for samples, without those that set the label of the namespace.
    fn metric_relabelings(&self, configs: &[RelabelConfig<'d>]) -> Vec<Value<'d>> {
        let enforced = self.metrics.enforced_namespace_label;
        let is_allowed = |config: &&RelabelConfig<'d>| enforced.is_empty() || config.target_label != enforced;
        let allowed = configs.iter().filter(is_allowed);
        allowed.map(|config| relabel::configured(config).into()).collect()
    }
}

/// A limit, where the monitor or the agent has one: the agent's replaces the monitor's, even a smaller one
/// (`k8s.limit`).
fn limit(own: u64, enforced: Option<u64>) -> Option<u64> {
    enforced.or((own > 0).then_some(own))
}

impl<'d> Request<'d> {
    fn of_endpoint(endpoint: &'d Endpoint<'d>) -> Self {
        let params = endpoint.params.iter();
        Self {
            interval: endpoint.interval,
            timeout: endpoint.scrape_timeout,
            path: endpoint.path,
            scheme: endpoint.scheme,
            proxy_url: endpoint.proxy_url,
            params: params.map(|(&name, values)| (name.into(), texts(values))).collect(),
            enable_http2: endpoint.enable_http2,
            tls: endpoint.tls_config.as_deref(),
            bearer_token: &endpoint.bearer_token_secret,
            bearer_token_file: endpoint.bearer_token_file,
            basic_auth: endpoint.basic_auth.as_deref(),
        }
    }

    fn write(self, fields: Fields<'d>, assets: Assets<'_, 'd>) -> Fields<'d> {
        let has_token = !self.bearer_token.name.is_empty();
        fields
            .text("scrape_interval", self.interval)
            .text("scrape_timeout", self.timeout)
            .text("metrics_path", self.path)
            .text("proxy_url", self.proxy_url)
            .object("params", self.params)
            .text("scheme", self.scheme)
            .option("enable_http2", self.enable_http2.filter(|enabled| !enabled))
            .option("tls_config", self.tls.map(|tls| tls::config(tls, assets)))
            .text("bearer_token_file", self.bearer_token_file)
            .option("bearer_token", has_token.then(|| assets.value(self.bearer_token)))
            .option("basic_auth", self.basic_auth.map(|auth| auth::basic_auth(auth, assets)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_enforced_limit_replaces_every_other() {
        let cases = [
            (0, None, None),
            (5, None, Some(5)),
            (5, Some(10), Some(10)),
            (10, Some(5), Some(5)),
            (0, Some(5), Some(5)),
            (5, Some(0), Some(0)),
            (0, Some(0), Some(0)),
        ];
        for (own, enforced, expected) in cases {
            assert_eq!(limit(own, enforced), expected, "{own} {enforced:?}");
        }
    }
}
