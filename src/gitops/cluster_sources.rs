//! A cluster's objects as sources, and the files that they were built from.

use std::collections::BTreeSet;

use super::cause::Cause;
use super::cluster::{Cluster, Root};
use super::diagnostics::Locations;
use super::flux::{BuiltObject, documents};
use super::kustomize_build::process_in_parallel;
use super::object::{Object, identity, read_objects, text};
use super::skipped::SkipKind;
use super::tree::RepositoryTree;
use crate::diagnostic::EnvironmentError;
use crate::input::{ReadLimits, add_origin_files, built, display_path};
use crate::source::{BuildOwner, DocumentOrigin, Source, Sources, Span};
use crate::yaml::{LibraryStyle, write};

/// Adds a cluster's objects as sources, one for each build. Returns the locations of the objects whose origins are
/// known.
///
/// # Errors
///
/// Returns an error if a file cannot be read.
pub fn add_cluster(
    tree: &RepositoryTree,
    cluster: &Cluster,
    reading: &ReadLimits,
    sources: &mut Sources,
) -> Result<Locations, EnvironmentError> {
    let mut locations = Locations::new();
    let mut used_indices: Vec<Vec<usize>> = cluster.roots.iter().map(|_| Vec::new()).collect();
    for merged in &cluster.objects {
        used_indices.get_mut(merged.root).into_iter().for_each(|used| used.push(merged.index));
    }
    // HelmReleases are not located, because there may be too many, and their names are sufficient.
    let unread =
        cluster.skipped.iter().filter(|skipped| skipped.is_unread() && skipped.reason.kind != SkipKind::HelmRelease);
    let mistakes = cluster.mistakes.iter().map(|mistake| mistake.object.as_str());
    let causes = || cluster.mistakes.iter().filter_map(|mistake| mistake.cause.as_ref());
    let objects_with_causes = causes().filter_map(|cause| match cause {
        Cause::Field { object, .. } => Some(object.as_str()),
        Cause::File { .. } => None,
    });
    let unread_objects = unread.map(|skipped| skipped.object.as_str());
    let named_objects: BTreeSet<_> = unread_objects.chain(mistakes).chain(objects_with_causes).collect();
    let origins_of_roots = process_in_parallel(cluster.roots.iter().zip(&used_indices).collect(), |(root, used)| {
        let is_known = root.build.output.annotated_text.is_some();
        (is_known || is_reported(&named_objects, root, used)).then(|| document_origins(tree, root))
    });
    let mut added_sources = Vec::new();
    let mut objects = Locations::new();
    for ((root, used), build_origins) in cluster.roots.iter().zip(used_indices).zip(origins_of_roots) {
        let mut text = String::new();
        let mut starts = Vec::new();
        for built in used.iter().filter_map(|index| root.build.objects.get(*index)) {
            if !text.is_empty() {
                text.push_str("---\n");
            }
            starts.push((text.len(), built));
            text.push_str(&write(&built.object.clone().into(), LibraryStyle::Kubernetes));
        }
        if starts.is_empty() {
            continue;
        }
        let id = sources.add(Source::new(format!("<{}>", root.owner), text, true));
        let has_origins = build_origins.is_some() || root.build.stage.is_none();
        for (start, built) in &starts {
            let name = identity(&built.object).to_string();
            objects.entry(name.clone()).or_insert((id, *start));
            if has_origins {
                locations.entry(name).or_insert((id, *start));
            }
        }
        added_sources.push((id, root, starts, build_origins.unwrap_or_default()));
    }
    let mut origins = Vec::new();
    let fallback = display_path(&tree.root().join(&cluster.entry));
    for (id, root, starts, build_origins) in added_sources {
        let documents: Vec<_> = documents(&root.build.output.text).collect();
        let document_origin = |start: usize, built: &BuiltObject| {
            let known_origin = match &built.file {
                Some(file) => Some(DocumentOrigin::in_file(display_path(&tree.root().join(file)))),
                None => build_origins.get(built.document).cloned(),
            };
            let origin = known_origin.unwrap_or_else(|| DocumentOrigin::in_file(fallback.clone()));
            let name = (!built.replacements.is_empty()).then(|| original_name(&documents, built)).flatten();
            DocumentOrigin { start, name: origin.name.or(name), ..origin }
        };
        let source_origins: Vec<_> = starts.iter().map(|(start, built)| document_origin(*start, built)).collect();
        origins.extend(source_origins.iter().cloned());
        sources.change(id, |source| {
            source.set_origins(source_origins, built::translation);
            source.owner = build_owner(cluster, root, &objects);
        });
    }
    let files_with_causes = causes().filter_map(|cause| match cause {
        Cause::File { file, .. } => Some(DocumentOrigin::in_file(display_path(&tree.root().join(file)))),
        Cause::Field { .. } => None,
    });
    origins.extend(files_with_causes);
    add_origin_files(&origins, reading, sources)?;
    Ok(locations)
}

