//! The walk over the nodes of a document that decides what of it may be shown.

use std::ops::Range;

use super::key::{Keys, is_named_secret, is_suspicious};
use super::structure::is_field;
use super::text::{is_word, names_a_credential, secrets_of_urls, shows_a_key, tells_a_secret};
use crate::diagnostic::suggest::closest;
use crate::diagnostic::{is_data, shown_data_key, shown_key};
use crate::yaml::{Entry, Node, NodeValue};

/// What a reference to a Secret has besides credentials.
const REFERENCE: &str = "credentialsFile key name namespace optional scheme type";

/// Where kubectl keeps a whole object once more, whatever is in it.
pub(super) const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// A key or a scalar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) bytes: Range<usize>,
    pub(super) is_shown: bool,
    /// Whether it belongs to something that is secret as a whole: then comments next to it are secret, too.
    pub(super) is_guarded: bool,
}

/// Adds what is known of the keys and scalars of a document. What is not an object of Kubernetes may be anything: none of its
/// values is shown, nor of what may have another kind than it seems.
pub(super) fn document(root: Node<'_>, is_known: bool, text: &str, keys: &mut Keys, parts: &mut Vec<Part>) {
    let mut walk = Walk { text, keys, parts };
    let is_object = root.get("kind").is_some_and(|kind| kind.as_str().is_some());
    match is_known && is_object {
        true => walk.value(root, Around::default()),
        false => walk.hide(root, true),
    }
}

/// What the surroundings of a value say about it.
#[derive(Clone, Copy, Default)]
struct Around {
    /// A mapping with free keys, such as the configuration of an integration.
    is_free: bool,
    /// The value of a secret key, in whose place a reference to a Secret belongs.
    is_reference: bool,
    /// In a kind that holds the values of a Secret in some form.
    is_secret_like: bool,
    /// In a list of variables.
    is_variable: bool,
    /// Below a field whose keys are those of a Secret or ConfigMap.
    is_data: bool,
}

struct Walk<'t, 'p> {
    text: &'t str,
    keys: &'p mut Keys,
    parts: &'p mut Vec<Part>,
}

impl Walk<'_, '_> {
    fn value(&mut self, node: Node<'_>, around: Around) {
        match node.value() {
            NodeValue::Mapping if is_secret(node) => self.secret(node),
            NodeValue::Mapping => self.mapping(node, around),
            NodeValue::Sequence => node.items().for_each(|item| self.value(item, around)),
            NodeValue::String(text) => self.scalar(node, text, around),
            _ => self.push(node.span().bytes(), true, false),
        }
    }

    fn mapping(&mut self, node: Node<'_>, around: Around) {
        let kind = node.text("kind");
        let around = Around {
            is_secret_like: around.is_secret_like || kind.to_ascii_lowercase().contains("secret"),
            ..around
        };
        for entry in node.entries() {
            let is_shown = !around.is_data || shown_data_key(entry.key) == entry.key;
            self.push(entry.key_span.bytes(), is_shown, false);
            let (key, value) = (entry.key, entry.value);
            let is_secret = self.keys.is_secret(key);
            let inner = Around {
                is_free: around.is_free || key == "config",
                is_reference: around.is_reference || is_secret,
                is_variable: key == "env",
                is_data: is_data(key),
                ..around
            };
            let is_named_secret = || is_named_secret(key, |name| beside(node, name));
            // What a variable is for is not known while it has no name.
            let is_unnamed = || around.is_variable && key == "value" && beside(node, "name").is_none();
            match is_hidden(key, value, is_secret, around) || is_named_secret() || is_unnamed() {
                true => self.hide(value, false),
                false => self.value(value, inner),
            }
        }
    }

    /// A Secret, or a list of them: which one it is, and the names of its keys.
    fn secret(&mut self, node: Node<'_>) {
        for entry in node.entries() {
            self.key(entry, true);
            match entry.key {
                "apiVersion" | "kind" if entry.value.as_str().is_some() => {
                    self.push(entry.value.span().bytes(), true, true);
                }
                "metadata" => self.keys(entry.value, &["name", "namespace"]),
                "items" => entry.value.items().for_each(|item| self.secret(item)),
                key if is_data(key) => self.keys(entry.value, &[]),
                _ => self.hide(entry.value, true),
            }
        }
    }

