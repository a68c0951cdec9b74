//! The judge of text that no node stands for, such as all of a document that could not be parsed: punctuation and the
//! names of known fields may be shown, and nothing else, for it may be a value.

use std::collections::HashSet;
use std::sync::OnceLock;

use super::table;
use super::text::{names_a_credential, tells_a_secret};
use crate::api::Kind;
use crate::api::schema::{Schema, definition, object_meta};

/// A longer comment is not shown.
const LONGEST_COMMENT: usize = 400;

/// Number of bytes at the start of a text that may be shown: punctuation and keys.
pub(super) fn structure(text: &str) -> usize {
    let mut at = punctuation(text);
    while let Some(length) = text.get(at..).and_then(known_key) {
        let key = text.get(at..at + length).unwrap_or_default();
        at += length;
        at += text.get(at..).map_or(0, punctuation);
        at += text.get(at..).map_or(0, |value| harmless_value(key, value));
    }
    at
}

/// Length of the value of a key that says what an object is, where it has the form of such a value and ends the line.
fn harmless_value(key: &str, value: &str) -> usize {
    let is_word = |also: &str| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || also.contains(c);
        value.chars().all(is_part) && !value.is_empty() && value.len() <= 63
    };
    let is_harmless = match key.trim_end_matches([':', ' ']) {
        "apiVersion" => is_word("./-") && (value.contains('/') || value == "v1"),
        "kind" => is_word("") && value.starts_with(|c: char| c.is_ascii_uppercase()),
        _ => false,
    };
    if is_harmless { value.len() } else { 0 }
}

/// The same in a document that was parsed and holds no Secret there: it may be followed by an anchor, a tag or an alias, and
/// by a comment in which nothing looks secret.
pub(super) fn open_structure(text: &str) -> usize {
    let mut at = structure(text);
    while let Some(rest) = text.get(at..).filter(|rest| rest.starts_with(['&', '*', '!'])) {
        at += rest
            .find(|c: char| c.is_whitespace() || ",[]{}".contains(c))
            .unwrap_or(rest.len());
        at += text.get(at..).map_or(0, structure);
    }
    let rest = text.get(at..).unwrap_or_default();
    let is_secret = || tells_a_secret(rest) || names_a_credential(rest, true);
    match rest.starts_with('#') && rest.len() <= LONGEST_COMMENT && !is_secret() {
        true => text.len(),
        false => at,
    }
}

/// Length of the YAML punctuation at the start of a text. A dash or a colon does not count if it may begin a word.
fn punctuation(text: &str) -> usize {
    if matches!(text.trim_end(), "---" | "...") {
        return text.len();
    }
    let ends = |rest: &str| rest.is_empty() || rest.starts_with(|c: char| c.is_whitespace());
    let end = text.char_indices().find(|&(at, c)| {
        let behind = text.get(at + c.len_utf8()..).unwrap_or_default();
        match c {
            '{' | '}' | '[' | ']' | ',' => false,
            '-' | '?' => !ends(behind),
            ':' => !(ends(behind) || behind.starts_with(['"', '\'', '{', '['])),
            c => !c.is_whitespace(),
        }
    });
    end.map_or(text.len(), |(at, _)| at)
}

/// Length of the key at the start of a text, with its colon, if it is the name of a field.
fn known_key(text: &str) -> Option<usize> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
    let inner = text.get(quote.map_or(0, char::len_utf8)..)?;
    let end = match quote {
        Some(quote) => inner.find(quote)?,
        None => inner.find([':', ' ', '\t'])?,
    };
    let name = inner.get(..end)?;
    let behind = inner.get(end + quote.map_or(0, char::len_utf8)..)?;
    let value = behind.trim_start_matches([' ', '\t']).strip_prefix(':')?;
    let is_key = quote.is_some() || value.is_empty() || value.starts_with(|c: char| c.is_whitespace());
    (is_key && is_field(name)).then(|| text.len() - value.len())
}

/// Fields of objects that have no definition here: lists, APIServices, ExternalNames, ExternalSecrets and SealedSecrets.
const OTHERS: [&str; 22] = [
    "apiVersion",
    "caBundle",
    "encryptedData",
    "externalName",
    "group",
    "groupPriorityMinimum",
    "host",
    "insecureSkipTLSVerify",
    "items",
    "kind",
    "metadata",
    "refreshInterval",
    "remoteRef",
    "secretKey",
    "secretStoreRef",
    "service",
    "spec",
    "target",
    "template",
    "version",
    "versionPriority",
    "<<",
];

/// Whether a text is the name of a field that agentctl knows, and so no value.
pub(super) fn is_field(name: &str) -> bool {
    static NAMES: OnceLock<HashSet<&'static str>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let mut names = HashSet::from(OTHERS);
        names.extend(table::NAMES);
        add(object_meta(), &mut names);
        for &kind in Kind::ALL {
            add(&definition(kind).schema, &mut names);
        }
        names
    });
    names.contains(name)
}

fn add(schema: &'static Schema, names: &mut HashSet<&'static str>) {
    for (name, field) in schema.properties.iter() {
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
    fn punctuation_and_known_keys_are_structure() {
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
        ] {
            assert_eq!(text.get(..structure(text)), Some(expected), "{text}");
        }
    }

    #[test]
    fn anchors_and_harmless_comments_are_shown_where_nothing_is_secret() {
        for (text, expected) in [
            (": &a ", ": &a "),
            (": *a, ", ": *a, "),
            (" # why", " # why"),
            (" # password: hunter2", " "),
            (": hunter2", ": "),
        ] {
            assert_eq!(text.get(..open_structure(text)), Some(expected), "{text}");
        }
        let long = format!("#{}", " x".repeat(LONGEST_COMMENT));
        assert_eq!(open_structure(&long), 0);
    }
}
