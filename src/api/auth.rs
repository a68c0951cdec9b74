//! How a client proves who it is, and how it knows the server.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{KeySelector, SecretOrConfigMap, TextMap};

/// User name and password.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct BasicAuth<'d> {
    /// The key of a Secret that holds the user name.
    pub username: KeySelector<'d>,
    /// The key of a Secret that holds the password.
    pub password: KeySelector<'d>,
}

/// OAuth 2.0 client credentials.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct OAuth2<'d> {
    /// The client's identifier; the operator reads it from a Secret only.
    pub client_id: SecretOrConfigMap<'d>,
    /// The key of a Secret that holds the client's secret.
    pub client_secret: KeySelector<'d>,
    /// The URL that tokens are fetched from.
    pub token_url: &'d str,
    /// The scopes to ask for.
    pub scopes: Vec<&'d str>,
    /// Further parameters of the token request.
    pub endpoint_params: TextMap<'d>,
}

/// An `Authorization` header with credentials from a Secret or a file.
///
/// Where the operator's type has no file (`SafeAuthorization`), admission prunes it.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct Authorization<'d> {
    /// The scheme, `Bearer` by default.
    pub r#type: &'d str,
    /// The key of a Secret that holds the credentials.
    pub credentials: Option<KeySelector<'d>>,
    /// A file with the credentials.
    pub credentials_file: &'d str,
}

/// AWS Signature Version 4.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct SigV4<'d> {
    /// The AWS region; that of the default credentials where missing.
    pub region: &'d str,
    /// The key of a Secret that holds the access key.
    pub access_key: Option<KeySelector<'d>>,
    /// The key of a Secret that holds the secret key.
    pub secret_key: Option<KeySelector<'d>>,
    /// The AWS profile to authenticate with.
    pub profile: &'d str,
    /// The ARN of an AWS role to assume.
    #[serde(rename = "roleARN")]
    pub role_arn: &'d str,
}

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
