//! The documents at `/apis`, and the order of groups and versions in them.

use std::cmp::Reverse;

use serde::Serialize;

use super::object::ApiService;
use super::registry::Registry;
use super::version::Version;

/// Whether the aggregator's own group is part of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Own {
    /// The groups of the input only.
    #[default]
    Without,
    /// With `apiregistration.k8s.io` in front, as the aggregator serves it.
    With,
}

/// The group of APIService itself.
const OWN_GROUP: &str = "apiregistration.k8s.io";
/// The one version of it (`discoveryGroup`).
const OWN_VERSION: &str = "v1";

/// `APIGroupList` of `meta/v1`: the groups and versions, preferred ones first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ApiGroupList {
    kind: &'static str,
    api_version: &'static str,
    /// The groups.
    pub groups: Vec<ApiGroup>,
}

/// A group and its versions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ApiGroup {
    /// Its name.
    pub name: String,
    /// Its versions, the preferred one in front.
    pub versions: Vec<GroupVersion>,
    /// The version that clients use unless they ask for another.
    pub preferred_version: GroupVersion,
}

/// A version with and without its group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GroupVersion {
    /// `group/version`.
    pub group_version: String,
    /// The version alone.
    pub version: String,
}

impl GroupVersion {
    fn new(group: &str, version: &str) -> Self {
        Self {
            group_version: format!("{group}/{version}"),
            version: version.to_owned(),
        }
    }
}

/// The document at `/apis` (`apisHandler.ServeHTTP`). The core of Kubernetes is not part of it.
pub fn group_list(registry: &Registry<'_>, own: Own) -> ApiGroupList {
    let mut groups = Vec::new();
    if own == Own::With {
        let version = GroupVersion::new(OWN_GROUP, OWN_VERSION);
        groups.push(ApiGroup {
            name: OWN_GROUP.to_owned(),
            versions: vec![version.clone()],
            preferred_version: version,
        });
    }
    let sorted = sorted_by_group_and_version(&registry.api_services);
    groups.extend(
        sorted
            .iter()
            .filter(|group| !group.name.is_empty())
            .filter_map(api_group),
    );
    ApiGroupList {
        kind: "APIGroupList",
        api_version: "v1",
        groups,
    }
}

fn api_group(group: &Group<'_, '_>) -> Option<ApiGroup> {
    let preferred = group.preferred()?;
    let version = |service: &ApiService<'_>| GroupVersion::new(group.name, service.version);
    Some(ApiGroup {
        name: group.name.to_owned(),
        versions: group.versions.iter().copied().map(version).collect(),
        preferred_version: version(preferred),
    })
}

/// `APIGroupDiscoveryList` of `apidiscovery.k8s.io/v2beta1`. Resources are not part of it: only the services know them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ApiGroupDiscoveryList {
    kind: &'static str,
    api_version: &'static str,
    metadata: Empty,
    /// The groups.
    pub items: Vec<ApiGroupDiscovery>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct Empty {}

/// A group and its versions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ApiGroupDiscovery {
    metadata: GroupMeta,
    /// Its versions, the preferred one in front.
    pub versions: Vec<VersionDiscovery>,
}

impl ApiGroupDiscovery {
    fn new(name: &str, versions: Vec<VersionDiscovery>) -> Self {
        Self {
            metadata: GroupMeta {
                name: name.to_owned(),
                creation_timestamp: None,
            },
            versions,
        }
    }

    /// The name of the group.
    pub fn name(&self) -> &str {
        &self.metadata.name
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct GroupMeta {
    name: String,
    /// Always null, as the server writes it.
    creation_timestamp: Option<()>,
}

/// A version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VersionDiscovery {
    /// Its name.
    pub version: String,
    /// Whether its resources are known.
    pub freshness: Freshness,
}

/// Whether the discovery document of a service could be fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Freshness {
    /// It could, or the server answers itself.
    Current,
    /// It could not, which is the state of every service before the first request.
    Stale,
}

/// The aggregated document at `/apis` (`resourceDiscoveryManager.calculateAPIGroupsLocked` of apiserver, with the
/// entries of kube-aggregator's `syncAPIService`): groups by their highest priority, then by their own name.
pub fn group_discovery_list(registry: &Registry<'_>, own: Own) -> ApiGroupDiscoveryList {
    let mut groups = sorted_by_group_and_version(&registry.api_services);
    groups.retain(|group| !group.name.is_empty());
    groups.sort_by_key(|group| {
        let priorities = group.versions.iter().map(|service| service.group_priority_minimum);
        (Reverse(priorities.max()), group.name)
    });
    let mut items = Vec::new();
    if own == Own::With {
        let version = version_discovery(OWN_VERSION, Freshness::Current);
        items.push(ApiGroupDiscovery::new(OWN_GROUP, vec![version]));
    }
    items.extend(groups.iter().map(group_discovery));
    ApiGroupDiscoveryList {
        kind: "APIGroupDiscoveryList",
        api_version: "apidiscovery.k8s.io/v2beta1",
        metadata: Empty {},
        items,
    }
}

fn group_discovery(group: &Group<'_, '_>) -> ApiGroupDiscovery {
    let versions = group.versions.iter().map(|service| {
        let freshness = match service.service {
            None => Freshness::Current,
            Some(_) => Freshness::Stale,
        };
        version_discovery(service.version, freshness)
    });
    ApiGroupDiscovery::new(group.name, versions.collect())
}

fn version_discovery(version: &str, freshness: Freshness) -> VersionDiscovery {
    VersionDiscovery {
        version: version.to_owned(),
        freshness,
    }
}

/// The APIServices of one group, the preferred version in front; never empty.
#[derive(Clone)]
pub(super) struct Group<'r, 'd> {
    pub(super) name: &'d str,
    pub(super) versions: Vec<&'r ApiService<'d>>,
}

impl<'r, 'd> Group<'r, 'd> {
    /// The version that clients use unless they ask for another.
    pub(super) fn preferred(&self) -> Option<&'r ApiService<'d>> {
        self.versions.first().copied()
    }
}

/// The groups by the highest priority of their APIServices, then by the name of that APIService; the versions by their
/// priority, then by Kubernetes' order of versions (`SortedByGroupAndVersion`).
pub(super) fn sorted_by_group_and_version<'r, 'd>(services: &'r [ApiService<'d>]) -> Vec<Group<'r, 'd>> {
    let mut sorted: Vec<_> = services.iter().collect();
    sorted.sort_by(|a, b| {
        let key = |s: &'r ApiService<'d>| (Reverse(s.group_priority_minimum), s.name.as_ref());
        key(a).cmp(&key(b))
    });
    let mut groups: Vec<Group<'r, 'd>> = Vec::new();
    for service in sorted {
        match groups.iter_mut().find(|group| group.name == service.group) {
            Some(group) => group.versions.push(service),
            None => groups.push(Group {
                name: service.group,
                versions: vec![service],
            }),
        }
    }
    for group in &mut groups {
        group
            .versions
            .sort_by_key(|s| Reverse((s.version_priority, Version::new(s.version))));
    }
    groups
}
