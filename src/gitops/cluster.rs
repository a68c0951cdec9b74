//! Results of following an entry point.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use super::artifact::Artifact;
use super::cause::Cause;
use super::flux::Build;
use super::object::{Object, ObjectId};
use super::skipped::Skipped;
use crate::diagnostic::Code;

/// Mistake that Flux or Argo CD would report.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mistake {
    pub code: Code,
    /// Object as `KIND/NAMESPACE/NAME`, or path of the entry point.
    pub object: String,
    /// Field of the object, with list items identified by index.
    pub field: String,
    pub reason: String,
    /// Location of the cause, if it differs from the field.
    pub cause: Option<Cause>,
}

impl fmt::Display for Mistake {
    /// Writes the object and the reason, or only the reason if the entry point is the whole repository.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.object.as_str() {
            "" => f.write_str(&self.reason),
            object => write!(f, "{object}: {}", self.reason),
        }
    }
}

/// A directory that was built, with its owner.
#[derive(Debug)]
pub struct Root {
    /// Kustomization or Application as `KIND/NAMESPACE/NAME`, or the path of the entry point.
    pub owner: String,
    pub build: Build,
    /// Files of the build, as an artifact.
    pub artifact: Arc<Artifact>,
    /// ConfigMaps and Secrets with variables that were not found.
    pub(super) missing_sources: BTreeSet<ObjectId>,
}

/// Result of following an entry point: the objects that a cluster receives.
#[derive(Debug, Default)]
pub struct Cluster {
    /// Path of the entry point in the repository.
    pub entry: String,
    pub roots: Vec<Root>,
    /// All objects, without duplicates.
    pub objects: Vec<MergedObject>,
    pub skipped: Vec<Skipped>,
    pub mistakes: Vec<Mistake>,
    /// ApplicationSet of each generated Application. Both are identified as `KIND/NAMESPACE/NAME`.
    pub generators: BTreeMap<String, String>,
    /// Whether the entry point leads to other paths, as opposed to a plain directory or kustomization.
    pub is_followed: bool,
    /// Number of Flux Kustomizations built.
    pub kustomizations: usize,
    /// Number of Applications built.
    pub applications: usize,
}

/// An object and the build that it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct MergedObject {
    pub object: Object,
    /// Index of the build in [`Cluster::roots`].
    pub root: usize,
    /// Index of the object in the build.
    pub index: usize,
}

impl Cluster {
    /// Returns the path of the entry point, or `.` for the root.
    pub fn display_entry(&self) -> &str {
        if self.entry.is_empty() { "." } else { &self.entry }
    }
}

impl Root {
    pub fn new(owner: impl Into<String>, build: Build, artifact: Arc<Artifact>) -> Self {
        Self { owner: owner.into(), build, artifact, missing_sources: BTreeSet::new() }
    }
}
