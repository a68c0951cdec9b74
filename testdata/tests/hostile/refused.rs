//! Tests that rejecting a field hides no findings about other resources. In each case that was recorded from the
//! operator, the test breaks one field in one resource; the findings about all other resources must not change.

use crate::testing::TestInput;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use agentctl::diagnostic::{Code, Diagnostic, Severity};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::support;

/// Parts of the names of fields that findings about other resources depend on.
const SHARED_FIELDS: [&str; 8] = [
    "elector",
    "paused",
    "Namespaces",
    "ignoreNamespaceSelectors",
    "enforcedNamespaceLabel",
    "arbitraryFSAccessThroughSMs",
    "scrapeInterval",
    "walTruncateFrequency",
];

/// Codes for findings that depend on several resources. For example, a value is checked as a certificate only if a
/// field uses it as a certificate.
const SHARED_CODES: [Code; 6] = [
    Code::InvalidCertificate,
    Code::ExpiredCertificate,
    Code::DuplicateScrape,
    Code::DuplicateIntegration,
    Code::CollidingSecretKeys,
    Code::TimeoutAboveInterval,
];

fn resources(folder: &Path) -> Vec<Value> {
    let mut files: Vec<_> = walkdir::WalkDir::new(folder.join("input"))
        .into_iter()
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    let texts = files.iter().map(|file| fs::read_to_string(file).unwrap());
    let documents: Vec<Value> = texts
        .flat_map(|text| {
            let documents = serde_yaml::Deserializer::from_str(&text).map(Value::deserialize);
            // After a syntax error, the parser would keep returning the same error forever.
            documents.map_while(Result::ok).collect::<Vec<_>>()
        })
        .collect();
    documents.into_iter().filter(Value::is_object).collect()
}

fn findings(resources: &[Value]) -> Vec<Diagnostic> {
    TestInput::numbered(resources.iter().map(Value::to_string)).findings()
}

fn name(resource: &Value) -> String {
    let field = |key: &str| resource["metadata"][key].as_str().unwrap_or_default();
    let namespace = match field("namespace") {
        "" => "default",
        namespace => namespace,
    };
    format!("{}/{namespace}/{}", resource["kind"].as_str().unwrap_or_default(), field("name"))
}

/// Collects JSON pointers to all values below `value`.
fn pointers(value: &Value, at: &str, out: &mut Vec<String>) {
    let children: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(key, value)| (key.clone(), value)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(i, item)| (i.to_string(), item)).collect(),
        _ => return,
    };
    for (step, child) in children {
        let at = format!("{at}/{}", step.replace('~', "~0").replace('/', "~1"));
        out.push(at.clone());
        pointers(child, &at, out);
    }
}

/// A finding without its location.
type Finding = (Code, Option<String>, Option<String>, String);

/// Returns the finding's resource in the format that findings use.
fn resource_of(finding: &Diagnostic) -> Option<String> {
    finding.resource.as_ref().map(ToString::to_string)
}

/// Returns the findings that do not depend on the broken resource: those that are not about it, do not mention it, and
/// have a code that is not in `SHARED_CODES`.
fn unrelated_findings(findings: &[Diagnostic], broken: &str) -> BTreeSet<Finding> {
    let name = broken.rsplit('/').next().unwrap();
    let is_unrelated = |d: &&Diagnostic| {
        let mentions = |text: &str| text.contains(&format!("{name}`")) || text.contains(&format!("`{name}"));
        resource_of(d).as_deref() != Some(broken) && !mentions(&d.message) && !SHARED_CODES.contains(&d.code)
    };
    let unrelated = findings.iter().filter(is_unrelated);
    unrelated.map(|d| (d.code, resource_of(d), d.path.clone(), d.message.clone())).collect()
}

#[test]
fn invalid_fields_do_not_hide_other_findings() {
    let cases = support::folders(&support::root().join("testdata/conformance/focused"));
    let (mut rejected_count, mut failures) = (0, Vec::new());
    for case in support::sample(cases, 2) {
        let resources = resources(&case);
        let before = findings(&resources);
        for (i, resource) in resources.iter().enumerate().step_by(resources.len() / 8 + 1) {
            let broken = name(resource);
            let mut places = Vec::new();
            pointers(&resource["spec"], "/spec", &mut places);
            places.retain(|place| {
                let value_at_place = resource.pointer(place).unwrap().to_string();
                !SHARED_FIELDS.iter().any(|field| place.contains(field) || value_at_place.contains(field))
            });
            // To save time, only a few fields in each resource are broken. The choice differs from resource to
            // resource.
            for place in places.iter().skip(i % 3).step_by(places.len() / 2 + 1) {
                let mut resources = resources.clone();
                let value = resources[i].pointer_mut(place).unwrap();
                *value = match value {
                    Value::Object(_) | Value::Array(_) => json!(7.5),
                    _ => json!([{ "wrong": [] }]),
                };
                let after = findings(&resources);
                let is_refused =
                    |d: &Diagnostic| d.severity == Severity::Error && resource_of(d).as_ref() == Some(&broken);
                if !after.iter().any(|d| is_refused(d) && !before.contains(d)) {
                    continue;
                }
                rejected_count += 1;
                let (expected, remaining) = (unrelated_findings(&before, &broken), unrelated_findings(&after, &broken));
                let hidden = expected.difference(&remaining).map(|finding| format!("hidden: {finding:?}"));
                let invented = remaining.difference(&expected).map(|finding| format!("invented: {finding:?}"));
                let at = format!("{} {broken} {place}", case.file_name().unwrap().display());
                failures.extend(hidden.chain(invented).map(|what| format!("{at}: {what}")));
            }
        }
    }
    assert!(rejected_count > support::many_or_few(50, 25), "only {rejected_count} resources were refused");
    support::report(&failures);
}
