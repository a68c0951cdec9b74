//! Discovery of targets (`kube_sd_config.libsonnet`).

use clap::ValueEnum;

use super::{ApiServerClient, Origin};
use crate::api::NamespaceSelector;
use crate::api::observed::ObservedKind;
use crate::go::text::label_name;

/// Kind of API object from which targets are discovered (`Role`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum)]
#[value(rename_all = "lower")]
pub enum DiscoveryRole {
    /// Endpoints of Services.
    Endpoints,
    EndpointSlice,
    /// Hosts and paths of Ingresses.
    Ingress,
    Node,
    /// Container ports of pods.
    Pod,
    Service,
}

impl DiscoveryRole {
    /// Returns the role with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        ValueEnum::from_str(name, false).ok()
    }

    /// Returns Prometheus' name for the role.
    pub fn as_str(self) -> &'static str {
        self.row().0
    }

    /// Returns the kind of object that the role watches.
    pub fn kind(self) -> ObservedKind {
        self.row().1
    }

    /// Returns the meta label for a label or annotation of an object: either its value (`label`, `annotation`) or its
    /// existence (`labelpresent`, `annotationpresent`).
    pub fn meta_label(self, property: &str, name: &str) -> String {
        ["__meta_kubernetes_", self.as_str(), "_", property, "_", &label_name(name)].concat()
    }

    fn row(self) -> (&'static str, ObservedKind) {
        match self {
            DiscoveryRole::Endpoints => ("endpoints", ObservedKind::Endpoints),
            DiscoveryRole::EndpointSlice => ("endpointslice", ObservedKind::EndpointSlice),
            DiscoveryRole::Ingress => ("ingress", ObservedKind::Ingress),
            DiscoveryRole::Node => ("node", ObservedKind::Node),
            DiscoveryRole::Pod => ("pod", ObservedKind::Pod),
            DiscoveryRole::Service => ("service", ObservedKind::Service),
        }
    }
}

/// Targets that a job discovers.
pub struct Discovery<'d> {
    /// Kind of object that becomes a target.
    pub role: DiscoveryRole,
    /// Namespaces to search.
    pub namespaces: DiscoveryNamespaces<'d>,
    /// API server to query, or `None` for the API server of the agent's own cluster.
    pub api_server: Option<ApiServerClient<'d>>,
    /// Field that determines the namespaces.
    pub origin: Origin<'d>,
}

/// Namespaces in which targets are discovered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DiscoveryNamespaces<'d> {
    /// All namespaces in the cluster.
    All,
    /// Only the monitor's own namespace.
    Own(&'d str),
    Listed(&'d [&'d str]),
}

impl<'d> DiscoveryNamespaces<'d> {
    /// Returns the names of the namespaces, or `None` for all namespaces.
    pub fn names(&self) -> Option<&[&'d str]> {
        match self {
            DiscoveryNamespaces::All => None,
            DiscoveryNamespaces::Own(name) => Some(std::slice::from_ref(name)),
            DiscoveryNamespaces::Listed(names) => Some(names),
        }
    }

    /// Returns the namespaces that a selector in `own_namespace` selects, or only `own_namespace` if the selector is
    /// ignored.
    pub fn from_selector(selector: &'d NamespaceSelector<'d>, own_namespace: &'d str, is_ignored: bool) -> Self {
        match selector {
            _ if is_ignored => DiscoveryNamespaces::Own(own_namespace),
            NamespaceSelector { any: true, .. } => DiscoveryNamespaces::All,
            selector if selector.match_names.is_empty() => DiscoveryNamespaces::Own(own_namespace),
            selector => DiscoveryNamespaces::Listed(&selector.match_names),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selects_namespaces_unless_ignored() {
        type Names<'n> = &'n [&'n str];
        let cases: [(bool, bool, Names<'_>, DiscoveryNamespaces<'_>); 6] = [
            (false, false, &[], DiscoveryNamespaces::Own("own")),
            (false, false, &["a", "b"], DiscoveryNamespaces::Listed(&["a", "b"])),
            (false, true, &[], DiscoveryNamespaces::All),
            (false, true, &["a"], DiscoveryNamespaces::All),
            (true, true, &["a"], DiscoveryNamespaces::Own("own")),
            (true, false, &["a"], DiscoveryNamespaces::Own("own")),
        ];
        for (ignored, any, names, expected) in cases {
            let selector = NamespaceSelector { any, match_names: names.to_vec() };
            assert_eq!(DiscoveryNamespaces::from_selector(&selector, "own", ignored), expected);
        }
    }
}
