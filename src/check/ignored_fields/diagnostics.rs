//! What is found of fields that do nothing.

use super::table::{IgnoredField, When};
use crate::api::Head;
use crate::diagnostic::{Code, Diagnostic, FieldPath};

/// The operator accepts the field and ignores it.
pub fn ignored(field: &IgnoredField, resource: &Head<'_>, path: &FieldPath<'_>) -> Diagnostic {
    let value = match field.when {
        When::Set => "",
        When::True => " of `true`",
        When::False => " of `false`",
        When::Empty => " that is empty",
    };
    Diagnostic::new(
        Code::IgnoredField,
        format!("the operator ignores `{path}`{value}: {}", field.note),
    )
    .label(resource.locate(path), "")
    .resource(resource.object_ref())
    .path(path)
    .help(field.help)
}
