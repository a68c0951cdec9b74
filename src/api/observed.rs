//! Kinds of objects that are only observed: targets are discovered in them.

/// Kind of an observed object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the variants are named like the kinds")]
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

/// Joins the plural names of kinds for a sentence: `Services or Endpoints`.
pub fn in_words(kinds: &[Kind]) -> String {
    let names: Vec<_> = kinds.iter().map(|kind| kind.plural()).collect();
    match names.as_slice() {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

impl Kind {
    fn plural(self) -> &'static str {
        match self {
            Kind::CronJob => "CronJobs",
            Kind::DaemonSet => "DaemonSets",
            Kind::Deployment => "Deployments",
            Kind::Endpoints => "Endpoints",
            Kind::EndpointSlice => "EndpointSlices",
            Kind::Ingress => "Ingresses",
            Kind::Job => "Jobs",
            Kind::Node => "Nodes",
            Kind::Pod => "Pods",
            Kind::Service => "Services",
            Kind::StatefulSet => "StatefulSets",
        }
    }

    /// Returns the kind's name for `kubectl get`.
    pub fn resource(self) -> String {
        self.plural().to_ascii_lowercase()
    }

    /// Returns the kind with this `apiVersion` and `kind`.
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
