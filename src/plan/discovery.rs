//! Target discovery (`kube_sd_config.libsonnet`).

use clap::ValueEnum;

use super::{ApiServerClient, Origin};
use crate::api::NamespaceSelector;
use crate::api::observed::Kind;
use crate::go::text::label_name;

/// Kind of API object that targets are discovered from (`Role`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum)]
#[value(rename_all = "lower")]
pub enum Role {
    /// Endpoints of Services.
    Endpoints,
    EndpointSlice,
    /// Paths of Ingresses.
    Ingress,
    Node,
    /// Containers of pods.
    Pod,
    Service,
}

impl Role {
    /// Returns the role with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        ValueEnum::from_str(name, false).ok()
    }

    /// Name of the role in Prometheus.
    pub fn as_str(self) -> &'static str {
        self.row().0
    }

    /// Kind of object that the role watches.
    pub fn kind(self) -> Kind {
        self.row().1
    }

    /// Returns the meta label for a label or annotation of an object: either its value (`label`, `annotation`) or its
    /// existence (`labelpresent`, `annotationpresent`).
    pub fn meta_label(self, what: &str, name: &str) -> String {
        ["__meta_kubernetes_", self.as_str(), "_", what, "_", &label_name(name)].concat()
    }

    fn row(self) -> (&'static str, Kind) {
        match self {
            Role::Endpoints => ("endpoints", Kind::Endpoints),
            Role::EndpointSlice => ("endpointslice", Kind::EndpointSlice),
            Role::Ingress => ("ingress", Kind::Ingress),
            Role::Node => ("node", Kind::Node),
            Role::Pod => ("pod", Kind::Pod),
            Role::Service => ("service", Kind::Service),
        }
    }
}

/// Targets that a job discovers.
pub struct Discovery<'d> {
    /// Kind of object that becomes a target.
    pub role: Role,
    /// Namespaces to search.
    pub namespaces: Namespaces<'d>,
    /// API server to query; the cluster's by default.
    pub api_server: Option<ApiServerClient<'d>>,
    /// Field that determines the namespaces.
    pub origin: Origin<'d>,
}

/// Namespaces to discover targets in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Namespaces<'d> {
    /// All namespaces.
    All,
    /// The namespace of the monitor.
    Own(&'d str),
    Listed(&'d [&'d str]),
}

impl<'d> Namespaces<'d> {
    /// Names of the namespaces, or `None` for all namespaces.
    pub fn names(&self) -> Option<&[&'d str]> {
        match self {
            Namespaces::All => None,
            Namespaces::Own(name) => Some(std::slice::from_ref(name)),
            Namespaces::Listed(names) => Some(names),
        }
    }

    /// Returns the namespaces that a selector in namespace `own` selects; if it is ignored, only `own`.
    pub fn from_selector(selector: &'d NamespaceSelector<'d>, own: &'d str, is_ignored: bool) -> Self {
        match selector {
            _ if is_ignored => Namespaces::Own(own),
            NamespaceSelector { any: true, .. } => Namespaces::All,
            selector if selector.match_names.is_empty() => Namespaces::Own(own),
            selector => Namespaces::Listed(&selector.match_names),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selects_namespaces_unless_ignored() {
        type Names<'n> = &'n [&'n str];
        let cases: [(bool, bool, Names<'_>, Namespaces<'_>); 6] = [
            (false, false, &[], Namespaces::Own("own")),
            (false, false, &["a", "b"], Namespaces::Listed(&["a", "b"])),
            (false, true, &[], Namespaces::All),
            (false, true, &["a"], Namespaces::All),
            (true, true, &["a"], Namespaces::Own("own")),
            (true, false, &["a"], Namespaces::Own("own")),
        ];
        for (ignored, any, names, expected) in cases {
            let selector = NamespaceSelector {
                any,
                match_names: names.to_vec(),
            };
            assert_eq!(Namespaces::from_selector(&selector, "own", ignored), expected);
        }
    }
}
