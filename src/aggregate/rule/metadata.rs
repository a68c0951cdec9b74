//! The name of an APIService has to be `version.group`, and the rest of `metadata` what Kubernetes allows
//! (`ValidateObjectMeta`). What is made of remote services has none of its own.

use crate::aggregate::api_service::ApiService;
use crate::aggregate::diagnostics;
use crate::aggregate::external_name::ExternalName;
use crate::aggregate::field::{Field, Origin};
use crate::aggregate::kind::ObjectName;
use crate::api::ObjectMeta;
use crate::diagnostic::Diagnostic;
use crate::go::syntax;

pub(super) fn check_api_service(service: &ApiService<'_>, out: &mut Vec<Diagnostic>) {
    if service.origin.is_remote() {
        return;
    }
    let required = format!("{}.{}", service.version, service.group);
    if let Some(problem) = syntax::path_segment(&service.name) {
        let diagnostic = diagnostics::invalid_name(service.object(), service.origin, Field::Name, &problem);
        out.push(diagnostic.help(format!("name it `{required}`")));
    } else if service.name != required {
        out.push(diagnostics::name_mismatch(service, &required));
    }
    if !service.metadata.namespace.is_empty() {
        out.push(diagnostics::namespaced(service));
    }
    check_labels(&service.metadata, service.object(), service.origin, out);
}

pub(super) fn check_external_name(external: &ExternalName<'_>, out: &mut Vec<Diagnostic>) {
    if external.origin.is_remote() {
        return;
    }
    let invalid = |field, problem: &str| diagnostics::invalid_name(external.object(), external.origin, field, problem);
    if external.name.is_empty() {
        out.push(diagnostics::missing_name(external));
    } else if let Some(problem) = syntax::path_segment(&external.name) {
        out.push(invalid(Field::Name, &problem));
    }
    if let Some(problem) = syntax::dns_label(external.namespace) {
        out.push(invalid(Field::Namespace, &problem));
    }
    check_labels(&external.metadata, external.object(), external.origin, out);
}

fn check_labels(metadata: &ObjectMeta<'_>, object: ObjectName<'_>, origin: Origin<'_>, out: &mut Vec<Diagnostic>) {
    let mut report = |field, key: &str, problem: Option<String>| {
        out.extend(problem.map(|problem| diagnostics::invalid_label(object, origin, field, key, &problem)));
    };
    for (key, value) in &metadata.labels {
        let problem = syntax::qualified_name(key).or_else(|| syntax::label_value(value));
        report(Field::Labels, key, problem);
    }
    for key in metadata.annotations.keys() {
        report(Field::Annotations, key, syntax::qualified_name(&key.to_lowercase()));
    }
}
