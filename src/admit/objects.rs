//! Documents → the objects in them.

use super::diagnostics::objects as diagnostics;
use crate::aggregate::AggregateKind;
use crate::api::{Kind, ObjectRef, Promise, is_encrypted, rendered_by};
use crate::diagnostic::Diagnostic;
use crate::yaml::{Document, Node, NodeId};

/// An object of a document that agentctl reads.
#[derive(Clone, Copy, Debug)]
pub struct Found {
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
    pub objects: Vec<Found>,
    /// The objects that make Secrets in the cluster.
    pub promises: Vec<FoundPromise>,
    /// How many objects there are that nothing looks at.
    pub skipped: usize,
}

/// Finds the objects of a document and unpacks lists. What agentctl itself rendered is no input. In a file that was `named`, a document that is no object is an
/// error; in one that was found by walking a directory it is skipped.
pub fn find(document: &Document<'_>, named: bool, diagnostics: &mut Vec<Diagnostic>) -> Contents {
    let mut contents = Contents::default();
    visit(document.root(), None, named, &mut contents, diagnostics);
    contents
}

/// The `apiVersion` and `kind` that a typed list (`SecretList`) gives to items without their own.
type ItemType<'d> = Option<(&'d str, &'d str)>;

fn visit<'d>(
    node: Node<'d>,
    item_type: ItemType<'d>,
    named: bool,
    contents: &mut Contents,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let field = |key| node.get(key).and_then(Node::as_str);
    let (api_version, kind) = match (field("apiVersion"), field("kind"), item_type) {
        (Some(api_version), Some(kind), _) => (api_version, kind),
        (None, None, Some(item_type)) => item_type,
        _ => {
            contents.skipped += 1;
            if named {
                diagnostics.push(diagnostics::not_an_object(node));
            }
            return;
        }
    };
    if is_encrypted(kind.as_bytes()) {
        contents.skipped += 1;
        return diagnostics.push(diagnostics::encrypted(node, named));
    }
    if let Some(item_kind) = kind.strip_suffix("List")
        && let Some(items) = node.get("items")
    {
        let item_type = (!item_kind.is_empty()).then_some((api_version, item_kind));
        for item in items.items() {
            visit(item, item_type, named, contents, diagnostics);
        }
        return;
    }
    if let Some(promise) = Promise::of(api_version, kind) {
        let root = node.id();
        contents.promises.push(FoundPromise { promise, root });
        return;
    }
    match Kind::of(api_version, kind) {
        Some(Kind::Secret) if rendered_by(node).is_some() => contents.skipped += 1,
        Some(kind) => contents.objects.push(Found { kind, root: node.id() }),
        None => {
            contents.skipped += usize::from(!is_aggregated(api_version, kind));
            diagnostics.extend(diagnostics::unknown_version(node, api_version, kind));
            diagnostics.extend(diagnostics::unknown_kind(node, api_version, kind));
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
