//! Entry points: the paths from which a cluster receives all its objects.

use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::artifact::Artifact;
use super::closure::Closure;
use super::flux::{FluxKustomization, is_kustomization, is_of_group};
use super::object::{Object, ObjectId, identity, items, read_objects, text, text_at};
use super::path::{ancestors, can_be_deployed, clamp_to_root, file_name, is_manifest, parent, strip_directory};
use super::roots::{has_kustomization, has_lead, leads_elsewhere, roots};
use super::sources::{BOOTSTRAP, Remotes, is_other_revision};
use super::tree::RepositoryTree;
use crate::input::kustomize::FILES;

/// Entry points in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entries {
    /// No entry point, because no object in the path leads to another path.
    Nothing,
    /// The path itself, which is an entry point or part of one.
    Itself,
    /// Paths of the entry points below the directory.
    Below(Vec<String>),
}

/// Objects in the manifests of a directory.
#[derive(Default)]
struct Scan {
    /// Objects that lead to other paths, each with its file.
    lead_objects: Vec<(String, Object)>,
    /// Objects that define Flux sources, each with its kind, namespace and name.
    sources: Vec<(ObjectId, Object)>,
    /// Whether a Kustomization uses the source that `flux bootstrap` creates, which may be missing.
    uses_bootstrap: bool,
}

/// Returns the entry points in a directory.
///
/// A directory is an entry point if it contains the Flux Kustomization that applies it. If there is no such directory,
/// the entry points are the kustomizations and directories that contain Kustomizations or Applications and that no
/// other entry point applies. A directory other than the root is also an entry point if Flux can apply it as a whole.
pub fn entries(tree: &RepositoryTree, remotes: &Remotes, path: &str) -> Entries {
    if !tree.is_directory(path) {
        let is_lead = tree.text(path).is_some_and(|text| has_lead(&text));
        return if is_lead || FILES.contains(&file_name(path)) { Entries::Itself } else { Entries::Nothing };
    }
    let scan = Scan::new(tree, path);
    if scan.lead_objects.is_empty() {
        return if leads_elsewhere(tree, path) { Entries::Itself } else { Entries::Nothing };
    }
    let mut own_entries = BTreeSet::new();
    let mut other_leads = Vec::new();
    let lead_directories = LazyCell::new(|| LeadDirectories::new(tree, path, &scan.lead_objects));
    for (file, object) in &scan.lead_objects {
        // A Kustomization may be next to the files that it applies even if another Kustomization, or none, applies it.
        let is_own = |directory: &String| {
            let is_listed_below = || {
                lead_directories
                    .directories(file)
                    .all(|lead_directory| strip_directory(lead_directory, directory).is_some())
            };
            !is_kustomization(object) || !lead_directories.unlisted_files.contains(file.as_str()) && is_listed_below()
        };
        match scan.applied_directory(tree, remotes, object, file).filter(is_own) {
            Some(entry) => drop(own_entries.insert(entry)),
            None => other_leads.push((file.as_str(), object)),
        }
    }
    let entry_points = if own_entries.is_empty() {
        top_directories(tree, (&scan, remotes), &lead_directories, &other_leads)
    } else {
        own_entries
    };
    let is_itself = entry_points.iter().any(|entry| strip_directory(path, entry).is_some());
    match is_itself || (other_leads.len() == scan.lead_objects.len() && is_applied_whole(tree, path, &other_leads)) {
        true => Entries::Itself,
        false if entry_points.is_empty() => Entries::Nothing,
        false => Entries::Below(entry_points.into_iter().collect()),
    }
}

/// Whether Flux can apply a directory other than the root with everything below it. Flux cannot apply the directories
/// of two clusters together, because they usually contain Kustomizations with the same names.
fn is_applied_whole(tree: &RepositoryTree, directory: &str, leads: &[(&str, &Object)]) -> bool {
    let mut ids = BTreeSet::new();
    let is_flux = leads.iter().all(|(_, object)| !is_of_group(object, "argoproj.io"));
    is_flux
        && !directory.is_empty()
        && !has_kustomization(tree, directory)
        && leads.iter().all(|(_, object)| ids.insert(identity(object)))
}

