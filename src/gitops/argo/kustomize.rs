//! The kustomization that Argo CD builds: the kustomization in the directory, changed by `kustomize edit`
//! (`kustomize.Build`).

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::environment::Environment;
use crate::gitops::object::{items, text};
use crate::gitops::path::{join, resolve};
use crate::gitops::tree::RepositoryTree;
use crate::input::is_remote;

type Fields = Map<String, Value>;

/// Applies the options of `source.kustomize` to a kustomization. Returns whether there are any options.
///
/// # Errors
///
/// Returns the reason why kustomize or Argo CD rejects an option.
pub fn edit(
    kustomization: &mut Fields,
    options: &Value,
    environment: &Environment<'_>,
    tree: &RepositoryTree,
    directory: &str,
) -> Result<bool, String> {
    let original = kustomization.clone();
    for field in ["namePrefix", "nameSuffix"] {
        set(kustomization, field, text(options, field));
    }
    set_images(kustomization, options, environment)?;
    set_replicas(kustomization, options)?;
    add_labels(kustomization, options, environment)?;
    add_annotations(kustomization, options, environment)?;
    set(kustomization, "namespace", text(options, "namespace"));
    append(kustomization, "patches", items(options, "patches").to_vec())?;
    add_components(kustomization, options, tree, directory)?;
    Ok(*kustomization != original)
}

fn is_set(options: &Value, key: &str) -> bool {
    options.get(key) == Some(&Value::Bool(true))
}

fn set(kustomization: &mut Fields, field: &str, value: &str) {
    if !value.is_empty() {
        kustomization.insert(field.to_owned(), value.into());
    }
}

fn append(kustomization: &mut Fields, field: &str, added: Vec<Value>) -> Result<(), String> {
    if added.is_empty() {
        return Ok(());
    }
    let list = kustomization.entry(field).or_insert_with(|| json!([]));
    let list = list.as_array_mut().ok_or_else(|| format!("`{field}` in the kustomization is not a list"))?;
    list.extend(added);
    Ok(())
}

/// Replaces entries that have the same name as new entries, and sorts all entries by name. If several entries have the
/// same name, the last new entry counts or, if there is none, the first existing one. An asterisk in a new entry keeps
/// the replaced value.
fn replace_by_name(kustomization: &mut Fields, field: &str, replacements: Vec<Value>) {
    if replacements.is_empty() {
        return;
    }
    let keyed_by_name = |entry: Value| (text(&entry, "name").to_owned(), entry);
    let mut entries: BTreeMap<String, Value> = replacements.into_iter().map(keyed_by_name).collect();
    for existing_entry in kustomization.get(field).and_then(Value::as_array).into_iter().flatten() {
        let entry = entries.entry(text(existing_entry, "name").to_owned()).or_insert_with(|| existing_entry.clone());
        replace_asterisks(entry, existing_entry);
    }
    entries.values_mut().for_each(|entry| replace_asterisks(entry, &Value::Null));
    kustomization.insert(field.to_owned(), entries.into_values().collect());
}

fn replace_asterisks(entry: &mut Value, existing_entry: &Value) {
    for field in ["newName", "newTag", "digest"] {
        if let Some(value) = entry.get_mut(field).filter(|value| *value == "*") {
            *value = text(existing_entry, field).into();
        }
    }
}

/// Port of `kustomize edit set image`.
fn set_images(kustomization: &mut Fields, options: &Value, environment: &Environment<'_>) -> Result<(), String> {
    let images = items(options, "images").iter().filter_map(Value::as_str).map(|argument| {
        parse_image(&environment.expand(argument)).ok_or_else(|| format!("`{argument}` is not an image"))
    });
    replace_by_name(kustomization, "images", images.collect::<Result<_, _>>()?);
    Ok(())
}

/// Parses `NAME=NEW:TAG@DIGEST`. `NAME=`, the tag and the digest are optional.
fn parse_image(argument: &str) -> Option<Value> {
    let (name, image) = match argument.split_once('=') {
        Some((name, image)) => (Some(name), image),
        None => (None, argument),
    };
    let (new_name, tag, digest) = split_image(image);
    match name {
        Some(name) => Some(json!({"name": name, "newName": new_name, "newTag": tag, "digest": digest})),
        None if new_name == argument => None,
        None => Some(json!({"name": new_name, "newTag": tag, "digest": digest})),
    }
}

