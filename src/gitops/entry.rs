//! Finds entry points: the paths from which a cluster receives everything.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::artifact::Artifact;
use super::closure::Closure;
use super::flux::{FluxKustomization, is_kustomization, is_of_group};
use super::object::{Object, ObjectId, identity, items, read_objects, text, text_at};
use super::path::{below, clamped, is_manifest, parent};
use super::roots::{leads, leads_elsewhere, roots};
use super::sources::Remotes;
use super::tree::RepositoryTree;

/// Entry points in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entries {
    /// The path leads to no other path.
    Nothing,
    /// The path is an entry point, or a part of one.
    Itself,
    /// Paths of the entry points below the directory.
    Below(Vec<String>),
}

/// An object that leads to other paths.
struct Lead {
    /// File that contains it.
    file: String,
    /// Directories of the kustomizations that include the file and that no other kustomization lists, or else the
    /// directory of the file.
    homes: BTreeSet<String>,
    /// Paths that it leads to.
    targets: Vec<String>,
}

/// Objects in the manifests of a directory.
#[derive(Default)]
struct Scan {
    /// Objects that lead to other paths, with their files.
    leads: Vec<(String, Object)>,
    /// Addresses of the sources that are defined.
    sources: BTreeMap<ObjectId, String>,
}

/// Returns the entry points in a directory.
///
/// A directory is an entry point if it contains the Flux Kustomization that applies it. If there are none, the
/// kustomizations and directories with Kustomizations and Applications that no other one applies are entry points.
pub fn entries(tree: &RepositoryTree, remotes: &Remotes, path: &str) -> Entries {
    if !tree.is_directory(path) {
        return Entries::Itself;
    }
    let scan = Scan::new(tree, path);
    if scan.leads.is_empty() {
        return if leads_elsewhere(tree, path) { Entries::Itself } else { Entries::Nothing };
    }
    let mut own = BTreeSet::new();
    let mut others = Vec::new();
    for (file, object) in &scan.leads {
        match scan.applied(tree, remotes, object, file) {
            Some(entry) => drop(own.insert(entry)),
            None => others.push((file, object)),
        }
    }
    let found = if own.is_empty() { unproduced(tree, path, &others) } else { own };
    match found.iter().any(|entry| below(path, entry).is_some()) {
        true => Entries::Itself,
        false if found.is_empty() => Entries::Nothing,
        false => Entries::Below(found.into_iter().collect()),
    }
}

impl Scan {
    fn new(tree: &RepositoryTree, directory: &str) -> Self {
        let mut scan = Self::default();
        let files = tree.below(directory).map(|(path, _)| path).filter(|path| is_manifest(path) && tree.is_file(path));
        let is_hidden = |path: &str| below(path, directory).is_some_and(|path| format!("/{path}").contains("/."));
        for file in files.filter(|path| !is_hidden(path)) {
            let Some(text) = tree.text(file) else { continue };
            let defines_source = text.contains("source.toolkit.fluxcd.io/");
            if !defines_source && !leads(&text) {
                continue;
            }
            for object in read_objects(&text).unwrap_or_default() {
                if is_of_group(&object, "source.toolkit.fluxcd.io") {
                    scan.sources.insert(identity(&object), text_at(&object, &["spec", "url"]).to_owned());
                } else if !targets(&object).is_empty() {
                    scan.leads.push((file.to_owned(), object));
                }
            }
        }
        scan
    }

    /// Returns the directory that an object of Flux applies if the object is in that directory, or makes a Kustomization
    /// for it.
    fn applied(&self, tree: &RepositoryTree, remotes: &Remotes, object: &Object, file: &str) -> Option<String> {
        if text(object, "kind") == "FluxInstance" {
            let sync = object.get("spec")?.get("sync")?;
            return Some(clamped(text(sync, "path"))).filter(|path| tree.is_directory(path));
        }
        let one = Some(object).filter(|object| is_kustomization(object)).map(FluxKustomization::new)?;
        let source = one.source();
        let mut defined = self.sources.iter().filter(|(id, _)| {
            let is_same_namespace =
                id.namespace == source.namespace || id.namespace.is_empty() || source.namespace.is_empty();
            id.kind == source.kind && id.name == source.name && is_same_namespace
        });
        let is_foreign = defined.next().is_some_and(|(_, url)| !remotes.contains(url));
        let mut directory = parent(file);
        while applied_root(&one, directory, is_foreign).is_none() {
            if directory.is_empty() {
                return None;
            }
            directory = parent(directory);
        }
        Some(directory.to_owned())
    }
}

