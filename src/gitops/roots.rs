//! Builds that involve neither Flux nor Argo CD: kustomizations that no other kustomization lists or, if there are
//! none, plain files.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::artifact::{Artifact, PathKind};
use super::closure::Closure;
use super::cluster::{Cluster, Mistake, Root};
use super::failure::Failure;
use super::flux::{Build, BuiltObject, Remote, run_kustomize};
use super::kustomize_build::Restriction;
use super::object::{read_objects, text, text_at};
use super::path::{can_be_deployed, file_name, is_manifest, join, parent, resolve, strip_directory};
use super::skipped::{Reason, SkipKind, Skipped};
use super::tree::{EntryKind, RepositoryTree};
use crate::diagnostic::EnvironmentError;
use crate::input::kustomize::FILES;

/// Prefixes of the API versions of objects that can lead to other paths.
pub(super) const FOLLOWED_GROUPS: [&str; 3] =
    ["kustomize.toolkit.fluxcd.io/", "argoproj.io/", "fluxcd.controlplane.io/"];

/// Whether any file below a directory, or any file that its kustomization includes, contains an object that leads to
/// another path.
pub fn leads_elsewhere(tree: &RepositoryTree, directory: &str) -> bool {
    let artifact = Artifact::from_checkout(tree);
    let closure = Closure::new(tree, &artifact, directory, None);
    let files = tree
        .entries_below(directory)
        .filter(|(path, kind)| matches!(kind, EntryKind::File { .. }) && is_manifest(path));
    let files = files.map(|(path, _)| path).filter(|path| can_be_deployed(path, directory));
    let files = files.chain(closure.files.values().map(String::as_str));
    files.collect::<BTreeSet<_>>().into_iter().any(|path| tree.text(path).is_some_and(|text| has_lead(&text)))
}

/// Whether text contains an object that leads to another path. The text may also be a template.
pub(super) fn has_lead(text: &str) -> bool {
    let versions =
        text.lines().filter_map(|line| line.trim_start_matches(['-', ' ', '{', '"']).strip_prefix("apiVersion"));
    let mut versions = versions.filter(|version| FOLLOWED_GROUPS.iter().any(|lead| version.contains(lead)));
    let kinds = ["Kustomization", "Application", "ApplicationSet", "FluxInstance"];
    let has_kind = || {
        text.lines().any(|line| {
            line.split_once("kind")
                .is_some_and(|(_, kind)| kinds.contains(&kind.trim_matches([':', ' ', '"', '\'', ',', '}', '\r'])))
        })
    };
    versions.next().is_some() && has_kind()
}

/// Whether a directory contains a kustomization.
pub fn has_kustomization(tree: &RepositoryTree, directory: &str) -> bool {
    FILES.iter().any(|name| tree.is_file(&join(directory, name)))
}

/// Builds the roots below the entry point of `cluster`.
///
/// # Errors
///
/// Returns an error if a file cannot be written or kustomize cannot be run.
pub fn build_roots(tree: &RepositoryTree, cluster: &mut Cluster) -> Result<(), EnvironmentError> {
    let artifact = Arc::new(Artifact::from_checkout(tree));
    let entry = cluster.entry.clone();
    let mut roots = roots(tree, &artifact, &entry);
    if artifact.get(&entry) == Some(PathKind::Directory)
        && FILES.iter().any(|name| artifact.get(&join(&entry, name)).is_some())
    {
        roots = vec![entry.clone()];
    }
    if roots.is_empty() {
        add_plain_files(tree, artifact, cluster);
        return Ok(());
    }
    for directory in roots {
        let owner = if directory.is_empty() { ".".to_owned() } else { directory.clone() };
        match run_kustomize(tree, &artifact, &directory, None, Restriction::RootOnly, Remote::Skip) {
            Ok(build) => cluster.roots.push(Root::new(owner, build, Arc::clone(&artifact))),
            Err(Failure::Skipped(reason)) => cluster.skipped.push(Skipped::new(owner, reason)),
            Err(Failure::Mistake { code, reason, cause, .. }) => {
                cluster.mistakes.push(Mistake { code, object: owner, field: String::new(), reason, cause })
            }
            Err(Failure::Environment(error)) => return Err(error),
        }
    }
    Ok(())
}

/// Returns the directories below `entry` with a kustomization that no other kustomization in the repository lists.
/// Components are not roots.
pub fn roots(tree: &RepositoryTree, artifact: &Artifact, entry: &str) -> Vec<String> {
    let mut listed_directories = BTreeSet::new();
    let mut directories = Vec::new();
    for (path, _) in tree.entries().filter(|(path, _)| FILES.contains(&file_name(path)) && tree.is_file(path)) {
        let directory = parent(path);
        let documents = tree.text(path).and_then(|text| read_objects(&text).ok()).unwrap_or_default();
        // A file whose name is that of a kustomization may contain a Flux Kustomization.
        let kustomizations = documents.iter().filter(|object| {
            let version = text(object, "apiVersion");
            version.is_empty() || version.starts_with("kustomize.config.k8s.io/")
        });
        for kustomization in kustomizations {
            let fields = ["resources", "bases", "components"]
                .iter()
                .flat_map(|field| super::object::items(kustomization, field));
            let paths = fields.filter_map(|item| resolve(directory, item.as_str()?));
            listed_directories.extend(paths.filter_map(|path| Some(artifact.follow(&path)?.0)));
            let is_component = text(kustomization, "kind") == "Component";
            if !is_component && strip_directory(directory, entry).is_some() && !directories.contains(&directory) {
                directories.push(directory);
            }
        }
    }
    directories.into_iter().filter(|directory| !listed_directories.contains(*directory)).map(str::to_owned).collect()
}

/// Reads the objects in all files below the entry point.
fn add_plain_files(tree: &RepositoryTree, artifact: Arc<Artifact>, cluster: &mut Cluster) {
    let files: Vec<_> = tree
        .entries_below(&cluster.entry)
        .filter(|(path, kind)| matches!(kind, EntryKind::File { .. }) && is_manifest(path))
        .collect();
    for (path, _) in files {
        let is_hidden = path.split('/').any(|part| part.starts_with('.'));
        let Some(text) = tree.text(path).filter(|_| !is_hidden) else { continue };
        match read_objects(&text) {
            Err(_) => cluster.skipped.push(Skipped::new(path, Reason::new(SkipKind::File, "not valid YAML"))),
            Ok(objects) => {
                let objects = objects.into_iter().filter(|object| !text_at(object, &["metadata", "name"]).is_empty());
                let objects = objects.map(|object| BuiltObject::from_file(object, 0, path));
                let build = Build { objects: objects.collect(), ..Build::default() };
                cluster.roots.push(Root::new(path.to_owned(), build, Arc::clone(&artifact)));
            }
        }
    }
}
