//! Objects → objects without the values of Secrets (`--secrets`).

use super::{Lowered, Options, lower};
use crate::api::Resources;
use crate::diagnostic::{Severity, Warned};
use crate::pods::{Object, external_secret};
use crate::resolve::{Hierarchy, Remote, SecretMode};

/// What is delivered of the objects of these hierarchies. They hold the values still: what was checked is what runs in
/// the end.
pub fn deliver(
    lowered: Lowered,
    hierarchies: &[Hierarchy<'_, '_>],
    resources: &Resources<'_>,
    mode: &SecretMode,
    options: &Options,
) -> Warned<Lowered> {
    let output = match mode {
        SecretMode::Inline => lowered,
        SecretMode::Placeholder => {
            let concealed: Vec<_> = hierarchies.iter().map(Hierarchy::concealed).collect();
            let mut concealed = lower(&concealed, &resources.nodes, options);
            // The warnings were given for the values. An error is new: the placeholders are longer, and there are limits.
            concealed
                .diagnostics
                .retain(|diagnostic| diagnostic.severity == Severity::Error);
            return concealed;
        }
        SecretMode::External(remote) => Lowered {
            agents: lowered
                .agents
                .into_iter()
                .zip(hierarchies)
                .map(|(objects, hierarchy)| external(objects, hierarchy, resources, remote))
                .collect(),
            others: lowered.others,
        },
    };
    Warned {
        output,
        diagnostics: Vec::new(),
    }
}

/// An ExternalSecret, or nothing, in the place of `<agent>-secrets`, where that has values of Secrets.
fn external(
    objects: Vec<Object>,
    hierarchy: &Hierarchy<'_, '_>,
    resources: &Resources<'_>,
    remote: &Remote,
) -> Vec<Object> {
    if !hierarchy.has_secret_values() {
        return objects;
    }
    let replaced = objects.into_iter().filter_map(|object| {
        let is_secret = matches!(object, Object::Secret(_));
        if !is_secret || object.name().strip_suffix("-secrets") != Some(hierarchy.agent.meta.name) {
            return Some(object);
        }
        let made_by = external_secret::referred_values(hierarchy, resources, remote)?;
        Some(Object::ExternalSecret(Box::new(made_by)))
    });
    replaced.collect()
}
