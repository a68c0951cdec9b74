//! What discovery lists and watches at the API server (`Discovery.Run` of Prometheus' `discovery/kubernetes`).

/// A resource that is listed and watched.
pub(super) struct Watch<'v> {
    /// Its group.
    pub(super) group: &'static str,
    /// Its name.
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
