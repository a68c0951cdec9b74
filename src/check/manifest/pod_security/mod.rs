//! Pod Security: pods that are rejected because of their Namespace's labels. They are reported at the input fields that
//! violate the level.

pub(in crate::check) mod controls;
mod labels;
mod requirements;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::fmt::{self, Display};
use std::hash::Hash;

use indexmap::IndexMap;
use indexmap::map::Entry;

use super::origin::{ManifestOrigin, ObjectOrigins, Origins};
use super::running::running_manifest;
use crate::api::Resource;
use crate::check::walk::{Json, Step, Violation, violations};
use crate::diagnostic::listed::{first_of, format_list, join_words};
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{Object, ObjectRole};
use crate::printable::format_count;
use crate::source::Span;
use controls::{Control, controls};
use labels::{SecurityLevel, SecurityPolicy, policies};

/// Checks the Pod Security labels of `namespaces`.
pub(super) fn check_labels(namespaces: &[Resource<'_, ()>]) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for namespace in namespaces {
        policies(namespace, &mut findings);
    }
    findings
}

/// Checks the pods of an agent's objects against the labels of `namespace`.
pub(super) fn check(objects: &[&Object], origins: &Origins<'_>, namespace: &Resource<'_, ()>) -> Vec<Diagnostic> {
    let workloads = workloads(objects);
    let (agent, mut seen_violations) = (origins.agent(), HashSet::new());
    let (mut findings, mut omitted) = (Vec::new(), Vec::new());
    for policy in policies(namespace, &mut Vec::new()) {
        let mut control_violations = IndexMap::<_, ControlViolation<'_>>::new();
        for (name, object) in &workloads {
            let json = running_manifest(object);
            let workload = Json::Built(&json);
            let Some(template) = workload.at("spec.template") else {
                continue;
            };
            let fields = origins.object_origins(&json);
            for control in controls(policy.level, policy.minor) {
                let (violations, omitted_count) = violations(control.rules, template);
                if let Some((_, count)) = omitted_count
                    && seen_violations.insert((name.clone(), control.id.to_owned()))
                {
                    omitted.push(policy.omitted_violations(count, name, control, namespace, agent));
                }
                for violation in violations {
                    // A stricter mode has already reported the field.
                    let field = format!("{:?} {:?}", violation.path, violation.problem);
                    if !seen_violations.insert((name.clone(), field)) {
                        continue;
                    }
                    let control_violation =
                        ControlViolation::new(control, violation, (name, workload), policy, &fields);
                    match control_violations.entry(control_violation.key()) {
                        Entry::Occupied(mut same) => same.get_mut().merge(control_violation),
                        Entry::Vacant(free) => drop(free.insert(control_violation)),
                    }
                }
            }
        }
        let passing = policy.passing_level(&workloads);
        let control_violations = remove_moot(control_violations.into_values().collect());
        let control_violations = control_violations.iter();
        findings.extend(control_violations.map(|violation| violation.diagnostic(namespace.meta.name, passing, agent)));
    }
    findings.extend(omitted);
    findings
}

