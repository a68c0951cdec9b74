//! A scrape job. ServiceMonitors, PodMonitors and Probes say what is in it; here it is written, in one place.

use super::assets::Assets;
use super::fields::{Fields, texts};
use super::kubernetes_sd::{Discovery, Role};
use super::origin::{Site, Trace};
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
    agent: Site<'a, 'd>,
    trace: Trace<'a, 'd>,
    discovery: Discovery<'a, 'd>,
    store: &'a SecretStore<'d, 'd>,
}

/// A job as its resource describes it.
pub(super) struct ScrapeJob<'a, 'd> {
    /// What the job is made from.
    pub(super) site: Site<'a, 'd>,
    pub(super) name: String,
    /// The namespace of the resource.
    pub(super) namespace: &'d str,
    pub(super) honor_labels: Option<bool>,
    pub(super) honor_timestamps: Option<bool>,
    pub(super) targets: Targets<'a, 'd>,
    pub(super) request: Request<'d>,
    pub(super) relabelings: Relabelings<'a, 'd>,
    pub(super) metric_relabelings: &'d [RelabelConfig<'d>],
    pub(super) sample_limit: Option<u64>,
    pub(super) target_limit: Option<u64>,
}

/// Where targets come from.
pub(super) enum Targets<'a, 'd> {
    /// They are discovered, in namespaces that a field selects.
    Discovered(Role, &'d NamespaceSelector<'d>, Site<'a, 'd>),
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
    pub(super) fn new(
        agent: &'d Resource<'d, GrafanaAgent<'d>>,
        store: &'a SecretStore<'d, 'd>,
        trace: Trace<'a, 'd>,
    ) -> Self {
        let metrics = &agent.spec.metrics;
        let assets = Assets::new(store, agent.meta.namespace);
        let site = trace.resource(agent);
        let ignoring = site.at("spec.metrics.ignoreNamespaceSelectors");
        Self {
            metrics,
            agent: site,
            trace,
            discovery: Discovery::new(&agent.spec, assets, metrics.ignore_namespace_selectors, ignoring),
            store,
        }
    }

    /// A resource that jobs are made from.
    pub(super) fn site<S>(&self, resource: &'d Resource<'d, S>) -> Site<'a, 'd> {
        self.trace.resource(resource)
    }

    /// The job of an endpoint. `relabelings` are the monitor's own; here the endpoint's follow.
    pub(super) fn endpoint(
        &self,
        monitor: &Monitor<'d>,
        index: usize,
        endpoint: &'d Endpoint<'d>,
        relabelings: Relabelings<'a, 'd>,
    ) -> Value<'d> {
        let (namespace, name) = (monitor.meta.namespace, monitor.meta.name);
        let site = relabelings.site();
        self.job(ScrapeJob {
            site,
            name: format!("{}/{namespace}/{name}/{index}", monitor.prefix),
            namespace,
            honor_labels: Some(endpoint.honor_labels && !self.metrics.override_honor_labels),
            honor_timestamps: self.honor_timestamps(endpoint.honor_timestamps),
            targets: Targets::Discovered(monitor.role, monitor.namespaces, site.at("spec.namespaceSelector")),
            request: Request::of_endpoint(endpoint),
            relabelings: self.close(
                relabelings
                    .endpoint(endpoint)
                    .configured(&endpoint.relabelings, site.key("relabelings")),
                namespace,
            ),
            metric_relabelings: &endpoint.metric_relabelings,
            sample_limit: limit(monitor.sample_limit, self.metrics.enforced_sample_limit),
            target_limit: limit(monitor.target_limit, self.metrics.enforced_target_limit),
        })
    }

    /// The job as it is written.
    pub(super) fn job(&self, job: ScrapeJob<'a, 'd>) -> Value<'d> {
        let assets = Assets::new(self.store, job.namespace);
        let fields = self
            .origins(job.site)
            .always("job_name", job.name)
            .option("honor_labels", job.honor_labels)
            .option("honor_timestamps", job.honor_timestamps);
        let fields = match job.targets {
            Targets::Static(configs) => fields.always("static_configs", configs),
            Targets::Discovered(role, namespaces, site) => fields.always(
                "kubernetes_sd_configs",
                self.discovery.configs(role, namespaces, job.namespace, site),
            ),
        };
        job.request
            .write(fields, assets)
            .always("relabel_configs", job.relabelings)
            .list(
                "metric_relabel_configs",
                self.metric_relabelings(job.metric_relabelings, job.site.key("metricRelabelings")),
            )
            .option("sample_limit", job.sample_limit.map(|limit| limit as f64))
            .option("target_limit", job.target_limit.map(|limit| limit as f64))
            .into()
    }

    /// Where the job comes from, and those of its fields that the agent or the whole monitor decides.
    fn origins(&self, site: Site<'a, 'd>) -> Fields<'d> {
        let mut fields = Fields::new().origin(site.mark());
        let overridden = [
            (
                self.metrics.override_honor_labels,
                "honor_labels",
                "spec.metrics.overrideHonorLabels",
            ),
            (
                self.metrics.override_honor_timestamps,
                "honor_timestamps",
                "spec.metrics.overrideHonorTimestamps",
            ),
        ];
        for (_, field, by) in overridden.into_iter().filter(|(is_overridden, ..)| *is_overridden) {
            fields = fields.origin_of(field, self.agent.at(by).mark());
        }
        let limit = |enforced: Option<u64>, by, own| match enforced {
            Some(_) => self.agent.at(by).mark(),
            None => site.at(own).mark(),
        };
        let metrics = self.metrics;
        let samples = limit(
            metrics.enforced_sample_limit,
            "spec.metrics.enforcedSampleLimit",
            "spec.sampleLimit",
        );
        let targets = limit(
            metrics.enforced_target_limit,
            "spec.metrics.enforcedTargetLimit",
            "spec.targetLimit",
        );
        fields
            .origin_of("sample_limit", samples)
            .origin_of("target_limit", targets)
    }

    /// Whether the target's time stamps are kept; left open where neither endpoint nor agent says so
    /// (`k8s.honorTimestamps`).
    pub(super) fn honor_timestamps(&self, honor: Option<bool>) -> Option<bool> {
        let is_overridden = self.metrics.override_honor_timestamps;
        if is_overridden { Some(false) } else { honor }
    }

    /// The agent's label for the namespace, behind all rules of a resource.
    pub(super) fn enforce_namespace(
        &self,
        relabelings: Relabelings<'a, 'd>,
        namespace: &'d str,
    ) -> Relabelings<'a, 'd> {
        let site = self.agent.at("spec.metrics.enforcedNamespaceLabel");
        relabelings.enforce_namespace(self.metrics.enforced_namespace_label, namespace, site)
    }

    fn close(&self, relabelings: Relabelings<'a, 'd>, namespace: &'d str) -> Relabelings<'a, 'd> {
        let shards = f64::from(self.metrics.shard_count());
        self.enforce_namespace(relabelings, namespace)
            .shard(shards, self.agent.at("spec.metrics.shards"))
    }

    /// Rules for samples, without those that set the label of the namespace.
    fn metric_relabelings(&self, configs: &[RelabelConfig<'d>], site: Site<'a, 'd>) -> Vec<Value<'d>> {
        let enforced = self.metrics.enforced_namespace_label;
        let is_allowed = |config: &RelabelConfig<'d>| enforced.is_empty() || config.target_label != enforced;
        let rules = configs.iter().zip(relabel::configured(configs, site));
        let allowed = rules.filter(|(config, _)| is_allowed(config));
        allowed.map(|(_, rule)| rule.into()).collect()
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
