//! An admitted object: its metadata, its decoded specification, and the node it came from.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Kind, ObjectRef, TextMap};
use crate::diagnostic::FieldPath;
use crate::source::Span;
use crate::yaml::Node;

/// The metadata that the compilation uses.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, bound(deserialize = "'de: 'd"))]
pub struct ObjectMeta<'d> {
    /// The name of the object.
    pub name: &'d str,
    /// The namespace of the object; the run's default one where the text has none.
    pub namespace: &'d str,
    /// Its labels.
    pub labels: TextMap<'d>,
    /// Its annotations.
    pub annotations: TextMap<'d>,
    /// Set where the text was exported from a cluster.
    pub uid: &'d str,
}

/// An object that was admitted: what it says, and where it says so.
#[derive(Clone)]
pub struct Resource<'d, S> {
    /// Its kind.
    pub kind: Kind,
    /// Its metadata.
    pub meta: ObjectMeta<'d>,
    /// What it specifies.
    pub spec: S,
    /// Its outermost node.
    pub root: Node<'d>,
}

impl<'d, S> Resource<'d, S> {
    /// Which object it is.
    pub fn object_ref(&self) -> ObjectRef<'d> {
        ObjectRef {
            kind: self.kind,
            namespace: if self.kind.is_namespaced() {
                self.meta.namespace
            } else {
                ""
            },
            name: self.meta.name,
        }
    }

    /// Where a field stands; where it is missing, where its nearest parent does.
    pub fn locate(&self, path: &FieldPath<'_>) -> Span {
        path.locate(self.root)
    }

    /// Where the object's name stands, or the object where it has none.
    pub fn name_span(&self) -> Span {
        self.locate(&FieldPath::of("metadata.name"))
    }
}
