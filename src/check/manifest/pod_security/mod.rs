//! Pod Security: pods that the labels of their Namespace refuse, by the fields of the input that make them so.

mod controls;
mod labels;
mod requirements;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::hash::Hash;

use indexmap::IndexMap;

use super::origin::{ObjectOrigins, Origin, Origins};
use super::running::as_running;
use crate::api::Resource;
use crate::check::walk::{Broken, Json, Step, broken};
use crate::diagnostic::{Code, Diagnostic};
use crate::manifest::{Object, Role};
use controls::{Control, controls};
use labels::{Policy, policies};

/// What to do about a field that is set.
const REMOVE: &str = "remove it, or run the agent in a namespace that allows it";

/// Checks the labels of these Namespaces.
pub(super) fn check_labels(namespaces: &[Resource<'_, ()>]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for namespace in namespaces {
        policies(namespace, &mut found);
    }
    found
}

/// Checks the pods of an agent, which has these objects, against the labels of its Namespace.
pub(super) fn check(objects: &[&Object], origins: &Origins<'_>, namespace: &Resource<'_, ()>) -> Vec<Diagnostic> {
    let workloads = workloads(objects);
    let (agent, mut seen) = (origins.agent(), HashSet::new());
    let (mut found, mut left_out) = (Vec::new(), Vec::new());
    for policy in policies(namespace, &mut Vec::new()) {
        let mut refusals = IndexMap::new();
        for (name, object) in &workloads {
            let json = as_running(object);
            let whole = Json::Made(&json);
            let Some(template) = whole.at("spec.template") else {
                continue;
            };
            let fields = origins.of_object(&json);
            for control in controls(policy.level, policy.minor) {
                let (broken, others) = broken(control.rules, template);
                if let Some((_, count)) = others
                    && seen.insert((name.clone(), control.id.to_owned()))
                {
                    left_out.push(policy.left_out(count, name, control, namespace, agent));
                }
                for broken in broken {
                    // What a stricter mode has reported is not worth a milder word.
                    let field = format!("{:?} {:?}", broken.path, broken.problem);
                    if !seen.insert((name.clone(), field)) {
                        continue;
                    }
                    let refusal = Refusal::new(control, broken, whole, policy, &fields);
                    let same = refusals.entry(refusal.key()).or_insert(refusal);
                    same.workloads.push(name.clone());
                }
            }
        }
        let refusals = refusals.values();
        found.extend(refusals.map(|refusal| refusal.diagnostic(namespace.meta.name, agent)));
    }
    found.extend(left_out);
    found
}

impl Policy {
    /// A control refuses more fields of a workload than are reported one by one.
    fn left_out(
        &self,
        count: usize,
        workload: &str,
        control: &Control,
        namespace: &Resource<'_, ()>,
        agent: &Origin<'_>,
    ) -> Diagnostic {
        let (namespace, verb) = (namespace.meta.name, self.mode.verb);
        let (id, level) = (control.id, self.level.as_str());
        let message = format!(
            "Namespace `{namespace}` {verb} the pods of {workload} for {count} more fields, which are not shown (`{id}` of Pod \
             Security `{level}`)"
        );
        let help = "correct those that are shown, and check again";
        self.finding(agent, message).help(help).for_others(count)
    }

    /// A finding at a field of the input.
    fn finding(&self, at: &Origin<'_>, message: String) -> Diagnostic {
        Diagnostic::new(Code::PodSecurity, message)
            .severity(self.mode.severity)
            .label(at.span(), "")
            .label(self.span, "asked for here")
            .resource(at.object)
            .path(&at.path)
    }
}

/// The workloads, of all shards the first, each with its name.
fn workloads<'o>(objects: &[&'o Object]) -> Vec<(String, &'o Object)> {
    let mut roles = Vec::new();
    let mut workloads = Vec::new();
    for &object in objects {
        let role = object.role();
        if matches!(role, Role::Pods(_)) && !roles.contains(&role) {
            roles.push(role);
            workloads.push((format!("{} `{}`", object.kind(), object.name()), object));
        }
    }
    workloads
}

