//! What differs between two registries, for those who send requests.

use std::collections::BTreeMap;

use serde::Serialize;

use super::discovery::sorted_by_group_and_version;
use super::registry::Registry;
use super::route::{Route, routes};

/// One difference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "change", rename_all = "camelCase")]
pub enum Change<'r> {
    /// A path without a route before.
    RouteAdded { route: Route<'r> },
    /// A path without a route now.
    RouteRemoved { route: Route<'r> },
    /// A path whose requests go elsewhere, are verified in another way, or get through otherwise than before.
    RouteChanged { before: Route<'r>, after: Box<Route<'r>> },
    /// Another version is what clients of a group get unless they ask.
    PreferredVersionChanged {
        group: &'r str,
        /// The version that was preferred.
        before: &'r str,
        /// The version that is.
        after: &'r str,
    },
}

/// The routes that appear, vanish or change, by path, then the groups whose preferred version is another, by name.
pub fn changes<'r>(before: &'r Registry<'r>, after: &'r Registry<'r>) -> Vec<Change<'r>> {
    let mut changes = route_changes(routes(before), routes(after));
    changes.extend(preferred_changes(&preferred(before), &preferred(after)));
    changes
}

fn route_changes<'r>(before: Vec<Route<'r>>, after: Vec<Route<'r>>) -> Vec<Change<'r>> {
    let mut paths: BTreeMap<String, (Option<Route<'r>>, Option<Route<'r>>)> = BTreeMap::new();
    for route in before {
        let path = route.path.clone();
        paths.entry(path).or_default().0 = Some(route);
    }
    for route in after {
        let path = route.path.clone();
        paths.entry(path).or_default().1 = Some(route);
    }
    let change = |sides| match sides {
        (None, Some(route)) => Some(Change::RouteAdded { route }),
        (Some(route), None) => Some(Change::RouteRemoved { route }),
        (Some(before), Some(after)) if before != after => {
            let after = Box::new(after);
            Some(Change::RouteChanged { before, after })
        }
        _ => None,
    };
    paths.into_values().filter_map(change).collect()
}

fn preferred<'r>(registry: &'r Registry<'r>) -> BTreeMap<&'r str, &'r str> {
    let groups = sorted_by_group_and_version(&registry.api_services);
    groups
        .iter()
        .filter_map(|group| Some((group.name, group.preferred()?.spec.version)))
        .collect()
}

/// Groups that appear or vanish show in their routes.
fn preferred_changes<'r>(
    before: &BTreeMap<&'r str, &'r str>,
    after: &BTreeMap<&'r str, &'r str>,
) -> impl Iterator<Item = Change<'r>> {
    after.iter().filter_map(|(&group, &after)| {
        let &before = before.get(group)?;
        (before != after).then_some(Change::PreferredVersionChanged { group, before, after })
    })
}
