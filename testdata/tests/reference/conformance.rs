//! Compares the output with that of Grafana Agent Operator v0.44.8, which was run against an API server with the same
//! resources:
//!
//! ```text
//! input/                  input to compile
//! flags                   additional flags
//! expected/objects.json   objects that the operator created; missing if it rejected the input
//! expected/configs/       agent configurations that the objects refer to
//! expected/notes.txt      rejections, and fields that the API server pruned
//! ```
//!
//! These files were recorded once and are never updated.

use crate::support;
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;

use crate::support::{Run, first_difference};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use k8s_openapi::api::apps::v1::{DaemonSet, Deployment, StatefulSet};
use k8s_openapi::api::core::v1::{Endpoints, Secret, Service};
use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Kind, namespace and name of an object.
type Key = (String, String, String);

#[test]
fn objects_match_the_operator() {
    let root = support::root().join("testdata/conformance");
    let cases: Vec<_> = support::folders(&root).iter().flat_map(|folder| support::folders(folder)).collect();
    assert!(cases.len() >= 69, "found only {} cases", cases.len());
    let failures = cases.par_iter().flat_map_iter(|case| {
        let actual = check(case);
        actual.into_iter().map(|failure| format!("{}: {failure}", case.display()))
    });
    let failures: Vec<_> = failures.collect();
    support::report(&failures);
}

fn check(case: &Path) -> Vec<String> {
    let mut args = ["render", "input", "-o", "json", "--message-format", "short"].map(str::to_owned).to_vec();
    args.extend(support::words(&case.join("flags")));
    let run = support::run(case, args, b"");
    let mut failures = unreported_fields(case, &run);
    failures.extend(unknown_to_kubernetes(&run.stdout));
    match fs::read_to_string(case.join("expected/objects.json")) {
        Ok(objects) => failures.extend(compare(&case.join("expected"), &objects, &run)),
        Err(_) => failures.extend(check_rejection(&run)),
    }
    failures
}

/// Returns the pruned fields that agentctl does not report.
fn unreported_fields(case: &Path, run: &Run) -> Vec<String> {
    let notes = fs::read_to_string(case.join("expected/notes.txt")).unwrap_or_default();
    let pruned = notes.lines().filter_map(|line| line.strip_prefix("PRUNED "));
    pruned
        .filter(|path| {
            let field = path.rsplit(['.', '[', ']']).find(|part| !part.is_empty());
            !field.is_some_and(|field| run.stderr.contains(field))
        })
        .map(|path| format!("nothing is said of {path}"))
        .collect()
}

/// Returns the fields of rendered objects that Kubernetes' types do not define, and the fields whose values change when
/// the objects are read back.
fn unknown_to_kubernetes(rendered: &str) -> Vec<String> {
    let Ok(list) = serde_json::from_str::<Value>(rendered) else {
        return Vec::new();
    };
    let objects = list["items"].as_array().into_iter().flatten();
    let failures = objects.flat_map(|object| {
        let result = match object["kind"].as_str() {
            Some("Secret") => read_back::<Secret>(object),
            Some("Service") => read_back::<Service>(object),
            Some("Endpoints") => read_back::<Endpoints>(object),
            Some("StatefulSet") => read_back::<StatefulSet>(object),
            Some("DaemonSet") => read_back::<DaemonSet>(object),
            Some("Deployment") => read_back::<Deployment>(object),
            kind => Err(format!("an object of the kind {kind:?}")),
        };
        let mut failures = Vec::new();
        match result {
            Ok(result) => collect_lost_values(object, &result, &object["kind"].to_string(), &mut failures),
            Err(why) => failures.push(why),
        }
        failures
    });
    failures.collect()
}

fn read_back<T: DeserializeOwned + Serialize>(object: &Value) -> Result<Value, String> {
    let mut object = object.clone();
    // The operator copies a claim's `apiVersion` and `kind` as the user wrote them, but the Kubernetes type accepts
    // only the correct ones.
    let claims = object.pointer_mut("/spec/volumeClaimTemplates").and_then(Value::as_array_mut);
    for claim in claims.into_iter().flatten().filter_map(Value::as_object_mut) {
        claim.insert("apiVersion".to_owned(), "v1".into());
        claim.insert("kind".to_owned(), "PersistentVolumeClaim".into());
    }
    let kind = object["kind"].clone();
    let read: T = serde_json::from_value(object).map_err(|error| format!("{kind}: {error}"))?;
    serde_json::to_value(read).map_err(|error| error.to_string())
}