/// Removes violations whose fixes would make no difference. If a workload has a violation that no GrafanaAgent field
/// can fix, its Namespace must allow everything anyway.
fn remove_moot(mut violations: Vec<ControlViolation<'_>>) -> Vec<ControlViolation<'_>> {
    let fixed_workloads = violations.iter().filter(|refusal| refusal.is_fixed);
    let fixed_workloads: HashSet<String> = fixed_workloads.flat_map(|violation| violation.workloads.clone()).collect();
    for violation in violations.iter_mut().filter(|violation| !violation.is_fixed) {
        violation.workloads.retain(|workload| !fixed_workloads.contains(workload));
    }
    violations.retain(|violation| !violation.workloads.is_empty());
    violations
}

impl SecurityPolicy {
    /// Returns the strictest level below the policy's level that accepts all workloads unchanged.
    fn passing_level(&self, workloads: &[(String, &Object)]) -> SecurityLevel {
        let breaks_baseline = |object: &Object| {
            let json = running_manifest(object);
            let template = Json::Built(&json).at("spec.template");
            template.is_some_and(|template| {
                let mut controls = controls(SecurityLevel::Baseline, self.minor);
                controls.any(|control| !violations(control.rules, template).0.is_empty())
            })
        };
        match workloads.iter().any(|(_, object)| breaks_baseline(object)) {
            true => SecurityLevel::Privileged,
            false => SecurityLevel::Baseline,
        }
    }

    /// Finding for the violations of a control that are not reported individually.
    fn omitted_violations(
        &self,
        count: usize,
        workload: &str,
        control: &Control,
        namespace: &Resource<'_, ()>,
        agent: &ManifestOrigin<'_>,
    ) -> Diagnostic {
        let (namespace, verb) = (namespace.meta.name, self.mode.verb);
        let (id, level) = (control.id, self.level.as_str());
        let message = format!(
            "Namespace `{namespace}` {verb} the pods of {workload} (Pod Security `{level}`, control `{id}`) because of {} that are not shown",
            format_count(count, "other field")
        );
        let help = "fix the fields that are shown, then check again";
        self.finding(agent, message).help(help).for_others(count)
    }

    /// Creates a finding at an input field.
    fn finding(&self, at: &ManifestOrigin<'_>, message: String) -> Diagnostic {
        Diagnostic::new(Code::PodSecurity, message)
            .severity(self.mode.severity)
            .label(at.span(), "")
            .label(self.span, "the level is set here")
            .resource(at.object)
            .path(&at.path)
    }
}

/// Returns the workloads with their names. Only the first of several shards is included.
fn workloads<'o>(objects: &[&'o Object]) -> Vec<(String, &'o Object)> {
    let mut roles = Vec::new();
    let mut workloads = Vec::new();
    for &object in objects {
        let role = object.role();
        if matches!(role, ObjectRole::Pods(_)) && !roles.contains(&role) {
            roles.push(role);
            workloads.push((format!("{} `{}`", object.kind(), object.name()), object));
        }
    }
    workloads
}

/// A violation of a control in one or more workloads, caused by volumes of one type or by another field.
struct ControlViolation<'d> {
    control: &'static str,
    field: Field,
    problem: String,
    help: String,
    policy: SecurityPolicy,
    /// Input field, or `None` if the operator sets or omits the rendered field.
    origin: Option<ManifestOrigin<'d>>,
    /// Spans of the other volumes of the same type.
    other_spans: Vec<Span>,
    /// Whether the operator adds the volume. If so, changing the input does not help.
    is_fixed: bool,
    workloads: Vec<String>,
}

/// Maximum number of volumes that a finding lists.
const MAX_VOLUMES: usize = 4;

impl<'d> ControlViolation<'d> {
    fn new(
        control: &Control,
        violation: Violation<'_>,
        (workload, object): (&str, Json<'_>),
        policy: SecurityPolicy,
        fields: &ObjectOrigins<'_, 'd>,
    ) -> Self {
        let path = [&[Step::Key("spec"), Step::Key("template")], violation.path.as_slice()].concat();
        // A forbidden value that is not in the input was set by the operator.
        let is_set =
            |origin: &ManifestOrigin<'_>| !violation.problem.starts_with("must not") || origin.node().is_some();
        let origin = fields.field(&path).filter(is_set);
        let field = Field::new(object, &violation.path);
        Self {
            control: control.id,
            problem: violation.problem,
            help: violation.help,
            policy,
            is_fixed: field.is_volume() && origin.is_none(),
            field,
            origin,
            other_spans: Vec::new(),
            workloads: vec![workload.to_owned()],
        }
    }

    /// Returns a key that is the same for violations that should be merged.
    fn key(&self) -> impl Eq + Hash + use<'d> {
        let origin = self.origin.as_ref().filter(|_| !self.field.is_volume());
        let place = origin.map(|origin| (origin.object, origin.path.to_string()));
        let items = Some(&self.field.items).filter(|_| !self.field.is_volume()).cloned();
        let field = (self.field.name.clone(), items, self.is_fixed);
        (self.control, field, self.problem.clone(), place)
    }

