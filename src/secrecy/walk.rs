//! Walk that determines which nodes of a document may be shown.

use std::ops::Range;

use super::key::{SecretKeys, is_named_secret, is_suspicious};
use super::kustomization::{KUSTOMIZATION_FIELDS, VisiblePart, visibility};
use super::program_output::is_file;
use super::structure::is_field;
use super::text::{contains_credential, contains_secret, contains_token, is_word, secrets_in_urls};
use crate::diagnostic::suggest::closest;
use crate::diagnostic::{display_data_key, display_key, is_data};
use crate::yaml::{Entry, Node, NodeValue};

/// Fields without credentials in a reference to a Secret.
const REFERENCE: &str = "credentialsFile key name namespace optional scheme type";

/// Maximum length of a field name in a kustomization. Longer keys may be values.
const MAX_FIELD_LENGTH: usize = 30;

/// Annotation in which kubectl stores a copy of the whole object.
pub(super) const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// A key or scalar in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SourcePart {
    pub(super) bytes: Range<usize>,
    pub(super) is_shown: bool,
    /// Whether the part belongs to a value that is secret as a whole. If so, adjacent comments are secret as well.
    pub(super) is_guarded: bool,
}

/// Adds the keys and scalars of a document. All values are hidden if the kind is uncertain, or if the document is not a
/// Kubernetes object and may therefore contain anything.
pub(super) fn document(root: Node<'_>, is_known: bool, text: &str, keys: &mut SecretKeys, parts: &mut Vec<SourcePart>) {
    let mut walk = Walk { text, keys, parts };
    let is_object = root.get("kind").is_some_and(|kind| kind.as_str().is_some());
    match is_known && (is_object || is_chart(root)) {
        true => walk.visit_value(root, NodeContext::default()),
        false => walk.hide(root, true),
    }
}

/// Adds the keys and scalars of a document in a kustomization file. Only fields that cannot contain a secret are shown.
pub(super) fn kustomization(root: Node<'_>, text: &str, keys: &mut SecretKeys, parts: &mut Vec<SourcePart>) {
    let is_kustomization = matches!(root.text("kind"), "" | "Kustomization" | "Component") && root.is_mapping();
    match is_kustomization {
        true => Walk { text, keys, parts }.add_fields(root, KUSTOMIZATION_FIELDS),
        false => document(root, true, text, keys, parts),
    }
}

/// Fields of a `Chart.yaml` (`chart.Metadata` in Helm), starting with the required ones.
const CHART_FIELDS: [&str; 17] = [
    "apiVersion",
    "name",
    "version",
    "annotations",
    "appVersion",
    "condition",
    "dependencies",
    "deprecated",
    "description",
    "home",
    "icon",
    "keywords",
    "kubeVersion",
    "maintainers",
    "sources",
    "tags",
    "type",
];

/// Whether a document describes a Helm chart: it has the required fields, and no fields other than [`CHART_FIELDS`].
fn is_chart(root: Node<'_>) -> bool {
    let has_key = |key: &&str| root.get(key).is_some_and(|value| value.as_str().is_some());
    CHART_FIELDS.iter().take(3).all(has_key) && root.entries().all(|entry| CHART_FIELDS.contains(&entry.key))
}

/// Context of a value, which determines whether the value may be shown.
#[derive(Clone, Copy, Default)]
struct NodeContext {
    /// Whether the value is in a mapping with arbitrary keys, such as an integration's configuration.
    is_free: bool,
    /// Whether the value is below a secret key, which should contain a reference to a Secret.
    is_reference: bool,
    /// Whether the value is in an object of a kind that contains secret values, such as `SealedSecret`.
    is_secret_like: bool,
    /// Whether the value is in a list of variables.
    is_variable: bool,
    /// Whether the value is in a field that contains the keys of a Secret or ConfigMap.
    is_data: bool,
}

struct Walk<'t, 'p> {
    text: &'t str,
    keys: &'p mut SecretKeys,
    parts: &'p mut Vec<SourcePart>,
}

impl Walk<'_, '_> {
    fn visit_value(&mut self, node: Node<'_>, context: NodeContext) {
        match node.value() {
            NodeValue::Mapping if is_secret(node) => self.add_secret(node),
            NodeValue::Mapping => self.add_mapping(node, context),
            NodeValue::Sequence => node.items().for_each(|item| self.visit_value(item, context)),
            NodeValue::String(text) => self.add_scalar(node, text, context),
            _ => self.push(node.span().bytes(), true, false),
        }
    }

