//! Kinds of cluster objects that agentctl does not compile, but reads in order to discover targets.

/// Kind of an observed object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the variants are named like the kinds")]
pub enum ObservedKind {
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

/// Joins the plural names of kinds for use in a sentence, such as `Services or Endpoints`.
pub fn join_kinds(kinds: &[ObservedKind]) -> String {
    let names: Vec<_> = kinds.iter().map(|kind| kind.plural()).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

impl ObservedKind {
    fn plural(self) -> &'static str {
        match self {
            ObservedKind::CronJob => "CronJobs",
            ObservedKind::DaemonSet => "DaemonSets",
            ObservedKind::Deployment => "Deployments",
            ObservedKind::Endpoints => "Endpoints",
            ObservedKind::EndpointSlice => "EndpointSlices",
            ObservedKind::Ingress => "Ingresses",
            ObservedKind::Job => "Jobs",
            ObservedKind::Node => "Nodes",
            ObservedKind::Pod => "Pods",
            ObservedKind::Service => "Services",
            ObservedKind::StatefulSet => "StatefulSets",
        }
    }

    /// Returns the kind's name as used with `kubectl get`.
    pub fn resource(self) -> String {
        self.plural().to_ascii_lowercase()
    }

    /// Returns the kind with this `apiVersion` and `kind`, or `None` if it is not observed.
    pub fn from_type(api_version: &str, kind: &str) -> Option<Self> {
        Some(match (api_version, kind) {
            ("batch/v1" | "batch/v1beta1", "CronJob") => ObservedKind::CronJob,
            ("apps/v1", "DaemonSet") => ObservedKind::DaemonSet,
            ("apps/v1", "Deployment") => ObservedKind::Deployment,
            ("v1", "Endpoints") => ObservedKind::Endpoints,
            ("discovery.k8s.io/v1" | "discovery.k8s.io/v1beta1", "EndpointSlice") => ObservedKind::EndpointSlice,
            ("networking.k8s.io/v1" | "networking.k8s.io/v1beta1" | "extensions/v1beta1", "Ingress") => {
                ObservedKind::Ingress
            }
            ("batch/v1", "Job") => ObservedKind::Job,
            ("v1", "Node") => ObservedKind::Node,
            ("v1", "Pod") => ObservedKind::Pod,
            ("v1", "Service") => ObservedKind::Service,
            ("apps/v1", "StatefulSet") => ObservedKind::StatefulSet,
            _ => return None,
        })
    }
}
