//! Objects in a directory of plain manifests (`findManifests`).

use serde_json::Value;

use crate::gitops::artifact::{Artifact, PathKind};
use crate::gitops::object::{Object, read_objects, text};
use crate::gitops::path::strip_directory;
use crate::gitops::tree::RepositoryTree;
use crate::go::glob::Glob;

/// Marker of files that Argo CD skips.
const SKIP_MARKER: &str = "+argocd:skip-file-rendering";

#[derive(Debug, Default, PartialEq)]
pub struct DirectoryObjects {
    /// Objects, each with its file in the repository and the index of its document in that file.
    pub objects: Vec<(Object, String, usize)>,
    /// Files that need Jsonnet.
    pub jsonnet: Vec<String>,
}

/// Reads the objects in the files of a directory. `settings` is `source.directory`.
///
/// # Errors
///
/// Returns Argo CD's error.
pub fn read(
    tree: &RepositoryTree,
    checkout: &Artifact,
    directory: &str,
    settings: &Value,
) -> Result<DirectoryObjects, String> {
    let is_set = |key: &str| settings.get(key) == Some(&Value::Bool(true));
    // An invalid pattern matches nothing.
    let glob = |key: &str| {
        Some(text(settings, key)).filter(|pattern| !pattern.is_empty()).map(|pattern| Glob::new(pattern).ok())
    };
    let (include, exclude) = (glob("include"), glob("exclude"));
    let matches = |glob: &Option<Glob>, path: &str| glob.as_ref().is_some_and(|glob| glob.is_match(path));
    let mut directory_objects = DirectoryObjects::default();
    for (path, file) in files(checkout, directory, is_set("recurse")) {
        let relative = strip_directory(&path, directory).unwrap_or(&path);
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
        let is_manifest = matches!(extension, "yaml" | "yml" | "json" | "jsonnet") || is_set("disableExtensionFilter");
        let is_excluded = exclude.as_ref().is_some_and(|exclude| matches(exclude, relative));
        let is_included = include.as_ref().is_none_or(|include| matches(include, relative));
        if !is_manifest || is_excluded || !is_included {
            continue;
        }
        let Some(bytes) = tree.bytes(&file) else {
            return Err(format!("`{path}` cannot be read"));
        };
        let content = String::from_utf8_lossy(&bytes);
        let content = content.strip_prefix('\u{feff}').unwrap_or(&content);
        if content.contains(SKIP_MARKER) {
            continue;
        }
        match extension {
            "jsonnet" => directory_objects.jsonnet.push(path),
            "json" => directory_objects.objects.push((json_object(&path, content)?, file, 0)),
            _ => {
                let objects = yaml_objects(&path, content)?;
                directory_objects
                    .objects
                    .extend(objects.into_iter().map(|(index, object)| (object, file.clone(), index)));
            }
        }
    }
    directory_objects.objects = directory_objects.objects.into_iter().flat_map(unpack_list).collect();
    Ok(directory_objects)
}

/// Returns the files in a directory, including its subdirectories if `is_recursive` is set, in Go's order. Each file is
/// identified by its path and by its repository path with symlinks resolved. Symlinks to directories are not followed.
fn files(checkout: &Artifact, directory: &str, is_recursive: bool) -> Vec<(String, String)> {
    let is_part =
        |path: &str| is_recursive || strip_directory(path, directory).is_some_and(|below| !below.contains('/'));
    let files = checkout.files_below(directory).into_iter().map(|(path, file)| (path.to_owned(), file.to_owned()));
    let links = checkout.links_below(directory).filter_map(|(link, _)| {
        let (target, _) = checkout.follow(link)?;
        let file = checkout.file(&target).filter(|_| checkout.get(&target) == Some(PathKind::File))?;
        Some((link.to_owned(), file.to_owned()))
    });
    let mut files: Vec<_> = files.chain(links).filter(|(path, _)| is_part(path)).collect();
    files.sort_by(|(one, _), (other, _)| one.split('/').cmp(other.split('/')));
    files
}

fn json_object(path: &str, content: &str) -> Result<Object, String> {
    let mut values = serde_json::Deserializer::from_str(content).into_iter::<Value>();
    let parse_error = |problem: &dyn std::fmt::Display| format!("failed to unmarshal `{path}`: {problem}");
    let value = match values.next() {
        Some(value) => value.map_err(|problem| parse_error(&problem))?,
        None => return Err(parse_error(&"it is empty")),
    };
    if values.next().is_some() {
        return Err(format!("`{path}` contains several objects; only one is allowed in a JSON file"));
    }
    if text(&value, "kind").is_empty() {
        return Err(parse_error(&"Object 'Kind' is missing"));
    }
    Ok(value)
}

