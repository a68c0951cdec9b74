//! Objects in a document: the document itself, or the items of a list.

use super::node::Node;
use crate::diagnostic::{FieldPath, ObjectKey};
use crate::source::Span;

#[derive(Clone, Copy, Debug)]
pub enum DocumentObject<'d> {
    /// An object with its `apiVersion` and `kind`, which may be implied by its list.
    Object(Node<'d>, &'d str, &'d str),
    /// List, followed by its items.
    List(Node<'d>),
    /// Node without a type, which is not an object.
    Other(Node<'d>),
}

impl<'d> DocumentObject<'d> {
    pub fn root(self) -> Node<'d> {
        match self {
            DocumentObject::Object(root, ..) | DocumentObject::List(root) | DocumentObject::Other(root) => root,
        }
    }
}

impl Node<'_> {
    /// Returns the span of the object's name or, if it has no name, of the object.
    pub fn name_span(self) -> Span {
        FieldPath::parse("metadata.name").locate(self)
    }

    /// Returns the key of the object. Its namespace defaults to `namespace`.
    pub fn object_key(self, namespace: &str) -> ObjectKey {
        let namespace = self.non_empty_str("metadata.namespace").unwrap_or(namespace);
        ObjectKey::new(self.text("kind"), namespace, self.text("metadata.name"))
    }
}

/// Calls `visit` for each object in a document, unpacking nested lists.
pub fn for_each_object<'d>(root: Node<'d>, visit: &mut impl FnMut(DocumentObject<'d>)) {
    visit_objects(root, None, visit);
}

/// Calls `visit` for the objects below `root`. `item_type` is the `apiVersion` and `kind` that a typed list
/// (`SecretList`) implies for items that do not specify them.
fn visit_objects<'d>(
    root: Node<'d>,
    item_type: Option<(&'d str, &'d str)>,
    visit: &mut impl FnMut(DocumentObject<'d>),
) {
    let field = |key| root.get(key).and_then(Node::as_str);
    let (api_version, kind) = match (field("apiVersion"), field("kind"), item_type) {
        (Some(api_version), Some(kind), _) => (api_version, kind),
        (None, None, Some(item_type)) => item_type,
        _ => return visit(DocumentObject::Other(root)),
    };
    let item_kind = kind.strip_suffix("List");
    // kubectl unpacks every object with items, regardless of its kind.
    let Some(items) = root.get("items").filter(|items| item_kind.is_some() || items.items().len() > 0) else {
        return visit(DocumentObject::Object(root, api_version, kind));
    };
    let item_kind = item_kind.unwrap_or(kind);
    visit(DocumentObject::List(root));
    let item_type = (!item_kind.is_empty()).then_some((api_version, item_kind));
    items.items().for_each(|item| visit_objects(item, item_type, visit));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    fn object_kinds(text: &str) -> Vec<String> {
        let documents = testing::documents(text);
        let mut kinds = Vec::new();
        for_each_object(documents[0].root(), &mut |what| {
            kinds.push(match what {
                DocumentObject::Object(_, api_version, kind) => format!("{api_version} {kind}"),
                DocumentObject::List(_) => "list".to_owned(),
                DocumentObject::Other(_) => "other".to_owned(),
            });
        });
        kinds
    }

    #[test]
    fn items_inherit_the_type_of_their_list() {
        for (text, expected) in [
            ("{apiVersion: v1, kind: Secret}", &["v1 Secret"][..]),
            ("{apiVersion: v1}", &["other"]),
            ("{apiVersion: v1, kind: SecretList}", &["v1 SecretList"]),
            (
                "{apiVersion: v1, kind: SecretList, items: [{}, {apiVersion: v2, kind: A}, {kind: A}]}",
                &["list", "v1 Secret", "v2 A", "other"],
            ),
            (
                "{apiVersion: v1, kind: List, items: [{}, {apiVersion: v2, kind: AList, items: [{}]}]}",
                &["list", "other", "list", "v2 A"],
            ),
            ("{apiVersion: v1, kind: A, items: [{}, {apiVersion: v2, kind: B}]}", &["list", "v1 A", "v2 B"]),
            ("{apiVersion: v1, kind: A, items: []}", &["v1 A"]),
            ("{apiVersion: v1, kind: A, items: {a: b}}", &["v1 A"]),
        ] {
            assert_eq!(object_kinds(text), expected, "{text}");
        }
    }
}
