//! Admission: the processing that the API server applies to a resource before the operator receives it. It prunes
//! unknown fields, sets defaults and validates.
//!
//! All three steps are done in a single pass over the tree, with the same effect as the API server's order (prune, drop
//! nulls, default, validate: `schemaCoercingDecoder` and `customResourceStrategy` in apiextensions-apiserver). The pass
//! does not modify the tree, but collects changes as [`Edits`](crate::yaml::Edits).

mod access;
mod allowances;
mod broken_off;
mod copies;
mod core_objects;
mod decode;
mod diagnostics;
mod document;
mod findings;
mod fixes;
mod foreign;
mod frame;
mod given;
mod metadata;
mod objects;
mod other_text;
mod rule;
mod stages;
mod suggestions;
mod template;
mod test_data;
mod versions;
mod walk;

pub use allowances::collect_allowances;
pub use broken_off::drop_broken_off;
pub use copies::{downgrade_alternatives, gather_copies};
pub use decode::{decode, decode_tolerantly, decode_without};
pub use document::{AdmittedDocument, admit_document, documents_with_other_objects};
pub use frame::misread_key_cause;
pub use given::unused_flags;
pub use objects::read_object_ref;
pub use other_text::explain_text;
pub use template::{downgrade_templates, gather_templates};
pub use test_data::{downgrade_test_data, skip_comparisons};
pub use walk::{AdmitOptions, NamespaceFlags, UnknownFields, admit, misread_word};

#[cfg(test)]
mod tests;
