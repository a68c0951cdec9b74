//! TLS of clients.
//!
//! What: a client certificate without its key, or a key without its certificate (`TLSConfig.Validate`). Why: the agent
//! refuses its whole configuration. Example: `tlsConfig: {certFile: /tls.crt}`.

use crate::api::TlsConfig;
use crate::check::diagnostics;
use crate::check::place::Place;
use crate::diagnostic::Diagnostic;

/// Checks `tlsConfig` below `at`.
pub fn check(tls: Option<&TlsConfig<'_>>, at: &Place<'_>, found: &mut Vec<Diagnostic>) {
    let Some(tls) = tls else { return };
    let has_certificate = !tls.cert_file.is_empty() || tls.cert.secret.is_some() || tls.cert.config_map.is_some();
    let has_key = !tls.key_file.is_empty() || tls.key_secret.is_some();
    if has_certificate != has_key {
        found.push(diagnostics::incomplete_certificate(
            &at.key("tlsConfig"),
            has_certificate,
        ));
    }
}
