//! Finds entry points: the paths from which a cluster receives everything.

use std::collections::BTreeSet;

use serde_json::Value;

use super::flux::{FluxKustomization, is_kustomization, is_of_group};
use super::object::{Object, items, read_objects, text, text_at};
use super::path::is_manifest;
use super::path::{below, clamped, parent};
use super::roots::leads;
use super::tree::RepositoryTree;

/// An object that leads to other paths.
struct Lead {
    /// File that contains it.
    file: String,
    /// Paths that it leads to.
    targets: Vec<String>,
}

/// Returns the entry points in a directory. If the directory is an entry point or below one, or there are none, the
/// result is empty.
///
/// A directory is an entry point if it contains the Flux Kustomization that applies it. If there are none, the
/// directories with Kustomizations and Applications that no other one applies are entry points.
pub fn entries(tree: &RepositoryTree, directory: &str) -> Vec<String> {
    if !tree.is_directory(directory) {
        return Vec::new();
    }
    let mut own = BTreeSet::new();
    let mut found = Vec::new();
    let files = tree.below(directory).map(|(path, _)| path).filter(|path| is_manifest(path) && tree.is_file(path));
    for file in files.map(str::to_owned).collect::<Vec<_>>() {
        let Some(text) = tree.text(&file).filter(|text| leads(text)) else { continue };
        for object in read_objects(&text).unwrap_or_default() {
            let targets = targets(&object);
            if targets.is_empty() {
                continue;
            }
            if is_of_group(&object, "argoproj.io") {
                found.push(Lead { file: file.clone(), targets });
                continue;
            }
            match targets.iter().find_map(|target| applied(tree, &object, &file, target)) {
                Some(entry) => drop(own.insert(entry)),
                None => found.push(Lead { file: file.clone(), targets }),
            }
        }
    }
    if own.iter().any(|entry| below(directory, entry).is_some()) {
        return Vec::new();
    }
    if !own.is_empty() {
        return own.into_iter().collect();
    }
    let is_produced = |lead: &Lead| {
        found.iter().any(|other| {
            other.file != lead.file && other.targets.iter().any(|target| below(&lead.file, target).is_some())
        })
    };
    let roots: BTreeSet<_> =
        found.iter().filter(|lead| !is_produced(lead)).map(|lead| parent(&lead.file).to_owned()).collect();
    match roots.contains(directory) {
        true => Vec::new(),
        false => roots.into_iter().collect(),
    }
}

/// Returns the paths that an object leads to. Those of ApplicationSets are the parts before the first pattern.
fn targets(object: &Object) -> Vec<String> {
    let spec = object.get("spec");
    let Some(spec) = spec else { return Vec::new() };
    match text(object, "kind") {
        "Kustomization" if is_kustomization(object) => vec![FluxKustomization::new(object).path()],
        "FluxInstance" if spec.get("sync").is_some() => vec![clamped(text_at(spec, &["sync", "path"]))],
        "Application" => {
            let sources = spec.get("source").into_iter().chain(items(spec, "sources"));
            sources.filter(|source| source.get("path").is_some()).map(|source| clamped(text(source, "path"))).collect()
        }
        "ApplicationSet" => {
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

/// Returns the directory that an object of Flux applies if the object is in that directory, or makes a Kustomization
/// for it.
fn applied(tree: &RepositoryTree, object: &Object, file: &str, target: &str) -> Option<String> {
    if text(object, "kind") == "FluxInstance" {
        return tree.is_directory(target).then(|| target.to_owned());
    }
    if !FluxKustomization::new(object).is_from_repository() {
        return None;
    }
    let mut directory = parent(file);
    loop {
        let is_target = directory == target || (!target.is_empty() && directory.ends_with(&format!("/{target}")));
        if is_target {
            return Some(directory.to_owned());
        }
        if directory.is_empty() {
            return None;
        }
        directory = parent(directory);
    }
}
