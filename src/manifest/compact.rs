//! Compact storage of manifests as JSON text.

use serde_json::Value;

/// A value stored as JSON text. If stored as nodes, mappings with only one or two fields would take fifty times as much
/// memory.
#[derive(Clone)]
pub(super) struct CompactValue(Box<str>);

impl CompactValue {
    pub(super) fn new(value: &Value) -> Self {
        Self(value.to_string().into())
    }

    #[expect(clippy::expect_used, reason = "the string is the JSON of a value")]
    pub(super) fn value(&self) -> Value {
        serde_json::from_str(&self.0).expect("serialized JSON can be parsed")
    }

    /// Returns the size of the JSON text in bytes.
    pub(super) fn size(&self) -> u64 {
        self.0.len() as u64
    }
}
