//! The objects of a document: itself, or the items of a list.

use super::kind::AggregateKind;
use crate::yaml::Node;

/// Calls `visit` with every object of a document, unpacking lists in lists.
pub(super) fn each<'d>(root: Node<'d>, visit: &mut impl FnMut(AggregateKind, &'d str, Node<'d>)) {
    let text = |key| root.get(key).and_then(Node::as_str).unwrap_or_default();
    let (api_version, kind) = (text("apiVersion"), text("kind"));
    match (kind.ends_with("List"), root.get("items")) {
        (true, Some(items)) => items.items().for_each(|item| each(item, visit)),
        _ => {
            if let Some(kind) = AggregateKind::of(api_version, kind) {
                visit(kind, api_version, root);
            }
        }
    }
}
