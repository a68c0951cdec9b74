//! Conversion of HTTP client settings to Alloy arguments.

use super::free_form::agent_body;
use crate::output::agent::{CredentialFormat, FieldsBuilder};
use crate::output::alloy::write::syntax::Body;
use crate::output::alloy::write::writer::Writer;
use crate::plan::HttpClient;

impl<'p> Writer<'p, '_> {
    /// Adds the arguments for an HTTP client to a body.
    pub fn client(&self, body: Body<'p>, http: HttpClient<'p>) -> Body<'p> {
        let fields = FieldsBuilder::new().client(http, self.plan.secrets, CredentialFormat::Header).0;
        body.with_statements(agent_body("config.HTTPClientConfig", &fields).0)
    }
}

/// Adds an empty `tls_config` block to `oauth2`, as `alloy convert` does.
pub fn with_tls_of_oauth2(mut body: Body<'_>) -> Body<'_> {
    match body.take_block("oauth2") {
        Some(oauth2) => body.with_block("oauth2", oauth2.with_block("tls_config", Body::new())),
        None => body,
    }
}
