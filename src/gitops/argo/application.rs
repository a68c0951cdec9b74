//! Applications, and the objects that Argo CD generates from them (`GenerateManifests`).

use serde_json::Value;

use super::destination::Destination;
use super::directory;
use super::environment::Environment;
use super::group::GROUP;
use super::kustomize;
use super::overrides::with_overrides;
use super::source::{self, SourceType};
use super::symlinks::first_escaping_link;
use super::target_objects::{repeated_objects, set_namespace};
use crate::diagnostic::Code;
use crate::gitops::artifact::Artifact;
use crate::gitops::cluster::Mistake;
use crate::gitops::failure::Failure;
use crate::gitops::flux::{Build, BuiltObject, Remote, is_of_group, run_kustomize};
use crate::gitops::kustomization;
use crate::gitops::kustomize_build::Restriction;
use crate::gitops::object::{Object, ObjectId, identity, items, text, text_at};
use crate::gitops::skipped::{Reason, SkipKind, Skipped};
use crate::gitops::tree::RepositoryTree;
use crate::input::is_remote;

pub fn is_application(object: &Object) -> bool {
    text(object, "kind") == "Application" && is_of_group(object, GROUP)
}

/// Inputs of an Application's build.
#[derive(Clone, Copy)]
pub struct Checkout<'c> {
    pub tree: &'c RepositoryTree,
    /// All files in the repository, including symlinks.
    pub artifact: &'c Artifact,
    /// Whether an address refers to this repository.
    pub is_own: &'c (dyn Fn(&str) -> bool + Sync),
}

/// Result of building an Application.
#[derive(Debug, Default)]
pub struct BuiltApplication {
    /// Builds of the sources. Objects that are repeated later in the Application are omitted.
    pub builds: Vec<Build>,
    /// Objects and sources that are skipped.
    pub skipped: Vec<Skipped>,
    /// Errors that Argo CD reports. If there are errors, there are no builds.
    pub mistakes: Vec<Mistake>,
}

/// Builds an Application.
///
/// # Errors
///
/// Returns an error if kustomize cannot be run.
pub fn build(application: &Object, checkout: &Checkout<'_>) -> Result<BuiltApplication, Failure> {
    let id = identity(application);
    let mut built_application = BuiltApplication::default();
    let sources = source::sources(application);
    let is_alone = sources.len() < 2;
    for (number, source) in (1..).zip(&sources) {
        let owner = if is_alone { id.to_string() } else { format!("{id} source {number}") };
        match build_source(application, &id, source, checkout) {
            Ok(Some((mut build, jsonnet))) => {
                build.options = match items(application.get("spec").unwrap_or(&Value::Null), "sources") {
                    [] => "spec.source.kustomize".to_owned(),
                    _ => format!("spec.sources.{}.kustomize", number - 1),
                };
                let unread_reason = |file| Reason::new(SkipKind::Plugin, format!("needs jsonnet: {file}"));
                built_application
                    .skipped
                    .extend(jsonnet.into_iter().map(|file| Skipped::new(&owner, unread_reason(file))));
                built_application.builds.push(build);
            }
            Ok(None) => {}
            Err(Failure::Skipped(reason)) => built_application.skipped.push(Skipped::new(owner, reason)),
            Err(Failure::Mistake { code, reason, field, cause }) => {
                built_application.mistakes.push(Mistake { code, object: id.to_string(), field, reason, cause });
            }
            Err(failure @ Failure::Environment(_)) => return Err(failure),
        }
    }
    if !built_application.mistakes.is_empty() {
        built_application.builds.clear();
        return Ok(built_application);
    }
    let destination = Destination::new(application);
    for object in built_application.builds.iter_mut().flat_map(|build| &mut build.objects) {
        set_namespace(&mut object.object, &destination.namespace);
    }
    drop_repeated(&id, &mut built_application);
    Ok(built_application)
}

/// Drops each object that is repeated later in the Application, and records it as skipped.
fn drop_repeated(id: &ObjectId, built: &mut BuiltApplication) {
    let objects = built.builds.iter().flat_map(|build| &build.objects).map(|object| &object.object);
    let mut dropped_ids = Vec::new();
    for (index, object) in repeated_objects(objects) {
        dropped_ids.push(index);
        let reason = Reason::new(SkipKind::Repeated, format!("twice in {id}: the last is applied"));
        built.skipped.push(Skipped::new(object, reason));
    }
    let mut index = 0;
    for build in &mut built.builds {
        build.objects.retain(|_| {
            index += 1;
            !dropped_ids.contains(&(index - 1))
        });
    }
}

