//! Tests that every field path in the code refers to an existing field. Paths are strings, so the compiler would not
//! notice a typo, and the finding would point to the nearest existing parent instead.

use std::collections::BTreeSet;
use std::fs;
use std::sync::LazyLock;

use agentctl::api::Kind;
use agentctl::api::schema::schema_json;
use k8s_openapi::api::apps::v1::StatefulSet;
use k8s_openapi::api::core::v1::{Node, Pod, Service};
use k8s_openapi::kube_aggregator::pkg::apis::apiregistration::v1::APIService;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use walkdir::WalkDir;

use crate::support;

/// Files and directories that contain field paths for other projects' resources, such as SealedSecrets and Flux.
/// agentctl does not contain the schemas of these resources.
const OTHER_PROJECTS: [&str; 3] = ["src/api/generated_secret.rs", "src/gitops/", "src/resolve/secret_mode.rs"];

/// Path that has two meanings: it is a field of the aggregator's ExternalNames, and an old name for `spec.nodeName`
/// that `fieldRef` still accepts.
const HOST: &str = "spec.host";

/// Schemas of the custom resources' `spec`.
static SCHEMAS: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let custom = Kind::ALL.iter().filter(|kind| kind.is_custom());
    custom.map(|kind| schema_json(*kind)["properties"]["spec"].take()).collect()
});

/// Returns the field paths in the code outside of tests, each paired with a file that contains it.
fn paths_in_code() -> BTreeSet<(String, String)> {
    let mut paths = BTreeSet::new();
    for entry in WalkDir::new(support::root().join("src")).sort_by_file_name() {
        let entry = entry.unwrap();
        let name = entry.path().strip_prefix(support::root()).unwrap();
        let name = name.to_str().unwrap().replace('\\', "/");
        if !name.ends_with(".rs") || name.ends_with("tests.rs") || name.contains("/tests/") {
            continue;
        }
        if OTHER_PROJECTS.iter().any(|other| name.starts_with(other)) {
            continue;
        }
        let text = fs::read_to_string(entry.path()).unwrap();
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        let strings = code.split('"').filter(|piece| is_path(piece));
        paths.extend(strings.map(|path| (path.to_owned(), name.clone())));
    }
    paths
}

/// Whether a string literal is a field path below `spec` or `status`.
fn is_path(literal: &str) -> bool {
    let below = literal.strip_prefix("spec.").or_else(|| literal.strip_prefix("status."));
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "._[]".contains(letter);
    below.is_some_and(|below| !below.is_empty() && below.chars().all(is_part))
}

/// Splits `spec.clients[].url` into its keys.
fn keys(path: &str) -> Vec<&str> {
    let names = path.split('.');
    names.map(|name| name.split('[').next().unwrap_or_default()).collect()
}

/// Whether a schema has a field with these keys. List items have no key, and a free-form mapping has every field.
fn has_field(schema: &Value, keys: &[&str]) -> bool {
    let Some((key, rest)) = keys.split_first() else {
        return true;
    };
    if schema["items"].is_object() {
        return has_field(&schema["items"], keys);
    }
    let fields = &schema["properties"];
    match fields.get(*key) {
        Some(field) => has_field(field, rest),
        None => schema["type"] == "object" && fields.is_null(),
    }
}

/// Whether a type keeps a value at the path with these keys.
fn keeps_field<T: DeserializeOwned + Serialize>(keys: &[&str]) -> bool {
    let leaves = [json!("eA=="), json!(1), json!(true), json!({}), json!([]), json!([{}])];
    // Each parent is either a mapping or a list of mappings, so every combination is tried.
    let shapes = 0..1_u32 << keys.len();
    let mut inputs = shapes.flat_map(|lists| {
        leaves.iter().map(move |leaf| {
            let nested = keys.iter().enumerate().rev();
            nested.fold(leaf.clone(), |value, (depth, key)| {
                let mapping = json!({*key: value});
                if lists >> depth & 1 == 1 { json!([mapping]) } else { mapping }
            })
        })
    });
    inputs.any(|input| {
        let parsed = serde_json::from_value::<T>(input).ok();
        let serialized = parsed.and_then(|parsed| serde_json::to_value(parsed).ok());
        serialized.is_some_and(|serialized| {
            let inner = |value: &Value, key: &&str| value.get(*key).or_else(|| value.get(0)?.get(*key)).cloned();
            keys.iter().try_fold(serialized, |value, key| inner(&value, key)).is_some()
        })
    })
}

/// Whether a resource that agentctl or the API server defines has a field at the path with these keys.
fn exists(keys: &[&str]) -> bool {
    keys[0] == "spec" && SCHEMAS.iter().any(|schema| has_field(schema, &keys[1..]))
        || keeps_field::<Pod>(keys)
        || keeps_field::<Service>(keys)
        || keeps_field::<Node>(keys)
        || keeps_field::<StatefulSet>(keys)
        || keeps_field::<APIService>(keys)
}

#[test]
fn field_paths_in_the_code_exist() {
    let paths = paths_in_code();
    assert!(paths.len() > 150, "only {} paths found", paths.len());
    let missing: Vec<_> = paths.iter().filter(|(path, _)| path != HOST && !exists(&keys(path))).collect();
    assert!(missing.is_empty(), "these fields do not exist: {missing:#?}");
}

#[test]
fn detects_misspelled_paths() {
    for (path, expected) in [
        ("spec.metrics.scrapeInterval", true),
        ("spec.metrics.scrapeIntervall", false),
        ("spec.clients[].bearerToken", true),
        ("spec.client[].bearerToken", false),
        ("spec.config.anything", true),
        ("status.podIP", true),
        ("status.podIp", false),
        ("spec.template.spec.volumes[].gcePersistentDisk", true),
        ("spec.template.spec.volume[].gcePersistentDisk", false),
    ] {
        assert_eq!(exists(&keys(path)), expected, "{path}");
    }
}