impl Scan {
    fn new(tree: &RepositoryTree, directory: &str) -> Self {
        let mut scan = Self::default();
        let files =
            tree.entries_below(directory).map(|(path, _)| path).filter(|path| is_manifest(path) && tree.is_file(path));
        for file in files.filter(|path| can_be_deployed(path, directory)) {
            let Some(text) = tree.text(file) else { continue };
            let defines_source = text.contains("source.toolkit.fluxcd.io/");
            if !defines_source && !has_lead(&text) {
                continue;
            }
            for object in read_objects(&text).unwrap_or_default() {
                if is_of_group(&object, "source.toolkit.fluxcd.io") {
                    scan.sources.push((identity(&object), object));
                } else if !target_patterns(&object).is_empty() {
                    scan.uses_bootstrap |= text_at(&object, &["spec", "sourceRef", "name"]) == BOOTSTRAP;
                    scan.lead_objects.push((file.to_owned(), object));
                }
            }
        }
        scan
    }

    /// Returns the directory that a FluxInstance syncs, or the directory that a Flux Kustomization applies if the
    /// Kustomization's own file is in or below this directory.
    fn applied_directory(
        &self,
        tree: &RepositoryTree,
        remotes: &Remotes,
        object: &Object,
        file: &str,
    ) -> Option<String> {
        if text(object, "kind") == "FluxInstance" {
            let sync = object.get("spec")?.get("sync")?;
            let is_own =
                text(sync, "kind") == "GitRepository" && (remotes.is_empty() || remotes.contains(text(sync, "url")));
            let path = clamp_to_root(text(sync, "path"));
            return Some(path).filter(|path| tree.is_directory(path) && (is_own || !path.is_empty()));
        }
        let kustomization = Some(object).filter(|object| is_kustomization(object)).map(FluxKustomization::new)?;
        let is_foreign = self.has_other_source(remotes, &kustomization);
        let mut directory = parent(file);
        if is_missing_directory(tree, &kustomization) {
            return Some(directory.strip_suffix(BOOTSTRAP)?.strip_suffix('/')?.to_owned());
        }
        while applied_root(tree, &kustomization, directory, is_foreign).is_none() {
            if directory.is_empty() {
                return None;
            }
            directory = parent(directory);
        }
        Some(directory.to_owned())
    }

    /// Whether the source of a Kustomization is defined with a different address than this repository's, or with a
    /// different revision than the source that `flux bootstrap` creates.
    fn has_other_source(&self, remotes: &Remotes, kustomization: &FluxKustomization) -> bool {
        let source = kustomization.source();
        let mut defined_sources = self.sources.iter().filter(|(id, _)| {
            let is_same_namespace =
                id.namespace == source.namespace || id.namespace.is_empty() || source.namespace.is_empty();
            id.kind == source.kind && id.name == source.name && is_same_namespace
        });
        defined_sources.next().is_some_and(|(id, object)| {
            !remotes.contains(text_at(object, &["spec", "url"]))
                || (id.name != BOOTSTRAP && self.is_other_revision(object))
        })
    }

    /// Whether a source fetches a different revision than every source that `flux bootstrap` creates. Returns false if
    /// no such source is used.
    fn is_other_revision(&self, source: &Object) -> bool {
        let bootstrap = self.sources.iter().filter(|(id, _)| id.name == BOOTSTRAP);
        self.uses_bootstrap && is_other_revision(source, bootstrap.map(|(_, source)| source))
    }

    /// Whether a Kustomization applies directories from another repository. A path other than the root is assumed to be
    /// in this repository, because addresses differ in mirrors and forks.
    fn is_foreign(&self, remotes: &Remotes, object: &Object) -> bool {
        let Some(kustomization) = is_kustomization(object).then(|| FluxKustomization::new(object)) else {
            return false;
        };
        let is_root = kustomization.path().is_empty() && kustomization.source().name != BOOTSTRAP;
        !can_be_from_here(&kustomization) || (is_root && self.has_other_source(remotes, &kustomization))
    }
}

