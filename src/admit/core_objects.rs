//! The rules for the data of Secrets and ConfigMaps beyond its types (`ValidateSecret` and `ValidateConfigMap` of
//! Kubernetes, `pkg/apis/core/validation`). No value is ever shown.

use std::collections::{HashMap, HashSet};

use super::diagnostics::core_objects as diagnostics;
use super::frame::Frame;
use crate::api::Kind;
use crate::diagnostic::Diagnostic;
use crate::go::{base64, syntax};
use crate::yaml::{Entry, Node};

/// `MaxSecretSize`.
const MAX_BYTES: usize = 1024 * 1024;

/// Holds the data of a Secret or ConfigMap against the rules.
pub(super) fn check(kind: Kind, resource: Node<'_>, frame: &Frame<'_>, out: &mut Vec<Diagnostic>) {
    match kind {
        Kind::Secret => {
            let secret = Secret(resource);
            keys(&["data", "stringData"], resource, frame, out);
            secret.check_type(out);
            out.extend(too_large(secret.bytes(), resource, frame));
        }
        Kind::ConfigMap => {
            keys(&["data", "binaryData"], resource, frame, out);
            overlap(resource, frame, out);
            let bytes = values(resource, "data").map(text_bytes).sum::<usize>();
            let binary = values(resource, "binaryData").map(decoded_bytes).sum::<usize>();
            out.extend(too_large(bytes + binary, resource, frame));
        }
        _ => {}
    }
}

/// `IsConfigMapKey`: each key is the name of a file.
fn keys(fields: &[&str], resource: Node<'_>, frame: &Frame<'_>, out: &mut Vec<Diagnostic>) {
    for field in fields.iter().filter_map(|name| resource.entry(name)) {
        let at = frame.field(field);
        for entry in field.value.entries() {
            out.extend(syntax::data_key(entry.key).map(|problem| diagnostics::invalid_key(entry, &problem, &at)));
        }
    }
}

/// A key stands in `data` or in `binaryData`, not in both.
fn overlap(resource: Node<'_>, frame: &Frame<'_>, out: &mut Vec<Diagnostic>) {
    let (Some(data), Some(binary)) = (resource.entry("data"), resource.get("binaryData")) else {
        return;
    };
    let at = frame.field(data);
    let mut others = HashMap::new();
    for entry in binary.entries() {
        others.entry(entry.key).or_insert(entry);
    }
    for entry in data.value.entries() {
        let other = others.get(entry.key);
        out.extend(other.map(|&other| diagnostics::key_twice(entry, other, &at)));
    }
}

fn too_large(bytes: usize, resource: Node<'_>, frame: &Frame<'_>) -> Option<Diagnostic> {
    let entry = resource.entry("data").or_else(|| resource.entry("stringData"));
    (bytes > MAX_BYTES).then(|| match entry {
        Some(entry) => diagnostics::too_large(bytes, &frame.field(entry)),
        None => diagnostics::too_large(bytes, frame),
    })
}

fn values<'d>(resource: Node<'d>, field: &str) -> impl Iterator<Item = Entry<'d>> {
    resource.get(field).into_iter().flat_map(Node::entries)
}

fn text_bytes(entry: Entry<'_>) -> usize {
    entry.value.as_str().map_or(0, str::len)
}

/// How many bytes base64 text stands for; decoded only where that can matter.
fn decoded_bytes(entry: Entry<'_>) -> usize {
    match entry.value.as_str() {
        Some(text) if text.len() > MAX_BYTES / 64 => base64::decode(text).map_or(0, |bytes| bytes.len()),
        Some(text) => text.len() / 4 * 3,
        None => 0,
    }
}

/// A Secret, whose `stringData` goes over its `data`.
struct Secret<'d>(Node<'d>);

impl<'d> Secret<'d> {
    fn bytes(&self) -> usize {
        let strings: HashSet<_> = values(self.0, "stringData").map(|entry| entry.key).collect();
        let data = values(self.0, "data").filter(|entry| !strings.contains(entry.key));
        data.map(decoded_bytes).sum::<usize>() + values(self.0, "stringData").map(text_bytes).sum::<usize>()
    }

    fn get(&self, key: &str) -> Option<Node<'d>> {
        let field = |name: &str| self.0.get(name)?.get(key);
        field("stringData").or_else(|| field("data"))
    }

    /// A type promises keys that others rely on.
    fn check_type(&self, out: &mut Vec<Diagnostic>) {
        let Some(entry) = self.0.entry("type") else { return };
        let keys: &[&str] = match entry.value.as_str() {
            Some("kubernetes.io/basic-auth") => return self.check_basic_auth(entry, out),
            Some("kubernetes.io/service-account-token") => return self.check_token(entry, out),
            Some("kubernetes.io/dockercfg") => &[".dockercfg"],
            Some("kubernetes.io/dockerconfigjson") => &[".dockerconfigjson"],
            Some("kubernetes.io/ssh-auth") => &["ssh-privatekey"],
            Some("kubernetes.io/tls") => &["tls.crt", "tls.key"],
            _ => &[],
        };
        let missing = keys.iter().filter(|key| self.get(key).is_none());
        out.extend(missing.map(|key| diagnostics::missing_key(key, entry)));
    }

    fn check_basic_auth(&self, secret_type: Entry<'_>, out: &mut Vec<Diagnostic>) {
        if self.get("username").or_else(|| self.get("password")).is_none() {
            out.push(diagnostics::missing_user(secret_type));
        }
    }

    /// The annotation with the name of the service account; without it the token belongs to nobody.
    fn check_token(&self, secret_type: Entry<'_>, out: &mut Vec<Diagnostic>) {
        let annotations = self.0.get("metadata").and_then(|metadata| metadata.get("annotations"));
        let account = annotations.and_then(|annotations| annotations.get(diagnostics::SERVICE_ACCOUNT));
        if account.and_then(Node::as_str).unwrap_or_default().is_empty() {
            out.push(diagnostics::missing_account(secret_type));
        }
    }
}