/// Collects the paths of values that are missing from `after`. Nulls and zeros are exempt, because Go omits some of
/// them.
fn collect_lost_values(before: &Value, after: &Value, path: &str, failures: &mut Vec<String>) {
    match before {
        Value::Object(fields) => {
            let is_type_field =
                |key: &str| path.contains("volumeClaimTemplates[") && ["apiVersion", "kind"].contains(&key);
            for (key, value) in fields.iter().filter(|(key, _)| !is_type_field(key)) {
                collect_lost_values(value, &after[key], &format!("{path}.{key}"), failures);
            }
        }
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.for_each(|(i, item)| collect_lost_values(item, &after[i], &format!("{path}[{i}]"), failures));
        }
        Value::Null => {}
        _ if before == after => {}
        Value::Number(number) if number.as_f64() == Some(0.0) && after.is_null() => {}
        _ => failures.push(format!("{path}: {before} reads back as {after}")),
    }
}

/// Returns a failure if the run did not reject its input properly, which means with exit status 1, no output, and an
/// error with a line number.
fn check_rejection(run: &Run) -> Option<String> {
    let has_line_number = run.stderr.lines().any(|line| {
        let rest = line.strip_prefix("input/resources.yaml:");
        rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    });
    let is_rejected = run.status == Some(1) && run.stdout.is_empty() && has_line_number;
    (!is_rejected).then(|| format!("expected a refusal with a line, found {:?}: {}", run.status, run.stderr))
}

fn compare(expected_folder: &Path, objects: &str, run: &Run) -> Vec<String> {
    if run.status != Some(0) {
        return vec![format!("expected status 0, found {:?}: {}", run.status, run.stderr)];
    }
    let list: Value = serde_json::from_str(&run.stdout).unwrap();
    let mut actual = by_key(&list["items"]);
    let expected_objects = by_key(&serde_json::from_str(objects).unwrap());
    let mut failures = Vec::new();
    for (key, mut expected_object) in expected_objects {
        let Some(mut actual_object) = actual.remove(&key) else {
            failures.push(format!("{key:?} is missing"));
            continue;
        };
        failures.extend(
            compare_configuration(expected_folder, &mut expected_object, &mut actual_object)
                .map(|difference| format!("{key:?} {difference}")),
        );
        if expected_object != actual_object {
            failures.push(format!(
                "{key:?} {}",
                first_difference(&format!("{expected_object:#}"), &format!("{actual_object:#}"))
            ));
        }
    }
    failures.extend(actual.keys().map(|key| format!("{key:?} should not be there")));
    failures
}

fn by_key(objects: &Value) -> BTreeMap<Key, Value> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let objects = objects.as_array().unwrap().iter();
    objects
        .map(|object| {
            let metadata = &object["metadata"];
            let key = (text(&object["kind"]), text(&metadata["namespace"]), text(&metadata["name"]));
            (key, object.clone())
        })
        .collect()
}

/// Removes the agent configuration from both Secrets, and compares the actual configuration with the file that the
/// expected Secret refers to.
fn compare_configuration(
    expected_folder: &Path,
    expected_object: &mut Value,
    actual_object: &mut Value,
) -> Option<String> {
    let reference = expected_object.pointer_mut("/data/agent.yml")?.take();
    let Some(encoded) = actual_object.pointer_mut("/data/agent.yml").map(Value::take) else {
        return Some("has no configuration".to_owned());
    };
    let bytes = STANDARD.decode(encoded.as_str().unwrap()).unwrap();
    let is_compressed = bytes.starts_with(b"\x1f\x8b");
    let reference = reference.as_str().unwrap();
    let file = reference.strip_prefix("gzip of ");
    if is_compressed != file.is_some() {
        return Some(format!("expected {reference}, found it compressed: {is_compressed}"));
    }
    let text = fs::read_to_string(expected_folder.join(file.unwrap_or(reference))).unwrap();
    let configuration = if is_compressed { decompress(&bytes) } else { String::from_utf8(bytes).unwrap() };
    (text != configuration).then(|| first_difference(&text, &configuration))
}

fn decompress(bytes: &[u8]) -> String {
    let mut text = String::new();
    flate2::read::GzDecoder::new(bytes).read_to_string(&mut text).unwrap();
    text
}