/// A field that a control refuses, in one or more workloads.
struct Refusal<'d> {
    control: &'static str,
    /// The field as it is named in messages.
    field: String,
    problem: String,
    help: String,
    policy: Policy,
    /// The field of the input; none where the operator sets it, or leaves it out.
    origin: Option<Origin<'d>>,
    /// Whether it is a volume of the operator, which nothing in the input changes.
    is_fixed: bool,
    workloads: Vec<String>,
}

impl<'d> Refusal<'d> {
    fn new(
        control: &Control,
        broken: Broken<'_>,
        object: Json<'_>,
        policy: Policy,
        fields: &ObjectOrigins<'_, 'd>,
    ) -> Self {
        let path = [&[Step::Key("spec"), Step::Key("template")], broken.path.as_slice()].concat();
        // A value that the input does not have is the operator's.
        let is_set = |origin: &Origin<'_>| !broken.problem.starts_with("must not") || origin.node().is_some();
        let origin = fields.field(&path).filter(is_set);
        let is_volume = broken.path.get(1) == Some(&Step::Key("volumes"));
        Self {
            control: control.id,
            field: field(object, &broken.path),
            problem: broken.problem,
            help: broken.help,
            policy,
            is_fixed: is_volume && origin.is_none(),
            origin,
            workloads: Vec::new(),
        }
    }

    /// What the refusals of several workloads have in common that are one.
    fn key(&self) -> impl Eq + Hash + use<'d> {
        let origin = self.origin.as_ref();
        let place = origin.map(|origin| (origin.object, origin.path.to_string()));
        (self.control, self.field.clone(), self.problem.clone(), place)
    }

    fn diagnostic(&self, namespace: &str, agent: &Origin<'d>) -> Diagnostic {
        let (verb, level) = (self.policy.mode.verb, self.policy.level.as_str());
        let who = match &self.origin {
            Some(_) => "",
            None if self.problem.starts_with("must not") => ", which the operator sets",
            None => ", which the operator does not set",
        };
        let message = format!(
            "Namespace `{namespace}` {verb} the pods of {}: {} {}{who} (`{}` of Pod Security `{level}`)",
            self.workloads.join(" and "),
            self.field,
            self.problem,
            self.control,
        );
        let at = self.origin.as_ref().unwrap_or(agent);
        let help = match self.is_fixed {
            true => {
                "run the agent in a namespace with the level `privileged`: no field of a GrafanaAgent changes this volume"
            }
            false if self.origin.is_none() && self.control == "privileged" => {
                "set `securityContext.privileged: false` of the container in `spec.containers`"
            }
            false if self.help.is_empty() => REMOVE,
            false => &self.help,
        };
        self.policy.finding(at, message).help(help)
    }
}

/// A field of a pod with the container or the volume that it is of.
fn field(object: Json<'_>, path: &[Step<'_>]) -> String {
    let (item, rest) = match path {
        [
            _,
            Step::Key(list @ ("containers" | "initContainers" | "volumes")),
            Step::Index(index),
            rest @ ..,
        ] => {
            let item = object.list(&format!("spec.template.spec.{list}")).nth(*index);
            let what = if *list == "volumes" { "volume" } else { "container" };
            let name = item.and_then(|item| item.get("name")).and_then(Json::as_str);
            (name.map(|name| format!(" of {what} `{name}`")), rest)
        }
        [_, rest @ ..] => (None, rest),
        [] => (None, path),
    };
    let mut name = String::new();
    for step in rest {
        match step {
            Step::Key(key) if key.contains('.') => name.push_str(&format!("[{key}]")),
            Step::Key(key) if name.is_empty() => name.push_str(key),
            Step::Key(key) => name.push_str(&format!(".{key}")),
            Step::Index(index) => name.push_str(&format!("[{index}]")),
        }
    }
    format!("`{name}`{}", item.unwrap_or_default())
}
