//! Built objects and the resources they may have been built from.

use crate::source::DocumentOrigin;
use crate::yaml::Node;

/// An object in build output, which files may refer to.
pub(super) struct BuiltObject<'d> {
    pub(super) root: Node<'d>,
    pub(super) origin: &'d DocumentOrigin,
}

impl BuiltObject<'_> {
    /// Whether a file refers to this object by kind and name, allowing for prefixes, suffixes and hashes.
    pub(super) fn is(&self, kind: &str, name: &str) -> bool {
        let own = self.root.text("metadata.name");
        let written = self.origin.name.as_deref();
        self.root.text("kind") == kind && !name.is_empty() && (written == Some(name) || own.contains(name))
    }

    /// Returns how well a resource in a file matches, or 0 if it is a different resource.
    pub(super) fn fit(&self, other: Node<'_>) -> u8 {
        let name = other.text("metadata.name");
        let is_own = [self.origin.name.as_deref(), Some(self.root.text("metadata.name"))].contains(&Some(name));
        let is_near = other.text("metadata.namespace") == self.root.text("metadata.namespace");
        match self.is(other.text("kind"), name) {
            true => 1 + 2 * u8::from(is_own) + u8::from(is_near),
            false => 0,
        }
    }
}
