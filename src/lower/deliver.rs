//! Objects → objects without the values of Secrets (`--secrets`).

use std::collections::BTreeMap;

use super::manifest::{Object, external_secret};
use super::{Options, lower};
use crate::api::Resources;
use crate::resolve::{Hierarchy, Remote, SecretMode};

/// What is delivered of the objects of these hierarchies. They hold the values still: what was checked is what runs in
/// the end.
pub fn deliver(
    objects: Vec<Object>,
    hierarchies: Vec<Hierarchy<'_, '_>>,
    resources: &Resources<'_>,
    mode: &SecretMode,
    options: &Options,
) -> Vec<Object> {
    match mode {
        SecretMode::Inline => objects,
        SecretMode::Placeholder => {
            let concealed: Vec<_> = hierarchies.into_iter().map(Hierarchy::concealed).collect();
            // All that is wrong was found when the values were lowered.
            lower(&concealed, &resources.nodes, options).output
        }
        SecretMode::External(remote) => external(objects, &hierarchies, resources, remote),
    }
}

/// An ExternalSecret, or nothing, in the place of each `<agent>-secrets` that has values of Secrets.
fn external(
    objects: Vec<Object>,
    hierarchies: &[Hierarchy<'_, '_>],
    resources: &Resources<'_>,
    remote: &Remote,
) -> Vec<Object> {
    let with_values = hierarchies.iter().filter(|hierarchy| hierarchy.has_secret_values());
    let with_values: BTreeMap<_, _> = with_values
        .map(|hierarchy| {
            let agent = &hierarchy.agent.meta;
            ((agent.namespace, agent.name), hierarchy)
        })
        .collect();
    let replaced = objects.into_iter().filter_map(|object| {
        let agent = object.name().strip_suffix("-secrets").unwrap_or_default();
        let is_secret = matches!(object, Object::Secret(_));
        let Some(hierarchy) = with_values.get(&(object.namespace(), agent)).filter(|_| is_secret) else {
            return Some(object);
        };
        let made_by = external_secret::referred_values(hierarchy, resources, remote)?;
        Some(Object::ExternalSecret(Box::new(made_by)))
    });
    replaced.collect()
}
