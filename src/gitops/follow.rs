//! Traversal from an entry point to all objects that a cluster receives.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;

use super::argo::{ArgoFollower, directory_build};
use super::artifact::Artifact;
use super::cluster::{Cluster, Mistake, Root};
use super::copied::hide_copies;
use super::entry::applied_root;
use super::failure::Failure;
use super::flux::{
    self, Build, FluxKustomization, Remote, VariableSource, build_directory, is_kustomization, is_of_group,
};
use super::kustomize_build::process_in_parallel;
use super::merge::merge;
use super::object::{Object, ObjectId, identity, namespace, read_objects, text, text_at};
use super::path::{clamp_to_root, is_manifest, join};
use super::skipped::{Reason, SkipKind, Skipped};
use super::source_ignore::SourceIgnore;
use super::sources::{BOOTSTRAP, Remotes, is_other_revision};
use super::tree::{EntryKind, RepositoryTree};
use super::{artifact_generator, roots};
use crate::diagnostic::{Code, EnvironmentError};
use crate::input::{FollowLimits, OwnSource};

/// Options and limits for following an entry point.
#[derive(Clone, Debug, PartialEq)]
pub struct FollowOptions {
    /// Whether to follow objects that lead to other paths.
    pub should_follow: bool,
    /// Whether variables from Secrets are replaced with placeholders, so that no secret value becomes part of another
    /// object.
    pub should_hide_secrets: bool,
    /// Objects that exist in the cluster but not in the repository.
    pub outside_objects: Vec<Object>,
    /// Sources that the user declares to be directories in this repository.
    pub own_sources: Vec<OwnSource>,
    pub limits: FollowLimits,
}

/// A source, and the degree of certainty that it is this repository.
#[derive(Clone)]
enum Source {
    Certain(Arc<Artifact>),
    Guess(Arc<Artifact>),
    Foreign(String),
    /// Source that has not been found yet.
    Unknown(String),
}

/// Maximum nesting depth of ArtifactGenerators that read artifacts of other ArtifactGenerators.
const MAX_COMPOSED_DEPTH: usize = 20;

/// Follows an entry point: a directory or file in the repository.
///
/// # Errors
///
/// Returns an error if a file cannot be read or kustomize cannot be run.
pub fn follow(
    tree: &RepositoryTree,
    remotes: &Remotes,
    entry: &str,
    options: &FollowOptions,
) -> Result<Cluster, EnvironmentError> {
    let mut cluster = Cluster { entry: entry.to_owned(), ..Cluster::default() };
    if tree.is_directory(entry) && !(options.should_follow && roots::leads_elsewhere(tree, entry)) {
        roots::build_roots(tree, &mut cluster)?;
    } else {
        let mut follower = Follower {
            tree,
            remotes,
            options,
            end: Instant::now() + Duration::from_secs(options.limits.max_seconds),
            artifacts: BTreeMap::new(),
            own_source: None,
            composed_sources: BTreeMap::new(),
            depth: 0,
            finished_ids: BTreeSet::new(),
            argo: ArgoFollower::new(tree, remotes),
            cluster,
        };
        follower.build_entry()?;
        let mut first_unhidden_root = follower.hide_copies(0);
        while follower.build_round()? {
            first_unhidden_root = follower.hide_copies(first_unhidden_root);
        }
        cluster = follower.cluster;
        cluster.is_followed = true;
    }
    merge(&mut cluster);
    cluster.skipped.sort();
    cluster.skipped.dedup();
    cluster.mistakes.sort();
    cluster.mistakes.dedup();
    Ok(cluster)
}

struct Follower<'a> {
    tree: &'a RepositoryTree,
    remotes: &'a Remotes,
    options: &'a FollowOptions,
    end: Instant,
    /// Artifacts built from this repository, by root and `spec.ignore`.
    artifacts: BTreeMap<(String, String), Arc<Artifact>>,
    /// Source of the Kustomization that applies the entry point, with the root of the source's artifact.
    own_source: Option<(ObjectId, String)>,
    /// Artifacts of ArtifactGenerators known so far in this round.
    composed_sources: BTreeMap<ObjectId, Source>,
    /// Current nesting depth of artifacts that are composed from other artifacts.
    depth: usize,
    finished_ids: BTreeSet<ObjectId>,
    argo: ArgoFollower<'a>,
    cluster: Cluster,
}

