//! Permissions, RBAC rules that grant permissions, and the resources that service discovery watches.

use std::collections::{BTreeMap, BTreeSet};

/// A verb on a resource or path, in one or all namespaces.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Right {
    /// Namespace in which the permission is required, or `None` for all namespaces and for cluster-wide objects.
    pub namespace: Option<String>,
    pub object: RightObject,
    pub verb: &'static str,
}

/// Object to which a permission applies.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RightObject {
    /// A resource or subresource, such as `nodes/metrics`.
    Resource {
        /// API group, or empty for the core group.
        group: &'static str,
        resource: &'static str,
    },
    /// API server path that is not a resource.
    Path(String),
}

/// Resources without a namespace.
const CLUSTER_WIDE: [&str; 2] = ["namespaces", "nodes"];

impl RightObject {
    /// Returns a resource in the core group.
    pub fn core(resource: &'static str) -> Self {
        Self::Resource { group: "", resource }
    }

    /// Whether the object has no namespace.
    pub fn is_cluster_wide(&self) -> bool {
        match self {
            RightObject::Resource { resource, .. } => {
                let (resource, _) = resource.split_once('/').unwrap_or((resource, ""));
                CLUSTER_WIDE.contains(&resource)
            }
            RightObject::Path(_) => true,
        }
    }
}

/// A rule in a role (`rbac/v1.PolicyRule`).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct RoleRule {
    /// API group of the resources, or `None` if the rule is for paths.
    pub group: Option<&'static str>,
    pub resources: BTreeSet<&'static str>,
    pub paths: BTreeSet<String>,
    pub verbs: BTreeSet<&'static str>,
}

/// Returns the smallest set of rules that grants exactly these permissions. Rules for paths come last, and namespaces
/// are ignored.
pub fn rules<'r>(rights: impl IntoIterator<Item = &'r Right>) -> Vec<RoleRule> {
    let mut verbs = BTreeMap::<&RightObject, BTreeSet<&'static str>>::new();
    for right in rights {
        verbs.entry(&right.object).or_default().insert(right.verb);
    }
    let mut rules = BTreeMap::<_, RoleRule>::new();
    for (object, verbs) in verbs {
        let group = match object {
            RightObject::Resource { group, .. } => Some(*group),
            RightObject::Path(_) => None,
        };
        let rule = rules.entry((group.is_none(), group, verbs.clone())).or_insert(RoleRule {
            group,
            verbs,
            ..RoleRule::default()
        });
        match object {
            RightObject::Resource { resource, .. } => drop(rule.resources.insert(resource)),
            RightObject::Path(path) => drop(rule.paths.insert(path.clone())),
        }
    }
    rules.into_values().collect()
}

/// A resource that is listed and watched (`Discovery.Run` in Prometheus' `discovery/kubernetes`).
pub(super) struct WatchedResource<'v> {
    pub(super) group: &'static str,
    pub(super) resource: &'static str,
    /// Namespaces to watch. Empty for all namespaces.
    pub(super) namespaces: Vec<&'v str>,
}

/// Groups and names of the resources that each role lists and watches.
const ROLES: &[(&str, &[(&str, &str)])] = &[
    ("endpoints", &[("", "endpoints"), ("", "pods"), ("", "services")]),
    ("endpointslice", &[("discovery.k8s.io", "endpointslices"), ("", "pods"), ("", "services")]),
    ("ingress", &[("networking.k8s.io", "ingresses")]),
    ("node", &[("", "nodes")]),
    ("pod", &[("", "pods")]),
    ("service", &[("", "services")]),
];

impl<'v> WatchedResource<'v> {
    /// Returns the resources that a role lists and watches in these namespaces.
    pub(super) fn for_role<'n>(role: &str, namespaces: &'n [&'v str]) -> impl Iterator<Item = Self> + use<'v, 'n> {
        let permissions = ROLES.iter().find(|(name, _)| *name == role);
        let watched_resources = permissions.map_or(&[][..], |(_, watched)| watched).iter();
        watched_resources.map(|(group, resource)| Self { group, resource, namespaces: namespaces.to_vec() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_permissions_with_equal_verbs() {
        let resource =
            |group, resource, verb| Right { namespace: None, object: RightObject::Resource { group, resource }, verb };
        let path = Right { namespace: None, object: RightObject::Path("/metrics".to_owned()), verb: "get" };
        let rights = [
            path,
            resource("", "pods", "watch"),
            resource("", "pods", "list"),
            resource("", "nodes/metrics", "get"),
            resource("", "services", "list"),
            resource("", "services", "watch"),
            resource("networking.k8s.io", "ingresses", "list"),
        ];
        let actual: Vec<_> = rules(&rights)
            .into_iter()
            .map(|rule| {
                let resources: Vec<_> = rule.resources.into_iter().collect();
                let verbs: Vec<_> = rule.verbs.into_iter().collect();
                (rule.group, resources.join(" "), rule.paths.len(), verbs.join(" "))
            })
            .collect();
        let expected = [
            (Some(""), "nodes/metrics", 0, "get"),
            (Some(""), "pods services", 0, "list watch"),
            (Some("networking.k8s.io"), "ingresses", 0, "list"),
            (None, "", 1, "get"),
        ];
        assert_eq!(
            actual,
            expected.map(|(group, resources, paths, verbs)| (group, resources.to_owned(), paths, verbs.to_owned()))
        );
    }

    #[test]
    fn nodes_and_namespaces_are_cluster_wide() {
        for (object, expected) in [
            (RightObject::core("nodes"), true),
            (RightObject::core("nodes/metrics"), true),
            (RightObject::core("namespaces"), true),
            (RightObject::core("pods"), false),
            (RightObject::core("services/proxy"), false),
            (RightObject::Path("/metrics".to_owned()), true),
        ] {
            assert_eq!(object.is_cluster_wide(), expected, "{object:?}");
        }
    }
}
