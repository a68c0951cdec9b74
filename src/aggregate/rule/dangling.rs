//! An APIService whose service is missing answers 503, and so blocks the deletion of every namespace; an ExternalName
//! that nothing leads to is most likely left over.

use std::collections::BTreeSet;

use crate::aggregate::diagnostics;
use crate::aggregate::endpoint::Endpoints;
use crate::aggregate::registry::Registry;
use crate::diagnostic::Diagnostic;

pub(super) fn check(registry: &Registry<'_>, endpoints: &Endpoints<'_, '_>, out: &mut Vec<Diagnostic>) {
    let mut used = BTreeSet::new();
    for service in &registry.api_services {
        let Some(reference) = &service.service else { continue };
        used.insert((reference.namespace.as_ref(), reference.name.as_ref()));
        let complete = !reference.namespace.is_empty() && !reference.name.is_empty();
        if complete && endpoints.find(reference).is_none() {
            out.push(diagnostics::missing_service(service, reference));
        }
    }
    for external in &registry.external_names {
        let named = !external.name.is_empty();
        if named && !used.contains(&(external.namespace, external.name.as_ref())) {
            out.push(diagnostics::unused_external_name(external));
        }
    }
}
