//! Which values share a key of `<agent>-secrets`, where the operator lets the last one win.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::AssetKey;
use super::references::Reference;
use crate::api::{Head, ObjectRef};
use crate::diagnostic::FieldPath;
use crate::source::Span;

/// The field that was the first to refer to a value.
pub struct Claim<'d> {
    /// The value.
    pub key: AssetKey<'d>,
    /// The resource that refers to it.
    pub object: ObjectRef<'d>,
    /// The field.
    pub path: FieldPath<'static>,
    /// Where the field stands.
    pub span: Span,
}

/// The keys of `<agent>-secrets` and what claims them.
#[derive(Default)]
pub struct SanitizedKeys<'d>(HashMap<String, Claim<'d>>);

impl<'d> SanitizedKeys<'d> {
    /// Claims the key of a value that was not claimed before; returns the claim of another value that has it already.
    pub fn claim(&mut self, referrer: &Head<'d>, reference: &Reference<'d>, key: AssetKey<'d>) -> Option<&Claim<'d>> {
        match self.0.entry(key.sanitized()) {
            Entry::Occupied(taken) => Some(taken.into_mut()),
            Entry::Vacant(free) => {
                free.insert(Claim {
                    key,
                    object: referrer.object_ref(),
                    path: reference.path.clone(),
                    span: referrer.locate(&reference.path),
                });
                None
            }
        }
    }
}
