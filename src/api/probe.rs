//! `Probe`: metrics of a prober about static targets or ingresses.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    Authorization, BasicAuth, KeySelector, LabelSelector, NamespaceSelector, OAuth2, RelabelConfig, TextMap, TlsConfig,
};

/// `spec` of a Probe.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct Probe<'d> {
    /// The name of the job.
    pub job_name: &'d str,
    /// The prober that is asked.
    pub prober: Prober<'d>,
    /// The prober's module.
    pub module: &'d str,
    /// What is probed: static targets or Ingresses.
    pub targets: ProbeTargets<'d>,
    /// How often targets are probed.
    pub interval: &'d str,
    /// How long a scrape may take.
    pub scrape_timeout: &'d str,
    /// TLS settings for the prober.
    pub tls_config: Option<TlsConfig<'d>>,
    /// The key of a Secret that holds a bearer token.
    pub bearer_token_secret: KeySelector<'d>,
    /// User name and password.
    pub basic_auth: Option<BasicAuth<'d>>,
    /// Accepted, and ignored by the operator.
    pub oauth2: Option<OAuth2<'d>>,
    /// Accepted, and ignored by the operator.
    pub authorization: Option<Authorization<'d>>,
    /// Accepted, and ignored by the operator.
    pub metric_relabelings: Vec<RelabelConfig<'d>>,
    /// The most samples a scrape may return; accepted, and ignored by the operator.
    pub sample_limit: u64,
    /// The most targets; accepted, and ignored by the operator.
    pub target_limit: u64,
    /// The most labels of a sample; accepted, and ignored by the operator.
    pub label_limit: u64,
    /// The longest name of a label; accepted, and ignored by the operator.
    pub label_name_length_limit: u64,
    /// The longest value of a label; accepted, and ignored by the operator.
    pub label_value_length_limit: u64,
}

/// The prober.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct Prober<'d> {
    /// Host and port of the prober.
    pub url: &'d str,
    /// `http` or `https`.
    pub scheme: &'d str,
    /// Its path, `/probe` by default.
    pub path: &'d str,
}

/// What is probed: static targets win over ingresses.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct ProbeTargets<'d> {
    /// A list of targets.
    pub static_config: Option<StaticTargets<'d>>,
    /// The hosts and paths of Ingresses.
    pub ingress: Option<IngressTargets<'d>>,
}

/// A list of targets.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct StaticTargets<'d> {
    /// The addresses to probe.
    pub r#static: Vec<&'d str>,
    /// Labels of the targets.
    pub labels: TextMap<'d>,
    /// Relabelling of the targets.
    pub relabeling_configs: Vec<RelabelConfig<'d>>,
}

/// Ingresses as targets.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct IngressTargets<'d> {
    /// Which Ingresses, by label.
    pub selector: LabelSelector<'d>,
    /// In which namespaces Ingresses are looked for.
    pub namespace_selector: NamespaceSelector<'d>,
    /// Relabelling of the targets.
    pub relabeling_configs: Vec<RelabelConfig<'d>>,
}
