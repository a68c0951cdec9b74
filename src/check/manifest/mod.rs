//! Rules for rendered manifests. A finding points to the input field that the manifest field comes from.

mod diagnostics;
mod origin;
pub(super) mod pod_security;
pub(super) mod rules;
mod running;
mod size;
#[cfg(test)]
mod tests;

use std::cell::LazyCell;
use std::collections::{HashMap, HashSet};

use super::rule::{Rule, RuleTarget, rule};
use super::walk::{Json, violations};
use crate::api::core::embedded::{list_field, name};
use crate::api::{RejectedFields, Resources, find};
use crate::diagnostic::Diagnostic;
use crate::go::syntax;
use crate::manifest::{Object, Objects};
use crate::resolve::Hierarchy;
use origin::Origins;
use running::running_manifest;

pub const RULES: &[Rule] = &[rule(&[], RuleTarget::Objects(check), "Kubernetes: the tables name theirs")];

/// Fields of a GrafanaAgent that the operator copies to containers.
const CONTAINERS: [&str; 3] = ["spec.containers", "spec.initContainers", "spec.securityContext"];

/// Checks each agent's objects against Kubernetes' rules.
fn check(resources: &Resources<'_>, hierarchies: &[Hierarchy<'_, '_>], objects: &Objects) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let mut pod_findings = pod_security::check_labels(&resources.namespaces);
    for (hierarchy, agent) in hierarchies.iter().zip(&objects.agents) {
        let objects = agent.objects.iter().filter(|object| !object.is_middle_shard());
        let objects: Vec<_> = objects.collect();
        let origins = Origins::new(hierarchy);
        findings.extend(size::check(hierarchy, &agent.objects));
        let rejected = &resources.rejected_fields;
        let agent = hierarchy.agent.object_ref();
        let is_known = !CONTAINERS.iter().any(|field| rejected.overlap(agent, field));
        findings.extend(check_agent(hierarchy, &objects, &origins, rejected, is_known));
        let namespace = find(&resources.namespaces, "", hierarchy.agent.meta.namespace);
        if let Some(namespace) = namespace.filter(|_| is_known) {
            pod_findings.extend(pod_security::check(&objects, &origins, namespace));
        }
    }
    let reported_findings: HashSet<_> = findings.iter().map(|finding| (&finding.resource, &finding.path)).collect();
    pod_findings.retain(|finding| !reported_findings.contains(&(&finding.resource, &finding.path)));
    findings.extend(pod_findings);
    findings
}

/// Returns the path of the container's `name`, which is the merge key, if `path` leads into a container.
fn name_of_item(path: &str) -> Option<String> {
    let is_container = CONTAINERS.iter().any(|field| path.starts_with(field));
    let (item, _) = path.split_once(']').filter(|_| is_container)?;
    Some(format!("{item}].name"))
}

/// Returns the first workload that has each volume.
fn workloads_by_volume<'o>(objects: &[&'o Object]) -> HashMap<String, &'o Object> {
    let mut workloads = HashMap::new();
    for &object in objects {
        let json = running_manifest(object);
        for volume in json.pointer("/spec/template/spec").map_or(&[][..], |pod| list_field(pod, "volumes")) {
            workloads.entry(name(volume).to_owned()).or_insert(object);
        }
    }
    workloads
}

/// Checks an agent's objects sequentially, because their combined JSON would take too much memory. `is_known` indicates
/// whether all containers are known; otherwise, findings that depend on containers are skipped.
fn check_agent(
    hierarchy: &Hierarchy<'_, '_>,
    objects: &[&Object],
    origins: &Origins<'_>,
    rejected: &RejectedFields<'_>,
    is_known: bool,
) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    // Several objects may be generated from the same input field.
    let mut seen_origins = HashSet::new();
    let workloads_by_volume = LazyCell::new(|| workloads_by_volume(objects));
    let mut omitted = None;
    for &object in objects {
        let json = running_manifest(object);
        // An invalid derived name is reported once per object, unless the agent's name is itself invalid.
        let mut is_named = syntax::subdomain(hierarchy.agent.meta.name).is_some();
        let (violations, omitted_counts) = violations(rules::rules_for_kind(object.kind()), Json::Built(&json));
        // The violations in the first and last shards include those in all other shards.
        omitted = omitted.or_else(|| omitted_counts.map(|omitted_counts| (object, omitted_counts)));
        let fields = origins.object_origins(&json);
        for mut violation in violations {
            let mut origin = fields.field(&violation.path);
            let mut other = violation.other.as_ref().map(|(other, _)| fields.field(other));
            // The finding points to the user's list item, because the user cannot change an item that the operator
            // appends.
            if let (None, Some(other)) = (&origin, &mut other) {
                std::mem::swap(&mut origin, other);
            }
            let at = origin.as_ref().map(|origin| (origin.object, origin.path.to_string()));
            let is_repeated_name = at.is_none() && std::mem::replace(&mut is_named, true);
            if is_repeated_name || !seen_origins.insert((at, violation.problem.clone())) {
                continue;
            }
            let depends_on_unknown = match &origin {
                Some(origin) => {
                    name_of_item(&origin.path.to_string()).is_some_and(|name| rejected.overlap(origin.object, &name))
                }
                None => !is_known,
            };
            if depends_on_unknown {
                continue;
            }
            if violation.problem == rules::MISSING_VOLUME
                && let Some(owner) = violation.value.as_ref().and_then(|name| workloads_by_volume.get(name))
            {
                diagnostics::explain_missing_volume(&mut violation, object, owner);
            }
            findings.push(match &origin {
                Some(origin) => diagnostics::rejected_field(object, &violation, origin, other.as_ref()),
                None => diagnostics::rejected_name(object, &violation, origins.agent()),
            });
        }
    }
    let omitted =
        omitted.map(|(object, (code, count))| diagnostics::omitted_violations(object, code, count, origins.agent()));
    findings.extend(omitted);
    findings
}
