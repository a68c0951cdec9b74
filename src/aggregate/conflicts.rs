//! Checks that apply to a registry as a whole.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::discovery::sort_by_group_and_version;
use super::object::{ApiService, RegistrySource, ServiceReference, finding_at};
use super::registry::Registry;
use super::route::Endpoints;
use super::version::rank;
use crate::diagnostic::{Code, Diagnostic};

/// Applies the rules that concern more than one object in the registry.
pub(super) fn check(registry: &Registry<'_>, out: &mut Vec<Diagnostic>) {
    report_duplicates(registry, out);
    report_dangling(registry, out);
    check_preferred_versions(registry, out);
}

/// Help for two objects that cannot both exist.
const REMOVE_ONE: &str = "remove one of the two: the one that is applied last replaces the other";

/// Reports duplicate groups and versions, and objects with the same name: the object that is applied last replaces the
/// other.
fn report_duplicates(registry: &Registry<'_>, out: &mut Vec<Diagnostic>) {
    let mut used_names = BTreeMap::new();
    // An APIService without a group and a version causes other findings.
    let is_known = |service: &&ApiService<'_>| !service.spec.version.is_empty();
    for service in registry.api_services.iter().filter(is_known) {
        let first = *used_names.entry((service.spec.group, service.spec.version)).or_insert(service);
        if !std::ptr::eq(first, service) {
            let message = format!("`{}` is registered twice", service.group_version());
            let finding = service.finding(Code::DuplicateGroupVersion, "spec.version", message);
            out.push(finding.label(first.origin.locate("spec.version"), "first defined here").help(REMOVE_ONE));
        }
    }
    let names = registry.external_names.iter().map(|e| (e.object(), e.origin));
    // Core Services matter only if an APIService refers to them.
    let references = registry.api_services.iter().filter_map(|service| service.spec.service.as_ref());
    let used_services: BTreeSet<_> =
        references.map(|service| (service.namespace.as_ref(), service.name.as_ref())).collect();
    let services =
        registry.services.iter().filter(|service| used_services.contains(&(service.namespace, service.name.as_ref())));
    let services = services.map(|s| (s.object(), s.origin));
    let mut used_names: BTreeMap<_, RegistrySource<'_>> = BTreeMap::new();
    for (object, origin) in names.chain(services) {
        match used_names.get(&object) {
            // ExternalNames for remote services are named after their group and version. Duplicate groups and versions
            // have already been reported.
            Some(first) if first.is_remote() && origin.is_remote() => {}
            // A manifest and the same object returned by the cluster are not duplicates.
            Some(first) if first.is_observed() != origin.is_observed() => {}
            Some(first) => {
                let message = format!("`{object}` is defined twice");
                let finding = Diagnostic::new(Code::DuplicateResource, message);
                let finding = finding_at(finding, object, origin, "metadata.name");
                out.push(finding.label(first.locate("metadata.name"), "first defined here").help(REMOVE_ONE));
            }
            None => {
                used_names.insert(object, origin);
            }
        }
    }
}

/// Reports APIServices whose service is missing, and unreferenced ExternalNames, which are probably left over. An
/// APIService without its service answers 503, which blocks the deletion of every namespace.
fn report_dangling(registry: &Registry<'_>, out: &mut Vec<Diagnostic>) {
    let endpoints = Endpoints::new(registry);
    let mut used_names = BTreeSet::new();
    for service in &registry.api_services {
        let Some(reference) = &service.spec.service else {
            continue;
        };
        used_names.insert((reference.namespace.as_ref(), reference.name.as_ref()));
        let ServiceReference { namespace, name, .. } = reference;
        if !namespace.is_empty() && !name.is_empty() && endpoints.find(reference).is_none() {
            let message = format!("the input has no ExternalName or Service `{name}` in namespace `{namespace}`");
            let help = "add it, or correct the name: without it, requests fail and namespaces cannot be deleted";
            let finding = service.finding(Code::MissingService, "spec.service.name", message);
            out.push(finding.help(help));
        }
    }
    for external_name in &registry.external_names {
        if !external_name.name.is_empty()
            && !used_names.contains(&(external_name.namespace, external_name.name.as_ref()))
        {
            let message = format!("no APIService refers to ExternalName `{}`", external_name.name);
            out.push(external_name.finding(Code::UnusedExternalName, "metadata.name", message));
        }
    }
}

/// Reports groups whose preferred version, which clients use by default, is less stable than another version.
fn check_preferred_versions(registry: &Registry<'_>, out: &mut Vec<Diagnostic>) {
    let stability = |service: &ApiService<'_>| rank(service.spec.version).0;
    for group in sort_by_group_and_version(&registry.api_services) {
        let most_stable = group.versions.iter().min_by_key(|service| Reverse(stability(service)));
        let Some((preferred_service, stable_service)) = group.preferred_version().zip(most_stable) else {
            continue;
        };
        if stability(stable_service) <= stability(preferred_service) {
            continue;
        }
        let message = format!(
            "`{}` prefers version `{}` ({}) over `{}` ({})",
            preferred_service.spec.group,
            preferred_service.spec.version,
            stability(preferred_service).as_str(),
            stable_service.spec.version,
            stability(stable_service).as_str(),
        );
        let field = "spec.versionPriority";
        out.push(
            preferred_service
                .finding(Code::UnstablePreferredVersion, field, message)
                .label(
                    stable_service.origin.locate(field),
                    format!("`{}` has the lower priority", stable_service.spec.version),
                )
                .help(format!("give `{}` a higher `versionPriority`", stable_service.spec.version)),
        );
    }
}
