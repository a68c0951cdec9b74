//! The kinds of objects that are observed.

/// A kind of object that is observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    CronJob,
    DaemonSet,
    Deployment,
    Endpoints,
    EndpointSlice,
    Ingress,
    Job,
    Node,
    Pod,
    Service,
    StatefulSet,
}

impl Kind {
    /// The kind of an object by its `apiVersion` and `kind`.
    pub fn of(api_version: &str, kind: &str) -> Option<Self> {
        Some(match (api_version, kind) {
            ("batch/v1" | "batch/v1beta1", "CronJob") => Kind::CronJob,
            ("apps/v1", "DaemonSet") => Kind::DaemonSet,
            ("apps/v1", "Deployment") => Kind::Deployment,
            ("v1", "Endpoints") => Kind::Endpoints,
            ("discovery.k8s.io/v1" | "discovery.k8s.io/v1beta1", "EndpointSlice") => Kind::EndpointSlice,
            ("networking.k8s.io/v1" | "networking.k8s.io/v1beta1" | "extensions/v1beta1", "Ingress") => Kind::Ingress,
            ("batch/v1", "Job") => Kind::Job,
            ("v1", "Node") => Kind::Node,
            ("v1", "Pod") => Kind::Pod,
            ("v1", "Service") => Kind::Service,
            ("apps/v1", "StatefulSet") => Kind::StatefulSet,
            _ => return None,
        })
    }
}
