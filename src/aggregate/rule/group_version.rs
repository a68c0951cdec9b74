//! The group is a DNS subdomain, or empty for `v1`; the version is a DNS label (`ValidateAPIService`).

use crate::aggregate::api_service::ApiService;
use crate::aggregate::diagnostics;
use crate::aggregate::field::Field;
use crate::diagnostic::Diagnostic;
use crate::go::syntax;

pub(super) fn check(service: &ApiService<'_>, out: &mut Vec<Diagnostic>) {
    if service.group.is_empty() && service.version != "v1" {
        out.push(diagnostics::missing_group(service));
    }
    let mut report = |field, text: &str, problem: Option<String>| {
        out.extend(problem.map(|problem| diagnostics::invalid_part(service, field, text, &problem)));
    };
    if !service.group.is_empty() {
        report(Field::Group, service.group, syntax::subdomain(service.group));
    }
    report(Field::Version, service.version, syntax::dns_1035_label(service.version));
}
