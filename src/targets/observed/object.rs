//! Cluster objects: their metadata and access to their other fields.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::pod::{ContainerPort, PodParts};
use super::{ObjectFields, ObservedKind};
use crate::source::Span;

/// Cluster object. Its metadata is read once, and its other fields are read when targets are created from the object.
#[derive(Clone, Debug)]
pub struct ClusterObject<'d> {
    /// Namespace. Empty for cluster-scoped kinds.
    pub namespace: &'d str,
    pub name: &'d str,
    /// UID assigned by the cluster.
    pub uid: &'d str,
    /// Labels, sorted by name.
    pub labels: Vec<(&'d str, &'d str)>,
    pub annotations: Vec<(&'d str, &'d str)>,
    /// Kind and name of the owner that controls the object.
    pub(super) controller: Option<(&'d str, &'d str)>,
    pub root: ObjectFields<'d>,
    /// Part that contains `spec` and `status`: the object itself, or the template of the workload that would create it.
    pub body: ObjectFields<'d>,
    /// Kind of workload that will create the object, if only the workload is known. In that case, the metadata contains
    /// the workload's name.
    pub made_by: Option<ObservedKind>,
    /// Whether the object is potential, that is, whether no cluster has run it yet.
    pub is_potential: bool,
    /// Pod data, read on demand.
    pub(super) parts: OnceLock<PodParts<'d>>,
    /// Number of targets of potential Endpoints. Computed on demand.
    expected_targets: OnceLock<usize>,
}

/// Label of an EndpointSlice that contains the name of its Service.
pub const SERVICE_NAME: &str = "kubernetes.io/service-name";

/// Label that the endpoints controller sets for a Service without an IP.
const HEADLESS: &str = "service.kubernetes.io/headless";

/// Whether a string is or contains a placeholder for a value that only a cluster can determine, such as `<hash>` or
/// `db-<ordinal>`.
pub fn is_placeholder(text: &str) -> bool {
    text.split_once('<').is_some_and(|(_, rest)| rest.contains('>'))
}

/// Returns the labels that controllers set on the pods of a workload with this name (`getPodTemplateSpecHash`,
/// `newStatefulSetPod`, `newControllerRevision`, `setJobNameAndUID`).
fn labels_of_controller(kind: ObservedKind, name: &str) -> Vec<(&'static str, &str)> {
    let job = match kind {
        ObservedKind::CronJob => "<job-name>",
        _ => name,
    };
    match kind {
        ObservedKind::Deployment => vec![("pod-template-hash", "<hash>")],
        ObservedKind::DaemonSet => {
            vec![("controller-revision-hash", "<hash>"), ("pod-template-generation", "<generation>")]
        }
        ObservedKind::StatefulSet => vec![
            ("apps.kubernetes.io/pod-index", "<ordinal>"),
            ("controller-revision-hash", "<hash>"),
            ("statefulset.kubernetes.io/pod-name", "<pod-name>"),
        ],
        ObservedKind::CronJob | ObservedKind::Job => vec![
            ("batch.kubernetes.io/controller-uid", "<job-uid>"),
            ("batch.kubernetes.io/job-name", job),
            ("controller-uid", "<job-uid>"),
            ("job-name", job),
        ],
        _ => Vec::new(),
    }
}

/// Returns the labels in metadata, sorted so that selectors can look them up.
fn labels<'d>(meta: ObjectFields<'d>) -> Vec<(&'d str, &'d str)> {
    let mut labels = meta.texts("labels");
    labels.sort_by_key(|(name, _)| *name);
    labels
}