/// Whether a Kustomization was created by `flux bootstrap` but applies a directory that does not exist.
fn is_missing_directory(tree: &RepositoryTree, kustomization: &FluxKustomization) -> bool {
    let suffix = format!("/{}", kustomization.path());
    let is_own = kustomization.id.name == BOOTSTRAP && kustomization.source().name == BOOTSTRAP;
    is_own && !tree.is_directory(&kustomization.path()) && !tree.entries().any(|(path, _)| path.ends_with(&suffix))
}

/// Whether the source of a Kustomization can be this repository. An ExternalArtifact or a Bucket may have different
/// paths.
fn can_be_from_here(kustomization: &FluxKustomization) -> bool {
    let source = kustomization.source();
    source.kind == "GitRepository" || (source.kind == "OCIRepository" && source.name == BOOTSTRAP)
}

/// Returns the root of the artifact of a Kustomization that applies a directory, or `None` if the Kustomization does
/// not apply that directory. `is_foreign` is true if the Kustomization's source is defined with a different address
/// than this repository's.
pub fn applied_root(
    tree: &RepositoryTree,
    kustomization: &FluxKustomization,
    directory: &str,
    is_foreign: bool,
) -> Option<String> {
    if !can_be_from_here(kustomization) || kustomization.reason_to_skip().is_some() {
        return None;
    }
    let is_bootstrap = kustomization.source().name == BOOTSTRAP;
    match kustomization.path().as_str() {
        "" => (directory.is_empty() && !is_foreign).then(String::new),
        path if path == directory => Some(String::new()),
        path => {
            // If the path does not exist in the repository, the artifact may be a part of the repository.
            let root = directory.strip_suffix(path)?.strip_suffix('/')?;
            (!tree.is_directory(path) && (is_bootstrap || !is_foreign)).then(|| root.to_owned())
        }
    }
}

/// Directories of a repository by the last component of their paths.
struct DirectoryNames<'t> {
    tree: &'t RepositoryTree,
    names: BTreeMap<&'t str, Vec<&'t str>>,
}

impl<'t> DirectoryNames<'t> {
    fn new(tree: &'t RepositoryTree) -> Self {
        let mut names: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (path, _) in tree.entries().filter(|(path, _)| tree.is_directory(path)) {
            names.entry(file_name(path)).or_default().push(path);
        }
        Self { tree, names }
    }

    /// Returns the directory that a path leads to: the path itself if it exists, or else the only directory whose path
    /// ends with it, because the artifact may be a part of the repository. If there is no such directory, returns the
    /// path unchanged.
    fn existing_directory(&self, path: String) -> String {
        let suffix = format!("/{path}");
        let same_named_directories = self.names.get(file_name(&path)).filter(|_| !self.tree.is_directory(&path));
        let mut matching_directories =
            same_named_directories.into_iter().flatten().filter(|directory| directory.ends_with(&suffix));
        match (matching_directories.next(), matching_directories.next()) {
            (Some(only), None) => (*only).to_owned(),
            _ => path,
        }
    }
}

/// Maximum number of kustomizations to search for files that lead to other paths.
const MAX_ROOTS: usize = 1_000;

/// Directories of the files that contain leads (objects that point to other paths). For each file, these are the
/// kustomizations that include it and that no other kustomization lists or, if there are none, its own directory. A
/// file in a base that the base does not list has none.
struct LeadDirectories<'f> {
    directories: BTreeMap<&'f str, Vec<String>>,
    /// Files that no kustomization includes, even though their directory contains a kustomization.
    unlisted_files: BTreeSet<&'f str>,
}

