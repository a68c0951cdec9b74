//! How targets are discovered (`kube_sd_config.libsonnet`).

use clap::ValueEnum;

use super::{ApiServerClient, Origin};
use crate::api::NamespaceSelector;
use crate::go::text::label_name;
use crate::observed::Kind;

/// Which objects of the API server are targets (`Role`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, clap::ValueEnum)]
#[value(rename_all = "lower")]
pub enum Role {
    /// The endpoints of Services.
    Endpoints,
    EndpointSlice,
    /// The paths of Ingresses.
    Ingress,
    Node,
    /// The containers of pods.
    Pod,
    Service,
}

impl Role {
    /// The role with this name.
    pub fn of(name: &str) -> Option<Self> {
        ValueEnum::from_str(name, false).ok()
    }

    /// The name that Prometheus has for it.
    pub fn as_str(self) -> &'static str {
        self.row().0
    }

    /// The kind of object that it watches.
    pub fn kind(self) -> Kind {
        self.row().1
    }

    /// What discovery calls what it says of a label or annotation of an object: its value (`label`, `annotation`), or that it exists
    /// (`labelpresent`, `annotationpresent`).
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

/// What a job discovers, and where.
pub struct Discovery<'d> {
    /// The objects that are targets.
    pub role: Role,
    /// The namespaces that are searched.
    pub namespaces: Namespaces<'d>,
    /// The API server that is asked; by default that of the cluster.
    pub api_server: Option<ApiServerClient<'d>>,
    /// The field that decides about the namespaces.
    pub origin: Origin<'d>,
}

/// The namespaces in which targets are discovered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Namespaces<'d> {
    /// Every namespace.
    All,
    /// The namespace of the monitor.
    Own(&'d str),
    Listed(&'d [&'d str]),
}

impl<'d> Namespaces<'d> {
    /// Their names; `None` for every namespace.
    pub fn names(&self) -> Option<&[&'d str]> {
        match self {
            Namespaces::All => None,
            Namespaces::Own(name) => Some(std::slice::from_ref(name)),
            Namespaces::Listed(names) => Some(names),
        }
    }

    /// What a selector in namespace `own` selects, unless it is ignored.
    pub fn of(selector: &'d NamespaceSelector<'d>, own: &'d str, is_ignored: bool) -> Self {
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
    fn namespaces_follow_the_selector_unless_it_is_ignored() {
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
            assert_eq!(Namespaces::of(&selector, "own", ignored), expected);
        }
    }
}
