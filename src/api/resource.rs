//! Admitted objects, each with its metadata, decoded specification and source node.

use std::fmt;
use std::ops::{Deref, Range};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use super::kind::kinds;
use super::{
    GrafanaAgent, Integration, Kind, LogsInstance, MetricsInstance, PodLogs, PodMonitor, Probe, SecretData,
    ServiceMonitor, TextMap,
};
use crate::diagnostic::{Code, Diagnostic, FieldPath, ObjectKey};
use crate::source::Span;
use crate::yaml::Node;

/// Metadata that compilation uses.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct ObjectMeta<'d> {
    /// Name of the object.
    pub name: &'d str,
    /// Namespace of the object; by default, the run's default namespace.
    pub namespace: &'d str,
    /// Labels of the object.
    pub labels: TextMap<'d>,
    /// Annotations of the object.
    pub annotations: TextMap<'d>,
    /// UID; set only if the object was exported from a cluster.
    pub uid: &'d str,
}

impl ObjectMeta<'_> {
    /// Returns the namespace and name, such as `shop/checkout`.
    pub fn full_name(&self) -> String {
        format!("{}/{}", self.namespace, self.name)
    }
}

/// Fields that every admitted object has.
#[derive(Clone)]
pub struct ResourceHeader<'d> {
    /// Kind of the object.
    pub kind: Kind,
    /// Metadata of the object.
    pub meta: ObjectMeta<'d>,
    /// The object's root node.
    pub root: Node<'d>,
}

impl<'d> ResourceHeader<'d> {
    /// Returns a reference to the object.
    pub fn object_ref(&self) -> ObjectRef<'d> {
        ObjectRef {
            kind: self.kind,
            namespace: if self.kind.is_namespaced() { self.meta.namespace } else { "" },
            name: self.meta.name,
        }
    }

    /// Returns a description to use in messages, such as ``ServiceMonitor `checkout` ``, or `this ServiceMonitor` if
    /// the object has no name.
    pub fn display_name(&self) -> String {
        match self.meta.name {
            "" => format!("this {}", self.kind),
            name => format!("{} `{name}`", self.kind),
        }
    }

    /// Returns the span of a field, or of its nearest existing parent.
    pub fn locate(&self, path: &FieldPath<'_>) -> Span {
        path.locate(self.root)
    }

    /// Returns the path of the value under a key in a Secret or ConfigMap, or `None` if the key does not exist.
    pub fn value_path<'k>(&self, key: &'k str) -> Option<FieldPath<'k>> {
        let has_key = |field: &&str| self.root.get(field).is_some_and(|data| data.get(key).is_some());
        let field = ["stringData", "data", "binaryData"].into_iter().find(has_key)?;
        Some(FieldPath::parse(field).key(key))
    }

    /// Returns the span of part of a Secret's base64 value, or of the entire value if it is not base64-encoded. `bytes`
    /// contains offsets in the decoded value.
    pub fn value_part(&self, key: &str, bytes: Range<usize>) -> Option<Span> {
        let path = self.value_path(key)?;
        let node = path.find(self.root)?;
        let whole_span = self.locate(&path);
        let is_base64 =
            self.root.get("data").is_some_and(|data| data.get(key).is_some_and(|value| value.id() == node.id()));
        let is_base64_char = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
        let digits = || node.raw().bytes().enumerate().filter(|(_, byte)| is_base64_char(*byte)).map(|(at, _)| at);
        let offset = |decoded: usize| digits().nth(decoded / 3 * 4 + decoded % 3).and_then(|at| u32::try_from(at).ok());
        let part = || {
            let (start, end) = (offset(bytes.start)?, offset(bytes.end.checked_sub(1)?)? + 1);
            Some(whole_span.with(node.span().start + start, node.span().start + end))
        };
        Some(part().filter(|_| is_base64).unwrap_or(whole_span))
    }

    /// Creates a finding at a field.
    pub fn finding(&self, code: Code, path: &FieldPath<'_>, message: impl Into<String>) -> Diagnostic {
        self.labeled_finding(code, path, message, "")
    }

    /// Creates a finding at a field, with a label on the field's span.
    pub fn labeled_finding(
        &self,
        code: Code,
        path: &FieldPath<'_>,
        message: impl Into<String>,
        label: &str,
    ) -> Diagnostic {
        Diagnostic::new(code, message).label(self.locate(path), label).resource(self.object_ref()).path(path)
    }

    /// Returns the span of the object's name, or of the object if it has none.
    pub fn name_span(&self) -> Span {
        self.root.name_span()
    }
}