impl<'f> LeadDirectories<'f> {
    fn new(tree: &RepositoryTree, directory: &str, leads: &'f [(String, Object)]) -> Self {
        let artifact = Artifact::from_checkout(tree);
        let files = leads.iter().map(|(file, _)| (file.as_str(), Vec::new()));
        let mut lead_directories = Self { directories: files.collect(), unlisted_files: BTreeSet::new() };
        let roots = roots(tree, &artifact, directory);
        let has_all = roots.len() <= MAX_ROOTS;
        for root in roots.iter().take(MAX_ROOTS) {
            for file in Closure::new(tree, &artifact, root, None).files.values() {
                lead_directories
                    .directories
                    .get_mut(file.as_str())
                    .into_iter()
                    .for_each(|directories| directories.push(root.clone()));
            }
        }
        for (file, directories) in
            lead_directories.directories.iter_mut().filter(|(_, directories)| directories.is_empty())
        {
            let directory = parent(file);
            let is_unlisted = has_all && has_kustomization(tree, directory);
            if is_unlisted {
                lead_directories.unlisted_files.insert(*file);
            }
            // The kustomization of a base, which another one includes, is not built on its own.
            if !is_unlisted || roots.iter().any(|root| root == directory) {
                directories.push(directory.to_owned());
            }
        }
        lead_directories
    }

    fn directories(&self, file: &str) -> impl Iterator<Item = &str> {
        self.directories.get(file).into_iter().flatten().map(String::as_str)
    }
}

/// Returns the directories that contain leads (objects that point to other paths), except those that a lead in another
/// directory points to.
fn top_directories(
    tree: &RepositoryTree,
    (scan, remotes): (&Scan, &Remotes),
    lead_directories: &LeadDirectories<'_>,
    leads: &[(&str, &Object)],
) -> BTreeSet<String> {
    let files: BTreeSet<_> = leads.iter().map(|(file, _)| *file).collect();
    let mut appliers_by_path: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    let own_leads: Vec<_> = leads.iter().filter(|(_, object)| !scan.is_foreign(remotes, object)).collect();
    let directories = DirectoryNames::new(tree);
    for (file, object) in &own_leads {
        for target in target_patterns(object) {
            appliers_by_path
                .entry(directories.existing_directory(target))
                .or_default()
                .extend(lead_directories.directories(file));
        }
    }
    // For each path, two directories with leads to it are sufficient, because at least one of them differs from any
    // given directory.
    let appliers_of = |path: &str| -> BTreeSet<&str> {
        let appliers = ancestors(path).filter_map(|path| appliers_by_path.get(path));
        appliers.flat_map(|appliers| appliers.iter().take(2).copied()).collect()
    };
    let mut free_directories: BTreeMap<&str, bool> = BTreeMap::new();
    for file in &files {
        let file_appliers = appliers_of(file);
        for directory in lead_directories.directories(file) {
            let is_applied_elsewhere = file_appliers.iter().any(|applier| *applier != directory);
            let is_directory_free = free_directories
                .entry(directory)
                .or_insert_with(|| appliers_of(directory).iter().all(|applier| *applier == directory));
            *is_directory_free &= !is_applied_elsewhere;
        }
    }
    let mut top_directories: BTreeSet<_> =
        free_directories.iter().filter(|(_, is_free)| **is_free).map(|(directory, _)| *directory).collect();
    if top_directories.is_empty() {
        // If directories apply one another, the directory that applies itself is the entry point.
        let applies_itself = |directory: &&str| {
            ancestors(directory).any(|path| appliers_by_path.get(path).is_some_and(|known| known.contains(directory)))
        };
        top_directories = free_directories.keys().copied().filter(applies_itself).collect();
    }
    // Kustomizations with another repository as their source are entry points only if there are no other entry points.
    let own_directories: BTreeSet<_> =
        own_leads.iter().flat_map(|(file, _)| lead_directories.directories(file)).collect();
    let is_own = |directory: &&str| own_directories.contains(directory);
    let own_entries: BTreeSet<_> = top_directories.iter().copied().filter(is_own).collect();
    let top_directories = if own_entries.is_empty() { top_directories } else { own_entries };
    // Flux applies everything below a directory without a kustomization.
    let is_flux = |object: &Object| !is_of_group(object, "argoproj.io");
    let flux_directories: BTreeSet<_> = leads
        .iter()
        .filter(|(_, object)| is_flux(object))
        .flat_map(|(file, _)| lead_directories.directories(file))
        .collect();
    let is_applied_whole = |directory: &str| {
        top_directories.contains(directory)
            && flux_directories.contains(directory)
            && !has_kustomization(tree, directory)
    };
    let is_below_whole = |directory: &str| ancestors(directory).skip(1).any(is_applied_whole);
    top_directories
        .iter()
        .filter(|directory| !is_below_whole(directory))
        .map(|directory| (*directory).to_owned())
        .collect()
}