impl Follower<'_> {
    /// Replaces Secret values that kustomize copied to other objects in the builds after `start`, unless Secret values
    /// are to be shown. Returns the number of builds.
    fn hide_copies(&mut self, start: usize) -> usize {
        // Because a new build can also replace an earlier build with missing variables, all builds are checked.
        let start = if self.cluster.roots.len() > start { start } else { 0 };
        let roots = self.cluster.roots.iter_mut().skip(start).filter(|_| self.options.should_hide_secrets);
        for root in roots {
            if hide_copies(self.tree, &mut root.build) {
                let note =
                    "the values of Secrets that kustomize copies are placeholders; only `build` shows Secret values";
                self.cluster.skipped.push(Skipped::new(&root.owner, Reason::new(SkipKind::Variables, note)));
            }
        }
        self.cluster.roots.len()
    }

    fn artifact_below(&mut self, root: &str, ignore: &str) -> Arc<Artifact> {
        let tree = self.tree;
        let create = || Arc::new(Artifact::from_source(tree, root, &SourceIgnore::new(tree, ignore)));
        Arc::clone(self.artifacts.entry((root.to_owned(), ignore.to_owned())).or_insert_with(create))
    }

    fn add_mistake(&mut self, object: impl ToString, reason: impl Into<String>) {
        let (code, field) = (Code::GitopsBuild, String::new());
        let mistake = Mistake { code, object: object.to_string(), field, reason: reason.into(), cause: None };
        self.cluster.mistakes.push(mistake);
    }

    fn add_skipped(&mut self, object: impl std::fmt::Display, kind: SkipKind, reason: impl Into<String>) {
        self.cluster.skipped.push(Skipped::new(object, Reason::new(kind, reason)));
    }

    fn objects(&self) -> impl Iterator<Item = &Object> {
        self.cluster.roots.iter().flat_map(|root| root.build.objects.iter().map(|built| &built.object))
    }

    fn find(&self, id: &ObjectId) -> Option<&Object> {
        self.objects().chain(&self.options.outside_objects).find(|object| identity(object) == *id)
    }

    /// Builds the entry point. If the entry point contains the Kustomization that applies it, that Kustomization is
    /// built instead.
    fn build_entry(&mut self) -> Result<(), EnvironmentError> {
        let entry = self.cluster.entry.clone();
        let artifact = self.artifact_below("", "");
        if !self.tree.is_directory(&entry) {
            let text = self.tree.text(&entry).unwrap_or_default();
            match read_objects(&text) {
                Err(problem) => self.add_mistake(&entry, format!("it is not valid YAML: {problem}")),
                Ok(objects) => {
                    let built_object = |object| flux::BuiltObject::from_file(object, 0, &entry);
                    let build = Build { objects: objects.into_iter().map(built_object).collect(), ..Build::default() };
                    self.add(&entry, build, artifact, BTreeSet::new());
                }
            }
            return Ok(());
        }
        let build = match self.entry_build(&artifact, &entry) {
            Ok(build) => build,
            Err(failure) => return self.record_failure(&entry, failure),
        };
        let applied_kustomization =
            build.objects.iter().find_map(|built| applying_kustomization(self.tree, &built.object, &entry));
        let Some((applied, root)) = applied_kustomization else {
            self.add(&entry, build, artifact, BTreeSet::new());
            return Ok(());
        };
        let ignore = build.objects.iter().find(|built| identity(&built.object) == applied.source());
        let ignore = ignore.map_or("", |built| text_at(&built.object, &["spec", "ignore"])).to_owned();
        self.own_source = Some((applied.source(), root.clone()));
        let artifact = self.artifact_below(&root, &ignore);
        // The variables of the entry point are usually defined in the entry point itself.
        let entry_objects = || build.objects.iter().map(|built| &built.object).chain(&self.options.outside_objects);
        let find = |id: &ObjectId| entry_objects().find(|object| identity(object) == *id);
        let variables = VariableLookup::new(&applied, self.options.should_hide_secrets, find);
        let result =
            applied.build(self.tree, &artifact, &variables.sources, self.options.should_hide_secrets, Remote::Remove);
        let VariableLookup { missing_sources: missing, notes, .. } = variables;
        self.finished_ids.insert(applied.id.clone());
        self.cluster.skipped.extend(notes.into_iter().map(|note| Skipped::new(&applied.id, note)));
        match result {
            Ok(build) => self.add(&applied.id, build, artifact, missing),
            Err(failure) => return self.record_failure(&applied.id, failure),
        }
        self.cluster.kustomizations += 1;
        Ok(())
    }

    /// Builds the directory of the entry point as Flux does. Applications in a directory for Argo CD are applied
    /// manually, one by one. Therefore, the subdirectories of such a directory are not read if it is the root or if
    /// Flux cannot build it.
    fn entry_build(&self, artifact: &Artifact, entry: &str) -> Result<Build, Failure> {
        let build_unchanged = || directory_build(self.tree, artifact, entry);
        if entry.is_empty() && is_for_argo(self.tree, entry) {
            return build_unchanged();
        }
        match build_directory(self.tree, artifact, entry, &json!({}), false, Remote::Remove) {
            Err(Failure::Mistake { .. }) if is_for_argo(self.tree, entry) => build_unchanged(),
            result => result,
        }
    }

    fn add(&mut self, owner: impl ToString, build: Build, artifact: Arc<Artifact>, missing: BTreeSet<ObjectId>) {
        let owner = owner.to_string();
        self.cluster.skipped.extend(build.removed_parts.iter().cloned().map(|reason| Skipped::new(&owner, reason)));
        self.cluster.roots.push(Root { missing_sources: missing, ..Root::new(owner, build, artifact) });
    }

    fn record_failure(&mut self, owner: impl std::fmt::Display, failure: Failure) -> Result<(), EnvironmentError> {
        match failure {
            Failure::Mistake { code, reason, field, cause } => {
                let mistake = Mistake { code, object: owner.to_string(), field, reason, cause };
                self.cluster.mistakes.push(mistake);
            }
            Failure::Skipped(reason) => self.cluster.skipped.push(Skipped::new(owner, reason)),
            Failure::Environment(error) => return Err(error),
        }
        Ok(())
    }

    /// Builds everything that can be built with the sources known so far. Known sources take precedence over guessed
    /// ones. Returns false if nothing is left to build or if a limit is exceeded.
    fn build_round(&mut self) -> Result<bool, EnvironmentError> {
        let objects = self.cluster.roots.iter().map(|root| root.build.objects.len()).sum::<usize>();
        let FollowLimits { max_builds, max_objects, max_seconds, .. } = self.options.limits;
        let problem = if self.cluster.roots.len() > max_builds {
            Some(format!("it leads to more than {max_builds} builds (`--limit builds`)"))
        } else if objects > max_objects {
            Some(format!("it leads to more than {max_objects} objects (`--limit built-objects`)"))
        } else if Instant::now() > self.end {
            Some(format!("following it takes longer than {max_seconds} seconds (`--limit build-time`)"))
        } else {
            None
        };
        if let Some(problem) = problem {
            let entry = self.cluster.entry.clone();
            self.add_mistake(entry, problem);
            return Ok(false);
        }
        let builds_left = max_builds.saturating_add(1).saturating_sub(self.cluster.roots.len());
        if self.argo.build_round(&mut self.cluster, builds_left)? {
            return Ok(true);
        }
        let unfinished_objects: Vec<_> =
            self.objects().filter(|object| is_kustomization(object)).map(FluxKustomization::new).collect();
        let unfinished_kustomizations: Vec<_> = unfinished_objects
            .into_iter()
            .filter(|kustomization| !self.finished_ids.contains(&kustomization.id))
            .collect();
        self.composed_sources.clear();
        let [mut certain_batch, mut guessed_batch, mut incomplete_batch] = [const { Vec::new() }; 3];
        let mut unknown_sources = Vec::new();
        let mut seen_ids = BTreeSet::new();
        for kustomization in unfinished_kustomizations {
            if !seen_ids.insert(kustomization.id.clone()) {
                continue;
            }
            if let Some(reason) = kustomization.reason_to_skip() {
                self.finished_ids.insert(kustomization.id.clone());
                self.cluster.skipped.push(Skipped::new(&kustomization.id, reason));
                continue;
            }
            let is_complete = kustomization
                .variable_sources()
                .iter()
                .all(|source| source.is_optional || self.find(&source.id).is_some());
            match self.source(&kustomization) {
                Source::Foreign(reason) => {
                    self.finished_ids.insert(kustomization.id.clone());
                    self.add_skipped(&kustomization.id, SkipKind::ForeignSource, reason);
                }
                Source::Unknown(reason) => unknown_sources.push((kustomization.id, reason)),
                Source::Certain(artifact) | Source::Guess(artifact) if !is_complete => {
                    incomplete_batch.push((kustomization, artifact))
                }
                Source::Certain(artifact) => certain_batch.push((kustomization, artifact)),
                Source::Guess(artifact) => guessed_batch.push((kustomization, artifact)),
            }
        }
        if let Some(batch) =
            [certain_batch, guessed_batch, incomplete_batch].into_iter().find(|batch| !batch.is_empty())
        {
            self.build(batch)?;
            return Ok(true);
        }
        if self.rebuild_with_found_variables()? {
            return Ok(true);
        }
        for (id, reason) in unknown_sources {
            self.finished_ids.insert(id.clone());
            self.add_skipped(id, SkipKind::ForeignSource, reason);
        }
        self.skip_helm_releases();
        Ok(false)
    }

    fn build(&mut self, mut batch: Vec<(FluxKustomization, Arc<Artifact>)>) -> Result<(), EnvironmentError> {
        batch.truncate(self.options.limits.max_builds.saturating_add(1).saturating_sub(self.cluster.roots.len()));
        let (tree, hides_secrets) = (self.tree, self.options.should_hide_secrets);
        let all_objects: BTreeMap<_, _> = self
            .options
            .outside_objects
            .iter()
            .chain(self.objects())
            .filter(|object| is_variable_source(object))
            .map(|object| (identity(object), object))
            .collect();
        let results = process_in_parallel(batch, |(kustomization, artifact)| {
            let variables = VariableLookup::new(&kustomization, hides_secrets, |id| all_objects.get(id).copied());
            let result = kustomization.build(tree, &artifact, &variables.sources, hides_secrets, Remote::Skip);
            (result, kustomization, artifact, variables.missing_sources, variables.notes)
        });
        for (result, kustomization, artifact, missing, notes) in results {
            self.finished_ids.insert(kustomization.id.clone());
            self.cluster.skipped.retain(|skipped| skipped.object != kustomization.id.to_string());
            self.cluster.skipped.extend(notes.into_iter().map(|note| Skipped::new(&kustomization.id, note)));
            match result {
                Ok(build) => {
                    self.cluster.kustomizations += 1;
                    self.add(&kustomization.id, build, artifact, missing);
                }
                Err(failure) => self.record_failure(&kustomization.id, failure)?,
            }
        }
        Ok(())
    }

    /// Rebuilds a Kustomization if variables that it lacked have been found since. Returns whether there was such a
    /// Kustomization.
    fn rebuild_with_found_variables(&mut self) -> Result<bool, EnvironmentError> {
        let has_found_variable = |root: &Root| root.missing_sources.iter().any(|id| self.find(id).is_some());
        let Some(root_index) = self.cluster.roots.iter().position(has_found_variable) else {
            return Ok(false);
        };
        let root = self.cluster.roots.remove(root_index);
        let object = self.objects().chain(root.build.objects.iter().map(|built| &built.object));
        let object =
            object.filter(|object| is_kustomization(object)).find(|object| identity(object).to_string() == root.owner);
        let Some(kustomization) = object.map(FluxKustomization::new) else {
            self.cluster.roots.insert(root_index, Root { missing_sources: BTreeSet::new(), ..root });
            return Ok(true);
        };
        let root_count = self.cluster.roots.len();
        self.cluster.kustomizations -= 1;
        self.build(vec![(kustomization, Arc::clone(&root.artifact))])?;
        // A Kustomization that still lacks a ConfigMap or Secret must not be rebuilt repeatedly.
        if let Some(new_root) = self.cluster.roots.get_mut(root_count) {
            new_root.missing_sources.retain(|id| root.missing_sources.contains(id));
            if new_root.missing_sources.len() == root.missing_sources.len() {
                new_root.missing_sources.clear();
            }
            let new_root = self.cluster.roots.remove(root_count);
            self.cluster.roots.insert(root_index, new_root);
        }
        Ok(true)
    }

    fn source(&mut self, kustomization: &FluxKustomization) -> Source {
        let id = kustomization.source();
        if let Some(OwnSource { directory, .. }) =
            self.options.own_sources.iter().find(|own_source| own_source.is([&id.kind, &id.namespace, &id.name]))
        {
            let directory = clamp_to_root(directory);
            return match self.tree.is_directory(&directory) {
                true => Source::Certain(self.artifact_below(&directory, "")),
                false => Source::Foreign(format!("`{directory}`, which `--source` names, does not exist")),
            };
        }
        if let Some((source_id, root)) = self.own_source.clone().filter(|(source_id, _)| *source_id == id) {
            let ignore = self.find(&source_id).map_or("", |source| text_at(source, &["spec", "ignore"])).to_owned();
            return Source::Certain(self.artifact_below(&root, &ignore));
        }
        if id.kind == "ExternalArtifact" {
            return self.external_artifact(&id);
        }
        if let Some(object) = self.find(&id) {
            let (url, ignore) =
                (text_at(object, &["spec", "url"]).to_owned(), text_at(object, &["spec", "ignore"]).to_owned());
            return match id.kind == "GitRepository" && self.remotes.contains(&url) {
                true if self.is_other_revision(object) && !self.contains_path_of(kustomization) => {
                    Source::Foreign(format!("{id} is another revision of this repository"))
                }
                true => Source::Certain(self.artifact_below("", &ignore)),
                false if url.is_empty() => Source::Foreign(format!("{id} is another source")),
                false => Source::Foreign(format!("{id} is {}", remove_password(&url))),
            };
        }
        let can_be_this = id.kind == "GitRepository" || (id.kind == "OCIRepository" && id.name == BOOTSTRAP);
        if !can_be_this {
            return Source::Unknown(format!("{id} is not in this repository"));
        }
        match self.guessed_root(&id) {
            Some(root) => Source::Guess(self.artifact_below(&root, "")),
            None => Source::Unknown(format!("{id} is not defined here, and `{}` does not exist", kustomization.path())),
        }
    }

    /// Whether a source fetches a different revision of this repository than the entry point. The entry point's
    /// revision is determined by the Kustomization that applies it or, if there is none, by the source that `flux
    /// bootstrap` creates.
    fn is_other_revision(&self, source: &Object) -> bool {
        let used_objects = self.objects().filter(|object| is_kustomization(object));
        let mut used_sources = used_objects.map(|object| FluxKustomization::new(object).source());
        let own_source = self.own_source.as_ref().map(|(id, _)| id.clone());
        own_source
            .or_else(|| used_sources.find(|id| id.name == BOOTSTRAP))
            .is_some_and(|id| is_other_revision(source, self.find(&id)))
    }

    /// Whether the path of a Kustomization is a directory of this repository. The root does not count, because every
    /// revision contains it.
    fn contains_path_of(&self, kustomization: &FluxKustomization) -> bool {
        !kustomization.path().is_empty() && self.tree.is_directory(&kustomization.path())
    }

    /// Returns the root of the artifact of a source that is not defined: the root of this repository if one of the
    /// source's paths exists in it, or else the only directory that contains all of these paths. If there is no such
    /// directory, only the source that `flux bootstrap` creates is assumed to be this repository.
    fn guessed_root(&self, source: &ObjectId) -> Option<String> {
        let users = self.objects().filter(|object| is_kustomization(object)).map(FluxKustomization::new);
        let paths: BTreeSet<_> = users
            .filter(|kustomization| kustomization.source() == *source)
            .map(|kustomization| kustomization.path())
            .collect();
        if paths.iter().any(|path| matches!(self.tree.get(path), Some(EntryKind::Directory | EntryKind::Link { .. }))) {
            return Some(String::new());
        }
        let suffix = paths.first().map(|path| format!("/{path}"));
        let directories = self.tree.entries().filter_map(|(directory, _)| directory.strip_suffix(suffix.as_deref()?));
        let has_all_paths = |root: &&str| paths.iter().all(|path| self.tree.is_directory(&join(root, path)));
        let mut fitting_roots = directories.filter(has_all_paths);
        match (fitting_roots.next(), fitting_roots.next()) {
            (Some(root), None) => Some(root.to_owned()),
            _ => (source.kind == "GitRepository" && source.name == BOOTSTRAP).then(String::new),
        }
    }

    /// Returns an ArtifactGenerator's artifact. The artifact may include other artifacts, but not itself.
    fn external_artifact(&mut self, id: &ObjectId) -> Source {
        if let Some(known_source) = self.composed_sources.get(id) {
            return known_source.clone();
        }
        if self.depth == MAX_COMPOSED_DEPTH {
            return Source::Foreign(format!("{id} is made of too many artifacts"));
        }
        self.composed_sources.insert(id.clone(), Source::Foreign(format!("{id} is made of itself")));
        self.depth += 1;
        let source = self.composed_artifact(id);
        self.depth -= 1;
        self.composed_sources.insert(id.clone(), source.clone());
        source
    }

    fn composed_artifact(&mut self, id: &ObjectId) -> Source {
        let generators: Vec<_> =
            self.objects().filter(|object| artifact_generator::is_generator(object)).cloned().collect();
        for generator in generators.iter().filter(|generator| namespace(generator) == id.namespace) {
            let Some(artifact) = artifact_generator::artifact(generator, &id.name) else { continue };
            let mut sources = BTreeMap::new();
            for source in artifact_generator::sources(generator) {
                let kustomization = FluxKustomization::new(&json!({
                    "metadata": {"namespace": namespace(generator)},
                    "spec": {"sourceRef": {"kind": source.id.kind, "name": source.id.name, "namespace": source.id.namespace}},
                }));
                match self.source(&kustomization) {
                    Source::Certain(artifact) | Source::Guess(artifact) => drop(sources.insert(source.alias, artifact)),
                    Source::Foreign(reason) | Source::Unknown(reason) => {
                        return Source::Foreign(format!("a source of {}: {reason}", identity(generator)));
                    }
                }
            }
            return match artifact_generator::compose(&artifact, &sources) {
                Ok(artifact) => Source::Certain(Arc::new(artifact)),
                Err(reason) => Source::Foreign(format!("{}: {reason}", identity(generator))),
            };
        }
        Source::Unknown(format!("{id} is not in this repository"))
    }

    /// Records HelmReleases as skipped, because the objects that Helm installs are not read.
    fn skip_helm_releases(&mut self) {
        let is_release =
            |object: &&Object| text(object, "kind") == "HelmRelease" && is_of_group(object, "helm.toolkit.fluxcd.io");
        let releases: Vec<_> = self.objects().filter(is_release).map(identity).collect();
        for release in releases {
            self.add_skipped(release, SkipKind::HelmRelease, "Helm installs it");
        }
    }
}

