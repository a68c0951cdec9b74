//! Validation of Secret and ConfigMap data beyond its types (`ValidateSecret` and `ValidateConfigMap` in Kubernetes'
//! `pkg/apis/core/validation`). Findings never include values.

use std::collections::{HashMap, HashSet};

use super::diagnostics::display_value;
use super::findings::ResourceFindings;
use super::frame::Frame;
use crate::api::{Kind, SERVICE_ACCOUNT};
use crate::diagnostic::{Code, Diagnostic, display_data_key};
use crate::go::{base64, syntax};
use crate::yaml::{Entry, Node};

/// Maximum total size of the data in a Secret or ConfigMap (`MaxSecretSize` in Kubernetes).
const MAX_BYTES: usize = 1024 * 1024;

/// Validates the data in a Secret or ConfigMap.
pub(super) fn check(kind: Kind, resource: Node<'_>, frame: &Frame<'_>, out: &mut ResourceFindings<'_>) {
    set_common_cause(resource, out.created_findings());
    let (text_field, encoded_field) = match kind {
        Kind::Secret => ("stringData", "data"),
        Kind::ConfigMap => ("data", "binaryData"),
        _ => return,
    };
    if kind == Kind::Secret {
        check_keys(&["data", "stringData"], resource, frame, out);
        check_secret_type(resource, out);
    } else {
        check_keys(&["data", "binaryData"], resource, frame, out);
        check_overlap(resource, frame, out);
    }
    // Plain strings override encoded values.
    let text_keys: HashSet<_> = resource.entries_at(text_field).map(|entry| entry.key).collect();
    let encoded_entries = resource.entries_at(encoded_field);
    let decoded_sizes = encoded_entries.filter(|entry| !text_keys.contains(entry.key)).map(decoded_size);
    let text_entries = resource.entries_at(text_field);
    let text_sizes = text_entries.map(|entry| entry.value.as_str().map_or(0, str::len));
    out.extend(find_excessive_size(decoded_sizes.chain(text_sizes).sum(), resource, frame));
}

/// Assigns a common cause to all values that are not valid base64, because they were probably all entered in the wrong
/// field.
fn set_common_cause(resource: Node<'_>, out: &mut [Diagnostic]) {
    for finding in out.iter_mut().filter(|finding| finding.code == Code::InvalidBase64) {
        finding.cause = Some(format!("plain text in {:?}", resource.span()));
    }
}

/// Checks that each key is a valid file name (`IsConfigMapKey`).
fn check_keys(fields: &[&str], resource: Node<'_>, frame: &Frame<'_>, out: &mut ResourceFindings<'_>) {
    for field in fields.iter().filter_map(|name| resource.entry(name)) {
        let field_frame = frame.field(field);
        for entry in field.value.entries() {
            if let Some(problem) = syntax::data_key(entry.key) {
                out.add(Code::InvalidDataKey, || {
                    let message =
                        format!("the key `{}` in `{}` {problem}", display_data_key(entry.key), field_frame.name());
                    let key_frame = field_frame.key(entry);
                    key_frame.diagnostic(Code::InvalidDataKey, message, entry.key_span, "not a valid key")
                });
            }
        }
    }
}

/// Checks that no key is in both `data` and `binaryData`.
fn check_overlap(resource: Node<'_>, frame: &Frame<'_>, out: &mut ResourceFindings<'_>) {
    let (Some(data), Some(binary)) = (resource.entry("data"), resource.get("binaryData")) else {
        return;
    };
    let field_frame = frame.field(data);
    let mut other_keys = HashMap::new();
    for entry in binary.entries() {
        other_keys.entry(entry.key).or_insert(entry);
    }
    for entry in data.value.entries() {
        if let Some(binary_entry) = other_keys.get(entry.key) {
            out.add(Code::InvalidDataKey, || {
                let message =
                    format!("the key `{}` is set in both `data` and `binaryData`", display_data_key(entry.key));
                let key_frame = field_frame.key(entry);
                let finding = key_frame.diagnostic(Code::InvalidDataKey, message, entry.key_span, "in `data`");
                finding.label(binary_entry.key_span, "in `binaryData`").help("remove one of the two")
            });
        }
    }
}

fn find_excessive_size(bytes: usize, resource: Node<'_>, frame: &Frame<'_>) -> Option<Diagnostic> {
    if bytes <= MAX_BYTES {
        return None;
    }
    let message = format!("the values take up {bytes} bytes in total, but at most 1048576 are allowed");
    let finding_at = |at: &Frame<'_>| at.diagnostic(Code::ObjectTooLarge, message, at.head(), "too large");
    let entry = resource.entry("data").or_else(|| resource.entry("stringData"));
    Some(match entry {
        Some(entry) => finding_at(&frame.field(entry)),
        None => finding_at(frame),
    })
}

/// Returns the number of bytes that a base64 string decodes to. For short strings, whose exact size cannot matter, the
/// number is estimated without decoding the string.
fn decoded_size(entry: Entry<'_>) -> usize {
    match entry.value.as_str() {
        Some(text) if text.len() > MAX_BYTES / 64 => base64::decode(text).map_or(0, |bytes| bytes.len()),
        Some(text) => text.len() / 4 * 3,
        None => 0,
    }
}

/// Checks that a Secret contains the keys that its type requires.
fn check_secret_type(secret: Node<'_>, out: &mut ResourceFindings<'_>) {
    let Some(node) = secret.get("type") else { return };
    let name = node.as_str().unwrap_or_default();
    let mut report_missing = |what: &str, path: String, help: &str| {
        let message = format!("a Secret of type `{}` needs {what}", display_value(name));
        let finding = Diagnostic::new(Code::InvalidSecretType, message).label(node.span(), format!("needs {what}"));
        out.extend([finding.path(path).help(help)]);
    };
    let fields = [secret.get("stringData"), secret.get("data")];
    let lacks = |key: &str| fields.iter().flatten().all(|data| data.get(key).is_none());
    let keys: &[&str] = match name {
        "kubernetes.io/dockercfg" => &[".dockercfg"],
        "kubernetes.io/dockerconfigjson" => &[".dockerconfigjson"],
        "kubernetes.io/ssh-auth" => &["ssh-privatekey"],
        "kubernetes.io/tls" => &["tls.crt", "tls.key"],
        _ => &[],
    };
    for key in keys.iter().filter(|key| lacks(key)) {
        let help = format!("add `{key}`, or remove `type`");
        report_missing(&format!("the key `{key}`"), format!("data[{key}]"), &help);
    }
    if name == "kubernetes.io/basic-auth" && lacks("username") && lacks("password") {
        let help = "add one of the two keys, or remove `type`";
        report_missing("the key `username` or `password`", "data[username]".to_owned(), help);
    }
    let annotations = secret.at("metadata.annotations");
    let account = annotations.and_then(|annotations| annotations.get(SERVICE_ACCOUNT)?.as_str());
    if name == "kubernetes.io/service-account-token" && account.unwrap_or_default().is_empty() {
        let path = format!("metadata.annotations[{SERVICE_ACCOUNT}]");
        report_missing(
            &format!("the annotation `{SERVICE_ACCOUNT}`"),
            path,
            "set the annotation to the name of the ServiceAccount",
        );
    }
}
