//! Secrets in plain text: environment variables, arguments and the like of workloads.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::sensitive::{AFTER, BEFORE, SAME};
use crate::secrecy::sensitive::{is_secret_key, tells_a_secret};

/// Masks them on both sides; a value is compared with the one at the same place on the other side, where items of lists are
/// known by their names.
pub(super) fn hide(before: Option<&mut Json>, after: Option<&mut Json>) {
    let (mut before, mut after) = (before, after);
    let (old, new) = (found(before.as_deref_mut()), found(after.as_deref_mut()));
    mask(before, &new, BEFORE);
    mask(after, &old, AFTER);
}

fn found(side: Option<&mut Json>) -> BTreeMap<String, Json> {
    let mut found = BTreeMap::new();
    if let Some(side) = side {
        walk(side, "", &mut |path, value| drop(found.insert(path, value.clone())));
    }
    found
}

fn mask(side: Option<&mut Json>, other: &BTreeMap<String, Json>, changed: &str) {
    let Some(side) = side else { return };
    walk(side, "", &mut |path, value| {
        let differs = other.get(&path).is_some_and(|other| *other != *value);
        *value = json!(if differs { changed } else { SAME });
    });
}

/// Hands each secret to `visit`, with the path to it.
fn walk(value: &mut Json, path: &str, visit: &mut dyn FnMut(String, &mut Json)) {
    match value {
        Json::Object(fields) => {
            let is_named = fields.get("name").and_then(Json::as_str).is_some_and(is_secret_key);
            for (key, value) in fields {
                let path = format!("{path}/{key}");
                match value {
                    Json::String(_) if is_named && key == "value" => visit(path, value),
                    value => walk(value, &path, visit),
                }
            }
        }
        Json::Array(items) => {
            for (i, item) in items.iter_mut().enumerate() {
                let name = item.get("name").and_then(Json::as_str);
                let path = name.map_or_else(|| format!("{path}/{i}"), |name| format!("{path}/{name}"));
                walk(item, &path, visit);
            }
        }
        Json::String(text) if tells_a_secret(text) => visit(path.to_owned(), value),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_and_urls_are_masked_on_both_sides() {
        let pod = |password: &str, url: &str| {
            json!({"containers": [{"name": "a", "args": [format!("--url={url}")], "env": [
                {"name": "DB_PASSWORD", "value": password},
                {"name": "TOKEN", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}},
                {"name": "MODE", "value": "x"},
            ]}]})
        };
        let (mut before, mut after) = (pod("one", "http://me:one@host"), pod("two", "http://me:one@host"));
        hide(Some(&mut before), Some(&mut after));
        let env = |pod: &Json| pod["containers"][0]["env"].clone();
        assert_eq!(env(&before)[0]["value"], BEFORE);
        assert_eq!(env(&after)[0]["value"], AFTER);
        assert_eq!(before["containers"][0]["args"][0], SAME);
        assert_eq!(env(&after)[2]["value"], "x");
        assert_eq!(env(&after)[1], env(&pod("", ""))[1]);
    }
}