/// Splits an image into name, tag and digest (`image.Split`). A colon before the first slash belongs to a port.
fn split_image(image: &str) -> (&str, &str, &str) {
    let path = image.find('/').unwrap_or_default();
    let find = |separator| image.get(path..).and_then(|rest| rest.find(separator)).map(|at| path + at);
    let part = |range: std::ops::Range<usize>| image.get(range).unwrap_or_default();
    match (find(':'), find('@')) {
        (None, None) => (image, "", ""),
        (Some(colon), None) => (part(0..colon), part(colon + 1..image.len()), ""),
        (Some(colon), Some(at)) if colon < at => (part(0..colon), part(colon + 1..at), part(at + 1..image.len())),
        (_, Some(at)) => (part(0..at), "", part(at + 1..image.len())),
    }
}

/// Port of `kustomize edit set replicas`.
fn set_replicas(kustomization: &mut Fields, options: &Value) -> Result<(), String> {
    let mut new_replicas = Vec::new();
    for replica in items(options, "replicas") {
        let count = match replica.get("count") {
            Some(Value::Number(count)) => count.as_i64(),
            Some(Value::String(count)) => count.parse().ok(),
            _ => None,
        };
        let name = text(replica, "name");
        let count = count.ok_or_else(|| format!("the replicas of `{name}` are not a number"))?;
        new_replicas.push(json!({"name": name, "count": count}));
    }
    replace_by_name(kustomization, "replicas", new_replicas);
    Ok(())
}

/// Adds entries to a mapping. An existing key is an error unless `is_forced` is set.
fn add_entries(
    target: &mut Value,
    new_entries: Vec<(String, String)>,
    is_forced: bool,
    entry_kind: &str,
) -> Result<(), String> {
    if !target.is_object() {
        *target = json!({});
    }
    for (key, value) in new_entries {
        let Some(entries) = target.as_object_mut() else { continue };
        if entries.contains_key(&key) && !is_forced {
            return Err(format!(
                "the {entry_kind} `{key}` is already in the kustomization; set `forceCommon{}s`",
                capitalize(entry_kind)
            ));
        }
        entries.insert(key, value.into());
    }
    Ok(())
}

fn capitalize(word: &str) -> String {
    let mut word = word.to_owned();
    if let Some(first_letter) = word.get_mut(..1) {
        first_letter.make_ascii_uppercase();
    }
    word
}

fn entries(options: &Value, field: &str, expand: impl Fn(&str) -> String) -> Vec<(String, String)> {
    let entries = options.get(field).and_then(Value::as_object).into_iter().flatten();
    entries.map(|(key, value)| (key.clone(), trim_quotes(expand(value.as_str().unwrap_or_default())))).collect()
}

/// Removes double quotes around a value (`trimQuotes`).
fn trim_quotes(value: String) -> String {
    match value.strip_prefix('"').and_then(|value| value.strip_suffix('"')) {
        Some(inner) => inner.to_owned(),
        None => value,
    }
}

/// Port of `kustomize edit add label`.
fn add_labels(kustomization: &mut Fields, options: &Value, environment: &Environment<'_>) -> Result<(), String> {
    let new_labels = entries(options, "commonLabels", |value| environment.expand(value));
    if new_labels.is_empty() {
        return Ok(());
    }
    let (is_forced, templates) = (is_set(options, "forceCommonLabels"), is_set(options, "labelIncludeTemplates"));
    if !is_set(options, "labelWithoutSelector") {
        if templates {
            return Err("`labelIncludeTemplates` needs `labelWithoutSelector`".to_owned());
        }
        let labels = kustomization.entry("commonLabels").or_insert_with(|| json!({}));
        return add_entries(labels, new_labels, is_forced, "label");
    }
    let labels = kustomization.entry("labels").or_insert_with(|| json!([]));
    let labels = labels.as_array_mut().ok_or("`labels` in the kustomization is not a list")?;
    let is_same_selector =
        |label: &&mut Value| !is_set(label, "includeSelectors") && is_set(label, "includeTemplates") == templates;
    if let Some(label) = labels.iter_mut().find(is_same_selector).and_then(Value::as_object_mut) {
        return add_entries(label.entry("pairs").or_insert_with(|| json!({})), new_labels, is_forced, "label");
    }
    let pairs: Fields = new_labels.into_iter().map(|(key, value)| (key, value.into())).collect();
    labels.push(json!({"pairs": pairs, "includeTemplates": templates}));
    Ok(())
}