/// Returns the paths that an object leads to. An ApplicationSet's path pattern is truncated before its first wildcard.
fn target_patterns(object: &Object) -> Vec<String> {
    let spec = object.get("spec");
    let Some(spec) = spec else { return Vec::new() };
    match text(object, "kind") {
        "Kustomization" if is_kustomization(object) => vec![FluxKustomization::new(object).path()],
        "FluxInstance" if spec.get("sync").is_some() => vec![clamp_to_root(text_at(spec, &["sync", "path"]))],
        "Application" if is_of_group(object, "argoproj.io") => {
            let sources = spec.get("source").into_iter().chain(items(spec, "sources"));
            sources
                .filter(|source| source.get("path").is_some())
                .map(|source| clamp_to_root(text(source, "path")))
                .collect()
        }
        "ApplicationSet" if is_of_group(object, "argoproj.io") => {
            let mut prefixes = vec![UNKNOWN_SEGMENT.to_owned()];
            for_each_path(spec, &mut |path| {
                let end = path.find(['*', '{', '?', '[']).unwrap_or(path.len());
                let prefix = path.get(..end).unwrap_or_default();
                prefixes.extend(
                    prefix
                        .rsplit_once('/')
                        .map(|(prefix, _)| clamp_to_root(prefix))
                        .filter(|prefix| !prefix.is_empty()),
                );
            });
            prefixes
        }
        _ => Vec::new(),
    }
}
/// Path that matches no file. Used for objects whose paths are not known yet.
const UNKNOWN_SEGMENT: &str = "?";

