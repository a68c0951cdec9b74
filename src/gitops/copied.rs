//! Values of Secrets that kustomize copies to other objects, with replacements or vars.

use serde_json::Value;

use super::flux::{Build, source_values};
use super::object::{read_objects, text};
use super::path::is_manifest;
use super::substitution::placeholder;
use super::tree::RepositoryTree;

/// Minimum length of a value to replace: shorter ones also occur elsewhere by chance.
const MIN_LENGTH: usize = 4;

/// Maximum number of values to search for.
const MAX_VALUES: usize = 1_000;

/// Replaces values of Secrets in the other objects of a build with placeholders. Returns whether there were any.
pub fn hide_copies(tree: &RepositoryTree, build: &mut Build) -> bool {
    let files = build.files.iter().filter(|file| is_manifest(file));
    let is_secret = |object: &Value| text(object, "kind") == "Secret";
    let texts = files.filter_map(|file| tree.text(file)).filter(|text| text.contains("Secret"));
    let mut secrets: Vec<_> = texts.flat_map(|text| read_objects(&text).unwrap_or_default()).collect();
    secrets.extend(build.objects.iter().map(|built| built.object.clone()));
    let values = secrets.iter().filter(|object| is_secret(object)).flat_map(|secret| {
        let encoded = secret.get("data").and_then(Value::as_object).into_iter().flatten();
        let encoded = encoded.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())));
        source_values(secret).into_iter().chain(encoded)
    });
    let mut values: Vec<_> = values.filter(|(_, value)| value.len() >= MIN_LENGTH).collect();
    // A value can contain another one.
    values.sort_by(|(_, one), (_, other)| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
    values.dedup_by(|(_, one), (_, other)| one == other);
    values.truncate(MAX_VALUES);
    let mut is_changed = false;
    for built in build.objects.iter_mut().filter(|built| !is_secret(&built.object)) {
        hide(&mut built.object, &values, &mut is_changed);
    }
    is_changed
}

fn hide(value: &mut Value, values: &[(String, String)], is_changed: &mut bool) {
    match value {
        Value::String(text) => {
            for (name, secret) in values {
                if text.contains(secret.as_str()) {
                    *text = text.replace(secret.as_str(), &placeholder(name));
                    *is_changed = true;
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| hide(item, values, is_changed)),
        Value::Object(fields) => fields.values_mut().for_each(|field| hide(field, values, is_changed)),
        _ => {}
    }
}
