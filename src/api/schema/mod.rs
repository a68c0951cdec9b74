//! Definitions of the kinds. They come from the operator's CustomResourceDefinitions or, for core kinds, list the
//! fields that the API server's Go types decode. Each definition is parsed on first use.

mod structural;

pub use structural::{ListType, Schema, ValueFormat, ValueType};

use std::sync::OnceLock;

use serde::Deserialize;
use serde_json::Value;

use crate::api::Kind;
use crate::api::kind::kinds;

/// Part of a definition that [`Kind`] does not cover.
#[derive(Deserialize)]
struct Definition<S> {
    schema: S,
}

macro_rules! definitions {
    ($(#[doc = $summary:literal] $kind:ident { $($rest:tt)* })+) => {
        /// Returns the schema for objects of a kind, except for their `metadata`, which [`object_meta`] describes.
        pub fn schema(kind: Kind) -> &'static Schema {
            match kind {
                $(Kind::$kind => {
                    static SCHEMA: OnceLock<Schema> = OnceLock::new();
                    SCHEMA.get_or_init(|| parse::<Definition<_>>(definition_text(kind)).schema)
                })+
            }
        }

        /// Returns a definition as JSON text.
        fn definition_text(kind: Kind) -> &'static str {
            match kind {
                $(Kind::$kind => include_str!(concat!(stringify!($kind), ".json")),)+
            }
        }
    };
}
kinds!(definitions);

/// Returns the schema for `metadata`, which is the same for every kind: the fields that the Go type `ObjectMeta`
/// decodes.
pub fn object_meta() -> &'static Schema {
    static OBJECT_META: OnceLock<Schema> = OnceLock::new();
    OBJECT_META.get_or_init(|| parse(include_str!("ObjectMeta.json")))
}

/// Returns the schema for a kind as JSON, exactly as in the definition.
pub fn schema_json(kind: Kind) -> Value {
    parse::<Definition<_>>(definition_text(kind)).schema
}

/// Returns the schema for `metadata` as JSON.
pub fn object_meta_json() -> Value {
    parse(include_str!("ObjectMeta.json"))
}

#[expect(clippy::expect_used, reason = "the files are part of the program, and a test reads each")]
fn parse<T: Deserialize<'static>>(json: &'static str) -> T {
    serde_json::from_str(json).expect("a definition of this program is valid")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_parse_and_match_their_kind() {
        for &kind in Kind::ALL {
            let definition: Value = parse(definition_text(kind));
            assert_eq!(definition["kind"], kind.as_str());
            assert_eq!(definition["group"], kind.group());
            assert_eq!(definition["version"], kind.version());
            assert_eq!(definition["plural"], kind.plural());
            assert_eq!(definition["scope"], kind.scope());
            assert!(schema(kind).properties.contains_key("metadata"), "{kind}");
        }
        assert!(object_meta().properties.contains_key("name"));
    }

    #[test]
    fn every_schema_pattern_compiles() {
        fn check(schema: &Schema) {
            if let Some(pattern) = &schema.pattern {
                assert!(regex::Regex::new(pattern.as_str()).is_ok(), "{}", pattern.as_str());
            }
            let nested = schema.additional.iter().chain(&schema.items).map(|s| &**s);
            for schema in nested.chain(schema.properties.values()) {
                check(schema);
            }
        }
        for &kind in Kind::ALL {
            check(schema(kind));
        }
    }
}