/// Returns the object that a build was made for, or `None` if no source contains it.
fn build_owner(cluster: &Cluster, root: &Root, objects: &Locations) -> Option<BuildOwner> {
    let owner_span = |name: &String| objects.get(name).map(|(id, start)| Span::new(*id, *start, *start));
    let generator = cluster.generators.get(&root.owner);
    let template = if generator.is_some() { "spec.template." } else { "" };
    Some(BuildOwner {
        object: owner_span(generator.unwrap_or(&root.owner))?,
        options: format!("{template}{}", root.build.options),
        variables: root.build.variables.iter().filter_map(|id| owner_span(&id.to_string())).collect(),
    })
}

/// Whether any finding can be about an object of a build. If not, kustomize need not run again to determine the origins
/// of the objects. `named_objects` contains the objects named in findings about unread objects and mistakes.
fn is_reported(named_objects: &BTreeSet<&str>, root: &Root, used_indices: &[usize]) -> bool {
    let mut objects = used_indices.iter().filter_map(|index| root.build.objects.get(*index));
    objects.any(|built| {
        !is_for_controllers(&built.object)
            || !built.retyped_fields.is_empty()
            || named_objects.contains(identity(&built.object).to_string().as_str())
    })
}

/// API groups of objects that no later stage reads.
const UNREAD_GROUPS: [&str; 5] = [
    ".toolkit.fluxcd.io",
    "argoproj.io",
    "apiextensions.k8s.io",
    "gateway.networking.k8s.io",
    "source.extensions.fluxcd.io",
];

/// Whether no later stage reads an object.
fn is_for_controllers(object: &Object) -> bool {
    let (group, _) = text(object, "apiVersion").split_once('/').unwrap_or_default();
    UNREAD_GROUPS.iter().any(|unread| group.ends_with(unread))
}

/// Returns the file to edit for each object of a build, or `None` if the file is not known.
pub fn origin_files(tree: &RepositoryTree, root: &Root) -> Vec<Option<String>> {
    let origins = document_origins(tree, root);
    let file = |built: &BuiltObject| match &built.file {
        Some(file) => Some(display_path(&tree.root().join(file))),
        None => origins.get(built.document).map(|origin| origin.file.clone()),
    };
    root.build.objects.iter().map(file).collect()
}

/// Returns the origins of the documents of a build.
fn document_origins(tree: &RepositoryTree, root: &Root) -> Vec<DocumentOrigin> {
    let display_name = |path: &str| root.artifact.file(path).map(|file| display_path(&tree.root().join(file)));
    root.build
        .stage
        .as_ref()
        .map(|stage| stage.origins(&root.build.directory, &root.build.output, &display_name))
        .unwrap_or_default()
}

/// Returns the name of an object before variables were substituted.
fn original_name(documents: &[&str], built: &BuiltObject) -> Option<String> {
    let object = read_objects(documents.get(built.document)?).ok()?.into_iter().next()?;
    Some(identity(&object).name)
}
