//! `format: int32`: a number must fit.
//!
//! The API server of Kubernetes 1.29 does not look at the format of a number; the operator, whose Go field has 32 bits,
//! then fails to read the resource, and with it every other of its kind. So it is an error here.

use crate::admit::diagnostics;
use crate::admit::frame::Frame;
use crate::api::schema::{Format, Schema};
use crate::diagnostic::Diagnostic;
use crate::yaml::Node;

/// A port is an integer of 32 bits or a string; a quantity, told by its pattern, is a number of any size.
pub(in crate::admit) fn check(schema: &Schema, number: i64, node: Node<'_>, at: &Frame<'_>) -> Option<Diagnostic> {
    let is_port = schema.int_or_string && schema.pattern.is_none();
    if (schema.format == Some(Format::Int32) || is_port) && i32::try_from(number).is_err() {
        return Some(diagnostics::out_of_range(node, at));
    }
    None
}
