//! Search for Secret values that kustomize copies to other objects, with replacements or vars.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use memchr::memmem;

use crate::source::{CopiedValues, Source, Sources};
use crate::yaml::{Limits, Node, read_value};

/// Minimum length of a value to replace. Shorter values may occur elsewhere by chance.
const MIN_LENGTH: usize = 4;

/// Fields and kinds that copy values from one object to another.
const COPYING_FIELDS: [&str; 3] = ["replacements", "ReplacementTransformer", "objref"];

/// Whether a file of a build can make kustomize copy values.
pub fn copies_values(file: &[u8]) -> bool {
    COPYING_FIELDS.iter().any(|text| memmem::find(file, text.as_bytes()).is_some())
}

/// Keys of Secrets and ConfigMaps whose values a build copies. Files are searched as plain text, because a string in a
/// kustomization can also contain replacements.
#[derive(Debug, Default)]
struct CopiedFields<'t> {
    /// Keys below `data` or `stringData`.
    keys: BTreeSet<&'t str>,
    /// Whether any path leads to an entire map or is unknown.
    copies_all: bool,
    /// Delimiters at which kustomize splits values to copy only parts of them.
    delimiters: BTreeSet<&'t str>,
}

impl<'t> CopiedFields<'t> {
    fn add(&mut self, text: &'t str) {
        // A transformer can refer to unknown files.
        self.copies_all |= text.contains("ReplacementTransformer");
        for path in values("ieldPath", text).chain(values("ieldpath", text)) {
            let key = path.strip_prefix("stringData").or_else(|| path.strip_prefix("data"));
            match key.map(|key| key.strip_prefix('.').unwrap_or_default()) {
                Some("") => self.copies_all = true,
                Some(key) if key.contains(['\\', '[', '*']) => self.copies_all = true,
                Some(key) => drop(self.keys.insert(key)),
                None => {}
            }
        }
        self.delimiters.extend(values("delimiter", text).filter(|delimiter| !delimiter.is_empty()));
    }

    fn copies(&self, key: &str) -> bool {
        self.copies_all || self.keys.contains(key)
    }
}

/// Returns all values of a key in YAML or JSON, regardless of the positions of the key in the text.
fn values<'t>(key: &'static str, text: &'t str) -> impl Iterator<Item = &'t str> {
    text.match_indices(key).filter_map(move |(at, _)| {
        let rest = text.get(at + key.len()..)?.trim_start_matches(['"', '\'', '\\']).trim_start();
        let rest = rest.strip_prefix(':')?.trim_start().trim_start_matches('\\');
        match rest.chars().next().filter(|quote| matches!(quote, '"' | '\'')) {
            Some(quote) => rest.get(1..)?.split([quote, '\n']).next().map(|value| value.trim_end_matches('\\')),
            None => rest.split([' ', ',', '}', '\r', '\n']).next(),
        }
    })
}

/// Finds the Secret values that a build may copy to other objects. `texts` contains the contents of the build's files
/// and its output.
pub fn copied_values(texts: &[&str]) -> Option<CopiedValues> {
    let mut fields = CopiedFields::default();
    if texts.iter().any(|text| copies_values(text.as_bytes())) {
        // A kustomization can refer to a file with replacements.
        texts.iter().for_each(|text| fields.add(text));
    }
    if !fields.copies_all && fields.keys.is_empty() {
        return None;
    }
    let mut keys = BTreeMap::new();
    let source = Sources::default().add(Source::new("", "", false));
    for text in texts.iter().filter(|text| text.contains("Secret") || text.contains("secretGenerator")) {
        let parsed = read_value(source, text, &Limits::default());
        parsed.output.iter().for_each(|document| add_values(document.root(), &fields, &mut keys));
    }
    CopiedValues::new(&keys)
}