/// Returns the root of the artifact of a Kustomization that applies a directory, or `None` if it does not apply it.
/// `is_foreign` says whether its source is defined and has another address than this repository.
pub fn applied_root(one: &FluxKustomization, directory: &str, is_foreign: bool) -> Option<String> {
    let source = one.source();
    // An ExternalArtifact and a Bucket can have other paths than a repository.
    let is_bootstrap = source.name == "flux-system";
    let can_be_this = source.kind == "GitRepository" || (source.kind == "OCIRepository" && is_bootstrap);
    if !can_be_this || one.reason_to_skip().is_some() {
        return None;
    }
    match one.path().as_str() {
        "" => (directory.is_empty() && !is_foreign).then(String::new),
        path if path == directory => Some(String::new()),
        path => {
            let root = directory.strip_suffix(path)?.strip_suffix('/')?;
            (is_bootstrap || !is_foreign).then(|| root.to_owned())
        }
    }
}

/// Returns the directories with leads that no other lead leads to.
fn unproduced(tree: &RepositoryTree, directory: &str, leads: &[(&String, &Object)]) -> BTreeSet<String> {
    if leads.is_empty() {
        return BTreeSet::new();
    }
    let artifact = Artifact::of_checkout(tree);
    let closures: Vec<_> = roots(tree, &artifact, directory)
        .into_iter()
        .map(|root| {
            let files: BTreeSet<_> = Closure::new(tree, &artifact, &root, None).files.into_values().collect();
            (root, files)
        })
        .collect();
    let leads: Vec<_> = leads
        .iter()
        .map(|(file, object)| {
            let including = closures.iter().filter(|(_, files)| files.contains(*file));
            let mut homes: BTreeSet<_> = including.map(|(root, _)| root.clone()).collect();
            if homes.is_empty() {
                homes.insert(parent(file).to_owned());
            }
            Lead { file: (*file).clone(), homes, targets: targets(object) }
        })
        .collect();
    let homes: BTreeSet<_> = leads.iter().flat_map(|lead| &lead.homes).collect();
    let is_applied = |home: &str, lead: &Lead| {
        lead.targets.iter().any(|target| below(home, target).is_some())
            || leads.iter().any(|other| {
                other.homes.contains(home) && lead.targets.iter().any(|target| below(&other.file, target).is_some())
            })
    };
    let made: BTreeMap<&String, BTreeSet<&String>> = homes
        .iter()
        .map(|&home| {
            let of_home = leads.iter().filter(|lead| lead.homes.contains(home));
            let applied =
                homes.iter().copied().filter(|other| of_home.clone().any(|lead| is_applied(other, lead))).collect();
            (home, applied)
        })
        .collect();
    let free =
        homes.iter().filter(|home| made.iter().all(|(other, applied)| other == *home || !applied.contains(*home)));
    let free: BTreeSet<String> = free.map(|home| (*home).clone()).collect();
    if !free.is_empty() {
        return free;
    }
    // Directories that apply each other: the one that applies itself is the entry point.
    let own = homes.iter().filter(|home| made.get(*home).is_some_and(|applied| applied.contains(*home)));
    own.map(|home| (*home).clone()).collect()
}