/// Calls `visit` for each field with the name `path`.
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

    fn find_entries(files: &[(&str, String)]) -> Entries {
        find_entries_in(files, "")
    }

    /// Returns the entry points of a repository with the remotes in its `.git/config`.
    fn find_entries_in(files: &[(&str, String)], directory: &str) -> Entries {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let tree = RepositoryTree::read(folder.path(), &TreeLimits::default()).unwrap();
        entries(&tree, &Remotes::read(folder.path()), directory)
    }

    fn entries_below(paths: &[&str]) -> Entries {
        Entries::Below(paths.iter().map(|&path| path.to_owned()).collect())
    }

    #[test]
    fn kustomizations_next_to_their_files_are_not_entry_points() {
        let source = "sourceRef: {kind: GitRepository, name: flux-system}";
        for (parent, has_resources) in [
            ("resources: [one/ks.yaml]", "[a.yaml]"),
            ("resources: [one/ks.yaml]", "[a.yaml, ks.yaml]"),
            ("resources: []", "[a.yaml]"),
        ] {
            let files = [
                ("cluster/ks.yaml", kustomization("./apps", source)),
                ("apps/kustomization.yaml", parent.to_owned()),
                ("apps/one/ks.yaml", kustomization("./apps/one", source)),
                ("apps/one/kustomization.yaml", format!("resources: {has_resources}\n")),
                ("apps/one/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n".to_owned()),
            ];
            assert_eq!(find_entries(&files), entries_below(&["cluster"]), "{parent} {has_resources}");
        }
    }

    #[test]
    fn directories_that_apply_themselves_are_entry_points() {
        let clusters = [
            ("clusters/a/sync.yaml", kustomization("./clusters/a", SOURCE)),
            ("clusters/b/flux/sync.yaml", kustomization("./clusters/b", SOURCE)),
            ("clusters/b/apps.yaml", kustomization("./apps", SOURCE)),
        ];
        assert_eq!(find_entries(&clusters), entries_below(&["clusters/a", "clusters/b"]));
    }

    /// The directory `a` applies itself, but `b` applies it as well.
    #[test]
    fn applied_directories_are_not_entry_points() {
        let clusters = [("a/sync.yaml", application("a")), ("b/clusters.yaml", application("a"))];
        assert_eq!(find_entries(&clusters), entries_below(&["b"]));
    }

    #[test]
    fn examples_are_not_entry_points() {
        let example = ("examples/argocd/app.yaml", application("apps"));
        assert_eq!(find_entries(std::slice::from_ref(&example)), Entries::Nothing);
        assert_eq!(find_entries_in(&[example], "examples"), entries_below(&["examples/argocd"]));
    }

    #[test]
    fn ignores_sources_outside_the_repository() {
        let artifact = "sourceRef: {kind: ExternalArtifact, name: apps}";
        let manifests = "sourceRef: {kind: OCIRepository, name: flux-manifests}";
        let files = [
            ("clusters/staging/apps.yaml", kustomization("./staging", artifact)),
            ("clusters/staging/flux.yaml", kustomization("./", manifests)),
            (".archive/old/sync.yaml", kustomization("./.archive/old", SOURCE)),
        ];
        assert_eq!(find_entries(&files), entries_below(&["clusters/staging"]));
    }

    #[test]
    fn ignores_roots_of_other_repositories() {
        let other_repository = "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: other}\nspec: {url: \
                     'https://example.com/other'}\n---\n";
        let files = [
            ("main/a.yaml", kustomization("./apps", SOURCE)),
            (
                "apps/b.yaml",
                format!("{other_repository}{}", kustomization("./", "sourceRef: {kind: GitRepository, name: other}")),
            ),
        ];
        assert_eq!(find_entries(&files), entries_below(&["main"]));
    }

    #[test]
    fn roots_of_other_branches_are_not_entry_points() {
        let url = "https://example.com/fleet";
        let repository = |name: &str, branch: &str| {
            format!(
                "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {{name: {name}}}\nspec: {{url: \
                 '{url}', ref: {{branch: {branch}}}}}\n---\n"
            )
        };
        let team_source = "sourceRef: {kind: GitRepository, name: team}";
        let git_config = (".git/config", format!("[remote \"origin\"]\n\turl = {url}\n"));
        let apps_file = ("cluster/apps.yaml", kustomization("./apps", SOURCE));
        let sync_file = ("cluster/sync.yaml", repository("flux-system", "main") + &kustomization("./cluster", SOURCE));
        let team_repository =
            |branch: &str| ("apps/team.yaml", repository("team", branch) + &kustomization("./", team_source));
        let find = |files: &[(&str, String)]| find_entries_in(&[files, std::slice::from_ref(&git_config)].concat(), "");
        assert_eq!(find(&[apps_file.clone(), team_repository("team")]), entries_below(&["cluster"]));
        assert_eq!(find(&[apps_file.clone(), sync_file.clone(), team_repository("team")]), entries_below(&["cluster"]));
        assert_eq!(find(&[apps_file, sync_file, team_repository("main")]), Entries::Itself);
    }

    #[test]
    fn roots_that_a_flux_instance_syncs_from_elsewhere_are_not_entry_points() {
        let instance = |kind: &str, url: &str, path: &str| {
            format!(
                "apiVersion: fluxcd.controlplane.io/v1\nkind: FluxInstance\nmetadata: {{name: flux}}\nspec: {{sync: {{kind: \
                 {kind}, url: '{url}', path: {path}}}}}\n"
            )
        };
        let own = "https://example.com/fleet";
        for (kind, url, path, expected) in [
            ("GitRepository", own, "./", Entries::Itself),
            ("GitRepository", "https://example.com/other", "./", entries_below(&["cluster"])),
            ("OCIRepository", "oci://example.com/fleet", "./", entries_below(&["cluster"])),
            ("OCIRepository", "oci://example.com/fleet", "cluster", entries_below(&["cluster"])),
        ] {
            let files = [
                (".git/config", format!("[remote \"origin\"]\n\turl = {own}\n")),
                ("cluster/instance.yaml", instance(kind, url, path)),
                ("cluster/apps.yaml", kustomization("./apps", SOURCE)),
            ];
            assert_eq!(find_entries(&files), expected, "{kind} {url} {path}");
        }
    }

    #[test]
    fn files_are_entry_points_only_if_they_lead_to_other_paths() {
        let files = [("app.yaml", application("apps")), ("monitor.yaml", "kind: ServiceMonitor\n".to_owned())];
        assert_eq!(find_entries_in(&files, "app.yaml"), Entries::Itself);
        assert_eq!(find_entries_in(&files, "monitor.yaml"), Entries::Nothing);
    }

    #[test]
    fn unlisted_files_do_not_turn_bases_into_entry_points() {
        let list = |path: &str| format!("kind: Kustomization\nresources: [{path}]\n");
        let files = [
            ("base/kustomization.yaml", list("app.yaml")),
            ("base/app.yaml", application("apps")),
            ("base/unused.yaml", application("apps")),
            ("overlay/kustomization.yaml", list("../base")),
        ];
        assert_eq!(find_entries(&files), entries_below(&["overlay"]));
    }

    #[test]
    fn entry_points_are_the_outermost_kustomizations() {
        let list = |path: &str| format!("kind: Kustomization\nresources: [{path}]\n");
        let files = [
            ("argo/base/app.yaml", application("apps/shop")),
            ("argo/base/kustomization.yaml", list("app.yaml")),
            ("argo/overlays/production/kustomization.yaml", list("../../base")),
            ("apps/shop/nested.yaml", application("apps/other")),
        ];
        assert_eq!(find_entries(&files), entries_below(&["argo/overlays/production"]));
        let own_applications =
            [("argo/apps/root.yaml", application("argo/apps")), ("argo/apps/shop.yaml", application("shop"))];
        assert_eq!(find_entries(&own_applications), entries_below(&["argo/apps"]));
        assert_eq!(find_entries(&[("a.yaml", "kind: ConfigMap\n".to_owned())]), Entries::Nothing);
    }

    #[test]
    fn entry_points_include_their_subdirectories() {
        let named_kustomization =
            |path: &str, name: &str| kustomization(path, SOURCE).replace("name: x", &format!("name: {name}"));
        let production = [
            ("clusters/production/apps.yaml", named_kustomization("./apps", "apps")),
            ("clusters/production/infra/infra.yaml", named_kustomization("./infra", "infra")),
            ("infra/a.yaml", "kind: ConfigMap\n".to_owned()),
        ];
        assert_eq!(find_entries(&production), entries_below(&["clusters/production"]));
        let parts = [
            ("production/apps/apps.yaml", named_kustomization("./apps", "apps")),
            ("production/infra/infra.yaml", named_kustomization("./infra", "infra")),
            ("apps/a.yaml", "kind: ConfigMap\n".to_owned()),
            ("infra/a.yaml", "kind: ConfigMap\n".to_owned()),
        ];
        assert_eq!(find_entries_in(&parts, "production"), Entries::Itself);
        let clusters = [
            ("clusters/a/apps.yaml", named_kustomization("./apps", "apps")),
            ("clusters/b/apps.yaml", named_kustomization("./apps", "apps")),
        ];
        assert_eq!(find_entries_in(&clusters, "clusters"), entries_below(&["clusters/a", "clusters/b"]));
    }

    #[test]
    fn artifacts_may_contain_part_of_the_repository() {
        let artifact = "sourceRef: {kind: ExternalArtifact, name: shop}";
        let files = [
            (
                "k8s/clusters/a/cluster.yaml",
                kustomization("./apps/a", "sourceRef: {kind: OCIRepository, name: flux-system}"),
            ),
            ("k8s/apps/a/kustomization.yaml", "resources: [../base/shop/ks.yaml]\n".to_owned()),
            ("k8s/apps/base/shop/ks.yaml", kustomization("./shop", artifact)),
            ("k8s/apps/base/unused/ks.yaml", kustomization("./unused", artifact)),
        ];
        assert_eq!(find_entries(&files), entries_below(&["k8s/clusters/a"]));
    }

    #[test]
    fn takes_linear_time_for_many_directories() {
        let files: Vec<_> = (0..2_000).map(|i| (format!("d{i}/a.yaml"), application(&format!("d{}", i + 1)))).collect();
        let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.clone())).collect();
        assert_eq!(find_entries(&files), entries_below(&["d0"]));
    }
}