/// Port of `kustomize edit add annotation`.
fn add_annotations(kustomization: &mut Fields, options: &Value, environment: &Environment<'_>) -> Result<(), String> {
    let is_expanded = is_set(options, "commonAnnotationsEnvsubst");
    let expand = |value: &str| if is_expanded { environment.expand(value) } else { value.to_owned() };
    let new_annotations = entries(options, "commonAnnotations", expand);
    if new_annotations.is_empty() {
        return Ok(());
    }
    let annotations = kustomization.entry("commonAnnotations").or_insert_with(|| json!({}));
    add_entries(annotations, new_annotations, is_set(options, "forceCommonAnnotations"), "annotation")
}

/// Port of `kustomize edit add component`. With `ignoreMissingComponents`, components that do not exist are skipped.
fn add_components(
    kustomization: &mut Fields,
    options: &Value,
    tree: &RepositoryTree,
    directory: &str,
) -> Result<(), String> {
    let mut new_components = Vec::new();
    for component in items(options, "components").iter().filter_map(Value::as_str) {
        let exists = resolve(directory, component).is_some_and(|path| tree.get(&path).is_some());
        if !exists && !is_remote(component) {
            if is_set(options, "ignoreMissingComponents") {
                continue;
            }
            return Err(format!("the component `{}` does not exist", join(directory, component)));
        }
        let existing_components = kustomization.get("components").and_then(Value::as_array).into_iter().flatten();
        let is_known = existing_components.chain(&new_components).any(|known| known == component);
        new_components.extend((!is_known).then(|| component.into()));
    }
    append(kustomization, "components", new_components)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_images_like_kustomize() {
        for (argument, expected) in [
            ("a=r/b:1", Some(json!({"name": "a", "newName": "r/b", "newTag": "1", "digest": ""}))),
            ("a=r:5000/b", Some(json!({"name": "a", "newName": "r:5000/b", "newTag": "", "digest": ""}))),
            ("a=r/b@sha256:1", Some(json!({"name": "a", "newName": "r/b", "newTag": "", "digest": "sha256:1"}))),
            ("a:2", Some(json!({"name": "a", "newTag": "2", "digest": ""}))),
            ("a@sha256:1", Some(json!({"name": "a", "newTag": "", "digest": "sha256:1"}))),
            ("a=*:2", Some(json!({"name": "a", "newName": "*", "newTag": "2", "digest": ""}))),
            ("a=b:2@s:1", Some(json!({"name": "a", "newName": "b", "newTag": "2", "digest": "s:1"}))),
            ("r:5000/a:2@s", Some(json!({"name": "r:5000/a", "newTag": "2", "digest": "s"}))),
            ("a@s:1@b", Some(json!({"name": "a", "newTag": "", "digest": "s:1@b"}))),
            ("a=", Some(json!({"name": "a", "newName": "", "newTag": "", "digest": ""}))),
            ("a", None),
        ] {
            assert_eq!(parse_image(argument), expected, "{argument}");
        }
    }
    /// Applies options to a kustomization in a repository that contains no other files.
    fn edit_with(kustomization: Value, options: Value) -> Result<Value, String> {
        let scratch = tempfile::tempdir().unwrap();
        std::fs::create_dir(scratch.path().join("component")).unwrap();
        let tree = RepositoryTree::read(scratch.path(), &Default::default()).unwrap();
        let environment =
            Environment { name: "shop", namespace: "argocd", project: "p", url: "u", path: "app", revision: "main" };
        let mut fields = kustomization.as_object().unwrap().clone();
        edit(&mut fields, &options, &environment, &tree, "app")?;
        Ok(Value::Object(fields))
    }

    #[test]
    fn edits_kustomizations_like_kustomize() {
        for (before, options, after) in [
            (
                json!({"namePrefix": "x"}),
                json!({"namePrefix": "a-", "nameSuffix": "-b", "namespace": "n"}),
                json!({"namePrefix": "a-", "nameSuffix": "-b", "namespace": "n"}),
            ),
            (
                json!({"images": [
                    {"name": "z", "newTag": "1"}, {"name": "a", "newName": "r/a"}, {"name": "a"}, {"name": "z"},
                ]}),
                json!({"images": ["a:1", "a=*:2"]}),
                json!({"images": [{"name": "a", "newName": "r/a", "newTag": "2", "digest": ""}, {"name": "z", "newTag": "1"}]}),
            ),
            (
                json!({}),
                json!({"replicas": [{"name": "d", "count": "3"}]}),
                json!({"replicas": [{"name": "d", "count": 3}]}),
            ),
            (
                json!({"commonLabels": {"a": "b"}}),
                json!({"commonLabels": {"c": "\"$ARGOCD_APP_NAME\""}}),
                json!({"commonLabels": {"a": "b", "c": "shop"}}),
            ),
            (
                json!({"labels": [{"pairs": {"a": "b"}}, {"pairs": {"x": "y"}, "includeSelectors": true}]}),
                json!({"commonLabels": {"c": "d"}, "labelWithoutSelector": true}),
                json!({"labels": [{"pairs": {"a": "b", "c": "d"}}, {"pairs": {"x": "y"}, "includeSelectors": true}]}),
            ),
            (
                json!({"labels": [{"pairs": {"x": "y"}, "includeSelectors": true}]}),
                json!({"commonLabels": {"c": "d"}, "labelWithoutSelector": true, "labelIncludeTemplates": true}),
                json!({"labels": [
                    {"pairs": {"x": "y"}, "includeSelectors": true}, {"pairs": {"c": "d"}, "includeTemplates": true},
                ]}),
            ),
            (
                json!({"labels": [{"pairs": {"x": "y"}, "includeSelectors": true}]}),
                json!({"commonLabels": {"c": "d"}, "labelWithoutSelector": true}),
                json!({"labels": [
                    {"pairs": {"x": "y"}, "includeSelectors": true}, {"pairs": {"c": "d"}, "includeTemplates": false},
                ]}),
            ),
            (
                json!({"commonLabels": {"a": "b"}}),
                json!({"commonLabels": {"a": "c"}, "forceCommonLabels": true}),
                json!({"commonLabels": {"a": "c"}}),
            ),
            (
                json!({}),
                json!({"commonAnnotations": {"c": "$ARGOCD_APP_NAME"}}),
                json!({"commonAnnotations": {"c": "$ARGOCD_APP_NAME"}}),
            ),
            (
                json!({"commonAnnotations": {"a": "b"}}),
                json!({"commonAnnotations": {"a": "$ARGOCD_APP_NAME"}, "commonAnnotationsEnvsubst": true,
                       "forceCommonAnnotations": true}),
                json!({"commonAnnotations": {"a": "shop"}}),
            ),
            (
                json!({"patches": [{"path": "p.yaml"}]}),
                json!({"patches": [{"patch": "[]"}]}),
                json!({"patches": [{"path": "p.yaml"}, {"patch": "[]"}]}),
            ),
            (
                json!({}),
                json!({"components": ["../component", "../none"], "ignoreMissingComponents": true}),
                json!({"components": ["../component"]}),
            ),
        ] {
            assert_eq!(edit_with(before, options.clone()), Ok(after), "{options}");
        }
        for (before, options) in [
            (json!({"commonLabels": {"a": "b"}}), json!({"commonLabels": {"a": "c"}})),
            (json!({}), json!({"commonLabels": {"a": "c"}, "labelIncludeTemplates": true})),
            (json!({"commonAnnotations": {"a": "b"}}), json!({"commonAnnotations": {"a": "c"}})),
            (json!({}), json!({"components": ["../none"]})),
            (json!({}), json!({"images": ["a"]})),
            (json!({}), json!({"replicas": [{"name": "d", "count": "x"}]})),
        ] {
            assert!(edit_with(before, options.clone()).is_err(), "{options}");
        }
    }
}
