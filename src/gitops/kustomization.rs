//! Kustomization file that Flux builds for a Kustomization: the existing file in its path or a generated one, with the
//! Kustomization's spec applied (`kustomize_generator.go` in fluxcd/pkg).

use serde_json::{Map, Value, json};

use super::artifact::{Artifact, PathKind};
use super::cause::incomplete_object;
use super::failure::Failure;
use super::object::{items, read_objects, text};
use super::path::{join, parent, resolve, strip_directory};
use super::tree::RepositoryTree;
use crate::go::url::redact;
use crate::input::is_remote;
use crate::input::kustomize::FILES;

/// Fields of a patch target.
const TARGET_FIELDS: [&str; 7] =
    ["group", "version", "kind", "name", "namespace", "labelSelector", "annotationSelector"];

/// Fields of a kustomization (`types.Kustomization`).
const FIELDS: [&str; 34] = [
    "apiVersion",
    "kind",
    "metadata",
    "openapi",
    "namePrefix",
    "nameSuffix",
    "namespace",
    "commonLabels",
    "labels",
    "commonAnnotations",
    "patchesStrategicMerge",
    "patchesJson6902",
    "patches",
    "images",
    "imageTags",
    "replacements",
    "replicas",
    "vars",
    "sortOptions",
    "resources",
    "components",
    "crds",
    "bases",
    "configMapGenerator",
    "secretGenerator",
    "helmGlobals",
    "helmCharts",
    "helmChartInflationGenerator",
    "generatorOptions",
    "configurations",
    "generators",
    "transformers",
    "validators",
    "buildMetadata",
];

/// A kustomization to build, after the Flux Kustomization's spec has been applied to it.
#[derive(Clone, Debug, PartialEq)]
pub struct MergedKustomization {
    /// Path of the kustomization's file in the artifact.
    pub file: String,
    pub value: Value,
    /// Whether Flux generates the file because the directory has no kustomization.
    pub is_generated: bool,
    /// Patches in the Flux Kustomization's spec.
    pub patches: Vec<String>,
}

/// Returns the kustomization for a directory in an artifact. `spec` is the Flux Kustomization's spec.
///
/// # Errors
///
/// Returns the reason why Flux does not build the directory.
pub fn merge_spec(
    tree: &RepositoryTree,
    artifact: &Artifact,
    directory: &str,
    spec: &Value,
    is_old: bool,
) -> Result<MergedKustomization, Failure> {
    let mut merged = match existing_kustomization(tree, artifact, directory)? {
        Some(merged) => merged,
        None => generate(tree, artifact, directory)?,
    };
    let fields =
        merged.value.as_object_mut().ok_or_else(|| Failure::build_mistake("the kustomization is not a mapping"))?;
    keep_known_fields(fields);
    if !merged.is_generated && !has_items(fields, "resources") {
        fields.insert("buildMetadata".to_owned(), json!(["originAnnotations"]));
    }
    for (name, field) in [("targetNamespace", "namespace"), ("namePrefix", "namePrefix"), ("nameSuffix", "nameSuffix")]
    {
        match text(spec, name) {
            "" => {}
            value => drop(fields.insert(field.to_owned(), value.into())),
        }
    }
    append(fields, "patches", items(spec, "patches").iter().map(patch_entry));
    merged.patches = items(spec, "patches").iter().map(|patch| text(patch, "patch").to_owned()).collect();
    for component in items(spec, "components").iter().filter_map(Value::as_str) {
        if is_remote(component) || component.starts_with('/') {
            let reason = format!("the component `{}` is not a relative path", redact(component));
            return Err(Failure::build_mistake(reason));
        }
        if !is_missing(artifact, directory, component) {
            append(fields, "components", [component.into()]);
        }
    }
    if is_old {
        append(
            fields,
            "patchesStrategicMerge",
            items(spec, "patchesStrategicMerge").iter().map(|patch| patch.to_string().into()),
        );
        let patches = items(spec, "patchesJson6902").iter();
        let patches =
            patches.map(|one| json!({"patch": one.get("patch").map(Value::to_string), "target": target_entry(one)}));
        append(fields, "patchesJson6902", patches);
    }
    for image in items(spec, "images") {
        set_image(fields, image);
    }
    if let metadata @ [_, ..] = items(spec, "buildMetadata") {
        fields.insert("buildMetadata".to_owned(), metadata.into());
    }
    Ok(merged)
}

/// Returns the first component in a Flux Kustomization's spec that is required but does not exist, with its index.
pub fn missing_component<'s>(artifact: &Artifact, directory: &str, spec: &'s Value) -> Option<(usize, &'s str)> {
    let is_required = spec.get("ignoreMissingComponents") != Some(&Value::Bool(true));
    let components = items(spec, "components").iter().filter_map(Value::as_str).enumerate();
    // Paths outside the repository are reported elsewhere.
    let is_local = |path: &str| !is_remote(path) && !path.starts_with('/') && resolve(directory, path).is_some();
    let mut missing_components = components.filter(|(_, path)| is_local(path) && is_missing(artifact, directory, path));
    missing_components.next().filter(|_| is_required)
}

