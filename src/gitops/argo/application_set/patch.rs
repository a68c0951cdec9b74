//! Generator templates, and `templatePatch`.

use serde_json::{Map, Value};

use crate::gitops::object::{Object, read_objects};

/// Returns a generator's template, with empty fields filled in from the ApplicationSet's template
/// (`mergeGeneratorTemplate`).
pub fn with_defaults(template: Option<&Value>, base: &Value) -> Value {
    match template {
        Some(own) => merge_templates(own, base),
        None => base.clone(),
    }
}

fn merge_templates(template: &Value, base: &Value) -> Value {
    let (Value::Object(own_fields), Value::Object(base_fields)) = (template, base) else {
        return if is_empty(template) { base.clone() } else { template.clone() };
    };
    let mut fields = own_fields.clone();
    for (key, value) in base_fields {
        match fields.get_mut(key) {
            None => drop(fields.insert(key.clone(), value.clone())),
            // Argo CD decodes Helm values as bytes, so they are not merged.
            Some(Value::Object(_)) if key == "valuesObject" => {}
            Some(own) => *own = merge_templates(own, value),
        }
    }
    Value::Object(fields)
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Number(value) => value.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(_) => false,
    }
}

/// Fields of an Application that are strings, as JSON pointers.
const STRINGS: [&str; 11] = [
    "/metadata/name",
    "/spec/project",
    "/spec/destination/name",
    "/spec/destination/namespace",
    "/spec/destination/server",
    "/spec/source/chart",
    "/spec/source/path",
    "/spec/source/repoURL",
    "/spec/source/targetRevision",
    "/spec/source/kustomize/namePrefix",
    "/spec/source/kustomize/nameSuffix",
];

/// Returns the first field of a patch that must be a string but has another type, such as an unquoted number.
fn misfit_description(patch: &Value) -> Option<String> {
    let is_misfit = |pointer: &&str| patch.pointer(pointer).is_some_and(|value| !value.is_string() && !value.is_null());
    let pointer = STRINGS.into_iter().find(is_misfit)?;
    Some(pointer.trim_start_matches('/').replace('/', "."))
}

/// Applies a rendered `templatePatch` to an Application (`applyTemplatePatch`). The Application type has no merge keys,
/// so lists are replaced. The project cannot be changed.
///
/// # Errors
///
/// Returns the reason why the patch is not valid.
pub fn apply(application: &mut Object, patch: &str) -> Result<(), String> {
    let documents = read_objects(patch).map_err(|problem| format!("`templatePatch` is not valid YAML: {problem}"))?;
    let Some(patch) = documents.first() else {
        return Ok(());
    };
    if let Some(field) = misfit_description(patch) {
        return Err(format!("`{field}` in `templatePatch` is not a string"));
    }
    let Value::Object(patch) = patch else {
        return Err("`templatePatch` is not a mapping".to_owned());
    };
    let old_project = application.get("spec").and_then(|spec| spec.get("project")).cloned();
    if let Value::Object(fields) = application {
        merge(fields, patch);
    }
    if let Some(spec) = application.get_mut("spec").and_then(Value::as_object_mut) {
        spec.remove("project");
        spec.extend(old_project.map(|project| ("project".to_owned(), project)));
    }
    Ok(())
}

/// Merges a strategic merge patch for a type without merge keys: `null` and `$patch: delete` remove a field, and
/// `$patch: replace` replaces it.
fn merge(fields: &mut Map<String, Value>, patch: &Map<String, Value>) {
    for (key, value) in patch {
        let directive = value.get("$patch").and_then(Value::as_str);
        match (value, fields.get_mut(key)) {
            (Value::Null, _) => drop(fields.remove(key)),
            _ if directive == Some("delete") => drop(fields.remove(key)),
            (Value::Object(patch), Some(Value::Object(fields))) if directive != Some("replace") => merge(fields, patch),
            (value, _) => drop(fields.insert(key.clone(), remove_directives(value))),
        }
    }
}

/// Returns a copy of a value without `$patch` directives and nulls.
fn remove_directives(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let kept_fields = fields.iter().filter(|(key, value)| *key != "$patch" && !value.is_null());
            Value::Object(kept_fields.map(|(key, value)| (key.clone(), remove_directives(value))).collect())
        }
        value => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn rejects_patches_with_wrong_types() {
        let application = json!({"spec": {"source": {"path": "a"}}});
        for (patch, expected) in [
            (
                "spec: {source: {targetRevision: 1.0}}",
                "`spec.source.targetRevision` in `templatePatch` is not a string",
            ),
            ("metadata: {name: true}", "`metadata.name` in `templatePatch` is not a string"),
            ("- a", "`templatePatch` is not a mapping"),
        ] {
            assert_eq!(apply(&mut application.clone(), patch), Err(expected.to_owned()));
        }
        for patch in ["spec: {source: {path: null}}", "spec: {source: {targetRevision: \"1.0\"}}", ""] {
            assert_eq!(apply(&mut application.clone(), patch), Ok(()));
        }
    }

    #[test]
    fn defaults_replace_empty_fields() {
        let base = json!({"empty": 1, "set": 1, "below": {"a": "x", "b": "y"}, "base": []});
        for empty in [json!(null), json!(false), json!(0), json!(""), json!([])] {
            let own_template = json!({"empty": empty, "set": 2, "below": {"a": empty}, "own": empty});
            let expected = json!({"empty": 1, "set": 2, "below": {"a": "x", "b": "y"}, "base": [], "own": empty});
            assert_eq!(with_defaults(Some(&own_template), &base), expected);
        }
        for set in [json!(true), json!(1), json!("a"), json!([0]), json!({})] {
            assert_eq!(with_defaults(Some(&json!({"empty": set})), &base)["empty"], set);
        }
        assert_eq!(with_defaults(None, &base), base);
        let (own_template, base) = (json!({"valuesObject": {"a": ""}}), json!({"valuesObject": {"a": 1, "b": 2}}));
        assert_eq!(with_defaults(Some(&own_template), &base), own_template);
    }
}
