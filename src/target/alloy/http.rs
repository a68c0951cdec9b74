//! HTTP clients.

use super::syntax::{Body, Expression};
use super::writer::Writer;
use crate::plan::{HttpClient, Token};
use crate::target::agent::{mounted, path};

/// How the agent has a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Password {
    /// As text.
    Value,
    File,
}

impl<'p> Writer<'p, '_> {
    /// Adds the arguments of a client to a body.
    pub(super) fn client(&mut self, mut body: Body<'p>, http: &HttpClient<'p>, password: Password) -> Body<'p> {
        if let Some(auth) = http.basic_auth {
            let key = http.secret(&auth.password);
            let auth = Body::new().with("username", self.value(http.secret(&auth.username)));
            body = body.with_block(
                "basic_auth",
                match password {
                    Password::Value => auth.with("password", self.value(key)),
                    Password::File => auth.with("password_file", mounted(&key)),
                },
            );
        }
        if let Some(oauth2) = http.oauth2 {
            let id = oauth2.client_id.secret.as_ref();
            let oauth2 = Body::new()
                .with_option("client_id", id.map(|id| self.value(http.secret(id))))
                .with("client_secret_file", mounted(&http.secret(&oauth2.client_secret)))
                .with("scopes", Expression::texts(oauth2.scopes.iter().copied()))
                .with_text("token_url", oauth2.token_url)
                .with("endpoint_params", Expression::map(oauth2.endpoint_params.iter()))
                // `alloy convert` writes it too.
                .with_block("tls_config", Body::new());
            body = body.with_block("oauth2", oauth2);
        }
        let token = http.bearer_token.map(|token| match token {
            Token::Text(text) => text.into(),
            Token::Secret(selector) => self.value(http.secret(selector)),
        });
        if token.is_some() || !http.bearer_token_file.is_empty() {
            let authorization = Body::new()
                .with("type", "Bearer")
                .with_option("credentials", token)
                .with_text("credentials_file", http.bearer_token_file);
            body = body.with_block("authorization", authorization);
        }
        if let Some(tls) = http.tls {
            let files = http.tls_files(tls);
            let tls = Body::new()
                .with_option("ca_file", files.ca.map(path))
                .with_option("cert_file", files.cert.map(path))
                .with_option("key_file", files.key.map(path))
                .with_text("server_name", tls.server_name)
                .with("insecure_skip_verify", tls.insecure_skip_verify);
            body = body.with_block("tls_config", tls);
        }
        body.with_text("proxy_url", http.proxy_url)
            .with_option("enable_http2", http.enable_http2)
    }
}