/// Reads the objects in a YAML file, each with the index of its document. An invalid file is skipped unless it looks
/// like a manifest (`getObjsFromYAMLOrJSON`).
fn yaml_objects(path: &str, content: &str) -> Result<Vec<(usize, Object)>, String> {
    let mut objects = Vec::new();
    let problem = match read_objects(content) {
        Err(problem) => Some(problem),
        Ok(documents) => {
            let mut problem = None;
            for (index, document) in documents.into_iter().enumerate() {
                if text(&document, "kind").is_empty() {
                    problem = Some("Object 'Kind' is missing".to_owned());
                    break;
                }
                objects.push((index, document));
            }
            problem
        }
    };
    let looks_like_object = ["apiVersion:", "kind:", "metadata:"].iter().all(|field| content.contains(field));
    match problem {
        Some(problem) if looks_like_object || !objects.is_empty() => {
            Err(format!("failed to unmarshal `{path}`: {problem}"))
        }
        _ => Ok(objects),
    }
}

/// Returns the items of a list object, or the object itself if it is not a list.
fn unpack_list((object, path, index): (Object, String, usize)) -> Vec<(Object, String, usize)> {
    match object.get("items") {
        Some(Value::Array(items)) => items.iter().map(|item| (item.clone(), path.clone(), index)).collect(),
        Some(Value::Null) if object.get("spec").is_none() && object.get("status").is_none() => Vec::new(),
        _ => vec![(object, path, index)],
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::json;

    use super::*;
    use crate::gitops::tree::TreeLimits;

    /// Creates a directory `app` with the given files, reads it, and returns the names of its objects.
    fn names(files: &[(&str, &str)], settings: Value) -> Result<Vec<String>, String> {
        let scratch = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = scratch.path().join("app").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let tree = RepositoryTree::read(scratch.path(), &TreeLimits::default()).unwrap();
        let read = read(&tree, &Artifact::from_checkout(&tree), "app", &settings)?;
        let names =
            read.objects.iter().map(|(object, ..)| object["metadata"]["name"].as_str().unwrap_or("").to_owned());
        Ok(names.chain(read.jsonnet).collect())
    }

    const A: &str = "kind: A\nmetadata: {name: a}\n";

    #[test]
    fn selects_included_files() {
        let files = [
            ("a.yaml", A),
            ("b.yml", "kind: A\nmetadata: {name: b}\n"),
            ("c.txt", A),
            ("sub/d.yaml", "kind: A\nmetadata: {name: d}\n"),
            ("e.jsonnet", "{}"),
            ("skip.yaml", "# +argocd:skip-file-rendering\nkind: A\n"),
        ];
        for (settings, expected) in [
            (json!({}), &["a", "b", "app/e.jsonnet"][..]),
            (json!({"recurse": true}), &["a", "b", "d", "app/e.jsonnet"]),
            (json!({"recurse": true, "include": "*.yaml"}), &["a", "d"]),
            (json!({"recurse": true, "include": "*.yaml", "exclude": "sub/*"}), &["a"]),
            (json!({"include": "{a,b}.y*ml"}), &["a", "b"]),
            (json!({"include": "["}), &[]),
            (json!({"exclude": "["}), &["a", "b", "app/e.jsonnet"]),
        ] {
            assert_eq!(names(&files, settings.clone()).unwrap(), expected, "{settings}");
        }
    }

    #[test]
    fn skips_files_other_than_manifests() {
        for (file, text, expected) in [
            ("a.yaml", "replicas: 1\n", Some(0)),
            ("a.yaml", "a: [\n", Some(0)),
            ("a.yaml", "# nothing\n", Some(0)),
            ("a.yaml", "apiVersion: v1\nkind: \"\"\nmetadata: {}\n", None),
            ("a.yaml", "kind: A\n---\nreplicas: 1\n", None),
            ("a.yaml", "kind: List\nitems: [{kind: A}, {kind: B}]\n", Some(2)),
            ("a.yaml", "kind: AList\nitems: null\n", Some(0)),
            ("a.json", "{\"kind\": \"A\"}", Some(1)),
            ("a.json", "{\"kind\": \"A\"} {\"kind\": \"A\"}", None),
            ("a.json", "[]", None),
            ("a.json", "", None),
        ] {
            let actual = names(&[(file, text)], json!({}));
            assert_eq!(actual.as_ref().ok().map(Vec::len), expected, "{text} {actual:?}");
        }
    }
}
