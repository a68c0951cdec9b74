//! Documents → the objects in them.

use super::diagnostics::objects as diagnostics;
use crate::aggregate::AggregateKind;
use crate::api::{Kind, ObjectRef, Promise, is_encrypted, rendered_by};
use crate::diagnostic::Diagnostic;
use crate::yaml::{Document, Found, Node, NodeId, each_object};

/// An object of a document that agentctl reads.
#[derive(Clone, Copy, Debug)]
pub struct FoundObject {
    /// Its kind.
    pub kind: Kind,
    /// Its outermost node.
    pub root: NodeId,
}

/// An object of a document that makes a Secret in the cluster.
#[derive(Clone, Copy, Debug)]
pub struct FoundPromise {
    /// What sort of object.
    pub promise: Promise,
    /// Its outermost node.
    pub root: NodeId,
}

/// What a document holds.
#[derive(Debug, Default)]
pub struct Contents {
    /// The objects that agentctl reads.
    pub objects: Vec<FoundObject>,
    /// The objects that make Secrets in the cluster.
    pub promises: Vec<FoundPromise>,
    /// How many objects there are that nothing looks at.
    pub skipped: usize,
    /// How many are of kinds that agentctl reads.
    pub resources: usize,
}

/// Finds the objects of a document and unpacks lists. What agentctl itself rendered is no input. In a file that was `named`, a document that is no object is an
/// error; in one that was found by walking a directory it is skipped.
pub fn find(document: &Document<'_>, named: bool, diagnostics: &mut Vec<Diagnostic>) -> Contents {
    let mut contents = Contents::default();
    each_object(document.root(), &mut |found| match found {
        Found::Object {
            root,
            api_version,
            kind,
        } => object(root, api_version, kind, named, &mut contents, diagnostics),
        Found::List(_) => {}
        Found::Other(root) => {
            contents.skipped += 1;
            diagnostics.extend(named.then(|| diagnostics::not_an_object(root)));
        }
    });
    contents
}

fn object(
    root: Node<'_>,
    api_version: &str,
    kind: &str,
    named: bool,
    contents: &mut Contents,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if is_encrypted(kind.as_bytes()) {
        contents.skipped += 1;
        return diagnostics.push(diagnostics::encrypted(root, named));
    }
    if let Some(promise) = Promise::of(api_version, kind) {
        let root = root.id();
        contents.promises.push(FoundPromise { promise, root });
        return;
    }
    match Kind::of(api_version, kind) {
        Some(Kind::Secret) if rendered_by(root).is_some() => contents.skipped += 1,
        Some(kind) => {
            contents.resources += 1;
            contents.objects.push(FoundObject { kind, root: root.id() });
        }
        None if is_aggregated(api_version, kind) => contents.resources += 1,
        None => {
            contents.skipped += 1;
            diagnostics.extend(diagnostics::unknown_version(root, api_version, kind));
            diagnostics.extend(diagnostics::unknown_kind(root, api_version, kind));
        }
    }
}

/// Whether `aggregate` looks at every object of this kind. It looks at Services only where an APIService names them.
fn is_aggregated(api_version: &str, kind: &str) -> bool {
    AggregateKind::of(api_version, kind).is_some_and(|kind| kind != AggregateKind::Service)
}

/// Which object a node is, as `Kind/namespace/name`; one that names no namespace is in `namespace`.
pub fn name_of(kind: Kind, root: Node<'_>, namespace: &str) -> String {
    let field = |key| {
        let metadata = root.get("metadata");
        metadata
            .and_then(|m| m.get(key))
            .and_then(Node::as_str)
            .unwrap_or_default()
    };
    ObjectRef {
        kind,
        namespace: match field("namespace") {
            _ if !kind.is_namespaced() => "",
            "" => namespace,
            named => named,
        },
        name: field("name"),
    }
    .to_string()
}