    /// Adds the fields of a mapping. Fields that are not among `fields` are hidden.
    fn add_fields(&mut self, node: Node<'_>, fields: &'static [(&'static str, VisiblePart)]) {
        if !node.is_mapping() {
            return self.hide(node, false);
        }
        for entry in node.entries() {
            let is_name =
                entry.key.len() <= MAX_FIELD_LENGTH && entry.key.bytes().all(|byte| byte.is_ascii_alphanumeric());
            self.push(entry.key_span.bytes(), is_name, false);
            match visibility(fields, entry.key) {
                Some(VisiblePart::Text) => self.visit_value(entry.value, NodeContext::default()),
                Some(VisiblePart::Files) => self.add_files(entry.value),
                Some(VisiblePart::Fields(inner)) if entry.value.is_mapping() => self.add_fields(entry.value, inner),
                Some(VisiblePart::Fields(inner)) => match entry.value.value() {
                    NodeValue::Sequence => entry.value.items().for_each(|item| self.add_fields(item, inner)),
                    _ => self.hide(entry.value, false),
                },
                None => self.hide(entry.value, false),
            }
        }
    }

    /// Adds file names. Other strings are hidden.
    fn add_files(&mut self, node: Node<'_>) {
        match node.value() {
            NodeValue::Sequence => node.items().for_each(|item| self.add_files(item)),
            NodeValue::String(text) => self.push(node.span().bytes(), is_file(text), false),
            _ => self.hide(node, false),
        }
    }

    fn add_mapping(&mut self, node: Node<'_>, context: NodeContext) {
        let kind = node.text("kind");
        let context = NodeContext {
            is_secret_like: context.is_secret_like || kind.to_ascii_lowercase().contains("secret"),
            ..context
        };
        for entry in node.entries() {
            let is_shown = !context.is_data || display_data_key(entry.key) == entry.key;
            self.push(entry.key_span.bytes(), is_shown, false);
            let (key, value) = (entry.key, entry.value);
            let is_secret = self.keys.is_secret(key);
            let inner = NodeContext {
                is_free: context.is_free || key == "config",
                is_reference: context.is_reference || is_secret,
                is_variable: key == "env",
                is_data: is_data(key),
                ..context
            };
            let is_named_secret = || is_named_secret(key, |name| sibling_text(node, name));
            // The purpose of a variable without a name is unknown, so its value may be secret.
            let is_unnamed = || context.is_variable && key == "value" && sibling_text(node, "name").is_none();
            match is_hidden(key, value, is_secret, context) || is_named_secret() || is_unnamed() {
                true => self.hide(value, false),
                false => self.visit_value(value, inner),
            }
        }
    }

    /// Adds the parts of a Secret or a list of Secrets. The Secret's identity and key names are shown.
    fn add_secret(&mut self, node: Node<'_>) {
        for entry in node.entries() {
            self.add_key(entry, true);
            match entry.key {
                "apiVersion" | "kind" if entry.value.as_str().is_some() => {
                    self.push(entry.value.span().bytes(), true, true);
                }
                "metadata" => self.add_keys(entry.value, &["name", "namespace"]),
                "items" => entry.value.items().for_each(|item| self.add_secret(item)),
                key if is_data(key) => self.add_keys(entry.value, &[]),
                _ => self.hide(entry.value, true),
            }
        }
    }

    /// Adds the keys and values of a mapping in a Secret. Values are hidden unless their keys are in `visible_keys`.
    fn add_keys(&mut self, node: Node<'_>, visible_keys: &[&str]) {
        if !node.is_mapping() {
            return self.hide(node, true);
        }
        // If one of the keys is invalid, all of them may actually be values.
        let are_keys = node.entries().all(|entry| display_data_key(entry.key) == entry.key);
        for entry in node.entries() {
            self.add_key(entry, are_keys || !visible_keys.is_empty());
            match visible_keys.contains(&entry.key) && entry.value.as_str().is_some() {
                true => self.push(entry.value.span().bytes(), true, true),
                false => self.hide(entry.value, true),
            }
        }
    }

    /// Adds the key of an entry in a Secret. If `is_shown` is true, the key is shown if it is valid.
    fn add_key(&mut self, entry: Entry<'_>, is_shown: bool) {
        self.push(entry.key_span.bytes(), is_shown && display_key(entry.key) == entry.key, true);
    }

    /// Hides all scalars in a value. If `is_guarded` is true, all keys except known fields are hidden as well.
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

    /// Adds a string whose key is not secret, but which may contain a secret.
    fn add_scalar(&mut self, node: Node<'_>, text: &str, context: NodeContext) {
        let bytes = node.span().bytes();
        let raw = self.text.get(bytes.clone()).unwrap_or_default();
        if raw == text && is_word(raw) {
            return self.push(bytes, true, false);
        }
        let is_secret = |text: &str| contains_token(text) || contains_credential(text, context.is_free);
        // A string with escapes or line breaks differs from its value in the source, so both are searched.
        let is_written_otherwise = !raw.contains(text);
        if is_secret(raw) || (is_written_otherwise && (is_secret(text) || contains_secret(text))) {
            return self.push(bytes, false, false);
        }
        let mut at = bytes.start;
        for secret in secrets_in_urls(raw) {
            let secret = bytes.start + secret.start..bytes.start + secret.end;
            self.push(at..secret.start, true, false);
            at = at.max(secret.end);
            self.push(secret, false, false);
        }
        self.push(at..bytes.end, true, false);
    }

    fn push(&mut self, bytes: Range<usize>, is_shown: bool, is_guarded: bool) {
        if bytes.start < bytes.end {
            self.parts.push(SourcePart { bytes, is_shown, is_guarded });
        }
    }
}

/// Whether a mapping is a Secret or a list of Secrets, even if the kind is misspelled or missing.
fn is_secret(node: Node<'_>) -> bool {
    let mut words = node.text("kind").split(|c: char| !c.is_alphanumeric());
    words.any(|word| closest(word, ["Secret", "SecretList"]).is_some()) || node.entry("stringData").is_some()
}

/// Whether a key's value is secret as a whole. `is_secret` is true if the key is secret.
fn is_hidden(key: &str, value: Node<'_>, is_secret: bool, context: NodeContext) -> bool {
    match key {
        // `literals` contains the values of a Secret that kustomize generates.
        LAST_APPLIED | "literals" => true,
        // Templates in `SealedSecret` and `ExternalSecret` also contain values.
        key if context.is_secret_like && (is_data(key) || key == "template") => {
            !value.items().any(|item| item.is_mapping())
        }
        key if is_secret => !value.is_mapping() || context.is_free || key.to_lowercase().ends_with("headers"),
        key if context.is_reference && REFERENCE.split(' ').all(|candidate| candidate != key) => !value.is_mapping(),
        key if context.is_free => is_suspicious(key) && !matches!(value.value(), NodeValue::Bool(_)),
        _ => false,
    }
}

/// Returns the string in a field of a mapping, or in a field with a similar name if the field is missing.
fn sibling_text<'d>(node: Node<'d>, name: &str) -> Option<&'d str> {
    let misspelled = || node.get(closest(name, node.entries().map(|entry| entry.key))?);
    node.get(name).or_else(misspelled)?.as_str()
}

