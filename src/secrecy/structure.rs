//! Redaction of text that no node covers, such as a document that could not be parsed. Only punctuation, known field
//! names and a few harmless values are shown, because anything else may be a secret.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::OnceLock;

use super::table;
use super::text::{contains_credential, contains_secret};
use crate::api::Kind;
use crate::api::schema::{Schema, object_meta, schema};

/// Maximum length of a comment to show.
const MAX_COMMENT_LENGTH: usize = 400;

/// Returns the number of leading bytes to show: punctuation, known keys, and values that are never secret. If
/// `is_plain` is true, the document is known to contain no Secret, and names are shown as well.
pub(super) fn structure(text: &str, is_plain: bool) -> usize {
    let mut at = punctuation(text);
    while let Some(length) = text.get(at..).and_then(known_key_len) {
        let key = text.get(at..at + length).unwrap_or_default();
        at += length;
        at += text.get(at..).map_or(0, punctuation);
        at += text.get(at..).map_or(0, |value| harmless_value(key, value, is_plain));
    }
    at
}

/// Returns the length of a value that identifies an object. Returns 0 if the value does not have the expected form or
/// does not end the line.
fn harmless_value(key: &str, value: &str, is_plain: bool) -> usize {
    let is_word = |also: &str| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || also.contains(c);
        value.chars().all(is_part) && !value.is_empty() && value.len() <= 63
    };
    let is_harmless = match key.trim_end_matches([':', ' ']) {
        "apiVersion" => is_word("./-") && (value.contains('/') || value == "v1"),
        "kind" => is_word("") && value.starts_with(|c: char| c.is_ascii_uppercase()),
        "name" | "namespace" | "port" | "interval" => is_plain && is_word("-.") && !contains_secret(value),
        "image" => is_plain && is_word("-._/:") && !contains_secret(value),
        _ => false,
    };
    if is_harmless { value.len() } else { 0 }
}

/// Returns the ranges of documents that could not be parsed but are known to contain no Secret. Such a document has
/// exactly one kind, which the operator defines, and contains no word that occurs in a Secret. Integrations are
/// excluded, because their configuration may contain anything.
pub(super) fn find_plain_documents(text: &str) -> Vec<Range<usize>> {
    let mut start = 0;
    let ends = text.match_indices("\n---").map(|(at, _)| at + 1).chain([text.len()]);
    let documents = ends.map(|end| std::mem::replace(&mut start, end)..end);
    let mut documents: Vec<_> = documents.collect();
    documents.retain(|document| text.get(document.clone()).is_some_and(is_plain));
    documents
}

fn is_plain(document: &str) -> bool {
    let value_of = |key: &str| {
        let mut values = document.lines().filter_map(move |line| line.strip_prefix(key));
        values.next().filter(|_| values.next().is_none())
    };
    let is_operator_kind = |kind: &str| {
        let mut kinds = Kind::ALL.iter().filter(|kind| kind.is_custom() && **kind != Kind::Integration);
        kinds.any(|candidate| candidate.as_str() == kind.trim())
    };
    let is_secret_word = |word: &str| {
        ["binaryData", "ConfigMap", "data", "Secret", "stringData"]
            .iter()
            .any(|secret_word| word.eq_ignore_ascii_case(secret_word))
    };
    let mut words = document.split(|c: char| !c.is_ascii_alphanumeric());
    value_of("kind:").is_some_and(is_operator_kind)
        && value_of("apiVersion:").is_some()
        && value_of("metadata:").is_some()
        && !words.any(is_secret_word)
}

/// Like [`structure`], for text in a parsed document that is not part of a Secret. Also shows anchors, tags, aliases,
/// and a comment that does not look secret.
pub(super) fn open_structure(text: &str) -> usize {
    let mut at = structure(text, false);
    while let Some(rest) = text.get(at..).filter(|rest| rest.starts_with(['&', '*', '!'])) {
        at += rest.find(|c: char| c.is_whitespace() || ",[]{}".contains(c)).unwrap_or(rest.len());
        at += text.get(at..).map_or(0, |rest| structure(rest, false));
    }
    let rest = text.get(at..).unwrap_or_default();
    let is_secret = || contains_secret(rest) || contains_credential(rest, true);
    match rest.starts_with('#') && rest.len() <= MAX_COMMENT_LENGTH && !is_secret() {
        true => text.len(),
        false => at,
    }
}