impl<'d> ClusterObject<'d> {
    pub(super) fn read(root: ObjectFields<'d>, namespace: &'d str, is_cluster_wide: bool) -> Self {
        let meta = root.part("metadata");
        let controller = meta.items("ownerReferences").find(|owner| owner.boolean("controller") == Some(true));
        Self {
            namespace: match meta.text("namespace") {
                _ if is_cluster_wide => "",
                "" => namespace,
                own => own,
            },
            name: meta.text("name"),
            uid: meta.text("uid"),
            labels: labels(meta),
            annotations: meta.texts("annotations"),
            controller: controller.map(|owner| (owner.text("kind"), owner.text("name"))),
            root,
            body: root,
            made_by: None,
            is_potential: false,
            parts: OnceLock::new(),
            expected_targets: OnceLock::new(),
        }
    }

    /// Converts a workload to the pods that it will create from the template in its `spec`.
    pub(super) fn into_pods(self, kind: ObservedKind) -> Self {
        let spec = match kind {
            ObservedKind::CronJob => self.root.part("spec").part("jobTemplate").part("spec"),
            _ => self.root.part("spec"),
        };
        let template = spec.part("template");
        let meta = template.part("metadata");
        let set = labels_of_controller(kind, self.name);
        let mut labels = labels(meta);
        labels.retain(|(own, _)| !set.iter().any(|(name, _)| name == own));
        labels.extend(set);
        labels.sort_by_key(|(name, _)| *name);
        let mut pods = Self {
            labels,
            annotations: meta.texts("annotations"),
            controller: None,
            body: template,
            made_by: Some(kind),
            parts: OnceLock::new(),
            ..self
        };
        pods.make_potential();
        pods
    }

    /// Marks a pod as potential and replaces its UID with a placeholder.
    pub(super) fn make_potential(&mut self) {
        self.is_potential = true;
        self.uid = "<pod-uid>";
    }

