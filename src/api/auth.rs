//! How a client proves who it is.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{KeySelector, SecretOrConfigMap};

/// User name and password.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct BasicAuth<'d> {
    /// The user.
    pub username: KeySelector<'d>,
    /// The password.
    pub password: KeySelector<'d>,
}

/// OAuth 2.0 client credentials.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct OAuth2<'d> {
    /// The client's identifier; the operator reads it from a Secret only.
    pub client_id: SecretOrConfigMap<'d>,
    /// The client's secret.
    pub client_secret: KeySelector<'d>,
    /// Where tokens are fetched.
    pub token_url: &'d str,
    /// Scopes asked for.
    pub scopes: Vec<&'d str>,
    /// Further parameters of the request.
    pub endpoint_params: BTreeMap<&'d str, &'d str>,
}

/// An `Authorization` header with credentials from a Secret.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct SafeAuthorization<'d> {
    /// The scheme, `Bearer` by default.
    pub r#type: &'d str,
    /// The credentials.
    pub credentials: Option<KeySelector<'d>>,
}

/// An `Authorization` header with credentials from a Secret or a file.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct Authorization<'d> {
    /// The scheme, `Bearer` by default.
    pub r#type: &'d str,
    /// The credentials.
    pub credentials: Option<KeySelector<'d>>,
    /// A file with the credentials.
    pub credentials_file: &'d str,
}

/// AWS Signature Version 4.
#[derive(Clone, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct SigV4<'d> {
    /// The region.
    pub region: &'d str,
    /// The access key.
    pub access_key: Option<KeySelector<'d>>,
    /// The secret key.
    pub secret_key: Option<KeySelector<'d>>,
    /// A named profile.
    pub profile: &'d str,
    /// A role to assume.
    #[serde(rename = "roleARN")]
    pub role_arn: &'d str,
}
