//! What the API server does with a resource before the operator sees it: prune unknown fields, apply defaults,
//! validate.
//!
//! One pass over the tree does all three, in the effect of the API server's order (prune, drop nulls, default,
//! validate: `schemaCoercingDecoder` and `customResourceStrategy` of apiextensions-apiserver). It changes nothing
//! itself: prunes and defaults are collected as [`Edits`].

mod core_objects;
mod decode;
mod diagnostics;
mod document;
mod frame;
mod metadata;
mod objects;
mod promises;
mod rule;
mod walk;

pub use decode::{decode, decode_tolerantly};
pub use document::{AdmittedDocument, Options, admit_document};

use crate::api::Kind;
use crate::api::schema::definition;
use crate::diagnostic::Diagnostic;
use crate::yaml::{Edits, Node};

use frame::Frame;
use walk::Walk;

/// What to do about a field the schema does not know. It is dropped in any case. The words are kubectl's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnknownFields {
    /// It is an error.
    Strict,
    /// It is a warning.
    #[default]
    Warn,
    /// Nothing is said.
    Ignore,
}

/// Admits one resource: adds what has to change to `edits`, and what is wrong to `out`.
///
/// `resource` is the mapping with `apiVersion`, `kind` and `metadata`; paths in diagnostics start there. The caller
/// applies the edits to the document, and puts the resource's name into the diagnostics.
pub fn admit(kind: Kind, resource: Node<'_>, unknown: UnknownFields, edits: &mut Edits, out: &mut Vec<Diagnostic>) {
    let frame = Frame::resource(kind, resource);
    Walk { unknown, edits, out }.value(&definition(kind).schema, resource, &frame);
    metadata::check(kind, resource, &frame, out);
    core_objects::check(kind, resource, &frame, out);
}

#[cfg(test)]
mod tests;
