use std::fmt;

use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};

/// A port by number or by name (`intstr.IntOrString`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema)]
#[schemars(untagged)]
pub enum IntOrString<'d> {
    /// By number.
    Int(i32),
    /// By name.
    String(&'d str),
}

impl IntOrString<'_> {
    /// The text the operator's templates make of it: empty for an empty name and for 0.
    pub fn to_text(self) -> String {
        match self {
            IntOrString::Int(0) => String::new(),
            IntOrString::Int(number) => number.to_string(),
            IntOrString::String(name) => name.to_owned(),
        }
    }
}

impl<'de: 'd, 'd> Deserialize<'de> for IntOrString<'d> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Port;

        impl<'de> Visitor<'de> for Port {
            type Value = IntOrString<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an integer or a string")
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
                i32::try_from(number)
                    .map(IntOrString::Int)
                    .map_err(|_| E::custom(format_args!("`{number}` does not fit 32 bits")))
            }

            fn visit_borrowed_str<E: Error>(self, name: &'de str) -> Result<Self::Value, E> {
                Ok(IntOrString::String(name))
            }
        }

        deserializer.deserialize_any(Port)
    }
}
