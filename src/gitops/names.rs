//! Names of the clusters of a repository.

use std::path::{Path, PathBuf};

use super::entry::{Entries, entries};
use super::location::{Location, locate};
use super::sources::Remotes;
use super::tree::{RepositoryTree, TreeLimits};
use crate::diagnostic::EnvironmentError;
use crate::diagnostic::listed::first_of;
use crate::input::{Input, display_path};

/// A cluster with its entry point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedCluster {
    /// Distinguishing part of the entry point's path, such as `production`.
    pub name: String,
    pub path: PathBuf,
}

/// Returns the clusters that have the given entry points.
pub fn name_clusters(tree: &RepositoryTree, entries: &[String]) -> Vec<NamedCluster> {
    let path = |entry: &String| PathBuf::from(display_path(&tree.root().join(entry)));
    distinct_names(entries)
        .into_iter()
        .zip(entries)
        .map(|(name, entry)| NamedCluster { name, path: path(entry) })
        .collect()
}

/// Maximum number of clusters that a message names.
const MAX_SHOWN_CLUSTERS: usize = 10;

/// Returns the error for several clusters in inputs that are read together.
pub fn several_clusters(inputs: &[Input], clusters: &[NamedCluster]) -> EnvironmentError {
    let names = first_of(MAX_SHOWN_CLUSTERS, clusters.iter().map(|cluster| cluster.name.as_str()));
    let remedy = format!("several clusters: pass one of {names}, or `--no-follow`");
    match inputs {
        [input] => {
            EnvironmentError::invalid_content(input.path().unwrap_or(Path::new(".")), format!("it contains {remedy}"))
        }
        _ => EnvironmentError::Other(format!("the inputs contain {remedy}")),
    }
}

/// Returns the entry point of a cluster in the repository that contains the working directory, or `None` if no cluster
/// has this name.
pub fn cluster_named(name: &str) -> Option<PathBuf> {
    let Location { root, .. } = locate(Path::new(".")).ok()?;
    let tree = RepositoryTree::read(&root, &TreeLimits::default()).ok()?;
    // The name is checked first, because searching for entry points reads all manifests.
    let mut directories = tree.entries().map(|(path, _)| path).filter(|path| tree.is_directory(path));
    if !directories.any(|path| path.ends_with(name) || path.contains(&format!("{name}/"))) {
        return None;
    }
    let Entries::Below(entries) = entries(&tree, &Remotes::read(&root), "") else {
        return None;
    };
    name_clusters(&tree, &entries).into_iter().find(|cluster| cluster.name == name).map(|cluster| cluster.path)
}

/// Returns a name for each path: the path without the leading and trailing directories that all paths share. The paths
/// must be distinct.
fn distinct_names(paths: &[String]) -> Vec<String> {
    let paths: Vec<Vec<_>> = paths.iter().map(|path| path.split('/').collect()).collect();
    let shortest = paths.iter().map(Vec::len).min().unwrap_or_default();
    let is_shared = |part: &dyn for<'p> Fn(&'p [&'p str]) -> Option<&'p &'p str>| {
        let mut parts = paths.iter().map(|path| part(path));
        let first_segment = parts.next().flatten();
        parts.all(|part| part == first_segment)
    };
    let shared_before = (0..shortest).take_while(|at| is_shared(&|path| path.get(*at))).count();
    let shared_after = (0..shortest - shared_before.min(shortest))
        .take_while(|at| is_shared(&|path| path.len().checked_sub(at + 1).and_then(|at| path.get(at))))
        .count();
    // A shared directory is kept if a name would otherwise be empty, because one path can be a prefix or suffix of
    // another.
    let suffix_length = if paths.iter().any(|path| path.len() == shared_before + shared_after) {
        shared_after.saturating_sub(1)
    } else {
        shared_after
    };
    let prefix_length = if paths.iter().any(|path| path.len() == shared_before + suffix_length) {
        shared_before.saturating_sub(1)
    } else {
        shared_before
    };
    let name = |path: &Vec<&str>| path.get(prefix_length..path.len() - suffix_length).unwrap_or_default().join("/");
    paths.iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_are_named_by_differing_path_segments() {
        for (paths, expected) in [
            (&["clusters/production", "clusters/staging"][..], &["production", "staging"][..]),
            (&["clusters/eu/production", "clusters/us/production"], &["eu", "us"]),
            (&["k8s/a/flux", "k8s/b/c/flux"], &["a", "b/c"]),
            (&["a", "b"], &["a", "b"]),
            (&["clusters", "clusters/a"], &["clusters", "clusters/a"]),
            (&["a", "x/a"], &["a", "x/a"]),
            (&["x/a", "x/y/a"], &["a", "y/a"]),
            (&["x/x", "x/x/x"], &["x", "x/x"]),
        ] {
            let paths: Vec<_> = paths.iter().map(|&path| path.to_owned()).collect();
            assert_eq!(distinct_names(&paths), expected, "{paths:?}");
        }
    }
}