/// Returns the length of leading YAML punctuation, excluding a dash or colon that may be part of a word.
fn punctuation(text: &str) -> usize {
    if matches!(text.trim_end(), "---" | "...") {
        return text.len();
    }
    let ends = |rest: &str| rest.is_empty() || rest.starts_with(|c: char| c.is_whitespace());
    let end = text.char_indices().find(|&(at, c)| {
        let after = text.get(at + c.len_utf8()..).unwrap_or_default();
        match c {
            '{' | '}' | '[' | ']' | ',' => false,
            '-' | '?' => !ends(after),
            ':' => !(ends(after) || after.starts_with(['"', '\'', '{', '['])),
            c => !c.is_whitespace(),
        }
    });
    end.map_or(text.len(), |(at, _)| at)
}

/// Returns the length of a leading key, including its colon, or `None` if it is not a known field.
fn known_key_len(text: &str) -> Option<usize> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
    let inner = text.get(quote.map_or(0, char::len_utf8)..)?;
    let end = match quote {
        Some(quote) => inner.find(quote)?,
        None => inner.find([':', ' ', '\t'])?,
    };
    let name = inner.get(..end)?;
    let after = inner.get(end + quote.map_or(0, char::len_utf8)..)?;
    let value = after.trim_start_matches([' ', '\t']).strip_prefix(':')?;
    let is_key = quote.is_some() || value.is_empty() || value.starts_with(|c: char| c.is_whitespace());
    (is_key && is_field(name)).then(|| text.len() - value.len())
}

/// Fields of objects that agentctl has no schema for: settings, lists, APIServices, ExternalName Services,
/// ExternalSecrets and SealedSecrets.
const OTHER_FIELDS: &str = "\
    apiVersion caBundle code encryptedData exceptions externalName file flags group groupPriorityMinimum host \
    insecureSkipTLSVerify items kind metadata reason refreshInterval remoteRef secretKey secretStoreRef service spec \
    target template version versionPriority <<";

/// Whether a string is the name of a known field, and therefore not secret.
pub(super) fn is_field(name: &str) -> bool {
    static NAMES: OnceLock<HashSet<&'static str>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let mut names = OTHER_FIELDS.split(' ').collect::<HashSet<_>>();
        names.extend(table::NAMES.iter());
        add(object_meta(), &mut names);
        for &kind in Kind::ALL {
            add(schema(kind), &mut names);
        }
        names
    });
    names.contains(name)
}

