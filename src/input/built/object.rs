//! Built objects and the resources they may have been built from.

use crate::source::DocumentOrigin;
use crate::yaml::Node;

/// An object in build output, which files may refer to.
pub(super) struct BuiltObject<'d> {
    pub(super) root: Node<'d>,
    pub(super) origin: &'d DocumentOrigin,
    names: NameMatch,
}

/// Names that files use to refer to an object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NameMatch {
    /// Known names of the object before, during and after the build.
    Known,
    /// Known names, plus every part of a built object's name, because the build may have added an unknown prefix, suffix
    /// or hash.
    Possible,
}

impl<'d> BuiltObject<'d> {
    pub(super) fn new(root: Node<'d>, origin: &'d DocumentOrigin) -> Self {
        Self { root, origin, names: NameMatch::Possible }
    }

    /// Returns this object with only its known names.
    pub(super) fn with_known_names(&self) -> Self {
        Self { root: self.root, origin: self.origin, names: NameMatch::Known }
    }

    /// Whether a file refers to this object by kind and name, allowing for prefixes, suffixes and hashes.
    pub(super) fn is_referred_to_by(&self, kind: &str, name: &str) -> bool {
        let own_name = self.root.text("metadata.name");
        let written_name = self.origin.name.as_deref();
        // In a kustomization between the base and the overlay, the name has only some of the prefixes and suffixes.
        let is_known = || own_name == name || written_name.is_some_and(|written_name| name.contains(written_name));
        let is_match =
            written_name == Some(name) || own_name.contains(name) && (self.names == NameMatch::Possible || is_known());
        self.root.text("kind") == kind && !name.is_empty() && is_match
    }

    /// Returns a score for the similarity of a resource in a file to the object, or 0 if it is a different resource.
    pub(super) fn match_score(&self, other: Node<'_>) -> u8 {
        let name = other.text("metadata.name");
        let has_own_name = [self.origin.name.as_deref(), Some(self.root.text("metadata.name"))].contains(&Some(name));
        let has_own_namespace = other.text("metadata.namespace") == self.root.text("metadata.namespace");
        match self.is_referred_to_by(other.text("kind"), name) {
            true => 1 + 2 * u8::from(has_own_name) + u8::from(has_own_namespace),
            false => 0,
        }
    }
}
