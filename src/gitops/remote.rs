//! Removal of remote parts from kustomizations, so that the remaining parts can be built.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::artifact::Artifact;
use super::closure::{Closure, Obstacle};
use super::object::{Object, read_objects, text, text_at};
use super::path::{is_manifest, parent, resolve};
use super::tree::RepositoryTree;

/// Kustomization lists that may contain remote addresses.
const LIST_FIELDS: [&str; 4] = ["resources", "bases", "components", "crds"];

const GENERATOR_FIELDS: [&str; 2] = ["configMapGenerator", "secretGenerator"];

/// Removes an address from a list. In an item, a key may precede the address, as in `key=address`.
fn remove_address(list: Option<&mut Value>, address: &str) {
    let is_address = |item: &str| item == address || item.split_once('=').is_some_and(|(_, path)| path == address);
    if let Some(items) = list.and_then(Value::as_array_mut) {
        items.retain(|item| !item.as_str().is_some_and(is_address));
    }
}

/// Removes remote bases and charts from the kustomizations of a build. Returns the path in the artifact and the new
/// text of each changed kustomization, or `None` if there is another obstacle to the build. `top` contains the path and
/// content of a kustomization that replaces the kustomization at that path.
pub fn remove_remote(
    tree: &RepositoryTree,
    artifact: &Artifact,
    closure: &Closure,
    top: Option<(&str, &Value)>,
) -> Option<Vec<(String, String)>> {
    let mut changed_files: Vec<(String, Value)> =
        top.map(|(file, value)| (file.to_owned(), value.clone())).into_iter().collect();
    for obstacle in &closure.obstacles {
        let (Obstacle::Remote { kustomization, .. } | Obstacle::Chart { kustomization }) = obstacle else {
            return None;
        };
        let index = changed_files.iter().position(|(file, _)| file == kustomization).or_else(|| {
            let text = tree.text(artifact.file(kustomization)?)?;
            let [object] = read_objects(&text).ok()?.try_into().ok()?;
            changed_files.push((kustomization.clone(), object));
            Some(changed_files.len() - 1)
        })?;
        let fields = changed_files.get_mut(index)?.1.as_object_mut()?;
        let original = fields.clone();
        match obstacle {
            Obstacle::Remote { address, .. } => {
                for list in LIST_FIELDS {
                    remove_address(fields.get_mut(list), address);
                }
                for generator in GENERATOR_FIELDS {
                    let generators = fields.get_mut(generator).and_then(Value::as_array_mut);
                    for fields in generators.into_iter().flatten().filter_map(Value::as_object_mut) {
                        remove_address(fields.get_mut("files"), address);
                    }
                }
            }
            _ => fields.retain(|field, _| !field.to_lowercase().starts_with("helmchart")),
        }
        if *fields == original {
            return None;
        }
    }
    Some(changed_files.into_iter().map(|(file, value)| (file, value.to_string())).collect())
}

/// Removes what fails without the objects of a removed base or chart from the kustomizations of a build: patches of
/// objects that no file contains, replica counts, replacements, and generators that change an existing object. Returns
/// the path in the artifact and the new text of each changed kustomization. `changed_files` contains the kustomizations
/// without remote parts.
pub fn remove_dependents(
    tree: &RepositoryTree,
    artifact: &Artifact,
    closure: &Closure,
    changed_files: Vec<(String, String)>,
) -> Vec<(String, String)> {
    let manifests = closure.files.values().filter(|file| is_manifest(file));
    let objects: Vec<_> = manifests.filter_map(|file| read_objects(&tree.text(file)?).ok()).flatten().collect();
    let count = |patch: &Object| objects.iter().filter(|object| names(object) == names(patch)).count();
    let has_objects = |directory: &str, patch: &str| {
        let file_text = resolve(directory, patch).and_then(|path| tree.text(artifact.file(&path)?));
        // A patch file is itself among the manifests.
        let copies = usize::from(file_text.is_some());
        let patches = read_objects(file_text.as_deref().unwrap_or(patch)).unwrap_or_default();
        patches.iter().all(|patch| count(patch) > copies)
    };
    let mut texts: BTreeMap<_, _> = changed_files.into_iter().collect();
    let kustomizations: BTreeSet<_> = closure.kustomizations.iter().cloned().chain(texts.keys().cloned()).collect();
    for path in &kustomizations {
        let text = texts.get(path).cloned().or_else(|| tree.text(artifact.file(path)?));
        let objects = text.and_then(|text| read_objects(&text).ok()).unwrap_or_default();
        let [kustomization] = objects.as_slice() else { continue };
        let kept = without_dependents(kustomization, |patch| has_objects(parent(path), patch));
        if kept != *kustomization {
            texts.insert(path.clone(), kept.to_string());
        }
    }
    texts.into_iter().collect()
}

/// Returns a kustomization without its dependents. `has_objects` returns whether the objects of a patch, which may be a
/// path, are known.
fn without_dependents(kustomization: &Object, has_objects: impl Fn(&str) -> bool) -> Object {
    let mut kept = kustomization.clone();
    let Some(fields) = kept.as_object_mut() else { return kept };
    fields.retain(|field, _| !["replicas", "replacements"].contains(&field.as_str()));
    let mut retain = |field: &str, is_kept: &dyn Fn(&Object) -> bool| {
        if let Some(items) = fields.get_mut(field).and_then(Value::as_array_mut) {
            items.retain(is_kept);
        }
    };
    // kustomize accepts a patch with a target that selects nothing.
    retain("patches", &|item| {
        let patch = ["path", "patch"].iter().map(|field| text(item, field)).find(|patch| !patch.is_empty());
        item.get("target").is_some() || patch.is_none_or(&has_objects)
    });
    retain("patchesStrategicMerge", &|item| item.as_str().is_none_or(&has_objects));
    for generator in GENERATOR_FIELDS {
        retain(generator, &|item| ["", "create"].contains(&text(item, "behavior")));
    }
    kept
}

/// Returns an object's kind and name.
fn names(object: &Object) -> (&str, &str) {
    (text(object, "kind"), text_at(object, &["metadata", "name"]))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn removes_only_what_needs_an_unknown_object() {
        let kustomization = json!({
            "resources": ["a.yaml"],
            "replicas": [{"name": "a", "count": 1}],
            "replacements": [{}],
            "patches": [
                {"path": "known.yaml"},
                {"path": "unknown.yaml"},
                {"patch": "unknown"},
                {"patch": "unknown", "target": {"kind": "Deployment"}},
            ],
            "patchesStrategicMerge": ["unknown.yaml", "known.yaml"],
            "configMapGenerator": [{"name": "a", "behavior": "merge"}, {"name": "b"}],
        });
        let expected = json!({
            "resources": ["a.yaml"],
            "patches": [{"path": "known.yaml"}, {"patch": "unknown", "target": {"kind": "Deployment"}}],
            "patchesStrategicMerge": ["known.yaml"],
            "configMapGenerator": [{"name": "b"}],
        });
        assert_eq!(without_dependents(&kustomization, |patch| !patch.starts_with("unknown")), expected);
    }
}
