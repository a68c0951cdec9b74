//! The names of the fields that agentctl knows. A text that is one of them is no value.

use std::collections::HashSet;
use std::sync::OnceLock;

use super::sensitive;
use crate::api::Kind;
use crate::api::schema::{Schema, definition, object_meta};

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

/// Whether a text is the name of a field.
pub(super) fn is_field(name: &str) -> bool {
    static NAMES: OnceLock<HashSet<&'static str>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let mut names = HashSet::from(OTHERS);
        names.extend(sensitive::WORDS);
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