fn is_missing(artifact: &Artifact, directory: &str, component: &str) -> bool {
    resolve(directory, component).is_some_and(|path| artifact.get(&path).is_none())
}

/// Returns the kustomization in a directory.
pub fn existing_kustomization(
    tree: &RepositoryTree,
    artifact: &Artifact,
    directory: &str,
) -> Result<Option<MergedKustomization>, String> {
    for name in FILES {
        let file = join(directory, name);
        match artifact.get(&file) {
            None => continue,
            Some(PathKind::Directory) => return Err(format!("`{file}` is a directory")),
            Some(PathKind::File) => {}
        }
        let text = artifact.file(&file).and_then(|file| tree.text(file));
        let text = text.ok_or_else(|| format!("`{file}` cannot be read"))?;
        let documents = read_objects(&text).map_err(|problem| format!("`{file}` is not valid YAML: {problem}"))?;
        let mut value = documents.into_iter().next().unwrap_or_else(|| json!({}));
        let fields = value.as_object_mut().ok_or_else(|| format!("`{file}` is not a mapping"))?;
        fields.retain(|_, value| !value.is_null());
        fields.entry("apiVersion").or_insert_with(|| "kustomize.config.k8s.io/v1beta1".into());
        fields.entry("kind").or_insert_with(|| "Kustomization".into());
        convert_values(fields);
        return Ok(Some(MergedKustomization { file, value, is_generated: false, patches: Vec::new() }));
    }
    Ok(None)
}

/// Keeps the fields that Go's decoder reads, regardless of the case of their names. Flux writes only these fields, so
/// kustomize receives no others.
fn keep_known_fields(fields: &mut Map<String, Value>) {
    let known_fields = std::mem::take(fields).into_iter().filter_map(|(name, value)| {
        let known_field = FIELDS.iter().find(|field| field.eq_ignore_ascii_case(&name))?;
        Some(((*known_field).to_owned(), value))
    });
    fields.extend(known_fields);
}

/// Converts scalars in string fields to strings, as if they were decoded into Go's types: `newTag: 1.10` becomes `1.1`.
fn convert_values(fields: &mut Map<String, Value>) {
    for name in ["namespace", "namePrefix", "nameSuffix"] {
        fields.get_mut(name).into_iter().for_each(convert_to_string);
    }
    for name in ["commonLabels", "commonAnnotations"] {
        let values = fields.get_mut(name).and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut);
        values.for_each(convert_to_string);
    }
    for image in fields.get_mut("images").and_then(Value::as_array_mut).into_iter().flatten() {
        image.as_object_mut().into_iter().flat_map(Map::values_mut).for_each(convert_to_string);
    }
    for label in fields.get_mut("labels").and_then(Value::as_array_mut).into_iter().flatten() {
        let pairs = label.get_mut("pairs").and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut);
        pairs.for_each(convert_to_string);
    }
}

fn convert_to_string(value: &mut Value) {
    match value {
        Value::Bool(_) | Value::Number(_) => *value = Value::String(value.to_string()),
        _ => {}
    }
}

/// Returns the kustomization that Flux generates for a directory without one (`scanManifests`).
fn generate(tree: &RepositoryTree, artifact: &Artifact, directory: &str) -> Result<MergedKustomization, Failure> {
    let mut resources: Vec<Value> = Vec::new();
    let mut whole_directory: Option<String> = None;
    for (path, file) in artifact.files_below(directory) {
        let relative_path = strip_directory(path, directory).unwrap_or(path);
        if whole_directory.as_deref().is_some_and(|directory| strip_directory(path, directory).is_some()) {
            continue;
        }
        if let Some(outermost) = outermost_kustomization(artifact, directory, parent(path)) {
            resources.push(format!("./{}", strip_directory(&outermost, directory).unwrap_or_default()).into());
            whole_directory = Some(outermost);
            continue;
        }
        if !(relative_path.ends_with(".yaml") || relative_path.ends_with(".yml")) {
            continue;
        }
        let objects =
            tree.text(file).ok_or_else(|| "it cannot be read".to_owned()).and_then(|text| read_objects(&text));
        let problem = match objects {
            Err(problem) => Some(problem),
            Ok(objects) => objects.iter().find_map(reason_not_object),
        };
        if let Some(problem) = problem {
            let reason = format!(
                "`{path}` does not contain Kubernetes objects: {problem}; without a kustomization, Flux applies every YAML file in the path"
            );
            let cause = tree.text(file).and_then(|text| incomplete_object(file, &text));
            return Err(Failure::build_mistake(reason).with_cause(cause));
        }
        resources.push(format!("./{relative_path}").into());
    }
    // kustomize rejects empty kustomizations.
    let (name, content) =
        if resources.is_empty() { ("namespace", json!("_placeholder")) } else { ("resources", resources.into()) };
    let value = json!({"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization", name: content});
    let file = join(directory, FILES.first().unwrap_or(&""));
    Ok(MergedKustomization { file, value, is_generated: true, patches: Vec::new() })
}