    /// Merges another violation with the same key into this one.
    fn merge(&mut self, other: Self) {
        for workload in other.workloads {
            if !self.workloads.contains(&workload) {
                self.workloads.push(workload);
            }
        }
        for item in other.field.items {
            if !self.field.items.contains(&item) {
                self.field.items.push(item);
                self.other_spans.extend(other.origin.as_ref().map(ManifestOrigin::span));
            }
        }
    }

    fn diagnostic(&self, namespace: &str, passing: SecurityLevel, agent: &ManifestOrigin<'d>) -> Diagnostic {
        let (mode, level) = (self.policy.mode, self.policy.level.as_str());
        let subject = match &self.origin {
            Some(_) => "",
            None if self.problem.starts_with("must not") => ", but the operator sets this field",
            None => ", but the operator does not set this field",
        };
        let message = format!(
            "Namespace `{namespace}` {} the pods of {} (Pod Security `{level}`, control `{}`): {} {}{subject}",
            mode.verb,
            join_words("and", &self.workloads),
            self.control,
            self.field,
            self.problem,
        );
        let at = self.origin.as_ref().unwrap_or(agent);
        let label = |level: &str| format!("label Namespace `{namespace}` with `{}: {level}`", mode.label);
        let help = match self.is_fixed {
            true => format!("{}, because no GrafanaAgent field can change these volumes", label("privileged")),
            false if self.origin.is_none() && self.control == "privileged" => {
                "set `securityContext.privileged: false` on the container in `spec.containers`".to_owned()
            }
            false if self.help.is_empty() => format!("remove this setting, or {}", label(passing.as_str())),
            false => self.help.clone(),
        };
        let finding = self.policy.finding(at, message).help(help);
        let others = self.other_spans.iter().take(MAX_VOLUMES - 1);
        others.fold(finding, |finding, &span| finding.label(span, "and here"))
    }
}

/// A field in a pod or container, or in one or more volumes.
struct Field {
    /// Path of the field within the pod, container or volume.
    name: String,
    /// `container`, `volume`, or `None` for the pod.
    owner: Option<&'static str>,
    /// Names of the container or volumes; empty for the pod.
    items: Vec<String>,
}

impl Field {
    fn new(object: Json<'_>, path: &[Step<'_>]) -> Self {
        let (owner, item, rest) = match path {
            [_, Step::Key(list @ ("containers" | "initContainers" | "volumes")), Step::Index(index), rest @ ..] => {
                let item = object.list(&format!("spec.template.spec.{list}")).nth(*index);
                let name = item.and_then(|item| item.get("name")).and_then(Json::as_str);
                let owner = if *list == "volumes" { "volume" } else { "container" };
                (Some(owner), name, rest)
            }
            [_, rest @ ..] => (None, None, rest),
            [] => (None, None, path),
        };
        Self { name: display_path(rest), owner, items: item.into_iter().map(str::to_owned).collect() }
    }

    fn is_volume(&self) -> bool {
        self.owner == Some("volume")
    }
}

impl Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.name)?;
        match (self.owner, self.items.len()) {
            (None, _) | (_, 0) => Ok(()),
            (Some(owner), 1) => write!(f, " of {owner} {}", first_of(1, self.items.iter())),
            (Some(owner), _) => write!(f, " of {owner}s {}", format_list(MAX_VOLUMES, self.items.iter())),
        }
    }
}

fn display_path(path: &[Step<'_>]) -> String {
    let mut list = String::new();
    for step in path {
        match step {
            Step::Key(key) if key.contains('.') => list.push_str(&format!("[{key}]")),
            Step::Key(key) if list.is_empty() => list.push_str(key),
            Step::Key(key) => list.push_str(&format!(".{key}")),
            Step::Index(index) => list.push_str(&format!("[{index}]")),
        }
    }
    list
}