/// ConfigMaps and Secrets that provide a Kustomization's variables, with `None` for each unknown object.
struct VariableLookup<'o> {
    sources: Vec<Option<&'o Object>>,
    missing_sources: BTreeSet<ObjectId>,
    /// Sources whose variables are replaced with placeholders.
    notes: Vec<Reason>,
}

impl<'o> VariableLookup<'o> {
    fn new(
        kustomization: &FluxKustomization,
        hides_secrets: bool,
        find: impl Fn(&ObjectId) -> Option<&'o Object>,
    ) -> Self {
        let mut variables = Self { sources: Vec::new(), missing_sources: BTreeSet::new(), notes: Vec::new() };
        for VariableSource { id, is_optional } in kustomization.variable_sources() {
            let source = find(&id);
            let note = match source {
                None if is_optional => None,
                None => Some(format!("{id} is not in this repository; its variables are placeholders")),
                Some(_) if hides_secrets && id.kind == "Secret" => {
                    Some(format!("the variables of {id} are placeholders; only `build` shows Secret values"))
                }
                Some(_) => None,
            };
            variables.notes.extend(note.map(|note| Reason::new(SkipKind::Variables, note)));
            variables.sources.push(source);
            if source.is_none() {
                variables.missing_sources.insert(id);
            }
        }
        variables
    }
}

