//! One thing that an account may do, rules made of several, and what discovery lists and watches.

use std::collections::{BTreeMap, BTreeSet};

/// A verb on a resource or a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Right {
    /// The namespace in which it is needed; none for all of them, and for what has no namespace.
    pub namespace: Option<String>,
    pub object: Object,
    pub verb: &'static str,
}

/// What a right is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Object {
    /// Objects of a resource, or a part of them: `nodes/metrics`.
    Resource {
        /// The group; empty for the core group.
        group: &'static str,
        resource: &'static str,
    },
    /// A path that is not a resource.
    Path(String),
}

/// The resources that have no namespace.
const CLUSTER_WIDE: [&str; 2] = ["namespaces", "nodes"];

impl Object {
    /// A resource of the core group.
    pub fn core(resource: &'static str) -> Self {
        Self::Resource { group: "", resource }
    }

    /// Whether it lives in no namespace.
    pub fn is_cluster_wide(&self) -> bool {
        match self {
            Object::Resource { resource, .. } => {
                let (resource, _) = resource.split_once('/').unwrap_or((resource, ""));
                CLUSTER_WIDE.contains(&resource)
            }
            Object::Path(_) => true,
        }
    }
}

/// A rule of a role (`rbac/v1.PolicyRule`).
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rule {
    /// The group of the resources; none where the rule is about paths.
    pub group: Option<&'static str>,
    pub resources: BTreeSet<&'static str>,
    pub paths: BTreeSet<String>,
    pub verbs: BTreeSet<&'static str>,
}

/// The fewest rules that give these rights and no more, those about paths last. Namespaces are not looked at.
pub fn rules<'r>(rights: impl IntoIterator<Item = &'r Right>) -> Vec<Rule> {
    let mut verbs = BTreeMap::<&Object, BTreeSet<&'static str>>::new();
    for right in rights {
        verbs.entry(&right.object).or_default().insert(right.verb);
    }
    let mut rules = BTreeMap::<_, Rule>::new();
    for (object, verbs) in verbs {
        let group = match object {
            Object::Resource { group, .. } => Some(*group),
            Object::Path(_) => None,
        };
        let rule = rules.entry((group.is_none(), group, verbs.clone())).or_insert(Rule {
            group,
            verbs,
            ..Rule::default()
        });
        match object {
            Object::Resource { resource, .. } => drop(rule.resources.insert(resource)),
            Object::Path(path) => drop(rule.paths.insert(path.clone())),
        }
    }
    rules.into_values().collect()
}

/// A resource that is listed and watched (`Discovery.Run` of Prometheus' `discovery/kubernetes`).
pub(super) struct Watch<'v> {
    pub(super) group: &'static str,
    pub(super) resource: &'static str,
    /// The namespaces in which it is; all if there are none.
    pub(super) namespaces: Vec<&'v str>,
}

/// What each role lists and watches: group and resource.
const ROLES: &[(&str, &[(&str, &str)])] = &[
    ("endpoints", &[("", "endpoints"), ("", "pods"), ("", "services")]),
    (
        "endpointslice",
        &[("discovery.k8s.io", "endpointslices"), ("", "pods"), ("", "services")],
    ),
    ("ingress", &[("networking.k8s.io", "ingresses")]),
    ("node", &[("", "nodes")]),
    ("pod", &[("", "pods")]),
    ("service", &[("", "services")]),
];

impl<'v> Watch<'v> {
    /// What a role lists and watches in these namespaces.
    pub(super) fn of_role<'n>(role: &str, namespaces: &'n [&'v str]) -> impl Iterator<Item = Self> + use<'v, 'n> {
        let found = ROLES.iter().find(|(name, _)| *name == role);
        let watched = found.map_or(&[][..], |(_, watched)| watched).iter();
        watched.map(|(group, resource)| Self {
            group,
            resource,
            namespaces: namespaces.to_vec(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rights_with_the_same_verbs_share_a_rule() {
        let resource = |group, resource, verb| Right {
            namespace: None,
            object: Object::Resource { group, resource },
            verb,
        };
        let path = Right {
            namespace: None,
            object: Object::Path("/metrics".to_owned()),
            verb: "get",
        };
        let rights = [
            path,
            resource("", "pods", "watch"),
            resource("", "pods", "list"),
            resource("", "nodes/metrics", "get"),
            resource("", "services", "list"),
            resource("", "services", "watch"),
            resource("networking.k8s.io", "ingresses", "list"),
        ];
        let found: Vec<_> = rules(&rights)
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
            found,
            expected.map(|(group, resources, paths, verbs)| (group, resources.to_owned(), paths, verbs.to_owned()))
        );
    }

    #[test]
    fn nodes_and_namespaces_are_cluster_wide() {
        for (object, expected) in [
            (Object::core("nodes"), true),
            (Object::core("nodes/metrics"), true),
            (Object::core("namespaces"), true),
            (Object::core("pods"), false),
            (Object::core("services/proxy"), false),
            (Object::Path("/metrics".to_owned()), true),
        ] {
            assert_eq!(object.is_cluster_wide(), expected, "{object:?}");
        }
    }
}
