//! How resources are admitted.

use crate::operator::OperatorVersion;

/// What to do about a field the schema does not know. It is dropped in any case. The words are kubectl's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum UnknownFields {
    /// An unknown field is an error
    Strict,
    /// An unknown field is a warning
    #[default]
    Warn,
    /// Unknown fields are not reported
    Ignore,
}

/// How resources are admitted.
#[derive(Clone, Debug)]
pub struct Options {
    /// The namespace of objects without one.
    pub namespace: String,
    /// What to do about unknown fields.
    pub unknown_fields: UnknownFields,
    /// The operator whose CustomResourceDefinitions the API server has.
    pub operator: OperatorVersion,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            namespace: "default".to_owned(),
            unknown_fields: UnknownFields::default(),
            operator: OperatorVersion::default(),
        }
    }
}