/// Returns the paths that an object leads to. Those of ApplicationSets are the parts before the first pattern.
fn targets(object: &Object) -> Vec<String> {
    let spec = object.get("spec");
    let Some(spec) = spec else { return Vec::new() };
    match text(object, "kind") {
        "Kustomization" if is_kustomization(object) => vec![FluxKustomization::new(object).path()],
        "FluxInstance" if spec.get("sync").is_some() => vec![clamped(text_at(spec, &["sync", "path"]))],
        "Application" if is_of_group(object, "argoproj.io") => {
            let sources = spec.get("source").into_iter().chain(items(spec, "sources"));
            sources.filter(|source| source.get("path").is_some()).map(|source| clamped(text(source, "path"))).collect()
        }
        "ApplicationSet" if is_of_group(object, "argoproj.io") => {
            let mut prefixes = vec![UNKNOWN.to_owned()];
            for_each_path(spec, &mut |path| {
                let end = path.find(['*', '{', '?', '[']).unwrap_or(path.len());
                let prefix = path.get(..end).unwrap_or_default();
                prefixes.extend(
                    prefix.rsplit_once('/').map(|(prefix, _)| clamped(prefix)).filter(|prefix| !prefix.is_empty()),
                );
            });
            prefixes
        }
        _ => Vec::new(),
    }
}
/// Path of no file, for objects whose paths are not known yet.
const UNKNOWN: &str = "?";

/// Calls `visit` for each field called `path`.
fn for_each_path(value: &Value, visit: &mut dyn FnMut(&str)) {
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                match value {
                    Value::String(path) if key == "path" => visit(path),
                    value => for_each_path(value, visit),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| for_each_path(item, visit)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::gitops::tree::TreeLimits;

    const SOURCE: &str = "sourceRef: {kind: GitRepository, name: flux-system}";

    fn kustomization(path: &str, source: &str) -> String {
        format!(
            "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {{name: x}}\nspec: {{path: {path}, {source}}}\n"
        )
    }

    fn application(path: &str) -> String {
        format!(
            "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {{name: x}}\nspec: {{source: {{path: {path}}}}}\n"
        )
    }

    fn found(files: &[(&str, String)]) -> Entries {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let tree = RepositoryTree::read(folder.path(), &TreeLimits::default()).unwrap();
        entries(&tree, &Remotes::default(), "")
    }

    fn below_of(paths: &[&str]) -> Entries {
        Entries::Below(paths.iter().map(|&path| path.to_owned()).collect())
    }

    #[test]
    fn finds_directories_that_apply_themselves() {
        let clusters = [
            ("clusters/a/sync.yaml", kustomization("./clusters/a", SOURCE)),
            ("clusters/b/flux/sync.yaml", kustomization("./clusters/b", SOURCE)),
            ("clusters/b/apps.yaml", kustomization("./apps", SOURCE)),
        ];
        assert_eq!(found(&clusters), below_of(&["clusters/a", "clusters/b"]));
    }

    #[test]
    fn other_sources_do_not_apply_a_directory() {
        let artifact = "sourceRef: {kind: ExternalArtifact, name: apps}";
        let manifests = "sourceRef: {kind: OCIRepository, name: flux-manifests}";
        let files = [
            ("clusters/staging/apps.yaml", kustomization("./staging", artifact)),
            ("clusters/staging/flux.yaml", kustomization("./", manifests)),
            (".archive/old/sync.yaml", kustomization("./.archive/old", SOURCE)),
        ];
        assert_eq!(found(&files), below_of(&["clusters/staging"]));
    }

    #[test]
    fn applications_start_at_the_kustomization_that_no_other_one_applies() {
        let list = |path: &str| format!("kind: Kustomization\nresources: [{path}]\n");
        let files = [
            ("argo/base/app.yaml", application("apps/shop")),
            ("argo/base/kustomization.yaml", list("app.yaml")),
            ("argo/overlays/production/kustomization.yaml", list("../../base")),
            ("apps/shop/nested.yaml", application("apps/other")),
        ];
        assert_eq!(found(&files), below_of(&["argo/overlays/production"]));
        let own = [("argo/apps/root.yaml", application("argo/apps")), ("argo/apps/shop.yaml", application("shop"))];
        assert_eq!(found(&own), below_of(&["argo/apps"]));
        assert_eq!(found(&[("a.yaml", "kind: ConfigMap\n".to_owned())]), Entries::Nothing);
    }
}
