//! `Probe`: metrics that a prober collects from static targets or Ingresses.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    Authorization, BasicAuth, KeySelector, LabelSelector, NamespaceSelector, OAuth2, RelabelConfig, TextMap, TlsConfig,
};

/// `spec` of a Probe.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct Probe<'d> {
    /// Name of the job.
    pub job_name: &'d str,
    /// Prober to scrape.
    pub prober: Prober<'d>,
    /// Module that the prober uses.
    pub module: &'d str,
    /// Targets to probe: static targets or Ingresses.
    pub targets: ProbeTargets<'d>,
    /// Interval between probes.
    pub interval: &'d str,
    /// Timeout for a scrape.
    pub scrape_timeout: &'d str,
    /// TLS settings for the prober.
    pub tls_config: Option<TlsConfig<'d>>,
    /// Key of a Secret that contains a bearer token.
    pub bearer_token_secret: KeySelector<'d>,
    /// User name and password.
    pub basic_auth: Option<BasicAuth<'d>>,
    /// Accepted but ignored by the operator.
    pub oauth2: Option<OAuth2<'d>>,
    /// Accepted but ignored by the operator.
    pub authorization: Option<Authorization<'d>>,
    /// Accepted but ignored by the operator.
    pub metric_relabelings: Vec<RelabelConfig<'d>>,
    /// Maximum number of samples per scrape; accepted but ignored by the operator.
    pub sample_limit: u64,
    /// Maximum number of targets; accepted but ignored by the operator.
    pub target_limit: u64,
    /// Maximum number of labels per sample; accepted but ignored by the operator.
    pub label_limit: u64,
    /// Maximum length of label names; accepted but ignored by the operator.
    pub label_name_length_limit: u64,
    /// Maximum length of label values; accepted but ignored by the operator.
    pub label_value_length_limit: u64,
}

/// A prober.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct Prober<'d> {
    /// Host and port of the prober.
    pub url: &'d str,
    /// Scheme of the prober's URL: `http` or `https`.
    pub scheme: &'d str,
    /// Path of the prober, `/probe` by default.
    pub path: &'d str,
}

/// Targets to probe. Static targets take precedence over Ingresses.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct ProbeTargets<'d> {
    /// List of static targets.
    pub static_config: Option<StaticTargets<'d>>,
    /// Hosts and paths from Ingresses.
    pub ingress: Option<IngressTargets<'d>>,
}

/// List of static targets.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct StaticTargets<'d> {
    /// Addresses to probe.
    pub r#static: Vec<&'d str>,
    /// Labels to add to the targets.
    pub labels: TextMap<'d>,
    /// Relabeling rules for the targets.
    pub relabeling_configs: Vec<RelabelConfig<'d>>,
}

/// Ingresses as targets.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct IngressTargets<'d> {
    /// Labels of the Ingresses to select.
    pub selector: LabelSelector<'d>,
    /// Namespaces to search for Ingresses.
    pub namespace_selector: NamespaceSelector<'d>,
    /// Relabeling rules for the targets.
    pub relabeling_configs: Vec<RelabelConfig<'d>>,
}
