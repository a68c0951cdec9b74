//! Removal of remote parts from kustomizations, so that the remaining parts can be built.

use serde_json::Value;

use super::artifact::Artifact;
use super::closure::{Closure, Obstacle};
use super::object::read_objects;
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
