use std::fmt;

use crate::api::{ObjectRef, ResourceHeader};
use crate::diagnostic::{Code, Diagnostic, FieldPath};
use crate::source::Span;
use crate::yaml::Node;

/// Part of a resource that a planned value comes from: the entire resource, a field, an item in a list, or a field in
/// an item. Origins are small, because they are copied with every rule. [`Origin::path`] builds the path on demand.
///
/// If the field is missing, the value results from its absence.
#[derive(Clone, Copy)]
pub struct Origin<'d> {
    head: &'d ResourceHeader<'d>,
    field: &'static str,
    item: Option<u32>,
    key: &'static str,
    inner_item: Option<u32>,
    inner_key: &'d str,
}

impl<'d> Origin<'d> {
    /// Creates the origin for an entire resource.
    pub fn new(head: &'d ResourceHeader<'d>) -> Self {
        Self { head, field: "", item: None, key: "", inner_item: None, inner_key: "" }
    }

    /// Returns the origin for a field of the resource, such as `spec.selector`.
    pub fn at(self, field: &'static str) -> Self {
        Self { field, ..Self::new(self.head) }
    }

    /// Returns the origin for an item in the field.
    pub fn item(self, index: usize) -> Self {
        Self { item: u32::try_from(index).ok(), key: "", ..self }
    }

    /// Returns the origin for a field in the current item, or in the current field if there is no item.
    pub fn key(self, key: &'static str) -> Self {
        Self { key, ..self }
    }

    /// Returns the origin for an item in the current value.
    pub fn inner_item(self, index: usize) -> Self {
        Self { inner_item: u32::try_from(index).ok(), ..self }
    }

    /// Returns the origin for a key in the current value.
    pub fn inner_key(self, inner_key: &'d str) -> Self {
        Self { inner_key, ..self }
    }

    /// Returns the origin for the entire field, without any nested item or key.
    pub fn whole_field(self) -> Self {
        self.at(self.field)
    }

    /// Returns two field names: the resource's field, and the field nested in it or in its item. Either name may be
    /// empty.
    pub fn fields(self) -> (&'static str, &'static str) {
        (self.field, self.key)
    }

    /// Returns the resource that contains the field.
    pub fn object(self) -> ObjectRef<'d> {
        self.head.object_ref()
    }

    /// Returns the span of the field, or of its nearest existing parent.
    pub fn span(self) -> Span {
        self.head.locate(&self.path())
    }

    /// Returns the node of the field, or `None` if the field is missing.
    pub fn node(self) -> Option<Node<'d>> {
        self.path().find(self.head.root)
    }

    /// Creates a finding at a path below the field.
    pub fn diagnostic_below(self, below: &FieldPath<'_>, code: Code, message: impl Into<String>) -> Diagnostic {
        let path = self.path().join(below);
        Diagnostic::new(code, message).label(self.head.locate(&path), "").resource(self.object()).path(path)
    }

    /// Returns the path of the field. Empty for the entire resource.
    pub fn path(self) -> FieldPath<'static> {
        let mut path = match self.field {
            "" => FieldPath::new(),
            field => FieldPath::parse(field),
        };
        for (index, key) in [(self.item, self.key), (self.inner_item, self.inner_key)] {
            if let Some(index) = index {
                path.push_index(index as usize);
            }
            if !key.is_empty() {
                path.push_key(key.to_owned());
            }
        }
        path
    }
}

impl PartialEq for Origin<'_> {
    fn eq(&self, other: &Self) -> bool {
        let position = |origin: &Self| (origin.item, origin.inner_item, origin.field, origin.key, origin.inner_key);
        std::ptr::eq(self.head, other.head) && position(self) == position(other)
    }
}

impl Eq for Origin<'_> {}

impl fmt::Debug for Origin<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.object(), self.path())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{Kind, ObjectMeta};
    use crate::testing;

    #[test]
    fn builds_and_compares_origins() {
        let documents = testing::documents("{}");
        let header = |name| ResourceHeader {
            kind: Kind::Probe,
            meta: ObjectMeta { name, namespace: "ns", ..ObjectMeta::default() },
            root: documents[0].root(),
        };
        let (first, second) = (header("a"), header("a"));
        let (a, b) = (Origin::new(&first), Origin::new(&second));
        let list = a.at("spec.list");
        let all_origins = [
            (a, ""),
            (list, "spec.list"),
            (a.at("spec.other"), "spec.other"),
            (list.item(1), "spec.list[1]"),
            (list.item(2), "spec.list[2]"),
            (list.key("rules"), "spec.list.rules"),
            (list.item(1).key("rules"), "spec.list[1].rules"),
            (list.item(1).key("rules").inner_item(3), "spec.list[1].rules[3]"),
            (list.item(1).key("labels").inner_key("x"), "spec.list[1].labels.x"),
            (list.item(1).key("rules").inner_item(3).inner_key("x"), "spec.list[1].rules[3].x"),
            (b, ""),
            (b.at("spec.list"), "spec.list"),
        ];
        for (number, (origin, path)) in all_origins.into_iter().enumerate() {
            assert_eq!(origin.path().to_string(), path);
            assert_eq!(format!("{origin:?}"), format!("Probe/ns/a {path}"));
            let are_equal = all_origins.iter().map(|(other, _)| origin == *other);
            assert_eq!(
                are_equal.collect::<Vec<_>>(),
                (0..all_origins.len()).map(|at| at == number).collect::<Vec<_>>()
            );
            let whole_path = if path.starts_with("spec.list") { "spec.list" } else { path };
            assert_eq!(origin.whole_field().path().to_string(), whole_path, "{path}");
            assert_eq!(origin.at("spec.x").path().to_string(), "spec.x", "{path}");
        }
        assert_eq!(list.item(1).key("rules").item(2).path().to_string(), "spec.list[2]");
        assert_eq!(list.item(1).key("rules").fields(), ("spec.list", "rules"));
    }
}