/// An admitted object with its specification. It dereferences to its header, so any resource can be passed as a
/// `&ResourceHeader`.
#[derive(Clone)]
pub struct Resource<'d, S> {
    /// Kind, metadata and root node of the object.
    pub header: ResourceHeader<'d>,
    /// Decoded specification of the object.
    pub spec: S,
}

impl<'d, S> Deref for Resource<'d, S> {
    type Target = ResourceHeader<'d>;

    fn deref(&self) -> &ResourceHeader<'d> {
        &self.header
    }
}

macro_rules! any_resource {
    ($(#[doc = $summary:literal] $kind:ident { $list:ident: $spec:ty, $($rest:tt)* })+) => {
        /// A resource of any kind, for code that treats several kinds the same way.
        #[derive(Clone, Copy)]
        pub enum AnyResource<'h, 'd> {
            $(#[doc = $summary] $kind(&'h Resource<'d, $spec>),)+
        }

        impl<'h, 'd> AnyResource<'h, 'd> {
            /// Returns the header, which lives as long as the resource list.
            pub fn header(self) -> &'h ResourceHeader<'d> {
                match self {
                    $(AnyResource::$kind(resource) => resource,)+
                }
            }
        }
    };
}
kinds!(any_resource);

impl<'d> Deref for AnyResource<'_, 'd> {
    type Target = ResourceHeader<'d>;

    fn deref(&self) -> &ResourceHeader<'d> {
        self.header()
    }
}

/// A reference to an object, ordered by kind, namespace and name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct ObjectRef<'d, K = Kind> {
    /// Kind of the object.
    pub kind: K,
    /// Namespace of the object; empty if the kind is cluster-scoped.
    pub namespace: &'d str,
    /// Name of the object.
    pub name: &'d str,
}

impl<K: fmt::Display> From<ObjectRef<'_, K>> for ObjectKey {
    fn from(object: ObjectRef<'_, K>) -> Self {
        Self::new(&object.kind.to_string(), object.namespace, object.name)
    }
}

impl<K: fmt::Display> fmt::Display for ObjectRef<'_, K> {
    /// Writes `Kind/namespace/name`, or `Kind/name` if there is no namespace.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind.fmt(f)?;
        f.write_str("/")?;
        if !self.namespace.is_empty() {
            f.write_str(self.namespace)?;
            f.write_str("/")?;
        }
        f.write_str(self.name)
    }
}

/// Serializes a reference as a string, for use with `serialize_with`.
pub fn serialize_display<S: Serializer>(object: &ObjectRef<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(object)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn references_follow_the_scope_of_their_kind() {
        let documents = testing::documents("metadata: {name: b}");
        for (kind, name, reference, called, full_name) in [
            (Kind::Probe, "b", "Probe/a/b", "Probe `b`", "a/b"),
            (Kind::Node, "b", "Node/b", "Node `b`", "a/b"),
            (Kind::Namespace, "", "Namespace/", "this Namespace", "a/"),
        ] {
            let meta = ObjectMeta { name, namespace: "a", ..ObjectMeta::default() };
            let root = documents[0].root();
            let header = ResourceHeader { kind, meta, root };
            assert_eq!(header.object_ref().to_string(), reference);
            assert_eq!((header.display_name().as_str(), header.meta.full_name().as_str()), (called, full_name));
            let finding = header.labeled_finding(Code::InvalidName, &FieldPath::parse("metadata.name"), "m", "here");
            assert_eq!(finding.resource, Some(header.object_ref().into()));
            assert_eq!((finding.path.as_deref(), finding.labels[0].text.as_str()), (Some("metadata.name"), "here"));
            assert_eq!(finding.labels[0].span, header.name_span());
        }
    }
}
