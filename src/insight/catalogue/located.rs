//! Resources and their places.

use crate::api::ObjectRef;
use crate::diagnostic::FieldPath;
use crate::source::Span;
use crate::yaml::Node;

/// A resource of the input.
#[derive(Clone, Copy)]
pub struct Located<'d> {
    /// The resource.
    pub object: ObjectRef<'d>,
    /// Its outermost node.
    pub root: Node<'d>,
    /// Whether it was refused, so that it takes no part in anything.
    pub refused: bool,
}

impl Located<'_> {
    /// The place of its name.
    pub(super) fn name_span(&self) -> Span {
        FieldPath::of("metadata.name").locate(self.root)
    }
}

/// The argument as people write it: in lower case.
pub(super) fn as_argument(object: ObjectRef<'_>) -> String {
    let kind = object.kind.as_str().to_ascii_lowercase();
    match object.namespace {
        "" => format!("{kind}/{}", object.name),
        namespace => format!("{kind}/{namespace}/{}", object.name),
    }
}
