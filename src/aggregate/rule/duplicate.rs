//! The same group and version twice, or two objects of the same name: the one that is applied last replaces the other.

use std::collections::BTreeMap;

use crate::aggregate::diagnostics;
use crate::aggregate::field::Origin;
use crate::aggregate::kind::ObjectName;
use crate::aggregate::registry::Registry;
use crate::diagnostic::Diagnostic;

pub(super) fn check(registry: &Registry<'_>, out: &mut Vec<Diagnostic>) {
    let mut taken = BTreeMap::new();
    for service in &registry.api_services {
        let first = *taken.entry((service.group, service.version)).or_insert(service);
        if !std::ptr::eq(first, service) {
            out.push(diagnostics::duplicate_group_version(first, service));
        }
    }
    let names = registry.external_names.iter().map(|e| (e.object(), e.origin));
    // Without anything that leads to one, core Services are of no concern.
    let services = registry.services.iter().filter(|_| !registry.is_empty());
    let services = services.map(|s| (s.object(), s.origin));
    check_names(names.chain(services), out);
}

/// ExternalNames of remote services are told by their group and version.
fn check_names<'r, 'd: 'r>(objects: impl Iterator<Item = (ObjectName<'r>, Origin<'d>)>, out: &mut Vec<Diagnostic>) {
    let mut taken: BTreeMap<_, Origin<'d>> = BTreeMap::new();
    for (object, origin) in objects {
        match taken.get(&(object.kind, object.namespace, object.name)) {
            Some(first) if first.is_remote() && origin.is_remote() => {}
            Some(first) => out.push(diagnostics::duplicate_resource(object, *first, origin)),
            None => {
                taken.insert((object.kind, object.namespace, object.name), origin);
            }
        }
    }
}
