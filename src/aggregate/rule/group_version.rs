//! The group is a DNS subdomain, or empty for `v1`; the version is a DNS label (`ValidateAPIService`).

use crate::aggregate::api_service::ApiService;
use crate::aggregate::diagnostics;
use crate::aggregate::field::Field;
use crate::aggregate::name::check_dns_1035_label;
use crate::api::label::check_subdomain;
use crate::diagnostic::Diagnostic;

pub(super) fn check(service: &ApiService<'_>, out: &mut Vec<Diagnostic>) {
    if service.group.is_empty() && service.version != "v1" {
        out.push(diagnostics::missing_group(service));
    }
    if !service.group.is_empty()
        && let Err(reason) = check_subdomain(service.group)
    {
        out.push(diagnostics::invalid_part(service, Field::Group, service.group, &reason));
    }
    if let Err(reason) = check_dns_1035_label(service.version) {
        out.push(diagnostics::invalid_part(
            service,
            Field::Version,
            service.version,
            &reason,
        ));
    }
}
