//! Parameter files next to an Application's manifests (`mergeSourceParameters`).

use serde_json::{Map, Value};

use crate::gitops::object::read_objects;
use crate::gitops::path::join;
use crate::gitops::tree::RepositoryTree;

/// Source fields that parameter files cannot change.
const FIXED_FIELDS: [&str; 4] = ["chart", "path", "repoURL", "targetRevision"];

/// Returns a source after merging in the files `.argocd-source.yaml` and `.argocd-source-NAME.yaml` from its directory.
///
/// # Errors
///
/// Returns the reason why a file is not valid.
pub fn with_overrides(
    tree: &RepositoryTree,
    source: &Value,
    directory: &str,
    application: &str,
) -> Result<Value, String> {
    let mut merged = source.clone();
    for name in [".argocd-source.yaml".to_owned(), format!(".argocd-source-{application}.yaml")] {
        let file = join(directory, &name);
        let Some(text) = tree.text(&file) else { continue };
        let documents = read_objects(&text).map_err(|problem| format!("`{file}` is not valid YAML: {problem}"))?;
        match documents.into_iter().next() {
            None => {}
            Some(Value::Object(patch)) => merge(&mut merged, &patch),
            Some(_) => return Err(format!("`{file}` is not a mapping")),
        }
    }
    if let Some(fields) = merged.as_object_mut() {
        for key in FIXED_FIELDS {
            fields.remove(key);
            fields.extend(source.get(key).map(|value| (key.to_owned(), value.clone())));
        }
    }
    Ok(merged)
}

/// Applies a JSON merge patch (RFC 7386).
fn merge(value: &mut Value, patch: &Map<String, Value>) {
    if !value.is_object() {
        *value = Value::Object(Map::new());
    }
    let Value::Object(fields) = value else { return };
    for (key, new_value) in patch {
        match new_value {
            Value::Null => drop(fields.remove(key)),
            Value::Object(patch) => merge(fields.entry(key.clone()).or_insert(Value::Null), patch),
            change => drop(fields.insert(key.clone(), change.clone())),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The cases are from RFC 7386, appendix A.
    #[test]
    fn merges_patches() {
        for (value, patch, expected) in [
            (json!({"a": "b"}), json!({"a": null}), json!({})),
            (json!({"a": [1]}), json!({"a": [2], "c": {"d": null}}), json!({"a": [2], "c": {}})),
            (json!({"a": {"b": "c"}}), json!({"a": {"b": "d", "c": null}}), json!({"a": {"b": "d"}})),
            (json!({"a": "c"}), json!({"a": {"bb": {"ccc": null}}}), json!({"a": {"bb": {}}})),
        ] {
            let mut merged = value;
            merge(&mut merged, patch.as_object().unwrap());
            assert_eq!(merged, expected);
        }
    }
}