/// Returns the outermost directory with a kustomization on the path from `top` to `directory`, excluding `top` itself.
fn outermost_kustomization(artifact: &Artifact, top: &str, directory: &str) -> Option<String> {
    let mut outermost = None;
    let mut ancestor = directory;
    while ancestor != top && strip_directory(ancestor, top).is_some() {
        if FILES.iter().any(|name| artifact.get(&join(ancestor, name)) == Some(PathKind::File)) {
            outermost = Some(ancestor.to_owned());
        }
        ancestor = parent(ancestor);
    }
    outermost
}

/// Returns the reason why a document is not an object, or `None` if it is an object.
fn reason_not_object(value: &Value) -> Option<String> {
    let kind = text(value, "kind");
    let missing_field = match value {
        Value::Object(_) if kind.is_empty() => "a document has no `kind`",
        Value::Object(_) if kind.ends_with("List") => return None,
        Value::Object(_) if !has_name(value) => "an object has no `metadata.name`",
        Value::Object(_) => return None,
        _ => "a document is not a mapping",
    };
    Some(missing_field.to_owned())
}

/// Whether an object has a name. kustomize treats names such as `on` as strings.
fn has_name(value: &Value) -> bool {
    match value.get("metadata").and_then(|metadata| metadata.get("name")) {
        Some(Value::String(name)) => !name.is_empty(),
        name => matches!(name, Some(Value::Bool(_) | Value::Number(_))),
    }
}

fn has_items(fields: &Map<String, Value>, name: &str) -> bool {
    fields.get(name).and_then(Value::as_array).is_some_and(|items| !items.is_empty())
}

fn append(fields: &mut Map<String, Value>, name: &str, added: impl IntoIterator<Item = Value>) {
    let mut more = added.into_iter().peekable();
    if more.peek().is_none() {
        return;
    }
    let list = fields.entry(name).or_insert_with(|| json!([]));
    if !list.is_array() {
        *list = json!([]);
    }
    list.as_array_mut().into_iter().for_each(|list| list.extend(more.by_ref()));
}

fn patch_entry(patch: &Value) -> Value {
    let mut result = json!({"patch": text(patch, "patch")});
    if let (Some(fields), Some(_)) = (result.as_object_mut(), patch.get("target").filter(|target| target.is_object())) {
        fields.insert("target".to_owned(), target_entry(patch));
    }
    result
}

fn target_entry(patch: &Value) -> Value {
    let target = patch.get("target");
    let field = |name: &&str| Some(((*name).to_owned(), target?.get(name)?.clone()));
    Value::Object(TARGET_FIELDS.iter().filter_map(field).collect())
}

/// Merges an image by name. A new tag or digest replaces both.
fn set_image(fields: &mut Map<String, Value>, image: &Value) {
    let name = text(image, "name");
    let images = fields.entry("images").or_insert_with(|| json!([]));
    let existing_image = images.as_array_mut().into_iter().flatten().find(|other| text(other, "name") == name);
    let [new_name, tag, digest] = ["newName", "newTag", "digest"].map(|key| text(image, key).to_owned());
    let Some(Value::Object(existing_image)) = existing_image else {
        append(fields, "images", [json!({"name": name, "newName": new_name, "newTag": tag, "digest": digest})]);
        return;
    };
    if !new_name.is_empty() {
        existing_image.insert("newName".to_owned(), new_name.into());
    }
    if !(tag.is_empty() && digest.is_empty()) {
        existing_image.insert("newTag".to_owned(), tag.into());
        existing_image.insert("digest".to_owned(), digest.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merges_images_by_name() {
        let mut kustomization =
            json!({"images": [{"name": "a", "newName": "r/a", "digest": "sha256:1"}, {"name": "c", "newTag": 1.10}]});
        let fields = kustomization.as_object_mut().unwrap();
        convert_values(fields);
        set_image(fields, &json!({"name": "a", "newTag": "2"}));
        set_image(fields, &json!({"name": "b", "newName": "r/b"}));
        let images = json!([
            {"name": "a", "newName": "r/a", "newTag": "2", "digest": ""},
            {"name": "c", "newTag": "1.1"},
            {"name": "b", "newName": "r/b", "newTag": "", "digest": ""},
        ]);
        assert_eq!(fields["images"], images);
    }

    #[test]
    fn recognizes_documents_that_are_not_objects() {
        for (value, expected) in [
            (json!({"replicas": 2}), true),
            (json!({"kind": "A"}), true),
            (json!({"kind": "AList"}), false),
            (json!({"kind": "A", "metadata": {"name": "a"}}), false),
            (json!([1]), true),
        ] {
            assert_eq!(reason_not_object(&value).is_some(), expected, "{value}");
        }
    }
}
