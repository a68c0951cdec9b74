//! Documents served at `/apis`, and the order of the groups and versions in them.

use std::cmp::Reverse;

use indexmap::IndexMap;

use super::object::ApiService;
use super::registry::Registry;
use super::version::rank;
use crate::yaml::{Mapping, Value};

/// API group of the APIService kind.
const REGISTRATION_GROUP: &str = "apiregistration.k8s.io";
/// The only version of the API group of the APIService kind (`discoveryGroup`).
const REGISTRATION_VERSION: &str = "v1";

/// Returns the `APIGroupList` (`meta/v1`): groups and versions, with preferred versions first.
/// `with_registration_group` prepends `apiregistration.k8s.io`, as the aggregator does.
pub fn group_list<'d>(registry: &Registry<'d>, with_registration_group: bool) -> Value<'d> {
    let group = |(name, versions): DescribedGroup<'d>| {
        let version = |(version, _)| {
            let group_version = format!("{name}/{version}");
            Value::from([("groupVersion", group_version.into()), ("version", Value::from(version))])
        };
        let versions: Vec<_> = versions.into_iter().map(version).collect();
        let preferred_version = versions.first().cloned().unwrap_or(Value::Null);
        Value::from([("name", name.into()), ("versions", versions.into()), ("preferredVersion", preferred_version)])
    };
    let groups = describe_groups(sort_by_group_and_version(&registry.api_services), with_registration_group);
    Value::from([
        ("kind", "APIGroupList".into()),
        ("apiVersion", "v1".into()),
        ("groups", groups.map(group).collect::<Vec<_>>().into()),
    ])
}

/// Returns the aggregated document at `/apis`, with groups sorted by their highest priority, then by name
/// (`resourceDiscoveryManager.calculateAPIGroupsLocked` in apiserver, with the entries from kube-aggregator's
/// `syncAPIService`).
pub fn group_discovery_list<'d>(registry: &Registry<'d>, with_registration_group: bool) -> Value<'d> {
    let mut groups = sort_by_group_and_version(&registry.api_services);
    groups.sort_by_key(|group| {
        let priorities = group.versions.iter().map(|service| service.spec.group_priority_minimum);
        (Reverse(priorities.max()), group.name)
    });
    let group = |(name, versions): DescribedGroup<'d>| {
        let version = |(version, freshness)| Value::from([("version", Value::from(version)), ("freshness", freshness)]);
        let metadata = Value::from([("name", name.into()), ("creationTimestamp", Value::Null)]);
        let versions: Vec<_> = versions.into_iter().map(version).collect();
        Value::from([("metadata", metadata), ("versions", versions.into())])
    };
    Value::from([
        ("kind", "APIGroupDiscoveryList".into()),
        ("apiVersion", "apidiscovery.k8s.io/v2beta1".into()),
        ("metadata", Mapping::new().into()),
        ("items", describe_groups(groups, with_registration_group).map(group).collect::<Vec<_>>().into()),
    ])
}

/// A group and its versions, each with its freshness: `Stale` until the service's discovery document has been fetched.
type DescribedGroup<'d> = (&'d str, Vec<(&'d str, Value<'d>)>);

/// Returns the groups in the given order, preceded by the aggregator's own group if requested. The core group is
/// excluded.
fn describe_groups<'d>(
    groups: Vec<ApiGroup<'_, 'd>>,
    with_registration_group: bool,
) -> impl Iterator<Item = DescribedGroup<'d>> {
    let registration_group =
        with_registration_group.then(|| (REGISTRATION_GROUP, vec![(REGISTRATION_VERSION, "Current".into())]));
    let other_groups = groups.into_iter().filter(|group| !group.name.is_empty());
    let other_groups = other_groups.map(|group| {
        let versions = group.versions.iter().map(|service| match service.spec.service {
            None => (service.spec.version, "Current".into()),
            Some(_) => (service.spec.version, "Stale".into()),
        });
        (group.name, versions.collect())
    });
    registration_group.into_iter().chain(other_groups)
}

/// APIServices in a group, starting with the preferred version. Never empty.
#[derive(Clone)]
pub(super) struct ApiGroup<'r, 'd> {
    pub(super) name: &'d str,
    pub(super) versions: Vec<&'r ApiService<'d>>,
}

impl<'r, 'd> ApiGroup<'r, 'd> {
    /// Returns the version that clients use by default.
    pub(super) fn preferred_version(&self) -> Option<&'r ApiService<'d>> {
        self.versions.first().copied()
    }
}

/// Groups APIServices. Groups are sorted by their highest priority, then by the name of the APIService with this
/// priority. Versions are sorted by priority, then in Kubernetes' version order (`SortedByGroupAndVersion`).
pub(super) fn sort_by_group_and_version<'r, 'd>(services: &'r [ApiService<'d>]) -> Vec<ApiGroup<'r, 'd>> {
    let mut sorted_services: Vec<_> = services.iter().collect();
    sorted_services.sort_by(|a, b| {
        let key = |s: &'r ApiService<'d>| (Reverse(s.spec.group_priority_minimum), s.name.as_ref());
        key(a).cmp(&key(b))
    });
    let mut groups = IndexMap::<_, Vec<&'r ApiService<'d>>>::new();
    for service in sorted_services {
        groups.entry(service.spec.group).or_default().push(service);
    }
    let group = |(name, mut versions): (_, Vec<&'r ApiService<'d>>)| {
        versions.sort_by_key(|s| Reverse((s.spec.version_priority, rank(s.spec.version))));
        ApiGroup { name, versions }
    };
    groups.into_iter().map(group).collect()
}
