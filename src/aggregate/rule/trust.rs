//! A bundle and the insecure flag exclude each other, and a local APIService has neither (`ValidateAPIService`).

use crate::aggregate::api_service::ApiService;
use crate::aggregate::diagnostics;
use crate::aggregate::field::Field;
use crate::diagnostic::Diagnostic;

pub(super) fn check(service: &ApiService<'_>, out: &mut Vec<Diagnostic>) {
    let has_bundle = !service.ca_bundle.is_empty();
    let insecure = service.insecure_skip_tls_verify;
    if service.service.is_some() {
        if has_bundle && insecure {
            out.push(diagnostics::insecure_with_bundle(service));
        }
        return;
    }
    if has_bundle {
        out.push(diagnostics::local_with_trust(service, Field::CaBundle, "caBundle"));
    }
    if insecure {
        out.push(diagnostics::local_with_trust(
            service,
            Field::Insecure,
            "insecureSkipTLSVerify",
        ));
    }
}
