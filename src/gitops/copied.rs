//! Values of Secrets that kustomize copies to other objects, with replacements or vars.

use serde_json::Value;

use super::flux::Build;
use super::object::text;
use super::path::is_manifest;
use super::substitution::placeholder;
use super::tree::RepositoryTree;
use crate::input;
use crate::source::CopiedValues;

/// Returns the values of Secrets that a build may copy to other objects.
fn find_copied_values(tree: &RepositoryTree, build: &Build) -> Option<CopiedValues> {
    let stage = build.stage.as_ref().filter(|stage| stage.copies_values)?;
    let files: Vec<_> =
        build.files.iter().filter(|file| is_manifest(file)).filter_map(|file| tree.text(file)).collect();
    let files = files.iter().map(AsRef::as_ref).chain(stage.replaced_texts.iter().map(String::as_str));
    let searched_texts: Vec<_> = files.chain([build.output.text.as_str()]).collect();
    input::copied_values(&searched_texts)
}

/// Replaces values of Secrets with placeholders in all objects of a build that are not Secrets. Returns whether any
/// values were replaced.
pub fn hide_copies(tree: &RepositoryTree, build: &mut Build) -> bool {
    let Some(values) = find_copied_values(tree, build) else {
        return false;
    };
    let mut is_changed = false;
    for built in build.objects.iter_mut().filter(|built| text(&built.object, "kind") != "Secret") {
        hide_values(&mut built.object, &values, &mut is_changed);
    }
    is_changed
}

fn hide_values(value: &mut Value, values: &CopiedValues, is_changed: &mut bool) {
    match value {
        Value::String(text) => {
            if let Some(hidden_text) = values.replace_values(text, placeholder) {
                *text = hidden_text;
                *is_changed = true;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| hide_values(item, values, is_changed)),
        Value::Object(fields) => fields.values_mut().for_each(|field| hide_values(field, values, is_changed)),
        _ => {}
    }
}