#[cfg(test)]
mod tests {
    use crate::secrecy::SourceRedactions;
    use crate::source::{Source, Sources};

    /// Returns a file with all hidden parts replaced with `*`.
    fn redact_file(name: &str, text: &str) -> String {
        let mut sources = Sources::default();
        let id = sources.add(Source::new(name, text, true));
        let source = sources.get(id).unwrap();
        let mut redactions = SourceRedactions::default();
        let lines = (1..).map_while(|number| source.line(number)).filter(|(start, _)| *start < text.len());
        let mut shown_text = String::new();
        for (start, line) in lines {
            let mut at = 0;
            for part in redactions.hidden_ranges(id, source, line, start, 0..line.len()) {
                shown_text.extend([&line[at..part.start], "*"]);
                at = part.end;
            }
            shown_text.extend([&line[at..], "\n"]);
        }
        shown_text
    }

    #[test]
    fn shows_non_secret_fields_of_kustomizations() {
        let shown = "resorces: [a]\nresources: [gone.yaml, ../base, 'https://example.com/x']\nnamespace: shop\nnamePrefix: a-\n\
                     patches: [{path: p.yaml, target: {kind: Secret, name: web}}]\nimages: [{name: a, newTag: v1}]\n\
                     secretGenerator: [{name: s, files: [a.env], envs: [b.env]}]\n";
        let expected = shown.replace("resorces: [a]", "resorces: [*]");
        assert_eq!(redact_file("x/kustomization.yaml", shown), expected);
        assert_eq!(redact_file("x/other.yaml", "namespace: shop\n"), "namespace: *\n");
        for (text, expected) in [
            ("secretGenerator: [{name: s, literals: [a=hunter]}]\n", "secretGenerator: [{name: s, literals: [*]}]\n"),
            ("secretGenerator: [{files: [password=hunter]}]\n", "secretGenerator: [{files: [*]}]\n"),
            ("configMapGenerator: [{envs: hunter}]\n", "configMapGenerator: [{envs: *}]\n"),
            ("patches: [{patch: 'hunter'}]\n", "patches: [{patch: *}]\n"),
            ("patchesStrategicMerge: ['data: {a: hunter}', p.yaml]\n", "patchesStrategicMerge: [*, p.yaml]\n"),
            ("helmCharts: [{name: a, valuesInline: {b: hunter}}]\n", "helmCharts: [{name: a, valuesInline: {b: *}}]\n"),
            ("replacements: [{sourceValue: hunter}]\n", "replacements: [{sourceValue: *}]\n"),
            ("kind: Secret\ndata: {a: hunter}\n", "kind: Secret\ndata: {a: *}\n"),
            ("resources: [https://me:hunter@example.com/x]\n", "resources: [https://*@example.com/x]\n"),
        ] {
            assert_eq!(redact_file("kustomization.yml", text), expected, "{text}");
        }
    }
}
