//! The kustomization that Argo CD builds: the one in the directory, changed by `kustomize edit` (`kustomize.Build`).

use serde_json::{Map, Value, json};

use super::environment::Environment;
use crate::gitops::object::{items, text};
use crate::gitops::path::{join, resolve};
use crate::gitops::tree::RepositoryTree;
use crate::input::is_remote;

type Fields = Map<String, Value>;

/// Applies the options of `source.kustomize` to a kustomization. Returns whether there are any.
///
/// # Errors
///
/// Returns the reason that kustomize or Argo CD rejects an option.
pub fn edit(
    kustomization: &mut Fields,
    options: &Value,
    environment: &Environment<'_>,
    tree: &RepositoryTree,
    directory: &str,
) -> Result<bool, String> {
    let before = kustomization.clone();
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
    Ok(*kustomization != before)
}

fn is_set(options: &Value, key: &str) -> bool {
    options.get(key) == Some(&Value::Bool(true))
}

fn set(kustomization: &mut Fields, field: &str, value: &str) {
    if !value.is_empty() {
        kustomization.insert(field.to_owned(), value.into());
    }
}

fn append(kustomization: &mut Fields, field: &str, more: Vec<Value>) -> Result<(), String> {
    if more.is_empty() {
        return Ok(());
    }
    let list = kustomization.entry(field).or_insert_with(|| json!([]));
    let list = list.as_array_mut().ok_or_else(|| format!("`{field}` in the kustomization is not a list"))?;
    list.extend(more);
    Ok(())
}

/// Adds new entries, replacing those with the same names, and sorts all entries by name.
fn replace_by_name(kustomization: &mut Fields, field: &str, new: Vec<Value>) {
    if new.is_empty() {
        return;
    }
    let mut entries: Vec<Value> = kustomization.get(field).and_then(Value::as_array).cloned().unwrap_or_default();
    for entry in new {
        entries.retain(|other| text(other, "name") != text(&entry, "name"));
        entries.push(entry);
    }
    entries.sort_by(|one, other| text(one, "name").cmp(text(other, "name")));
    kustomization.insert(field.to_owned(), entries.into());
}

/// Port of `kustomize edit set image`.
fn set_images(kustomization: &mut Fields, options: &Value, environment: &Environment<'_>) -> Result<(), String> {
    let mut new = Vec::new();
    for argument in items(options, "images").iter().filter_map(Value::as_str) {
        let mut image = image(&environment.expand(argument)).ok_or_else(|| format!("`{argument}` is not an image"))?;
        let mut known = kustomization.get("images").and_then(Value::as_array).into_iter().flatten();
        let known = known.rfind(|known| text(known, "name") == text(&image, "name")).cloned();
        // An asterisk keeps the value from the kustomization.
        for field in ["newName", "newTag", "digest"] {
            if text(&image, field) == "*" {
                let kept = known.as_ref().map_or("", |known| text(known, field)).to_owned();
                image
                    .as_object_mut()
                    .into_iter()
                    .for_each(|image| drop(image.insert(field.to_owned(), kept.clone().into())));
            }
        }
        new.push(image);
    }
    replace_by_name(kustomization, "images", new);
    Ok(())
}

/// Parses `NAME=NEW:TAG`, `NAME=NEW@DIGEST`, `NAME:TAG` and the like.
fn image(argument: &str) -> Option<Value> {
    let (name, rest) = match argument.split_once('=') {
        Some((name, rest)) => (Some(name), rest),
        None => (None, argument),
    };
    let parts = match rest.split_once('@') {
        Some((new, digest)) => (new, "", digest.split('@').next().unwrap_or_default()),
        None => match rest.rsplit_once(':').filter(|(_, tag)| is_tag(tag)) {
            Some((new, tag)) => (new, tag, ""),
            None if name.is_some() && !rest.is_empty() => (rest, "", ""),
            None => return None,
        },
    };
    let (new, tag, digest) = parts;
    Some(match name {
        Some(name) => json!({"name": name, "newName": new, "newTag": tag, "digest": digest}),
        None => json!({"name": new, "newTag": tag, "digest": digest}),
    })
}

fn is_tag(tag: &str) -> bool {
    tag == "*" || tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
}

/// Port of `kustomize edit set replicas`.
fn set_replicas(kustomization: &mut Fields, options: &Value) -> Result<(), String> {
    let mut new = Vec::new();
    for replica in items(options, "replicas") {
        let count = match replica.get("count") {
            Some(Value::Number(count)) => count.as_i64(),
            Some(Value::String(count)) => count.parse().ok(),
            _ => None,
        };
        let name = text(replica, "name");
        let count = count.ok_or_else(|| format!("the replicas of `{name}` are not a number"))?;
        new.push(json!({"name": name, "count": count}));
    }
    replace_by_name(kustomization, "replicas", new);
    Ok(())
}

