//! How clients prove who they are.

use super::assets::Assets;
use super::fields::Fields;
use crate::api::{BasicAuth, OAuth2};

/// User name and password as text.
pub(super) fn basic_auth<'d>(auth: &BasicAuth<'d>, assets: Assets<'_, 'd>) -> Fields<'d> {
    Fields::new()
        .always("username", assets.value(&auth.username))
        .always("password", assets.value(&auth.password))
}

/// User name as text, password as a file.
pub(super) fn basic_auth_with_file<'d>(auth: &BasicAuth<'d>, assets: Assets<'_, 'd>) -> Fields<'d> {
    Fields::new()
        .always("username", assets.value(&auth.username))
        .always("password_file", assets.file(&auth.password))
}

/// OAuth 2.0. The client's identifier comes from a Secret only.
pub(super) fn oauth2<'d>(oauth2: &OAuth2<'d>, assets: Assets<'_, 'd>) -> Fields<'d> {
    let client_id = oauth2.client_id.secret.as_ref();
    Fields::new()
        .option("client_id", client_id.map(|secret| assets.value(secret)))
        .always("client_secret_file", assets.file(&oauth2.client_secret))
        .text_map("endpoint_params", &oauth2.endpoint_params)
        .texts("scopes", &oauth2.scopes)
        .always("token_url", oauth2.token_url)
}

/// An `Authorization` header with a token, where there is one.
pub(super) fn bearer<'d>(token: &'d str, file: &'d str) -> Option<Fields<'d>> {
    if token.is_empty() && file.is_empty() {
        return None;
    }
    let fields = Fields::new().always("type", "Bearer");
    Some(fields.text("credentials", token).text("credentials_file", file))
}
