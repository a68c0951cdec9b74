//! `ServiceMonitor` and `PodMonitor`, which select Services or pods to scrape, and ports specified by number or name.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    Authorization, BasicAuth, KeySelector, LabelSelector, NamespaceSelector, OAuth2, RelabelConfig, TlsConfig,
};

/// `spec` of a ServiceMonitor.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct ServiceMonitor<'d> {
    /// Service label whose value becomes the name of the job.
    pub job_label: &'d str,
    /// Labels to copy from the Service.
    pub target_labels: Vec<&'d str>,
    /// Labels to copy from the pod.
    pub pod_target_labels: Vec<&'d str>,
    /// Endpoints to scrape; each becomes a job.
    pub endpoints: Vec<Endpoint<'d>>,
    /// Labels of the Services to select.
    pub selector: LabelSelector<'d>,
    /// Namespaces to search for Services.
    pub namespace_selector: NamespaceSelector<'d>,
    /// Maximum number of samples per scrape.
    pub sample_limit: u64,
    /// Maximum number of targets per job.
    pub target_limit: u64,
    /// Maximum number of labels per sample; accepted but ignored by the operator.
    pub label_limit: u64,
    /// Maximum length of label names; accepted but ignored by the operator.
    pub label_name_length_limit: u64,
    /// Maximum length of label values; accepted but ignored by the operator.
    pub label_value_length_limit: u64,
}

/// An endpoint to scrape.
///
/// This is an `Endpoint` in a ServiceMonitor or a `PodMetricsEndpoint` in a PodMonitor. The latter has no file fields;
/// admission prunes them.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct Endpoint<'d> {
    // Large fields are boxed, because there are many endpoints and few of them set these fields.
    /// Name of the port.
    pub port: &'d str,
    /// Port of the pod, by name or number.
    pub target_port: Option<IntOrString<'d>>,
    /// Path to scrape, `/metrics` by default.
    pub path: &'d str,
    /// Scheme of the scrape URL: `http` or `https`.
    pub scheme: &'d str,
    /// Parameters for the HTTP request.
    pub params: BTreeMap<&'d str, Vec<&'d str>>,
    /// Interval between scrapes; by default, the agent's.
    pub interval: &'d str,
    /// Timeout for a scrape.
    pub scrape_timeout: &'d str,
    /// TLS settings for connecting to the endpoint.
    pub tls_config: Option<Box<TlsConfig<'d>>>,
    /// File in the container that contains a bearer token.
    pub bearer_token_file: &'d str,
    /// Key of a Secret that contains a bearer token.
    pub bearer_token_secret: KeySelector<'d>,
    /// Accepted but ignored by the operator.
    pub authorization: Option<Box<Authorization<'d>>>,
    /// Let the target's labels override the job's.
    pub honor_labels: bool,
    /// Keep the target's timestamps.
    pub honor_timestamps: Option<bool>,
    /// User name and password.
    pub basic_auth: Option<Box<BasicAuth<'d>>>,
    /// Accepted but ignored by the operator.
    pub oauth2: Option<Box<OAuth2<'d>>>,
    /// Relabeling rules for samples.
    #[serde(rename = "metricRelabelings")]
    pub metric_relabelings: Vec<RelabelConfig<'d>>,
    /// Relabeling rules for targets.
    pub relabelings: Vec<RelabelConfig<'d>>,
    /// URL of a proxy to scrape through.
    pub proxy_url: &'d str,
    /// Whether to use HTTP/2.
    pub enable_http2: Option<bool>,
    /// Ignore pods that have terminated.
    pub filter_running: Option<bool>,
}

impl ServiceMonitor<'_> {
    /// Returns the fields that refer to files in the agent's container, each with its endpoint's index (the operator's
    /// `testForArbitraryFSAccess`).
    pub fn fields_with_files(&self) -> impl Iterator<Item = (usize, &'static str)> {
        self.endpoints.iter().enumerate().flat_map(|(i, endpoint)| {
            let tls = endpoint.tls_config.as_deref();
            let [ca, cert, key] = tls.map_or([""; 3], |tls| [tls.ca_file, tls.cert_file, tls.key_file]);
            let fields = [
                ("bearerTokenFile", endpoint.bearer_token_file),
                ("tlsConfig.caFile", ca),
                ("tlsConfig.certFile", cert),
                ("tlsConfig.keyFile", key),
            ];
            let set_fields = fields.into_iter().filter(|(_, file)| !file.is_empty());
            set_fields.map(move |(field, _)| (i, field))
        })
    }
}

/// `spec` of a PodMonitor.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct PodMonitor<'d> {
    /// Pod label whose value becomes the name of the job.
    pub job_label: &'d str,
    /// Labels to copy from the pod.
    pub pod_target_labels: Vec<&'d str>,
    /// Endpoints to scrape; each becomes a job.
    pub pod_metrics_endpoints: Vec<Endpoint<'d>>,
    /// Labels of the pods to select.
    pub selector: LabelSelector<'d>,
    /// Namespaces to search for pods.
    pub namespace_selector: NamespaceSelector<'d>,
    /// Maximum number of samples per scrape.
    pub sample_limit: u64,
    /// Maximum number of targets per job.
    pub target_limit: u64,
    /// Maximum number of labels per sample; accepted but ignored by the operator.
    pub label_limit: u64,
    /// Maximum length of label names; accepted but ignored by the operator.
    pub label_name_length_limit: u64,
    /// Maximum length of label values; accepted but ignored by the operator.
    pub label_value_length_limit: u64,
}

/// A port, by number or name (`intstr.IntOrString`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected an integer of 32 bits or a string")]
pub enum IntOrString<'d> {
    /// Port number.
    Int(i32),
    /// Port name.
    String(&'d str),
}

impl IntOrString<'_> {
    /// Formats the port as the operator's templates do: an empty name or 0 becomes an empty string.
    pub fn to_text(self) -> String {
        match self {
            IntOrString::Int(0) => String::new(),
            IntOrString::Int(number) => number.to_string(),
            IntOrString::String(name) => name.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_non_empty_ports() {
        for (port, expected) in [
            (IntOrString::Int(0), ""),
            (IntOrString::Int(80), "80"),
            (IntOrString::Int(-1), "-1"),
            (IntOrString::String(""), ""),
            (IntOrString::String("0"), "0"),
            (IntOrString::String("web"), "web"),
        ] {
            assert_eq!(port.to_text(), expected, "{port:?}");
        }
    }

    #[test]
    fn finds_endpoint_fields_that_name_files() {
        let with_tls = |tls_config| Endpoint { tls_config: Some(Box::new(tls_config)), ..Endpoint::default() };
        let endpoints = vec![
            Endpoint { bearer_token_file: "/t", ..Endpoint::default() },
            Endpoint::default(),
            with_tls(TlsConfig { ca_file: "/a", cert_file: "/b", key_file: "/c", ..TlsConfig::default() }),
            with_tls(TlsConfig::default()),
        ];
        let monitor = ServiceMonitor { endpoints, ..ServiceMonitor::default() };
        let fields: Vec<_> = monitor.fields_with_files().collect();
        assert_eq!(
            fields,
            [(0, "bearerTokenFile"), (2, "tlsConfig.caFile"), (2, "tlsConfig.certFile"), (2, "tlsConfig.keyFile")]
        );
    }
}
