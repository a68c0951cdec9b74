//! All resources admitted in a run.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Deref, Range};

use super::kind::kinds;
use super::{
    Access, AnyResource, GeneratedSecret, GrafanaAgent, Integration, Kind, LogsInstance, MetricsInstance, ObjectRef,
    PodLogs, PodMonitor, Probe, RejectedFields, Resource, ResourceHeader, SecretData, ServiceMonitor, UnreadWords,
};

/// Namespace labels, by namespace.
pub type NamespaceLabels = BTreeMap<String, BTreeMap<String, String>>;

macro_rules! resources {
    ($(#[doc = $summary:literal] $kind:ident { $list:ident: $spec:ty, $($rest:tt)* })+) => {
        /// Resources by kind, each list sorted by namespace, then name.
        #[derive(Default)]
        pub struct Resources<'d> {
            $(#[doc = $summary] pub $list: Vec<Resource<'d, $spec>>,)+
            /// Secrets that controllers create in the cluster.
            pub generated_secrets: Vec<GeneratedSecret<'d>>,
            /// Namespace labels from flags, which override those in the manifests.
            pub namespace_labels: Option<&'d NamespaceLabels>,
            /// RBAC objects in the input.
            pub access: Access<'d>,
            /// Objects that were rejected and are not compiled. References to these objects are not reported.
            pub rejected_objects: BTreeSet<ObjectRef<'d>>,
            /// Kinds with at least one object that could not be identified because it has no name or its kind is
            /// misspelled.
            pub lost_kinds: BTreeSet<Kind>,
            /// Rejected fields in objects that are compiled despite the rejection.
            pub rejected_fields: RejectedFields<'d>,
            /// Parts of the input that could not be parsed.
            pub unread_words: UnreadWords<'d>,
        }

        impl<'d> Resources<'d> {
            /// Sorts each list as the operator does: by namespace, then name.
            pub fn sort(&mut self) {
                $(self.$list.sort_by_cached_key(|resource| (resource.meta.namespace, resource.meta.name));)+
                self.generated_secrets.sort_by_key(|generated| (generated.namespace, generated.name));
            }

            /// Returns all resources of a kind, sorted by namespace and name.
            pub fn list(&self, kind: Kind) -> Vec<AnyResource<'_, 'd>> {
                match kind {
                    $(Kind::$kind => self.$list.iter().map(AnyResource::$kind).collect(),)+
                }
            }

            /// Returns the resource with this kind, namespace and name, or `None` if there is none.
            pub fn get(&self, object: ObjectRef<'_>) -> Option<AnyResource<'_, 'd>> {
                match object.kind {
                    $(Kind::$kind => find(&self.$list, object.namespace, object.name).map(AnyResource::$kind),)+
                }
            }

            /// Returns the resource at this index in the list for a kind.
            pub fn resource_at(&self, kind: Kind, position: usize) -> Option<AnyResource<'_, 'd>> {
                match kind {
                    $(Kind::$kind => self.$list.get(position).map(AnyResource::$kind),)+
                }
            }
        }
    };
}
kinds!(resources);

impl<'d> Resources<'d> {
    /// Returns the Secret with this name that a controller creates.
    pub fn generated_secret(&self, namespace: &str, name: &str) -> Option<&GeneratedSecret<'d>> {
        let index = self
            .generated_secrets
            .binary_search_by(|generated| (generated.namespace, generated.name).cmp(&(namespace, name)));
        self.generated_secrets.get(index.ok()?)
    }

    /// Returns the Secret or ConfigMap with this name.
    pub fn data_object(&self, object: ObjectRef<'_>) -> Option<&Resource<'d, SecretData<'d>>> {
        find(self.data(object.kind), object.namespace, object.name)
    }

    /// Returns the Secrets or the ConfigMaps; empty for any other kind.
    pub fn data(&self, kind: Kind) -> &[Resource<'d, SecretData<'d>>] {
        match kind {
            Kind::Secret => &self.secrets,
            Kind::ConfigMap => &self.config_maps,
            _ => &[],
        }
    }
}

/// Returns the resource with this namespace and name in a sorted list.
pub fn find<'h, 'd, R: Deref<Target = ResourceHeader<'d>>>(
    resources: &'h [R],
    namespace: &str,
    name: &str,
) -> Option<&'h R> {
    let index = resources.binary_search_by(|r| (r.meta.namespace, r.meta.name).cmp(&(namespace, name)));
    resources.get(index.ok()?)
}

/// Returns the indices of the resources in one namespace within a sorted list.
pub fn namespace_range<'d>(resources: &[impl Deref<Target = ResourceHeader<'d>>], namespace: &str) -> Range<usize> {
    let start = resources.partition_point(|r| r.meta.namespace < namespace);
    let end = resources.partition_point(|r| r.meta.namespace <= namespace);
    start..end
}

/// Returns the resources in one namespace from a sorted list.
pub fn resources_in_namespace<'h, 'd, R: Deref<Target = ResourceHeader<'d>>>(
    resources: &'h [R],
    namespace: &str,
) -> &'h [R] {
    resources.get(namespace_range(resources, namespace)).unwrap_or_default()
}
