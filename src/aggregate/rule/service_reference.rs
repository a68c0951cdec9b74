//! A service has a namespace, a name and a port (`ValidateAPIService`).

use crate::aggregate::api_service::ApiService;
use crate::aggregate::diagnostics;
use crate::aggregate::field::Field;
use crate::diagnostic::Diagnostic;

pub(super) fn check(service: &ApiService<'_>, out: &mut Vec<Diagnostic>) {
    let Some(reference) = &service.service else { return };
    if reference.namespace.is_empty() {
        out.push(diagnostics::incomplete_reference(
            service,
            Field::ServiceNamespace,
            "namespace",
        ));
    }
    if reference.name.is_empty() {
        out.push(diagnostics::incomplete_reference(service, Field::ServiceName, "name"));
    }
    if !(1..=65_535).contains(&reference.port) {
        out.push(diagnostics::invalid_port(service, reference.port));
    }
}