fn add(schema: &'static Schema, names: &mut HashSet<&'static str>) {
    for (name, field) in &schema.properties {
        names.insert(name);
        add(field, names);
    }
    let inner = schema.additional.iter().chain(&schema.items);
    inner.for_each(|inner| add(inner, names));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_punctuation_and_known_keys() {
        for (text, expected) in [
            ("  password: hunter2", "  password: "),
            ("stringData:", "stringData:"),
            ("  - name: x", "  - name: "),
            ("data: {password: x}", "data: {password: "),
            ("{\"kind\":\"Secret\"}", "{\"kind\":"),
            ("? kind", "? "),
            ("hunter2: x", ""),
            ("name:hunter2", ""),
            ("-hunter2", ""),
            ("-----BEGIN", ""),
            ("--- ", "--- "),
            ("---", "---"),
            ("--- hunter2", ""),
            ("# name: x", ""),
            ("'name': |", "'name': "),
            ("\"k\\x69nd\": x", ""),
            ("  }, ", "  }, "),
            ("... ", "... "),
            ("...x", ""),
            ("\"name\":x", "\"name\":"),
            ("\"name: x", ""),
            ("name:", "name:"),
            ("name\t: x", "name\t: "),
            ("- - ? - name: [{name: x", "- - ? - name: [{name: "),
            ("-", "-"),
            ("?x", ""),
            ("[x", "["),
            (":'x", ":"),
            ("::x", ""),
            ("apiVersion: v1", "apiVersion: v1"),
            ("apiVersion: v2", "apiVersion: "),
            ("apiVersion: a.b-c/v2", "apiVersion: a.b-c/v2"),
            ("apiVersion: a/v2 x", "apiVersion: "),
            ("apiVersion: ", "apiVersion: "),
            ("kind: Probe", "kind: Probe"),
            ("kind: probe", "kind: "),
            ("kind: A-b", "kind: "),
        ] {
            assert_eq!(text.get(..structure(text, false)), Some(expected), "{text}");
        }
    }

    #[test]
    fn shows_names_in_documents_without_secrets() {
        let agent = "apiVersion: g/v1\nkind: GrafanaAgent\nmetadata:\n\tname: a\n";
        let (longest, token) = ("a".repeat(63), "AKIAIOSFODNN7EXAMPLE");
        for (text, expected) in [
            (agent.replace("apiVersion", "apiVersions"), 0),
            (agent.replace("metadata", "metadatas"), 0),
            (agent.replace("GrafanaAgent", "Secret"), 0),
            (format!("{agent}x: configmap\n"), 0),
            (format!("a: b\n---\n{agent}"), 1),
            (agent.to_owned(), 1),
            (format!("{agent}---\n{agent}"), 2),
            (format!("{agent}---\n{}", agent.replace("GrafanaAgent", "Secret")), 1),
            // Without a separator, it is unknown where the Secret starts.
            (format!("{agent}{}", agent.replace("GrafanaAgent", "Secert")), 0),
            (format!("{agent}kind Secret\n"), 0),
            (format!("{agent}stringData: {{}}\n"), 0),
            (agent.replace("kind:", "kind"), 0),
            (agent.replace("GrafanaAgent", "Integration"), 0),
        ] {
            assert_eq!(find_plain_documents(&text).len(), expected, "{text}");
        }
        for (text, is_plain, expected) in [
            ("name: a-b", true, "name: a-b"),
            ("name: a-b", false, "name: "),
            ("name: a b", true, "name: "),
            ("image: a/b:c", true, "image: a/b:c"),
            ("password: hunter2", true, "password: "),
            ("image: a/b:c", false, "image: "),
            ("image: a b", true, "image: "),
            ("namespace: a.b", true, "namespace: a.b"),
            ("port: 80", true, "port: 80"),
            ("interval: 1m", true, "interval: 1m"),
            ("name: a/b", true, "name: "),
            ("name: ", true, "name: "),
            (&format!("name: {longest}"), true, &format!("name: {longest}")),
            (&format!("name: {longest}a"), true, "name: "),
            (&format!("name: {token}"), true, "name: "),
            (&format!("image: {token}"), true, "image: "),
        ] {
            assert_eq!(text.get(..structure(text, is_plain)), Some(expected), "{text}");
        }
    }

    #[test]
    fn shows_anchors_and_harmless_comments() {
        for (text, expected) in [
            (": &a ", ": &a "),
            (": *a, ", ": *a, "),
            (" # why", " # why"),
            (" # password: hunter2", " "),
            (": hunter2", ": "),
            (" !!str &a ", " !!str &a "),
            (" &a", " &a"),
            (" [*a,*b] hunter2", " [*a,*b] "),
            (" !a hunter2", " !a "),
            (" # AKIAIOSFODNN7EXAMPLE", " "),
            (" # key1=x", " # key1=x"),
            (" # my_token_1=x", " "),
        ] {
            assert_eq!(text.get(..open_structure(text)), Some(expected), "{text}");
        }
        for (length, expected) in [(MAX_COMMENT_LENGTH, MAX_COMMENT_LENGTH), (MAX_COMMENT_LENGTH + 1, 0)] {
            assert_eq!(open_structure(&format!("#{}", "x".repeat(length - 1))), expected);
        }
    }
}
