use std::fmt;

/// A kind that takes part in aggregation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AggregateKind {
    /// Who answers for a group and version.
    ApiService,
    /// Grafana's name for a host outside.
    ExternalName,
    /// Core `Service`.
    Service,
}

impl AggregateKind {
    /// Every kind.
    pub const ALL: &'static [AggregateKind] = &[
        AggregateKind::ApiService,
        AggregateKind::ExternalName,
        AggregateKind::Service,
    ];

    /// The name, as `kind:` has it.
    pub fn as_str(self) -> &'static str {
        match self {
            AggregateKind::ApiService => "APIService",
            AggregateKind::ExternalName => "ExternalName",
            AggregateKind::Service => "Service",
        }
    }

    /// Group and version, as `apiVersion:` has them.
    pub fn api_version(self) -> &'static str {
        match self {
            AggregateKind::ApiService => "apiregistration.k8s.io/v1",
            AggregateKind::ExternalName => "service.grafana.app/v0alpha1",
            AggregateKind::Service => "v1",
        }
    }

    /// The kind of an object with this group and kind, whatever its version.
    pub fn of(api_version: &str, kind: &str) -> Option<AggregateKind> {
        let group = |api_version: &str| api_version.split_once('/').map(|(group, _)| group.to_owned());
        AggregateKind::ALL
            .iter()
            .copied()
            .find(|k| k.as_str() == kind && group(k.api_version()) == group(api_version))
    }
}

impl fmt::Display for AggregateKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Which object: written as `Kind/namespace/name`, or `Kind/name` where there is no namespace.
#[derive(Clone, Copy, Debug)]
pub(super) struct ObjectName<'o> {
    pub(super) kind: AggregateKind,
    pub(super) namespace: &'o str,
    pub(super) name: &'o str,
}

impl fmt::Display for ObjectName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.namespace.is_empty() {
            write!(f, "{}/{}", self.kind, self.name)
        } else {
            write!(f, "{}/{}/{}", self.kind, self.namespace, self.name)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_found_in_its_own_group_only() {
        for &kind in AggregateKind::ALL {
            assert_eq!(AggregateKind::of(kind.api_version(), kind.as_str()), Some(kind));
        }
        assert_eq!(
            AggregateKind::of("apiregistration.k8s.io/v1beta1", "APIService"),
            Some(AggregateKind::ApiService)
        );
        assert_eq!(AggregateKind::of("serving.knative.dev/v1", "Service"), None);
        assert_eq!(AggregateKind::of("v1", "ExternalName"), None);
    }
}