    /// The keys of a mapping in a Secret, and the values of some of them.
    fn keys(&mut self, node: Node<'_>, shown: &[&str]) {
        if !node.is_mapping() {
            return self.hide(node, true);
        }
        // Beside a key that cannot be one, none is known to be.
        let are_keys = node.entries().all(|entry| shown_data_key(entry.key) == entry.key);
        for entry in node.entries() {
            self.key(entry, are_keys || !shown.is_empty());
            match shown.contains(&entry.key) && entry.value.as_str().is_some() {
                true => self.push(entry.value.span().bytes(), true, true),
                false => self.hide(entry.value, true),
            }
        }
    }

    /// The key of an entry of a Secret, which is shown if it can be one.
    fn key(&mut self, entry: Entry<'_>, is_shown: bool) {
        self.push(
            entry.key_span.bytes(),
            is_shown && shown_key(entry.key) == entry.key,
            true,
        );
    }

    /// Shows no scalar of a value; `is_guarded`, no key either but names of fields.
    fn hide(&mut self, node: Node<'_>, is_guarded: bool) {
        match node.value() {
            NodeValue::Mapping => {
                for entry in node.entries() {
                    self.push(entry.key_span.bytes(), !is_guarded || is_field(entry.key), is_guarded);
                    self.hide(entry.value, is_guarded);
                }
            }
            NodeValue::Sequence => node.items().for_each(|item| self.hide(item, is_guarded)),
            _ => self.push(node.span().bytes(), false, is_guarded),
        }
    }

    /// A text that is not a secret because of its place, but may contain one.
    fn scalar(&mut self, node: Node<'_>, text: &str, around: Around) {
        let bytes = node.span().bytes();
        let raw = self.text.get(bytes.clone()).unwrap_or_default();
        if raw == text && is_word(raw) {
            return self.push(bytes, true, false);
        }
        let is_secret = |text: &str| shows_a_key(text) || names_a_credential(text, around.is_free);
        // With escapes or line breaks in it, the source holds other characters than the text.
        let is_written_otherwise = !raw.contains(text);
        if is_secret(raw) || (is_written_otherwise && (is_secret(text) || tells_a_secret(text))) {
            return self.push(bytes, false, false);
        }
        let mut at = bytes.start;
        for secret in secrets_of_urls(raw) {
            let secret = bytes.start + secret.start..bytes.start + secret.end;
            self.push(at..secret.start, true, false);
            at = at.max(secret.end);
            self.push(secret, false, false);
        }
        self.push(at..bytes.end, true, false);
    }

    fn push(&mut self, bytes: Range<usize>, is_shown: bool, is_guarded: bool) {
        if bytes.start < bytes.end {
            self.parts.push(Part {
                bytes,
                is_shown,
                is_guarded,
            });
        }
    }
}

/// Whether a mapping is a Secret or a list of them, also where the kind is misspelt or missing.
fn is_secret(node: Node<'_>) -> bool {
    let mut words = node.text("kind").split(|c: char| !c.is_alphanumeric());
    words.any(|word| closest(word, ["Secret", "SecretList"]).is_some()) || node.entry("stringData").is_some()
}

/// Whether the value of a key is secret as a whole. `is_secret` says what the key itself tells.
fn is_hidden(key: &str, value: Node<'_>, is_secret: bool, around: Around) -> bool {
    match key {
        LAST_APPLIED => true,
        // In other kinds of Secrets (`SealedSecret`, `ExternalSecret`), a template holds values, too.
        key if around.is_secret_like && (is_data(key) || key == "template") => {
            !value.items().any(|item| item.is_mapping())
        }
        key if is_secret => !value.is_mapping() || around.is_free || key.to_lowercase().ends_with("headers"),
        key if around.is_reference && REFERENCE.split(' ').all(|known| known != key) => !value.is_mapping(),
        key if around.is_free => is_suspicious(key) && !matches!(value.value(), NodeValue::Bool(_)),
        _ => false,
    }
}

/// The text of a field of a mapping; of one with nearly this name where it is missing.
fn beside<'d>(node: Node<'d>, name: &str) -> Option<&'d str> {
    let misspelt = || node.get(closest(name, node.entries().map(|entry| entry.key))?);
    node.get(name).or_else(misspelt)?.as_str()
}