/// Adds entries to a mapping. An existing key is an error unless `is_forced` is set.
fn add_entries(into: &mut Value, new: Vec<(String, String)>, is_forced: bool, what: &str) -> Result<(), String> {
    if !into.is_object() {
        *into = json!({});
    }
    for (key, value) in new {
        let Some(entries) = into.as_object_mut() else { continue };
        if entries.contains_key(&key) && !is_forced {
            return Err(format!(
                "the {what} `{key}` is already in the kustomization; set `forceCommon{}s`",
                capitalize(what)
            ));
        }
        entries.insert(key, value.into());
    }
    Ok(())
}

fn capitalize(word: &str) -> String {
    let mut word = word.to_owned();
    if let Some(first) = word.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    word
}

fn entries(options: &Value, field: &str, expand: impl Fn(&str) -> String) -> Vec<(String, String)> {
    let entries = options.get(field).and_then(Value::as_object).into_iter().flatten();
    entries.map(|(key, value)| (key.clone(), expand(value.as_str().unwrap_or_default()))).collect()
}

/// Port of `kustomize edit add label`.
fn add_labels(kustomization: &mut Fields, options: &Value, environment: &Environment<'_>) -> Result<(), String> {
    let new = entries(options, "commonLabels", |value| environment.expand(value));
    if new.is_empty() {
        return Ok(());
    }
    let (is_forced, templates) = (is_set(options, "forceCommonLabels"), is_set(options, "labelIncludeTemplates"));
    if !is_set(options, "labelWithoutSelector") {
        if templates {
            return Err("`labelIncludeTemplates` needs `labelWithoutSelector`".to_owned());
        }
        let labels = kustomization.entry("commonLabels").or_insert_with(|| json!({}));
        return add_entries(labels, new, is_forced, "label");
    }
    let labels = kustomization.entry("labels").or_insert_with(|| json!([]));
    let labels = labels.as_array_mut().ok_or("`labels` in the kustomization is not a list")?;
    let is_alike =
        |label: &&mut Value| !is_set(label, "includeSelectors") && is_set(label, "includeTemplates") == templates;
    if let Some(label) = labels.iter_mut().find(is_alike).and_then(Value::as_object_mut) {
        return add_entries(label.entry("pairs").or_insert_with(|| json!({})), new, is_forced, "label");
    }
    let pairs: Fields = new.into_iter().map(|(key, value)| (key, value.into())).collect();
    labels.push(json!({"pairs": pairs, "includeTemplates": templates}));
    Ok(())
}

/// Port of `kustomize edit add annotation`.
fn add_annotations(kustomization: &mut Fields, options: &Value, environment: &Environment<'_>) -> Result<(), String> {
    let is_expanded = is_set(options, "commonAnnotationsEnvsubst");
    let expand = |value: &str| if is_expanded { environment.expand(value) } else { value.to_owned() };
    let new = entries(options, "commonAnnotations", expand);
    if new.is_empty() {
        return Ok(());
    }
    let annotations = kustomization.entry("commonAnnotations").or_insert_with(|| json!({}));
    add_entries(annotations, new, is_set(options, "forceCommonAnnotations"), "annotation")
}

/// Port of `kustomize edit add component`. With `ignoreMissingComponents`, components that do not exist are skipped.
fn add_components(
    kustomization: &mut Fields,
    options: &Value,
    tree: &RepositoryTree,
    directory: &str,
) -> Result<(), String> {
    let mut new = Vec::new();
    for component in items(options, "components").iter().filter_map(Value::as_str) {
        let exists = resolve(directory, component).is_some_and(|path| tree.get(&path).is_some());
        if !exists && !is_remote(component) {
            if is_set(options, "ignoreMissingComponents") {
                continue;
            }
            return Err(format!("the component `{}` does not exist", join(directory, component)));
        }
        let known = kustomization.get("components").and_then(Value::as_array).into_iter().flatten();
        let is_known = known.chain(&new).any(|known| known == component);
        new.extend((!is_known).then(|| component.into()));
    }
    append(kustomization, "components", new)
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
            ("a", None),
        ] {
            assert_eq!(image(argument), expected, "{argument}");
        }
    }
    /// Applies options to a kustomization in a repository without other files.
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
                json!({"images": [{"name": "z", "newTag": "1"}, {"name": "a", "newName": "r/a"}]}),
                json!({"images": ["a=*:2"]}),
                json!({"images": [{"name": "a", "newName": "r/a", "newTag": "2", "digest": ""}, {"name": "z", "newTag": "1"}]}),
            ),
            (
                json!({}),
                json!({"replicas": [{"name": "d", "count": "3"}]}),
                json!({"replicas": [{"name": "d", "count": 3}]}),
            ),
            (
                json!({"commonLabels": {"a": "b"}}),
                json!({"commonLabels": {"c": "$ARGOCD_APP_NAME"}}),
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