/// Builds a source. Returns the build and the files that need Jsonnet, or `None` if the source has no objects.
fn build_source(
    application: &Object,
    id: &ObjectId,
    source: &Value,
    checkout: &Checkout<'_>,
) -> Result<Option<(Build, Vec<String>)>, Failure> {
    const PATH: &str = "spec.source.path";
    let tree = checkout.tree;
    if let Some(outside_reason) = source::reason_outside_git(source) {
        return Err(Failure::Skipped(outside_reason));
    }
    let url = text(source, "repoURL");
    if !(checkout.is_own)(url) {
        return Err(Failure::skipped(
            SkipKind::ForeignSource,
            format!("another repository: {}", crate::go::url::redact(url)),
        ));
    }
    let path = text(source, "path");
    if path.is_empty() && !text(source, "ref").is_empty() {
        return Ok(None);
    }
    let path_mistake = |reason: String| Failure::new(Code::GitopsPath, PATH, reason);
    if let Some(link) = first_escaping_link(tree) {
        let reason = format!("the repository contains a symlink that is absolute or points outside it: `{link}`");
        return Err(path_mistake(reason));
    }
    let directory = source::directory(tree, path).map_err(path_mistake)?;
    let source = with_overrides(tree, source, &directory, &id.name);
    let source = source.map_err(|reason| Failure::mistake(PATH, reason))?;
    let tool = source::source_type(tree, &source, &directory);
    match tool.map_err(|reason| Failure::mistake("spec.source", reason))? {
        SourceType::Helm => {
            Err(Failure::skipped(SkipKind::Chart, format!("needs helm: {}", display_directory(&directory))))
        }
        SourceType::Plugin => {
            Err(Failure::skipped(SkipKind::Plugin, format!("needs a plugin: {}", display_directory(&directory))))
        }
        SourceType::Kustomize => {
            let environment = Environment {
                name: &id.name,
                namespace: &id.namespace,
                project: text_at(application, &["spec", "project"]),
                url,
                path,
                revision: text(&source, "targetRevision"),
            };
            let options = source.get("kustomize").unwrap_or(&Value::Null);
            let build = build_kustomization(options, &environment, &directory, checkout)?;
            Ok(Some((build, Vec::new())))
        }
        SourceType::Directory => {
            let settings = source.get("directory").unwrap_or(&Value::Null);
            read_directory(tree, checkout.artifact, &directory, settings).map(Some)
        }
    }
}

/// Reads the objects in a directory of plain manifests. Also returns the files that need Jsonnet.
fn read_directory(
    tree: &RepositoryTree,
    checkout: &Artifact,
    directory: &str,
    settings: &Value,
) -> Result<(Build, Vec<String>), Failure> {
    let result = directory::read(tree, checkout, directory, settings);
    let directory_objects = result.map_err(|reason| Failure::mistake("spec.source.path", reason))?;
    let objects = directory_objects.objects.into_iter();
    let objects = objects.map(|(object, file, document)| BuiltObject::from_file(object, document, &file)).collect();
    Ok((Build { objects, directory: directory.to_owned(), ..Build::default() }, directory_objects.jsonnet))
}

/// Reads the objects in a directory, excluding its subdirectories.
///
/// # Errors
///
/// Returns the reason why Argo CD would reject the directory.
pub fn directory_build(tree: &RepositoryTree, checkout: &Artifact, directory: &str) -> Result<Build, Failure> {
    read_directory(tree, checkout, directory, &Value::Null).map(|(build, _)| build)
}

fn display_directory(directory: &str) -> &str {
    if directory.is_empty() { "." } else { directory }
}

/// Builds a kustomization with an Application's options.
fn build_kustomization(
    options: &Value,
    environment: &Environment<'_>,
    directory: &str,
    checkout: &Checkout<'_>,
) -> Result<Build, Failure> {
    const FIELD: &str = "spec.source.kustomize";
    let Checkout { tree, artifact, .. } = *checkout;
    let mistake = |reason: String| Failure::mistake(FIELD, reason);
    let existing_kustomization = kustomization::existing_kustomization(tree, artifact, directory).map_err(mistake)?;
    let mut merged = existing_kustomization.ok_or_else(|| mistake(format!("`{directory}` has no kustomization")))?;
    let fields =
        merged.value.as_object_mut().ok_or_else(|| mistake("the kustomization is not a mapping".to_owned()))?;
    let is_edited = kustomize::edit(fields, options, environment, tree, directory).map_err(mistake)?;
    for component in items(options, "components").iter().filter_map(Value::as_str) {
        if is_remote(component) {
            return Err(Failure::skipped(
                SkipKind::RemoteBase,
                format!("remote component: {}", crate::go::url::redact(component)),
            ));
        }
    }
    run_kustomize(tree, artifact, directory, is_edited.then_some(&merged), Restriction::RootOnly, Remote::Skip).map_err(
        |failure| match failure {
            Failure::Mistake { code, reason, cause, .. } => {
                Failure::new(code, "spec.source.path", reason).with_cause(cause)
            }
            failure => failure,
        },
    )
}
