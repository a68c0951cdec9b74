//! The keys of mappings.

use std::borrow::Cow;

use super::diagnostics;
use crate::diagnostic::Diagnostic;
use crate::go::number;
use crate::go::scalar::Scalar;
use crate::source::Span;

/// A key whose value has not come yet.
#[derive(Debug)]
pub(super) enum Key<'s> {
    Text(Cow<'s, str>),
    Merge,
    /// A key that was reported; its value is dropped.
    Invalid,
}

impl<'s> Key<'s> {
    /// The key as JSON has it, converted as sigs.k8s.io/yaml does (`convertToJSONableObject`).
    pub(super) fn of(scalar: Scalar<'s>, at: Span, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let invalid = match scalar {
            Scalar::String(text) => return Key::Text(text),
            Scalar::Bool(true) => return Key::Text(Cow::Borrowed("true")),
            Scalar::Bool(false) => return Key::Text(Cow::Borrowed("false")),
            Scalar::Int(value) => return Key::Text(Cow::Owned(value.to_string())),
            Scalar::Float(value) => return Key::Text(Cow::Owned(number::key_text(value))),
            Scalar::Null => diagnostics::null_key(at),
            Scalar::Uint(_) => diagnostics::large_key(at),
        };
        diagnostics.push(invalid);
        Key::Invalid
    }
}
