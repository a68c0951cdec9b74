//! The rules for the data of Secrets and ConfigMaps beyond its types (`ValidateSecret` and `ValidateConfigMap` of
//! Kubernetes, `pkg/apis/core/validation`). No value is ever shown.

use std::collections::{HashMap, HashSet};

use super::diagnostics::shown;
use super::frame::Frame;
use crate::api::Kind;
use crate::diagnostic::{Code, Diagnostic, shown_data_key};
use crate::go::{base64, syntax};
use crate::yaml::{Entry, Node};

/// `MaxSecretSize`.
const MAX_BYTES: usize = 1024 * 1024;

/// Holds the data of a Secret or ConfigMap against the rules.
pub(super) fn check(kind: Kind, resource: Node<'_>, frame: &Frame<'_>, out: &mut Vec<Diagnostic>) {
    plain_text(kind, resource, out);
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
            let bytes = resource.entries_at("data").map(text_bytes).sum::<usize>();
            let binary = resource.entries_at("binaryData").map(decoded_bytes).sum::<usize>();
            out.extend(too_large(bytes + binary, resource, frame));
        }
        _ => {}
    }
}

/// Values that are not encoded are one mistake, which is the field that they are in.
fn plain_text(kind: Kind, resource: Node<'_>, out: &mut [Diagnostic]) {
    let mut found: Vec<_> = out
        .iter_mut()
        .filter(|found| found.code == Code::InvalidBase64)
        .collect();
    let is_several = found.len() > 1;
    for found in &mut found {
        found.cause = Some(format!("plain text in {:?}", resource.span()));
        if is_several && kind == Kind::Secret {
            found.help = Some("encode the values, or move them to `stringData` as they are".to_owned());
        }
    }
}

/// `IsConfigMapKey`: each key is the name of a file.
fn keys(fields: &[&str], resource: Node<'_>, frame: &Frame<'_>, out: &mut Vec<Diagnostic>) {
    for field in fields.iter().filter_map(|name| resource.entry(name)) {
        let at = frame.field(field);
        for entry in field.value.entries() {
            if let Some(problem) = syntax::data_key(entry.key) {
                let message = format!("the key `{}` in `{}` {problem}", shown_data_key(entry.key), at.name());
                let at = at.key(entry);
                out.push(at.diagnostic(Code::InvalidDataKey, message, entry.key_span, "not a valid key"));
            }
        }
    }
}

/// A key is in `data` or in `binaryData`, not in both.
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
        if let Some(other) = others.get(entry.key) {
            let message = format!(
                "the key `{}` is set in both `data` and `binaryData`",
                shown_data_key(entry.key)
            );
            let at = at.key(entry);
            let found = at.diagnostic(Code::InvalidDataKey, message, entry.key_span, "in `data`");
            out.push(
                found
                    .label(other.key_span, "in `binaryData`")
                    .help("remove one of them"),
            );
        }
    }
}

fn too_large(bytes: usize, resource: Node<'_>, frame: &Frame<'_>) -> Option<Diagnostic> {
    if bytes <= MAX_BYTES {
        return None;
    }
    let message = format!("the values have {bytes} bytes together, 1048576 are allowed");
    let too_large = |at: &Frame<'_>| at.diagnostic(Code::ObjectTooLarge, message, at.head(), "too large");
    let entry = resource.entry("data").or_else(|| resource.entry("stringData"));
    Some(match entry {
        Some(entry) => too_large(&frame.field(entry)),
        None => too_large(frame),
    })
}

fn text_bytes(entry: Entry<'_>) -> usize {
    entry.value.as_str().map_or(0, str::len)
}

/// Number of bytes that base64 text decodes to; decoded only if that can matter.
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
        let strings: HashSet<_> = self.0.entries_at("stringData").map(|entry| entry.key).collect();
        let data = self.0.entries_at("data").filter(|entry| !strings.contains(entry.key));
        data.map(decoded_bytes).sum::<usize>() + self.0.entries_at("stringData").map(text_bytes).sum::<usize>()
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
        for key in keys.iter().filter(|key| self.get(key).is_none()) {
            let help = format!("add `{key}`, or remove the `type`");
            let found = lacks(entry, &format!("the key `{key}`")).help(help);
            out.push(found.path(format_args!("data[{key}]")));
        }
    }

    fn check_basic_auth(&self, secret_type: Entry<'_>, out: &mut Vec<Diagnostic>) {
        if self.get("username").or_else(|| self.get("password")).is_none() {
            let found = lacks(secret_type, "the key `username` or `password`");
            let found = found.path("data[username]");
            out.push(found.help("add one of them, or remove the `type`"));
        }
    }

    /// The annotation with the name of the service account; without it the token belongs to no account.
    fn check_token(&self, secret_type: Entry<'_>, out: &mut Vec<Diagnostic>) {
        const SERVICE_ACCOUNT: &str = "kubernetes.io/service-account.name";
        let annotations = self.0.at("metadata.annotations");
        let account = annotations.and_then(|annotations| annotations.get(SERVICE_ACCOUNT)?.as_str());
        if account.unwrap_or_default().is_empty() {
            let found = lacks(secret_type, &format!("the annotation `{SERVICE_ACCOUNT}`"));
            let found = found.path(format_args!("metadata.annotations[{SERVICE_ACCOUNT}]"));
            out.push(found.help("name the service account in it"));
        }
    }
}

/// A finding for a Secret without something that its type requires.
fn lacks(secret_type: Entry<'_>, what: &str) -> Diagnostic {
    let name = shown(secret_type.value.as_str().unwrap_or_default());
    let message = format!("a Secret of type `{name}` needs {what}");
    let label = format!("needs {what}");
    Diagnostic::new(Code::InvalidSecretType, message).label(secret_type.value.span(), label)
}
