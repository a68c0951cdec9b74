//! Strings that become values of other types when Flux replaces variables.

use serde_json::Value;

use super::object::{Object, text};

/// Returns the paths of fields that must be strings and were strings before variables were replaced, but are numbers,
/// booleans, lists or mappings afterward. The cause is that kustomize removes the quotes around `"${n}"` before Flux
/// replaces variables. A null is accepted as an empty string.
pub fn retyped_fields(before: &Object, after: &Object) -> Vec<Vec<String>> {
    let mut fields = Vec::new();
    collect_retyped(before, after, &mut Vec::new(), &mut fields);
    fields.retain(|path| must_be_string(text(after, "kind"), path));
    fields
}

fn collect_retyped(before: &Value, after: &Value, path: &mut Vec<String>, fields: &mut Vec<Vec<String>>) {
    let mut search_at = |key: String, before: &Value, after: &Value| {
        path.push(key);
        collect_retyped(before, after, path, fields);
        path.pop();
    };
    match (before, after) {
        (Value::Object(before), Value::Object(after)) => {
            for (key, before) in before {
                after.get(key).into_iter().for_each(|after| search_at(key.clone(), before, after));
            }
        }
        (Value::Array(before), Value::Array(after)) => {
            before
                .iter()
                .zip(after)
                .enumerate()
                .for_each(|(index, (before, after))| search_at(index.to_string(), before, after));
        }
        (Value::String(text), after) if text.contains("${") && !after.is_string() && !after.is_null() => {
            fields.push(path.clone());
        }
        _ => {}
    }
}

/// Whether the API server accepts only a string at a path.
fn must_be_string(kind: &str, path: &[String]) -> bool {
    let path: Vec<_> = path.iter().map(String::as_str).collect();
    match path.as_slice() {
        ["data", _] => matches!(kind, "ConfigMap" | "Secret"),
        ["stringData", _] => kind == "Secret",
        [.., "metadata", "labels" | "annotations", _] => true,
        [.., "containers" | "initContainers", _, "env", _, "value"] => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn finds_strings_that_change_their_type() {
        let before = json!({
            "kind": "ConfigMap",
            "metadata": {"labels": {"a": "${x}", "b": "1"}, "annotations": {"c": "${x}"}},
            "data": {"port": "${x}", "text": "p ${x}", "none": "${x}"},
            "other": "${x}",
        });
        let after = json!({
            "kind": "ConfigMap",
            "metadata": {"labels": {"a": 1, "b": "1"}, "annotations": {"c": "1"}},
            "data": {"port": 80, "text": "p 1", "none": null},
            "other": 1,
        });
        assert_eq!(retyped_fields(&before, &after), [["data", "port"].as_slice(), &["metadata", "labels", "a"]]);
        let pod = |value| json!({"kind": "Pod", "spec": {"containers": [{"env": [{"value": value}]}]}});
        assert_eq!(retyped_fields(&pod(json!("${x}")), &pod(json!(true))).len(), 1);
    }
}
