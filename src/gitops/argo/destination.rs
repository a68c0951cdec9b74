//! The cluster that an Application deploys to.

use crate::gitops::object::{Object, text_at};

/// Name of the cluster that Argo CD runs in.
pub const IN_CLUSTER: &str = "in-cluster";

/// Address of the cluster that Argo CD runs in.
pub const IN_CLUSTER_ADDRESS: &str = "https://kubernetes.default.svc";

/// Cluster and namespace of an Application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    /// Name or address of another cluster, or `None` for Argo CD's own cluster.
    pub other_cluster: Option<String>,
    pub namespace: String,
}

impl Destination {
    /// Reads the destination of an Application.
    pub fn new(application: &Object) -> Self {
        let field = |key| text_at(application, &["spec", "destination", key]);
        let other_cluster = match (field("server").trim_end_matches('/'), field("name")) {
            (IN_CLUSTER_ADDRESS, _) | ("", IN_CLUSTER | "") => None,
            ("", name) => Some(name.to_owned()),
            (server, _) => Some(server.to_owned()),
        };
        Self { other_cluster, namespace: field("namespace").to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn recognizes_the_local_cluster() {
        for (destination, expected) in [
            (json!({"server": "https://kubernetes.default.svc", "namespace": "a"}), None),
            (json!({"name": "in-cluster"}), None),
            (json!({}), None),
            (json!({"server": "https://edge.example.com"}), Some("https://edge.example.com")),
            (json!({"name": "edge"}), Some("edge")),
        ] {
            let application = json!({"spec": {"destination": destination}});
            assert_eq!(Destination::new(&application).other_cluster.as_deref(), expected);
        }
    }
}
