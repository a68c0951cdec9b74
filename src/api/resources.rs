//! All admitted resources of a run.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Deref, Range};

use super::kind::kinds;
use super::{
    Access, AnyResource, GeneratedSecret, GrafanaAgent, Integration, Kind, LogsInstance, MetricsInstance, ObjectRef,
    PodLogs, PodMonitor, Probe, RejectedFields, Resource, ResourceHeader, SecretData, ServiceMonitor, Unread,
};

/// Labels by namespace.
pub type NamespaceLabels = BTreeMap<String, BTreeMap<String, String>>;

macro_rules! resources {
    ($(#[doc = $summary:literal] $kind:ident { $list:ident: $spec:ty, $($rest:tt)* })+) => {
        /// The resources by kind, each list ordered by namespace, then name.
        #[derive(Default)]
        pub struct Resources<'d> {
            $(#[doc = $summary] pub $list: Vec<Resource<'d, $spec>>,)+
            /// Secrets that a controller makes in the cluster.
            pub promised: Vec<GeneratedSecret<'d>>,
            /// Labels of namespaces that flags tell, over those of their manifests.
            pub namespace_labels: Option<&'d NamespaceLabels>,
            /// Who may do what in the cluster, as far as the input has it.
            pub access: Access<'d>,
            /// Objects that are there but were refused, and take no part: nothing more is said of what refers to them.
            pub refused: BTreeSet<ObjectRef<'d>>,
            /// Kinds of which there is an object that nothing is known of: it has no name, or its kind is misspelled.
            pub lost: BTreeSet<Kind>,
            /// What was refused of objects that take part all the same.
            pub rejected_fields: RejectedFields<'d>,
            /// The parts of the input that could not be read.
            pub unread: Unread<'d>,
        }

        impl<'d> Resources<'d> {
            /// Orders each list as the operator does: by namespace, then name.
            pub fn sort(&mut self) {
                $(self.$list.sort_by_cached_key(|resource| (resource.meta.namespace, resource.meta.name));)+
                self.promised.sort_by_key(|promised| (promised.namespace, promised.name));
            }

            /// All resources of a kind, by namespace and name.
            pub fn of(&self, kind: Kind) -> Vec<AnyResource<'_, 'd>> {
                match kind {
                    $(Kind::$kind => self.$list.iter().map(AnyResource::$kind).collect(),)+
                }
            }

            /// The resource of this kind, namespace and name.
            pub fn get(&self, object: ObjectRef<'_>) -> Option<AnyResource<'_, 'd>> {
                match object.kind {
                    $(Kind::$kind => find(&self.$list, object.namespace, object.name).map(AnyResource::$kind),)+
                }
            }

            /// The resource at this position among all of a kind.
            pub fn at(&self, kind: Kind, position: usize) -> Option<AnyResource<'_, 'd>> {
                match kind {
                    $(Kind::$kind => self.$list.get(position).map(AnyResource::$kind),)+
                }
            }
        }
    };
}
kinds!(resources);

impl<'d> Resources<'d> {
    /// The Secret that a controller makes under this name.
    pub fn promised(&self, namespace: &str, name: &str) -> Option<&GeneratedSecret<'d>> {
        let at = self
            .promised
            .binary_search_by(|promised| (promised.namespace, promised.name).cmp(&(namespace, name)));
        self.promised.get(at.ok()?)
    }

    /// The Secret or ConfigMap of this name.
    pub fn data_object(&self, object: ObjectRef<'_>) -> Option<&Resource<'d, SecretData<'d>>> {
        find(self.data(object.kind), object.namespace, object.name)
    }

    /// The Secrets or the ConfigMaps; none of another kind.
    pub fn data(&self, kind: Kind) -> &[Resource<'d, SecretData<'d>>] {
        match kind {
            Kind::Secret => &self.secrets,
            Kind::ConfigMap => &self.config_maps,
            _ => &[],
        }
    }
}

/// The resource of this namespace and name in an ordered list.
pub fn find<'h, 'd, R: Deref<Target = ResourceHeader<'d>>>(
    resources: &'h [R],
    namespace: &str,
    name: &str,
) -> Option<&'h R> {
    let place = resources.binary_search_by(|r| (r.meta.namespace, r.meta.name).cmp(&(namespace, name)));
    resources.get(place.ok()?)
}

/// The indices of the resources of one namespace in an ordered list.
pub fn namespace_range<'d>(resources: &[impl Deref<Target = ResourceHeader<'d>>], namespace: &str) -> Range<usize> {
    let start = resources.partition_point(|r| r.meta.namespace < namespace);
    let end = resources.partition_point(|r| r.meta.namespace <= namespace);
    start..end
}

/// The resources of one namespace in an ordered list.
pub fn in_namespace<'h, 'd, R: Deref<Target = ResourceHeader<'d>>>(resources: &'h [R], namespace: &str) -> &'h [R] {
    resources.get(namespace_range(resources, namespace)).unwrap_or_default()
}
