use schemars::JsonSchema;
use serde::Deserialize;

use super::{KeySelector, SecretOrConfigMap};

/// TLS settings of a client.
///
/// Where the operator's type has no file fields (`SafeTLSConfig`), admission prunes them.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct TlsConfig<'d> {
    /// The certificate authority to trust.
    pub ca: SecretOrConfigMap<'d>,
    /// The client certificate.
    pub cert: SecretOrConfigMap<'d>,
    /// The key of a Secret that holds the client key.
    pub key_secret: Option<KeySelector<'d>>,
    /// The name the server's certificate must have.
    pub server_name: &'d str,
    /// Do not verify the server.
    pub insecure_skip_verify: bool,
    /// The certificate authority as a file of the agent's container; wins over `ca`.
    pub ca_file: &'d str,
    /// The client certificate as a file; wins over `cert`.
    pub cert_file: &'d str,
    /// The client key as a file; wins over `keySecret`.
    pub key_file: &'d str,
}
