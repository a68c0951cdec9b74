//! The definitions of the kinds, as the CustomResourceDefinitions of the operator have them; for core kinds, what the
//! API server's Go types decode. Each is parsed when a resource of its kind is first met.

mod structural;

pub use structural::{Format, ListType, Schema, ValueType};

use std::sync::OnceLock;

use serde::Deserialize;
use serde_json::Value;

use crate::api::Kind;
use crate::api::kind::kinds;

/// The definition of a kind in the API server.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "'de: 'static"))]
pub struct Definition {
    /// The API group; empty for core kinds.
    pub group: String,
    /// The version, such as `v1alpha1`.
    pub version: String,
    /// The kind.
    pub kind: String,
    /// The name in URLs.
    pub plural: String,
    /// `Namespaced` or `Cluster`.
    pub scope: String,
    /// The schema of the whole object; that of `metadata` is [`object_meta`].
    pub schema: Schema,
}

macro_rules! definitions {
    ($(#[doc = $summary:literal] $kind:ident { $($rest:tt)* })+) => {
        /// The definition of a kind.
        pub fn definition(kind: Kind) -> &'static Definition {
            match kind {
                $(Kind::$kind => {
                    static DEFINITION: OnceLock<Definition> = OnceLock::new();
                    DEFINITION.get_or_init(|| parse(definition_text(kind)))
                })+
            }
        }

        /// The JSON a definition is read from.
        fn definition_text(kind: Kind) -> &'static str {
            match kind {
                $(Kind::$kind => include_str!(concat!(stringify!($kind), ".json")),)+
            }
        }
    };
}
kinds!(definitions);

/// The schema of `metadata`, the same for every kind: what the Go type `ObjectMeta` decodes.
pub fn object_meta() -> &'static Schema {
    static OBJECT_META: OnceLock<Schema> = OnceLock::new();
    OBJECT_META.get_or_init(|| parse(include_str!("ObjectMeta.json")))
}

/// The schema of a kind as JSON, as the definition has it.
pub fn schema_json(kind: Kind) -> Value {
    let mut definition: Value = parse(definition_text(kind));
    definition.get_mut("schema").map(Value::take).unwrap_or_default()
}

/// The schema of `metadata` as JSON.
pub fn object_meta_json() -> Value {
    parse(include_str!("ObjectMeta.json"))
}

#[expect(
    clippy::expect_used,
    reason = "the files are part of the program, and a test reads each"
)]
fn parse<T: Deserialize<'static>>(json: &'static str) -> T {
    serde_json::from_str(json).expect("a definition of this program is valid")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_definition_parses_and_is_of_its_kind() {
        for &kind in Kind::ALL {
            let definition = definition(kind);
            assert_eq!(definition.kind, kind.as_str());
            let api_version = [&*definition.group, &*definition.version].join("/");
            assert_eq!(api_version.trim_start_matches('/'), kind.api_version());
            assert_eq!(definition.scope == "Namespaced", kind.is_namespaced(), "{kind}");
            assert!(definition.schema.properties.get("metadata").is_some(), "{kind}");
        }
        assert!(object_meta().properties.get("name").is_some());
    }

    #[test]
    fn every_pattern_compiles_and_fields_are_sorted() {
        fn check(schema: &Schema) {
            assert!(schema.properties.iter().is_sorted_by(|(a, _), (b, _)| a < b));
            if let Some(pattern) = &schema.pattern {
                assert!(regex::Regex::new(pattern.as_str()).is_ok(), "{}", pattern.as_str());
            }
            let nested = schema.additional.iter().chain(&schema.items).map(|s| &**s);
            for schema in nested.chain(schema.properties.iter().map(|(_, s)| s)) {
                check(schema);
            }
        }
        for &kind in Kind::ALL {
            check(&definition(kind).schema);
        }
    }
}