/// Whether only Argo CD objects in a directory can lead to other paths. False if the directory has a kustomization.
fn is_for_argo(tree: &RepositoryTree, directory: &str) -> bool {
    let mut manifests =
        tree.entries_below(directory).map(|(path, _)| path).filter(|path| tree.is_file(path) && is_manifest(path));
    let is_flux = |path: &str| tree.text(path).is_some_and(|text| text.contains(flux::GROUP));
    !roots::has_kustomization(tree, directory) && !manifests.any(is_flux)
}

fn is_variable_source(object: &Object) -> bool {
    matches!(text(object, "kind"), "ConfigMap" | "Secret") && text(object, "apiVersion") == "v1"
}

/// Returns the Kustomization that applies a directory, and the root of its artifact, if `object` is that Kustomization
/// or generates it. The source of an entry point is this repository, even if the addresses differ.
fn applying_kustomization(
    tree: &RepositoryTree,
    object: &Object,
    directory: &str,
) -> Option<(FluxKustomization, String)> {
    let kustomization = match is_kustomization(object) {
        true => FluxKustomization::new(object),
        false => kustomization_of_instance(object)?,
    };
    let root = applied_root(tree, &kustomization, directory, false)?;
    Some((kustomization, root))
}

/// Returns the Kustomization that the Flux Operator generates for a FluxInstance.
fn kustomization_of_instance(object: &Object) -> Option<FluxKustomization> {
    let is_instance = text(object, "kind") == "FluxInstance" && is_of_group(object, "fluxcd.controlplane.io");
    let sync = object.get("spec")?.get("sync").filter(|_| is_instance)?;
    let name = match text(sync, "name") {
        "" => namespace(object),
        name => name,
    };
    Some(FluxKustomization::new(&json!({
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "metadata": {"name": name, "namespace": namespace(object)},
        "spec": {
            "path": text(sync, "path"),
            "sourceRef": {"kind": text(sync, "kind"), "name": name},
            // A FluxInstance can patch its Kustomization to add decryption.
            "decryption": {"provider": "sops"},
        },
    })))
}

/// Returns an address with its password removed.
fn remove_password(url: &str) -> String {
    match url.split_once("://") {
        Some((scheme, rest)) => {
            let end = rest.find('/').unwrap_or(rest.len());
            let (host, path) = rest.split_at_checked(end).unwrap_or((rest, ""));
            let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
            format!("{scheme}://{host}{path}")
        }
        None => url.to_owned(),
    }
}
