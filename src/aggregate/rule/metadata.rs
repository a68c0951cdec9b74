//! The name has to be `version.group`, and the rest of `metadata` what Kubernetes allows (`ValidateObjectMeta`).

use crate::aggregate::api_service::ApiService;
use crate::aggregate::diagnostics;
use crate::aggregate::field::Field;
use crate::aggregate::name::check_path_segment;
use crate::api::label::{check_label_value, check_qualified_name};
use crate::diagnostic::Diagnostic;

/// Names of remote services are made, so their parts are checked instead.
pub(super) fn check(service: &ApiService<'_>, out: &mut Vec<Diagnostic>) {
    if service.origin.is_remote() {
        return;
    }
    let required = format!("{}.{}", service.version, service.group);
    if let Err(reason) = check_path_segment(&service.name) {
        out.push(diagnostics::invalid_name(service, &reason));
    } else if service.name != required {
        out.push(diagnostics::name_mismatch(service, &required));
    }
    if !service.namespace.is_empty() {
        out.push(diagnostics::namespaced(service));
    }
    for (key, value) in &service.labels {
        if let Err(reason) = check_qualified_name(key).and_then(|()| check_label_value(value)) {
            out.push(diagnostics::invalid_label(service, Field::Labels, key, &reason));
        }
    }
    for key in service.annotations.keys() {
        if let Err(reason) = check_qualified_name(&key.to_lowercase()) {
            out.push(diagnostics::invalid_label(service, Field::Annotations, key, &reason));
        }
    }
}