    /// Returns a string from a pod's status. A potential pod is treated as running.
    pub fn status(&self, field: &str) -> &'d str {
        match field {
            _ if !self.is_potential => self.body.part("status").text(field),
            "podIP" => "<pod-ip>",
            "hostIP" => "<host-ip>",
            _ => "Running",
        }
    }

    /// Returns the status of a pod's `Ready` condition, or `None` if the pod does not have this condition.
    pub fn ready_status(&self) -> Option<&'d str> {
        match self.is_potential {
            true => Some("True"),
            false => self.parts().ready,
        }
    }

    /// Returns the node that a pod runs on.
    pub fn node(&self) -> &'d str {
        match self.body.part("spec").text("nodeName") {
            "" if self.is_potential => "<node>",
            node => node,
        }
    }

    /// Returns the ID of one of a pod's containers from a list of statuses.
    pub fn container_id(&self, statuses: &str, name: &str) -> &'d str {
        match self.is_potential {
            true => "<container-id>",
            false => self.parts().ids.get(&(statuses, name)).copied().unwrap_or_default(),
        }
    }

    /// Returns the ports of a pod's containers, followed by those of init containers if requested.
    pub fn container_ports(&self, with_init: bool) -> impl DoubleEndedIterator<Item = ContainerPort<'d>> + Clone {
        let ports = self.parts().ports.iter().copied();
        ports.filter(move |port| with_init || !port.is_init)
    }

    /// Returns the container port that matches an endpoint port: the first matching port in the last matching
    /// container.
    pub fn container_port(&self, number: i32, with_init: bool) -> Option<ContainerPort<'d>> {
        let mut ports = self.container_ports(with_init).filter(|found| found.port.number == number);
        let last_port = ports.clone().next_back()?;
        ports.find(|found| found.index == last_port.index)
    }

    fn parts(&self) -> &PodParts<'d> {
        self.parts.get_or_init(|| PodParts::read(self.body))
    }

    /// Returns a pod's name, with a placeholder for any part that only the cluster knows.
    pub fn pod_name(&self) -> Cow<'d, str> {
        let name = self.name;
        Cow::Owned(match self.made_by {
            Some(ObservedKind::CronJob) => format!("{name}-<time>-<id>"),
            Some(ObservedKind::Deployment) => format!("{name}-<hash>-<id>"),
            Some(ObservedKind::StatefulSet) => format!("{name}-<ordinal>"),
            Some(_) => format!("{name}-<id>"),
            None => return Cow::Borrowed(name),
        })
    }

    /// Returns the kind and name of a pod's controller.
    pub fn controller(&self) -> Option<(&'d str, Cow<'d, str>)> {
        let name = self.name;
        Some(match self.made_by {
            Some(ObservedKind::CronJob) => ("Job", Cow::Owned(format!("{name}-<time>"))),
            Some(ObservedKind::DaemonSet) => ("DaemonSet", Cow::Borrowed(name)),
            Some(ObservedKind::Deployment) => ("ReplicaSet", Cow::Owned(format!("{name}-<hash>"))),
            Some(ObservedKind::Job) => ("Job", Cow::Borrowed(name)),
            Some(ObservedKind::StatefulSet) => ("StatefulSet", Cow::Borrowed(name)),
            _ => {
                let (kind, name) = self.controller?;
                (kind, Cow::Borrowed(name))
            }
        })
    }

    /// Returns the Endpoints that a cluster will create for a Service, with the Service's name and labels.
    pub(super) fn expected_endpoints(&self) -> Self {
        let mut labels = self.labels.clone();
        if self.body.part("spec").text("clusterIP") == "None" {
            labels.retain(|(name, _)| *name != HEADLESS);
            labels.push((HEADLESS, ""));
            labels.sort_by_key(|(name, _)| *name);
        }
        Self { labels, annotations: Vec::new(), is_potential: true, ..self.clone() }
    }

    /// Returns the approximate number of targets of potential Endpoints, which is computed only once for all jobs.
    pub fn expected_targets(&self, count: impl FnOnce() -> usize) -> usize {
        *self.expected_targets.get_or_init(count)
    }

    /// Returns the span of a label, or of the name if the label is missing.
    pub fn label_span(&self, name: &str) -> Option<Span> {
        let label = self.root.part("metadata").part("labels").part(name);
        label.span().or_else(|| self.span())
    }

    /// Returns the value of a label.
    pub fn label(&self, name: &str) -> Option<&'d str> {
        let label_index = self.labels.binary_search_by_key(&name, |(known, _)| known).ok()?;
        self.labels.get(label_index).map(|(_, value)| *value)
    }

    /// Returns the span of the object's name.
    pub fn span(&self) -> Option<Span> {
        self.root.part("metadata").part("name").span()
    }

    /// Whether a Service is an alias for an external name and therefore has no Endpoints, even if it has a selector.
    pub fn is_external(&self) -> bool {
        self.body.part("spec").text("type") == "ExternalName"
    }

    /// Whether any address of Endpoints or of an EndpointSlice refers to a pod.
    pub(super) fn refers_to_pod(&self) -> bool {
        let addresses = ["addresses", "notReadyAddresses"];
        let subsets = self.body.items("subsets");
        let mut endpoints = subsets
            .flat_map(|subset| addresses.into_iter().flat_map(move |list| subset.items(list)))
            .chain(self.body.items("endpoints"));
        endpoints.any(|endpoint| endpoint.part("targetRef").text("kind") == "Pod")
    }

    /// Returns the pod labels that a Service selects by, or an empty list if it selects no pods.
    pub fn selector(&self) -> Vec<(&'d str, &'d str)> {
        self.body.part("spec").texts("selector")
    }

    /// Returns a function that determines whether a Service selects a pod in its namespace. A Service without a
    /// selector selects no pods.
    pub fn pod_matcher(&self) -> impl Fn(&ClusterObject<'_>) -> bool + use<'d> {
        let selector = self.selector();
        move |pod| {
            // A label such as `statefulset.kubernetes.io/pod-name` may turn out to have the required value.
            let may_have_value = |own: &str| pod.is_potential && is_placeholder(own);
            let has_label =
                |(name, value): &(&str, &str)| pod.label(name).is_some_and(|own| own == *value || may_have_value(own));
            !selector.is_empty() && selector.iter().all(has_label)
        }
    }
}
