//! Differences between two registries that affect clients.

use std::collections::BTreeMap;

use serde::Serialize;

use super::discovery::sort_by_group_and_version;
use super::registry::Registry;
use super::route::{Route, routes};

/// A difference between two registries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "change", rename_all = "camelCase")]
pub enum RegistryChange<'r> {
    /// A path that had no route before.
    RouteAdded { route: Route<'r> },
    /// A path that no longer has a route.
    RouteRemoved { route: Route<'r> },
    /// A path whose target, verification or availability changed.
    RouteChanged { before: Route<'r>, after: Box<Route<'r>> },
    /// A group whose preferred version changed. Clients use the preferred version by default.
    PreferredVersionChanged {
        group: &'r str,
        /// Preferred version before the change.
        before: &'r str,
        /// Preferred version after the change.
        after: &'r str,
    },
}

/// Returns the added, removed and changed routes, sorted by path, followed by the groups whose preferred version
/// changed, sorted by name.
pub fn changes<'r>(before: &'r Registry<'r>, after: &'r Registry<'r>) -> Vec<RegistryChange<'r>> {
    let mut changes = route_changes(routes(before), routes(after));
    changes.extend(preferred_version_changes(&preferred_versions(before), &preferred_versions(after)));
    changes
}

fn route_changes<'r>(before: Vec<Route<'r>>, after: Vec<Route<'r>>) -> Vec<RegistryChange<'r>> {
    let mut paths: BTreeMap<String, (Option<Route<'r>>, Option<Route<'r>>)> = BTreeMap::new();
    for route in before {
        let path = route.path.clone();
        paths.entry(path).or_default().0 = Some(route);
    }
    for route in after {
        let path = route.path.clone();
        paths.entry(path).or_default().1 = Some(route);
    }
    let to_change = |sides| match sides {
        (None, Some(route)) => Some(RegistryChange::RouteAdded { route }),
        (Some(route), None) => Some(RegistryChange::RouteRemoved { route }),
        (Some(before), Some(after)) if before != after => {
            let after = Box::new(after);
            Some(RegistryChange::RouteChanged { before, after })
        }
        _ => None,
    };
    paths.into_values().filter_map(to_change).collect()
}

fn preferred_versions<'r>(registry: &'r Registry<'r>) -> BTreeMap<&'r str, &'r str> {
    let groups = sort_by_group_and_version(&registry.api_services);
    groups.iter().filter_map(|group| Some((group.name, group.preferred_version()?.spec.version))).collect()
}

/// Returns the groups whose preferred version changed. Added and removed groups are reported through their routes.
fn preferred_version_changes<'r>(
    before: &BTreeMap<&'r str, &'r str>,
    after: &BTreeMap<&'r str, &'r str>,
) -> impl Iterator<Item = RegistryChange<'r>> {
    after.iter().filter_map(|(&group, &after)| {
        let &before = before.get(group)?;
        (before != after).then_some(RegistryChange::PreferredVersionChanged { group, before, after })
    })
}