/// Adds the copied values of a Secret, of each Secret in a list, or of a kustomization's literals.
fn add_values(object: Node<'_>, fields: &CopiedFields<'_>, keys: &mut BTreeMap<String, String>) {
    let mut add = |key: &str, value: &str| {
        let parts = fields.delimiters.iter().flat_map(|delimiter| value.split(delimiter));
        for value in parts.chain([value]).filter(|value| value.len() >= MIN_LENGTH) {
            keys.entry(value.to_owned()).or_insert_with(|| key.to_owned());
        }
    };
    if object.get("kind").and_then(Node::as_str) == Some("Secret") {
        let field_entries =
            |field| object.get(field).into_iter().flat_map(Node::entries).map(move |entry| (field, entry));
        let entries = field_entries("data").chain(field_entries("stringData"));
        for (field, entry) in entries.filter(|(_, entry)| fields.copies(entry.key)) {
            // kustomize also copies numbers.
            let value = entry.value.as_str().unwrap_or_else(|| entry.value.raw());
            add(entry.key, value);
            if let Some(decoded_value) =
                STANDARD.decode(value.replace(['\n', ' '], "")).ok().filter(|_| field == "data")
            {
                add(entry.key, &String::from_utf8_lossy(&decoded_value));
            }
        }
    }
    for literal in object.items_at("secretGenerator").flat_map(|generator| generator.items_at("literals")) {
        let Some((key, value)) = literal.as_str().and_then(|literal| literal.split_once('=')) else { continue };
        if fields.copies(key) {
            add(key, value.trim_matches(['"', '\'']));
            add(key, &STANDARD.encode(value.trim_matches(['"', '\''])));
        }
    }
    object.items_at("items").for_each(|item| add_values(item, fields, keys));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a text that contains the values in [`SECRETS`], after replacing the values that the kustomization
    /// copies.
    fn hide_copied_values(kustomization: &str) -> String {
        let text = "http://a aHR0cDovL2E= other ann1:eve1 eve1";
        let values = copied_values(&[kustomization, SECRETS]);
        let replaced_text = values.and_then(|values| values.replace_values(text, |key| format!("<{key}>")));
        replaced_text.unwrap_or_else(|| text.to_owned())
    }

    const SECRETS: &str = "kind: List\nitems:\n- kind: Secret\n  data: {url: aHR0cDovL2E=}\n  \
                           stringData: {more: other, user: 'ann1:eve1'}\n";

    #[test]
    fn hides_only_values_that_are_copied() {
        let transformer = "transformers: ['{kind: ReplacementTransformer, replacements: [{path: more.yaml}]}']";
        let parts = "replacements: [{source: {fieldPath: data.user, options: {delimiter: ':', index: 1}}}]";
        for (kustomization, expected) in [
            ("replacements: [{source: {fieldPath: data.url}}]", "<url> <url> other ann1:eve1 eve1"),
            (
                "replacements:\n- source:\n    fieldPath: \"stringData.more\"\n",
                "http://a aHR0cDovL2E= <more> ann1:eve1 eve1",
            ),
            (transformer, "<url> <url> <more> <user> eve1"),
            (
                "vars: [{objref: {kind: Secret}, fieldref: {fieldpath: data.more}}]",
                "http://a aHR0cDovL2E= <more> ann1:eve1 eve1",
            ),
            ("replacements: [{source: {fieldPath: metadata.name}}]", "http://a aHR0cDovL2E= other ann1:eve1 eve1"),
            ("nothing: [{source: {fieldPath: data.url}}]", "http://a aHR0cDovL2E= other ann1:eve1 eve1"),
            (parts, "http://a aHR0cDovL2E= other <user> <user>"),
            ("replacements: [{source: {fieldPath: data}}]", "<url> <url> <more> <user> eve1"),
            ("replacements: [{source: {fieldPath: data.*}}]", "<url> <url> <more> <user> eve1"),
        ] {
            assert_eq!(hide_copied_values(kustomization), expected, "{kustomization}");
        }
    }

    #[test]
    fn finds_copied_values_in_generator_literals() {
        let text =
            "secretGenerator: [{literals: ['url=\"http://b\"', other=c]}]\nreplacements: [{fieldPath: data.url}]\n";
        let values = copied_values(&[text]).unwrap();
        let replacement = |key: &str| format!("<{key}>");
        assert_eq!(values.replace_values("http://b aHR0cDovL2I=", replacement).as_deref(), Some("<url> <url>"));
        assert_eq!(values.replace_values("nothing", replacement), None);
    }
}
