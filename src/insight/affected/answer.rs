//! Which agents and objects are affected.

use serde::{Serialize, Serializer};
use serde_json::json;

use crate::api::ObjectRef;
use crate::manifest::Object;

/// The objects that may or do change. For programs:
///
/// ```text
/// {"agents": […], "others": […], "idle": […]}
/// agent   namespace, name, rendered, objects, because
/// object  change, kind, namespace, name
/// because kind, namespace, name, through
/// idle    kind, namespace, name
/// ```
///
/// `change` is `possible` where it is about dependencies, and `added`, `changed` or `removed` between two revisions.
#[derive(Clone, Default, Serialize)]
pub struct Affected<'d> {
    /// The agents of which any object is affected, by namespace and name.
    pub agents: Vec<AffectedAgent<'d>>,
    /// The resources that were asked about and that nothing depends on.
    #[serde(serialize_with = "in_order")]
    pub idle: Vec<ObjectRef<'d>>,
    /// The objects of no agent: Service and Endpoints of the kubelets.
    #[serde(serialize_with = "in_order")]
    pub others: Vec<AffectedObject>,
}

/// An agent and what of it is affected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AffectedAgent<'d> {
    /// The resources that it depends on, of those that were asked about.
    #[serde(serialize_with = "in_order")]
    pub because: Vec<Because<'d>>,
    pub name: String,
    pub namespace: String,
    /// In the order in which the operator creates them, what is removed last.
    #[serde(serialize_with = "in_order")]
    pub objects: Vec<AffectedObject>,
    /// Whether it is rendered, so that there is something to render again; one that is gone is not.
    #[serde(rename = "rendered")]
    pub is_rendered: bool,
}

/// A resource that an agent depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Because<'d> {
    /// The resource.
    #[serde(flatten)]
    pub target: ObjectRef<'d>,
    /// What is between it and the agent.
    pub through: Vec<ObjectRef<'d>>,
}

/// Writes items with their keys in the order of the alphabet. Each is made when it is written: thousands of namespaces may be
/// selected through the same hundreds of instances.
fn in_order<T: Serialize, S: Serializer>(items: &[T], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(items.iter().map(|item| json!(item)))
}

/// An object that may or does change.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct AffectedObject {
    /// The kind of change.
    pub change: Change,
    pub kind: &'static str,
    pub namespace: String,
    pub name: String,
}

impl AffectedObject {
    pub(super) fn new(change: Change, object: &Object) -> Self {
        Self {
            change,
            kind: object.kind(),
            namespace: object.namespace().to_owned(),
            name: object.name().to_owned(),
        }
    }
}

/// The kind of change of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// It depends on what changes.
    Possible,
    Added,
    /// It is different.
    Changed,
    /// It is not rendered any more.
    Removed,
}
