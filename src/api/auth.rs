//! Client authentication and TLS settings.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{KeySelector, SecretOrConfigMap, TextMap};

/// User name and password.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct BasicAuth<'d> {
    /// Key of a Secret that contains the user name.
    pub username: KeySelector<'d>,
    /// Key of a Secret that contains the password.
    pub password: KeySelector<'d>,
}

/// OAuth 2.0 client credentials.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct OAuth2<'d> {
    /// Client ID; the operator reads it only from a Secret.
    pub client_id: SecretOrConfigMap<'d>,
    /// Key of a Secret that contains the client secret.
    pub client_secret: KeySelector<'d>,
    /// URL that tokens are fetched from.
    pub token_url: &'d str,
    /// Scopes to request.
    pub scopes: Vec<&'d str>,
    /// Additional parameters for the token request.
    pub endpoint_params: TextMap<'d>,
}

/// An `Authorization` header with credentials from a Secret or a file.
///
/// Some of the operator's types (`SafeAuthorization`) do not have the file field; admission prunes it from them.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct Authorization<'d> {
    /// Scheme, `Bearer` by default.
    pub r#type: &'d str,
    /// Key of a Secret that contains the credentials.
    pub credentials: Option<KeySelector<'d>>,
    /// File that contains the credentials.
    pub credentials_file: &'d str,
}

/// AWS Signature Version 4.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct SigV4<'d> {
    /// AWS region; by default, the region from the default credentials chain.
    pub region: &'d str,
    /// Key of a Secret that contains the access key.
    pub access_key: Option<KeySelector<'d>>,
    /// Key of a Secret that contains the secret key.
    pub secret_key: Option<KeySelector<'d>>,
    /// AWS profile to authenticate with.
    pub profile: &'d str,
    /// ARN of an AWS role to assume.
    #[serde(rename = "roleARN")]
    pub role_arn: &'d str,
}

/// Client TLS settings.
///
/// Some of the operator's types (`SafeTLSConfig`) do not have the file fields; admission prunes them.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct TlsConfig<'d> {
    /// Certificate authority to trust.
    pub ca: SecretOrConfigMap<'d>,
    /// Client certificate.
    pub cert: SecretOrConfigMap<'d>,
    /// Key of a Secret that contains the client key.
    pub key_secret: Option<KeySelector<'d>>,
    /// Name that the server's certificate must be valid for.
    pub server_name: &'d str,
    /// Disable verification of the server's certificate.
    pub insecure_skip_verify: bool,
    /// Certificate authority as a file in the agent's container; overrides `ca`.
    pub ca_file: &'d str,
    /// Client certificate as a file; overrides `cert`.
    pub cert_file: &'d str,
    /// Client key as a file; overrides `keySecret`.
    pub key_file: &'d str,
}
